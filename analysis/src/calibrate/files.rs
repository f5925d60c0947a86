//! Output of a calibration: a machine file, and a folder of the same name with the page, its pictures and all samples.

use crate::machine::FOLDER;
use anyhow::Context;
use measure::job::Outcome;
use programs::machine::Machine;
use render::page::Page;
use scenario::BadInput;
use scenario::files::write_whole;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A machine file to be written, and its folder, which exists already.
pub(crate) struct MachineFiles {
    /// Path of the machine file.
    pub file: PathBuf,
    /// Folder of page, pictures and samples.
    pub folder: PathBuf,
    /// True if the folder was made for this calibration.
    is_new: bool,
}

impl MachineFiles {
    /// Finds or makes an empty place, or one that may be overwritten, before anything is measured in vain.
    pub(crate) fn at(out: Option<&Path>, name: &str, overwrite: bool) -> Result<MachineFiles, BadInput> {
        let Some(file) = out else { return next_free(name) };
        if file.extension().is_none_or(|extension| extension != "toml") || file.file_stem().is_none() {
            let found = file.display();
            return Err(BadInput(format!("--out: expected a file whose name ends in .toml, found {found}")));
        }
        let folder = file.with_extension("");
        if let Some(there) = [file, &folder].into_iter().find(|path| path.exists() && !overwrite) {
            let there = there.display();
            return Err(BadInput(format!("--out: {there} is there already; name another file, or add --overwrite")));
        }
        let is_new = !folder.exists();
        std::fs::create_dir_all(&folder).map_err(|error| cannot_make(&folder, &error))?;
        Ok(MachineFiles { file: file.to_owned(), folder, is_new })
    }

    /// Returns the name of the machine, which is that of its file.
    pub(crate) fn name(&self) -> String {
        self.file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Writes all files, the machine file last: where it exists, everything does.
    pub(crate) fn write(&self, machine: &Machine, page: &Page, samples: &[Vec<Outcome>]) -> anyhow::Result<PathBuf> {
        let mut lines = String::new();
        // Stamps of rehearsals are many; the ratios that they give are in the machine file.
        let kept = |outcome: &&Outcome| !matches!(outcome, Outcome::Measured(_));
        for sample in samples.iter().flatten().filter(kept) {
            lines += &serde_json::to_string(sample)?;
            lines.push('\n');
        }
        put(&self.folder.join("samples.jsonl"), &lines)?;
        let page = page.write(&self.folder)?;
        self.write_machine(machine)?;
        Ok(page)
    }

    /// Writes the machine file alone.
    pub(crate) fn write_machine(&self, machine: &Machine) -> anyhow::Result<()> {
        put(&self.file, &machine.text())
    }

    /// Removes the folder again if it was made for this calibration and is still empty.
    pub(crate) fn take_back(&self) {
        if self.is_new {
            let _ = std::fs::remove_dir(&self.folder);
        }
    }
}

fn put(path: &Path, text: &str) -> anyhow::Result<()> {
    write_whole(path, |file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Makes `results/machines/NAME-001`, or the next number that is free.
fn next_free(name: &str) -> Result<MachineFiles, BadInput> {
    let machines = Path::new(FOLDER);
    std::fs::create_dir_all(machines).map_err(|error| cannot_make(machines, &error))?;
    for number in 1.. {
        let folder = machines.join(format!("{name}-{number:03}"));
        let file = machines.join(format!("{name}-{number:03}.toml"));
        if file.exists() {
            continue;
        }
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(MachineFiles { file, folder, is_new: true }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot_make(&folder, &error)),
        }
    }
    unreachable!("numbers do not end")
}

fn cannot_make(folder: &Path, error: &std::io::Error) -> BadInput {
    BadInput(format!("cannot make the folder {}: {error}; name another with --out", folder.display()))
}
