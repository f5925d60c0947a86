//! Tests of real ranks are campaigns where they have a folder: gone on with, reported, compared, stored.

mod common;

use common::command::{Done, finish, mpi_program, parallax};
use common::said::{Page, said};
use common::table;
use std::collections::BTreeSet;
use tempfile::TempDir;

fn run(folder: &TempDir, line: &str) -> Done {
    finish(parallax(folder).args(line.split_whitespace()))
}

fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A command, what it is told, how many lines its campaign has of ranks' answers, how many cases the store finds in them, and
/// its question.
type Command = (&'static str, String, usize, usize, &'static str);

/// Every test that leaves nothing unless it is told to.
fn commands(world: &str) -> [Command; 4] {
    // A library's ranks are seen before and behind its initialisation, too.
    let moments = if world == "threads" { 3 } else { 5 };
    let (checks, check) = if world == "threads" { (1, "") } else { (2, "--operation barrier --operation ibarrier") };
    let clocks = "--clock clock_monotonic,clock_monotonic_raw";
    [
        (
            "probe memory",
            format!("--world {world} --ranks 2,3 --operations pairs,bcast"),
            2,
            2 * moments,
            "How much memory",
        ),
        ("probe clocks", format!("--world {world} {clocks}"), 4, 8, "How accurate is each clock?"),
        ("probe sync", format!("--world {world} --ranks 2,3 --tries 2 --sync linear,hca3o"), 2, 12, "synchronisation"),
        ("probe data", format!("--world {world} --ranks 2 {check}"), checks, 0, "Does every call move every byte"),
    ]
}

/// A campaign that was killed after so many answers.
fn cut(whole: &str, answers: usize) -> String {
    let mut seen = 0;
    let keeps = |line: &&str| {
        let is_answer = line.starts_with("{\"tested\":");
        seen += usize::from(is_answer);
        !line.starts_with("{\"finished") && (!is_answer || seen <= answers)
    };
    whole.split_inclusive('\n').filter(keeps).collect()
}

/// Words of a text, each once: a terminal's width decides where lines and tables are broken, and the names of rows are
/// repeated where a table goes on.
fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

fn goes_on(world: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut page = Page::new();
    for (command, told, answers, cases, question) in commands(world) {
        let (name, line) = (command.replace(' ', "-"), format!("{command} {told} --out {}", command.replace(' ', "-")));
        let done = run(&folder, &line);
        assert_eq!(done.code, 0, "{line}: {done:?}");
        let file = format!("{name}/campaign.jsonl");
        let (whole, summary) = (read(&folder, &file), read(&folder, &format!("{name}/summary.txt")));
        assert_eq!((whole.matches("{\"tested\":").count(), words(&summary)), (answers, words(&done.stdout)), "{line}");
        assert!(std::fs::exists(folder.path().join(format!("{name}/{name}.json"))).unwrap(), "{line}");
        assert_eq!(run(&folder, &line).code, 2, "{line}: it is there already");
        for given in [&told, ""] {
            let again = run(&folder, &format!("{command} {given} --resume --out {name}"));
            assert_eq!((again.code, words(&again.stdout)), (0, words(&summary)), "{line}, {given}: {again:?}");
            assert!(again.stderr.contains("nothing is left to do"), "{line}: {again:?}");
        }
        let other = run(&folder, &format!("{command} --world {world} --ranks 5 --resume --out {name}"));
        assert_eq!(other.code, 2, "{line}: {other:?}");
        page.add(&[command], &other);
        // As if the command had been killed while the last answer was asked for.
        let begun = cut(&whole, answers - 1);
        std::fs::write(folder.path().join(&file), &begun).unwrap();
        let gone_on = run(&folder, &format!("{command} --resume --out {name}"));
        assert_eq!(gone_on.code, 0, "{line}: {gone_on:?}");
        let all = read(&folder, &file);
        assert!(all.starts_with(&begun) && all.ends_with("{\"finished\":{}}\n"), "{line}");
        assert_eq!(all.matches("{\"tested\":").count(), answers, "{line}: what was there is not asked again");
        assert_eq!(run(&folder, &format!("report {name}")).code, 0, "{line}");
        let report = read(&folder, &format!("{name}/report.html"));
        assert!(report.contains(question) && report.contains("All numbers"), "{line}");
        let stored = run(&folder, &format!("store add {name}"));
        assert_eq!(stored.code, 0, "{line}: {stored:?}");
        let shown = run(&folder, &format!("store show {name}"));
        let rows = shown.stdout.lines().filter(|line| line.starts_with(&format!("  {world} "))).count();
        // On a busy machine no window around waits may be valid.
        let as_many = rows == cases || (command == "probe clocks" && rows >= 2);
        assert!(shown.code == 0 && as_many, "{line}, {rows}: {shown:?}");
        let compared = run(&folder, &format!("compare {name} {name} --format csv"));
        if cases == 0 {
            assert_eq!(compared.code, 2, "{line}: {compared:?}");
        } else {
            assert_eq!(compared.stdout.lines().count(), 1 + rows, "{line}: {compared:?}");
        }
    }
    if world == "threads" {
        insta::assert_snapshot!(page);
    }
}

#[test]
fn tests_of_threads_are_gone_on_with_reported_compared_and_stored() {
    goes_on("threads");
}

#[test]
fn tests_of_mpi_ranks_are_too() {
    ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()).for_each(goes_on);
}

#[test]
fn memory_is_compared_in_kib() {
    let folder = tempfile::tempdir().unwrap();
    for out in ["a", "b"] {
        let done = run(&folder, &format!("probe memory --world threads --ranks 2 --operations none --out {out}"));
        assert_eq!(done.code, 0, "{done:?}");
    }
    let compared = run(&folder, "compare a b");
    assert!(compared.stdout.contains("A KiB") && compared.stdout.contains("larger or smaller"), "{compared:?}");
    let csv = run(&folder, "compare a b --format csv").stdout;
    let rows = table::rows(&csv);
    assert!(rows.iter().all(|row| row["unit"] == "KiB" && row["a"].parse::<f64>().unwrap() > 1_000.0), "{csv}");
}

#[test]
fn what_is_not_kept_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "probe data --world threads --ranks 2",
        "probe clocks --ranks 0 --format json",
        "probe memory --world threads --ranks 1 --operations none",
    ] {
        let done = run(&folder, line);
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{line}: {done:?}");
    }
    let refused = run(&folder, "probe memory --resume");
    assert_eq!(refused.code, 2, "{refused:?}");
    let other = run(&folder, "probe data --world threads --ranks 2 --out a");
    assert_eq!(other.code, 0, "{other:?}");
    let other = run(&folder, "probe memory --resume --out a");
    assert_eq!(other.code, 2, "{other:?}");
    insta::assert_snapshot!(said(&other, &[]));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "but for what was to be kept");
}

#[test]
fn no_results_take_the_place_of_others() {
    let folder = tempfile::tempdir().unwrap();
    let (simulated, real) =
        ("probe sync --world simulated --tries 2 --sync linear", "probe sync --world threads --tries 2 --sync linear");
    for (name, first, second) in [("a", simulated, real), ("b", real, simulated)] {
        let done = run(&folder, &format!("{first} --out {name}"));
        assert_eq!(done.code, 0, "{done:?}");
        let found = read(&folder, &format!("{name}/probe-sync.json"));
        let done = run(&folder, &format!("{second} --out {name}"));
        assert_eq!(done.code, 2, "{done:?}");
        assert!(done.stderr.contains("name another folder"), "{done:?}");
        assert_eq!(read(&folder, &format!("{name}/probe-sync.json")), found);
    }
}
