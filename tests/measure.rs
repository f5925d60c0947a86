//! `parallax measure` as a user meets it: tables on threads and on MPI, mistakes, resuming, ranks that die.

mod common;

use common::command::{Done, Running, finish, mpi_program, parallax, wait_for};
use common::said::{Page, STOPPED, said};
use common::table;
use std::collections::BTreeSet;
use std::path::Path;
use tempfile::TempDir;

/// Few and short cases on two threads.
#[rustfmt::skip]
const SMALL: [&str; 15] = [
    "--world", "threads", "--ranks", "2", "--bytes", "8,64", "--method", "window,loop,barrier-loop",
    "--samples", "4", "--calls", "3", "--check", "--launches", "1",
];

fn measure(folder: &TempDir, arguments: &[&str]) -> Done {
    finish(parallax(folder).arg("measure").args(arguments))
}

fn campaign(folder: &TempDir) -> String {
    std::fs::read_to_string(folder.path().join("results/measure-001/campaign.jsonl")).unwrap_or_default()
}

#[test]
fn threads_give_a_table_with_every_column_and_a_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let done = measure(&folder, &[&["bcast,barrier"], &SMALL[..]].concat());
    assert_eq!(done.code, 0, "{done:?}");
    for word in [
        "bcast, linear, root 0, 2 ranks, threads (emulated-measure)",
        "barrier, ",
        "window",
        "loop",
        "IMB+OSU",
        "× later",
    ] {
        assert!(done.stdout.contains(word), "{word}: {done:?}");
    }
    assert!(done.stdout.contains("Clocks, in µs"), "{done:?}");
    assert_eq!(done.stdout.trim().lines().last(), Some("Campaign: results/measure-001"), "{done:?}");
    // Two lengths of a broadcast and one barrier, by three methods.
    assert_eq!(campaign(&folder).matches("{\"measured\"").count(), 9);
    let told: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("measured ")).collect();
    assert_eq!(told.len(), 9, "one plain line for each case: {done:?}");
    assert!(told[8].contains("(9 of 9, 0 s left)"), "{done:?}");
    let files: Vec<String> =
        ["campaign.jsonl", "summary.txt", "details.txt", "measured.csv", "report.html", "pictures"]
            .map(str::to_owned)
            .to_vec();
    let mut there: Vec<String> = std::fs::read_dir(folder.path().join("results/measure-001"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort_by_key(|name| files.iter().position(|known| known == name));
    // Ratios are drawn. On a busy machine windows may be too few or too uncertain for any: then there is nothing to draw.
    let table = std::fs::read(folder.path().join("results/measure-001/measured.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(&table[..]);
    let heads = rows.headers().unwrap().clone();
    let column = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let (kind, name, ratio) = (column("kind"), column("name"), column("ratio"));
    let is_drawn =
        |row: &csv::StringRecord| &row[kind] == "method" && &row[name] != "reference" && !row[ratio].is_empty();
    let drawn = rows.records().any(|row| is_drawn(&row.unwrap()));
    assert_eq!(there, files[..if drawn { 6 } else { 5 }], "job files are removed");
    let quiet = measure(&folder, &[&["bcast"], &SMALL[..], &["--quiet"]].concat());
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""), "{quiet:?}");
    assert!(quiet.stdout.contains("results/measure-002"), "nothing is overwritten: {quiet:?}");
}

#[test]
fn the_environment_and_the_plan_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(measure(&folder, &[&["bcast"], &SMALL[..], &["--seed", "77"]].concat()).code, 0);
    let text = campaign(&folder);
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let facts = first["campaign"]["environment"].to_string();
    for fact in ["started", "parallax", "seed", "host", "processor", "cores", "memory", "kernel", "load before the run"]
    {
        assert!(facts.contains(&format!("[\"{fact}\"")), "{fact}: {facts}");
    }
    // Built outside of its repository it knows no commit.
    assert_eq!(facts.contains("[\"commit\""), campaign::environment::COMMIT.is_some(), "{facts}");
    assert_eq!(first["campaign"]["seed"], 77);
    let command = first["campaign"]["reproduce"][0].as_str().unwrap();
    assert!(
        command.starts_with("parallax measure bcast --world threads") && command.ends_with("--seed 77"),
        "{command}"
    );
}

