//! Whole calibrations: under every send rule, of few samples, behind noise, and within their time.

use crate::*;
use models::network::Hockney;

#[test]
fn hockney_machines_come_back_under_every_send_rule() {
    for send_rule in SendRule::ALL {
        let model = Hockney { alpha: Span::from_us(5), beta: PerByte::from_ns(0.25), send_rule };
        let machine = calibrated(Network::Hockney(model), send_rule, &quick(65_536));
        exactly("α", machine.hockney.alpha_us, 5.0, PS);
        exactly("β", machine.hockney.beta_ns_per_byte, 0.25, 1e-7);
        assert!(machine.protocol.is_empty(), "{send_rule:?}: {:?}", machine.protocol);
    }
}

#[test]
fn detours_that_hit_few_exchanges_leave_the_parameters() {
    // 1 % of the CPU's time: detours of 2 µs in the mean, 5000 a second.
    let noise = ["exponential:mean=2us,rate=5000Hz"];
    let given = Given { eager_limit: 8_192, rendezvous: Rendezvous::RoundTrip, ..SLOW_WIRE };
    let settings = CalibrationSettings { samples: 31, ..quick(16_384) };
    for seed in 0..3 {
        let machine = fitted(SendRule::Eager, &samples(given.network(), &noise, seed, &settings));
        let found = machine.loggops.expect("LogGOPS");
        let contains = |what: &str, estimate: Estimate, truth: f64| {
            let slack = 4.0 * PS;
            assert!(
                estimate.low - slack <= truth && truth <= estimate.high + slack,
                "{what}: {estimate:?}, truly {truth}"
            );
        };
        contains("L", found.latency_us, 0.9);
        contains("o_s", found.overhead_send_us, 0.25);
        contains("o_r", found.overhead_receive_us, 0.32);
        contains("g", found.gap_us, 0.6);
        contains("G", found.gap_per_byte_ns, 0.5);
        contains("O", found.overhead_per_byte_ns, 0.125);
        assert_eq!((found.eager_limit_bytes, found.rendezvous), (Some(8_192), Rendezvous::RoundTrip), "seed {seed}");
    }
}

#[test]
fn a_limit_of_time_is_kept_to() {
    let given = Given { latency: 1_000_000, ..SLOW_WIRE };
    let limited = CalibrationSettings { limit: Span::from_ms(30), samples: 1_000, ..quick(256) };
    let counts = |settings: &CalibrationSettings| {
        let all = samples(given.network(), &[], 1, settings);
        let counts = all.iter().filter_map(|sample| match sample {
            Sample::RoundTrips(prtt) if prtt.messages == 1 => Some(prtt.round_trips.len()),
            Sample::LateReceives(late) => Some(late.receives.len()),
            Sample::RoundTrips(_)
            | Sample::LateSends(_)
            | Sample::Readings(_)
            | Sample::Left(_)
            | Sample::Touched(_)
            | Sample::Looked(_) => None,
        });
        counts.collect::<Vec<_>>()
    };
    // Round trips of 2 ms: 14 or 15 of them; late receives take four times that or more, and 8 exchanges are the fewest.
    let counted = counts(&limited);
    assert!(counted.iter().all(|&count| (8..=15).contains(&count)), "{counted:?}");
    assert!(counted.contains(&8) && counted.iter().any(|&count| count > 13), "{counted:?}");
    assert!(counts(&CalibrationSettings { samples: 5, ..limited }).iter().all(|&count| count == 5));
}

#[test]
fn what_reading_the_clock_takes_is_taken_off() {
    use models::clock::ClockModel;
    let settings = quick(65_536);
    let ideal = SimWorld::ideal(SLOW_WIRE.network(), 2);
    let clocks =
        ideal.clocks.iter().map(|clock| ClockModel { read_cost: Span::from_ns(25), ..clock.clone() }).collect();
    let world = SimWorld { clocks, ..ideal };
    let run = world.run(async |rank| settings.run(&rank).await).expect("no deadlock");
    let samples = run.results.into_iter().next().expect("rank 0").expect("samples");
    let found = fitted(SendRule::Eager, &samples).loggops.expect("LogGOPS");
    exactly("o_s", found.overhead_send_us, 0.25, 2.0 * PS);
    exactly("o_r", found.overhead_receive_us, 0.32, 2.0 * PS);
    exactly("L", found.latency_us, 0.9, 4.0 * PS);
    exactly("g", found.gap_us, 0.6, 4.0 * PS);
}
