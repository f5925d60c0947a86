//! Calibrating simulated ranks returns the parameters that they were given.

mod leaving;
mod loggops;
mod one_clock;
mod plogp;
mod round_trips;
mod touching;
mod whole;

use calibration::fit::ToFit;
use models::network::{LogGops, Network, Rendezvous, SendRule};
use models::noise::Noise;
use models::time::{PerByte, Span};
use programs::calibration::{CalibrationSettings, Sample};
use programs::machine::{Estimate, Machine, Provenance};
use sim::SimWorld;

/// What ranks 0 and 1 of this machine exchange.
fn samples(network: Network, noise: &[&str], seed: u64, settings: &CalibrationSettings) -> Vec<Sample> {
    let sources: Vec<String> = noise.iter().map(|source| (*source).to_owned()).collect();
    let noise = Noise::parse(&sources, seed).expect("sources of noise");
    let world = SimWorld { noise, ..SimWorld::ideal(network, 3) };
    world.run(async |rank| settings.run(&rank).await).expect("no deadlock").results.swap_remove(0).expect("samples")
}

/// The machine that a calibration makes of its ranks.
fn calibrated(network: Network, send_rule: SendRule, settings: &CalibrationSettings) -> Machine {
    fitted(send_rule, &samples(network, &[], 1, settings))
}

fn fitted(send_rule: SendRule, samples: &[Sample]) -> Machine {
    fitted_by("simulated ranks", send_rule, samples)
}

/// The same of ranks that say this of themselves.
fn fitted_by(ran_by: &str, send_rule: SendRule, samples: &[Sample]) -> Machine {
    let provenance = Provenance {
        date: String::new(),
        host: String::new(),
        ran_by: ran_by.to_owned(),
        how: String::new(),
        confidence: 0.95,
    };
    ToFit { name: "simulated", provenance, send_rule, samples }.machine().expect("a machine")
}

/// A quick calibration with so few exchanges that tests are quick too.
fn quick(longest: u64) -> CalibrationSettings {
    CalibrationSettings { samples: 8, warmup: 1, ..CalibrationSettings::quick(longest) }
}

/// One picosecond, in µs.
const PS: f64 = 1e-6;

/// The estimate and both ends of its interval are within `tolerance` of the truth.
fn exactly(what: &str, estimate: Estimate, truth: f64, tolerance: f64) {
    for found in [estimate.low, estimate.value, estimate.high] {
        assert!((found - truth).abs() <= tolerance, "{what}: {estimate:?}, truly {truth}");
    }
}

/// The value is a bound that is as low as it can be, and the interval says so.
fn bounded(what: &str, estimate: Estimate, bound: f64, tolerance: f64) {
    assert_eq!(estimate.low, 0.0, "{what} is not said to be a bound: {estimate:?}");
    assert!((estimate.value - bound).abs() <= tolerance, "{what}: {estimate:?}, at most {bound}");
}

/// LogGOPS in ns, ns per byte and bytes.
#[derive(Clone, Copy)]
struct Given {
    latency: u64,
    send: u64,
    receive: u64,
    gap: u64,
    gap_per_byte: f64,
    overhead_per_byte: f64,
    eager_limit: u64,
    rendezvous: Rendezvous,
}

impl Given {
    fn network(&self) -> Network {
        Network::Loggops(LogGops {
            latency: Span::from_ns(self.latency),
            overhead_send: Span::from_ns(self.send),
            overhead_receive: Span::from_ns(self.receive),
            gap: Span::from_ns(self.gap),
            gap_per_byte: PerByte::from_ns(self.gap_per_byte),
            overhead_per_byte: PerByte::from_ns(self.overhead_per_byte),
            eager_limit: self.eager_limit,
            rendezvous: self.rendezvous,
        })
    }
}

/// A wire that is slower than the copies: everything can be seen.
const SLOW_WIRE: Given = Given {
    latency: 900,
    send: 250,
    receive: 320,
    gap: 600,
    gap_per_byte: 0.5,
    overhead_per_byte: 0.125,
    eager_limit: u64::MAX,
    rendezvous: Rendezvous::Match,
};
