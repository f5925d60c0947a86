//! `parallax sweep` as a user meets it: alone, cut off and gone on with, spread over MPI ranks.

mod common;

use common::command::{Done, Running, exists, finish, mpi_program, parallax, wait_for};
use common::said::{DIED, Page, said};
use common::table;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Noise, realisations, drawn entries, two models, two engines' worth of platforms: 96 points.
const SMALL: &str = r#"# What does noise cost a barrier?
operation = "barrier"
algorithm = ["linear", "dissemination"]
ranks = [2, 5, 64]
model = ["loggops", { name = "hockney", send_rule = "eager" }]
platform = ["none", "connect=30us"]
noise = ["none", "exponential:mean=100us,rate=1kHz"]
entry = ["together", "random:10us"]
realisations = [1, 3]
seed = 7
"#;
const POINTS: usize = 2 * 3 * 2 * 2 * 2 * 2 * 2;

fn folder_with(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("small.toml"), text).unwrap();
    folder
}

fn sweep(folder: &TempDir, arguments: &[&str]) -> Done {
    finish(parallax(folder).args(["sweep", "small.toml", "--quiet"]).args(arguments))
}

fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn any_number_of_threads_writes_the_same_bytes() {
    let folder = folder_with(SMALL);
    for form in ["jsonl", "csv"] {
        let mut texts = Vec::new();
        for threads in ["1", "2", "5"] {
            let out = format!("{threads}.{form}");
            let mut command = parallax(&folder);
            command.env("RAYON_NUM_THREADS", threads).args(["sweep", "small.toml", "--out", &out]);
            let done = finish(&mut command);
            assert_eq!((done.code, done.stdout.as_str()), (0, ""), "{done:?}");
            assert!(done.stderr.contains(&format!("{POINTS} points are in {out}")), "{done:?}");
            texts.push(read(&folder, &out));
        }
        assert_eq!(texts[0].lines().count(), POINTS + usize::from(form == "csv"));
        assert!(texts.iter().all(|text| *text == texts[0]), "{form}");
    }
    let printed = sweep(&folder, &["--format", "json"]);
    assert_eq!(printed.stdout, read(&folder, "1.jsonl"));
}

#[test]
fn a_point_says_what_parallax_simulate_says() {
    let folder = folder_with(SMALL);
    let printed = sweep(&folder, &["--format", "json"]);
    let rows: Vec<serde_json::Value> = printed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for row in rows.iter().step_by(7) {
        let text = |key: &str| row[key].as_str().unwrap_or_else(|| panic!("{key} of {row}")).to_owned();
        let number = |key: &str| row[key].to_string();
        let (ranks, seed, count) = (number("ranks"), number("seed"), number("realisations"));
        let mut command = parallax(&folder);
        command.args(["simulate", &text("operation"), "--format", "json", "--ranks", &ranks, "--seed", &seed]);
        for (flag, axis) in [("--algorithm", "algorithm"), ("--model", "model")] {
            command.args([flag.to_owned(), text(axis)]);
        }
        command.args(["--set", &text("parameters")]);
        let optional = [("platform", "none"), ("noise", "none"), ("entry", "together")];
        for (key, nothing) in optional.into_iter().filter(|(key, nothing)| text(key) != *nothing) {
            assert_ne!(nothing, text(key));
            command.args([format!("--{key}"), text(key)]);
        }
        if text("noise") != "none" {
            command.args(["--realisations", &count]);
        }
        let done = finish(&mut command);
        assert_eq!(done.code, 0, "{row}: {done:?}");
        let told: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
        let told = &told["rows"][0];
        if count == "1" || text("noise") != "none" {
            assert_eq!(
                (&row["finish_mean_ps"], &row["finish_p95_ps"]),
                (&told["finish_mean_ps"], &told["finish_p95_ps"]),
                "{row}"
            );
        }
        assert_eq!((&row["finish_max_ps"], &row["engine"]), (&told["finish_max_ps"], &told["engine"]), "{row}");
    }
}

