//! A library's barrier whose times are known is a max-plus linear map of entries to exits.

use models::collective::{Collective, Shape};
use models::network::Network;
use models::platform::Platform;
use models::time::Span;
use parallax_sim::SimWorld;
use programs::rank::Rank;
use proptest::prelude::*;

/// When each rank leaves a barrier of these times that it enters after so many ns, in ns; twice in a row.
fn exits(times: &[u64], entries: &[u64]) -> Vec<[u64; 2]> {
    let ranks = entries.len() as u32;
    let network = Network::parse("loggp", None, None).expect("a network");
    let text = times.iter().map(|ns| format!("{ns}ns")).collect::<Vec<_>>().join("/");
    let platform =
        Platform::parse(network, &format!("barrier={text}"), |file| Err(file.to_owned())).expect("a platform");
    let world = SimWorld { network: platform, ..SimWorld::ideal(network, ranks) };
    let run = world.run(async |rank| {
        rank.compute(Span::from_ns(entries[rank.id() as usize])).await;
        let shape = Shape::new(ranks, 0, 0);
        let mut left = [0; 2];
        for exit in &mut left {
            rank.library(Collective::Barrier, &shape).await;
            *exit = rank.true_time().0 / 1_000;
        }
        left
    });
    run.expect("no deadlock").results
}

proptest! {
    #[test]
    fn ranks_leave_when_the_last_entry_lets_them(
        (times, entries) in (2usize..=5).prop_flat_map(|ranks| {
            (prop::collection::vec(0u64..500, ranks * ranks), prop::collection::vec(0u64..1_000, ranks))
        })
    ) {
        let ranks = entries.len();
        let through = |entries: &[u64]| -> Vec<u64> {
            (0..ranks).map(|exit| (0..ranks).map(|entry| entries[entry] + times[entry * ranks + exit]).max().unwrap()).collect()
        };
        let once = through(&entries);
        let twice = through(&once);
        let expected: Vec<[u64; 2]> = once.into_iter().zip(twice).map(|(a, b)| [a, b]).collect();
        prop_assert_eq!(exits(&times, &entries), expected);
    }
}
