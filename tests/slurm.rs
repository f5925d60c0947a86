//! Job scripts carried out by a real Slurm, which `tests/slurm` starts on this machine and takes down again.
//!
//! Skipped, with the reason, where it cannot be started, unless PARALLAX_REQUIRE_SLURM is set.
#![cfg(target_os = "linux")]

mod common;

use common::command::{finish, mpi_program};
use std::process::Command;

#[test]
fn jobs_of_a_real_slurm_measure_and_go_on_after_they_were_cancelled() {
    let libraries: Vec<_> = ["openmpi", "mpich"].into_iter().filter(|library| mpi_program(library).is_some()).collect();
    if libraries.is_empty() {
        return;
    }
    let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/slurm"));
    let done = finish(command.arg(env!("CARGO_BIN_EXE_parallax")).args(&libraries));
    if done.code == 77 {
        assert!(std::env::var_os("PARALLAX_REQUIRE_SLURM").is_none(), "no Slurm can be started here: {done:?}");
        eprintln!("skipped: {}", done.stderr);
        return;
    }
    assert_eq!(done.code, 0, "{done:?}");
    for library in &libraries {
        for launcher in ["mpirun", "srun"] {
            assert!(done.stdout.contains(&format!("slurm: {library} by {launcher}: ")), "{done:?}");
        }
    }
    for command in ["measure", "budget"] {
        assert!(done.stdout.contains(&format!("{command} on the job's 2 ranks, report there")), "{done:?}");
    }
    assert!(done.stdout.contains("submitted again, 8 cases measured"), "{done:?}");
}