#[test]
fn a_benchmark_at_a_point_prints_what_parallax_simulate_prints() {
    let network = r#"model = "loggp"
parameters = "L=1.2us,o=300ns,g=200ns,G=0.1ns/B"
platform = "placement=block:4,class.node.L=250ns"
noise = "exponential:mean=20us,rate=1kHz"
"#;
    let text = format!(
        "# What is printed?\noperation = \"reduce\"\nalgorithm = \"binomial\"\nranks = 12\nbytes = 64\nsamples = 5\nseed = 3\n\
         barrier = [\"tree\", \"linear\"]\nbenchmark = [\"none\", \"imb\", \"imb:t_min\", \"imb:t_max\", \"skampi\"]\n{network}"
    );
    let folder = folder_with(&text);
    let done = sweep(&folder, &["--format", "json"]);
    assert_eq!(done.code, 0, "{done:?}");
    let rows: Vec<serde_json::Value> = done.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 10);
    for (barrier, rows) in ["tree", "linear"].into_iter().zip(rows.chunks(5)) {
        assert!(rows[0]["printed_us"].is_null() && rows[0]["barrier"].is_null() && rows[0]["benchmark"] == "none");
        let columns = |benchmark: &str| {
            let flags = format!(
                "simulate reduce --algorithm binomial --ranks 12 --bytes 64 --model loggp --set \
                 L=1.2us,o=300ns,g=200ns,G=0.1ns/B --platform placement=block:4,class.node.L=250ns --noise \
                 exponential:mean=20us,rate=1kHz --seed 3 --samples 5 --barrier {barrier} --benchmark {benchmark} --format json"
            );
            let done = finish(parallax(&folder).args(flags.split_whitespace()));
            assert_eq!(done.code, 0, "{done:?}");
            let answer: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
            answer["rows"].as_array().unwrap().clone()
        };
        // IMB prints the average first, then the least and the greatest.
        let all = [columns("imb"), columns("skampi")].concat();
        for (row, column) in rows[1..].iter().zip(&all) {
            assert_eq!(row["printed_us"], column["printed_us"], "{row} {column}");
            assert_eq!(row["reference_us"], column["reference_us"], "{row} {column}");
            assert_eq!(row["barrier"], barrier);
        }
    }
    let printed = |row: usize| rows[row]["printed_us"].as_f64().unwrap();
    assert!(printed(2) <= printed(1) && printed(1) <= printed(3));
    assert!(printed(1) != printed(6), "the barrier counts");
}

#[test]
fn a_sweep_that_is_run_has_a_page_with_pictures_and_all_rows() {
    let text = "# What does OSU print?\noperation = \"bcast\"\nalgorithm = \"binomial\"\nranks = [4, 8, 16]\nbytes = 8\nsamples = 2\n\
        barrier = [\"tree\", \"dissemination\"]\nbenchmark = [\"osu\", \"osu:max\"]\n\
        [[expect]]\nsays = \"Less than the truth\"\nquantity = \"misreport\"\nof = { benchmark = \"osu\" }\nat_most = 1.0\n";
    let folder = folder_with(text);
    let done = finish(parallax(&folder).args(["run", "small.toml", "--out", "a"]));
    assert_eq!(done.code, 0, "{done:?}");
    assert!(
        done.stdout.contains("met  Less than the truth") && done.stdout.contains("Report: a/report.html"),
        "{done:?}"
    );
    let (page, rows) = (read(&folder, "a/report.html"), read(&folder, "a/rows.jsonl"));
    assert_eq!(rows.lines().count(), 12);
    for words in ["What does OSU print?", "✓ met", "dissemination", "truth"] {
        assert!(page.contains(words), "{words}");
    }
    // One picture for each benchmark; in it the truth and a curve for each barrier.
    let csv = read(&folder, "a/pictures/curves-1.csv");
    let mut names: Vec<String> = table::rows(&csv).into_iter().map(|row| row["curve"].clone()).collect();
    names.dedup();
    assert_eq!(names, ["truth", "tree", "dissemination"], "{csv}");
    assert!(
        folder.path().join("a/pictures/curves-2.svg").exists()
            && !folder.path().join("a/pictures/curves-3.svg").exists()
    );
    let again = finish(parallax(&folder).args(["run", "small.toml", "--out", "a"]));
    assert_eq!(again.code, 2, "{again:?}");
    let resumed = finish(parallax(&folder).args(["run", "small.toml", "--resume", "--out", "a"]));
    assert_eq!((resumed.code, read(&folder, "a/report.html") == page), (0, true), "{resumed:?}");
    let table = finish(parallax(&folder).args(["run", "small.toml", "--print-launch"]));
    assert_eq!(table.code, 2, "{table:?}");
}

