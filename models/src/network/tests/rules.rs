//! Each model's rules: closed forms of one message, special cases, worked examples.

use super::*;

const IDLE: [Port; 2] = [Port { cpu: Time::ZERO, next_send: Time::ZERO, last_receive: None }; 2];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 4))]

    #[test]
    fn loggp_is_loggops_without_cpu_time_per_byte_and_rendezvous(
        model in any_loggops(), ports in any_ports(), bytes in any_bytes(),
    ) {
        let rendezvous = Rendezvous::Match;
        let general = LogGops { overhead_per_byte: PerByte(0.0), eager_limit: u64::MAX, rendezvous, ..model };
        let without_g = LogGops { gap_per_byte: PerByte(0.0), ..general };
        prop_assert_eq!(quiet(&loggp(&model), ports, bytes), quiet(&general, ports, bytes));
        prop_assert_eq!(quiet(&logp(&model), ports, bytes), quiet(&without_g, ports, bytes));
        prop_assert_eq!(quiet(&logp(&model), ports, bytes), quiet(&logp(&model), ports, 1));
        prop_assert_eq!(Network::Logp(logp(&model)).loggops(), Some(without_g));
    }

    #[test]
    fn one_message_between_idle_ranks_meets_its_closed_form(model in any_loggops(), bytes in any_bytes()) {
        let outcome = quiet(&model, IDLE, bytes);
        let b = bytes.max(1) - 1;
        let LogGops { latency: l, overhead_send: os, overhead_receive: or, .. } = model;
        let (network, cpu) = (model.gap_per_byte.for_bytes(b), model.overhead_per_byte.for_bytes(b));
        let (agreed, released) = match (bytes > model.eager_limit, model.rendezvous) {
            (false, _) => (Span::ZERO, os + cpu),
            (true, Rendezvous::Match) => (Span::ZERO, os + network.max(cpu)),
            (true, Rendezvous::RoundTrip) => (l + l, os + l + l + network.max(cpu)),
        };
        prop_assert_eq!(outcome.receiver.cpu, Time::ZERO + os + agreed + network.max(cpu) + l + or + cpu);
        prop_assert_eq!(outcome.released, Time::ZERO + released);
        prop_assert_eq!(outcome.receiver.cpu, Time::ZERO + model.one_message(bytes));
        prop_assert_eq!(Network::Loggops(model).one_message(bytes), model.one_message(bytes));
        prop_assert_eq!(outcome.released, Time::ZERO + model.sending(bytes));
    }

    #[test]
    fn a_message_of_no_bytes_costs_what_one_byte_does(model in any_loggops(), ports in any_ports()) {
        let model = LogGops { eager_limit: u64::MAX, ..model };
        prop_assert_eq!(quiet(&model, ports, 0), quiet(&model, ports, 1));
    }

    #[test]
    fn a_rendezvous_waits_for_the_receiver(model in any_loggops(), posted in 0u64..20_000_000, bytes in 1u64..9_999) {
        let mut ports = IDLE;
        ports[1].cpu = Time(posted);
        let (l, e, posted) = (model.latency, Time::ZERO + model.overhead_send, Time(posted));
        let last = model.gap_per_byte.for_bytes(bytes - 1).max(model.overhead_per_byte.for_bytes(bytes - 1));
        let by = |rendezvous| quiet(&LogGops { eager_limit: 0, rendezvous, ..model }, ports, bytes);
        let matched = by(Rendezvous::Match);
        prop_assert_eq!(matched.released, e.max(posted) + last);
        prop_assert_eq!(matched.arrival, matched.released + l);
        prop_assert_eq!(matched.sender.cpu, e);
        let answered = by(Rendezvous::RoundTrip);
        prop_assert_eq!(answered.released, (e + l).max(posted) + l + last);
        prop_assert_eq!(answered.arrival, answered.released + l);
    }

    #[test]
    fn plogp_from_loggp_agrees_on_a_single_message(model in any_loggops(), bytes in any_bytes()) {
        let model = LogGops { overhead_per_byte: PerByte(0.0), eager_limit: u64::MAX, gap: Span::ZERO, ..model };
        let plogp = Plogp::from_loggp(model).unwrap();
        let (there, expected) = (quiet(&plogp, IDLE, bytes).receiver.cpu, Time::ZERO + model.one_message(bytes));
        prop_assert!(there.0.abs_diff(expected.0) <= 2, "{there:?} is not {expected:?}");
    }
}

#[test]
fn loggops_with_numbers_that_can_be_followed_by_hand() {
    let network = parse("loggops", Some("L=100,os=10,or=20,g=5,G=1,O=2,S=11"), None).unwrap();
    let ns = |n: u64| Time(n * 1_000);
    // 11 B: B = 10. o_s ends at 10, the CPU is free at 30, the last byte leaves then (B·G would be 20).
    let outcome = quiet(&network, IDLE, 11);
    assert_eq!((outcome.sender.cpu, outcome.sender.next_send, outcome.arrival), (ns(30), ns(15), ns(130)));
    assert_eq!((outcome.receiver.cpu, outcome.receiver.last_receive), (ns(170), Some(ns(130))));
    // The next one: sent at 30; received when the CPU is free, at 170, not g + B·G after 130.
    let again = quiet(&network, [outcome.sender, outcome.receiver], 11);
    assert_eq!((again.arrival, again.receiver.cpu), (ns(160), ns(210)));
    // 12 B wait: the receive is posted at 210, the last byte leaves 22 later.
    let long = quiet(&network, [again.sender, again.receiver], 12);
    assert_eq!((long.released, long.arrival, long.receiver.cpu), (ns(232), ns(332), ns(374)));
}

#[test]
fn plogp_with_numbers_that_can_be_followed_by_hand() {
    let network = parse("plogp", Some("L=100,os=0:10/100:30,or=50,g=0:20/100:220"), None).unwrap();
    let ns = |n: u64| Time(n * 1_000);
    let outcome = quiet(&network, IDLE, 50);
    assert_eq!((outcome.sender.cpu, outcome.sender.next_send), (ns(20), ns(120)));
    assert_eq!((outcome.arrival, outcome.receiver.cpu), (ns(220), ns(220)));
    // A receiver that comes late pays o_r after its own time.
    let late = quiet(&network, [IDLE[0], Port { cpu: ns(200), ..IDLE[1] }], 50);
    assert_eq!(late.receiver.cpu, ns(250));
    // Noise that stretches the overhead by 7 ns delays the arrival by as much; beyond the overhead it does not count.
    let mut noise = [Detours(vec![(5_000, 7_000), (30_000, 50_000)]), Detours(vec![(215_000, 30_000)])];
    let noisy = transfer(&network, IDLE, 50, &mut noise);
    assert_eq!((noisy.sender.cpu, noisy.arrival, noisy.receiver.cpu), (ns(27), ns(227), ns(245)));
}
