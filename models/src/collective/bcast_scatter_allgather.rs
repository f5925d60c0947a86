//! Scatter, then allgather by recursive doubling (van de Geijn 1994; Thakur, Rabenseifner, Gropp 2005).
//!
//! ```text
//! scatter      the buffer's P chunks go down a binomial tree:  0─▶4 (4 5 6 7)  0─▶2 (2 3) 4─▶6 (6 7)  0─▶1 2─▶3 4─▶5 6─▶7
//! allgather 0  0◀▶1  2◀▶3  4◀▶5  6◀▶7      one chunk each way
//! allgather 1  0◀▶2  1◀▶3  4◀▶6  5◀▶7      two
//! allgather 2  0◀▶4  1◀▶5  2◀▶6  3◀▶7      four
//! ```
//!
//! P not a power of two: of the ranks that exchange with the last, incomplete group some find no partner; those that do
//! pass on to them what they got, by halves of distance. On 6 ranks after allgather 2 (0◀▶4, 1◀▶5): 0─▶2, 1─▶3. MPICH:
//! `MPIR_Bcast_intra_scatter_recursive_doubling_allgather`; Open MPI: `scatter_allgather`. Both leave out the tree's
//! empty messages when there are more ranks than chunks with data.

use super::{
    Algorithm, Collective, Cost, Meeting, Part, Pattern, Places, Ranks, Round, Shape, Then, Toward, Tree, cost,
};

pub(super) const ALGORITHM: Algorithm = Algorithm {
    collective: Collective::Bcast,
    name: "scatter-allgather",
    openmpi: Some("scatter_allgather"),
    mpich: Some("scatter_recursive_doubling_allgather"),
    wins: "medium to long messages, P a power of two: about 2mβ in 2log₂ P rounds",
    time: "P a power of two that divides m: 2log₂P·α + 2mβ·(P−1)/P",
    uneven: false,
    ranks: Ranks::Any,
    places: Places::FromRoot,
    rounds: |shape| 1 + turns(shape.ranks).count() as u64,
    round: |shape, index| match turns(shape.ranks).nth((index as usize).wrapping_sub(1)) {
        Some(code) if index > 0 => Round { index: code, pattern: Pattern::Meet { meeting } },
        _ => Round { index, pattern: SCATTER },
    },
    cost: price,
};

const SCATTER: Pattern = Pattern::Tree {
    tree: Tree::KNomial { radix: 2 },
    toward: Toward::Leaves,
    carry: |shape, _, position| chunks(shape, position, Tree::knomial_subtree(position, 2, shape.ranks)),
    then: Then::Store,
};

/// Room for the turns of one doubling in a round's code: the exchange (0), then the passing on (1, 2, …).
const TURNS: u64 = 64;

/// Returns the codes of the rounds of the allgather: doubling · TURNS + turn.
fn turns(ranks: u32) -> impl Iterator<Item = u64> {
    (0..u64::from(u64::from(ranks).next_power_of_two().trailing_zeros())).flat_map(move |doubling| {
        let passing = if lacking(ranks, doubling).is_some() { doubling } else { 0 };
        (0..=passing).map(move |turn| doubling * TURNS + turn)
    })
}

/// Returns the first position and the size of the incomplete group in whose exchange some positions find no partner.
fn lacking(ranks: u32, doubling: u64) -> Option<(u32, u32)> {
    let (ranks, size) = (u64::from(ranks), 1u64 << doubling);
    let start = (ranks - 1) / (2 * size) * (2 * size) + size;
    (start < ranks && ranks < start + size).then(|| (start as u32, (ranks - start) as u32))
}

fn chunks(shape: &Shape, first: u32, count: u32) -> Part {
    shape.chunks(u64::from(first), u64::from(count), u64::from(shape.ranks))
}

fn meeting(shape: &Shape, code: u64, position: u32) -> Meeting {
    let (doubling, turn) = (code / TURNS, code % TURNS);
    if turn > 0 {
        return passing_on(shape, doubling, turn, position);
    }
    let size = 1u32 << doubling;
    let partner = position ^ size;
    if partner >= shape.ranks {
        return Meeting::NONE;
    }
    let group = |position: u32| {
        let start = position & !(size - 1);
        chunks(shape, start, size.min(shape.ranks - start))
    };
    Meeting { send: Some((partner, group(position))), receive: Some((partner, group(partner), Then::Store)) }
}

