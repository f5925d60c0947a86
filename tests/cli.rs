//! The command as a user meets it: mistakes, resuming, ranks that die, hang or are stopped.

mod common;

use common::command::{Done, Running, finish, parallax, scenario, unread, wait_for};
use common::said::{Page, STOPPED, said};

#[test]
fn descriptions_without_an_end_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new();
    for arguments in [
        &["run", "/dev/zero"][..],
        &["sweep", "/dev/zero"],
        &["measure", "bcast", "--bytes", "8", "--hosts", "/dev/zero"],
    ] {
        let done = finish(parallax(&folder).args(arguments));
        assert_eq!(done.code, 2, "{arguments:?}: {done:?}");
        assert!(done.stderr.contains("/dev/zero: "), "{arguments:?}: {done:?}");
        page.add(arguments, &done);
    }
    insta::assert_snapshot!(page);
}

#[test]
fn mistakes_in_a_scenario_end_with_code_2_and_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.toml");
    std::fs::write(&path, scenario("threads", 2, "1 ms").replace("calls = ", "call = ")).unwrap();
    let done = finish(parallax(&folder).arg("run").arg(&path));
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stderr.contains("wrong.toml line 3, key 'call'"), "{done:?}");
    assert_eq!(done.stderr.trim().lines().count(), 1, "{done:?}");
    assert!(!folder.path().join("results").exists(), "nothing was begun");
    insta::assert_snapshot!(said(&done, &[(folder.path().to_str().unwrap(), "FOLDER")]));
}

#[test]
fn a_missing_scenario_ends_with_code_2_and_says_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    let done = finish(parallax(&folder).args(["run", "nowhere.toml"]));
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stderr.contains("nowhere.toml"), "{done:?}");
    insta::assert_snapshot!(said(&done, &[]));
}

#[test]
fn a_run_on_threads_ends_with_a_report_and_its_path() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("small.toml"), scenario("threads", 3, "300 us")).unwrap();
    let done = finish(parallax(&folder).args(["run", "small.toml", "--quiet"]));
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    let last = done.stdout.trim().lines().last().unwrap();
    assert_eq!(last, "Report: results/small-001/report.html");
    for file in ["campaign.jsonl", "report.html", "summary.txt", "machine-threads-emulated-3.toml"] {
        assert!(folder.path().join("results/small-001").join(file).is_file(), "{file}");
    }
    let leftovers = std::fs::read_dir(folder.path().join("results/small-001")).unwrap();
    assert_eq!(leftovers.count(), 6, "five files and the pictures; job files are removed");
    // A second run begins a folder of its own; nothing is overwritten.
    let again = finish(parallax(&folder).args(["run", "small.toml", "--quiet"]));
    assert!(again.stdout.contains("results/small-002/report.html"), "{again:?}");
}

#[test]
fn a_dry_run_counts_what_is_carried_out_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("small.toml"), scenario("threads", 2, "200 us")).unwrap();
    std::fs::write(
        folder.path().join("points.toml"),
        "# Which?\noperation = \"bcast\"\nalgorithm = [\"linear\", \"binomial\"]\nranks = [2, 5, 8]\n",
    )
    .unwrap();
    let threads = "--world threads --ranks 2 --launches 2 --calls 2 --samples 2";
    let commands = [
        (
            "run small.toml".to_owned(),
            "results/small-001/campaign.jsonl",
            "{\"measured\"",
            " cases in 1 launch, about ",
        ),
        (
            format!("measure bcast --bytes 8,64 --method loop,window {threads}"),
            "results/measure-001/campaign.jsonl",
            "{\"measured\"",
            " cases in 2 launches, about ",
        ),
        (
            format!("budget bcast --benchmark osu --bytes 8 --rounds 2 {threads}"),
            "results/budget-001/campaign.jsonl",
            "{\"round\"",
            " runs in 3 launches, about ",
        ),
        ("run points.toml".to_owned(), "results/points-001/rows.jsonl", "{\"point\"", " points, at most about "),
    ];
    for (line, file, what, says) in commands {
        let before = std::fs::read_dir(folder.path()).unwrap().count();
        let dry = finish(parallax(&folder).args(line.split(' ')).arg("--dry-run"));
        assert_eq!((dry.code, dry.stderr.as_str()), (0, ""), "{line}: {dry:?}");
        assert!(dry.stdout.contains(says) && dry.stdout.lines().count() == 1, "{line}: {dry:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), before, "{line} made something");
        assert!(!folder.path().join(file).exists(), "{line} began");
        let done = finish(parallax(&folder).args(line.split(' ')));
        assert_eq!(done.code, 0, "{line}: {done:?}");
        let found = std::fs::read_to_string(folder.path().join(file)).unwrap();
        let count = found.lines().filter(|row| row.starts_with(what)).count();
        assert!(dry.stdout.contains(&format!(": {count} ")), "{line}: {count}, not {dry:?}");
        assert!(!done.stderr.contains(&dry.stdout), "what is over at once is not announced: {done:?}");
    }
}

