//! One broadcast on simulated ranks, and when each of them leaves it, in ps: what `parallax simulate` does with
//! `bcast --model loggops --set L=2us,o=300ns,g=500ns,G=0.1ns/B --per-rank`.
//!
//! `cargo run -p parallax-examples --bin simulate_broadcast -- [ALGORITHM [RANKS [BYTES]]]`

use anyhow::{Context, Error};
use parallax_models::collective::{Algorithm, Collective, Shape};
use parallax_models::engine::Engine;
use parallax_models::network;
use parallax_models::noise::Noise;
use parallax_models::platform::Platform;
use parallax_models::time::Span;
use parallax_sim::{Entry, Simulation};

/// What messages cost: latency, overhead of a call, gap between messages, gap per byte.
const PARAMETERS: &str = "L=2us,o=300ns,g=500ns,G=0.1ns/B";

fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let algorithm = words.next().unwrap_or("binomial".to_owned());
    let ranks = words.next().map_or(Ok(8), |word| word.parse()).context("RANKS: expected a number")?;
    let bytes = words.next().map_or(Ok(1000), |word| word.parse()).context("BYTES: expected a number")?;

    let algorithm = Algorithm::find(Collective::Bcast, &algorithm).map_err(Error::msg)?;
    let shape = Shape::new(ranks, 0, bytes);
    algorithm.accepts(&shape).map_err(Error::msg)?;
    let network = network::parse("loggops", Some(PARAMETERS), None).map_err(Error::msg)?;
    let simulation = Simulation {
        algorithm,
        shape,
        platform: Platform::plain(network),
        noise: Noise::none(),
        entry: Entry::Together,
        repeat: 1,
        compute: Span::ZERO,
        buffer: None,
    };
    let outcome = simulation.run(Engine::Auto)?;
    println!("rank\tfinish_ps");
    for (rank, finish) in outcome.finish.to_vec().iter().enumerate() {
        println!("{rank}\t{}", finish.0);
    }
    Ok(())
}
