//! Library that a program `parallax-mpi` is linked with, as the program itself reports it.

use super::{Finished, run_within};
use serde::Deserialize;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Time limit for a program's answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Output of `parallax-mpi --identify`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Identity {
    /// Name of the library.
    pub library: String,
    /// Version of the library.
    pub version: String,
    /// Version of the MPI standard that it claims.
    pub standard: String,
}

impl Identity {
    /// Reads it from a program's output, in which libraries may print other lines.
    pub(crate) fn read(text: &str) -> Option<Identity> {
        text.lines().find_map(|line| serde_json::from_str(line.trim()).ok())
    }
}

/// Runs the program with variables that select its library, and returns its output and status.
///
/// # Errors
/// Fails if the program cannot be started.
pub(crate) fn ask(binary: &Path, environment: &[(&str, OsString)]) -> io::Result<Finished> {
    let mut command = Command::new(binary);
    command.arg("--identify").envs(environment.iter().map(|(name, value)| (name, value)));
    run_within(command, PATIENCE)
}

/// Returns the library that a program loads with these variables. `None` if it does not report one.
pub(crate) fn identify(binary: &Path, environment: &[(&str, OsString)]) -> Option<Identity> {
    Identity::read(&ask(binary, environment).ok()?.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_found_among_others() {
        let text = "a warning\n{\"library\":\"MPICH\",\"version\":\"4.0.2\",\"standard\":\"4.0\"}\n";
        let identity = Identity::read(text).expect("a line");
        assert_eq!(
            (identity.library.as_str(), identity.version.as_str(), identity.standard.as_str()),
            ("MPICH", "4.0.2", "4.0")
        );
        assert_eq!(Identity::read("a warning"), None);
    }
}
