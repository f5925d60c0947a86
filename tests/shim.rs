//! The library that is loaded beside unmodified programs: small benchmarks in C and Fortran, under both MPI libraries,
//! and in C by the interface of MPI 5's standard, where a library that has it is here.

mod common;

use common::command::{Done, finish, mpi_program};
use measure::audit::{AuditSettings, words};
use measure::board::Board;
use models::platform::Buffer;
use programs::audit::{AuditLine, AuditedRow};
use programs::observation::{Counted, times_ps};
use programs::rank::Phase;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// A benchmark, compiled for a library.
struct Bench {
    folder: tempfile::TempDir,
    library: &'static str,
    launcher: PathBuf,
    shim: PathBuf,
}

/// What a watched program left behind.
struct Watched {
    done: Done,
    rows: Vec<AuditedRow>,
    /// As many rows as the last line says; none if that line is missing.
    finished: Option<u32>,
    phases: Vec<Phase>,
}

impl Bench {
    /// For each library that is here.
    fn all(source: &str) -> Vec<Bench> {
        ["openmpi", "mpich", "abi"].into_iter().filter_map(|library| Bench::new(library, source)).collect()
    }

    fn new(library: &'static str, source: &str) -> Option<Bench> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let wrapper = if source.ends_with(".c") {
            let asked = finish(Command::new(root.join("scripts/mpi-compiler")).arg(library));
            asked.stdout.trim().to_owned()
        } else {
            format!("mpif90.{library}")
        };
        if library == "abi" && Command::new(&wrapper).arg("--version").output().is_err() {
            eprintln!("skipped: no compiler for the interface of MPI 5's standard here (scripts/setup --libraries)");
            return None;
        }
        let shim = mpi_program(library)?.with_file_name(format!("libparallax-shim-{library}.so"));
        assert!(shim.is_file(), "no {}: run scripts/build", shim.display());
        if Command::new(&wrapper).arg("--version").output().is_err() {
            eprintln!("skipped: no {wrapper} here");
            return None;
        }
        // A program of the standard's interface finds the library that its compiler belongs to.
        let launcher = match library {
            "abi" => Path::new(&wrapper).with_file_name("mpiexec"),
            _ => format!("mpirun.{library}").into(),
        };
        let folder = tempfile::tempdir().unwrap();
        let source = root.join("tests/shim").join(source);
        let done = finish(Command::new(&wrapper).arg(source).arg("-o").arg(folder.path().join("benchmark")));
        assert_eq!(done.code, 0, "{library}: {done:?}");
        Some(Bench { folder, library, launcher, shim })
    }

    /// The launcher's command.
    fn launch(&self, ranks: u32) -> Command {
        let mut command = Command::new(&self.launcher);
        command.args(["-n", &ranks.to_string()]);
        if self.library == "openmpi" {
            command.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]);
            command.args(["--mca", "btl_vader_single_copy_mechanism", "none", "--mca", "mpi_yield_when_idle", "1"]);
        }
        command
    }

    fn plain(&self, argument: &str) -> Done {
        finish(self.launch(2).arg(self.folder.path().join("benchmark")).arg(argument))
    }

    /// Runs the program watched, on ranks that are told that there are so many cores.
    fn watched(&self, ranks: u32, cores: u32, argument: &str) -> Watched {
        // Ranks of two tests at once would starve each other on few cores.
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let at = |name: &str| self.folder.path().join(name);
        let board = Board::create(&at("board"), ranks).unwrap();
        std::fs::write(at("out.jsonl"), "").unwrap();
        AuditSettings::new(at("out.jsonl"), at("board"), cores).write(&at("settings.json")).unwrap();
        let mut command = self.launch(ranks);
        command.args(words(&self.shim, &at("settings.json"))).arg(at("benchmark")).arg(argument);
        let done = finish(&mut command);
        let (mut rows, mut finished) = (Vec::new(), None);
        for line in std::fs::read_to_string(at("out.jsonl")).unwrap().lines() {
            assert_eq!(finished, None, "nothing comes after the last line");
            match serde_json::from_str(line).unwrap() {
                AuditLine::Row(row) => rows.push(*row),
                AuditLine::Finished { rows } => finished = Some(rows),
            }
        }
        let phases = board.all().iter().map(|status| status.phase).collect();
        Watched { done, rows, finished, phases }
    }
}

