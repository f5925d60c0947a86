//! Files that are either whole or not there: written beside their place, then moved into it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file through `fill`; what stood there before stays until the new one is complete and on disk.
///
/// # Errors
/// Whatever `fill`, the disk or the move says; the draft is then gone and `path` is as it was.
pub fn write_whole(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let draft = draft_of(path);
    let written = File::create(&draft).and_then(|file| {
        let mut file = BufWriter::new(file);
        fill(&mut file)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        std::fs::rename(&draft, path)
    });
    if written.is_err() {
        // The first error is the one to tell; a draft that was never made cannot be removed.
        let _ = std::fs::remove_file(&draft);
    }
    written
}

/// A hidden name in the same folder, another one in each process.
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
}
