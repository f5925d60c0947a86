//! `parallax audit`: a benchmark of the tests' own, compiled for each MPI library that is here; and texts.

mod common;

use common::command::{finish, mpi_program, parallax};
use common::said::Page;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A folder with a program osu_bcast for a library; none where the library is not here.
fn benchmark(library: &str) -> Option<TempDir> {
    mpi_program(library)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let wrapper = finish(Command::new(root.join("scripts/mpi-compiler")).arg(library)).stdout;
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("osu_bcast");
    let done = finish(Command::new(wrapper.trim()).arg(root.join("tests/audit/osu_bcast.c")).arg("-o").arg(program));
    assert_eq!(done.code, 0, "{library}: {done:?}");
    Some(folder)
}

/// The audit of the benchmarks in a folder, kept there, too.
fn audit(tools: &TempDir, library: &str, more: &[&str]) -> Command {
    let mut command = parallax(tools);
    command.args(["audit", "osu", "bcast", "--bytes", "64,128", "--launches", "1", "-q", "--world", library]);
    command.arg("--tool").arg(tools.path()).args(["--out", "audit"]).args(more);
    command
}

#[test]
fn numbers_of_a_benchmark_have_references_of_its_own_launches() {
    for library in ["openmpi", "mpich"] {
        let Some(tools) = benchmark(library) else { continue };
        let out = tools.path().join("audit");
        let done = finish(&mut audit(&tools, library, &["--format", "csv"]));
        assert_eq!(done.code, 0, "{library}: {done:?}");
        let mut reader = csv::Reader::from_reader(done.stdout.as_bytes());
        let heads = reader.headers().unwrap().clone();
        let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        // On a busy machine no state may be clear while a row is measured: then the row is left out.
        assert!(rows.len() <= 2 * 2, "two lengths, two ways: {}", done.stdout);
        for row in &rows {
            let number = |name: &str| row[at(name)].parse::<f64>().unwrap();
            assert!(["64", "128"].contains(&&row[at("bytes")]) && &row[at("element")] == "MPI_CHAR", "{row:?}");
            assert!((number("printed_us") / number("reference_us") / number("ratio") - 1.0).abs() < 0.01, "{row:?}");
            assert_eq!((&row[at("launches")], &row[at("ratio_low")], &row[at("firm")]), ("1", "", "false"), "{row:?}");
        }
        for file in ["report.html", "audit.md", "audit.csv", "summary.txt", "details.txt", "campaign.jsonl"] {
            assert!(out.join(file).is_file(), "{library}: no {file}");
        }
        let text = std::fs::read_to_string(out.join("campaign.jsonl")).unwrap();
        assert_eq!(text.lines().filter(|line| line.starts_with("{\"audited\"")).count(), 2, "{library}");
        // Nothing is left to do.
        let again = finish(parallax(&tools).args(["audit", "--resume", "-q", "--format", "csv", "--out", "audit"]));
        assert_eq!((again.code, again.stdout), (0, done.stdout), "{library}");
    }
}

#[test]
fn what_cannot_be_audited_is_refused_or_left_out_with_the_reason() {
    let Some(tools) = benchmark("openmpi") else { return };
    let mut page = Page::new();
    for arguments in [
        &["osu", "scan"][..],
        &["osu", "ibcast"],
        &["osu", "bcast", "--world", "threads"],
        &["osu", "bcast", "--reference", "pool"],
    ] {
        let done = finish(parallax(&tools).arg("audit").args(arguments));
        assert_eq!(done.code, 2, "{done:?}");
        page.add(arguments, &done);
    }
    std::fs::remove_file(tools.path().join("osu_bcast")).unwrap();
    // A place that was named and holds no benchmark is a mistake.
    let arguments = ["audit", "osu", "bcast", "--world", "openmpi", "--tool", "."];
    let done = finish(parallax(&tools).args(arguments));
    assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{done:?}");
    page.add(&arguments[1..], &done);
    insta::assert_snapshot!("operations_that_cannot_be_audited", page);
    let emulated = ["audit", "osu", "bcast", "--bytes", "64", "--launches", "1", "-q", "--world", "openmpi"];
    let done = finish(parallax(&tools).args(emulated));
    assert_eq!(done.code, 0, "{done:?}");
    // Above how each case was measured.
    let emulated = done.stderr.lines().find(|line| line.contains("osu_bcast")).expect("it is said");
    insta::assert_snapshot!("a_benchmark_that_is_not_here", emulated);
}

