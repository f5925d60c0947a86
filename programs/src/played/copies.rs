//! Copies that libraries make within a rank's memory beside the messages of an algorithm. Our own algorithms work in
//! place; a library's call has sent and received data apart, and first brings the one to the other.
//!
//! Read in the sources of Open MPI 4.1 (`ompi/mca/coll/base`) and MPICH 4.0 (`src/mpi/coll`). Where simulations play an
//! algorithm in place, the other memory lies beside the buffer ([`Part::beside`]).

use super::reduced;
use crate::observation::World;
use models::collective::{Algorithm, Collective, Part, Shape, Step, Then};
use models::footprint::{ByteRun, Footprint, MemoryRegion};
use models::library::Kin;

/// A copy between the buffer and the memory beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Copied {
    part: Part,
    /// Whether it goes from the memory beside the buffer into it; otherwise it goes out of the buffer.
    into: bool,
}

/// Treatment of the data that a rank of a library gives, in an algorithm of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// Nothing is copied, or the algorithm's own steps copy it.
    AsItIs,
    /// The rank's data are copied before the first message, or received data are.
    Copied(Copied),
    /// The rank's data are combined with the data that come first, as [`reduced`] says.
    Combined,
}

fn given(library: World, collective: Collective, algorithm: &str, shape: &Shape, rank: u32) -> Given {
    let whole = Part::range(0, collective.area_bytes(shape));
    let block = match shape.counts {
        None => shape.blocks(rank, 1),
        Some(_) => return Given::AsItIs,
    };
    let into = |part| Given::Copied(Copied { part, into: true });
    match (library.kin(), collective, algorithm) {
        (None, ..) => Given::AsItIs,
        // Their own algorithms have these steps.
        (
            _,
            Collective::Bcast | Collective::Barrier | Collective::Alltoall | Collective::Scan | Collective::Exscan,
            _,
        ) => Given::AsItIs,
        (Some(Kin::Mpich), Collective::Allgather, "bruck") => Given::AsItIs,
        (_, Collective::Gather | Collective::Scatter, _) if rank != shape.root => Given::AsItIs,
        (_, Collective::Gather, _) => into(block),
        (_, Collective::Scatter, _) => Given::Copied(Copied { part: block, into: false }),
        (_, Collective::Allgather, _) => into(block),
        // Open MPI reduces into the result, from which it then broadcasts.
        (Some(Kin::OpenMpi), Collective::Allreduce, "reduce-bcast" | "linear") => Given::Combined,
        (_, Collective::Allreduce, _) => into(whole),
        // Open MPI receives into the result and combines the sent data with it; MPICH's leaves copy, too.
        (Some(Kin::OpenMpi), Collective::Reduce, "rabenseifner-halves") | (Some(Kin::Mpich), Collective::Reduce, _) => {
            into(whole)
        }
        (Some(Kin::OpenMpi), Collective::Reduce, _) => Given::Combined,
        (Some(Kin::OpenMpi), Collective::ReduceScatter, "non-overlapping") => Given::AsItIs,
        (_, Collective::ReduceScatter, "pairwise") => into(block),
        (_, Collective::ReduceScatter, _) => into(whole),
    }
}

/// Returns the steps of a rank of a library for an algorithm of ours: copies, and steps as the library makes them.
pub fn made(library: World, algorithm: &Algorithm, shape: &Shape, rank: u32) -> Vec<Step> {
    let (collective, name) = (algorithm.collective, algorithm.name);
    let before = copies(library, collective, name, shape, rank);
    let steps = algorithm.steps(shape, rank);
    if given(library, collective, name, shape, rank) == Given::Combined {
        return reduced::steps(steps, is_root(collective, shape, rank));
    }
    match (library.kin(), collective, name) {
        // Sends the caller's data from where the caller has them, and brings them to the result in the end.
        (Some(Kin::OpenMpi), Collective::Allgather, "two-proc") if shape.ranks == 2 => {
            let from_beside = |step| match step {
                Step::Exchange { to, sent, from, received, then } if before.is_some() => {
                    Step::Exchange { to, sent: Part::beside(sent.offset, sent.bytes), from, received, then }
                }
                Step::Exchange { .. }
                | Step::Send { .. }
                | Step::Receive { .. }
                | Step::Post { .. }
                | Step::Start { .. }
                | Step::WaitAll
                | Step::Local { .. } => step,
            };
            steps.map(from_beside).chain(before).collect()
        }
        (Some(Kin::OpenMpi), Collective::Allreduce, "recursive-doubling") => between_two(steps, shape.whole(), rank),
        (Some(Kin::OpenMpi), Collective::Allgather, "bruck") if before.is_some() => {
            in_the_result(steps, before, shape, rank)
        }
        _ => before.into_iter().chain(steps.map(|step| as_made(library, collective, name, rank, step))).collect(),
    }
}

