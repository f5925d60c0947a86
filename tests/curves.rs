//! `parallax curves` and `parallax skew` as a user meets them.

mod common;

use common::command::{Done, finish, parallax};
use common::said::Page;
use tempfile::TempDir;

fn curves(folder: &TempDir, arguments: &str) -> Done {
    finish(parallax(folder).arg("curves").args(arguments.split(' ')))
}

fn skew(folder: &TempDir, arguments: &str) -> Done {
    finish(parallax(folder).arg("skew").args(arguments.split(' ')))
}

/// Place, algorithm, time in µs.
fn data(folder: &TempDir, file: &str) -> Vec<(f64, String, f64)> {
    let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
    let point = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        (cells[0].parse().unwrap(), cells[1].to_owned(), cells[2].parse().unwrap())
    };
    text.lines().skip(1).map(point).collect()
}

#[test]
fn broadcasts_cost_what_the_closed_forms_say() {
    let folder = tempfile::tempdir().unwrap();
    let common = "--collective bcast --algorithms linear,binomial --over bytes --ranks 8 --to 64KiB -o c.csv";
    let done = curves(&folder, &format!("{common} --send-rule busy --set alpha=5us,beta=1ns/B"));
    assert_eq!(done.code, 0, "{done:?}");
    assert!(
        done.stdout.contains("completion time: the last rank's finish") && done.stdout.contains("no crossovers"),
        "{done:?}"
    );
    let points = data(&folder, "c.csv");
    assert_eq!(points.len(), 2 * 14, "{points:?}");
    for (bytes, algorithm, us) in points {
        let messages = if algorithm == "linear" { 7.0 } else { 3.0 };
        let expected = messages * (5.0 + bytes / 1e3);
        assert!((us - expected).abs() < 1e-9, "{algorithm} of {bytes} B: {us}, expected {expected}");
    }
}

#[test]
fn over_ranks_other_numbers_than_powers_of_two_are_asked_too() {
    let folder = tempfile::tempdir().unwrap();
    let done = curves(
        &folder,
        "--collective barrier --algorithms dissemination --over ranks --from 3 --to 100 --points 9 -o b.html",
    );
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("written: b.html") && done.stdout.contains("written: b.csv"), "{done:?}");
    assert!(std::fs::read_to_string(folder.path().join("b.html")).unwrap().contains("</html>"));
    let points = data(&folder, "b.csv");
    assert!(points.len() == 9 && points.iter().any(|point| !(point.0 as u64).is_power_of_two()), "{points:?}");
    for (ranks, _, us) in points {
        // One round costs 2o + L = 5.5 µs.
        assert_eq!(us, 5.5 * ranks.log2().ceil(), "{ranks} ranks");
    }
}

#[test]
fn noise_costs_time_and_its_seed_decides_the_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let noisy = |seed: u32, file: &str| {
        let common =
            "--collective barrier --over ranks --to 32 --noise exponential:mean=10us,rate=1kHz --realisations 8";
        let done = curves(&folder, &format!("{common} --seed {seed} -o {file}"));
        assert_eq!(done.code, 0, "{done:?}");
        assert!(
            done.stdout.contains(&format!("seed {seed}")) && done.stdout.contains("mean of 8 realisations"),
            "{done:?}"
        );
        data(&folder, file)
    };
    let first = noisy(1, "a.csv");
    assert_eq!(first, noisy(1, "b.csv"));
    assert_ne!(first, noisy(2, "c.csv"));
    curves(&folder, "--collective barrier --over ranks --to 32 -o q.csv");
    let quiet = data(&folder, "q.csv");
    assert!(first.iter().zip(&quiet).all(|(noisy, quiet)| noisy.2 >= quiet.2), "{first:?} {quiet:?}");
    assert!(first.iter().zip(&quiet).any(|(noisy, quiet)| noisy.2 > quiet.2), "{first:?} {quiet:?}");
}

