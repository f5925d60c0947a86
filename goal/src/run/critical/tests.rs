use super::*;
use crate::run::fixture::{Noisy, any_chains, any_network, loggp};
use crate::run::{Rules, run_events};
use crate::text;
use models::network::{LogGops, Rendezvous};
use models::noise::Quiet;
use models::time::PerByte;
use proptest::prelude::*;

fn path(text: &str, network: &Network) -> CriticalPath {
    critical_path(&text::read("", text.as_bytes()).unwrap(), network, &Quiet).unwrap()
}

#[test]
fn one_message_is_o_bytes_l_and_o() {
    let text = "num_ranks 2\nrank 0 {\nc: calc 7\ns: send 51b to 1\ns requires c\n}\nrank 1 { recv 51b from 0 }";
    let network = loggp(100, 10, 15, 2.5);
    let found = path(text, &network);
    let expected = Terms {
        latencies: 1,
        sends: 1,
        receives: 1,
        gap_bytes: 50,
        gap_bytes_time: Span(125),
        overhead_bytes: 50, // O would be paid by the receiver
        calculations: Span(7_000),
        ..Terms::default()
    };
    assert_eq!((found.terms, found.ops.as_slice()), (expected, &[0, 1, 2][..]));
    assert_eq!(found.finish, Time(7_000 + 10 + 125 + 100 + 10));
    assert_eq!(found.line_in_latency(&network), Ok((Time(7_145), 1)));
    assert_eq!(path(text, &loggp(1_000_000, 10, 15, 2.5)).finish, Time(7_145 + 1_000_000));
}

#[test]
fn a_train_is_held_back_by_the_gap() {
    // Rank 0 sends three messages; g + B·G = 40 + 9·2 > o.
    let text = "num_ranks 2\nrank 0 {\na: send 10b to 1\nb: send 10b to 1\nc: send 10b to 1\nb requires a\nc requires b\n}\n\
                rank 1 {\nx: recv 10b from 0\ny: recv 10b from 0\nz: recv 10b from 0\ny requires x\nz requires y\n}";
    let found = path(text, &loggp(100, 10, 40, 2.0));
    assert_eq!((found.terms.gaps, found.terms.gap_bytes, found.terms.latencies), (2, 27, 1));
    assert_eq!(found.ops, [0, 1, 2, 5]);
    assert_eq!(found.finish, Time(2 * 58 + 10 + 18 + 100 + 10));
}

#[test]
fn a_rendezvous_waits_for_its_receiver_or_its_request() {
    // B·O = 50·3 is longer than B·G = 50·2.
    let network = |rendezvous| {
        Network::Loggops(LogGops {
            latency: Span(100),
            overhead_send: Span(10),
            overhead_receive: Span(20),
            gap: Span(15),
            gap_per_byte: PerByte(2.0),
            overhead_per_byte: PerByte(3.0),
            eager_limit: 50,
            rendezvous,
        })
    };
    let late = "num_ranks 2\nrank 0 { send 51b to 1 }\nrank 1 {\nc: calc 7\nr: recv 51b from 0\nr requires c\n}";
    let early = "num_ranks 2\nrank 0 { send 51b to 1 }\nrank 1 { recv 51b from 0 }";
    for (text, rule, latencies, sends, calculations) in [
        (late, Rendezvous::Match, 1, 0, 7_000),
        (late, Rendezvous::RoundTrip, 2, 0, 7_000),
        (early, Rendezvous::Match, 1, 1, 0),
        (early, Rendezvous::RoundTrip, 3, 1, 0),
    ] {
        let found = path(text, &network(rule));
        let Terms { overhead_bytes, gap_bytes, receives, .. } = found.terms;
        assert_eq!((found.terms.latencies, found.terms.sends, receives), (latencies, sends, 1), "{text}");
        // The bytes leave, and are taken in, at O.
        assert_eq!((overhead_bytes, gap_bytes, found.terms.calculations), (100, 0, Span(calculations)));
        assert_eq!(found.finish, Time(calculations + 100 * latencies + 10 * sends + 150 + 20 + 150));
    }
}

#[test]
fn plogp_is_refused_in_words() {
    let network = models::network::parse("plogp", None, None).unwrap();
    let schedule = text::read("", b"num_ranks 1\nrank 0 { calc 1 }").unwrap();
    let error = critical_path(&schedule, &network, &Quiet).unwrap_err().to_string();
    insta::assert_snapshot!(error);
}

#[test]
fn the_line_holds_as_far_as_said() {
    // Two ways to rank 1's end: two flights, or a calculation of 7000 ps.
    let text = "num_ranks 2\nrank 0 {\na: send 1b to 1\nb: recv 1b from 1\n}\n\
                rank 1 {\nr: recv 1b from 0\ns: send 1b to 0\ns requires r\nc: calc 7 cpu 1\n}";
    let schedule = text::read("", text.as_bytes()).unwrap();
    for (latency, line, range) in [(100, (7_000, 0), (0, Some(3_480))), (9_000, (40, 2), (3_480, None))] {
        let network = loggp(latency, 10, 15, 0.0);
        let path = critical_path(&schedule, &network, &Quiet).unwrap();
        let (at_zero, flights) = path.line_in_latency(&network).unwrap();
        assert_eq!((at_zero.0, flights), line);
        let found = latency_range(&schedule, &network, &Quiet, &path).unwrap();
        assert_eq!((found.from.0, found.to.map(|to| to.0)), range);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_terms_are_the_finish_time(text in any_chains(3), network in any_network(), noisy: bool) {
        let schedule = text::read("", text.as_bytes()).unwrap();
        let rules = Rules::Network(network);
        let run = if noisy { run_events(&schedule, &rules, &Noisy, &mut ()) } else { run_events(&schedule, &rules, &Quiet, &mut ()) };
        let found = if noisy { critical_path(&schedule, &network, &Noisy) } else { critical_path(&schedule, &network, &Quiet) };
        match run {
            Ok(run) => {
                let found = found.unwrap();
                prop_assert_eq!(Some(&found.finish), run.finish.iter().max());
                prop_assert_eq!(Time::ZERO + found.total(&network).unwrap(), found.finish);
                prop_assert!(noisy || found.terms.noise == Span::ZERO);
            }
            Err(error) => prop_assert_eq!(found, Err(PathError::Run(error))),
        }
    }

    /// T(L) = a + n·L where the path stays the same; and so for o and g.
    #[test]
    fn a_longer_parameter_costs_as_often_as_it_is_counted(text in any_chains(2), latency in 1u64..3000, overhead in 1u64..300, gap in 1u64..600) {
        let schedule = text::read("", text.as_bytes()).unwrap();
        // Where dependencies are loose, times decide which message meets which receive, and even whether a run ends.
        let follow = |network: &Network| critical_path(&schedule, network, &Quiet);
        let base = follow(&loggp(latency, overhead, gap, 0.0));
        prop_assume!(base.is_ok());
        let base = base.unwrap();
        for (parameter, times, changed) in [
            ("L", base.terms.latencies, loggp(latency + 1, overhead, gap, 0.0)),
            ("g", base.terms.gaps, loggp(latency, overhead, gap + 1, 0.0)),
            ("o", base.terms.sends + base.terms.receives, loggp(latency, overhead + 1, gap, 0.0)),
        ] {
            let Ok(after) = follow(&changed) else { continue };
            if after.ops == base.ops && after.terms == base.terms {
                prop_assert_eq!(after.finish.since(base.finish), Span(times), "{}", parameter);
            }
        }
    }
}
