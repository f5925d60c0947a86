//! Releases of MPI libraries that `scripts/setup --libraries` installs.

use super::command::mpi_program;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The folder of each release, its world, and what its ranks say they are.
pub const RELEASES: [(&str, &str, &str); 3] = [
    ("openmpi-5.0.11", "openmpi@5.0.11", "Open MPI 5.0.11"),
    ("mpich-5.0.2", "mpich@5.0.2", "MPICH 5.0.2"),
    ("impi-devel-2021.18.0", "intelmpi@2021.18.0", "Intel MPI 2021.18.0"),
];

/// Ranks of two tests at once would starve each other on few cores.
pub fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where a release is, if it is here and there is a program for its interface.
pub fn prefix(folder: &str) -> Option<PathBuf> {
    let build = Path::new(env!("CARGO_BIN_EXE_parallax")).parent()?;
    let prefix = build.parent()?.join("libraries").join(folder);
    if !prefix.join("complete").exists() {
        assert!(
            std::env::var_os("PARALLAX_REQUIRE_LIBRARIES").is_none_or(|value| value.is_empty()),
            "no {folder}: run scripts/setup --libraries"
        );
        eprintln!("skipped: no {folder} here (scripts/setup --libraries)");
        return None;
    }
    mpi_program(if folder.starts_with("openmpi") { "openmpi" } else { "mpich" }).map(|_| prefix)
}

/// Those that are here: folder, world, and what their ranks say.
pub fn here() -> Vec<(PathBuf, &'static str, &'static str)> {
    RELEASES.iter().filter_map(|(folder, world, says)| Some((prefix(folder)?, *world, *says))).collect()
}
