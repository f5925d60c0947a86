//! The wheel of `scripts/wheel`: installed by pip into fresh environments, also beside each MPI library that `scripts/setup --libraries`
//! brings, it finds all that it needs without flags.

mod common;

use common::command::{Done, finish};
use common::releases::{alone, here};
use common::table;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Programs that launchers and the loader's `ldd` start; no MPI library is among them.
const TOOLS: [&str; 12] =
    ["sh", "bash", "env", "ldd", "cat", "sed", "grep", "dirname", "basename", "uname", "hostname", "rm"];

/// A folder with the wheel of the programs that are tested; none, with the reason, where no Python can make it.
fn wheel() -> Option<(TempDir, PathBuf)> {
    let able = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))";
    if !Command::new("python3").args(["-c", able]).output().is_ok_and(|done| done.status.success()) {
        eprintln!("skipped: no Python of version 3.11 or later with venv and pip here");
        return None;
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let built = Path::new(env!("CARGO_BIN_EXE_parallax")).parent().unwrap();
    let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/wheel"));
    let done = finish(command.arg("--built").arg(built).arg("--out").arg(folder.path()));
    assert_eq!(done.code, 0, "{done:?}");
    let wheel = PathBuf::from(done.stdout.trim());
    assert!(wheel.is_file(), "{done:?}");
    Some((folder, wheel))
}

/// Installs it without a package index. pip refuses a wheel whose name says that the system is too old for it.
fn install(environment: &Path, wheel: &Path) {
    let python = environment.join("bin/python");
    let done =
        finish(Command::new(python).args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]).arg(wheel));
    assert_eq!(done.code, 0, "{done:?}");
}

/// Runs the command of an environment that is not active, where PATH has no MPI library.
fn run(environment: &Path, folder: &TempDir, arguments: &[&str]) -> Done {
    let tools = folder.path().join("tools");
    if !tools.exists() {
        std::fs::create_dir(&tools).unwrap();
        for (tool, from) in TOOLS.iter().flat_map(|tool| ["/usr/bin", "/bin"].map(|from| (tool, from))) {
            let file = Path::new(from).join(tool);
            if file.exists() && !tools.join(tool).exists() {
                std::os::unix::fs::symlink(file, tools.join(tool)).unwrap();
            }
        }
    }
    let mut command = Command::new(environment.join("bin/parallax"));
    let ours = std::env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("PARALLAX_"));
    ours.for_each(|name| {
        command.env_remove(name);
    });
    finish(command.args(arguments).current_dir(folder.path()).env("PATH", tools).env_remove("VIRTUAL_ENV"))
}

#[test]
fn a_fresh_environment_has_the_command_and_loses_it_again() {
    let Some((folder, wheel)) = wheel() else { return };
    let environment = folder.path().join("fresh");
    let made = finish(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    assert_eq!(made.code, 0, "{made:?}");
    install(&environment, &wheel);
    let simulated = ["simulate", "bcast", "--algorithm", "binomial", "--ranks", "8", "--bytes", "1000"];
    let network = ["--model", "hockney", "--set", "alpha=5us,beta=1ns/B", "--format", "json"];
    let done = run(&environment, &folder, &[&simulated[..], &network].concat());
    assert_eq!(done.code, 0, "{done:?}");
    let told: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(told["rows"][0]["finish_max_ps"], 18_000_000, "three rounds of 5 µs + 1000 · 1 ns");
    let python = environment.join("bin/python");
    // Which program the module calls: the one of its own environment, whatever PATH says. The module itself needs pandas.
    let which = "import sys, types; sys.modules['pandas'] = types.ModuleType('pandas'); import parallax; print(parallax.command())";
    let named = finish(Command::new(&python).args(["-c", which]).env_remove("PARALLAX"));
    assert_eq!(named.stdout.trim(), environment.join("bin/parallax").to_str().unwrap(), "{named:?}");
    let removed = ["-m", "pip", "uninstall", "--quiet", "--yes", "parallax-mpi-benchmarks"];
    assert_eq!(finish(Command::new(&python).args(removed)).code, 0);
    let left = std::fs::read_dir(environment.join("bin")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains("parallax")).collect();
    assert!(left.is_empty(), "the list of files is not whole: {left:?}");
}

#[test]
fn beside_a_library_in_its_environment_ranks_are_measured_without_flags() {
    let _alone = alone();
    let all = here();
    let Some((folder, wheel)) = wheel().filter(|_| !all.is_empty()) else { return };
    for (prefix, world, says) in all {
        let environment = folder.path().join(world);
        let copied = finish(Command::new("cp").arg("-al").arg(&prefix).arg(&environment));
        assert_eq!(copied.code, 0, "{copied:?}");
        install(&environment, &wheel);
        let library = world.split('@').next().unwrap();
        let doctor = run(&environment, &folder, &["doctor", "--format", "json"]);
        let told: serde_json::Value = serde_json::from_str(&doctor.stdout).unwrap();
        let worlds: Vec<&str> =
            told["worlds"].as_array().unwrap().iter().map(|row| row["world"].as_str().unwrap()).collect();
        assert_eq!((doctor.code, worlds), (0, vec!["threads", library]), "{doctor:?}");
        let few = ["--ranks", "2", "--bytes", "8", "--method", "loop", "--samples", "2", "--launches", "1", "-q"];
        let out = ["--out", library, "--format", "csv"];
        let done = run(&environment, &folder, &[&["measure", "bcast"][..], &few, &out].concat());
        assert_eq!(done.code, 0, "{says}: {done:?}");
        let rows = table::rows(&done.stdout);
        let right = |row: &table::CsvRow| row["world"] == library && row["library"] == says;
        assert!(!rows.is_empty() && rows.iter().all(right), "{says}: {done:?}");
    }
}
