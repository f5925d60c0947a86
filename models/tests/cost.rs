//! What the table says an algorithm costs is what its schedule costs: P = 1 … 33, roots, sizes, segments, fanouts, counts.

use parallax_models::collective::{ALGORITHMS, Algorithm, Cost, Counts, Shape};
use parallax_models::schedule::Schedule;

fn agree(algorithm: &Algorithm, shape: &Shape) {
    let schedule = Schedule::new(algorithm, shape).unwrap_or_else(|error| panic!("{algorithm:?} {shape:?}: {error}"));
    let drawn = Cost::new(schedule.messages(), schedule.bytes(), schedule.critical());
    assert_eq!((algorithm.cost)(shape), drawn, "{algorithm:?} {shape:?}");
}

#[test]
fn the_cost_is_that_of_the_schedule() {
    for algorithm in ALGORITHMS {
        for ranks in (1..=33u32).filter(|&ranks| algorithm.ranks.include(ranks)) {
            let last = ranks - 1;
            let mut nth = 0;
            let roots = if algorithm.collective.is_rooted() { vec![0, last / 2, last] } else { vec![0] };
            for root in roots {
                for (bytes, segment_bytes) in [(1, 0), (37, 5), (64, 64), (1_001, 300)] {
                    for fanout in [0, 2, 3, 5, 40] {
                        // The larger P, the fewer combinations; all are due to some P.
                        nth += 1;
                        if ranks <= 9 || nth % 7 == ranks % 7 {
                            agree(algorithm, &Shape { segment_bytes, fanout, ..Shape::new(ranks, root, bytes) });
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn the_cost_of_uneven_blocks_is_that_of_the_schedule() {
    for algorithm in ALGORITHMS.iter().filter(|algorithm| algorithm.uneven) {
        for ranks in (1..=33u32).filter(|&ranks| algorithm.ranks.include(ranks)) {
            let lengths: Vec<u64> = (0..ranks).map(|i| u64::from(i * 7 % 5) * 11).collect();
            let counts = Some(Counts::new(&lengths).unwrap());
            for (root, segment_bytes) in [(0, 0), (ranks - 1, 0), (ranks / 2, 20)] {
                let root = if algorithm.collective.is_rooted() { root } else { 0 };
                agree(algorithm, &Shape { segment_bytes, counts, ..Shape::new(ranks, root, 0) });
            }
        }
    }
}

#[test]
fn a_billion_ranks_cost_an_instant_to_price() {
    for algorithm in ALGORITHMS {
        let cost = (algorithm.cost)(&Shape::new(1 << 30, 0, 1 << 40));
        assert!(cost.messages >= (1 << 30) - 1, "{algorithm:?}: {cost:?}");
        assert!((1..=2 << 30).contains(&cost.critical), "{algorithm:?}: {cost:?}");
    }
}
