//! Files that flags and scenarios name.

use render::drawn::Drawn;
use render::plots::Paper;
use scenario::BadInput;
use scenario::files::{LONGEST_RECORD, read_whole};
use std::path::Path;

/// Writes a drawing in the format of the file's ending, and names the written files on standard error.
///
/// # Errors
/// Fails where [`Drawn::write`] does.
pub fn write_drawn(drawn: &Drawn, file: &Path, paper: &Paper) -> Result<(), BadInput> {
    let files = drawn.write(file, paper).map_err(BadInput)?;
    files.iter().for_each(|file| note!("written: {}", file.display()));
    Ok(())
}

/// Makes the folder of a page, unless a campaign is there, which has a page of its own.
///
/// # Errors
/// Fails on a campaign's folder, and on one that cannot be made.
pub fn make_page_folder(folder: &Path) -> Result<(), BadInput> {
    if folder.join("campaign.jsonl").exists() {
        let message = "is the folder of a campaign, which has a report.html of its own; name another one";
        return Err(BadInput(format!("--out: {} {message}", folder.display())));
    }
    std::fs::create_dir_all(folder).map_err(|error| {
        BadInput(format!("--out: cannot make the folder {}: {error}; name another one", folder.display()))
    })
}

/// Reads the text of a file that a flag names.
pub fn read_text(path: &str) -> Result<String, String> {
    scenario::files::read_description(Path::new(path)).map_err(|error| format!("{path}: {error}"))
}

/// Returns the name and the bytes of a file.
pub(crate) fn open(path: &Path) -> Result<(String, Vec<u8>), String> {
    let name = path.display().to_string();
    let content = read_whole(path, LONGEST_RECORD);
    content.map(|content| (name.clone(), content)).map_err(|error| format!("{name}: {error}"))
}

/// Endings of the files in a collection of noise.
const DETOURS: &str = "detours";
const COUNTS: &str = "counts";

/// Returns the files that a `trace:` source names: a single file, or the files of a folder that end in `.detours`, else
/// in `.counts`, else all, in the order of their names.
pub(crate) fn open_traces(path: &str) -> Result<Vec<(String, Vec<u8>)>, String> {
    let named = Path::new(path);
    if !named.is_dir() {
        return Ok(vec![open(named)?]);
    }
    let entries = std::fs::read_dir(named).map_err(|error| format!("{path}: {error}"))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    for kind in [DETOURS, COUNTS] {
        if files.iter().any(|file| is_a(file, kind)) {
            files.retain(|file| is_a(file, kind));
        }
    }
    files.sort_by_cached_key(|path| by_numbers(&path.file_name().unwrap_or_default().to_string_lossy()));
    if files.is_empty() {
        return Err(format!("{path}: expected files with recorded detours (*.detours), found none"));
    }
    files.iter().map(|path| open(path)).collect()
}

/// Whether a folder has files of a collection of noise.
pub(crate) fn has_traces(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| [DETOURS, COUNTS].into_iter().any(|kind| is_a(&path, kind)))
}

/// Whether a file's name has this ending.
fn is_a(file: &Path, kind: &str) -> bool {
    file.extension().is_some_and(|ending| ending == kind)
}

/// Returns the sorting key of a name: each number in it counts as a number, so that `node2-rank10` comes after
/// `node2-rank9` and before `node10-rank1`.
fn by_numbers(name: &str) -> Vec<(String, u64)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let words = rest.find(|letter: char| letter.is_ascii_digit()).unwrap_or(rest.len());
        let digits = rest[words..].find(|letter: char| !letter.is_ascii_digit()).map_or(rest.len(), |end| words + end);
        parts.push((rest[..words].to_owned(), rest[words..digits].parse().unwrap_or(0)));
        rest = &rest[digits..];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collections_files_are_sorted_by_the_numbers_in_their_names_and_others_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["node10-rank2", "node2-rank10", "node2-rank9", "README", "node2-rank3"];
        names.iter().for_each(|name| std::fs::write(folder.path().join(name), name).unwrap());
        let opened = |folder: &Path| -> Vec<String> {
            let files = open_traces(&folder.display().to_string()).unwrap();
            files.into_iter().map(|(_, content)| String::from_utf8(content).unwrap()).collect()
        };
        assert_eq!(opened(folder.path()), ["README", "node2-rank3", "node2-rank9", "node2-rank10", "node10-rank2"]);
        std::fs::write(folder.path().join("rank-1.detours"), "1").unwrap();
        assert_eq!(opened(folder.path()), ["1"]);
    }
}
