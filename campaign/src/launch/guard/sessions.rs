//! Folders of Open MPI's launcher among temporary files, which it removes if it ends by itself. They hold contacts of
//! processes, and shared data about the machine. Each name contains the launcher's process:
//!
//! | Open MPI | folder of the launcher with process 314 of user 0 on host `node` |
//! |---|---|
//! | 4.1.4 | `ompi.node.0/pid.314` |
//! | 5.0.8 | `prterun.node.314.0` |
//! | 5.0.11 | `ompi.314` |
//!
//! Source: folders found after kills of these versions. MPICH 4.0.2 and 5.0.2 and Intel MPI 2021.18 leave nothing
//! there.

use super::raw::{self, Fd, Text, entries, is_ours, open, status};
use libc::pid_t;
use std::ffi::CStr;

/// Largest depth of nested folders. Deeper ones stay.
const DEPTH: u32 = 8;

/// Removes the folders of launchers that are gone, below the folder for temporary files.
pub(super) fn remove(temporary: &CStr, launchers: &[pid_t]) {
    let Some(temporary) = open(libc::AT_FDCWD, temporary, libc::O_DIRECTORY) else { return };
    // SAFETY: reads a number; cannot fail.
    let user = unsafe { libc::geteuid() };
    entries(&temporary, |name, is_folder| {
        let bytes = name.to_bytes();
        let (ompi, prterun) = (bytes.starts_with(b"ompi."), bytes.starts_with(b"prterun."));
        if !is_folder || !(ompi || prterun) || !status(temporary.0, name).is_some_and(|status| is_ours(&status)) {
            return;
        }
        for &launcher in launchers.iter().filter(|launcher| is_gone(**launcher)) {
            let end = Text::format(format_args!(".{launcher}.{user}"));
            let whole = Text::format(format_args!("ompi.{launcher}"));
            if name == whole.as_c_str() || prterun && bytes.ends_with(end.as_c_str().to_bytes()) {
                remove_all(temporary.0, name, DEPTH);
            } else if let Some(of_user) = open(temporary.0, name, libc::O_DIRECTORY | libc::O_NOFOLLOW) {
                let own = Text::format(format_args!("pid.{launcher}"));
                if ompi && status(of_user.0, own.as_c_str()).is_some() {
                    remove_all(of_user.0, own.as_c_str(), DEPTH);
                    // The system keeps it as long as other launchers have folders in it.
                    raw::remove(temporary.0, name, true);
                }
            }
        }
    });
}

fn is_gone(process: pid_t) -> bool {
    // SAFETY: signal 0 only asks whether the process exists.
    unsafe { libc::kill(process, 0) != 0 && *libc::__errno_location() == libc::ESRCH }
}

/// Removes a folder with all its contents. Links are removed, and not followed.
fn remove_all(within: libc::c_int, name: &CStr, depth: u32) {
    let Some(folder) = open(within, name, libc::O_DIRECTORY | libc::O_NOFOLLOW) else { return };
    while depth > 0 && remove_some(&folder, depth) {
        // SAFETY: a plain system call.
        unsafe { libc::lseek(folder.0, 0, libc::SEEK_SET) };
    }
    raw::remove(within, name, true);
}

/// Removes the entries of a folder. Returns whether any was removed, because a folder that shrinks may be listed with
/// gaps.
fn remove_some(folder: &Fd, depth: u32) -> bool {
    let mut removed = false;
    entries(folder, |name, is_folder| {
        if is_folder {
            remove_all(folder.0, name, depth - 1);
        } else {
            raw::remove(folder.0, name, false);
        }
        removed |= status(folder.0, name).is_none();
    });
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Command;

    fn plant(folder: &Path, names: &[String]) {
        for name in names {
            let place = folder.join(name).join("1/0");
            std::fs::create_dir_all(&place).expect("made");
            std::fs::write(place.join("file"), "x").expect("written");
            std::os::unix::fs::symlink(folder, place.join("link")).expect("linked");
        }
    }

    #[test]
    fn folders_of_a_launcher_that_is_gone_are_removed_and_those_of_others_stay() {
        let mut child = Command::new("true").spawn().expect("true runs");
        let gone = child.id();
        child.wait().expect("it is ours");
        let alive = std::process::id();
        let folder = tempfile::tempdir().expect("a folder");
        // SAFETY: reads a number; cannot fail.
        let user = unsafe { libc::geteuid() };
        let of = |process: u32| {
            let user_s = format!("ompi.node.{user}/pid.{process}");
            [user_s, format!("prterun.node.{process}.{user}"), format!("ompi.{process}")]
        };
        let others = ["results.1".to_owned(), format!("ompi.{gone}1"), format!("prterun.{gone}.77.{user}")];
        plant(folder.path(), &[&of(gone)[..], &of(alive)[..], &others].concat());
        let path = Text::format(format_args!("{}", folder.path().display()));
        remove(path.as_c_str(), &[gone as pid_t, alive as pid_t]);
        let there = |name: &String| folder.path().join(name).join("1/0/file").exists();
        assert_eq!(of(gone).iter().filter(|name| there(name)).count(), 0);
        assert!(of(alive).iter().chain(&others).all(there), "others' folders stay");
        remove(path.as_c_str(), &[]);
        assert!(of(alive).iter().all(there));
    }

    #[test]
    fn the_folder_of_a_user_goes_with_the_last_launcher() {
        let mut child = Command::new("true").spawn().expect("true runs");
        child.wait().expect("it is ours");
        let folder = tempfile::tempdir().expect("a folder");
        plant(folder.path(), &[format!("ompi.node.0/pid.{}", child.id())]);
        remove(Text::format(format_args!("{}", folder.path().display())).as_c_str(), &[child.id() as pid_t]);
        assert!(!folder.path().join("ompi.node.0").exists());
    }
}
