//! Hockney and LogGP from round trips alone.

use calibration::fit::ToFit;
use models::network::{Hockney, LogGp, Network, SendRule};
use models::time::{PerByte, Span};
use programs::calibration::{CalibrationSettings, Prtt, Sample};
use programs::machine::{Bound, Machine, Provenance};
use sim::SimWorld;

/// What the ranks of a simulated machine exchange, as rank 0 recorded it.
fn exchange(network: Network, ranks: u32, train: u32) -> Vec<Prtt> {
    let ping_pongs = CalibrationSettings::ping_pongs(vec![1, 256, 512, 1_024, 65_536], 5, 1);
    let settings = CalibrationSettings { train, delayed_trains: true, ..ping_pongs };
    let world = SimWorld::ideal(network, ranks);
    let samples = world.run(async |rank| settings.run(&rank).await).unwrap().results.swap_remove(0).unwrap();
    let round_trips = |sample| if let Sample::RoundTrips(prtt) = sample { Some(prtt) } else { None };
    samples.into_iter().filter_map(round_trips).collect()
}

fn fitted(samples: &[Prtt]) -> Machine {
    let provenance = Provenance {
        date: String::new(),
        host: String::new(),
        ran_by: "simulated ranks".to_owned(),
        how: String::new(),
        confidence: 0.95,
    };
    let samples: Vec<Sample> = samples.iter().cloned().map(Sample::RoundTrips).collect();
    ToFit { name: "simulated", provenance, send_rule: SendRule::Busy, samples: &samples }.machine().unwrap()
}

#[test]
fn hockney_machines_come_back() {
    for (alpha_us, beta_ns, ranks) in [(1_000, 10.0, 2), (5, 0.04, 3), (2, 1.5, 8)] {
        let model =
            Hockney { alpha: Span::from_us(alpha_us), beta: PerByte::from_ns(beta_ns), send_rule: SendRule::Busy };
        let machine = fitted(&exchange(Network::Hockney(model), ranks, 1));
        let Network::Hockney(found) = machine.hockney(Bound::Best) else { panic!("{machine:?}") };
        assert!(found.alpha.0.abs_diff(model.alpha.0) <= 2, "{} instead of {}", found.alpha, model.alpha);
        assert!((found.beta.0 / model.beta.0 - 1.0).abs() < 1e-6, "{:?} instead of {:?}", found.beta, model.beta);
        assert_eq!((machine.spread.low, machine.spread.high), (1.0, 1.0), "ideal exchanges all take equally long");
    }
}

#[test]
fn loggp_machines_come_back() {
    for (latency, overhead, gap, rate) in [(2_500, 1_500, 1_800, 6.0), (900, 200, 400, 0.04), (5_000, 100, 3_000, 0.5)]
    {
        let model = LogGp {
            latency: Span::from_ns(latency),
            overhead_send: Span::from_ns(overhead),
            overhead_receive: Span::from_ns(overhead),
            gap: Span::from_ns(gap),
            gap_per_byte: PerByte::from_ns(rate),
        };
        let machine = fitted(&exchange(Network::Loggp(model), 2, 16));
        let Some(Network::Loggp(found)) = machine.loggp(Bound::Best) else { panic!("{machine:?}") };
        let near = |found: Span, given: Span| found.0.abs_diff(given.0) <= 10;
        assert!(near(found.latency, model.latency), "L {} instead of {}", found.latency, model.latency);
        assert!(near(found.overhead_send, model.overhead_send), "o {}", found.overhead_send);
        assert!(near(found.gap, model.gap), "g {} instead of {}", found.gap, model.gap);
        assert!((found.gap_per_byte.0 / model.gap_per_byte.0 - 1.0).abs() < 1e-3, "G {:?}", found.gap_per_byte);
    }
}

#[test]
fn the_spread_is_that_of_single_exchanges() {
    let model = Hockney { alpha: Span::from_us(100), beta: PerByte::from_ns(1.0), send_rule: SendRule::Busy };
    let mut samples = exchange(Network::Hockney(model), 2, 1);
    for prtt in &mut samples {
        let usual = prtt.round_trips[0];
        prtt.round_trips = (0..101).map(|i| Span(usual.0 / 100 * (95 + i / 10))).collect();
    }
    // Ratios 0.95 … 1.05 in steps of 0.01; the middle 95 % of them leave 2.5 % out at each end.
    let spread = fitted(&samples).spread;
    assert!((spread.low - 0.95).abs() < 0.011 && (spread.high - 1.04).abs() < 0.011, "{spread:?}");
    assert_eq!(spread.value, 1.0);
}
