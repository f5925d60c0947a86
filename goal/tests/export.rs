//! Collectives as schedules finish when the same collectives finish on simulated ranks.

use models::collective::{ALGORITHMS, Shape};
use models::engine::Engine;
use models::network::{Hockney, LogGops, LogGp, Network, Rendezvous, SendRule};
use models::noise::Quiet;
use models::time::{PerByte, Span};
use parallax_goal::{Rules, run};
use parallax_goal::{export, text};
use programs::rank::Rank;
use sim::SimWorld;

/// g + B·G ≤ o: no send waits for its interface, so ranks never receive before they send.
fn networks() -> [Network; 4] {
    let hockney = Hockney { alpha: Span(5_003), beta: PerByte(0.7), send_rule: SendRule::Busy };
    let loggp = LogGp {
        latency: Span(2_501),
        overhead_send: Span(1_500),
        overhead_receive: Span(1_507),
        gap: Span(1_003),
        gap_per_byte: PerByte(3.3),
    };
    let eager = LogGops { overhead_per_byte: PerByte(4.1), ..loggp.into() };
    let waiting = LogGops { eager_limit: 20, rendezvous: Rendezvous::RoundTrip, ..eager };
    [Network::Hockney(hockney), Network::Loggp(loggp), Network::Loggops(eager), Network::Loggops(waiting)]
}

#[test]
fn every_algorithm_finishes_as_it_does_on_simulated_ranks() {
    for algorithm in ALGORITHMS {
        for ranks in (1..=17).filter(|&ranks| algorithm.ranks.include(ranks)) {
            for (root, bytes, calls) in [(0, 0, 1), (ranks - 1, 100, 3)] {
                let shape = Shape::new(ranks, root, bytes);
                let schedule = export(algorithm, &shape, calls).unwrap();
                for network in networks() {
                    let world = SimWorld::ideal(network, ranks);
                    let simulated = world.run(async |rank| {
                        for step in (0..calls).flat_map(|_| algorithm.steps(&shape, rank.id())) {
                            rank.step(&step).await;
                        }
                    });
                    let simulated = simulated.unwrap();
                    for engine in [Engine::Event, Engine::Auto] {
                        let scheduled = run(&schedule, &Rules::Network(network), &Quiet, engine).unwrap();
                        let name = format!("{} {}, {shape:?}, {network}", algorithm.collective, algorithm.name);
                        assert_eq!(scheduled.finish, simulated.finish, "{name}");
                        assert_eq!(scheduled.messages, simulated.messages, "{name}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_exported_is_read_back() {
    for algorithm in ALGORITHMS {
        let schedule = export(algorithm, &Shape::new(algorithm.ranks.at_most(7), 3, 9), 2).unwrap();
        let mut written = Vec::new();
        text::write(&schedule, &mut written).unwrap();
        let read = text::read("", &written).unwrap();
        assert_eq!((read.messages(), read.edges()), (schedule.messages(), schedule.edges()));
    }
}
