//! Reduce-scatter and allgather among bine partners (De Sensi et al. 2025; PICO `bine_bdw_remap` and, with segments,
//! `bine_bdw_remap_segmented`; `bine_bdw_static`, whose shares lie in the order of a table): as Rabenseifner's
//! allreduce, with partners on both sides. Shares lie in the order of positions of the doubling tree. On the way to the
//! shares messages are cut into segments, each of which is combined before the next one leaves. Ranks beyond a power of
//! two hand theirs to a neighbour before and get the result after.
//!
//! ```text
//! position      0 1 2 3 4 5 6 7   of rank 0 3 7 4 1 6 2 5
//! halving 0     0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      half of the buffer each way
//! halving 1     0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      a quarter
//! halving 2     0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      an eighth
//! doubling      as halving 2, then as 1, then as 0: the result comes back
//! ```

use super::fold::{Fold, exchange};
use super::{Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then, bine};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allreduce,
    name: "bine-scatter-allgather",
    openmpi: None,
    mpich: None,
    wins: "long messages where distance costs: half of all bytes go to a neighbour, a quarter to the next one on the other side",
    time: "one segment: 2·log₂P·α + 2·(P−1)/P·mβ, P = 2^n; else as for 2^⌊log₂P⌋ ranks and 2·(α + mβ) more",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| {
        let fold = Fold::odd(shape);
        fold.rounds(0) + halvings(shape, fold) + u64::from(shape.log2_floor())
    },
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let (fold, bits) = (Fold::odd(shape), u64::from(shape.log2_floor()));
        let rounds = halvings(shape, fold).saturating_add(bits);
        let messages = rounds.saturating_mul(fold.places.into()).saturating_add(2 * u64::from(fold.out));
        let bytes = shape.bytes.saturating_mul(2 * u64::from(shape.ranks - 1));
        let late = u64::from(fold.out > 0) + u64::from(holds_up(shape, fold));
        Cost::new(messages, bytes, rounds.saturating_add(late))
    },
};

/// Whether places that enter late hold up a rank that sat out at the end. Two meetings with the same partner move no
/// delay.
fn holds_up(shape: &Shape, fold: Fold) -> bool {
    let bits = shape.log2_floor();
    let is_odd = |step: &u32| segments(shape, fold, bits - 1 - step) % 2 == 1;
    let steps = (0..bits).filter(is_odd).chain((0..bits).rev());
    fold.out > 0 && bine::holds_up(fold.out, fold.places, steps)
}

/// Returns the shares of those 2^bit places that meet each other before they meet others.
fn shares(shape: &Shape, fold: Fold, place: u32, bit: u32) -> Part {
    let position = bine::doubling_position(place, fold.places);
    shape.shares(bine::group(position, bit), 1 << bit, fold.places)
}

/// Returns the number of segments into which the longest message of the halving towards 2^bit shares is cut.
fn segments(shape: &Shape, fold: Fold, bit: u32) -> u64 {
    shape.segments(shape.shares(0, 1 << bit, fold.places).bytes)
}

fn halvings(shape: &Shape, fold: Fold) -> u64 {
    (0..shape.log2_floor()).map(|bit| segments(shape, fold, bit)).fold(0, u64::saturating_add)
}

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let (fold, bits) = (Fold::odd(shape), shape.log2_floor());
    let among = halvings(shape, fold) + u64::from(bits);
    let first = u64::from(fold.out > 0);
    let Some(mut round) = index.checked_sub(first) else { return fold.before(position, shape.whole()) };
    if round >= among {
        return fold.after(position, |_| shape.whole());
    }
    let Some(place) = fold.place(position) else { return Meeting::NONE };
    let peer = |bit: u32| bine::partner(place, bits - 1 - bit, fold.places);
    for bit in (0..bits).rev() {
        let segments = segments(shape, fold, bit);
        if round < segments {
            let segment = |place| shape.segment(shares(shape, fold, place, bit), round);
            return exchange(fold.position(peer(bit)), segment(peer(bit)), segment(place), Then::Combine);
        }
        round -= segments;
    }
    let bit = round as u32;
    let share = |place| shares(shape, fold, place, bit);
    exchange(fold.position(peer(bit)), share(place), share(peer(bit)), Then::Store)
}