#[test]
fn all_forms_say_the_same_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let all = |format: &[&str]| measure(&folder, &[&["bcast", "--out", "one"], &SMALL[..], format].concat());
    let json = all(&["--format", "json", "-q"]);
    assert_eq!((json.code, json.stderr.as_str()), (0, ""), "{json:?}");
    let object: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let is_it = |row: &&serde_json::Value| row["bytes"] == 64 && row["name"] == "reference";
    let window = object["rows"].as_array().unwrap().iter().find(is_it).unwrap()["time_us"].as_f64().unwrap();
    assert!(window > 100.0, "the network takes 100 µs: {window}");
    let again = |format: &str| {
        let done = measure(&folder, &["--resume", "--out", "one", "-q", "--format", format]);
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{format}: {done:?}");
        done.stdout
    };
    let csv = again("csv");
    let row =
        table::rows(&csv).into_iter().find(|row| row["bytes"] == "64" && row["name"] == "reference").expect("a row");
    let us: f64 = row["time_us"].parse().expect("a number");
    assert!((us - window).abs() < 1e-6 && row["method"] == "window" && row["kind"] == "method", "{row:?}");
    assert!(
        row["campaign"].starts_with("measure-") && row["date"].ends_with('Z') && row["library"].is_empty(),
        "{row:?}"
    );
    assert!(again("markdown").contains("| bytes | method | time, µs | × the reference |"));
    assert!(again("imb").contains("t_avg[usec]"));
    assert!(again("osu").contains("Avg Latency(us)"));
    assert!(again("mpiperf").lines().any(|line| line.starts_with('#') && line.contains("TRuns")));
    assert!(again("table").contains("bcast, linear"));
    let details = measure(&folder, &["--resume", "--out", "one", "-q", "--details"]).stdout;
    assert!(details.contains("valid/all") && details.contains("start skew"), "{details}");
}

#[test]
fn clocks_and_memory_are_recorded_with_the_cases() {
    let folder = tempfile::tempdir().unwrap();
    let done = measure(&folder, &[&["bcast"], &SMALL[..]].concat());
    assert_eq!(done.code, 0, "{done:?}");
    let text = campaign(&folder);
    let kinds: Vec<String> = text
        .lines()
        .map(|line| match serde_json::from_str(line).unwrap() {
            serde_json::Value::Object(line) => line.keys().next().unwrap().clone(),
            other => other.as_str().unwrap().to_owned(),
        })
        .collect();
    assert_eq!(kinds[..4], ["campaign", "memory", "report-card", "clock-check"]);
    assert_eq!(kinds[kinds.len() - 2..], ["memory", "finished"]);
    assert_eq!(kinds.iter().filter(|kind| *kind == "memory").count(), 2, "{kinds:?}");
    for word in ["threads, 2 ranks: clock ", "threads, 2 ranks: all ranks share one clock", "2 ranks: one process, "] {
        assert!(done.stdout.contains(word), "{word}: {done:?}");
    }
}

