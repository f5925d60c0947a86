//! Every algorithm does what its operation demands, for P = 1…33 and every root.

use models::collective::{ALGORITHMS, Collective, Shape};
use models::schedule::Schedule;

#[test]
fn every_rank_learns_from_exactly_the_ranks_it_must() {
    for algorithm in ALGORITHMS {
        for ranks in 1..=33 {
            for root in 0..ranks {
                let shape = Shape::new(ranks, root, 1_000);
                let what = format!("{algorithm:?} on {ranks} ranks from root {root}");
                let schedule = Schedule::new(algorithm, &shape).unwrap_or_else(|error| panic!("{what}: {error}"));
                for (rank, known) in schedule.depends_on().iter().enumerate() {
                    let everybody = known.len() == ranks as usize;
                    let fits = match algorithm.collective {
                        Collective::Bcast | Collective::Scatter => known.contains(&root),
                        Collective::Reduce | Collective::Gather => rank as u32 != root || everybody,
                        Collective::Barrier
                        | Collective::Allreduce
                        | Collective::Allgather
                        | Collective::Alltoall
                        | Collective::ReduceScatter => everybody,
                        Collective::Scan => (0..=rank as u32).all(|earlier| known.contains(&earlier)),
                        Collective::Exscan => (0..rank as u32).all(|earlier| known.contains(&earlier)),
                    };
                    assert!(fits, "{what}: rank {rank} ends knowing only {known:?}");
                }
            }
        }
    }
}

#[test]
fn no_byte_is_sent_that_need_not_be() {
    for algorithm in ALGORITHMS {
        for ranks in 1..=33u64 {
            let shape = Shape::new(ranks as u32, (ranks / 2) as u32, 1_000);
            let schedule = Schedule::new(algorithm, &shape).unwrap();
            let rounds = u64::from(shape.log2_ceil());
            let (messages, bytes) = match (algorithm.collective, algorithm.name) {
                (Collective::Bcast | Collective::Reduce, _) => (ranks - 1, 1_000 * (ranks - 1)),
                (Collective::Barrier, "linear") => (2 * (ranks - 1), 0),
                (Collective::Barrier, "dissemination") => (rounds * ranks, 0),
                (collective, name) => panic!("say here how many messages {collective} {name} sends"),
            };
            assert_eq!((schedule.messages(), schedule.bytes()), (messages, bytes), "{algorithm:?} on {ranks} ranks");
        }
    }
}

#[test]
fn a_receiver_of_a_broadcast_gets_the_data_once_and_never_sends_before_it_has_it() {
    for algorithm in ALGORITHMS.iter().filter(|a| a.collective == Collective::Bcast) {
        for ranks in 1..=33 {
            let shape = Shape::new(ranks, ranks - 1, 8);
            for rank in (0..ranks).filter(|&rank| rank != shape.root) {
                let steps: Vec<_> = algorithm.steps(&shape, rank).collect();
                let receives = steps.iter().filter(|step| step.received().is_some()).count();
                assert_eq!(receives, 1, "{algorithm:?} on {ranks} ranks, rank {rank}: {steps:?}");
                assert!(steps[0].received().is_some(), "{algorithm:?} on {ranks} ranks, rank {rank}: {steps:?}");
            }
        }
    }
}
