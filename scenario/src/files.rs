//! Files that are written whole or not at all, first beside their place and then moved into it, and inputs that are
//! read whole up to a limit.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Writes a file through `fill`. An older file stays until the new one is complete and on disk. A link is followed to
/// its file, which is then replaced. A device or a pipe is written directly.
///
/// # Errors
/// Returns the error of `fill`, the disk or the move. The draft is then removed and `path` is as it was.
pub fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        let mut device = BufWriter::new(File::options().write(true).open(path)?);
        fill(&mut device)?;
        return device.flush();
    }
    let path = &std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let draft = draft_of(path);
    let written = File::create(&draft).and_then(|file| {
        let mut file = BufWriter::new(file);
        fill(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        std::fs::rename(&draft, path)
    });
    match written {
        Ok(()) => sync_folder(path),
        // The first error is the one to report. A draft that was never made cannot be removed.
        Err(_) => _ = std::fs::remove_file(&draft),
    }
    written
}

/// Puts the names in a file's folder on disk. Errors are ignored: the file is there, and the system writes the names
/// later.
fn sync_folder(file: &Path) {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Largest size of a description that is read, of a scenario, sweep, machine, host or placement: 64 MiB. Longer inputs
/// have no end, like `/dev/zero`, or are something else.
pub const LONGEST_DESCRIPTION: u64 = 64 << 20;
/// Largest size of a record that is read whole, of a benchmark's output or of noise: 1 GiB.
pub const LONGEST_RECORD: u64 = 1 << 30;

/// Returns all bytes of an input of at most `most_bytes`.
///
/// # Errors
/// Fails if the input cannot be read, or is longer.
pub fn read_at_most(input: impl Read, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        return Err(io::Error::other(format!("is longer than {} MiB", most_bytes >> 20)));
    }
    Ok(bytes)
}

/// Returns all bytes of a file of at most `most_bytes`.
///
/// # Errors
/// Fails where [`read_at_most`] fails, and if the file cannot be opened.
pub fn read_whole(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    read_at_most(File::open(path)?, most_bytes)
}

/// Returns the text of a description.
///
/// # Errors
/// Fails where [`read_whole`] fails with [`LONGEST_DESCRIPTION`], and for bytes that are not UTF-8.
pub fn read_description(path: &Path) -> io::Result<String> {
    String::from_utf8(read_whole(path, LONGEST_DESCRIPTION)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Returns a hidden name in the same folder that differs between processes.
fn draft_of(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.new", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_without_an_end_is_refused_and_the_longest_one_is_read() {
        assert_eq!(read_at_most(&b"1234"[..], 4).expect("short enough"), b"1234");
        let longer = read_at_most(io::repeat(0), 3 << 20).expect_err("it has no end");
        insta::assert_snapshot!(longer);
    }

    #[test]
    fn a_file_is_replaced_only_by_a_whole_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.svg");
        write_whole(&path, |file| file.write_all(b"first")).expect("written");
        let failed = write_whole(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("full"))
        });
        assert_eq!(failed.expect_err("an error").to_string(), "full");
        assert_eq!(std::fs::read(&path).expect("still there"), b"first");
        write_whole(&path, |file| file.write_all(b"second")).expect("written");
        assert_eq!(std::fs::read(&path).expect("replaced"), b"second");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "drafts are gone");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_of_its_own_stays_what_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let there = |name: &str| folder.path().join(name);
        let write = |path: &Path| write_whole(path, |file| file.write_all(b"new")).expect("written");
        std::fs::write(there("a.svg"), "old").expect("a file");
        std::os::unix::fs::symlink("a.svg", there("link.svg")).expect("a link");
        write(&there("link.svg"));
        assert!(there("link.svg").is_symlink());
        assert_eq!(std::fs::read(there("a.svg")).expect("the file"), b"new");
        let made = std::process::Command::new("mkfifo").arg(there("pipe")).status().expect("mkfifo");
        assert!(made.success());
        let pipe = there("pipe");
        let reader = std::thread::spawn(move || std::fs::read(pipe).expect("what is written"));
        write(&there("pipe"));
        assert_eq!(reader.join().expect("no panic"), b"new");
        assert!(!there("pipe").is_file(), "no file took its place");
    }
}