#[test]
fn a_finished_campaign_is_stored_unless_the_store_is_locked() {
    use std::os::fd::AsRawFd;
    let folder = tempfile::tempdir().unwrap();
    let arguments = [&["barrier"], &SMALL[..], &["--store"]].concat();
    let done = measure(&folder, &arguments);
    assert_eq!(done.code, 0, "{done:?}");
    let last = done.stderr.lines().last().unwrap_or_default();
    assert!(last.contains("results/measure-001") && last.ends_with("results/parallax.sqlite"), "{done:?}");
    insta::assert_snapshot!("a_campaign_is_added", last);
    let listed = finish(parallax(&folder).args(["store", "list"]));
    assert!(listed.stdout.contains("What does each method report for barrier"), "{listed:?}");
    // As SQLite locks: the 512 bytes from 2^30 on.
    let store = folder.path().join("results/parallax.sqlite");
    let file = std::fs::File::options().write(true).open(&store).unwrap();
    // SAFETY: all fields are numbers, for which 0 is a value; the call only reads them.
    let locked = unsafe {
        let mut lock: libc::flock = std::mem::zeroed();
        (lock.l_type, lock.l_start, lock.l_len) = (libc::F_WRLCK as _, 1 << 30, 512);
        libc::fcntl(file.as_raw_fd(), libc::F_SETLK, &raw const lock)
    };
    assert_eq!(locked, 0);
    let done = measure(&folder, &arguments);
    assert_eq!(done.code, 2, "{done:?}");
    let cure = "parallax store add results/measure-002 --db results/parallax.sqlite";
    assert!(done.stderr.contains(cure), "{done:?}");
    let complaint = done.stderr.find("results/parallax.sqlite").map(|at| &done.stderr[at..]);
    insta::assert_snapshot!("a_store_that_is_locked", complaint.unwrap_or_default());
    let text = std::fs::read_to_string(folder.path().join("results/measure-002/campaign.jsonl")).unwrap();
    assert_eq!(text.lines().last(), Some("{\"finished\":{}}"));
    drop(file);
    let late = finish(parallax(&folder).args(["store", "add", "results/measure-002"]));
    assert!(late.stdout.contains("run 2"), "{late:?}");
    std::fs::write(folder.path().join("notes.txt"), "no store, but long enough for a page of SQLite".repeat(40))
        .unwrap();
    let foreign = measure(&folder, &["barrier", "--world", "threads", "--store=notes.txt"]);
    assert_eq!(foreign.code, 2, "{foreign:?}");
    insta::assert_snapshot!("another_file_than_a_store", said(&foreign, &[]));
    assert!(!folder.path().join("results/measure-003").exists(), "nothing is begun");
}

#[test]
fn launches_and_fixed_windows_are_cases_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["barrier", "--world", "threads", "--method", "window", "--launches", "2", "--window-sweep", "5ms,8ms"];
    let done = measure(&folder, &arguments);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(campaign(&folder).matches("{\"measured\"").count(), 2 * 3);
    insta::assert_snapshot!(done.stderr.lines().next().unwrap_or_default());
    for word in ["2 launches", "fixed windows", "5 ms", "8 ms", "launch 1: barrier", "launch 2: barrier"] {
        assert!(done.stdout.contains(word), "{word}: {done:?}");
    }
}

/// How many launches a campaign has.
fn launches(campaign: &str) -> usize {
    (0..).take_while(|launch| campaign.contains(&format!("\"launch\":{launch},"))).count()
}

#[test]
fn ratios_decide_how_many_launches_there_are_also_when_a_campaign_was_cut() {
    let folder = tempfile::tempdir().unwrap();
    let few = ["--launches", "auto", "--launches-at-most", "5", "--samples", "4", "--calls", "3"];
    let done = measure(&folder, &[&["barrier", "--world", "threads", "--method", "window,loop"], &few[..]].concat());
    assert_eq!(done.code, 0, "{done:?}");
    // How much launches vary is the machine's.
    let told = |done: &Done| {
        done.stdout.contains("Every state's ratios are known within ±10 % after 5 launches.")
            || done.stdout.contains("Stopped at the cap of 5 launches (")
    };
    assert!(told(&done), "{done:?}");
    assert!(done.stderr.contains("(10 of 10"), "{done:?}");
    insta::assert_snapshot!(done.stderr.lines().next().unwrap_or_default());
    let whole = campaign(&folder);
    assert_eq!(whole.matches("{\"measured\"").count(), 5 * 2);
    // As if it had been killed in its third launch.
    let cut: Vec<&str> = whole.lines().take_while(|line| !line.contains("\"launch\":2,")).collect();
    std::fs::write(folder.path().join("results/measure-001/campaign.jsonl"), cut.join("\n") + "\n").unwrap();
    let done = measure(&folder, &["--resume"]);
    assert_eq!((done.code, launches(&campaign(&folder))), (0, 5), "{done:?}");
    assert!(told(&done), "{done:?}");
}

