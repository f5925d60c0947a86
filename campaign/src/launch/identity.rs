//! Which library a program `parallax-mpi` is linked with, as it says itself.

use super::{Finished, run_within};
use serde::Deserialize;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How long a program may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// What `parallax-mpi --identify` prints.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Identity {
    /// Its name.
    pub library: String,
    /// Its version.
    pub version: String,
    /// The version of MPI's standard that it claims.
    pub standard: String,
}

impl Identity {
    /// In what a program printed; libraries may print other lines.
    pub(crate) fn read(text: &str) -> Option<Identity> {
        text.lines().find_map(|line| serde_json::from_str(line.trim()).ok())
    }
}

/// Asks the program, which loads its library with some variables; how it went.
///
/// # Errors
/// If it could not be started.
pub(crate) fn ask(binary: &Path, environment: &[(&str, OsString)]) -> io::Result<Finished> {
    let mut command = Command::new(binary);
    command.arg("--identify").envs(environment.iter().map(|(name, value)| (name, value)));
    run_within(command, PATIENCE)
}

/// Which library a program loads with some variables; none where it does not say.
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
