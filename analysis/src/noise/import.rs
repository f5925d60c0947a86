//! What other tools recorded, written as files of our own.

use crate::files::open;
use anyhow::Context;
use models::detours::Baseline;
use models::detours::import::{Format, Imported, Known, import};
use models::names::counted;
use models::noise::read;
use models::time::Span;
use scenario::BadInput;
use scenario::files::write_whole;
use std::fmt;
use std::path::Path;

/// Files that are to be imported.
pub struct Imports<'a> {
    /// By name.
    pub files: &'a [String],
    /// Whose they are; none: what the first says.
    pub format: Option<Format>,
    /// The rate of cycles.
    pub hz: Option<f64>,
    /// What quanta are compared with.
    pub baseline: Baseline,
    /// A detour is longer than this.
    pub threshold: Option<Span>,
    /// Where they go.
    pub out: &'a Path,
}

/// What was written.
pub struct Written {
    ranks: usize,
    what: String,
    time: Span,
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Written { ranks, what, time } = self;
        write!(f, "{}, {time}: {what}", counted(ranks, "rank"))
    }
}

impl Imports<'_> {
    /// Reads all, then writes a file for each rank.
    ///
    /// # Errors
    /// What cannot be read, with file and line; a folder that holds such files, or cannot be written.
    pub fn write(&self) -> anyhow::Result<Written> {
        let files = self.files.iter().map(|file| open(Path::new(file)));
        let files = files.collect::<Result<Vec<(String, Vec<u8>)>, String>>().map_err(BadInput)?;
        let known = Known { hz: self.hz, baseline: self.baseline, threshold: self.threshold };
        let imported = import(&files, self.format, &known).map_err(BadInput)?;
        self.make_folder()?;
        let (ending, texts, written) = match &imported {
            Imported::Detours(traces) => {
                let count: usize = traces.iter().map(|trace| trace.detours.len()).sum();
                let time = traces.iter().map(|trace| trace.length).max().unwrap_or_default();
                let what = counted(count, "detour");
                let texts: Vec<String> = traces.iter().map(read::write).collect();
                ("detours", texts, Written { ranks: traces.len(), what, time })
            }
            Imported::Counts(all) => {
                let count: usize = all.iter().map(|work| work.counts.len()).sum();
                let time = all.iter().map(|work| work.interval * work.counts.len() as u64).max().unwrap_or_default();
                let what = format!("{count} intervals");
                ("counts", all.iter().map(read::write_counts).collect(), Written { ranks: all.len(), what, time })
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