#[test]
fn mistakes_are_told_one_by_one_and_nothing_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new();
    for (arguments, place) in [
        (&["brodcast"][..], "'brodcast'"),
        (&["bcast", "--world", "lam"], "--world"),
        (&["bcast", "--method", "stopwatch"], "--method"),
        (&["bcast", "--bytes", "8..x"], "--bytes"),
        (&["bcast", "--bytes", "64..8"], "--bytes"),
        (&["bcast", "--bytes", "2GiB"], "--bytes"),
        (&["alltoall", "--bytes", "512MiB"], "alltoall"),
        (&["bcast", "--ranks", "0"], "--ranks"),
        (&["bcast", "--ranks", "1"], "--ranks"),
        (&["bcast", "--ranks", "257"], "--ranks"),
        (&["bcast", "--root", "2"], "--root"),
        (&["bcast", "--sync", "ntp"], "--sync"),
        (&["bcast", "--clock", "sundial"], "--clock"),
        (&["bcast", "--clock", "mpi_wtime"], "--clock"),
        (&["bcast", "--buffer", "two"], "--buffer"),
        (&["bcast", "--algorithm", "fastest"], "--algorithm:"),
        (&["bcast", "--algorithm", "library"], "--algorithm"),
        (&["bcast", "--window-sweep", "10"], "--window-sweep"),
        (&["bcast", "--window-sweep", "20s"], "--window-sweep"),
        (&["bcast", "--element", "quad"], "--element"),
        (&["ibcast"], "ibcast"),
        (&["bcast", "--reduction", "max"], "bcast"),
        (&["bcast", "--calls", "1000", "--samples", "1001"], "--calls"),
        (&["bcast", "--format", "osu", "--method", "loop"], "--format"),
        (&["bcast", "--launches", "0"], "--launches"),
        (&["bcast", "--launches", "some"], "--launches"),
        (&["bcast", "--within", "5%"], "--launches"),
        (&["--resume", "--launches-at-most", "9"], "--launches"),
        (&["bcast", "--launches", "3", "--launches-at-most", "9"], "--launches-at-most"),
        (&["bcast", "--launches", "auto", "--within", "0"], "--within"),
        (&["bcast", "--time-at-most", "9"], "--time-at-most"),
        (&["bcast", "--timeout", "0"], "--timeout"),
        (&["bcast", "--resume"], "--resume"),
        (&[], "OPERATION"),
        (&["--bytes", "8", "--resume"], "OPERATION"),
    ] {
        let world = if arguments.contains(&"--world") || !arguments.iter().any(|word| !word.starts_with('-')) {
            &[][..]
        } else {
            &["--world", "threads"][..]
        };
        let world = if arguments.first() == Some(&"--bytes") { &[] } else { world };
        let done = measure(&folder, &[arguments, world].concat());
        assert_eq!(done.code, 2, "{arguments:?}: {done:?}");
        assert!(done.stderr.contains(place), "{arguments:?} does not name {place:?}: {done:?}");
        assert_eq!(done.stdout, "", "{arguments:?}");
        page.add(&[arguments, world].concat(), &done);
    }
    insta::assert_snapshot!(page);
    assert!(!folder.path().join("results").exists(), "nothing was begun");
}

