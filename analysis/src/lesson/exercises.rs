//! Exercises for `parallax run`, in a form for students and one for lecturers.

use anyhow::Context;
use scenario::BadInput;
use scenario::expect::for_students;
use scenario::files::{read_description, write_whole};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes exercises into `students/` of a folder, without answers, and unchanged into `lecturers/`: these files, or the
/// program's own exercises if there are none. Returns the first line of each, with its file.
///
/// # Errors
/// Fails on a file that cannot be read or is no exercise, on two of one name, on a file that exists already, and on one
/// that cannot be written.
pub fn exercises(folder: &Path, files: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let mut all = Vec::new();
    for file in files {
        let text = read_description(file).map_err(|error| {
            BadInput(format!("{}: {error}; expected an exercise: a scenario or a sweep", file.display()))
        })?;
        all.push((file.display().to_string(), text));
    }
    if files.is_empty() {
        let shipped = scenario::shipped::exercises();
        all.extend(shipped.iter().map(|one| (format!("{}.toml", one.name), one.text.to_owned())));
    }
    let mut forms: Vec<(PathBuf, String)> = Vec::new();
    for (file, text) in &all {
        let students = for_students(file, text).map_err(|error| BadInput(error.to_string()))?;
        let name = Path::new(file).file_name().unwrap_or_default();
        forms.push((folder.join("students").join(name), students));
        forms.push((folder.join("lecturers").join(name), text.clone()));
    }
    let is_taken = |nth: &usize| forms[*nth].0.exists() || forms[..*nth].iter().any(|(path, _)| *path == forms[*nth].0);
    if let Some(nth) = (0..forms.len()).find(is_taken) {
        let message = "exists already, or has the name of another exercise: name another folder, or rename the file";
        return Err(BadInput(format!("{} {message}", forms[nth].0.display())).into());
    }
    for (path, text) in &forms {
        let place = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(place).with_context(|| format!("cannot make the folder {}", place.display()))?;
        write_whole(path, |out: &mut dyn Write| out.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let line = |(file, text): &(String, String)| {
        let question = text.lines().next().unwrap_or_default().trim_start_matches(['#', ' ']);
        let name = Path::new(file).file_name().unwrap_or_default();
        format!("{:<16} {question}", name.to_string_lossy())
    };
    Ok(all.iter().map(line).collect())
}