/// Whether a rank's combined parts are the result's: reductions to all reduce to rank 0.
fn is_root(collective: Collective, shape: &Shape, rank: u32) -> bool {
    rank == if collective == Collective::Reduce { shape.root } else { 0 }
}

/// Returns a part in memory of the library's own.
pub(super) fn aside(part: Part) -> Part {
    part.moved(ASIDE)
}

const ASIDE: u64 = 1 << 41;

/// Returns the steps of Open MPI's recursive doubling, which works on the result and on memory aside: it receives into
/// the one that it does not send, and combines the lower rank's operand into the higher rank's, wherever that lies; in
/// the end it copies to the result what is not there yet.
fn between_two(steps: impl Iterator<Item = Step>, whole: Part, rank: u32) -> Vec<Step> {
    let begin = Step::Local { from: Part::beside(whole.offset, whole.bytes), to: aside(whole), then: Then::Store };
    let place = |part: Part, in_result: bool| if in_result { part } else { aside(part) };
    let mut made = vec![begin];
    let mut in_result = false;
    for step in steps {
        match step {
            Step::Exchange { to, sent, from, received, then: Then::Combine } => {
                let (own, other) = (place(received, in_result), place(received, !in_result));
                let sent = place(sent, in_result);
                made.push(Step::Exchange { to, sent, from, received: other, then: Then::Store });
                in_result ^= rank < from;
                let (from, to) = if rank < from { (own, other) } else { (other, own) };
                made.push(Step::Local { from, to, then: Then::Combine });
            }
            Step::Receive { from, part, then: Then::Combine } => {
                let (own, other) = (place(part, in_result), place(part, !in_result));
                made.push(Step::Receive { from, part: other, then: Then::Store });
                made.push(Step::Local { from: other, to: own, then: Then::Combine });
            }
            Step::Receive { then: Then::Store, .. } => {
                made.push(step);
                in_result = true;
            }
            Step::Send { to, part } => made.push(Step::Send { to, part: place(part, in_result) }),
            Step::Exchange { .. } | Step::Post { .. } | Step::Start { .. } | Step::WaitAll | Step::Local { .. } => {
                made.push(step);
            }
        }
    }
    if !in_result {
        made.push(Step::Local { from: aside(whole), to: whole, then: Then::Store });
    }
    made
}

/// Returns the steps of Open MPI's allgather by Bruck, which has its blocks in the result from the first message on, a
/// rank's own first. Ranks but the first put them in order there: those that are to lie last are copied aside, and back
/// behind the others.
fn in_the_result(steps: impl Iterator<Item = Step>, begin: Option<Step>, shape: &Shape, rank: u32) -> Vec<Step> {
    let slot = |part: Part| Part { offset: part.offset - shape.total(), ..part };
    let mut made: Vec<Step> = Vec::new();
    if let Some(Step::Local { from, .. }) = begin {
        made.push(Step::Local { from, to: Part::range(0, from.bytes), then: Then::Store });
    }
    made.extend(steps.filter_map(|step| match step {
        Step::Exchange { to, sent, from, received, then } => {
            Some(Step::Exchange { to, sent: slot(sent), from, received: slot(received), then })
        }
        Step::Local { .. } => None,
        Step::Send { .. } | Step::Receive { .. } | Step::Post { .. } | Step::Start { .. } | Step::WaitAll => Some(step),
    }));
    if rank > 0 {
        let last = shape.rotated_blocks(rank, 0, shape.ranks - rank);
        let first = shape.rotated_blocks(rank, shape.ranks - rank, rank);
        made.extend([
            Step::Local { from: last, to: aside(last), then: Then::Store },
            Step::Local { from: first, to: shape.blocks(0, rank), then: Then::Store },
            Step::Local { from: aside(last), to: shape.blocks(rank, shape.ranks - rank), then: Then::Store },
        ]);
    }
    made
}

