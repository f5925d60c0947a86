use super::super::{Engine, Rules, RunError, run, run_events};
use crate::run::fixture::{Noisy, any_chains, any_network_at_all, loggp};
use crate::text;
use models::noise::Quiet;
use models::time::Time;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn where_it_answers_it_agrees_with_the_event_engine(text in any_chains(3), network in any_network_at_all(), noisy: bool) {
        let schedule = text::read("", text.as_bytes()).unwrap();
        let rules = Rules::Network(network);
        let both = |engine| if noisy { run(&schedule, &rules, &Noisy, engine) } else { run(&schedule, &rules, &Quiet, engine) };
        match both(Engine::Fast) {
            Ok(fast) => prop_assert_eq!(fast.finish, both(Engine::Event).unwrap().finish, "{}", text),
            Err(RunError::NotFast { .. }) => {}
            Err(error) => prop_assert_eq!(Err(error), both(Engine::Event)),
        }
    }

    #[test]
    fn chains_are_taken(text in any_chains(0), latency in 0u64..3000, overhead in 1u64..300) {
        let schedule = text::read("", text.as_bytes()).unwrap();
        let network = loggp(latency, overhead, overhead, 0.0);
        let run_fast = super::run(&schedule, &network, &Quiet).expect("chains have one order");
        let run_event = run_events(&schedule, &Rules::Network(network), &Quiet, &mut ()).unwrap();
        prop_assert_eq!(run_fast.finish, run_event.finish);
        prop_assert_eq!(run_fast.messages, run_event.messages);
    }
}

fn refusal(text: &str) -> String {
    let schedule = text::read("", text.as_bytes()).unwrap();
    let error = run(&schedule, &Rules::Network(loggp(10, 5, 5, 0.0)), &Quiet, Engine::Fast).unwrap_err();
    assert!(matches!(error, RunError::NotFast { .. }), "{error}");
    error.to_string()
}

#[test]
fn what_it_cannot_take_it_refuses_with_the_reason() {
    let wildcard = refusal("num_ranks 2\nrank 0 { recv 1b from -1 }\nrank 1 { send 1b to 0 }");
    let irequires = refusal("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\nb irequires a\n}");
    let cpus = refusal("num_ranks 1\nrank 0 {\ncalc 1\ncalc 1 cpu 1\n}");
    // The message that is planned for first comes last.
    let order = refusal(
        "num_ranks 3\nrank 0 {\nrecv 1b from 1\nrecv 1b from 2\n}\n\
         rank 1 {\nc: calc 9\ns: send 1b to 0\ns requires c\n}\nrank 2 {\na: calc 1\nb: calc 1\nd: send 1b to 0\nb requires a\nd requires b\n}",
    );
    insta::assert_snapshot!([wildcard, irequires, cpus, order].join("\n"));
}

#[test]
fn the_choice_falls_on_the_event_engine_where_the_fast_one_refuses() {
    let schedule = text::read("", b"num_ranks 2\nrank 0 { recv 1b from -1 }\nrank 1 { send 1b to 0 }").unwrap();
    let answer = run(&schedule, &Rules::Network(loggp(10, 5, 5, 0.0)), &Quiet, Engine::Auto).unwrap();
    assert_eq!(answer.engine, Engine::Event);
    assert!(answer.not_fast.unwrap().contains("wildcards"));
    assert_eq!(answer.finish, [Time(20), Time(5)]);
}
