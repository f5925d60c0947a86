//! Shared by the tests: orders with small settings, perfect machines, random parameters.
#![allow(dead_code)] // each test file uses its own part

pub mod answers;
pub mod chromium;
pub mod command;
pub mod lessons;
pub mod place;
pub mod published;
pub mod releases;
pub mod said;
pub mod table;

use models::call::Call;
use models::collective::{Collective, Shape};
use models::network::{LogGp, Network};
use models::time::{PerByte, Span};
use programs::method::{Factors, Method, MethodSettings, Order, RoundTimeSettings, Subject, WindowSettings};
use programs::observation::{Implementation, times_per_call};
use programs::sync::Sync;
use proptest::prelude::*;
use sim::Predictor;

/// An order for one of our algorithms from root 0, with four calls and three samples.
pub fn order(collective: Collective, algorithm: &str, ranks: u32, bytes: u64, method: Method) -> Order {
    Order {
        subject: Subject::Collective(collective, Implementation::Own(algorithm.to_owned())),
        shape: Shape::new(ranks, 0, bytes),
        call: Call::default(),
        copies_as: None,
        environment: Default::default(),
        settings: settings(method),
    }
}

pub fn settings(method: Method) -> MethodSettings {
    MethodSettings {
        method,
        calls: 4,
        samples: 3,
        warmup: 1,
        barrier: Implementation::Own("dissemination".to_owned()),
        sync: Sync::Linear,
        window: WindowSettings::default(),
        round_time: RoundTimeSettings::default(),
        factors: Factors::default(),
    }
}

/// A machine with this network and perfect clocks.
pub fn perfect(network: Network) -> Predictor {
    Predictor::perfect(network)
}

/// For each rank the truth and what the method reports per call, on a perfect machine.
pub fn measure(
    network: Network,
    collective: Collective,
    algorithm: &str,
    ranks: u32,
    method: Method,
) -> Vec<(Span, Vec<Span>)> {
    let prediction = perfect(network).predict(&order(collective, algorithm, ranks, 64, method)).unwrap();
    let times = (0..prediction.ranks.len())
        .map(|rank| times_per_call(&prediction.ranks, rank).into_iter().map(|(_, time)| time).collect());
    prediction.truth.into_iter().zip(times).collect()
}

/// LogGP parameters with g ≤ L + 2o, so that back-to-back rounds are not held up by the gap.
pub fn random_loggp() -> impl Strategy<Value = LogGp> {
    (1u64..10_000_000, 0u64..3_000_000, 0u64..3_000_000, 0.0..1.0f64, 0.0..100.0f64).prop_map(
        |(l, os, or, share, rate)| {
            let round_ps = (l + os + or) as f64;
            LogGp {
                latency: Span(l),
                overhead_send: Span(os),
                overhead_receive: Span(or),
                gap: Span((round_ps * share) as u64),
                gap_per_byte: PerByte(rate),
            }
        },
    )
}
