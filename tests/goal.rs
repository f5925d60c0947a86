//! `parallax goal` as a user meets it.

mod common;

use common::command::{Done, finish, parallax};
use common::said::{Page, said};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const PING: &str = "num_ranks 2\nrank 0 {\na: send 64b to 1 tag 3\nb: recv 64b from 1 tag 4\nb requires a\n}\n\
                    rank 1 {\na: recv 64b from 0 tag 3\nw: calc 500\nb: send 64b to 0 tag 4\nw requires a\nb requires w\n}\n";

fn goal(folder: &TempDir, arguments: &[&str]) -> Done {
    finish(parallax(folder).arg("goal").args(arguments))
}

fn with_file(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.goal"), text).unwrap();
    folder
}

fn json(done: &Done) -> serde_json::Value {
    assert_eq!(done.code, 0, "{done:?}");
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

/// The one row of a run.
fn row(done: &Done) -> serde_json::Value {
    json(done)["rows"][0].clone()
}

/// When each rank finishes, in ps.
fn finishes(done: &Done) -> Vec<u64> {
    let all = json(done)["ranks"].clone();
    all.as_array().unwrap().iter().map(|row| row["finish_ps"].as_u64().unwrap()).collect()
}

#[test]
fn loggopsim_s_rules_give_its_times() {
    let folder = with_file(PING);
    let arguments = ["run", "s.goal", "--model", "loggopsim-v1", "--per-rank", "--format", "json"];
    let done = goal(&folder, &arguments);
    assert_eq!(finishes(&done), [12_256_000, 7_878_000]);
    let result = row(&done);
    assert_eq!((&result["model"], &result["engine"]), (&"loggopsim-v1".into(), &"event".into()));
    assert_eq!((&result["messages"], &result["seed"]), (&2.into(), &1.into()));
    assert!(result["parameters"].as_str().is_some_and(|all| all.contains("L=2500ns")), "{result}");
    let changed = [&arguments[..], &["--set", "L=1us, o=1500,G=0.006us/B"]].concat();
    assert_eq!(finishes(&goal(&folder, &changed)), [9_256_000, 6_378_000]);
}

#[test]
fn the_table_tells_model_parameters_and_engine() {
    let folder = with_file(PING);
    let done = goal(
        &folder,
        &["run", "s.goal", "--model", "hockney", "--set", "alpha=100", "--send-rule", "eager", "--per-rank"],
    );
    assert_eq!(done.code, 0, "{done:?}");
    for part in ["s.goal, 2 ranks", "Hockney, send rule eager, α = 100 ns", "fast", "messages  2", "     1  "] {
        assert!(done.stdout.contains(part), "{part}: {}", done.stdout);
    }
    let summary = row(&goal(&folder, &["run", "s.goal", "--format", "json", "--engine", "fast"]));
    assert_eq!(summary["engine"], "fast");
    let [min, max, median] =
        ["min", "max", "p50"].map(|of| summary[format!("finish_{of}_ps")].as_u64().expect("a time"));
    assert!(min < max && median.abs_diff((min + max) / 2) <= 1, "the mean of the two: {summary}");
}

#[test]
fn a_schedule_comes_from_standard_input_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut command: Command = parallax(&folder);
    std::fs::write(folder.path().join("s.goal"), PING).unwrap();
    let input = Stdio::from(std::fs::File::open(folder.path().join("s.goal")).unwrap());
    let output = command.args(["goal", "run", "-", "--engine", "event"]).stdin(input).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("standard input, 2 ranks"), "{output:?}");
}

#[test]
fn mistakes_end_with_code_2_and_say_where() {
    let folder = with_file("num_ranks 2\nrank 0 { send 1b to 2 }\nrank 1 {}\n");
    let mut page = Page::new();
    let cases: [(&[&str], &str); 10] = [
        (&["run", "s.goal"], "s.goal line 2"),
        (&["check", "s.goal"], "s.goal line 2"),
        (&["run", "nowhere.goal"], "nowhere.goal"),
        (&["run", "s.goal", "--model", "logparty"], "'logparty'"),
        (&["run", "s.goal", "--model", "loggopsim-v1", "--set", "Q=1"], "'Q'"),
        (&["export", "bcast", "--algorithm", "magic", "--ranks", "4"], "'magic'"),
        (&["export", "bcast", "--algorithm", "linear", "--ranks", "4", "--root", "4"], "--root"),
        (&["export", "bcast", "--algorithm", "linear", "--ranks", "2^29"], "--ranks"),
        (&["run", "s.goal", "--model", "loggopsim-v1", "--send-rule", "busy"], "--send-rule"),
        (&["run", "nowhere.goal", "--noise", "cosmic"], "--noise:"),
    ];
    for (arguments, place) in cases {
        let done = goal(&folder, arguments);
        assert_eq!(done.code, 2, "{done:?}");
        assert!(done.stderr.contains(place), "{place}: {done:?}");
        let of_clap = done.stderr.starts_with("error: ");
        assert!(of_clap || done.stderr.trim().lines().count() == 1, "{done:?}");
        page.add(arguments, &done);
    }
    insta::assert_snapshot!(page);
}

