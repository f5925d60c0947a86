//! A sweep of a file whose rows and page lie in a folder of results.

use super::{Show, Source, Sweeping};
use anyhow::Context;
use models::engine::Engine;
use scenario::BadInput;
use scenario::expect::Judgement;
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
}

/// A sweep that was simulated into a folder.
pub struct Swept {
    /// 0, or 1 where points failed.
    pub code: ExitCode,
    /// The path of the page.
    pub page: PathBuf,
    /// What came of the sweep's expectations.
    pub judgements: Vec<Judgement>,
}

impl SweepFolder<'_> {
    /// Simulates all points that are still to be done, and writes the page.
    ///
    /// # Errors
    /// As [`Sweeping::carry_out`]; a folder that cannot be made.
    pub fn carry_out(&self) -> anyhow::Result<Swept> {
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
        let rows = folder.join(ROWS);
        let sweeping = Sweeping {
            source: Source::File(self.file.to_owned()),
            show: Show::Rows,
            out: Some(rows.clone()),
            paper: reports::plots::Paper::default(),
            resume: self.resume,
            small: self.small,
            engine: Engine::Auto,
            json: false,
            quiet: self.quiet,
            serve: false,
            gather: false,
        };
        let code = sweeping.carry_out()?;
        let work = sweeping.work()?;
        let rows = reports::sweep::rows(&rows, &work.sweep)?;
        let page = reports::sweep::page(&work.sweep, &rows).write(&folder);
        let page = page.with_context(|| format!("the page in {}", folder.display()))?;
        Ok(Swept { code, page, judgements: reports::sweep::judged(&work.sweep, &rows) })
    }
}
