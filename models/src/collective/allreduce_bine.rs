//! Allreduce among bine partners (De Sensi et al. 2025; PICO `bine_lat`): as recursive doubling, with partners on both
//! sides. Ranks beyond a power of two hand theirs to a neighbour before and get the result after.
//!
//! ```text
//! round 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7
//! round 1   0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6
//! round 2   0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7
//! ```

use super::fold::{Fold, Stage, exchange};
use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then, bine};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allreduce,
    name: "bine",
    openmpi: None,
    mpich: None,
    wins: "short messages where distance costs: the partners of recursive doubling, a third nearer",
    time: "r·(α + mβ); r = ⌊log₂P⌋, one more if P is no power of two, two if P exceeds about 4/3·2^⌊log₂P⌋",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| Fold::odd(shape).rounds(shape.log2_floor()),
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let (fold, bits) = (Fold::odd(shape), shape.log2_floor());
        let messages = u64::from(fold.places) * u64::from(bits) + 2 * u64::from(fold.out);
        let critical = u64::from(bits) + u64::from(fold.out > 0) + u64::from(holds_up(fold, bits));
        Cost::new(messages, messages.saturating_mul(shape.bytes), critical)
    },
};

fn holds_up(fold: Fold, bits: u32) -> bool {
    fold.out > 0 && bine::holds_up(fold.out, fold.places, 0..bits)
}

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let fold = Fold::odd(shape);
    match (fold.stage(index, shape.log2_floor()), fold.place(position)) {
        (Stage::Before, _) => fold.before(position, shape.whole()),
        (Stage::After(_), _) => fold.after(position, |_| shape.whole()),
        (Stage::Among(_), None) => Meeting::NONE,
        (Stage::Among(step), Some(place)) => {
            let peer = fold.position(bine::partner(place, step, fold.places));
            exchange(peer, shape.whole(), shape.whole(), Then::Combine)
        }
    }
}
