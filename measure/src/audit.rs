//! Settings of the library that is loaded beside a program of its own: a file, which a variable of the environment
//! names.

use models::platform::Buffer;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Variable that names the file of settings. Without it the library passes calls on, and does nothing else.
pub const VARIABLE: &str = "PARALLAX_SHIM";

/// Returns the words to put before a program's own, whatever launcher starts it, so that the library is loaded beside
/// it. Libraries that the user has loaded beside it already stay.
pub fn words(library: &Path, settings: &Path) -> Vec<OsString> {
    let mut preloaded = OsString::from("LD_PRELOAD=");
    preloaded.push(library);
    if let Some(others) = std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
        preloaded.push(":");
        preloaded.push(others);
    }
    let mut named = OsString::from(format!("{VARIABLE}="));
    named.push(settings);
    vec!["env".into(), preloaded, named]
}

/// Settings of the library: a JSON file, which the command writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditSettings {
    /// File to which rank 0 appends one [`AuditLine`](programs::audit::AuditLine) after each row. It exists already.
    pub out: PathBuf,
    /// Path of the status board, which exists already.
    pub board: PathBuf,
    /// Cores that the ranks may use, on all hosts together.
    pub cores: u32,
    /// States of buffers in which references are taken, in this order.
    pub states: Vec<Buffer>,
    /// Valid windows of one reference.
    pub windows: u32,
    /// Longest memory of one rank's call, in bytes, sent and received together, with which references are taken: it is
    /// kept and put back around them.
    pub longest_bytes: u64,
}

impl AuditSettings {
    /// Settings with the usual references, for ranks that share `cores` cores.
    pub fn new(out: PathBuf, board: PathBuf, cores: u32) -> AuditSettings {
        AuditSettings { out, board, cores, states: Buffer::REFERENCES.to_vec(), windows: 60, longest_bytes: 1 << 30 }
    }

    /// Writes the settings as a file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        std::fs::write(path, serde_json::to_vec(self)?)
    }

    /// Reads a file of settings.
    ///
    /// # Errors
    ///
    /// Names the file and what is wrong with it.
    pub fn read(path: &Path) -> io::Result<AuditSettings> {
        let explain = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let text = std::fs::read(path).map_err(explain)?;
        serde_json::from_slice(&text).map_err(|error| explain(error.into()))
    }
}
