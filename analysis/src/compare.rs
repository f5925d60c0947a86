//! Sides of comparisons as users name them: files, folders and runs of the store.

use crate::import::Text;
use crate::store;
use models::names::find;
use scenario::BadInput;
use scenario::axis::Axis;
use scenario::files::{LONGEST_RECORD, read_whole};
use std::path::{Path, PathBuf};
use study::contrast::{Observed, Side, campaign, imported, is_samples, machine, samples};
use study::database::{Database, PATIENCE};

/// Settings by which sides are read.
pub struct InputChoice {
    /// Path of the store, in which names that are no files are looked up.
    pub db: PathBuf,
    /// Whether the predictions of campaigns are read in place of their measurements.
    pub predicted: bool,
    /// Column of other benchmarks' texts that is read; `None` for the default one.
    pub column: Option<String>,
}

impl Default for InputChoice {
    fn default() -> InputChoice {
        InputChoice { db: store::STORE.into(), predicted: false, column: None }
    }
}

/// Returns the axis of cases that has this name.
///
/// # Errors
/// Fails on an unknown name, and lists the known ones.
pub fn axis(name: &str) -> Result<Axis, String> {
    find("key", name, &Axis::CASES, |axis| axis.name())
}

/// Reads a side, as the user wrote it.
///
/// # Errors
/// Names the part that cannot be read, and the expected forms.
pub fn read_side(text: &str, choice: &InputChoice) -> Result<Side, BadInput> {
    if Path::new(text).exists() || !text.contains('+') {
        return part(text, choice);
    }
    let words: Vec<&str> = text.split('+').collect();
    for (nth, word) in words.iter().enumerate() {
        if words[..nth].iter().any(|before| is_same(before, word)) {
            let message = "is named more than once, and its launches would count as often; name each folder once";
            return Err(BadInput(format!("{text}: {word} {message}")));
        }
    }
    let parts = words.into_iter().map(|one| part(one, choice)).collect::<Result<Vec<Side>, BadInput>>()?;
    Side::together(text, parts).map_err(BadInput)
}

/// Whether two parts of a side have launches in common: the same file or folder, and no key that selects different
/// values.
fn is_same(one: &str, other: &str) -> bool {
    let ((name, chosen), (other_name, other_chosen)) = (named(one), named(other));
    let place = |name: &str| Path::new(name).canonicalize().unwrap_or_else(|_| PathBuf::from(name));
    let differs = |(key, value): &(&str, String)| other_chosen.iter().any(|(k, v)| k == key && v != value);
    place(name) == place(other_name) && !chosen.iter().any(differs)
}

/// Splits a part into its file, folder or run, and the selections of it. A value may have commas: a word without `=`
/// belongs to the value before it.
fn named(text: &str) -> (&str, Vec<(&str, String)>) {
    // A path may have commas of its own.
    let ends = text.match_indices(',').map(|(at, _)| at).rev();
    let end = [text.len()].into_iter().chain(ends).find(|&end| Path::new(&text[..end]).exists());
    let end = end.or_else(|| text.find(',')).unwrap_or(text.len());
    let mut chosen: Vec<(&str, String)> = Vec::new();
    for word in text[end..].split(',').map(str::trim).filter(|word| !word.is_empty()) {
        match (word.split_once('='), chosen.last_mut()) {
            (Some((key, value)), _) => chosen.push((key.trim(), value.trim().to_owned())),
            (None, Some((_, value))) => *value = format!("{value}, {word}"),
            (None, None) => chosen.push((word, String::new())),
        }
    }
    (&text[..end], chosen)
}

/// Reads a single file, folder or run, with the selections of it.
fn part(text: &str, choice: &InputChoice) -> Result<Side, BadInput> {
    let (name, chosen) = named(text);
    let mut side = match programs::machine::known(name) {
        _ if Path::new(name).exists() => file(name, choice)?,
        Some(text) => machine(name, text).map_err(BadInput)?,
        None => run(name, choice)?,
    };
    for (key, value) in chosen {
        if value.is_empty() {
            let message = "expected a key and a value behind the comma, like method=window";
            return Err(BadInput(format!("{text}: {message}, found '{key}'")));
        }
        let key = axis(key).map_err(|message| BadInput(format!("{text}: {message}")))?;
        side.choose(key, &value).map_err(BadInput)?;
    }
    text.clone_into(&mut side.name);
    Ok(side)
}

fn observed(choice: &InputChoice) -> Observed {
    if choice.predicted { Observed::Predicted } else { Observed::Measured }
}

/// Reads a file or a folder, by its content.
fn file(name: &str, choice: &InputChoice) -> Result<Side, BadInput> {
    let path = Path::new(name);
    if published::is_run(path) && !path.join("campaign.jsonl").is_file() {
        return text(path, choice);
    }
    if path.is_dir() && !path.join("campaign.jsonl").is_file() {
        return Err(BadInput(format!(
            "{name} holds no campaign.jsonl; expected the folder of a run or of measurements"
        )));
    }
    if path.is_dir() || path.extension().is_some_and(|ending| ending == "jsonl") {
        let (_, lines, _) = store::campaign(path)?;
        return Ok(campaign(name, &lines, observed(choice)));
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
    let content = String::from_utf8_lossy(&bytes);
    if path.extension().is_some_and(|ending| ending == "toml") {
        return machine(name, &content).map_err(BadInput);
    }
    if is_samples(&content) {
        return samples(name, &content).map_err(BadInput);
    }
    text(path, choice)
}

/// Reads the text of another benchmark, or a published run.
fn text(path: &Path, choice: &InputChoice) -> Result<Side, BadInput> {
    let Text { name, runs, .. } =
        crate::import::read(path, &crate::import::Said::default()).map_err(|BadInput(error)| {
            let known = "a campaign, a machine file, exported samples or a run of the store is also accepted";
            BadInput(format!("{error} ({known})"))
        })?;
    imported(&name, &runs, choice.column.as_deref()).map_err(BadInput)
}

/// Reads a run of the store.
fn run(name: &str, choice: &InputChoice) -> Result<Side, BadInput> {
    let db = &choice.db;
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
    Ok(campaign(name, &lines, observed(choice)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_choice_may_have_commas() {
        let chosen = |text| named(text).1.into_iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>();
        assert_eq!(chosen("A,form=float, in place,method=loop"), ["form: float, in place", "method: loop"]);
        assert_eq!(chosen("A,form=float,in place"), ["form: float, in place"]);
        assert_eq!((named("A"), chosen("A,form")), (("A", vec![]), vec!["form: ".to_owned()]));
    }

    #[test]
    fn parts_are_the_same_where_launches_would_count_twice() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name).display().to_string());
        std::fs::write(&a, "").unwrap();
        std::fs::write(&b, "").unwrap();
        let again = format!("{}/./a", folder.path().display());
        assert!(is_same(&a, &again) && is_same(&a, &format!("{a},method=loop")) && !is_same(&a, &b));
        assert!(!is_same(&format!("{a},world=openmpi"), &format!("{a},world=mpich")), "no launch is in both");
    }
}