#[test]
fn check_names_what_is_wrong_and_where() {
    let done = goal(&with_file(PING), &["check", "s.goal"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    insta::assert_snapshot!("nothing_is_wrong", done.stdout);
    let mut page = Page::new();
    let done = goal(&with_file(&PING.replace("recv 64b from 0", "recv 65b from 0")), &["check", "s.goal"]);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stderr.contains("rank 0 line 3") && done.stderr.contains("rank 1 line 8"), "{done:?}");
    page.add(&["65 bytes received of 64"], &done);
    let done = goal(&with_file(&PING.replace("b requires a", "a requires b")), &["check", "s.goal"]);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stderr.contains("rank 0 line 4") && done.stderr.contains("rank 1 line 8"), "{done:?}");
    page.add(&["receives before sends"], &done);
    let done = goal(&with_file("num_ranks 1\nrank 0 {\na: calc 1\na requires a\n}"), &["check", "s.goal"]);
    assert!(done.code == 2 && done.stderr.contains("rank 0 line 3"), "{done:?}");
    page.add(&["an operation requires itself"], &done);
    // The receive from any rank takes the message that the next one waits for.
    let taken = "num_ranks 3\nrank 0 {\na: recv 8b from -1 tag 1\nb: recv 8b from 1 tag 1\nb requires a\n}\n\
                 rank 1 {\nsend 8b to 0 tag 1\n}\nrank 2 {\nc: calc 9000000\ns: send 8b to 0 tag 1\ns requires c\n}";
    let done = goal(&with_file(taken), &["check", "s.goal"]);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stderr.contains("rank 0 line 3") && done.stderr.contains("has taken rank 1 line 8"), "{done:?}");
    page.add(&["a receive from any rank takes what another one waits for"], &done);
    let crossed = "num_ranks 2\nrank 0 {\ns: send 1b to 1\nr: recv 1b from 1\nr requires s\n}\n\
                   rank 1 {\ns: send 1b to 0\nr: recv 1b from 0\nr requires s\n}";
    let done = goal(&with_file(crossed), &["check", "s.goal"]);
    assert_eq!(done.code, 0, "{done:?}");
    insta::assert_snapshot!("what_is_wrong_and_where", page);
    insta::assert_snapshot!("a_deadlock_of_senders_that_wait", done.stdout);
}

#[test]
fn what_is_exported_runs() {
    let folder = tempfile::tempdir().unwrap();
    let shape = ["--ranks", "16", "--bytes", "64", "--calls", "3"];
    let export = [&["export", "bcast", "--algorithm", "binomial"][..], &shape].concat();
    let printed = goal(&folder, &export);
    assert_eq!(printed.code, 0, "{printed:?}");
    assert_eq!(goal(&folder, &[&export[..], &["-o", "out.goal"]].concat()).stdout, "");
    assert_eq!(std::fs::read_to_string(folder.path().join("out.goal")).unwrap(), printed.stdout);
    let run = |engine| goal(&folder, &["run", "out.goal", "--format", "json", "--per-rank", "--engine", engine]);
    let (event, fast) = (run("event"), run("fast"));
    assert_eq!(finishes(&event), finishes(&fast));
    assert_eq!(row(&event)["messages"], 3 * 15);
}

#[test]
fn the_binary_form_is_written_and_runs_as_the_text_does() {
    let folder = tempfile::tempdir().unwrap();
    let export = ["export", "allreduce", "--algorithm", "ring", "--ranks", "6", "--bytes", "1KiB", "-o"];
    for file in ["ring.goal", "ring.bin"] {
        assert_eq!(goal(&folder, &[&export[..], &[file]].concat()).code, 0);
    }
    let binary = std::fs::read(folder.path().join("ring.bin")).unwrap();
    assert_eq!(binary[..8], 4223u64.to_le_bytes());
    let run = |file| finishes(&goal(&folder, &["run", file, "--format", "json", "--per-rank"]));
    assert_eq!(run("ring.bin"), run("ring.goal"));
}

