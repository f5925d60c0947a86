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
