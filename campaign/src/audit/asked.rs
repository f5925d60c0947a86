//! Arguments of an audit: benchmarks to run with their operations, or texts that benchmarks printed elsewhere.

use super::tools::Tool;
use models::call::Call;
use scenario::BadInput;
use std::path::{Path, PathBuf};

/// Meaning of the words on the command line.
#[derive(Debug, PartialEq, Eq)]
pub enum AuditInput {
    /// Benchmarks to run, and the names of the operations.
    Benchmarks(Vec<Tool>, Vec<String>),
    /// Paths of printed texts, where `-` is standard input.
    Texts(Vec<PathBuf>),
}

/// Description of both possibilities, for error messages.
const EITHER: &str = "expected benchmarks (osu, imb) and operations, as in `parallax audit osu,imb bcast,allreduce`, or texts that \
                      benchmarks printed, as in `parallax audit osu.np2.txt imb.txt`";

impl AuditInput {
    /// Returns the meaning of these words. `None` without any.
    ///
    /// # Errors
    /// Fails if they are neither benchmarks and operations, nor existing files.
    pub fn from_words(words: &[PathBuf]) -> Result<Option<AuditInput>, BadInput> {
        let Some(first) = words.first() else { return Ok(None) };
        let refused = |why: String| BadInput(format!("{why}; {EITHER}"));
        if let Some(tools) = tools(first) {
            return match words {
                [_, operations] if !is_text(operations) || are_operations(operations) => {
                    let names = operations.to_string_lossy().split(',').map(str::to_owned).collect();
                    Ok(Some(AuditInput::Benchmarks(tools, names)))
                }
                [_] => Err(refused(format!("{}: no operations are named", first.display()))),
                [_, second, ..] => Err(refused(format!("{}: found after benchmarks", second.display()))),
                [] => Ok(None),
            };
        }
        match words.iter().find(|word| !is_text(word)) {
            Some(word) => Err(refused(format!("{}: neither a benchmark nor an existing file", word.display()))),
            None => {
                let again = |(place, word): (usize, &PathBuf)| (!words[..place].contains(word)).then(|| word.clone());
                Ok(Some(AuditInput::Texts(words.iter().enumerate().filter_map(again).collect())))
            }
        }
    }
}

/// Returns the benchmarks of a list like `osu,imb`, if the word is one.
fn tools(word: &Path) -> Option<Vec<Tool>> {
    word.to_str()?.split(',').map(Tool::find).collect()
}

/// Whether the word is a list like `bcast,allreduce`, even if a file has that name.
fn are_operations(word: &Path) -> bool {
    word.to_str().is_some_and(|word| word.split(',').all(|name| Call::find(name.trim()).is_ok()))
}

fn is_text(word: &Path) -> bool {
    word == Path::new("-") || (word.exists() && !word.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_words(words: &[&str]) -> Result<Option<AuditInput>, String> {
        let words: Vec<PathBuf> = words.iter().map(PathBuf::from).collect();
        AuditInput::from_words(&words).map_err(|error| error.to_string())
    }

    #[test]
    fn words_are_benchmarks_and_operations_or_files() {
        let names = ["bcast", "allreduce"].map(str::to_owned).to_vec();
        let benchmarks = AuditInput::Benchmarks(vec![Tool::Osu, Tool::Imb], names);
        assert_eq!(from_words(&["osu,imb", "bcast,allreduce"]), Ok(Some(benchmarks)));
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("osu.txt");
        std::fs::write(&file, "").expect("a file");
        let file = file.to_str().expect("a name");
        assert_eq!(from_words(&[file, "-", file]), Ok(Some(AuditInput::Texts(vec![file.into(), "-".into()]))));
        assert_eq!(from_words(&[]), Ok(None));
    }

    #[test]
    fn anything_else_is_refused_with_both_possibilities() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        for words in [
            &["osu"][..],
            &["osu", file],
            &["osu", "bcast", "allreduce"],
            &["osu,mpptest", "bcast"],
            &[file, "nothing.txt"],
            &["."],
            &["bcast"],
        ] {
            let refused = from_words(words).expect_err("neither");
            assert!(
                refused.contains("osu,imb bcast,allreduce") && refused.contains("osu.np2.txt imb.txt"),
                "{refused}"
            );
        }
    }
}