#[test]
fn pages_of_sweeps_are_made_again_and_other_folders_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| finish(parallax(&folder).args(line.split(' ')));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let question = "# Which is fastest?\noperation = \"bcast\"\nalgorithm = [\"linear\", \"binomial\"]\nranks = [2, 5, 64]\n[small]\nmost_ranks = 5\n";
    std::fs::write(folder.path().join("points.toml"), question).unwrap();
    for (line, whole) in [("run points.toml", 3), ("run points.toml --small", 2)] {
        assert_eq!(run(line).code, 0);
        let (page, rows) = (read("results/latest/report.html"), read("results/latest/rows.jsonl"));
        // The rows and the text beside them are enough.
        std::fs::rename(folder.path().join("points.toml"), folder.path().join("away.toml")).unwrap();
        let done = run("report results/latest --picture format=svg");
        assert_eq!(done.code, 0, "{done:?}");
        assert_eq!(read("results/latest/report.html"), page);
        std::fs::rename(folder.path().join("away.toml"), folder.path().join("points.toml")).unwrap();
        let csv = run("report results/latest --format csv");
        assert_eq!((csv.code, csv.stdout.lines().count()), (0, rows.lines().count() + 1), "{csv:?}");
        assert_eq!(rows.lines().count() % whole, 0, "every algorithm at {whole} numbers of ranks");
        let out = run(&format!("{} --out rows.csv --quiet", line.replace("run", "sweep")));
        assert_eq!((out.code, csv.stdout), (0, read("rows.csv")), "{out:?}");
        std::fs::remove_file(folder.path().join("rows.csv")).unwrap();
    }
    let mut page = Page::new();
    for line in [
        "calibrate --world simulated --out own.toml --quiet",
        "probe latency --world simulated --out probed --quiet",
        "report results/latest --out page",
    ] {
        assert_eq!(run(line).code, 0, "{line}");
    }
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    for name in ["own", "probed", "page", "empty", "nowhere"] {
        let done = run(&format!("report {name}"));
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{done:?}");
        assert!(done.stderr.starts_with(&format!("parallax: {name} ")), "{done:?}");
        page.add(&["report", name], &done);
    }
    insta::assert_snapshot!(page);
}

#[test]
fn a_campaign_of_another_version_is_not_shown_as_one_of_another_kind() {
    let folder = tempfile::tempdir().unwrap();
    let words = "measure barrier --world threads --ranks 2 --method loop --samples 5 --launches 1 --quiet --out there";
    let done = finish(parallax(&folder).args(words.split(' ')));
    assert_eq!(done.code, 0, "{done:?}");
    let file = folder.path().join("there/campaign.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut page = Page::new();
    for (known, other) in [(r#"\"operations\""#, r#"\"calls\""#), (r#""name":"measure""#, r#""name":"foresee""#)] {
        assert!(text.contains(known), "{text}");
        std::fs::write(&file, text.replacen(known, other, 1)).unwrap();
        let done = finish(parallax(&folder).args(["report", "there"]));
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{done:?}");
        page.add(&["report there, with", other], &done);
    }
    insta::assert_snapshot!(page);
}

#[test]
fn a_killed_run_resumes_and_keeps_what_it_had() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("long.toml"), scenario("threads", 4, "2 ms")).unwrap();
    let mut running = Running::start(parallax(&folder).args(["run", "long.toml"]));
    let campaign = folder.path().join("results/long-001/campaign.jsonl");
    let measured = || std::fs::read_to_string(&campaign).unwrap_or_default().matches("{\"measured\"").count();
    running.wait_for("the second case", || measured() >= 2);
    running.signal(libc::SIGKILL);
    running.finish();
    let before = std::fs::read_to_string(&campaign).unwrap();
    // The kill may have struck in the middle of a line; half a line must not matter.
    std::fs::write(&campaign, format!("{before}{{\"measured\":{{\"case\":")).unwrap();
    let done = finish(parallax(&folder).args(["run", "long.toml", "--resume"]));
    assert_eq!(done.code, 0, "{done:?}");
    let after = std::fs::read_to_string(&campaign).unwrap();
    assert!(after.starts_with(&before), "what was there is kept, byte for byte");
    let cases: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("measured")).collect();
    assert_eq!(measured(), 8, "two algorithms by three methods and the trace, each once");
    assert!(cases.len() <= 6, "the first two are not measured again: {cases:?}");
    let idle = finish(parallax(&folder).args(["run", "long.toml", "--resume"]));
    assert_eq!(idle.code, 2, "nothing is left to resume: {idle:?}");
}

