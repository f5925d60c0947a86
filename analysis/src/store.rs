//! The store of all campaigns in one SQLite file: additions to it, and its faults.

use crate::import::{self, Said, Text, content, tell_left_out};
use anyhow::Context;
use campaign::environment::{utc, utc_now};
use formats::import::{Imported, recognise};
use render::groups::distinct;
use scenario::BadInput;
use scenario::store::{Contents, FORMAT, Line, read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use study::database::{Added, Database, DatabaseError, PATIENCE};

/// Default path of the store.
pub const STORE: &str = "results/parallax.sqlite";

/// Refuses an existing file that is no store of Parallax, before anything is measured for it. A store that is being
/// written is accepted, since it may be free by then.
///
/// # Errors
/// Names the kind of file that it is.
pub fn check(db: &Path) -> anyhow::Result<()> {
    match Database::open(db, Duration::ZERO) {
        Ok(_) | Err(DatabaseError::Absent(_) | DatabaseError::Busy { .. }) => Ok(()),
        Err(error) => Err(database_error(error)),
    }
}

/// Adds a campaign to a store, which is made if there is none; returns a sentence on the addition.
///
/// # Errors
/// Fails on a store that cannot be made or written.
pub fn add(db: &Path, lines: &[Line]) -> anyhow::Result<String> {
    put(&mut create(db)?, lines, &utc_now())
}

/// Opens the store, which is made with its folder if there is none.
///
/// # Errors
/// Fails on a store that cannot be made or opened.
pub fn create(db: &Path) -> anyhow::Result<Database> {
    if let Some(folder) = db.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    Database::create(db, PATIENCE).map_err(database_error)
}

/// Adds a campaign to an open store; returns a sentence like `added as run 3 of results/parallax.sqlite`.
///
/// # Errors
/// Fails on a store that cannot be written.
pub fn put(database: &mut Database, lines: &[Line], recorded_at: &str) -> anyhow::Result<String> {
    let added = database.add(lines, recorded_at).map_err(database_error)?;
    let what = match added {
        Added::New(_) => "added as",
        Added::GoneOn(_) => "was continued; replaced",
        Added::Known(_) => "is already in the store as",
    };
    Ok(format!("{what} run {} of {}", added.run(), database.path().display()))
}

/// Reads a campaign, or the text of another benchmark or a published run as one: its file, its lines, and the date of
/// its last change.
///
/// # Errors
/// Fails on a file that is none of these.
pub fn campaign_or_text(path: &Path) -> Result<(PathBuf, Vec<Line>, String), BadInput> {
    let is_text = || content(path).is_ok_and(|(name, text)| recognise(&name, &text).is_ok());
    let has_own = path.join("campaign.jsonl").is_file() || path.extension().is_some_and(|ending| ending == "jsonl");
    if has_own || !(published::is_run(path) || path.is_file() && is_text()) {
        return campaign(path);
    }
    let Text { name, text, runs } = import::read(path, &Said::default())?;
    tell_left_out(&name, &runs, &text);
    let stem = path.file_name().unwrap_or_default().to_string_lossy();
    let mut environment: Vec<(String, String)> = runs.iter().flat_map(|run| run.facts.clone()).collect();
    environment.extend(runs.iter().flat_map(|run| &run.notes).map(|note| ("note".to_owned(), note.clone())));
    let tools: Vec<String> = distinct(runs.iter().map(|run| run.tool.to_string()));
    let first = Line::Campaign {
        format: FORMAT,
        question: format!("What does {} say?", tools.join(", ")),
        name: stem.split('.').next().unwrap_or_default().to_owned(),
        seed: 0,
        scenario_text: String::new(),
        environment,
        reproduce: Vec::new(),
    };
    let lines = [first].into_iter().chain(runs.iter().flat_map(Imported::lines)).chain([Line::Finished {}]).collect();
    Ok((path.to_owned(), lines, written(path)))
}

/// Returns the date of a file's last change, in UTC.
fn written(path: &Path) -> String {
    utc(std::fs::metadata(path).and_then(|file| file.modified()).unwrap_or(SystemTime::UNIX_EPOCH))
}

/// Reads a campaign: its file, its lines, and the date of its last change.
///
/// # Errors
/// Fails on a file that is no campaign.
pub fn campaign(path: &Path) -> Result<(PathBuf, Vec<Line>, String), BadInput> {
    let path = if path.is_dir() { path.join("campaign.jsonl") } else { path.to_owned() };
    let Contents { lines, truncated } = read(&path).map_err(|error| BadInput(error.to_string()))?;
    if !matches!(lines.first(), Some(Line::Campaign { .. })) {
        return Err(BadInput(format!("{}: {}", path.display(), DatabaseError::NoCampaign)));
    }
    if truncated {
        note!("parallax: the last line of {} is half written and is left out", path.display());
    }
    let written = written(&path);
    Ok((path, lines, written))
}

/// Turns an error of the store into bad input, if the user can cure it.
pub fn database_error(error: DatabaseError) -> anyhow::Error {
    match error {
        DatabaseError::Absent(_)
        | DatabaseError::Busy { .. }
        | DatabaseError::Foreign { .. }
        | DatabaseError::Newer { .. }
        | DatabaseError::Older { .. }
        | DatabaseError::NoCampaign
        | DatabaseError::NoRun { .. } => BadInput(error.to_string()).into(),
        DatabaseError::Broken { .. } | DatabaseError::Write(_) | DatabaseError::Sql { .. } => error.into(),
    }
}
