//! `parallax audit`: a benchmark of the tests' own, compiled for each MPI library that is here.

mod common;

use common::command::{finish, mpi_program, parallax};
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
    let refused = |arguments: &[&str]| {
        let done = finish(parallax(&tools).arg("audit").args(arguments));
        assert_eq!(done.code, 2, "{done:?}");
        done.stderr
    };
    assert!(refused(&["osu", "scan"]).contains("scan: OSU does not measure it"));
    assert!(refused(&["osu", "ibcast"]).contains("expected one of bcast"));
    assert!(refused(&["osu", "bcast", "--world", "threads"]).contains("benchmarks need an MPI library"));
    assert!(refused(&["osu", "bcast", "--reference", "pool"]).contains("known: same, touched, cold"));
    std::fs::remove_file(tools.path().join("osu_bcast")).unwrap();
    let done = finish(&mut audit(&tools, "openmpi", &[]));
    assert!(done.stderr.contains("None of osu_bcast is on PATH") && done.stderr.contains("emulated"), "{done:?}");
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
    assert!(done.stderr.contains("no such luck") && done.stderr.contains("no benchmark could be run"), "{done:?}");
    assert!(!tools.path().join("audit").join("campaign.jsonl").exists(), "nothing is kept of nothing");
}
