//! Allgather among bine partners of blocks that changed places before, by a table (PICO `bine_send_static`, up to 256
//! ranks): as `bine-send`, but of two partners that meet first the lower rank has the first block. P a power of two.
//!
//! ```text
//! round 0    1─▶3 2─▶4 3─▶7 4─▶1 5─▶6 6─▶2 7─▶5
//! round 1    0◀─▶3  1◀─▶6  2◀─▶5  4◀─▶7      one block
//! round 2    0◀─▶7  1◀─▶2  3◀─▶4  5◀─▶6      two blocks
//! round 3    0◀─▶1  2◀─▶3  4◀─▶5  6◀─▶7      four blocks
//! ```

use super::allgather_bine_permute::meeting_by;
use super::allgather_bine_send::{change_places, cost};
use super::{Algorithm, Collective, Meeting, Pattern, Places, Ranks, Round, Shape, bine};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Allgather,
    name: "bine-send-static",
    openmpi: None,
    mpich: None,
    wins: "as bine-send, with positions read from a table",
    time: "P = 2^n ≥ 4: (log₂P + 1)·α + P·mβ",
    uneven: false,
    ranks: Ranks::PowerOfTwo,
    places: Places::ByRank,
    rounds: |shape| u64::from(shape.log2_floor()) + 1,
    round: |_, index| Round { index, pattern: Pattern::Meet { meeting } },
    cost: |shape| cost(shape, bine::tabled_position),
};

fn meeting(shape: &Shape, index: u64, rank: u32) -> Meeting {
    match index.checked_sub(1) {
        None => change_places(shape, rank, bine::tabled_position, bine::tabled_rank),
        Some(bit) => meeting_by(shape, bit as u32, rank, bine::tabled_position),
    }
}
