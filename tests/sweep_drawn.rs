//! `parallax sweep` from flags as a user meets it: rows as of a file, cost curves, exit skews.

mod common;

use common::command::{Done, finish, parallax};
use common::said::Page;
use common::table;
use tempfile::TempDir;

fn sweep(folder: &TempDir, arguments: &str) -> Done {
    finish(parallax(folder).arg("sweep").args(arguments.split(' ')))
}

fn skew(folder: &TempDir, arguments: &str) -> Done {
    sweep(folder, &format!("barrier --quantity exit-skew {arguments}"))
}

#[test]
fn flags_ask_what_a_file_asks() {
    let folder = tempfile::tempdir().unwrap();
    let flags = "bcast --algorithm linear,binomial --ranks 4,8..16 --bytes 0..16+8,1KiB --root 0,2 --entry \
                 random:10us --noise exponential:mean=10us,rate=1kHz --realisations 1,3 --seed 7 --send-rule eager --quiet";
    let done = sweep(&folder, &format!("{flags} --out flags.csv"));
    assert_eq!(done.code, 0, "{done:?}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let of_flags = read("flags.csv");
    let (head, rows) = of_flags.split_once('\n').unwrap();
    assert!(head.starts_with("point,") && rows.lines().count() == 2 * 3 * 4 * 2 * 2, "{head}");
    // The file beside the rows holds a sweep file with the same points.
    let beside: serde_json::Value = serde_json::from_str(&read("flags.csv.sweep.json")).unwrap();
    std::fs::write(folder.path().join("same.toml"), beside["text"].as_str().unwrap()).unwrap();
    let by_hand = "# By hand?\noperation = \"bcast\"\nalgorithm = [\"linear\", \"binomial\"]\nranks = [4, 8, 16]\n\
                   bytes = [0, 8, 16, 1024]\nroot = [0, 2]\nentry = \"random:10us\"\nsend_rule = \"eager\"\n\
                   noise = \"exponential:mean=10us,rate=1kHz\"\nrealisations = [1, 3]\nseed = 7\n";
    std::fs::write(folder.path().join("hand.toml"), by_hand).unwrap();
    for file in ["same", "hand"] {
        let done = sweep(&folder, &format!("{file}.toml --quiet --out {file}.csv"));
        assert_eq!(done.code, 0, "{done:?}");
        assert_eq!(read(&format!("{file}.csv")).split_once('\n').unwrap().1, rows, "{file}");
    }
    let again = sweep(&folder, &format!("{flags} --out flags.csv --resume"));
    assert_eq!((again.code, read("flags.csv") == of_flags), (0, true), "{again:?}");
    // A file is drawn as flags are.
    let one = by_hand.replace("[4, 8, 16]", "4").replace("[0, 2]", "0").replace("[1, 3]", "3");
    std::fs::write(folder.path().join("one.toml"), one).unwrap();
    let flags = flags.replace("4,8..16", "4").replace("0,2", "0").replace("1,3", "3") + " --segment 0";
    let [file, flags] =
        ["one.toml", &flags].map(|asked| sweep(&folder, &format!("{asked} --over bytes --format json")));
    assert_eq!((file.code, flags.code), (0, 0), "{file:?} {flags:?}");
    let points = |done: &Done| serde_json::from_str::<serde_json::Value>(&done.stdout).unwrap()["points"].clone();
    assert_eq!(points(&file), points(&flags));
    assert_eq!(points(&file).as_array().unwrap().len(), 2 * 4);
}

/// Place, algorithm, time in µs.
fn data(folder: &TempDir, file: &str) -> Vec<(f64, String, f64)> {
    let rows = table::rows(&std::fs::read_to_string(folder.path().join(file)).unwrap());
    // A chart over bytes has all its points at one number of ranks.
    let over = if rows.iter().any(|row| row["ranks"] != rows[0]["ranks"]) { "ranks" } else { "bytes" };
    let curve = if rows.iter().any(|row| row.contains_key("curve")) { "curve" } else { "algorithm" };
    rows.iter().map(|row| (row[over].parse().unwrap(), row[curve].clone(), row["time_us"].parse().unwrap())).collect()
}

#[test]
fn broadcasts_cost_what_the_closed_forms_say() {
    let folder = tempfile::tempdir().unwrap();
    let common = "bcast --algorithm linear,binomial --over bytes --ranks 8 --bytes 8..64KiB -o c.csv";
    let done = sweep(&folder, &format!("{common} --send-rule busy --set alpha=5us,beta=1ns/B"));
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
fn values_between_points_of_one_winner_are_simulated_too() {
    let folder = tempfile::tempdir().unwrap();
    let set = "--set L=2us,o=500ns,g=500ns,G=0.1ns/B --bytes 8";
    let powers =
        sweep(&folder, &format!("bcast --algorithm linear,binomial --over ranks --ranks 2..64 {set} -o p.csv"));
    assert_eq!(powers.code, 0, "{powers:?}");
    let all = sweep(&folder, &format!("bcast --algorithm linear,binomial --over ranks --ranks 2..20+1 {set} -o a.csv"));
    assert_eq!(all.code, 0, "{all:?}");
    // Linear is the fastest on 2, 4, 8, 16 ranks; whether it is between them, the other sweep says.
    let points = data(&folder, "a.csv");
    let of = |ranks: f64, name: &str| points.iter().find(|point| point.0 == ranks && point.1 == name).unwrap().2;
    let faster: Vec<u32> = (2..=16).filter(|&p| of(p.into(), "binomial") < of(p.into(), "linear")).collect();
    assert_eq!(faster, [15], "{points:?}");
    let said = "Faster than the algorithm of the points on both sides: binomial at 15 ranks.";
    assert!(powers.stdout.replace('\n', " ").contains(said), "{powers:?}");
}

#[test]
fn over_ranks_other_numbers_than_powers_of_two_are_asked_too() {
    let folder = tempfile::tempdir().unwrap();
    let done = sweep(&folder, "barrier --algorithm dissemination --over ranks --ranks 3..100/9 -o b.html");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stderr.contains("written: b.html") && done.stderr.contains("written: b.csv"), "{done:?}");
    assert!(std::fs::read_to_string(folder.path().join("b.html")).unwrap().contains("</html>"));
    let points = data(&folder, "b.csv");
    assert!(points.len() == 9 && points.iter().any(|point| !(point.0 as u64).is_power_of_two()), "{points:?}");
    for (ranks, _, us) in points {
        // One round costs 2o + L = 5.5 µs.
        assert_eq!(us, 5.5 * ranks.log2().ceil(), "{ranks} ranks");
    }
}

#[test]
fn what_a_benchmark_prints_is_drawn_behind_each_barrier_beside_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let calls = "--bytes 8 --model loggp --set L=600ns,o=150ns,g=180ns,G=0.1ns/B";
    let asked = "bcast --algorithm binomial --over ranks --ranks 8,16 --benchmark osu --barrier tree,linear";
    let done = sweep(&folder, &format!("{asked} {calls} -o p.csv"));
    assert_eq!(done.code, 0, "{done:?}");
    let points = data(&folder, "p.csv");
    let of = |name: &str, ranks: f64| points.iter().find(|point| point.0 == ranks && point.1 == name).unwrap().2;
    for barrier in ["tree", "linear"] {
        let arguments = format!(
            "simulate bcast --algorithm binomial --ranks 16 {calls} --benchmark osu --barrier {barrier} --format json"
        );
        let done = finish(parallax(&folder).args(arguments.split(' ')));
        let says: serde_json::Value = serde_json::from_str(&done.stdout).unwrap_or_else(|_| panic!("{done:?}"));
        let us = |key: &str| says["rows"][0][key].as_f64().unwrap_or_else(|| panic!("{says}"));
        assert_eq!(of(barrier, 16.0), us("printed_us"), "{barrier}");
        assert_eq!(of("truth", 16.0), us("reference_us"));
    }
    assert_eq!(points.len(), 6, "{points:?}");
}

