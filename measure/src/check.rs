//! Whether collectives do to real bytes what their operation demands.

use crate::buffer::Buffer;
use models::collective::{ALGORITHMS, Collective, Shape, Then};
use models::operation::{LibraryBarrier, LibraryBcast, LibraryReduce, Operation, Own};
use models::rank::Rank;

/// A rank with bytes to look at.
pub trait RealRank: Rank {
    /// The benchmark buffer.
    fn buffer(&self) -> &Buffer;
    /// True if it can call a message library's own collectives.
    fn has_library(&self) -> bool;
}

/// Lengths that are tried: nothing, one byte, within and beyond the libraries' eager limits.
const LENGTHS: [u64; 4] = [0, 1, 1_000, 70_000];
/// The buffer length that a check needs.
pub const CHECKED_BYTES: u64 = LENGTHS[LENGTHS.len() - 1];

/// Runs every algorithm (and the library's calls) from several roots and compares every byte.
/// Called by all ranks together; returns how many calls this rank checked.
///
/// # Errors
/// The first difference: which call, which rank, which byte.
pub async fn check<R: RealRank>(rank: &R) -> Result<u32, String> {
    let mut checked = 0;
    let mut first_difference = Ok(());
    for bytes in LENGTHS {
        for root in [0, rank.size() / 2, rank.size() - 1] {
            let shape = Shape::new(rank.size(), root, bytes);
            for algorithm in ALGORITHMS {
                let own = Own::new(algorithm, &shape, rank.id());
                let result = call(rank, &shape, &own, algorithm.collective, algorithm.name).await;
                first_difference = first_difference.and(result);
                checked += 1;
            }
            if rank.has_library() {
                // All ranks call everything, also after a difference: nobody is left waiting.
                let bcast = call(rank, &shape, &LibraryBcast(shape), Collective::Bcast, "library").await;
                let reduce = call(rank, &shape, &LibraryReduce(shape), Collective::Reduce, "library").await;
                let barrier = call(rank, &shape, &LibraryBarrier(shape), Collective::Barrier, "library").await;
                first_difference = first_difference.and(bcast).and(reduce).and(barrier);
                checked += 3;
            }
        }
    }
    first_difference.map(|()| checked)
}

async fn call<R: RealRank, O: Operation>(
    rank: &R,
    shape: &Shape,
    operation: &O,
    collective: Collective,
    name: &str,
) -> Result<(), String> {
    let id = rank.id();
    let byte = |of: u32, at: usize| match collective {
        // Open MPI's vectorised sum of bytes saturates (its issue 8045) where ours wraps: no sum may pass 255.
        Collective::Reduce => pattern(of, at) / shape.ranks.min(255) as u8,
        Collective::Bcast | Collective::Barrier => pattern(of, at),
    };
    rank.buffer().write(shape.whole(), Then::Store, |room| {
        room.iter_mut().enumerate().for_each(|(at, value)| *value = byte(id, at));
    });
    operation.call(rank).await;
    let expected = |at: usize| match collective {
        Collective::Bcast => Some(byte(shape.root, at)),
        Collective::Reduce if id == shape.root => {
            Some((0..shape.ranks).fold(0u8, |sum, rank| sum.wrapping_add(byte(rank, at))))
        }
        // Other ranks' buffers hold partial sums afterwards; a barrier moves no bytes.
        Collective::Reduce => None,
        Collective::Barrier => Some(byte(id, at)),
    };
    let compare = |bytes: &[u8]| {
        let wrong = (0..bytes.len()).find(|&at| expected(at).is_some_and(|byte| byte != bytes[at]));
        wrong.map_or(Ok(()), |at| {
            let (ranks, root, length) = (shape.ranks, shape.root, shape.bytes);
            let what = format!("{collective} {name} of {length} B on {ranks} ranks from root {root}");
            Err(format!("{what}: byte {at} on rank {id} is {}, expected {:?}", bytes[at], expected(at)))
        })
    };
    if (collective, name) == (Collective::Reduce, "library") {
        rank.buffer().beside(shape.whole(), |_, result| compare(result))
    } else {
        rank.buffer().read(shape.whole(), compare)
    }
}

/// A byte that differs between ranks and positions.
fn pattern(rank: u32, at: usize) -> u8 {
    (rank as usize * 37 + at * 11 + at / 251 + 1) as u8
}
