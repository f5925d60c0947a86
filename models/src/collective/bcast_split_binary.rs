//! Split-binary broadcast (Open MPI `split_binary_tree`): each half of the data goes down one half of a binary tree,
//! then pairs from the two halves exchange what they lack.
//!
//! ```text
//! round s (segment s of each half)   first half:   0 ─▶1    1 ─▶3, 1 ─▶5    3 ─▶7
//!                                    second half:  0 ─▶2    2 ─▶4, 2 ─▶6
//! last round                         1◀▶2  3◀▶4  5◀▶6    0 ─▶7: the last one has no partner
//! ```
//!
//! Open MPI: `ompi_coll_base_bcast_intra_split_bintree`. Where the halves differ by the byte that makes one segment
//! more, a last empty segment keeps the second half in step (Open MPI sends none).

use super::{Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then, Toward, Tree};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "split-binary",
    openmpi: Some("split_binary_tree"),
    mpich: None,
    wins: "long messages: as deep as a binary tree, with half the bytes over each edge",
    time: "P ≥ 3: ⌊log₂(P−1)⌋·(α + sβ) + α + ⌈m/2⌉β, segments of s ≤ ⌈m/2⌉",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| segments(shape) + 1,
    round: |shape, index| Round {
        index,
        pattern: if index < segments(shape) {
            Pattern::Tree {
                tree: Tree::Levels { fanout: 2 },
                toward: Toward::Leaves,
                carry: |shape, segment, position| shape.segment(half_of(shape, position), segment),
                then: Then::Store,
            }
        } else {
            Pattern::Meet { meeting }
        },
    },
    cost: |shape| Cost::whole_over_tree(shape, segments(shape) + 1, u64::from(shape.log2_ceil())),
};

fn segments(shape: &Shape) -> u64 {
    shape.segments(shape.shares(0, 1, 2).bytes)
}

/// Returns the half that comes to a position over the tree: odd positions hang from 1, even ones from 2.
fn half_of(shape: &Shape, position: u32) -> Part {
    shape.shares(1 - position % 2, 1, 2)
}

fn meeting(shape: &Shape, _round: u64, position: u32) -> Meeting {
    let last = shape.ranks - 1;
    let lonely = last % 2 == 1;
    let partner = match position {
        0 if lonely => return Meeting::sends(last, half_of(shape, 0)),
        0 => return Meeting::NONE,
        _ if lonely && position == last => return Meeting::receives(0, half_of(shape, 0), Then::Store),
        _ if position % 2 == 1 => position + 1,
        _ => position - 1,
    };
    Meeting {
        send: Some((partner, half_of(shape, position))),
        receive: Some((partner, half_of(shape, partner), Then::Store)),
    }
}
