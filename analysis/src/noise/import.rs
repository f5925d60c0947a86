//! Recordings of other tools, written as files of Parallax.

use crate::files::open;
use anyhow::Context;
use models::names::counted;
use models::noise::read;
use models::time::Span;
use programs::detours::Baseline;
use programs::detours::import::{ImportFormat, ImportParameters, Imported, import};
use scenario::BadInput;
use scenario::files::write_whole;
use std::fmt;
use std::path::Path;

/// Request to import files.
pub struct Imports<'a> {
    /// Names of the files to import.
    pub files: &'a [String],
    /// Format of the files; `None` to recognise it by the first file.
    pub format: Option<ImportFormat>,
    /// Rate of cycles in Hz, for files that count cycles.
    pub hz: Option<f64>,
    /// FWQ: duration with which quanta are compared.
    pub baseline: Baseline,
    /// FWQ: duration above which a delay is a detour; `None` for the default one.
    pub threshold: Option<Span>,
    /// Folder into which the files are written.
    pub out: &'a Path,
}

/// Summary of the files that were written.
pub struct ImportSummary {
    ranks: usize,
    what: String,
    time: Span,
}

impl fmt::Display for ImportSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ImportSummary { ranks, what, time } = self;
        write!(f, "{}, {time}: {what}", counted(ranks, "rank"))
    }
}

impl Imports<'_> {
    /// Reads all files, then writes a file for each rank.
    ///
    /// # Errors
    /// Fails on a file that cannot be read, with its line, on a folder that holds such files already, and on one that
    /// cannot be written.
    pub fn write(&self) -> anyhow::Result<ImportSummary> {
        let files = self.files.iter().map(|file| open(Path::new(file)));
        let files = files.collect::<Result<Vec<(String, Vec<u8>)>, String>>().map_err(BadInput)?;
        let known = ImportParameters { hz: self.hz, baseline: self.baseline, threshold: self.threshold };
        let imported = import(&files, self.format, &known).map_err(BadInput)?;
        self.make_folder()?;
        let (ending, texts, written) = match &imported {
            Imported::Detours(traces) => {
                let count: usize = traces.iter().map(|trace| trace.detours.len()).sum();
                let time = traces.iter().map(|trace| trace.length).max().unwrap_or_default();
                let what = counted(count, "detour");
                let texts: Vec<String> = traces.iter().map(read::write).collect();
                ("detours", texts, ImportSummary { ranks: traces.len(), what, time })
            }
            Imported::Counts(all) => {
                let count: usize = all.iter().map(|work| work.counts.len()).sum();
                let time = all.iter().map(|work| work.interval * work.counts.len() as u64).max().unwrap_or_default();
                let what = format!("{count} intervals");
                ("counts", all.iter().map(read::write_counts).collect(), ImportSummary { ranks: all.len(), what, time })
            }
        };
        for (rank, text) in texts.iter().enumerate() {
            let path = self.out.join(format!("rank-{rank:06}.{ending}"));
            let written = write_whole(&path, |file| file.write_all(text.as_bytes()));
            written.with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(written)
    }

    fn make_folder(&self) -> Result<(), BadInput> {
        let shown = self.out.display();
        std::fs::create_dir_all(self.out)
            .map_err(|error| BadInput(format!("--out: cannot make the folder {shown}: {error}; name another one")))?;
        let entries = std::fs::read_dir(self.out).map_err(|error| BadInput(format!("--out: {shown}: {error}")))?;
        let is_ours = |name: &str| name.ends_with(".detours") || name.ends_with(".counts");
        let mut names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
        match names.find(|name| is_ours(name)) {
            Some(name) => {
                Err(BadInput(format!("--out: {shown} holds recorded noise already ({name}); name another folder")))
            }
            None => Ok(()),
        }
    }
}