#[test]
fn a_killed_campaign_resumes_without_flags_and_keeps_what_it_had() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "bcast",
        "--world",
        "threads",
        "--ranks",
        "3",
        "--bytes",
        "8..32",
        "--method",
        "loop,barrier-loop",
        "--launches",
        "1",
    ];
    let mut running = Running::start(parallax(&folder).arg("measure").args(arguments));
    running.wait_for("the second case", || campaign(&folder).matches("{\"measured\"").count() >= 2);
    let second = measure(&folder, &["--resume", "--out", "results/measure-001"]);
    assert_ne!(second.code, 0, "locked: {second:?}");
    let mut page = Page::new();
    page.add(&["--resume while it runs"], &second);
    running.signal(libc::SIGKILL);
    running.finish();
    let before = campaign(&folder);
    let path = folder.path().join("results/measure-001/campaign.jsonl");
    std::fs::write(&path, format!("{before}{{\"measured\":{{\"case\":")).unwrap();
    let other = measure(&folder, &["--resume", "--out", "results/measure-001", "reduce", "--world", "threads"]);
    assert_eq!(other.code, 2, "{other:?}");
    page.add(&["--resume of reduce"], &other);
    let done = measure(&folder, &["--resume"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(campaign(&folder).starts_with(&before), "what was there stays");
    assert_eq!(campaign(&folder).matches("{\"measured\"").count(), 6, "each case once");
    let kept = before.matches("{\"measured\"").count();
    let told = done.stderr.lines().filter(|line| line.starts_with("measured ")).count();
    assert_eq!(told, 6 - kept, "only the rest was measured: {done:?}");
    let taken = measure(&folder, &[&arguments[..], &["--out", "results/measure-001"]].concat());
    assert_eq!(taken.code, 2, "{taken:?}");
    page.add(&["without --resume"], &taken);
    insta::assert_snapshot!(page);
}

#[test]
fn a_stopped_rank_ends_the_campaign_with_rank_host_and_phase() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "measure",
        "bcast",
        "--world",
        "threads",
        "--ranks",
        "3",
        "--samples",
        "500",
        "--timeout",
        "3",
        "--launches",
        "1",
    ];
    let mut running = Running::start(parallax(&folder).args(arguments));
    running.wait_for("the first case", || campaign(&folder).contains("{\"measured\""));
    let process = wait_for("a process of ranks", || running.world_of_threads());
    // SAFETY: a plain system call on a process that we started.
    unsafe { libc::kill(process as i32, libc::SIGSTOP) };
    let done = running.finish();
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stderr.contains(STOPPED) && done.stderr.contains("in phase '"), "{done:?}");
    assert!(done.stderr.contains("parallax measure --resume --out results/measure-001"), "{done:?}");
    assert!(done.stdout.contains("bcast, linear"), "what is finished is told: {done:?}");
}

#[test]
fn both_libraries_stand_below_each_other() {
    let here: Vec<&str> = ["openmpi", "mpich"].into_iter().filter(|name| mpi_program(name).is_some()).collect();
    if here.is_empty() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let form = ["--launches", "1", "--format", "json", "-q", "--check"];
    let arguments = [&["allreduce,barrier", "--bytes", "8", "--samples", "5"], &form[..]].concat();
    let done = measure(&folder, &arguments);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    let object: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let of = |table: &str| object[table].as_array().unwrap().clone();
    // All reported methods; of an allreduce the reference's windows, too, whose buffers are touched.
    assert_eq!(campaign(&folder).matches("{\"measured\"").count(), (9 + 8) * here.len());
    let names: BTreeSet<String> =
        of("operations").iter().map(|one| format!("{} {}", one["operation"], one["world"])).collect();
    assert_eq!(names.len(), 2 * here.len(), "{names:?}");
    let methods: Vec<_> = of("rows").into_iter().filter(|row| row["kind"] == "method").collect();
    for operation in of("operations") {
        // Where the machine's state changed all the time, some methods, or the reference, have no block in this one.
        let place = |row: &serde_json::Value| ["operation", "world", "line_ns"].map(|axis| row[axis].to_string());
        let own = methods.iter().filter(|row| place(row) == place(&operation));
        let apart = operation["operation"] == "allreduce";
        assert!((1..=if apart { 9 } else { 8 }).contains(&own.count()), "{operation}");
        assert_eq!(operation["reference"], if apart { "touched" } else { "same" }, "in every state: {operation}");
    }
    for row in methods {
        assert!(row["time_us"].as_f64().is_some() || row["samples"] == 0, "no zero for no data: {row}");
    }
    let lines = finish(parallax(&folder).args(["measure", "bcast", "--print-launch"]));
    assert_eq!(lines.stdout.matches("parallax-mpi").count(), here.len(), "{lines:?}");
    assert!(Path::new(&folder.path().join("results/measure-001")).is_dir());
}