#[test]
fn another_text_of_the_scenario_does_not_resume() {
    let folder = tempfile::tempdir().unwrap();
    let text = scenario("threads", 2, "300 us");
    std::fs::write(folder.path().join("s.toml"), &text).unwrap();
    assert_eq!(finish(parallax(&folder).args(["run", "s.toml", "--out", "here"])).code, 0);
    std::fs::write(folder.path().join("s.toml"), text.replace("seed = 3", "seed = 4")).unwrap();
    let done = finish(parallax(&folder).args(["run", "s.toml", "--out", "here", "--resume"]));
    assert_eq!(done.code, 2, "{done:?}");
    let mut page = Page::new();
    page.add(&["run", "s.toml", "--out", "here", "--resume"], &done);
    let done = finish(parallax(&folder).args(["run", "s.toml", "--out", "here"]));
    assert_eq!(done.code, 2, "{done:?}");
    page.add(&["run", "s.toml", "--out", "here"], &done);
    insta::assert_snapshot!(page);
}

#[test]
fn folders_that_cannot_be_used_end_with_code_2_and_a_cure() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.toml"), scenario("threads", 2, "300 us")).unwrap();
    let onto_a_file = finish(parallax(&folder).args(["run", "s.toml", "--out", "s.toml"]));
    assert_eq!(onto_a_file.code, 2, "{onto_a_file:?}");
    let mut page = Page::new();
    page.add(&["run", "s.toml", "--out", "s.toml"], &onto_a_file);
    let nothing = finish(parallax(&folder).args(["run", "s.toml", "--resume", "--out", "nowhere"]));
    assert_eq!(nothing.code, 2, "{nothing:?}");
    page.add(&["run", "s.toml", "--resume", "--out", "nowhere"], &nothing);
    insta::assert_snapshot!(page);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written");
}

#[test]
fn ctrl_c_ends_the_ranks_and_keeps_finished_cases() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("long.toml"), scenario("threads", 4, "3 ms")).unwrap();
    let mut running = Running::start(parallax(&folder).args(["run", "long.toml"]));
    let campaign = folder.path().join("results/long-001/campaign.jsonl");
    running.wait_for("the first case", || {
        std::fs::read_to_string(&campaign).unwrap_or_default().contains("{\"measured\"")
    });
    running.signal(libc::SIGINT);
    let done = running.finish();
    assert_ne!(done.code, 0, "{done:?}");
    assert!(done.stderr.contains("interrupted") && done.stderr.contains("--resume"), "{done:?}");
    assert!(done.stdout.contains("Report: "), "what is finished is reported: {done:?}");
    let page = std::fs::read_to_string(folder.path().join("results/long-001/report.html")).unwrap();
    assert!(page.contains("<html"), "the page is whole");
}

