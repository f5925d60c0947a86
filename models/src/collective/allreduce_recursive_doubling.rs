//! Allreduce by recursive doubling (Thakur, Rabenseifner, Gropp 2005; Open MPI and MPICH `recursive_doubling`,
//! `ompi_coll_base_allreduce_intra_recursivedoubling`, `MPIR_Allreduce_intra_recursive_doubling`): every rank exchanges
//! the whole with rank xor 2^k. Ranks beyond a power of two hand theirs to a neighbour before and get the result after.
//!
//! ```text
//! round 0   0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7
//! round 1   0◀─▶2  1◀─▶3  4◀─▶6  5◀─▶7
//! round 2   0◀─▶4  1◀─▶5  2◀─▶6  3◀─▶7
//! ```

use super::fold::{Fold, Stage, exchange};
use super::{Algorithm, Collective, Cost, Meeting, Pattern, Places, Ranks, Round, Shape, Then};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allreduce,
    name: "recursive-doubling",
    openmpi: Some("recursive_doubling"),
    mpich: Some("recursive_doubling"),
    wins: "short messages: ⌊log₂P⌋ rounds, two more where P is no power of two",
    time: "r·(α + mβ); r = ⌊log₂P⌋, one more if P is no power of two, two if P > 1.5·2^⌊log₂P⌋",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::ByRank,
    rounds: |shape| Fold::odd(shape).rounds(shape.log2_floor()),
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| {
        let (fold, bits) = (Fold::odd(shape), shape.log2_floor());
        let messages = u64::from(fold.places) * u64::from(bits) + 2 * u64::from(fold.out);
        Cost::new(messages, messages.saturating_mul(shape.bytes), fold.critical(bits))
    },
};

fn meeting(shape: &Shape, index: u64, position: u32) -> Meeting {
    let fold = Fold::odd(shape);
    match (fold.stage(index, shape.log2_floor()), fold.place(position)) {
        (Stage::Before, _) => fold.before(position, shape.whole()),
        (Stage::After(_), _) => fold.after(position, |_| shape.whole()),
        (Stage::Among(_), None) => Meeting::NONE,
        (Stage::Among(bit), Some(place)) => {
            exchange(fold.position(place ^ 1 << bit), shape.whole(), shape.whole(), Then::Combine)
        }
    }
}