#[test]
fn a_killed_sweep_is_gone_on_with_to_the_same_bytes() {
    let folder = folder_with(SMALL);
    assert_eq!(sweep(&folder, &["--out", "whole.jsonl"]).code, 0);
    let whole = read(&folder, "whole.jsonl");
    for cut in [0, 10, whole.len() / 2, whole.len() - 1, whole.len()] {
        std::fs::write(folder.path().join("cut.jsonl"), &whole[..cut]).unwrap();
        let said = ["whole", "cut"].map(|name| folder.path().join(format!("{name}.jsonl.sweep.json")));
        std::fs::copy(&said[0], &said[1]).unwrap();
        let done = sweep(&folder, &["--out", "cut.jsonl", "--resume"]);
        assert_eq!((done.code, read(&folder, "cut.jsonl") == whole), (0, true), "cut at {cut}: {done:?}");
    }
    let again = sweep(&folder, &["--out", "whole.jsonl"]);
    assert_eq!(again.code, 2, "{again:?}");
    let mut page = Page::new();
    page.add(&["the same again"], &again);
    std::fs::write(folder.path().join("small.toml"), SMALL.replace("seed = 7", "seed = 8")).unwrap();
    let other = sweep(&folder, &["--out", "whole.jsonl", "--resume"]);
    assert_eq!((other.code, read(&folder, "whole.jsonl") == whole), (2, true), "{other:?}");
    page.add(&["--resume with another seed"], &other);
    insta::assert_snapshot!(page);
}

#[test]
fn an_interrupted_sweep_keeps_its_rows_and_says_how_to_go_on() {
    let long = SMALL.replace("seed = 7", "seed = \"1..1000000+1\"");
    let folder = folder_with(&long);
    let mut running = Running::start(parallax(&folder).args(["sweep", "small.toml", "--out", "long.csv"]));
    running.wait_for("some rows", || {
        std::fs::read_to_string(folder.path().join("long.csv")).unwrap_or_default().lines().count() > 20
    });
    running.signal(libc::SIGINT);
    let done = running.finish();
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stderr.contains("interrupted") && done.stderr.contains("--resume"), "{done:?}");
    assert!(read(&folder, "long.csv").ends_with('\n'), "whole rows");
}