#[test]
fn a_stopped_threads_world_ends_the_run_with_rank_host_and_phase() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("long.toml"), scenario("threads", 3, "3 ms")).unwrap();
    let mut running = Running::start(parallax(&folder).args(["run", "long.toml", "--timeout", "3"]));
    let process = wait_for("a process of ranks", || running.world_of_threads());
    // Ranks that are stopped while they start have no phase yet.
    let lines = || std::fs::read_to_string(folder.path().join("results/long-001/campaign.jsonl")).unwrap_or_default();
    wait_for("the first case", || lines().contains("\"measured\"").then_some(()));
    // SAFETY: a plain system call on a process that we started.
    unsafe { libc::kill(process as i32, libc::SIGSTOP) };
    let done = running.finish();
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stderr.contains("rank 0 (process ") && done.stderr.contains(STOPPED), "{done:?}");
    assert!(done.stderr.contains("in phase '"), "{done:?}");
    wait_for("the stopped process to be gone", || (!common::command::exists(process)).then_some(()));
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/sweep-broadcasts.toml");
    let lines = [
        "algorithms --format json".to_owned(),
        "goal export bcast --ranks 64 --calls 100".to_owned(),
        "explain E5".to_owned(),
        "completions bash".to_owned(),
        "man".to_owned(),
        "simulate bcast --algorithm binomial --ranks 1024 --per-rank --format json".to_owned(),
        format!("sweep {} --small --format json --quiet", sweep.display()),
        "sweep bcast --ranks 2..64*2 --bytes 8 --quiet".to_owned(),
    ];
    for line in lines {
        let done = unread(parallax(&folder).args(line.split(' ')));
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{line}");
    }
}

#[test]
fn launch_lines_and_help_are_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mpi.toml"), scenario("openmpi", 2, "1 ms")).unwrap();
    let done = finish(parallax(&folder).args(["run", "mpi.toml", "--print-launch"]));
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.starts_with("# Open MPI, 2 ranks, emulated network"), "{done:?}");
    let help = finish(parallax(&folder).arg("--help"));
    for word in ["run", "doctor", "probe"] {
        assert!(help.stdout.contains(word), "{help:?}");
    }
    assert_eq!(finish(parallax(&folder).args(["run", "--timeout", "soon", "x"])).code, 2);
}

#[test]
fn a_librarys_barrier_that_is_known_starts_simulated_benchmarks() {
    let folder = tempfile::tempdir().unwrap();
    let simulate = |more: &[&str]| {
        let call = ["simulate", "bcast", "--algorithm", "binomial", "--ranks", "2", "--bytes", "8"];
        finish(parallax(&folder).args(call).args(["--model", "loggp", "--benchmark", "osu"]).args(more))
    };
    let (plain, known) = (simulate(&[]), simulate(&["--platform", "barrier=1us/2us/2us/3us"]));
    assert_eq!((plain.code, known.code), (0, 0), "{known:?}");
    assert!(plain.stdout.contains("dissemination barriers") && known.stdout.contains("library barriers"), "{known:?}");
    let numbers =
        |text: &str| text.lines().filter(|line| line.contains("Latency(us)")).map(str::to_owned).collect::<Vec<_>>();
    assert_ne!(numbers(&plain.stdout), numbers(&known.stdout), "rank 1 leaves it later than rank 0");
    let mut page = Page::new();
    for more in [
        &["--platform", "barrier=1us/2us/3us"][..],
        &["--platform", "barrier=1us/1us/1us/1us/1us/1us/1us/1us/1us"],
        &["--barrier", "library"],
    ] {
        let done = simulate(more);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{done:?}");
        page.add(more, &done);
    }
    insta::assert_snapshot!(page);
}

#[test]
fn what_a_library_refuses_on_one_host_is_not_listed_there_and_refused_when_named() {
    let folder = tempfile::tempdir().unwrap();
    let measure = |arguments: &[&str]| finish(parallax(&folder).args(["measure", "bcast"]).args(arguments));
    let line = |done: &Done| {
        let line = done.stdout.lines().find(|line| line.starts_with("bcast, MPICH: "));
        line.unwrap_or_else(|| panic!("{done:?}")).to_owned()
    };
    std::fs::write(folder.path().join("hosts"), "one slots=1\ntwo slots=1\n").unwrap();
    let (here, there) = (measure(&["--list-algorithms"]), measure(&["--list-algorithms", "--hosts", "hosts"]));
    assert!(!line(&here).contains("smp") && line(&there).contains(" smp"), "{here:?} {there:?}");
    let of_all = finish(parallax(&folder).args(["measure", "--list-algorithms", "--world", "mpich"]));
    assert_eq!(line(&of_all), line(&here), "without an operation");
    assert!(of_all.stdout.lines().any(|line| line.starts_with("allreduce, MPICH: ")), "{of_all:?}");
    let named = ["--world", "mpich", "--ranks", "2", "--bytes", "8", "--algorithm", "library:smp"];
    let refused = measure(&named);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("--algorithm library:smp") && refused.stderr.contains("one host"), "{refused:?}");
    assert!(!folder.path().join("results").exists(), "nothing is begun");
}
