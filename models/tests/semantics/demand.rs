//! What each collective demands: which words must be where in the end, and who must have learnt from whom.

use crate::machine::Memory;
use parallax_models::collective::{Collective, Part, Shape};

/// Fails if the memories after a call are not what the collective demands.
pub fn check(collective: Collective, shape: &Shape, before: &[Memory], after: &[Memory]) -> Result<(), String> {
    let (ranks, area) = (shape.ranks, collective.area_bytes(shape));
    let own = |rank: u32, part: Part| part_of(&before[rank as usize], part);
    let whole = shape.whole();
    for rank in 0..ranks {
        let got = |part: Part| part_of(&after[rank as usize], part);
        let (fits, where_at) = match collective {
            Collective::Barrier => (true, whole),
            Collective::Bcast => (got(whole) == own(shape.root, whole), whole),
            Collective::Reduce => (rank != shape.root || got(whole) == sum(before, 0..ranks, whole), whole),
            Collective::Allreduce => (got(whole) == sum(before, 0..ranks, whole), whole),
            Collective::Scan => (got(whole.moved(area)) == sum(before, 0..rank + 1, whole), whole.moved(area)),
            Collective::Exscan => {
                (rank == 0 || got(whole.moved(area)) == sum(before, 0..rank, whole), whole.moved(area))
            }
            Collective::Scatter => {
                let part = shape.blocks(shape.relative(rank), 1);
                (got(part) == own(shape.root, part), part)
            }
            Collective::ReduceScatter => {
                let part = shape.blocks(rank, 1);
                (got(part) == sum(before, 0..ranks, part), part)
            }
            Collective::Gather | Collective::Allgather | Collective::Alltoall => {
                check_each_block(collective, shape, rank, before, after)?;
                continue;
            }
        };
        if !fits {
            return Err(format!("rank {rank} ends with the wrong data in {where_at:?}"));
        }
    }
    Ok(())
}

fn check_each_block(
    collective: Collective,
    shape: &Shape,
    rank: u32,
    before: &[Memory],
    after: &[Memory],
) -> Result<(), String> {
    let area = collective.area_bytes(shape);
    for from in 0..shape.ranks {
        let (source, target) = match collective {
            Collective::Gather if rank != shape.root => continue,
            Collective::Gather => (shape.blocks(shape.relative(from), 1), shape.blocks(shape.relative(from), 1)),
            Collective::Alltoall => {
                (shape.rotated_blocks(from, rank, 1), shape.rotated_blocks(rank, from, 1).moved(area))
            }
            _ => (shape.blocks(from, 1), shape.blocks(from, 1)),
        };
        if part_of(&after[rank as usize], target) != part_of(&before[from as usize], source) {
            return Err(format!("rank {rank} ends with the wrong data from rank {from} in {target:?}"));
        }
    }
    Ok(())
}

/// True if a rank may end knowing only from `known`, when every message carries data.
pub fn knows_enough(collective: Collective, shape: &Shape, rank: u32, known: &[u32]) -> bool {
    let knows_all = |mut of: std::ops::Range<u32>| of.all(|other| known.contains(&other));
    match collective {
        Collective::Bcast | Collective::Scatter => known.contains(&shape.root),
        Collective::Reduce | Collective::Gather => rank != shape.root || knows_all(0..shape.ranks),
        Collective::Barrier
        | Collective::Allreduce
        | Collective::Allgather
        | Collective::Alltoall
        | Collective::ReduceScatter => knows_all(0..shape.ranks),
        Collective::Scan => knows_all(0..rank + 1),
        Collective::Exscan => knows_all(0..rank),
    }
}

fn part_of(memory: &Memory, part: Part) -> &[u64] {
    &memory[part.offset as usize..(part.offset + part.bytes) as usize]
}

fn sum(memories: &[Memory], ranks: std::ops::Range<u32>, part: Part) -> Vec<u64> {
    let mut sum = vec![0u64; part.bytes as usize];
    for rank in ranks {
        for (total, word) in sum.iter_mut().zip(part_of(&memories[rank as usize], part)) {
            *total = total.wrapping_add(*word);
        }
    }
    sum
}
