//! What a calibration rehearsed, and in which state of the machine: corrections by machine files that know it.

use super::*;
use crate::common::said::said;
use programs::machine::Rehearsed;

/// Rehearsals of four launches: these quotients times a factor, with a spread of three per cent.
fn rehearsed(quotients: &[f64], times: f64) -> Rehearsed {
    Rehearsed {
        collective: Collective::Bcast,
        ranks: RANKS,
        benchmark: Preset::Osu,
        column: "Avg Latency(us)".to_owned(),
        reference: Buffer::Same,
        launches: 4,
        bytes: LENGTHS.to_vec(),
        printed_per_reference: quotients
            .iter()
            .map(|one| [0.97, 1.0, 1.0, 1.03].map(|by| one * times * by).to_vec())
            .collect(),
    }
}

#[test]
fn what_predictions_missed_in_rehearsals_is_taken_off_with_the_interval_of_one_more_launch() {
    let folder = tempfile::tempdir().unwrap();
    let known = machine(1.0, 0.0, "MPICH 4.0.2");
    let on = simulated(&known);
    std::fs::write(folder.path().join("printed.txt"), printed(Preset::Osu, &on)).unwrap();
    let of = |rehearsed: Vec<Rehearsed>, more: &[&str]| {
        std::fs::write(folder.path().join("m.toml"), Machine { rehearsed, ..known.clone() }.text()).unwrap();
        let arguments = ["printed.txt", "--machine", "m.toml", "--ranks", "5", "--reference", "same"];
        rows(&folder, &[&arguments[..], more].concat())
    };
    let us = |row: &Value, key: &str| row[key].as_f64().unwrap();
    let by_prediction = of(Vec::new(), &[]);
    let predicted = |row: &Value| row["printed_us"].as_f64().unwrap() / us(row, "corrected_us");
    let seen = vec![rehearsed(&by_prediction.iter().map(predicted).collect::<Vec<f64>>(), 0.8)];
    let by_rehearsals = of(seen.clone(), &[]);
    for (plain, row) in by_prediction.iter().zip(&by_rehearsals) {
        assert_eq!(
            (&plain["source"], &row["source"]),
            (&Value::from("predicted"), &Value::from("rehearsed")),
            "{row:#}"
        );
        // The benchmark printed a fifth less of the reference than predicted: the call took as much longer.
        assert!((us(row, "corrected_us") / us(plain, "corrected_us") - 1.25).abs() < 1e-3, "{plain:#} {row:#}");
        assert!(plain["remarks"].is_string(), "{plain:#}");
        let reach = us(row, "corrected_high_us") / us(row, "corrected_us");
        assert!((1.02..1.08).contains(&reach), "three per cent of launches: {reach}");
        let bars: f64 = contributions(row).sum();
        let sum = us(row, "corrected_us") + bars + row["remainder_us"].as_f64().unwrap();
        assert!((sum / row["printed_us"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{row:#}");
    }
    assert_eq!(of(seen.clone(), &["--algorithm", "mpich-4.0"]), by_rehearsals, "the library is that of the machine");
    let others = of(seen.clone(), &["--algorithm", "openmpi-4.1"]);
    assert!(others.iter().all(|row| row["source"] != "rehearsed"), "another library was not rehearsed: {others:#?}");
    let linear = of(seen, &["--algorithm", "linear"]);
    assert!(
        linear.iter().all(|row| row["source"] != "rehearsed"),
        "another algorithm than the library's own was not rehearsed"
    );
}

#[test]
fn a_text_is_corrected_as_printed_in_the_state_that_its_numbers_fit() {
    let folder = tempfile::tempdir().unwrap();
    let of_state = |slower: f64, ns: f64| Machine { line_ns: Some(ns), ..machine(slower, 0.0, "nobody") };
    let (near, far) = (of_state(1.0, 30.0), of_state(4.0, 230.0));
    std::fs::write(folder.path().join("far.txt"), printed(Preset::Osu, &simulated(&far))).unwrap();
    let both = Machine { other_states: vec![far], ..near.clone() };
    std::fs::write(folder.path().join("both.toml"), both.text()).unwrap();
    std::fs::write(folder.path().join("near.toml"), near.text()).unwrap();
    let usual = ["far.txt", "--ranks", "5", "--algorithm", "binomial", "--reference", "same", "--machine"];
    let found = corrected_json(&folder, &[&usual[..], &["both.toml"]].concat());
    let notes = || found["notes"].as_array().unwrap().iter().filter_map(Value::as_str);
    let sentence = notes().find(|note| note.contains("cache line")).expect("a note on the state");
    assert!(sentence.contains("230 ns") && sentence.contains("×4.00"), "{sentence}");
    insta::assert_snapshot!("the_state_that_fits", sentence);
    assert!(found["numbers"].as_array().unwrap().iter().all(|row| (row["scale"].as_f64().unwrap() - 1.0).abs() < 1e-3));
    let by_state = corrected_json(&folder, &[&usual[..], &["both.toml", "--state", "220"]].concat());
    assert_eq!(by_state["numbers"], found["numbers"]);
    let done = finish(parallax(&folder).arg("correct").args(usual).args(["both.toml", "--state", "90"]));
    assert_eq!(done.code, 2, "{done:?}");
    insta::assert_snapshot!("a_state_that_was_not_calibrated", said(&done, &[]));
    // Numbers of a state that was not calibrated are not corrected with confidence.
    let done = finish(parallax(&folder).arg("correct").args(usual).args(["near.toml", "--format", "csv"]));
    assert!(!done.stdout.contains(",confident,"), "{done:?}");
}