#[test]
fn a_benchmark_that_fails_ends_the_audit_with_what_it_said() {
    let Some(tools) = benchmark("openmpi") else { return };
    let source = "#include <mpi.h>\n#include <stdio.h>\nint main(void) { MPI_Init(0, 0); fprintf(stderr, \"no such luck\\n\"); \
                  MPI_Finalize(); return 3; }\n";
    let file: PathBuf = tools.path().join("failing.c");
    std::fs::write(&file, source).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let wrapper = finish(Command::new(root.join("scripts/mpi-compiler")).arg("openmpi")).stdout;
    let done = finish(Command::new(wrapper.trim()).arg(file).arg("-o").arg(tools.path().join("osu_bcast")));
    assert_eq!(done.code, 0, "{done:?}");
    let done = finish(&mut audit(&tools, "openmpi", &[]));
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stderr.contains("no such luck"), "{done:?}");
    let last = done.stderr.trim_end().lines().last().unwrap_or_default();
    insta::assert_snapshot!(last);
    assert!(!tools.path().join("audit").join("campaign.jsonl").exists(), "nothing is kept of nothing");
}

/// What this machine's ranks measure of broadcasts, as osu_bcast would print it, in a file of a folder.
fn text(folder: &TempDir, library: &str, name: &str) {
    let mut command = parallax(folder);
    command.args(["measure", "bcast", "--bytes", "64,128", "--method", "window,barrier-loop", "-q", "--format", "osu"]);
    command.args(["--launches", "1"]);
    let done = finish(command.args(["--out", "measured", "--world", library]));
    assert_eq!(done.code, 0, "{library}: {done:?}");
    // As a benchmark prints it, which does not say on how many ranks.
    std::fs::write(folder.path().join(name), done.stdout.replace(", 2 ranks", "")).unwrap();
}

#[test]
fn texts_are_held_against_references_of_here_and_now() {
    for library in ["openmpi", "mpich"] {
        if mpi_program(library).is_none() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        text(&folder, library, "osu.np2.txt");
        // The text says which library it is of.
        let mut command = parallax(&folder);
        command.args(["audit", "osu.np2.txt", "--launches", "4", "-q", "--format", "csv", "--out", "audit"]);
        let done = finish(&mut command);
        assert_eq!(done.code, 0, "{library}: {done:?}");
        let mut reader = csv::Reader::from_reader(done.stdout.as_bytes());
        let heads = reader.headers().unwrap().clone();
        let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        for row in &rows {
            let number = |name: &str| row[at(name)].parse::<f64>().unwrap();
            assert!(["64", "128"].contains(&&row[at("bytes")]) && &row[at("world")] == library, "{row:?}");
            assert_eq!(
                (&row[at("benchmark")], &row[at("text")], &row[at("pairing")]),
                ("osu", "osu.np2.txt", "text of another launch: not paired")
            );
            assert!(number("printed_us") > 0.0 && number("reference_us") > 0.0 && number("ratio") > 0.0, "{row:?}");
            if !row[at("ratio_low")].is_empty() {
                assert!((number("ratio_low")..=number("ratio_high")).contains(&number("ratio")), "{row:?}");
            }
        }
        let out = folder.path().join("audit");
        for file in ["report.html", "audit.md", "audit.csv", "summary.txt", "details.txt", "campaign.jsonl"] {
            assert!(out.join(file).is_file(), "{library}: no {file}");
        }
        let summary = std::fs::read_to_string(out.join("summary.txt")).unwrap();
        let summary = summary.split_whitespace().collect::<Vec<_>>().join(" ");
        for said in [
            "not paired",
            "2 ranks, taken from the file's name alone",
            "They are not valid for a text of another machine",
        ] {
            assert!(summary.contains(said), "{said}: {summary}");
        }
        // Every launch took windows of both lengths on both kinds of buffers.
        let text = std::fs::read_to_string(out.join("campaign.jsonl")).unwrap();
        let measured = text.lines().filter(|line| line.starts_with("{\"measured\"")).count();
        assert_eq!(measured, 4 * 2 * 2, "{library}");
        // Nothing is left to do; the page can be written anew.
        let page = std::fs::read(out.join("report.html")).unwrap();
        let again = finish(parallax(&folder).args(["audit", "--resume", "-q", "--format", "csv", "--out", "audit"]));
        assert_eq!((again.code, again.stdout), (0, done.stdout), "{library}");
        let report = finish(parallax(&folder).args(["report", "audit"]));
        assert_eq!(
            (report.code, std::fs::read(out.join("report.html")).unwrap()),
            (0, page),
            "{library}: {}",
            report.stderr
        );
    }
}