#[test]
fn noise_costs_time_and_its_seed_decides_the_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let noisy = |seed: u32, file: &str| {
        let common = "barrier --over ranks --ranks 2..32 --noise exponential:mean=10us,rate=1kHz --realisations 8";
        let done = sweep(&folder, &format!("{common} --seed {seed} -o {file}"));
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
    sweep(&folder, "barrier --over ranks --ranks 2..32 -o q.csv");
    let quiet = data(&folder, "q.csv");
    assert!(first.iter().zip(&quiet).all(|(noisy, quiet)| noisy.2 >= quiet.2), "{first:?} {quiet:?}");
    assert!(first.iter().zip(&quiet).any(|(noisy, quiet)| noisy.2 > quiet.2), "{first:?} {quiet:?}");
}

#[test]
fn dear_points_are_left_out_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let done = sweep(&folder, "barrier --algorithm dissemination --over ranks --ranks 2..64 --limit 100 -o l.csv");
    assert_eq!(done.code, 0, "{done:?}");
    insta::assert_snapshot!(done.stdout.lines().find(|line| line.contains("--limit")).expect("it is said"));
    assert_eq!(data(&folder, "l.csv").len(), 4, "2, 4, 8 and 16 ranks");
}

#[test]
fn crossovers_are_the_first_whole_numbers() {
    let folder = tempfile::tempdir().unwrap();
    // P − 1 sends of o, then o + L + o more, against ⌈log₂ P⌉ · (2o + L): by LogGOPS's defaults linear wins up to 10 ranks.
    let done = sweep(&folder, "bcast --algorithm linear,binomial --over ranks --bytes 8");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("1          11        10 and 11  linear  binomial"), "{done:?}");
    let time = |ranks: &str, algorithm: &str| {
        let done = sweep(&folder, &format!("bcast --algorithm {algorithm} --ranks {ranks} --bytes 8 --format json"));
        let row: serde_json::Value = serde_json::from_str(done.stdout.lines().last().unwrap()).unwrap();
        row["finish_max_ps"].as_u64().unwrap()
    };
    assert!(time("10", "linear") <= time("10", "binomial") && time("11", "binomial") < time("11", "linear"));
    // Between 4 KiB and 8 KiB there are too many to simulate each.
    let over_bytes = "bcast --algorithm binomial,scatter-allgather-ring --over bytes --ranks 16 --bytes 1KiB..1MiB*2 \
                      --set alpha=10us,beta=10ns/B --format json";
    let done = sweep(&folder, over_bytes);
    let answer: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let first = answer["crossovers"][0]["first"].as_u64().expect("one");
    let cost = |bytes: u64, algorithm: &str| {
        let flags = "--ranks 16 --set alpha=10us,beta=10ns/B --format json";
        let done = sweep(&folder, &format!("bcast --algorithm {algorithm} --bytes {bytes} {flags}"));
        let row: serde_json::Value = serde_json::from_str(done.stdout.lines().last().unwrap()).unwrap();
        row["finish_max_ps"].as_u64().unwrap()
    };
    assert!(cost(first, "scatter-allgather-ring") < cost(first, "binomial"), "{answer}");
    assert!(cost(first - 1, "scatter-allgather-ring") >= cost(first - 1, "binomial"), "{answer}");
}

