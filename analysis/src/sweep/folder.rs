//! Sweeps of a file, with rows and page in a folder of results.

use super::work::Disk;
use super::{Show, Source, Sweeping, parsed};
use crate::report::Made;
use anyhow::Context;
use models::engine::Engine;
use render::results::{Format, Look};
use reports::sweep::{Form, Header, SweepRow};
use scenario::BadInput;
use scenario::expect::Judgement;
use scenario::sweep::Sweep;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Name of the file of rows in such a folder.
const ROWS: &str = "rows.jsonl";

/// Request of a sweep into a folder, or of its continuation.
pub struct SweepFolder<'a> {
    /// Path of the sweep's file.
    pub file: &'a Path,
    /// Folder of results; `None` for a new one.
    pub out: Option<&'a Path>,
    /// Whether rows in the folder are kept and completed.
    pub resume: bool,
    /// Whether the small form of the sweep is simulated.
    pub small: bool,
    /// Whether progress is kept silent.
    pub quiet: bool,
    /// Whether the work is only announced and nothing is done.
    pub dry_run: bool,
}

/// A sweep that was simulated into a folder.
pub struct Swept {
    /// Exit code: 0, or 1 where points failed.
    pub code: ExitCode,
    /// Path of the page; `None` after a dry run.
    pub page: Option<PathBuf>,
    /// Judgements of the sweep's expectations; empty after a dry run.
    pub judgements: Vec<Judgement>,
}

impl SweepFolder<'_> {
    /// Simulates all points that are still to be done, and writes the page.
    ///
    /// # Errors
    /// Fails where [`Sweeping::run_sweep`] does, and on a folder that cannot be made.
    pub fn run_in_folder(&self) -> anyhow::Result<Swept> {
        if self.dry_run {
            return Ok(Swept { code: self.sweeping(None).run_sweep()?, page: None, judgements: Vec::new() });
        }
        let name = self.file.file_stem().map_or("sweep".into(), |stem| stem.to_string_lossy());
        let folder = match (self.out, self.resume) {
            (None, true) => return Err(BadInput("--resume: expected --out with the sweep's folder".to_owned()).into()),
            (None, false) => campaign::next_run(&name)?,
            (Some(out), _) => {
                std::fs::create_dir_all(out).map_err(|error| {
                    BadInput(format!("cannot make the folder {}: {error}; name another with --out", out.display()))
                })?;
                out.to_owned()
            }
        };
        let code = self.sweeping(Some(folder.join(ROWS))).run_sweep()?;
        let told = |sweep: &Sweep, rows: &[SweepRow<'_>]| {
            (reports::sweep::page(sweep, rows), reports::sweep::judged(sweep, rows))
        };
        let (page, judgements) = simulated(&folder, told)?.context("the sweep wrote no rows")?;
        let page = page.write(&folder).with_context(|| format!("the page in {}", folder.display()))?;
        Ok(Swept { code, page: Some(page), judgements })
    }

    /// Returns the sweep with its rows directed to this file.
    fn sweeping(&self, rows: Option<PathBuf>) -> Sweeping {
        Sweeping {
            source: Source::File(self.file.to_owned()),
            show: Show::Rows,
            out: rows,
            paper: render::plots::Paper::default(),
            resume: self.resume,
            small: self.small,
            engine: Engine::Auto,
            format: Format::Table,
            look: Look::IN_FILES,
            quiet: self.quiet,
            dry_run: self.dry_run,
            serve: false,
            gather: false,
        }
    }
}

/// Makes the results of a sweep again from the rows in a folder and the text of the sweep's file beside them; `None` in
/// a folder without rows.
///
/// # Errors
/// Fails on rows of another sweep, and on a missing file that the sweep names.
pub(crate) fn made(folder: &Path) -> anyhow::Result<Option<Made>> {
    simulated(folder, |sweep, rows| {
        let csv = rows.iter().fold(Form::Csv.columns(), |csv, row| csv + &Form::Csv.line(row));
        let page = reports::sweep::page(sweep, rows);
        Made::new(move || page).with_csv(move || csv)
    })
}

/// Returns the result of `tell` for the sweep of a folder and its rows, or `None` in a folder without rows.
fn simulated<T>(folder: &Path, tell: impl FnOnce(&Sweep, &[SweepRow<'_>]) -> T) -> anyhow::Result<Option<T>> {
    let path = folder.join(ROWS);
    let Some(Header { file, text, small, .. }) = Header::beside(&path).map_err(BadInput)? else { return Ok(None) };
    let sweep = parsed(&file, &text, small, &Disk::default())?;
    let rows = reports::sweep::rows(&path, &sweep)?;
    Ok(Some(tell(&sweep, &rows)))
}
