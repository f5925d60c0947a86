use super::*;
use crate::goal::fixture::{Noisy, any_chains, any_network, loggp};
use crate::goal::{Rules, run_events};
use models::goal::text;
use models::noise::Quiet;
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

proptest! {
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
        let follow = |network: &Network| critical_path(&schedule, network, &Quiet).unwrap();
        prop_assume!(run_events(&schedule, &Rules::Network(loggp(1, 1, 1, 0.0)), &Quiet, &mut ()).is_ok());
        let base = follow(&loggp(latency, overhead, gap, 0.0));
        for (parameter, times, changed) in [
            ("L", base.terms.latencies, loggp(latency + 1, overhead, gap, 0.0)),
            ("g", base.terms.gaps, loggp(latency, overhead, gap + 1, 0.0)),
            ("o", base.terms.sends + base.terms.receives, loggp(latency, overhead + 1, gap, 0.0)),
        ] {
            let after = follow(&changed);
            if after.ops == base.ops && after.terms == base.terms {
                prop_assert_eq!(after.finish.since(base.finish), Span(times), "{}", parameter);
            }
        }
    }
}