#[test]
fn dear_points_are_left_out_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let done =
        curves(&folder, "--collective barrier --algorithms dissemination --over ranks --to 64 --limit 100 -o l.csv");
    assert_eq!(done.code, 0, "{done:?}");
    insta::assert_snapshot!(done.stdout.lines().find(|line| line.contains("--limit")).expect("it is said"));
    assert_eq!(data(&folder, "l.csv").len(), 4, "2, 4, 8 and 16 ranks");
}

#[test]
fn mistakes_about_curves_end_with_code_2_and_their_flag() {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new();
    for (arguments, place) in [
        ("--collective bcast --over bytes", "--over"),
        ("--collective bcast --over bytes --ranks 4 --bytes 8", "--bytes:"),
        ("--collective bcast --over ranks --ranks 4", "--ranks:"),
        ("--collective barrier --over bytes --ranks 4", "--over"),
        ("--collective bcast --over ranks --from 64 --to 2", "--from"),
        ("--collective bcast --over ranks --from many", "--from"),
        ("--collective bcast --over ranks --algorithms ring2", "'ring2'"),
        ("--collective bcast --over ranks --root 2", "--root"),
        ("--collective bcast --over ranks --realisations 4", "--realisations"),
        ("--collective bcast --over ranks -o c.png", "c.png"),
        ("--collective bcast --over ranks --segment soon", "--segment"),
        ("--collective bcast --over ranks --limit 0", "--limit"),
        ("--collective broadcast --over ranks", "'broadcast'"),
    ] {
        let done = curves(&folder, arguments);
        assert_eq!(done.code, 2, "{arguments}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments}: {done:?}");
        page.add(&[arguments], &done);
    }
    insta::assert_snapshot!(page);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
}

#[test]
fn linear_barriers_leave_one_after_the_other_and_dissemination_together() {
    let folder = tempfile::tempdir().unwrap();
    let done = skew(&folder, "--ranks 64 --format json --algorithms linear,dissemination");
    assert_eq!(done.code, 0, "{done:?}");
    let all: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let [linear, dissemination] = [0, 1].map(|row| &all["rows"][row]["skew_ps"]);
    // The root releases 63 ranks, one every 1.5 µs; the first of them leaves 62 such times before the last.
    assert_eq!(linear["max"], 62 * 1_500_000_u64);
    assert_eq!((&dissemination["max"], &all["rows"].as_array().unwrap().len()), (&serde_json::json!(0), &2));
    assert_eq!(all["model"], "loggops");
}

#[test]
fn noise_spreads_exits_and_a_barrier_gathers_late_entries() {
    let folder = tempfile::tempdir().unwrap();
    let noisy = "--ranks 16 --noise exponential:mean=10us,rate=1kHz --realisations 50 -o s.svg";
    let done = skew(&folder, noisy);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("dissemination  no ") && done.stdout.contains("dissemination  yes"), "{done:?}");
    assert!(std::fs::read_to_string(folder.path().join("s.svg")).unwrap().contains("exit skew: last exit"));
    assert_eq!(done.stdout, skew(&folder, noisy).stdout, "the same bytes again");
    // No rank leaves before the last has entered, and then one barrier's time, 4 · 5.5 µs, is enough for all.
    let done = skew(&folder, "--ranks 16 --entry random:50us --format json --algorithms dissemination");
    let all: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let skew = all["rows"][0]["skew_ps"]["max"].as_u64().unwrap();
    assert!((1..=22_000_000).contains(&skew), "{done:?}");
}

#[test]
fn mistakes_about_skews_end_with_code_2_and_their_flag() {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new();
    for (arguments, place) in [
        ("--ranks 0", "--ranks"),
        ("--ranks 4 --algorithms binomial", "--algorithms"),
        ("--ranks 4 --realisations 9", "--realisations"),
        ("--ranks 1000000 --noise fixed:duration=1us,rate=1Hz --realisations 1000", "--ranks"),
        ("--ranks 2^25", "--ranks"),
        ("--ranks 4 --entry 1,2", "--entry"),
        ("--ranks 4 -o skew.pdf", "skew.pdf"),
    ] {
        let done = skew(&folder, arguments);
        assert_eq!(done.code, 2, "{arguments}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments}: {done:?}");
        page.add(&[arguments], &done);
    }
    insta::assert_snapshot!(page);
}
