//! Clock synchronisation behind clocks that are seconds apart, drift, wander and count in steps, over networks that are
//! uneven and shaky, on CPUs that are taken away: the bound always contains the truth.

use models::clock::ClockSpread;
use models::clock::{Basis, ClockModel, Jump};
use models::network::{Hockney, Network, SendRule};
use models::noise::Noise;
use models::time::{PerByte, Span, Time};
use parallax_sim::SimWorld;
use parallax_sim::sync::{Delays, Synchronised, synchronise, synchronise_sharing};
use programs::sync::Sync;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

/// `PROPTEST_CASES` scales this as it does property tests, whose default is 256.
fn tries() -> u64 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(64)
}

fn world(clocks: ClockSpread, ranks: u32, noise: &[&str], seed: u64) -> SimWorld {
    let network =
        Network::Hockney(Hockney { alpha: Span::from_us(2), beta: PerByte::from_ns(0.1), send_rule: SendRule::Eager });
    let sources: Vec<String> = noise.iter().map(|&source| source.to_owned()).collect();
    SimWorld {
        clocks: (0..ranks).map(|rank| clocks.sample_clock(seed, rank)).collect(),
        noise: Noise::parse_with(&sources, seed, &|_| Err("no traces here".to_owned())).unwrap(),
        ..SimWorld::ideal(network, ranks)
    }
}

/// Everything wrong at once, differently in every try.
fn adverse(seed: u64) -> (SimWorld, Delays) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut one_of = |values: &[u64]| values[random.random_range(0..values.len())];
    let clocks = ClockSpread {
        largest_offset: Span::from_ms(5_000),
        largest_skew_ppm: one_of(&[0, 5, 45]) as f64,
        largest_walk_ppm: one_of(&[0, 1, 3]) as f64,
        granularity: Span(one_of(&[0, 400, 25_000, 1_000_000])),
        read_cost: Span::from_ns(one_of(&[0, 25, 800])),
        ..ClockSpread::default()
    };
    let noise: &[&[&str]] = &[&[], &["exponential:mean=30us,rate=2000Hz"], &["fixed:duration=2ms,rate=50Hz"]];
    let noise = noise[one_of(&[0, 1, 2]) as usize];
    let delays = Delays {
        asymmetry: Span::from_ns(one_of(&[0, 300, 20_000])),
        jitter: Span::from_ns(one_of(&[0, 100, 5_000])),
        seed,
    };
    let mut world = world(clocks, one_of(&[2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16]) as u32, noise, seed);
    let latest = one_of(&[0, 50, 3_000]);
    world.entries = (0..world.clocks.len()).map(|_| Time(random.random_range(0..=latest * 1_000_000))).collect();
    (world, delays)
}

#[test]
fn the_bound_contains_the_truth_whatever_goes_wrong() {
    for sync in Sync::ALL {
        let failed: Vec<String> = (0..tries())
            .into_par_iter()
            .flat_map_iter(|seed| {
                let (world, delays) = adverse(seed);
                let ranks = synchronise(&world, sync, &delays).unwrap();
                assert_eq!((ranks[0].error_ps, ranks[0].clock.bound), (0, Span::ZERO), "rank 0 is the reference");
                let bad = |(rank, all): (usize, Synchronised)| {
                    let fine = all.is_contained() && all.clock.basis == Basis::Measured;
                    (!fine).then(|| format!("{sync}, seed {seed}, rank {rank} of {}: {all:?}", world.clocks.len()))
                };
                ranks.into_iter().enumerate().filter_map(bad).collect::<Vec<_>>()
            })
            .collect();
        assert!(failed.is_empty(), "{} of {} tries, for example {}", failed.len(), tries(), failed[0]);
    }
}

#[test]
fn on_an_even_network_the_error_is_a_small_part_of_the_bound_and_the_bound_of_a_round_trip() {
    let clocks = ClockSpread {
        largest_offset: Span::from_ms(5_000),
        largest_skew_ppm: 20.0,
        read_cost: Span::from_ns(20),
        ..ClockSpread::default()
    };
    for sync in Sync::ALL {
        for ranks in [2, 3, 8, 13] {
            let world = world(clocks, ranks, &[], 3);
            let all = synchronise(&world, sync, &Delays::default()).unwrap();
            // A round trip takes 4 µs and two reads; limits of neighbours add up along the path, and grow old by 100 ppm.
            let hops = match sync {
                Sync::Linear | Sync::Skampi | Sync::Jk => 1,
                Sync::Tree | Sync::Hca3 | Sync::Hca3o => u64::from(ranks.ilog2()) + 1,
                Sync::Ring => u64::from(ranks / 2) + 1,
            };
            for (rank, one) in all.iter().enumerate().skip(1) {
                let old = Span(one.took.0 / 10_000);
                let most = Span::from_ns(2_100) * hops + old * hops;
                assert!(one.clock.bound <= most, "{sync}, rank {rank} of {ranks}: {} > {most}", one.clock.bound);
                // 20 ppm against 20 ppm over the duration, and one read.
                let error = Span(one.error_ps.unsigned_abs());
                let allowed = Span(one.took.0 / 25_000) + Span::from_ns(40) * hops;
                assert!(error <= allowed, "{sync}, rank {rank} of {ranks}: off by {error}, allowed {allowed}");
            }
        }
    }
}

