//! Steady states of PICO's loop (E10): whether there are two is told from whole cycles, and hangs on no number of samples.

use serde_json::Value;

fn asked(operation: &str, algorithm: &str, barrier: &str, ranks: u32, samples: u32) -> Value {
    let query = format!(
        r#"{{ "operation": "{operation}", "algorithm": "{algorithm}", "ranks": {ranks}, "bytes": 128, "model": "loggp",
            "set": "L=2us,o=500ns,g=0ns,G=0.1ns/B", "benchmark": "pico:median", "barrier": "{barrier}", "samples": {samples} }}"#
    );
    let answer = parallax_lessons::ask(&query).unwrap_or_else(|error| panic!("{query}: {error}"));
    serde_json::from_str(&answer).unwrap()
}

/// The numbers of a cycle, the least first, in ps.
fn cycle(answer: &Value, state: &str) -> Vec<u64> {
    let numbers = answer[state].as_array().unwrap_or_else(|| panic!("no {state}: {answer}"));
    let mut numbers: Vec<u64> = numbers.iter().map(|us| (us.as_f64().unwrap() * 1e6).round() as u64).collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn calls_that_take_turns_are_one_state_whatever_the_number_of_samples() {
    let cases = [("allreduce", "bine", "dissemination", 6), ("allreduce", "rabenseifner-halves", "dissemination", 11)];
    for (operation, algorithm, barrier, ranks) in cases {
        takes_turns(|samples| asked(operation, algorithm, barrier, ranks, samples));
    }
}

fn takes_turns(asked: impl Fn(u32) -> Value) {
    let mut printed = Vec::new();
    for samples in 16..=23 {
        let answer = asked(samples);
        assert_eq!(answer["steady_states"], 1, "{samples} samples: {answer}");
        let [symmetric, delayed] =
            ["symmetric_cycle_us", "after_one_delay_cycle_us"].map(|state| cycle(&answer, state));
        assert_eq!(symmetric, delayed, "{samples} samples");
        assert!(symmetric.len() > 1, "{samples} samples: calls take turns");
        printed.push(["symmetric_us", "after_one_delay_us"].map(|state| answer[state].as_f64().unwrap()));
    }
    let is_apart = |[symmetric, delayed]: &[f64; 2]| (symmetric - delayed).abs() > 0.01 * symmetric.min(*delayed);
    assert!(printed.iter().any(is_apart), "by their medians alone these would be two states: {printed:?}");
}

#[test]
fn recursive_doubling_behind_itself_has_two_states() {
    for samples in [9, 10, 16, 17] {
        let answer = asked("allreduce", "recursive-doubling", "recursive-doubling", 16, samples);
        assert_eq!(answer["steady_states"], 2, "{answer}");
        // 4 (L + 2 o + 127 G), and 4 L more.
        assert_eq!(cycle(&answer, "symmetric_cycle_us"), [12_050_800]);
        assert_eq!(cycle(&answer, "after_one_delay_cycle_us"), [20_050_800]);
    }
}

#[test]
fn two_states_of_which_one_takes_turns_are_two_for_even_and_odd_numbers_of_samples() {
    for samples in 16..=19 {
        let answer = asked("allreduce", "recursive-doubling", "dissemination", 8, samples);
        assert_eq!(answer["steady_states"], 2, "{answer}");
        assert_eq!(cycle(&answer, "symmetric_cycle_us").len(), 1);
        assert_eq!(cycle(&answer, "after_one_delay_cycle_us").len(), 2);
    }
}

#[test]
fn numbers_that_do_not_come_round_say_nothing_of_states() {
    // The skew of a ring of five ranks grows from call to call.
    let answer = asked("allreduce", "ring", "dissemination", 5, 20);
    assert_eq!(answer["steady_states"], Value::Null, "{answer}");
    let too_few = asked("allreduce", "recursive-doubling", "recursive-doubling", 16, 2);
    assert_eq!(too_few["steady_states"], Value::Null, "{too_few}");
}

/// Calls of an allreduce of 8 ranks by recursive doubling, as a page asks for them; L = 2 µs, o = 0.5 µs, no gaps.
fn delayed(barrier: &str, more: &str) -> Value {
    let query = format!(
        r#"{{ "operation": "allreduce", "algorithm": "recursive-doubling", "ranks": 8, "bytes": 8,
            "set": "L=2us,o=500ns,g=0ns,G=0ns/B", "barrier": "{barrier}"{more} }}"#
    );
    let answer = parallax_lessons::ask(&query).unwrap_or_else(|error| panic!("{query}: {error}"));
    serde_json::from_str(&answer).unwrap()
}

/// How long each traced call of each rank was timed, in ps.
fn timed_ps(answer: &Value) -> Vec<Vec<i64>> {
    let samples: Vec<Vec<i64>> = serde_json::from_value(answer["trace"]["samples"].clone()).unwrap();
    samples.iter().map(|rank| rank.chunks(4).map(|sample| sample[2] - sample[1]).collect()).collect()
}

#[test]
fn a_question_with_one_delay_tells_and_traces_the_state_that_it_leaves() {
    let method = |barrier, delay| {
        let more =
            format!(r#", "method": "barrier-loop", "delay": "{delay}", "calls": 3, "samples": 1, "trace": true"#);
        delayed(barrier, &more)
    };
    // 3 (L + 2 o) + min(delay, 3 L).
    for (delay, printed_us) in [("none", 9.0), ("1.5us@2", 10.5), ("6us", 15.0), ("40us@5", 15.0), ("auto", 15.0)] {
        let answer = method("recursive-doubling", delay);
        assert_eq!(answer["reported_us"], printed_us, "{delay}");
        let timed = timed_ps(&answer);
        assert_eq!(timed.iter().flatten().max(), Some(&((printed_us * 1e6) as i64)), "{delay}");
        assert!(timed.iter().all(|calls| calls.len() == 3 && calls.iter().all(|&ps| ps == calls[0])), "{timed:?}");
        let word = if delay.contains('@') { format!("'{delay}'") } else { delay.to_owned() };
        let command = answer["command"].as_str().unwrap();
        assert!(command.contains(&format!(" --delay {word} ")), "{command}");
        assert_eq!(answer["scenario"].as_str().unwrap().contains("delay = "), delay != "none");
    }
    // A tree forgets: every rank's calls last as long as without the delay.
    assert_eq!(timed_ps(&method("tree", "auto")), timed_ps(&method("tree", "none")));
    let refused = parallax_lessons::ask(r#"{ "method": "barrier-loop", "delay": "9us@8" }"#).unwrap_err();
    assert!(refused.contains("--delay: expected a rank of 0 to 7, found 8"), "{refused}");
}

#[test]
fn a_benchmark_tells_both_states_whether_it_has_the_delay_or_not() {
    let states = |barrier, delay| {
        let more = format!(r#", "benchmark": "pico:median", "delay": "{delay}""#);
        let answer = delayed(barrier, &more);
        let told = ["symmetric_us", "after_one_delay_us", "steady_states"].map(|key| answer[key].as_f64().unwrap());
        (told, answer["columns"][0]["reported_us"].as_f64().unwrap())
    };
    assert_eq!(states("recursive-doubling", "auto"), ([9.0, 15.0, 2.0], 15.0));
    assert_eq!(states("recursive-doubling", "none"), ([9.0, 15.0, 2.0], 9.0));
    assert_eq!(states("recursive-doubling", "1us@3"), ([9.0, 10.0, 2.0], 10.0));
    assert_eq!(states("tree", "auto"), ([16.5, 16.5, 1.0], 16.5));
}