const OSU: &str = "# OSU MPI Broadcast Latency Test v7.4\n# Size       Avg Latency(us)\n8 0.17\n";

#[test]
fn texts_that_cannot_be_audited_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    put("osu.np2.txt", OSU);
    put("plain.txt", OSU);
    put("osu.np64.txt", OSU);
    put("other.np2.txt", "no benchmark printed this\n");
    put("ibcast.np2.txt", &OSU.replace("Broadcast", "Non-blocking Broadcast"));
    let refused = |page: &mut Page, arguments: &[&str]| {
        let done = finish(parallax(&folder).arg("audit").args(arguments));
        assert_eq!(done.code, 2, "{arguments:?}: {done:?}");
        assert!(!folder.path().join("results").exists(), "{arguments:?}: nothing is kept of nothing");
        page.add(arguments, &done);
    };
    let mut page = Page::new();
    for arguments in [
        &["osu"][..],
        &["nothing.txt"],
        &["osu", "osu.np2.txt"],
        &["osu.np2.txt", "bcast"],
        &["other.np2.txt"],
        &["osu.np2.txt", "--tool", "."],
        &["osu.np2.txt", "--world", "threads"],
    ] {
        refused(&mut page, arguments);
    }
    insta::assert_snapshot!("texts_that_no_library_can_be_asked_about", page);
    let (openmpi, mpich) = (mpi_program("openmpi").is_some(), mpi_program("mpich").is_some());
    if openmpi && mpich {
        let mut page = Page::new();
        refused(&mut page, &["osu.np2.txt"]);
        insta::assert_snapshot!("a_text_that_either_library_may_have_printed", page);
    }
    if openmpi {
        let mut page = Page::new();
        for arguments in [
            &["plain.txt"][..],
            &["osu.np64.txt"],
            &["ibcast.np2.txt"],
            &["osu.np2.txt", "--time-at-most", "5"],
            &["osu.np2.txt", "--bytes", "16"],
        ] {
            refused(&mut page, &[arguments, &["--world", "openmpi"]].concat());
        }
        insta::assert_snapshot!("texts_of_a_library", page);
    }
}

#[test]
fn what_a_text_has_besides_is_left_out_with_the_reason() {
    if mpi_program("openmpi").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let more = OSU.replace("Broadcast", "Non-blocking Broadcast");
    std::fs::write(folder.path().join("two.np2.txt"), format!("{OSU}\n{more}")).unwrap();
    let mut command = parallax(&folder);
    command.args(["audit", "two.np2.txt", "--world", "openmpi", "--launches", "1", "-q", "--out", "audit"]);
    let done = finish(&mut command);
    assert_eq!(done.code, 0, "{done:?}");
    let flat = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let left_out = flat.find("Left out: two.np2.txt: ").map(|at| &flat[at..]).expect("it is said");
    insta::assert_snapshot!(left_out.split_once(" Report: ").expect("the report's place").0);
}