/// Returns the copy before the steps of an algorithm, if there is one.
fn copies(library: World, collective: Collective, algorithm: &str, shape: &Shape, rank: u32) -> Option<Step> {
    let Given::Copied(Copied { part, into }) = given(library, collective, algorithm, shape, rank) else { return None };
    let beside = Part::beside(part.offset, part.bytes);
    let (from, to) = if into { (beside, part) } else { (part, beside) };
    (part.bytes > 0).then_some(Step::Local { from, to, then: Then::Store })
}

/// Returns a step of an algorithm as a library makes it: MPICH's scattered alltoall sends a rank's own block like any
/// other.
fn as_made(library: World, collective: Collective, algorithm: &str, rank: u32, step: Step) -> Step {
    match (library.kin(), collective, algorithm, step) {
        (Some(Kin::Mpich), Collective::Alltoall, "linear-sync", Step::Local { from, to, then }) => {
            Step::Exchange { to: rank, sent: from, from: rank, received: to, then }
        }
        (_, _, _, step) => step,
    }
}

/// Returns the memory that the call sends from and receives into, with the memory beside the buffer.
pub fn footprint(library: World, collective: Collective, algorithm: &str, shape: &Shape, rank: u32) -> Footprint {
    let mut footprint = Footprint::own(collective, shape, rank);
    let beside = |offset, bytes| vec![ByteRun { place: MemoryRegion::Beside, offset, bytes }];
    match given(library, collective, algorithm, shape, rank) {
        Given::AsItIs => {}
        Given::Copied(Copied { part, into: true }) => footprint.sent = beside(part.offset, part.bytes),
        Given::Copied(Copied { part, into: false }) => footprint.received = beside(part.offset, part.bytes),
        Given::Combined => footprint.sent = beside(0, collective.area_bytes(shape)),
    }
    footprint
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn bytes(library: World, collective: Collective, algorithm: &str, rank: u32) -> u64 {
        let shape = Shape::new(4, 1, 100);
        match copies(library, collective, algorithm, &shape, rank) {
            Some(Step::Local { from, to, then: Then::Store }) if from.bytes == to.bytes => to.bytes,
            None => 0,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn roots_copy_their_own_block_and_reductions_all_of_it() {
        for library in [World::OPENMPI, World::MPICH] {
            let of = |collective, algorithm| [0, 1].map(|rank| bytes(library, collective, algorithm, rank));
            assert_eq!(of(Collective::Bcast, "binomial"), [0, 0]);
            assert_eq!(of(Collective::Gather, "binomial"), [0, 100]);
            assert_eq!(of(Collective::Scatter, "linear"), [0, 100]);
            assert_eq!(of(Collective::Allgather, "ring"), [100, 100]);
            assert_eq!(of(Collective::Allreduce, "ring"), [100, 100]);
            assert_eq!(of(Collective::ReduceScatter, "recursive-halving"), [400, 400]);
        }
        assert_eq!([0, 1].map(|rank| bytes(World::OPENMPI, Collective::Reduce, "binomial", rank)), [0, 0]);
        assert_eq!([0, 1].map(|rank| bytes(World::MPICH, Collective::Reduce, "binomial", rank)), [100, 100]);
        assert_eq!(bytes(World::Threads, Collective::Allreduce, "ring", 0), 0);
    }

    #[test]
    fn mpich_sends_a_rank_its_own_block_of_a_scattered_alltoall() {
        let (from, to) = (Part::range(0, 8), Part::range(8, 8));
        let own = Step::Local { from, to, then: Then::Store };
        let made = |library| as_made(library, Collective::Alltoall, "linear-sync", 3, own);
        assert_eq!(made(World::OPENMPI), own);
        assert_eq!(made(World::MPICH), Step::Exchange { to: 3, sent: from, from: 3, received: to, then: Then::Store });
    }

    #[test]
    fn open_mpi_s_recursive_doubling_ends_in_the_result_on_every_rank() {
        let algorithm = Algorithm::find(Collective::Allreduce, "recursive-doubling").expect("known");
        for ranks in 2..=9 {
            let shape = Shape::new(ranks, 0, 64);
            for rank in 0..ranks {
                let steps = made(World::OPENMPI, algorithm, &shape, rank);
                let plain: Vec<Step> = algorithm.steps(&shape, rank).collect();
                let sent = |steps: &[Step]| {
                    steps.iter().filter_map(Step::sent).map(|(to, part)| (to, part.bytes)).collect::<Vec<_>>()
                };
                assert_eq!(sent(&steps), sent(&plain), "the same messages");
                let last = steps.iter().rev().find_map(|step| match *step {
                    Step::Local { to, .. } => Some(to),
                    Step::Receive { part, .. } => Some(part),
                    _ => None,
                });
                assert_eq!(last, Some(shape.whole()), "rank {rank} of {ranks}: {steps:?}");
            }
        }
    }

    #[test]
    fn open_mpi_s_two_ranks_send_what_they_were_given_and_copy_it_in_the_end() {
        let algorithm = Algorithm::find(Collective::Allgather, "two-proc").expect("known");
        let shape = Shape::new(2, 0, 64);
        let steps = made(World::OPENMPI, algorithm, &shape, 1);
        let (own, beside, other) = (Part::range(64, 64), Part::beside(64, 64), Part::range(0, 64));
        let exchange = Step::Exchange { to: 0, sent: beside, from: 0, received: other, then: Then::Store };
        assert_eq!(steps, [exchange, Step::Local { from: beside, to: own, then: Then::Store }]);
        let three = Shape::new(3, 0, 64);
        let ring = Algorithm::find(Collective::Allgather, "ring").expect("known");
        assert_eq!(made(World::OPENMPI, algorithm, &three, 1), made(World::OPENMPI, ring, &three, 1));
    }

    #[test]
    fn open_mpi_s_bruck_puts_every_block_in_its_place_within_the_result() {
        let algorithm = Algorithm::find(Collective::Allgather, "bruck").expect("known");
        for ranks in 2..=9 {
            let shape = Shape::new(ranks, 0, 1);
            let of = |rank| made(World::OPENMPI, algorithm, &shape, rank);
            let all: Vec<Vec<Step>> = (0..ranks).map(of).collect();
            // By byte: whose block a rank has there.
            let mut memory: Vec<BTreeMap<u64, u32>> =
                (0..ranks).map(|rank| BTreeMap::from([(Part::beside(u64::from(rank), 1).offset, rank)])).collect();
            let taken = |memory: &BTreeMap<u64, u32>, part: Part| -> Vec<u32> {
                (part.offset..part.offset + part.bytes).map(|at| memory[&at]).collect()
            };
            let put = |memory: &mut BTreeMap<u64, u32>, part: Part, blocks: Vec<u32>| {
                (part.offset..part.offset + part.bytes)
                    .zip(blocks)
                    .for_each(|(at, block)| _ = memory.insert(at, block));
            };
            for turn in 0..all.iter().map(Vec::len).max().unwrap_or(0) {
                let before = memory.clone();
                for (memory, steps) in memory.iter_mut().zip(&all) {
                    match steps.get(turn) {
                        Some(&Step::Local { from, to, .. }) => {
                            let blocks = taken(memory, from);
                            put(memory, to, blocks);
                        }
                        Some(&Step::Exchange { from, received, .. }) => {
                            let sent = match all[from as usize][turn] {
                                Step::Exchange { sent, .. } => sent,
                                other => panic!("{other:?} instead of an exchange"),
                            };
                            put(memory, received, taken(&before[from as usize], sent));
                        }
                        _ => {}
                    }
                }
            }
            for (rank, memory) in memory.iter().enumerate() {
                assert_eq!(
                    taken(memory, Part::range(0, shape.total())),
                    (0..ranks).collect::<Vec<_>>(),
                    "rank {rank} of {ranks}"
                );
            }
        }
    }

    #[test]
    fn what_a_library_sends_lies_beside_what_it_receives() {
        let shape = Shape::new(4, 1, 100);
        let of = |collective, rank| footprint(World::MPICH, collective, "binomial", &shape, rank);
        let beside = |offset, bytes| ByteRun { place: MemoryRegion::Beside, offset, bytes };
        assert_eq!(of(Collective::Reduce, 0).sent, [beside(0, 100)]);
        assert_eq!(of(Collective::Reduce, 0).received, []);
        assert_eq!(of(Collective::Gather, 1).sent, [beside(100, 100)]);
        assert_eq!(of(Collective::Scatter, 1).received, [beside(100, 100)]);
        assert_eq!(of(Collective::Bcast, 1), Footprint::own(Collective::Bcast, &shape, 1));
    }
}
