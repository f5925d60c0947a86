//! `parallax compare` and `parallax guidelines` as a user meets them.

mod common;

use common::command::{Done, finish, parallax};
use common::said::{Page, said};
use tempfile::TempDir;

fn data(name: &str) -> String {
    format!("{}/formats/tests/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn run(folder: &TempDir, arguments: &[&str]) -> Done {
    finish(parallax(folder).args(arguments))
}

/// A folder with two campaigns of threads, `a` and `b`, of 3 ranks; `b` has broadcasts of ten times the bytes too.
fn campaigns() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("a", "30"), ("b", "30,300")] {
        let measured = run(
            &folder,
            &[
                "measure",
                "bcast,reduce,allreduce",
                "--world",
                "threads",
                "--ranks",
                "3",
                "--bytes",
                bytes,
                "--method",
                "loop",
                "--samples",
                "6",
                "--calls",
                "2",
                "--launches",
                "2",
                "--out",
                name,
                "-q",
            ],
        );
        assert_eq!(measured.code, 0, "{measured:?}");
    }
    folder
}

#[test]
fn two_campaigns_of_threads_are_compared_in_every_form() {
    let folder = campaigns();
    let done = run(&folder, &["compare", "a", "b"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    // What is said above and below the table, whose times are this machine's, as are the facts that differ.
    let blocks: Vec<&str> = done.stdout.split("\n\n").collect();
    let only_b = blocks.iter().find(|block| block.contains("300 bytes")).expect("what A has not");
    assert_eq!(only_b.lines().count(), 1 + 3, "{done:?}");
    insta::assert_snapshot!("two_campaigns_of_two_launches", [blocks[0], only_b].join("\n\n"));
    // A campaign does not differ from itself.
    let itself = run(&folder, &["compare", "a", "a", "--fail-if", "missing", "--format", "json"]);
    assert_eq!(itself.code, 0, "{itself:?}");
    // Two launches can show nothing, so that a gate on times has not been passed.
    let blind = run(&folder, &["compare", "a", "a", "--fail-if", "differs:0"]);
    assert_eq!(blind.code, 1, "{blind:?}");
    let json: serde_json::Value = serde_json::from_str(&itself.stdout).unwrap();
    let rows = json["rows"].as_array().unwrap();
    assert!(rows.len() == 3 && rows.iter().all(|row| row["ratio"] == 1.0), "{json}");
    assert_eq!(rows[0]["operation"], "allreduce");
    insta::assert_snapshot!("a_comparison_that_cannot_fail", said(&blind, &[]));
    assert_eq!(rows[0]["counted"], "rounds", "one campaign: in pairs");
    let paired = run(&folder, &["compare", "a", "b", "--paired"]);
    assert!(paired.code == 0 && paired.stdout.contains("2 pairs"), "{paired:?}");
    let missing = run(&folder, &["compare", "b", "a", "--fail-if", "missing", "--format", "csv"]);
    assert_eq!(missing.code, 1, "{missing:?}");
    assert_eq!(missing.stderr.matches("--fail-if missing: ").count(), 3, "{missing:?}");
    insta::assert_snapshot!("cases_that_are_missing", said(&missing, &[]));
    assert!(missing.stdout.starts_with("side,state,operation,form,algorithm,ranks,bytes,"), "{missing:?}");
    let page = run(&folder, &["compare", "a", "b", "--out", "page/here", "--format", "markdown"]);
    assert!(page.code == 0 && page.stdout.starts_with("# How does B (b) compare with A (a)?\n\n**B is "), "{page:?}");
    for name in ["report.html", "pictures/ratio-b.svg", "pictures/ratio-b.csv"] {
        assert!(folder.path().join("page/here").join(name).is_file(), "{name}");
    }
    // Two campaigns of a side are its launches: two and two.
    let launches = run(&folder, &["compare", "a+b", "b", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&launches.stdout).unwrap();
    assert_eq!((&json["sides"][0]["launches"], &json["sides"][1]["launches"]), (&4.into(), &2.into()));
}

#[test]
fn a_campaign_its_run_in_the_store_and_its_exported_samples_are_the_same() {
    let folder = campaigns();
    assert_eq!(run(&folder, &["store", "add", "a", "--db", "s.sqlite"]).code, 0);
    assert_eq!(
        run(&folder, &["store", "export", "1", "--db", "s.sqlite", "--format", "csv", "--out", "a.csv"]).code,
        0
    );
    let done = run(&folder, &["compare", "a/campaign.jsonl", "1", "a.csv", "--db", "s.sqlite", "--format", "json"]);
    assert_eq!(done.code, 0, "{done:?}");
    let json: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let ratios: Vec<f64> = json["rows"].as_array().unwrap().iter().map(|row| row["ratio"].as_f64().unwrap()).collect();
    assert!(ratios.len() == 6 && ratios.iter().all(|ratio| (ratio - 1.0).abs() < 1e-4), "{ratios:?}");
    let refused = run(&folder, &["compare", "a", "s.sqlite"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    insta::assert_snapshot!(said(&refused, &[]));
}

#[test]
fn guidelines_of_a_campaign_are_checked() {
    let folder = campaigns();
    let done = run(&folder, &["guidelines", "b", "--all"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    // A terminal breaks names where there is no room.
    let whole = run(&folder, &["guidelines", "b", "--all", "--format", "markdown"]);
    for part in ["allreduce ≤ reduce + bcast", "bcast monotone in bytes", "reduce split-robust", "reduce ≤ allreduce"]
    {
        assert!(whole.stdout.contains(part), "{part}: {whole:?}");
    }
    let json = run(&folder, &["guidelines", "b", "--format", "json", "--out", "page"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let checks = json["checks"].as_array().unwrap();
    let violated = checks.iter().any(|check| check["verdict"] == "violated");
    // Two launches can show no violation, so that a gate has not been passed.
    let blind = [&["guidelines", "b", "--fail-if-violated"][..], &["compare", "b", "b", "--fail-if", "guideline"]];
    for arguments in blind {
        let done = run(&folder, arguments);
        assert!(!violated && done.code == 1 && done.stderr.contains("nothing could be tested"), "{done:?}");
    }
    assert!(folder.path().join("page/report.html").is_file());
    assert_eq!(run(&folder, &["compare", "b", "b", "--fail-if", "missing"]).code, 0, "nothing is missing");
}

#[test]
fn texts_of_other_benchmarks_and_machine_files_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    for (name, file) in [("osu.txt", "osu.default.bcast.np2.r7.txt"), ("imb.txt", "imb.default.bcast.np2.r7.txt")] {
        std::fs::copy(data(file), folder.path().join(name)).unwrap();
    }
    let done = run(&folder, &["compare", "osu.txt", "imb.txt"]);
    assert_eq!(done.code, 0, "{done:?}");
    let (told, facts) = done.stdout.split_once("\n\nWhat else differs\n").expect("blocks");
    assert!(facts.contains("printed by"), "{facts}");
    insta::assert_snapshot!("texts_of_two_benchmarks", told);
    let machine = |alpha: f64| {
        let (low, high) = (alpha * 0.99, alpha * 1.01);
        format!(
            "name = \"m\"\n[provenance]\ndate = \"d\"\nhost = \"h\"\nran_by = \"r\"\nhow = \"h\"\nconfidence = 0.99\n\
             [hockney]\nalpha_us = {{ value = {alpha}, low = {low}, high = {high} }}\n\
             beta_ns_per_byte = {{ value = 1.0, low = 0.9, high = 1.1 }}\nsend_rule = \"busy\"\n"
        )
    };
    for (name, alpha) in [("a.toml", 2.0), ("b.toml", 3.0)] {
        std::fs::write(folder.path().join(name), machine(alpha)).unwrap();
    }
    let done = run(&folder, &["compare", "a.toml", "b.toml", "--fail-if", "slower:20%"]);
    assert_eq!(done.code, 1, "{done:?}");
    insta::assert_snapshot!("a_machine_file_beside_another", done.stdout.lines().next().unwrap_or_default());
    insta::assert_snapshot!("a_slower_parameter", said(&done, &[]));
}

/// A text of OSU with a table for each number: as many launches.
fn printed(folder: &TempDir, name: &str, (title, head): (&str, &str), numbers: &[f64]) {
    let table = |number: &f64| format!("# OSU MPI {title} Test v7.4\n# Size      {head}\n1024      {number:.2}\n");
    std::fs::write(folder.path().join(name), numbers.iter().map(table).collect::<String>()).unwrap();
}

const RATE: (&str, &str) = ("Bandwidth", "Bandwidth (MB/s)");
const TIME: (&str, &str) = ("Broadcast Latency", "Avg Latency(us)");

#[test]
fn half_the_bandwidth_is_slower() {
    let folder = tempfile::tempdir().unwrap();
    printed(&folder, "whole.txt", RATE, &[3000.0, 3030.0, 2985.0, 3012.0]);
    printed(&folder, "half.txt", RATE, &[1500.0, 1515.0, 1490.0, 1507.0]);
    let compare =
        |more: &[&str]| run(&folder, &[&["compare", "whole.txt", "half.txt", "--column", "mb_per_s"], more].concat());
    let done = compare(&[]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    assert!(done.stdout.contains("A MB/s") && done.stdout.contains("MB/s: larger is better"), "{done:?}");
    insta::assert_snapshot!("half_the_bandwidth", done.stdout);
    let slower = compare(&["--fail-if", "slower:5%", "--format", "csv"]);
    assert_eq!(slower.code, 1, "{slower:?}");
    let mut reader = csv::Reader::from_reader(slower.stdout.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let row = reader.records().next().unwrap().unwrap();
    let cell = |head: &str| &row[heads.iter().position(|name| name == head).unwrap()];
    assert_eq!([cell("verdict"), cell("unit"), cell("better")], ["slower", "MB/s", "more"]);
    assert_eq!(compare(&["--fail-if", "faster:5%"]).code, 0);
    // The other way round it is faster.
    let back = ["compare", "half.txt", "whole.txt", "--column", "mb_per_s", "--fail-if", "slower:5%"];
    let done = run(&folder, &back);
    assert!(done.code == 0 && done.stdout.starts_with("B is faster than A in 1 of 1 case"), "{done:?}");
}

#[test]
fn a_gate_ends_with_code_1_and_says_why_wherever_nothing_could_be_tested() {
    let folder = tempfile::tempdir().unwrap();
    let four = [3.0, 3.1, 3.2, 3.3];
    printed(&folder, "one.txt", TIME, &four[..1]);
    printed(&folder, "other.txt", TIME, &[6.0]);
    printed(&folder, "four.txt", TIME, &four);
    printed(&folder, "reduce.txt", ("Reduce Latency", "Avg Latency(us)"), &four);
    printed(&folder, "rate.txt", ("Broadcast Latency", "Bandwidth (MB/s)"), &four);
    printed(&folder, "most.txt", ("Broadcast Latency", "Max Latency(us)"), &four);
    std::fs::write(
        folder.path().join("eight.txt"),
        "# Benchmarking Bcast\n# #processes = 8\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n\
         1024 100 5.0 7.0 6.0\n",
    )
    .unwrap();
    let four_of_imb = "# Benchmarking Bcast\n# #processes = 4\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n\
                       1024 100 5.0 7.0 6.0\n";
    std::fs::write(folder.path().join("ranks.txt"), four_of_imb).unwrap();
    let mut page = Page::new();
    for (arguments, without) in [
        // One launch on each side, and on one of them.
        (&["one.txt", "other.txt"][..], 0),
        (&["one.txt", "four.txt"], 0),
        // Other conditions: of 8 ranks and of 4.
        (&["eight.txt", "ranks.txt"], 2),
        // No case in common.
        (&["four.txt", "reduce.txt"], 2),
        // Numbers of two columns, of which the sides have one each; and times beside rates.
        (&["four.txt", "most.txt", "--column", "max_us"], 2),
        (&["four.txt", "rate.txt"], 2),
    ] {
        let plain = run(&folder, &[&["compare"], arguments].concat());
        assert_eq!(plain.code, without, "{arguments:?}: {plain:?}");
        for gate in ["slower:5%", "faster", "differs"] {
            let gated = [&["compare"], arguments, &["--fail-if", gate]].concat();
            let done = run(&folder, &gated);
            assert_eq!(done.code, 1, "{arguments:?}: {done:?}");
            assert!(done.stderr.contains("nothing could be tested, so nothing has passed: "), "{done:?}");
            if gate == "slower:5%" {
                page.add(&gated, &done);
            }
        }
    }
    insta::assert_snapshot!(page);
    // A number that no side has is a mistake, whatever the gate is.
    let typo = run(&folder, &["compare", "four.txt", "four.txt", "--column", "joules", "--fail-if", "slower"]);
    assert_eq!(typo.code, 2, "{typo:?}");
}

#[test]
fn mistakes_end_with_code_2_and_a_cure() {
    let folder = tempfile::tempdir().unwrap();
    let osu = data("osu.default.bcast.np2.r7.txt");
    std::fs::write(folder.path().join("prose.txt"), "no benchmark\n").unwrap();
    let valid = "# OSU MPI Latency Test v7.4\n# Size  Avg Latency(us)  Validation\n8  1.50  Pass\n";
    std::fs::write(folder.path().join("valid.txt"), valid).unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let mut page = Page::new();
    for (arguments, place) in [
        (&["nowhere", &osu][..], "nowhere"),
        (&["prose.txt", &osu], "prose.txt line 1"),
        (&["empty", &osu], "empty"),
        (&[&osu, &format!("{osu},method")], "'method'"),
        (&[&osu, &format!("{osu},methd=loop")], "'methd'"),
        (&[&osu, &format!("{osu},bytes=7")], "'7'"),
        (&[&osu, "empty+empty+empty"], "empty"),
        (&[&osu, &osu, "--ignore", "size"], "--ignore"),
        (&[&osu, &osu, "--ignore", "bytes"], "(8 and 16)"),
        (&[&osu, &osu, "--fail-if", "worse"], "--fail-if"),
        (&[&osu, &osu, "--at-least", "much"], "--at-least"),
        (&[&osu, &osu, "--confidence", "100%"], "--confidence"),
        (&[&osu, &osu, "--column", "joules"], "'joules'"),
        (&["valid.txt", "valid.txt", "--column", "passed"], "'passed'"),
        (&[&osu, &data("imb.default.allreduce.np2.r7.txt")], "allreduce"),
        (&[&osu], "<SIDE>"),
    ] {
        let done = run(&folder, &[&["compare"], arguments].concat());
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{arguments:?}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments:?}: {done:?}");
        page.add(arguments, &done);
    }
    printed(&folder, "rate.txt", RATE, &[3000.0]);
    for none in [
        ["guidelines", &data("osu-latency-6.2.txt"), "--column", "max_us"],
        ["guidelines", "rate.txt", "--column", "mb_per_s"],
    ] {
        let done = run(&folder, &none);
        assert_eq!(done.code, 2, "{done:?}");
        page.add(&none, &done);
    }
    insta::assert_snapshot!(page);
}
