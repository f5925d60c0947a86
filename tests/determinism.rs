//! The same scenario and seed give the same bytes.

mod common;

use common::order;
use models::clock::ClockSpread;
use models::collective::Collective;
use models::network::{LogGp, Network};
use models::time::{PerByte, Span};
use programs::method::Method;
use sim::Predictor;

fn predictor(seed: u64) -> Predictor {
    let network = Network::Loggp(LogGp {
        latency: Span::from_us(2),
        overhead_send: Span::from_ns(700),
        overhead_receive: Span::from_ns(900),
        gap: Span::from_us(1),
        gap_per_byte: PerByte::from_ns(0.04),
    });
    let clocks = ClockSpread {
        largest_offset: Span::from_ms(3),
        largest_skew_ppm: 30.0,
        granularity: Span::from_ns(10),
        read_cost: Span::from_ns(20),
        ..ClockSpread::default()
    };
    Predictor { clocks, seed, ..Predictor::perfect(network) }
}

fn all_bytes(seed: u64) -> String {
    let orders = Method::ALL.map(|method| order(Collective::Bcast, "binomial", 13, 300, method));
    orders.map(|order| serde_json::to_string(&predictor(seed).predict(&order).unwrap().ranks).unwrap()).concat()
}

#[test]
fn a_seed_decides_every_byte() {
    assert_eq!(all_bytes(7), all_bytes(7));
    assert_ne!(all_bytes(7), all_bytes(8), "the seed must matter: it draws the clocks");
}

#[test]
fn any_thread_yields_the_same_bytes() {
    let here = all_bytes(3);
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(|| all_bytes(3))).collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap(), here);
    }
}