#[test]
fn completion_times_over_parameters_are_drawn_piece_by_piece() {
    let folder = tempfile::tempdir().unwrap();
    let flags = "bcast --algorithm linear,binomial --ranks 16 --bytes 8 --over L=0..20us,g=0..4us";
    let done = sweep(&folder, &format!("{flags} -o l.svg"));
    assert_eq!(done.code, 0, "{done:?}");
    insta::assert_snapshot!("completion_times_over_parameters", done.stdout);
    let csv = std::fs::read_to_string(folder.path().join("l.csv")).unwrap();
    // 14 sends of o, then o + 7 · 6 ns + L + o; four messages one after the other.
    assert!(
        csv.contains(",L,ps,linear,0,20000000,1,24042000,") && csv.contains(",L,ps,binomial,0,20000000,4,12168000,"),
        "{csv}"
    );
    assert!(std::fs::read_to_string(folder.path().join("l.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn mistakes_about_curves_end_with_code_2_and_their_flag() {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new();
    for (arguments, place) in [
        ("bcast --over bytes", "--ranks:"),
        ("bcast", "--ranks:"),
        ("bcast --over bytes --ranks 4,8", "--over bytes"),
        ("bcast --over ranks --bytes 8,16", "--over ranks"),
        ("barrier --over bytes --ranks 4", "--over"),
        ("bcast --over ranks --ranks 64..2", "--ranks"),
        ("bcast --over ranks --ranks many", "--ranks"),
        ("bcast --over ranks --algorithm ring2", "'ring2'"),
        ("bcast --over ranks --root 2", "--root"),
        ("bcast --over ranks --realisations 4", "--realisations"),
        ("bcast --over ranks -o c.eps", "c.eps"),
        ("bcast --over ranks -o c.svg --picture widht=84mm", "'widht'"),
        ("bcast --over ranks -o c.svg --picture width=84", "width: "),
        ("bcast --over ranks -o c.svg --picture width=40mm", "least 65mm"),
        ("bcast --over ranks -o c.svg --picture format=pdf", "--picture: "),
        ("bcast --over ranks -o c.csv --picture width=84mm", "--picture: "),
        ("bcast --over ranks --picture width=84mm", "--picture: "),
        ("bcast --over L --ranks 4,8", "--over L"),
        ("bcast --over M --ranks 4", "'M'"),
        ("bcast --over ranks,L", "--over"),
        ("bcast --over ranks --segment soon", "--segment"),
        ("bcast --ranks 4 --segment auto", "--segment"),
        ("bcast --over ranks --limit 0", "--limit"),
        ("bcast --over ranks --quantity exit-skew", "--quantity"),
        ("brodcast --over ranks", "'brodcast'"),
        ("bcast --ranks 4 --set Q=1us", "--set"),
        ("bcast --ranks 4 --platform conect=1us", "--platform"),
        ("some.toml --ranks 4", "--ranks"),
    ] {
        let done = sweep(&folder, arguments);
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
    let done = skew(&folder, "--ranks 64 --format json --algorithm linear,dissemination");
    assert_eq!(done.code, 0, "{done:?}");
    let all: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let [linear, dissemination] = [0, 2].map(|row| &all["rows"][row]["max_us"]);
    // The root releases 63 ranks, one every 1.5 µs; the first of them leaves 62 such times before the last.
    assert_eq!(linear, 62.0 * 1.5);
    assert_eq!((dissemination, all["rows"].as_array().unwrap().len()), (&serde_json::json!(0.0), 4));
    assert_eq!((&all["rows"][0]["model"], all["ranks"].as_array().unwrap().len()), (&"loggops".into(), 2 * 64));
}

#[test]
fn noise_spreads_exits_and_a_barrier_gathers_late_entries() {
    let folder = tempfile::tempdir().unwrap();
    let noisy = "--ranks 16 --noise exponential:mean=10us,rate=1kHz --realisations 50 -o s.svg";
    let done = skew(&folder, noisy);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("dissemination  no ") && done.stdout.contains("dissemination  yes"), "{done:?}");
    assert!(std::fs::read_to_string(folder.path().join("s.svg")).unwrap().contains("exit skew: last exit"));
    assert_eq!(done.stdout, skew(&folder, &noisy.replace("s.svg", "t.svg")).stdout, "the same bytes again");
    // No rank leaves before the last has entered, and then one barrier's time, 4 · 5.5 µs, is enough for all.
    let done = skew(&folder, "--ranks 16 --entry random:50us --format json --algorithm dissemination");
    let all: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let skew = all["rows"][0]["max_us"].as_f64().unwrap();
    assert!(skew > 0.0 && skew <= 22.0, "{done:?}");
}

#[test]
fn mistakes_about_skews_end_with_code_2_and_their_flag() {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new();
    for (arguments, place) in [
        ("--ranks 0", "--ranks"),
        ("--ranks 4 --algorithm binomial", "--algorithm"),
        ("--ranks 4 --realisations 9", "--realisations"),
        ("--ranks 1000000 --noise fixed:duration=1us,rate=1Hz --realisations 1000", "--ranks"),
        ("--ranks 2^25", "--ranks"),
        ("--ranks 4 --entry 1,2", "--entry"),
        ("--ranks 4 -o skew.eps", "skew.eps"),
        ("--ranks 4,8", "exit-skew"),
    ] {
        let done = skew(&folder, arguments);
        assert_eq!(done.code, 2, "{arguments}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments}: {done:?}");
        page.add(&[arguments], &done);
    }
    insta::assert_snapshot!(page);
}

#[test]
fn a_file_that_is_there_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let asked = "barrier --algorithm linear --ranks 2..8";
    let done = sweep(&folder, &format!("{asked} --out b.csv"));
    assert_eq!(done.code, 0, "{done:?}");
    let rows = std::fs::read(folder.path().join("b.csv")).unwrap();
    for file in ["b.svg", "b.csv"] {
        let done = sweep(&folder, &format!("{asked} --over ranks --out {file}"));
        assert_eq!(done.code, 2, "{done:?}");
        assert!(done.stderr.contains("b.csv exists already"), "{done:?}");
        assert_eq!(std::fs::read(folder.path().join("b.csv")).unwrap(), rows);
    }
    assert!(!folder.path().join("b.svg").exists());
    let drawn = |ranks: &str, file: &str| {
        sweep(&folder, &format!("barrier --algorithm linear --ranks {ranks} --over ranks --out {file}"))
    };
    assert_eq!(drawn("2..8", "c.svg").code, 0);
    assert_eq!(drawn("2..8", "c.html").code, 0, "the same numbers may lie beside both");
    let numbers = std::fs::read(folder.path().join("c.csv")).unwrap();
    let of_print = [("2..16", "c.pdf", "c.csv")].into_iter().filter(|_| cfg!(feature = "print"));
    for (ranks, file, there) in [("2..8", "c.svg", "c.svg"), ("2..16", "c.csv", "c.csv")].into_iter().chain(of_print) {
        let done = drawn(ranks, file);
        assert_eq!(done.code, 2, "{done:?}");
        assert!(done.stderr.contains(&format!("{there} exists already")), "{done:?}");
    }
    assert!(!folder.path().join("c.pdf").exists());
    assert_eq!(std::fs::read(folder.path().join("c.csv")).unwrap(), numbers);
}
