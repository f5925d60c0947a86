//! Simulated ranks work in the order of their program: so the last finish is convex in each parameter of the network, and its
//! straight pieces, found by few runs, hold at every value.

use models::collective::{ALGORITHMS, Shape};
use models::engine::Engine;
use models::network::{Network, parse};
use models::noise::Noise;
use models::piecewise::Pieces;
use models::platform::Buffer;
use models::time::Span;
use parallax_sim::{Entry, Simulation};

fn networks() -> Vec<Network> {
    let loggops = "L=30ps,o=9ps,g=23ps,G=1ps/B,O=2ps/B";
    let eager = parse("loggops", Some(&format!("{loggops},S=none")), None).unwrap();
    let waiting = parse("loggops", Some(&format!("{loggops},S=16B,rendezvous=round-trip")), None).unwrap();
    let rules = ["busy", "synchronous", "detached", "eager"];
    let hockney = rules.map(|rule| parse("hockney", Some("alpha=30ps,beta=2ps/B"), Some(rule)).unwrap());
    let plogp = parse("plogp", Some("L=40ps,os=0:9ps/99:30ps,or=0:7ps/99:40ps,g=0:20ps/99:60ps"), None).unwrap();
    [eager, waiting].into_iter().chain(hockney).chain([plogp]).collect()
}

#[test]
fn pieces_of_every_algorithm_are_those_of_all_runs() {
    for algorithm in ALGORITHMS {
        for (nth, ranks) in (0..).zip([2, 5, 8]) {
            let ranks = algorithm.ranks.at_most(ranks);
            let shape = Shape::new(ranks, ranks - 1, 33);
            for (at, network) in networks().into_iter().enumerate() {
                // Each number of ranks under some of the networks.
                if at % 3 != nth {
                    continue;
                }
                for variable in network.variable() {
                    let finish = |value| {
                        let platform = network.with(variable.name, value).unwrap().into();
                        let (noise, entry, buffer) = (Noise::none(), Entry::Together, Some(Buffer::Touched));
                        let simulation = Simulation {
                            algorithm,
                            shape,
                            platform,
                            noise,
                            entry,
                            repeat: 2,
                            compute: Span::ZERO,
                            buffer,
                        };
                        simulation.run(Engine::Auto).map(|outcome| outcome.finish.range().1.0)
                    };
                    let found = Pieces::find(0..=60, true, finish).unwrap();
                    for value in 0..=60 {
                        let line = found.piece_at(value).unwrap().at(value);
                        let name = format!("{} {}, {ranks} ranks, {network}", algorithm.collective, algorithm.name);
                        assert_eq!(line, i128::from(finish(value).unwrap()), "{name}, {} = {value} ps", variable.name);
                    }
                    let slopes: Vec<i64> = found.pieces.iter().map(|piece| piece.slope).collect();
                    assert!(slopes.is_sorted(), "{slopes:?}");
                }
            }
        }
    }
}
