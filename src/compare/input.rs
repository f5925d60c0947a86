//! What the user names as a side: files, folders and runs of the store.

use super::axis;
use crate::store;
use clap::Args;
use reports::contrast::{Observed, Side, campaign, imported, is_samples, machine, samples};
use reports::database::{Database, PATIENCE};
use reports::import;
use scenario::BadInput;
use scenario::files::{LONGEST_RECORD, read_whole};
use std::path::{Path, PathBuf};

/// How sides are read.
#[derive(Args)]
pub struct InputFlags {
    /// The store in which runs are looked for that are no files
    #[arg(long, default_value = store::STORE, value_name = "FILE")]
    db: PathBuf,
    /// Look at what campaigns predicted, not at what they measured
    #[arg(long)]
    predicted: bool,
    /// The number to take of other benchmarks' texts, as `parallax import --csv` calls it [default: single repetitions
    /// where they are there, else mean_us, median_us or time_us]
    #[arg(long, value_name = "NAME")]
    column: Option<String>,
}

/// Reads a side, as the user wrote it.
pub fn read_side(text: &str, flags: &InputFlags) -> Result<Side, BadInput> {
    if Path::new(text).exists() || !text.contains('+') {
        return part(text, flags);
    }
    let parts = text.split('+').map(|one| part(one, flags)).collect::<Result<Vec<Side>, BadInput>>()?;
    Side::together(text, parts).map_err(BadInput)
}

/// One file, folder or run, with what is chosen of it.
fn part(text: &str, flags: &InputFlags) -> Result<Side, BadInput> {
    // A path may have commas of its own.
    let ends = text.match_indices(',').map(|(at, _)| at).rev();
    let end = [text.len()].into_iter().chain(ends).find(|&end| Path::new(&text[..end]).exists());
    let end = end.or_else(|| text.find(',')).unwrap_or(text.len());
    let (name, chosen) = (&text[..end], text[end..].split(',').filter(|word| !word.is_empty()));
    let mut side = if Path::new(name).exists() { file(name, flags)? } else { run(name, flags)? };
    for word in chosen {
        let (key, value) = word.split_once('=').ok_or_else(|| {
            BadInput(format!("{text}: expected a key and a value behind the comma, like method=window, found '{word}'"))
        })?;
        let key = axis(key.trim()).map_err(|message| BadInput(format!("{text}: {message}")))?;
        side.choose(key, value.trim()).map_err(BadInput)?;
    }
    text.clone_into(&mut side.name);
    Ok(side)
}

fn observed(flags: &InputFlags) -> Observed {
    if flags.predicted { Observed::Predicted } else { Observed::Measured }
}

/// A file or a folder, by what is in it.
fn file(name: &str, flags: &InputFlags) -> Result<Side, BadInput> {
    let path = Path::new(name);
    if path.is_dir() && !path.join("campaign.jsonl").is_file() {
        return Err(BadInput(format!(
            "{name} holds no campaign.jsonl; expected the folder of a run or of measurements"
        )));
    }
    if path.is_dir() || path.extension().is_some_and(|ending| ending == "jsonl") {
        let (_, lines, _) = store::campaign(path)?;
        return Ok(campaign(name, &lines, observed(flags)));
    }
    let bytes = read_whole(path, LONGEST_RECORD)
        .map_err(|error| BadInput(format!("{name}: {error}; check that it may be read")))?;
    for (magic, what) in [
        ("SQLite format 3\0", "is a store: name a run by its number, and the store by --db"),
        ("PAR1", "is a Parquet file; export the run with --format csv"),
    ] {
        if bytes.starts_with(magic.as_bytes()) {
            return Err(BadInput(format!("{name} {what}")));
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    if path.extension().is_some_and(|ending| ending == "toml") {
        return machine(name, &text).map_err(BadInput);
    }
    if is_samples(&text) {
        return samples(name, &text).map_err(BadInput);
    }
    let read = import::read(name, &text).map_err(|error| {
        let known = "a campaign, a machine file, exported samples or a run of the store would do, too";
        BadInput(format!("{error} ({known})"))
    })?;
    imported(name, &read, flags.column.as_deref()).map_err(BadInput)
}

/// A run of the store.
fn run(name: &str, flags: &InputFlags) -> Result<Side, BadInput> {
    let db = &flags.db;
    if !db.exists() {
        let known = "expected a campaign, a machine file, exported samples or a benchmark's text";
        return Err(BadInput(format!(
            "{name} is not there; {known}, or --db with a store that has a run of that name"
        )));
    }
    let lines = || {
        let database = Database::open(db, PATIENCE)?;
        let run = database.find(name)?;
        database.lines(run.id)
    };
    let lines = lines().map_err(|error| BadInput(format!("{name} is no file or folder, and {error}")))?;
    Ok(campaign(name, &lines, observed(flags)))
}
