//! A sweep of a file whose rows and page lie in a folder of results.

use super::work::Disk;
use super::{Show, Source, Sweeping, parsed};
use crate::report::Made;
use anyhow::Context;
use models::engine::Engine;
use render::results::{Format, Look};
use reports::sweep::{Form, Header, Row};
use scenario::BadInput;
use scenario::expect::Judgement;
use scenario::sweep::Sweep;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The file of rows in such a folder.
const ROWS: &str = "rows.jsonl";

/// What is kept of a sweep, and whether it is gone on with.
pub struct SweepFolder<'a> {
    /// The sweep's file.
    pub file: &'a Path,
    /// Its folder of results; none: a new one.
    pub out: Option<&'a Path>,
    /// Go on with what is in it.
    pub resume: bool,
    /// Simulate the small form.
    pub small: bool,
    /// Say nothing while running.
    pub quiet: bool,
    /// Say what would be done, and do nothing.
    pub dry_run: bool,
}

/// A sweep that was simulated into a folder.
pub struct Swept {
    /// 0, or 1 where points failed.
    pub code: ExitCode,
    /// The path of the page; none after a dry run.
    pub page: Option<PathBuf>,
    /// The judgements of the sweep's expectations; empty after a dry run.
    pub judgements: Vec<Judgement>,
}

impl SweepFolder<'_> {
    /// Simulates all points that are still to be done, and writes the page.
    ///
    /// # Errors
    /// As [`Sweeping::carry_out`]; a folder that cannot be made.
    pub fn carry_out(&self) -> anyhow::Result<Swept> {
        if self.dry_run {
            return Ok(Swept { code: self.sweeping(None).carry_out()?, page: None, judgements: Vec::new() });
        }
        let name = self.file.file_stem().map_or("sweep".into(), |stem| stem.to_string_lossy());
        let folder = match (self.out, self.resume) {
            (None, true) => return Err(BadInput("--resume: expected --out with the sweep's folder".to_owned()).into()),
            (None, false) => campaign::next_free(&name)?,
            (Some(out), _) => {
                std::fs::create_dir_all(out).map_err(|error| {
                    BadInput(format!("cannot make the folder {}: {error}; name another with --out", out.display()))
                })?;
                out.to_owned()
            }
        };
        let code = self.sweeping(Some(folder.join(ROWS))).carry_out()?;
        let told =
            |sweep: &Sweep, rows: &[Row<'_>]| (reports::sweep::page(sweep, rows), reports::sweep::judged(sweep, rows));
        let (page, judgements) = simulated(&folder, told)?.context("the sweep wrote no rows")?;
        let page = page.write(&folder).with_context(|| format!("the page in {}", folder.display()))?;
        Ok(Swept { code, page: Some(page), judgements })
    }

    /// The sweep, whose rows go there.
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

/// The results of the sweep whose rows are in a folder, made again from them and the text of its file beside them; none where there
/// are no rows.
///
/// # Errors
/// Rows of another sweep; a file that the sweep names and that is not there any more.
pub(crate) fn made(folder: &Path) -> anyhow::Result<Option<Made>> {
    simulated(folder, |sweep, rows| Made {
        csv: Some(rows.iter().fold(Form::Csv.columns(), |csv, row| csv + &Form::Csv.line(row))),
        page: reports::sweep::page(sweep, rows),
    })
}

/// The result of `tell` for the sweep of a folder and its rows; none in a folder without rows.
fn simulated<T>(folder: &Path, tell: impl FnOnce(&Sweep, &[Row<'_>]) -> T) -> anyhow::Result<Option<T>> {
    let path = folder.join(ROWS);
    let Some(Header { file, text, small, .. }) = Header::beside(&path).map_err(BadInput)? else { return Ok(None) };
    let sweep = parsed(&file, &text, small, &Disk::default())?;
    let rows = reports::sweep::rows(&path, &sweep)?;
    Ok(Some(tell(&sweep, &rows)))
}
