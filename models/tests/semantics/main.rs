//! Every algorithm does what its operation demands, for P = 1…33, every root, odd sizes and counts, without
//! deadlock under any protocol.

mod demand;
mod faults;
mod machine;

use parallax_models::collective::{ALGORITHMS, Algorithm, Collective, Counts, Shape};
use parallax_models::schedule::Schedule;

const RANKS: std::ops::RangeInclusive<u32> = 1..=33;
const BYTES: [u64; 4] = [0, 1, 3, 8];
const SEGMENTS: [u64; 3] = [0, 1, 3];
const FANOUTS: [u32; 4] = [0, 2, 3, 5];

/// Of all combinations of size, segment, fanout and counts those that number `nth` of every `of` is due to.
fn shapes(algorithm: &Algorithm, ranks: u32, root: u32, nth: usize, of: usize) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for bytes in BYTES {
        for segment_bytes in SEGMENTS {
            for fanout in FANOUTS {
                shapes.push(Shape { segment_bytes, fanout, ..Shape::new(ranks, root, bytes) });
            }
        }
    }
    if algorithm.uneven {
        for counts in uneven(ranks) {
            for fanout in FANOUTS {
                shapes.push(Shape { fanout, counts: Some(counts), ..Shape::new(ranks, root, 5) });
            }
        }
    }
    shapes.into_iter().skip(nth % of).step_by(of).collect()
}

/// Counts with zeros at the start, in between and at the end, one for only one rank, and none at all.
fn uneven(ranks: u32) -> Vec<Counts> {
    let of = |length: &dyn Fn(u64) -> u64| {
        Counts::new(&(0..u64::from(ranks)).map(length).collect::<Vec<_>>()).expect("small counts")
    };
    let last = u64::from(ranks) - 1;
    vec![of(&|i| i * 7 % 5), of(&|i| (i + 1) * 3 % 4), of(&|i| if i == last { 9 } else { 0 }), of(&|_| 0)]
}

fn check(algorithm: &Algorithm, shape: &Shape) {
    let outcome = machine::run(algorithm, shape)
        .and_then(|(before, after)| demand::check(algorithm.collective, shape, &before, &after));
    outcome.unwrap_or_else(|error| panic!("{algorithm:?}, {shape:?}: {error}"));
}

/// All combinations from root 0 in turn, a few from each other root.
fn check_all(collectives: &[Collective]) {
    for algorithm in ALGORITHMS.iter().filter(|a| collectives.contains(&a.collective)) {
        for ranks in RANKS.filter(|&ranks| algorithm.ranks.include(ranks)) {
            // The larger P, the fewer combinations; 5 and 7 share no factor with the number of any parameter's values.
            let of = if ranks <= 9 { 1 } else { 7 };
            for shape in shapes(algorithm, ranks, 0, ranks as usize, of) {
                check(algorithm, &shape);
            }
            let roots = if algorithm.collective.is_rooted() { ranks } else { 1 };
            for root in 1..roots {
                for shape in shapes(algorithm, ranks, root, (ranks + root) as usize, 35) {
                    check(algorithm, &shape);
                }
            }
        }
    }
}

#[test]
fn bcast_reduce_and_barrier_do_what_they_must() {
    check_all(&[Collective::Bcast, Collective::Reduce, Collective::Barrier]);
}

#[test]
fn gather_scatter_and_allgather_do_what_they_must() {
    check_all(&[Collective::Gather, Collective::Scatter, Collective::Allgather]);
}

#[test]
fn allreduce_and_reduce_scatter_do_what_they_must() {
    check_all(&[Collective::Allreduce, Collective::ReduceScatter]);
}

#[test]
fn alltoall_does_what_it_must() {
    check_all(&[Collective::Alltoall]);
}

#[test]
fn scan_and_exscan_do_what_they_must() {
    check_all(&[Collective::Scan, Collective::Exscan]);
}

#[test]
fn every_rank_learns_from_the_ranks_it_must() {
    for algorithm in ALGORITHMS {
        for ranks in RANKS.filter(|&ranks| algorithm.ranks.include(ranks)) {
            let shape = Shape::new(ranks, ranks / 2, 1_000);
            let what = format!("{algorithm:?} on {ranks} ranks from root {}", shape.root);
            let schedule = Schedule::new(algorithm, &shape).unwrap_or_else(|error| panic!("{what}: {error}"));
            for (rank, known) in schedule.depends_on().iter().enumerate() {
                let enough = demand::knows_enough(algorithm.collective, &shape, rank as u32, known);
                assert!(enough, "{what}: rank {rank} ends knowing only {known:?}");
            }
        }
    }
}

#[test]
fn shapes_that_cannot_be_asked_for_are_refused_with_a_cure() {
    let counts = |lengths: &[u64]| Some(Counts::new(lengths).expect("small counts"));
    let bruck = Algorithm::find(Collective::Alltoall, "bruck").unwrap();
    let even = Shape::new(2, 0, 8);
    assert_eq!(bruck.accepts(&even), Ok(()));
    let no_counts = bruck.accepts(&Shape { counts: counts(&[1, 2]), ..even }).unwrap_err();
    let ring = Algorithm::find(Collective::Allgather, "ring").unwrap();
    assert_eq!(ring.accepts(&Shape { counts: counts(&[1, 2]), ..even }), Ok(()));
    let too_many = ring.accepts(&Shape { counts: counts(&[1, 2, 3]), ..even }).unwrap_err();
    let no_root = ring.accepts(&Shape::new(2, 2, 8)).unwrap_err();
    let bine = Algorithm::find(Collective::Bcast, "bine").unwrap();
    assert_eq!(bine.accepts(&Shape::new(8, 7, 8)), Ok(()));
    let no_power = bine.accepts(&Shape::new(6, 0, 8)).unwrap_err();
    let blocks = Algorithm::find(Collective::Allgather, "bine-blocks").unwrap();
    assert_eq!(blocks.accepts(&Shape::new(6, 0, 8)), Ok(()));
    let odd = blocks.accepts(&Shape::new(7, 0, 8)).unwrap_err();
    insta::assert_snapshot!([no_counts, too_many, no_root, no_power, odd].join("\n"));
}

#[test]
fn a_billion_ranks_and_buffers_of_exbibytes_overflow_nothing() {
    for algorithm in ALGORITHMS {
        for (ranks, bytes) in [(5, 1 << 62), (33, 1 << 62), (1 << 30, 8), (1 << 30, 1 << 62)] {
            for (segment_bytes, fanout) in [(0, 0), (1, u32::MAX), (u64::MAX, 3)] {
                let ranks = algorithm.ranks.at_most(ranks);
                let shape = Shape { segment_bytes, fanout, ..Shape::new(ranks, 0, bytes) };
                let _ = (algorithm.cost)(&shape);
                let rounds = (algorithm.rounds)(&shape);
                for index in [0, 1, 2, rounds / 2, rounds.saturating_sub(1)].into_iter().filter(|index| *index < rounds)
                {
                    let round = (algorithm.round)(&shape, index);
                    let steps = round.steps(&shape, algorithm.places, 1).take(5);
                    assert!(steps.filter_map(|step| step.sent()).all(|(to, _)| to < ranks), "{algorithm:?} {shape:?}");
                }
            }
        }
    }
}