/// Function, bytes, element, calls, root, in place.
type SeenRow = (&'static str, u64, &'static str, u64, &'static [u32], bool);

/// The rows of `benchmark.c`.
const ROWS: [SeenRow; 5] = [
    ("MPI_Bcast", 8, "MPI_CHAR", 12, &[0], false),
    ("MPI_Bcast", 1024, "MPI_CHAR", 12, &[1], false),
    ("MPI_Bcast", 65536, "MPI_CHAR", 12, &[0], false),
    ("MPI_Allreduce", 64, "MPI_INT", 8, &[], true),
    ("MPI_Barrier", 0, "", 12, &[], false),
];

fn assert_rows(watched: &Watched, library: &str) {
    let seen: Vec<_> = watched
        .rows
        .iter()
        .map(|row| (&*row.function, row.bytes, &*row.element, row.calls, &row.roots[..], row.in_place))
        .collect();
    assert_eq!(seen, ROWS, "{library}");
    assert_eq!(watched.finished, Some(5), "{library}");
    assert!(watched.phases.iter().all(|phase| *phase == Phase::Finished), "{library}: {:?}", watched.phases);
}

#[test]
fn rows_are_seen_and_referred_to_and_the_program_notices_nothing() {
    for bench in Bench::all("benchmark.c") {
        let library = bench.library;
        let (plain, watched) = (bench.plain(""), bench.watched(2, 2, ""));
        assert_eq!((watched.done.code, &*watched.done.stdout), (0, "wrong: 0\n"), "{library}: {:?}", watched.done);
        assert_eq!(plain.stdout, watched.done.stdout, "{library}");
        assert!(!watched.done.stderr.contains("parallax"), "{library}: {:?}", watched.done);
        assert_rows(&watched, library);
        for (number, row) in watched.rows.iter().enumerate() {
            assert_eq!((row.row as usize, row.ranks, &row.left_out), (number, 2, &None), "{library}");
            assert_eq!((row.looks_before.len(), row.looks_after.len()), (2, 2), "{library}, {}", row.function);
            let states: Vec<Buffer> = row.references.iter().map(|reference| reference.buffer).collect();
            assert_eq!(states, Buffer::REFERENCES, "{library}, {}", row.function);
            for reference in &row.references {
                assert_eq!(reference.ranks.len(), 2, "{library}");
                let valid = reference.ranks[0].stamps.iter().filter(|stamp| stamp.valid).count();
                assert!(
                    valid > 0 && reference.ranks.iter().all(|rank| rank.looks.len() > 1),
                    "{library}: {valid} valid"
                );
                assert!(!times_ps(&reference.ranks, Counted::default()).is_empty(), "{library}");
            }
        }
    }
}

#[test]
fn buffers_that_were_freed_are_left_alone() {
    for bench in Bench::all("benchmark.c") {
        let watched = bench.watched(2, 2, "freeing");
        assert_eq!((watched.done.code, &*watched.done.stdout), (0, "wrong: 0\n"), "{:?}", watched.done);
        assert_rows(&watched, bench.library);
        for (number, row) in watched.rows.iter().enumerate() {
            let (freed, references) = (number < 3, row.references.len());
            assert_eq!((row.left_out.is_some(), references), (freed, if freed { 0 } else { 3 }), "{:?}", row.left_out);
        }
    }
}

#[test]
fn a_program_without_rows_says_so_at_its_end() {
    for bench in Bench::all("benchmark.c") {
        let watched = bench.watched(2, 2, "idle");
        assert_eq!((watched.done.code, &*watched.done.stdout), (0, "wrong: 0\n"), "{:?}", watched.done);
        assert_eq!((watched.rows.len(), watched.finished), (0, Some(0)));
    }
}

#[test]
fn ranks_that_share_cores_take_references_without_looks() {
    for bench in Bench::all("benchmark.c") {
        let watched = bench.watched(2, 1, "");
        assert_eq!((watched.done.code, &*watched.done.stdout), (0, "wrong: 0\n"), "{:?}", watched.done);
        assert_rows(&watched, bench.library);
        for row in &watched.rows {
            assert_eq!((row.looks_before.len(), row.looks_after.len(), row.references.len()), (0, 0, 3));
        }
    }
}

#[test]
fn without_readable_settings_the_program_runs_as_ever() {
    for bench in Bench::all("benchmark.c") {
        let program = bench.folder.path().join("benchmark");
        let settings = bench.folder.path().join("not-there.json");
        let done = finish(bench.launch(2).args(words(&bench.shim, &settings)).arg(&program));
        assert_eq!((done.code, &*done.stdout), (0, "wrong: 0\n"), "{done:?}");
        assert!(done.stderr.contains("not-there.json"), "{done:?}");
        // Each of two ranks says so, in whatever order, among what their launcher says.
        let said = done.stderr.lines().find(|line| line.contains("not-there.json")).unwrap_or_default();
        insta::assert_snapshot!("settings_that_are_not_there", said.replace(settings.to_str().unwrap(), "SETTINGS"));
        let preload = format!("LD_PRELOAD={}", bench.shim.display());
        let done = finish(bench.launch(2).args(["env", &preload]).arg(&program));
        assert_eq!((done.code, &*done.stdout), (0, "wrong: 0\n"), "without the variable: {done:?}");
        assert!(!done.stderr.contains("parallax"), "{done:?}");
    }
}

#[test]
fn fortran_calls_are_seen_once() {
    for bench in Bench::all("benchmark.f90") {
        let watched = bench.watched(2, 2, "");
        assert_eq!((watched.done.code, watched.done.stdout.trim()), (0, "wrong: 0"), "{:?}", watched.done);
        let seen: Vec<_> = watched
            .rows
            .iter()
            .map(|row| {
                (&*row.function, row.bytes, row.calls, row.reduction.as_deref(), row.in_place, row.references.len())
            })
            .collect();
        let expected = [("MPI_Bcast", 512, 12, None, false, 3), ("MPI_Allreduce", 16, 8, Some("MPI_MAX"), true, 3)];
        assert_eq!(seen, expected, "{}", bench.library);
    }
}
