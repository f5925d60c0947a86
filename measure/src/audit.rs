//! What the library is told that is loaded beside a program of its own: by a file, which a variable of the environment
//! names.

use models::platform::Buffer;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// The variable that names the file of settings. Without it the library passes calls on, and does nothing else.
pub const VARIABLE: &str = "PARALLAX_SHIM";

/// The words to put before a program's own, whatever launcher starts it, so that the library is loaded beside it. What
/// the user has loaded beside it already stays.
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

/// The settings: a JSON file, which the command writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditSettings {
    /// Where rank 0 appends one [`AuditLine`](models::audit::AuditLine) after each row; the file is there already.
    pub out: PathBuf,
    /// The status board, which is there already.
    pub board: PathBuf,
    /// Cores that the ranks may use, on all hosts together.
    pub cores: u32,
    /// States of buffers in which references are taken, in this order.
    pub states: Vec<Buffer>,
    /// Valid windows of one reference.
    pub windows: u32,
    /// The longest memory of one rank's call, sent and received together, with which references are taken: it is kept
    /// and put back around them.
    pub longest_bytes: u64,
}

impl AuditSettings {
    /// The usual references, for ranks that share so many cores.
    pub fn new(out: PathBuf, board: PathBuf, cores: u32) -> AuditSettings {
        AuditSettings { out, board, cores, states: Buffer::REFERENCES.to_vec(), windows: 60, longest_bytes: 1 << 30 }
    }

    /// Writes a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        std::fs::write(path, serde_json::to_vec(self)?)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file and what is wrong with it.
    pub fn read(path: &Path) -> io::Result<AuditSettings> {
        let explain = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let text = std::fs::read(path).map_err(explain)?;
        serde_json::from_slice(&text).map_err(|error| explain(error.into()))
    }
}
