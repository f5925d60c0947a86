//! What analyses make of campaigns that lie here, `campaigns/NAME/`: the tables of `analyses.txt`, as sets of rows. A row is its
//! columns by their names, so that neither the order of rows nor that of columns is part of it, nor what sentences say.
//! `UPDATE_GOLDEN=1 cargo test --test golden` rewrites `tables/`; CHANGELOG.md then says what moved, and why.

use crate::common::command::{finish, parallax};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Columns of words for readers.
const SENTENCES: [&str; 3] = ["note", "remarks", "why"];

type Row = BTreeMap<String, String>;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// A name and commands: what the last one prints is a table in CSV. Folders of campaigns are those that lie here.
fn analyses() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(golden().join("analyses.txt")).expect("analyses.txt");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let parsed = lines.map(|line| {
        let (name, commands) = line.split_once(": ").expect("a name and a command");
        (name.to_owned(), commands.split("; ").map(str::to_owned).collect())
    });
    parsed.collect()
}

/// The rows of a table, each once; how often it has each is in a column of its own where that is not once.
fn rows(text: &str) -> BTreeSet<Row> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().expect("heads").clone();
    let mut count: BTreeMap<Row, usize> = BTreeMap::new();
    for record in reader.records() {
        let record = record.expect("as many cells as heads");
        let cells = heads.iter().zip(&record).filter(|(head, _)| !SENTENCES.contains(head));
        *count.entry(cells.map(|(head, cell)| (head.to_owned(), cell.to_owned())).collect()).or_default() += 1;
    }
    let counted = count.into_iter().map(|(mut row, times)| {
        if times > 1 {
            row.insert("×".to_owned(), times.to_string());
        }
        row
    });
    counted.collect()
}

fn copied(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copied(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("copied");
        }
    }
}

/// What the last of these commands prints, run beside copies of the campaigns.
pub fn printed(commands: &[String]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    copied(&golden().join("campaigns"), folder.path());
    let mut printed = String::new();
    for command in commands {
        let done = finish(parallax(&folder).args(command.split_whitespace()));
        // 1: a table of numbers none of which can be corrected.
        assert!(matches!(done.code, 0 | 1) && !done.stdout.is_empty(), "{command}: {}", done.stderr);
        printed = done.stdout;
    }
    printed
}

#[test]
fn tables_of_kept_campaigns_stay_what_they_are() {
    let mut moved = Vec::new();
    for (name, commands) in analyses() {
        let printed = printed(&commands);
        let path = golden().join("tables").join(format!("{name}.csv"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &printed).expect("written");
        }
        let then = rows(&std::fs::read_to_string(&path).unwrap_or_default());
        let now = rows(&printed);
        assert!(!now.is_empty(), "{name}: no rows");
        moved.extend(then.difference(&now).map(|row| format!("{name}: no longer {row:?}")));
        moved.extend(now.difference(&then).map(|row| format!("{name}: new {row:?}")));
    }
    assert!(
        moved.is_empty(),
        "{} rows moved, the first ones:\n{}\nIf this is meant: UPDATE_GOLDEN=1, and CHANGELOG.md",
        moved.len(),
        moved.iter().take(6).cloned().collect::<Vec<_>>().join("\n")
    );
}