#[test]
fn points_that_fail_are_rows_and_the_exit_code_tells() {
    // A list of five entries fits five ranks only; the fast engine knows no connections.
    let text = SMALL.replace("[\"together\", \"random:10us\"]", "[\"together\", \"0,1us,2us,3us,4us\"]");
    let folder = folder_with(&text);
    let done = sweep(&folder, &["--out", "rows.jsonl", "--engine", "fast"]);
    assert_eq!(done.code, 1, "{done:?}");
    let rows: Vec<serde_json::Value> =
        read(&folder, "rows.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), POINTS);
    for row in &rows {
        let fails = row["platform"] == "connect=30us" || row["entry"] != "together" && row["ranks"] != 5;
        assert_eq!(row["failure"].is_string(), fails, "{row}");
        assert_eq!(row["finish_max_ps"].is_null(), fails, "{row}");
    }
    let failed = rows.iter().filter(|row| row["failure"].is_string()).count();
    assert!(done.stderr.contains(&format!("{failed} of {POINTS} points failed")), "{done:?}");
    // Going on with a whole file has nothing to do, and still tells.
    assert_eq!(sweep(&folder, &["--out", "rows.jsonl", "--engine", "fast", "--resume"]).code, 1);
    let other = sweep(&folder, &["--out", "rows.jsonl", "--resume"]);
    assert!(other.code == 2 && other.stderr.contains("--engine fast"), "{other:?}");
    insta::assert_snapshot!(said(&other, &[]));
}

#[test]
fn small_sweeps_are_tables_and_mistakes_end_with_code_2() {
    let folder = folder_with(SMALL);
    let table = sweep(&folder, &[]);
    assert_eq!(table.code, 0, "{table:?}");
    assert!(table.stdout.starts_with("What does noise cost a barrier?\n"), "{table:?}");
    assert_eq!(table.stdout.matches("barrier dissemination").count(), POINTS / 2, "{table:?}");
    let format = sweep(&folder, &["--out", "rows.txt"]);
    assert_eq!(format.code, 2, "{format:?}");
    let mut page = Page::new();
    page.add(&["--out", "rows.txt"], &format);
    let wrong = folder_with(&SMALL.replace("ranks", "rank"));
    let done = sweep(&wrong, &["--out", "rows.csv"]);
    assert!(done.code == 2 && done.stderr.contains("small.toml line 4, key 'rank'"), "{done:?}");
    page.add(&["rank in place of ranks"], &done);
    let large = folder_with(&SMALL.replace("seed = 7", "seed = [1, 2, 3]"));
    let done = sweep(&large, &[]);
    assert!(done.code == 2 && done.stderr.contains("576"), "{done:?}");
    page.add(&["three seeds"], &done);
    insta::assert_snapshot!(page);
}

/// `mpirun -n RANKS parallax-mpi sweep small.toml …` of a library, if it is here.
fn spread(library: &str, folder: &TempDir, ranks: u32, arguments: &[&str]) -> Option<Command> {
    let program = mpi_program(library)?;
    // What `parallax` itself would start its ranks with.
    std::fs::write(folder.path().join("plan.toml"), common::command::scenario(library, 3, "1 ms")).unwrap();
    let plan = finish(parallax(folder).args(["run", "plan.toml", "--print-launch"])).stdout;
    let line = plan
        .lines()
        .find(|line| line.contains(" --job "))
        .unwrap_or_else(|| panic!("no line to start {library}: {plan}"));
    let line = line.replace(" -n 3 ", &format!(" -n {ranks} "));
    let mut words = line.split(' ').take_while(|word| Path::new(word) != program);
    let mut command = Command::new(words.next()?);
    command.args(words).arg(&program).args(["sweep", "small.toml", "--parallax", env!("CARGO_BIN_EXE_parallax")]);
    command.args(arguments).current_dir(folder.path());
    Some(command)
}

#[test]
fn mpi_ranks_write_the_same_bytes_as_one_process_and_go_on_with_its_file() {
    for library in ["openmpi", "mpich"] {
        let folder = folder_with(SMALL);
        assert_eq!(sweep(&folder, &["--out", "alone.csv"]).code, 0);
        for ranks in [1, 3] {
            let out = format!("{ranks}.csv");
            let Some(mut command) = spread(library, &folder, ranks, &["--out", &out]) else { continue };
            let done = finish(&mut command);
            assert_eq!(done.code, 0, "{library}: {done:?}");
            assert_eq!(read(&folder, &out), read(&folder, "alone.csv"), "{library}, {ranks} ranks");
            let half = read(&folder, &out)[..8_000].to_owned();
            std::fs::write(folder.path().join(&out), half).unwrap();
            let refused = finish(&mut spread(library, &folder, ranks, &["--out", &out]).unwrap());
            assert!(refused.code == 2 && refused.stderr.contains(&out), "{library}: {refused:?}");
            let resumed = finish(&mut spread(library, &folder, ranks, &["--out", &out, "--resume"]).unwrap());
            assert_eq!(resumed.code, 0, "{library}: {resumed:?}");
            assert_eq!(read(&folder, &out), read(&folder, "alone.csv"), "{library}, {ranks} ranks, resumed");
        }
    }
}

#[test]
fn a_simulator_that_dies_ends_all_ranks_and_is_named() {
    for library in ["openmpi", "mpich"] {
        let folder = folder_with(&SMALL.replace("seed = 7", "seed = \"1..1000000+1\""));
        let Some(mut command) = spread(library, &folder, 3, &["--out", "long.jsonl"]) else { continue };
        let mut running = Running::start(&mut command);
        running.wait_for("some rows", || {
            std::fs::read_to_string(folder.path().join("long.jsonl")).unwrap_or_default().lines().count() > 20
        });
        let family = running.descendants();
        let victim = *family.iter().find(|&&process| words(process).contains(&"--serve".to_owned())).unwrap();
        // SAFETY: a plain system call on a process that we started.
        unsafe { libc::kill(victim as i32, libc::SIGKILL) };
        let done = running.finish();
        assert_ne!(done.code, 0, "{library}: {done:?}");
        assert!(done.stderr.contains(&format!("(process {victim} on ")) && done.stderr.contains(DIED), "{done:?}");
        for process in family {
            wait_for("all processes to be gone", || !exists(process));
        }
    }
}

/// The command line of a process.
fn words(process: u32) -> Vec<String> {
    let line = std::fs::read(PathBuf::from(format!("/proc/{process}/cmdline"))).unwrap_or_default();
    line.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}