#[test]
fn a_machines_messages_count_and_what_a_schedule_does_not_know_is_said() {
    let folder = with_file(PING);
    let done = goal(&folder, &["run", "s.goal", "--machine", "openmpi"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("machine   openmpi: message costs only; not applied: first messages"), "{done:?}");
    let of = |model: &str| {
        row(&goal(&folder, &["run", "s.goal", "--machine", "openmpi", "--model", model, "--format", "json"]))
    };
    let loggops = of("loggops");
    assert_eq!((&loggops["machine"], &loggops["model"]), (&"openmpi".into(), &"loggops".into()));
    // The same parameters by hand give the same times.
    let parameters = loggops["parameters"].as_str().unwrap();
    let by_hand = goal(&folder, &["run", "s.goal", "--model", "loggops", "--set", parameters, "--format", "json"]);
    assert_eq!(row(&by_hand)["finish_p50_ps"], loggops["finish_p50_ps"]);
    let mut page = Page::new();
    for (arguments, place) in [
        (&["--machine", "openmpi", "--set", "L=1"][..], "--set"),
        (&["--machine", "openmpi,mpich"], "--machine"),
        (&["--machine", "openmpi", "--model", "loggopsim-v1"], "--machine"),
        (&["--machine", "nowhere"], "nowhere"),
        (&["--model", "loggopsim-v1", "--critical-path"], "--critical-path"),
        (&["--sensitivity", "Q"], "'Q'"),
        (&["--sensitivity", "L=20us..0"], "--sensitivity"),
        (&["--sensitivity", "L", "--noise", "exponential:mean=10us,rate=1kHz"], "--noise"),
        (&["--sensitivity", "L", "--out", "c.eps"], "c.eps"),
    ] {
        let arguments = [&["run", "s.goal"][..], arguments].concat();
        let done = goal(&folder, &arguments);
        assert_eq!(done.code, 2, "{done:?}");
        assert!(done.stderr.contains(place) && done.stderr.trim().lines().count() == 1, "{place}: {done:?}");
        page.add(&arguments, &done);
    }
    insta::assert_snapshot!(page);
}

/// Two ways to rank 1's end: its own calculation of 7 µs, or a message back and forth.
const TWO_WAYS: &str = "num_ranks 2\nrank 0 {\na: send 1b to 1\nb: recv 1b from 1\nb requires a\n}\n\
                        rank 1 {\nc: calc 7000\nr: recv 1b from 0\nr requires c\ns: send 1b to 0\ns requires r\n}\n";

#[test]
fn a_finish_over_parameters_is_printed_and_drawn_piece_by_piece() {
    let folder = with_file(TWO_WAYS);
    let asked = ["run", "s.goal", "--set", "L=1us,o=500ns,g=0", "--sensitivity", "L=0..20us,g=0..5us"];
    let done = goal(&folder, &[&asked[..], &["--out", "l.html"]].concat());
    assert_eq!(done.code, 0, "{done:?}");
    insta::assert_snapshot!(done.stdout);
    let page = std::fs::read_to_string(folder.path().join("l.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("n = 2"), "{page}");
    // c, r and s: 7 + 0.5 + 0.5 + L + 0.5; a, r and s: 2 · (0.5 + L + 0.5): the same at L = 6.5 µs.
    let csv = std::fs::read_to_string(folder.path().join("l.csv")).unwrap();
    assert!(
        csv.contains("\nL,ps,,0,6500000,1,8500000,8500000,15000000,true\nL,ps,,6500001,20000000,2,2000000,"),
        "{csv}"
    );
    let rows = json(&goal(&folder, &[&asked[..], &["--format", "json"]].concat()))["pieces"].clone();
    assert_eq!(rows.as_array().unwrap().len(), csv.lines().count() - 1);
    // Runs lie on the lines.
    for (latency, piece) in [(3_000_000, &rows[0]), (12_345_678, &rows[1])] {
        let set = format!("L={latency}ps,o=500ns,g=0");
        let run = row(&goal(&folder, &["run", "s.goal", "--set", &set, "--format", "json"]));
        let line = piece["intercept_ps"].as_i64().unwrap() + piece["slope"].as_i64().unwrap() * latency;
        assert_eq!(run["finish_max_ps"], line);
    }
    // LogGOPSim's rules, too, but nothing is proven of them.
    let done = goal(&folder, &["run", "s.goal", "--model", "loggopsim-v1", "--sensitivity", "L"]);
    assert!(done.code == 0 && done.stdout.contains("not proven: LogGOPSim's rules"), "{done:?}");
}

#[test]
fn a_timeline_is_written_as_its_ending_says() {
    let folder = with_file(PING);
    for (file, begin) in [("line.svg", "<svg"), ("line.html", "<!"), ("line.json", "{"), ("line.paje", "%EventDef")] {
        let done = goal(&folder, &["run", "s.goal", "--timeline", file]);
        assert_eq!(done.code, 0, "{done:?}");
        let written = std::fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(written.starts_with(begin), "{file}: {}", &written[..40]);
    }
    // The ending is looked at first, before the schedule is.
    let done = goal(&folder, &["run", "nowhere.goal", "--timeline", "line.tsv"]);
    assert!(done.code == 2 && done.stderr.contains("line.tsv") && done.stderr.contains(".svg"), "{done:?}");
    let done = goal(&folder, &["run", "s.goal", "--timeline", "missing/line.svg"]);
    assert!(done.code == 2 && done.stderr.contains("missing/line.svg"), "{done:?}");
}

#[test]
fn noise_delays_and_is_named() {
    let folder = with_file(PING);
    let arguments = ["run", "s.goal", "--format", "json", "--noise", "periodic:period=3us,duration=1us", "--seed", "7"];
    let noisy = row(&goal(&folder, &arguments));
    let quiet = row(&goal(&folder, &["run", "s.goal", "--format", "json"]));
    assert!(noisy["finish_max_ps"].as_u64() > quiet["finish_max_ps"].as_u64(), "{noisy}");
    assert!(noisy["noise"].as_str().unwrap().starts_with("periodic"), "{noisy}");
    assert_eq!((&noisy["seed"], &quiet["noise"]), (&7.into(), &"none".into()));
    let event = row(&goal(&folder, &[&arguments[..], &["--engine", "event"]].concat()));
    assert_eq!(event["finish_mean_ps"], noisy["finish_mean_ps"]);
}

#[test]
fn a_long_message_waits_for_its_receiver_under_loggops() {
    let folder = with_file(
        "num_ranks 2\nrank 0 { send 11b to 1 }\nrank 1 {\nc: calc 9000\nr: recv 11b from 0\nr requires c\n}\n",
    );
    let sender = |set: &str| {
        let run = ["run", "s.goal", "--format", "json", "--per-rank", "--set", set];
        finishes(&goal(&folder, &run))[0]
    };
    assert_eq!(sender("S=11"), 1_500_000);
    assert_eq!(sender("S=10"), 9_060_000);
    // The request is there at 4 µs, the answer back at 9 + 2.5 µs.
    assert_eq!(sender("S=10,rendezvous=round-trip"), 11_560_000);
}

#[test]
fn reading_alone_counts() {
    let folder = with_file(PING);
    let counts = row(&goal(&folder, &["check", "s.goal", "--read-only", "--format", "json"]));
    for (key, count) in [("ranks", 2), ("ops", 5), ("dependencies", 3), ("messages", 2)] {
        assert_eq!(counts[key], count, "{key}: {counts}");
    }
    let done = goal(&folder, &["run", "s.goal", "--timings"]);
    for stage in ["read ", "fast "] {
        assert!(done.stderr.contains(stage) && !done.stdout.contains("timings"), "{done:?}");
    }
}

#[test]
fn the_critical_path_counts_the_parameters() {
    let folder = with_file(PING);
    let done = goal(&folder, &["run", "s.goal", "--critical-path", "--format", "json", "--model", "loggp"]);
    let found = json(&done);
    // There and back: 2 (o + 63 G + L + o) and the calculation.
    for (name, count) in [("L", 2), ("os", 2), ("or", 2), ("G", 126), ("calc", 500_000)] {
        let term = found["terms"].as_array().unwrap().iter().find(|term| term["parameter"] == name);
        assert_eq!(term.unwrap()["occurs"], count, "{name}: {found}");
    }
    assert_eq!(found["end_ps"], 2 * (1_500 + 63 * 6 + 2_500 + 1_500) * 1_000 + 500_000);
    assert_eq!(found["critical_path"][0]["line"], 3);
    let line = ["at_zero_ps", "per_latency", "from_ps", "to_ps"].map(|key| found[key].as_u64());
    assert_eq!(line, [Some(7_256_000), Some(2), Some(0), None]);
    let done = goal(&folder, &["run", "s.goal", "--critical-path"]);
    assert!(done.stdout.contains("rank 1 line 9 (calc 500)"), "{done:?}");
    let done = goal(&folder, &["run", "s.goal", "--critical-path", "--model", "loggopsim-v1"]);
    assert!(done.code == 2 && done.stderr.contains("--critical-path"), "{done:?}");
    insta::assert_snapshot!(said(&done, &[]));
}

#[test]
fn a_run_refuses_messages_that_nobody_receives_whichever_engine_is_free_to_take_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = "num_ranks 2\nrank 0 {\na: send 8b to 1 tag 1\nb: send 8b to 1 tag 2\nb requires a\n}\nrank 1 {\na: recv 8b from 0 tag 1\n}\n";
    std::fs::write(folder.path().join("lost.goal"), text).unwrap();
    for engine in ["auto", "event", "fast"] {
        let done = finish(parallax(&folder).args(["goal", "run", "lost.goal", "--engine", engine]));
        assert_eq!(done.code, 2, "{engine}: {done:?}");
    }
}