/// Meeting that spreads the chunks of the incomplete group within the group before it, at half the distance each turn.
fn passing_on(shape: &Shape, doubling: u64, turn: u64, position: u32) -> Meeting {
    let Some((start, count)) = lacking(shape.ranks, doubling) else { return Meeting::NONE };
    if position >= start || position < start - (1 << doubling) {
        return Meeting::NONE;
    }
    let distance = 1u32 << (doubling - turn);
    let (partner, have) = (position ^ distance, (position & !(2 * distance - 1)) + count);
    let part = chunks(shape, start, count);
    match (position < have, partner < have) {
        (true, false) => Meeting::sends(partner, part),
        (false, true) => Meeting::receives(partner, part, Then::Store),
        _ => Meeting::NONE,
    }
}

fn price(shape: &Shape) -> Cost {
    let (ranks, others) = (u64::from(shape.ranks), u64::from(shape.ranks - 1));
    let scatter = Cost::new(others, cost::binomial_chunk_bytes(shape, ranks, 0), 0);
    let messages = turns(shape.ranks).filter(|code| code % TURNS == 0).map(|code| exchanges(ranks, code / TURNS)).sum();
    scatter.then(Cost::new(messages, shape.bytes.saturating_mul(others), critical(shape.ranks)))
}

/// Returns the number of messages of one doubling, with those that pass on: all groups are complete but the last.
fn exchanges(ranks: u64, doubling: u64) -> u64 {
    let size = 1u64 << doubling;
    let (pairs, left) = (ranks / (2 * size), ranks % (2 * size));
    pairs * 2 * size + if left > size { left } else { 0 }
}

/// Classes of a position by its bits below the present one, compared with those of P: not less; less; less, with the
/// highest bit of P among them clear in the position and the bits below that one not less.
const NOT_LESS: usize = 0;
const LESS: usize = 1;
const LESS_BY_TOP_BIT: usize = 2;

/// Returns the largest number of messages in a chain, by following all chains at once, bit by bit of the positions they
/// visit.
///
/// Doubling i flips bit i of the position, or passes on within the lower of the last two groups. The allowed moves
/// depend on the class of the bits below i compared with those of P (see above), and on whether the bits above are
/// those of P (`last`: the position is in the last pair of groups). Chains begin after as many messages of the scatter
/// as the position has bits.
fn critical(ranks: u32) -> u64 {
    let mut most = [[None; 3]; 2];
    most[0][NOT_LESS] = Some(0u64);
    for bit in 0..=ranks.ilog2() {
        let (set, below) = (ranks >> bit & 1 == 1, ranks & ((1 << bit) - 1));
        let mut next = [[None; 3]; 2];
        for (last, class) in [(false, 0), (false, 1), (false, 2), (true, 0), (true, 1), (true, 2)] {
            let Some(so_far) = most[usize::from(last)][class] else { continue };
            // The position's own bit, and whether the bits above are those of P.
            let begins: &[(bool, bool)] = match (last, set) {
                (true, _) => &[(set, true)],
                (false, true) => &[(false, false), (true, false), (false, true)],
                (false, false) => &[(false, false), (true, false)],
            };
            for &(own, last) in begins {
                let may_flip = !last || (set && class != NOT_LESS);
                for flips in if may_flip { &[false, true][..] } else { &[false] } {
                    let (at, length) = (own != *flips, so_far + u64::from(own) + u64::from(*flips));
                    reach(&mut next, last, compared(set, at, class), length);
                    if last && set && below > 0 && !at && class != NOT_LESS {
                        let power = u32::from(!below.is_power_of_two());
                        let hops = bit - below.ilog2() - power + if class == LESS_BY_TOP_BIT { power } else { 0 };
                        reach(&mut next, last, compared(set, at, NOT_LESS), length + u64::from(hops));
                    }
                }
            }
        }
        most = next;
    }
    most[1].into_iter().flatten().max().unwrap_or(0)
}

fn reach(most: &mut [[Option<u64>; 3]; 2], last: bool, class: usize, length: u64) {
    let longest = &mut most[usize::from(last)][class];
    *longest = (*longest).max(Some(length));
}

/// Returns the class one bit further up, where P's bit is `set` and the position's is `at`.
fn compared(set: bool, at: bool, class: usize) -> usize {
    match (set, at) {
        (true, false) if class == NOT_LESS => LESS_BY_TOP_BIT,
        (true, _) if class != NOT_LESS => LESS,
        (false, false) => class,
        (true, _) | (false, true) => NOT_LESS,
    }
}
