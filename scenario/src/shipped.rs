//! Questions that come with the program: the scenarios and sweeps of `scenarios/`, found by their names, and exercises.

use crate::BadInput;
use crate::expect::shown_errors;
use crate::files::read_description;
use include_dir::{Dir, include_dir};
use models::names::suggestion;
use programs::budget::SystematicError;
use std::path::Path;

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scenarios");

/// Scenario, sweep or exercise that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Name of its file, without the ending.
    pub name: &'static str,
    /// Text of its file.
    pub text: &'static str,
}

/// Returns all scenarios and sweeps, sorted by name.
pub fn all() -> Vec<Shipped> {
    let mut all: Vec<Shipped> = FOLDER.files().filter_map(shipped).collect();
    all.sort_unstable_by_key(|shipped| shipped.name);
    all
}

/// Returns the scenarios and sweeps that show an error.
pub fn showing(error: SystematicError) -> impl Iterator<Item = Shipped> {
    all().into_iter().filter(move |shipped| shown_errors(shipped.text).contains(&error))
}

/// Returns the exercises of `scenarios/exercises/`, with their answers, sorted by name.
pub fn exercises() -> Vec<Shipped> {
    let folder = FOLDER.get_dir("exercises").into_iter();
    let mut all: Vec<Shipped> = folder.flat_map(Dir::files).filter_map(shipped).collect();
    all.sort_unstable_by_key(|shipped| shipped.name);
    all
}

fn shipped(file: &'static include_dir::File<'static>) -> Option<Shipped> {
    let path = file.path();
    let name = path.file_stem()?.to_str().filter(|_| path.extension().is_some_and(|ending| ending == "toml"))?;
    Some(Shipped { name, text: file.contents_utf8()? })
}

/// Returns the text of a scenario or sweep. Where no such file exists (a folder is no file) and the path is a bare
/// name, it is the text of the shipped question of that name.
///
/// # Errors
/// Fails if the file cannot be read, or the name is unknown.
pub fn read(path: &Path) -> Result<String, BadInput> {
    let error = match read_description(path) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let name = path.to_string_lossy();
    let is_absent = error.kind() == std::io::ErrorKind::NotFound || path.is_dir();
    let is_name = is_absent && !name.contains(['/', '.']);
    if !is_name {
        return Err(BadInput(format!(
            "{name}: {error}; expected a scenario or a sweep; `parallax run --list` lists those that come with parallax"
        )));
    }
    let all = all();
    match all.iter().find(|shipped| shipped.name == name) {
        Some(shipped) => Ok(shipped.text.to_owned()),
        None => {
            if let Ok(error) = SystematicError::find(&name) {
                let names: Vec<&str> = showing(error).map(|shipped| shipped.name).collect();
                return Err(BadInput(format!("{error} is an error; these questions show it: {}", names.join(", "))));
            }
            let names: Vec<&str> = all.iter().map(|shipped| shipped.name).collect();
            let near = suggestion(&name, &names);
            Err(BadInput(format!(
                "{name}: there is no such file, and no question of this name comes with parallax{near}; `parallax run --list` lists them"
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_there_by_its_name() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
        let mut files: Vec<_> =
            std::fs::read_dir(folder).expect("scenarios").map(|file| file.expect("a file").path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
        files.sort_by_key(|file| file.file_stem().map(std::ffi::OsStr::to_owned));
        let names: Vec<&str> = all().iter().map(|shipped| shipped.name).collect();
        assert_eq!(names, files.iter().filter_map(|file| file.file_stem()?.to_str()).collect::<Vec<_>>());
        for (shipped, file) in all().iter().zip(&files) {
            assert_eq!(shipped.text, std::fs::read_to_string(file).expect("readable"));
        }
    }

    #[test]
    fn a_name_is_read_where_there_is_no_file_and_what_is_neither_is_refused() {
        assert!(read(Path::new("loop-error")).is_ok_and(|text| text.starts_with("# By how much")));
        let said =
            ["loop-eror", "loop-error.toml", "./loop-error", "E1"].map(|path| read(Path::new(path)).unwrap_err().0);
        insta::assert_snapshot!(said.join("\n"));
    }
}