#[test]
fn drift_is_fitted_where_it_pays_and_only_there() {
    for sync in [Sync::Jk, Sync::Hca3] {
        let spread =
            |ppm| ClockSpread { largest_skew_ppm: ppm, largest_offset: Span::from_ms(900), ..ClockSpread::default() };
        let shaky = Delays { jitter: Span::from_ns(200), ..Delays::default() };
        let fitted = |ppm: f64, seed: u64| {
            let world = world(spread(ppm), 5, &[], seed);
            let all = synchronise(&world, sync, &Delays { seed, ..shaky }).unwrap();
            let later = |one: &Synchronised, clock: &ClockModel| {
                let at = one.at + Span::from_ms(10_000);
                let seen = one.clock.global(Time(clock.reading(at).0));
                (seen.0 as i64 - world.clocks[0].reading(at).0 as i64).unsigned_abs()
            };
            let others = all.iter().zip(&world.clocks).skip(1);
            others.map(|(one, clock)| (one.clock.drift.is_some(), Span(later(one, clock)))).collect::<Vec<_>>()
        };
        let still: Vec<(bool, Span)> = (0..20).flat_map(|seed| fitted(0.0, seed)).collect();
        let wrong = still.iter().filter(|(fitted, _)| *fitted).count();
        assert!(wrong * 20 <= still.len(), "{sync}: {wrong} of {} clocks without drift were given one", still.len());
        let worst = still.iter().map(|&(_, error)| error).max().unwrap();
        assert!(worst < Span::from_us(60), "{sync}: {worst} after 10 s");
        let drifting: Vec<(bool, Span)> = (0..20).flat_map(|seed| fitted(40.0, seed)).collect();
        let mut errors: Vec<Span> = drifting.iter().map(|&(_, error)| error).collect();
        errors.sort_unstable();
        // Without a fit 40 ppm against 40 ppm would be up to 800 µs apart after 10 s.
        let median = errors[errors.len() / 2];
        assert!(median < Span::from_us(40), "{sync}: {median} after 10 s");
    }
}

#[test]
fn a_clock_that_jumps_while_it_is_synchronised_is_not_trusted() {
    for sync in Sync::ALL {
        let spread = ClockSpread { largest_offset: Span::from_ms(900), ..ClockSpread::default() };
        let mut world = world(spread, 4, &[], 5);
        let whole = synchronise(&world, sync, &Delays::default()).unwrap()[3].took;
        world.clocks[3].jumps = vec![Jump { at: Time(whole.0 - Span::from_us(50).0), step_ps: 300_000_000 }];
        let all = synchronise(&world, sync, &Delays::default()).unwrap();
        let seen = all.iter().any(|one| one.clock.basis == Basis::Contradicted);
        assert!(seen, "{sync}: a jump of 300 µs went unnoticed: {all:?}");
    }
}

/// Three nodes of two ranks, which take turns in the numbering.
const NODES: [u64; 6] = [7, 3, 9, 7, 3, 9];

#[test]
fn ranks_of_a_node_take_over_what_one_of_them_has_learned() {
    for sync in Sync::ALL {
        for seed in 0..10 {
            let (mut world, delays) = adverse(seed);
            let nodes: Vec<ClockModel> = (0..3).map(|node| world.clocks[node % world.clocks.len()].clone()).collect();
            world.clocks = (0..6).map(|rank| nodes[rank % 3].clone()).collect();
            world.entries.clear();
            let all = synchronise_sharing(&world, sync, &delays, &NODES).unwrap();
            for (rank, one) in all.iter().enumerate() {
                assert!(one.is_contained(), "{sync}, seed {seed}, rank {rank}: {one:?}");
                let expected = if rank < 3 { Basis::Measured } else { Basis::Shared };
                assert_eq!(one.clock.basis, expected, "{sync}, seed {seed}, rank {rank}: {one:?}");
            }
            assert_eq!(all[3].clock.offset_ps, 0, "rank 3 reads rank 0's clock");
        }
    }
}

#[test]
fn a_rank_that_does_not_share_the_clock_it_claims_is_found_out_and_measured() {
    for sync in Sync::ALL {
        let spread = ClockSpread { largest_offset: Span::from_ms(900), ..ClockSpread::default() };
        let world = world(spread, 6, &[], 8);
        let all = synchronise_sharing(&world, sync, &Delays::default(), &NODES).unwrap();
        for (rank, one) in all.iter().enumerate() {
            let expected = if rank < 3 { Basis::Measured } else { Basis::Contradicted };
            assert_eq!(one.clock.basis, expected, "{sync}, rank {rank}: {one:?}");
            assert!(one.is_contained(), "{sync}, rank {rank}: without drift the measured offset is right: {one:?}");
        }
    }
}

#[test]
fn rates_further_apart_than_assumed_are_noticed() {
    for sync in Sync::ALL {
        let mut world = world(ClockSpread::default(), 3, &[], 2);
        world.clocks[1].skew_ppm = 100_000.0;
        let all = synchronise(&world, sync, &Delays::default()).unwrap();
        assert!(all.iter().any(|one| one.clock.basis == Basis::Contradicted), "{sync}: {all:?}");
    }
}

#[test]
fn a_world_of_one_rank_has_nothing_to_do() {
    for sync in Sync::ALL {
        let world = world(ClockSpread::default(), 1, &[], 1);
        let all = synchronise(&world, sync, &Delays::default()).unwrap();
        assert_eq!((all.len(), all[0].error_ps, all[0].clock.bound), (1, 0, Span::ZERO), "{sync}");
    }
}
