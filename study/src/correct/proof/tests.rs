//! Which rows count, and what counts as closer.

use super::*;
use crate::forms::table;
use render::results::Results;
use scenario::axis::Key;

fn exactly(us: f64) -> Estimate {
    Estimate { value: us, low: us, high: us }
}

fn expected(reference_us: f64, printed_us: f64) -> Expected {
    let remainder = Bar { errors: Vec::new(), us: exactly(printed_us - reference_us), factor: None };
    let (from_us, to_us) = (exactly(reference_us), exactly(printed_us));
    let budget = Budget { from_us, bars: Vec::new(), remainder, to_us, ratio: None };
    Expected::new(Source::Predicted, budget)
}

/// A benchmark that prints `ratio` times a reference of about 10 µs; the reference strays by what is given, round by round.
fn trial(ratio: f64, strays: &[f64], predicted: Result<Expected, String>) -> Trial {
    let round = |(round, stray): (usize, &f64)| {
        let reference_us = 10.0 + stray;
        (round as u32, Pair { reference_us, printed_us: ratio * reference_us })
    };
    let rounds = strays.iter().enumerate().map(round).collect();
    Trial {
        subject: "bcast".to_owned(),
        key: Key::default(),
        bytes: 8,
        benchmark: "OSU",
        head: "Avg",
        rounds,
        predicted,
    }
}

const QUIET: [f64; 16] = [0.1, -0.1, 0.2, 0.0, -0.2, 0.1, 0.0, 0.3, -0.1, -0.3, 0.1, 0.2, 0.0, -0.2, 0.2, -0.1];

#[test]
fn a_half_of_the_rounds_corrects_the_other() {
    let rows = proof(&[trial(0.6, &QUIET, Ok(expected(10.0, 6.0)))]);
    let row = &rows[0];
    assert!(row.is_above_noise());
    for source in [Source::Predicted, Source::Measured] {
        let done = row.by(source).unwrap();
        assert!((done.us.value - row.reference_us.value).abs() < 1e-9, "{source:?}: {done:?}");
        assert_eq!(row.is_closer(source), Some(true));
        assert_eq!(count(&rows, source), Count { closer: 1, of: 1, held: 1, refused: 0 });
    }
    assert_eq!(row.rounds, (8, 8));
}

#[test]
fn a_wrong_model_is_counted_against_itself() {
    let rows = proof(&[trial(0.7, &QUIET, Ok(expected(7.0, 10.0)))]);
    assert_eq!(rows[0].is_closer(Source::Predicted), Some(false));
    let (predicted, measured) = (count(&rows, Source::Predicted), count(&rows, Source::Measured));
    assert_eq!((predicted.closer, predicted.of, predicted.passes()), (0, 1, false));
    assert!(measured.passes());
    let proof = ProofRows { rows, by: Source::Predicted, whence: Whence::default() };
    let text = table(&proof);
    assert!(text.contains("✗"), "{text}");
    insta::assert_snapshot!(proof.answer());
}

#[test]
fn what_is_within_noise_does_not_count() {
    let wild: Vec<f64> = QUIET.iter().map(|stray| 20.0 * stray).collect();
    for (ratio, strays) in [(1.0, QUIET.to_vec()), (1.1, wild)] {
        let rows = proof(&[trial(ratio, &strays, Err("no model".to_owned()))]);
        assert!(!rows[0].is_above_noise(), "{ratio}");
        assert_eq!(count(&rows, Source::Measured), Count::default());
        assert!(!count(&rows, Source::Measured).passes(), "nothing is proved by no rows");
    }
}
