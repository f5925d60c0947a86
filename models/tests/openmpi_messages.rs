//! Rabenseifner's algorithms of Open MPI: on a power of two of ranks they are MPICH's, on others they send what Open MPI 4.1.4 sent.

use parallax_models::collective::{Algorithm, Collective, Cost, Shape, Step};
use parallax_models::schedule::Schedule;
use std::collections::BTreeMap;

fn halves(collective: Collective) -> &'static Algorithm {
    Algorithm::find(collective, "rabenseifner-halves").unwrap()
}

/// Bytes and messages that go from one rank to another.
fn between(algorithm: &Algorithm, shape: &Shape) -> BTreeMap<(u32, u32), (u64, u64)> {
    let mut sums = BTreeMap::new();
    for rank in 0..shape.ranks {
        for step in algorithm.steps(shape, rank) {
            if let Step::Send { to, part } | Step::Exchange { to, sent: part, .. } = step {
                let (bytes, messages) = sums.entry((rank, to)).or_insert((0, 0));
                (*bytes, *messages) = (*bytes + part.bytes, *messages + 1);
            }
        }
    }
    sums
}

/// From, to, bytes, messages, in order.
type Counted = &'static [(u32, u32, u64, u64)];

/// Counted by Open MPI's `pml_monitoring` in one call with 1 024 int32, `coll_tuned_allreduce_algorithm` 6, `coll_tuned_reduce_algorithm` 7.
const SENT: [(Collective, u32, u32, Counted); 4] = [
    (
        Collective::Allreduce,
        6,
        0,
        &[
            (0, 1, 6_144, 2),
            (0, 2, 4_096, 2),
            (0, 4, 2_048, 2),
            (1, 0, 4_096, 2),
            (2, 0, 4_096, 2),
            (2, 3, 6_144, 2),
            (2, 5, 2_048, 2),
            (3, 2, 4_096, 2),
            (4, 0, 2_048, 2),
            (4, 5, 4_096, 2),
            (5, 2, 2_048, 2),
            (5, 4, 4_096, 2),
        ],
    ),
    (
        Collective::Allreduce,
        7,
        0,
        &[
            (0, 1, 6_144, 2),
            (0, 2, 4_096, 2),
            (0, 4, 2_048, 2),
            (1, 0, 4_096, 2),
            (2, 0, 4_096, 2),
            (2, 3, 6_144, 2),
            (2, 6, 2_048, 2),
            (3, 2, 4_096, 2),
            (4, 0, 2_048, 2),
            (4, 5, 6_144, 2),
            (4, 6, 4_096, 2),
            (5, 4, 4_096, 2),
            (6, 2, 2_048, 2),
            (6, 4, 4_096, 2),
        ],
    ),
    (
        Collective::Reduce,
        6,
        1,
        &[
            (0, 1, 3_072, 2),
            (0, 2, 2_048, 1),
            (0, 4, 1_024, 1),
            (1, 0, 4_096, 2),
            (2, 0, 2_048, 1),
            (2, 1, 2_048, 1),
            (2, 3, 2_048, 1),
            (2, 5, 1_024, 1),
            (3, 2, 4_096, 2),
            (4, 0, 1_024, 1),
            (4, 1, 1_024, 1),
            (4, 5, 2_048, 1),
            (5, 2, 2_048, 2),
            (5, 4, 2_048, 1),
        ],
    ),
    (
        Collective::Reduce,
        7,
        3,
        &[
            (0, 1, 2_048, 1),
            (0, 2, 2_048, 1),
            (0, 3, 1_024, 1),
            (0, 4, 1_024, 1),
            (1, 0, 4_096, 2),
            (2, 0, 2_048, 1),
            (2, 3, 4_096, 2),
            (2, 6, 1_024, 1),
            (3, 2, 4_096, 2),
            (4, 0, 1_024, 1),
            (4, 3, 1_024, 1),
            (4, 5, 2_048, 1),
            (4, 6, 2_048, 1),
            (5, 4, 4_096, 2),
            (6, 2, 2_048, 2),
            (6, 4, 2_048, 1),
        ],
    ),
];

#[test]
fn on_other_numbers_of_ranks_than_powers_of_two_each_pair_exchanges_what_open_mpi_sent() {
    for (collective, ranks, root, sent) in SENT {
        let ours = between(halves(collective), &Shape::new(ranks, root, 4_096));
        let ours: Vec<_> =
            ours.into_iter().map(|((from, to), (bytes, messages))| (from, to, bytes, messages)).collect();
        assert_eq!(ours, sent, "{collective} on {ranks} from {root}");
    }
}

#[test]
fn on_powers_of_two_they_are_mpich_s_step_by_step() {
    for collective in [Collective::Allreduce, Collective::Reduce] {
        let whole = Algorithm::find(collective, "rabenseifner").unwrap();
        for ranks in (0..8).map(|power| 1 << power) {
            for bytes in [0, 1, 37, 4_096] {
                let shape = Shape::new(ranks, 0, bytes);
                for rank in 0..ranks {
                    assert!(
                        halves(collective).steps(&shape, rank).eq(whole.steps(&shape, rank)),
                        "{collective} {shape:?}"
                    );
                }
            }
        }
        let shape = Shape::new(6, 0, 4_096);
        assert_ne!(between(halves(collective), &shape), between(whole, &shape), "{collective}");
    }
}

#[test]
fn the_cost_of_a_reduction_is_that_of_its_schedule_for_every_root() {
    for ranks in 1..=20 {
        for (root, bytes) in (0..ranks).flat_map(|root| [1, 37, 1_001].map(|bytes| (root, bytes))) {
            let shape = Shape::new(ranks, root, bytes);
            let schedule = Schedule::new(halves(Collective::Reduce), &shape).unwrap();
            let drawn = Cost::new(schedule.messages(), schedule.bytes(), schedule.critical());
            assert_eq!((halves(Collective::Reduce).cost)(&shape), drawn, "{shape:?}");
        }
    }
}
