//! Watch over the command that started ranks. It holds the lock of the status board's file, and its host's name is the
//! file's end: on that host a lock that is not held means that the command is gone. Elsewhere locks may be unknown to
//! the file system: there they mean something only once they have been seen to be held.

use crate::board::host_name;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Length of the name at the end of a board's file, filled up with zeros.
pub const NAME_BYTES: usize = 256;
/// Interval of looks at the lock. A command that ends normally has ended its ranks before.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Exit code of a process whose watcher is gone. Nobody reads it.
const ORPHANED: i32 = 1;

/// Returns the name that ends the file of a board whose lock is held, or of one that could not be locked.
pub fn name_of_watcher(is_locked: bool) -> [u8; NAME_BYTES] {
    let mut bytes = [0; NAME_BYTES];
    let name = if is_locked { host_name() } else { String::new() };
    let length = name.len().min(NAME_BYTES - 1);
    bytes[..length].copy_from_slice(&name.as_bytes()[..length]);
    bytes
}

/// Watcher of the ranks of a board.
pub struct Watcher {
    file: File,
    /// Whether a lock that is not held means that nobody watches.
    is_known: bool,
}

impl Watcher {
    /// Finds the watcher of a board's file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn from_file(mut file: File) -> io::Result<Watcher> {
        let mut name = [0; NAME_BYTES];
        file.seek(SeekFrom::End(-(NAME_BYTES as i64)))?;
        file.read_exact(&mut name)?;
        let is_known = name[0] != 0 && name == name_of_watcher(true);
        Ok(Watcher { file, is_known })
    }

    /// Returns true if it is sure that nobody watches any more.
    pub fn is_gone(&mut self) -> bool {
        let is_held = is_locked(&self.file);
        self.is_known |= is_held;
        self.is_known && !is_held
    }

    /// Ends this process if nobody watches any more: nobody would hear of what it measures, and it would disturb what
    /// is measured next.
    pub fn end_if_gone(&mut self) {
        if self.is_gone() {
            // SAFETY: ends the process, and runs nothing of it: the ranks' own thread may be anywhere in a library.
            unsafe { libc::_exit(ORPHANED) };
        }
    }
}

/// Returns true if some process holds the lock of this file.
pub fn is_locked(file: &File) -> bool {
    match file.try_lock_shared() {
        Ok(()) => {
            // A lock that cannot be given back is in nobody's way: the caller is about to end.
            let _ = file.unlock();
            false
        }
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => false,
    }
}

/// Thread that ends this process if nobody watches any more. It ends when this is dropped. A library's initialisation
/// waits for all ranks, for ever where a command that died had not started them all.
pub struct WhileStarting {
    is_over: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl WhileStarting {
    /// Begins to look at the lock of the board's file. Where there is no such file there is nothing to look at: a later
    /// attempt to open it says so.
    pub fn watch(board: &Path) -> WhileStarting {
        let is_over = Arc::new((Mutex::new(false), Condvar::new()));
        let opened = OpenOptions::new().read(true).write(true).open(board).and_then(Watcher::from_file);
        let thread = opened.ok().map(|mut watcher| {
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || {
                let (over, told) = &*is_over;
                let mut is_over = over.lock().unwrap_or_else(PoisonError::into_inner);
                while !*is_over {
                    watcher.end_if_gone();
                    is_over = told.wait_timeout(is_over, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
                }
            })
        });
        WhileStarting { is_over, thread }
    }
}

impl Drop for WhileStarting {
    fn drop(&mut self) {
        let (over, told) = &*self.is_over;
        *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        told.notify_one();
        if let Some(thread) = self.thread.take() {
            // It returns nothing, and a panic of it has been printed.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn open(path: &Path) -> File {
        OpenOptions::new().read(true).write(true).open(path).expect("a board")
    }

    #[test]
    fn ranks_of_the_same_host_see_that_nobody_watches_also_if_they_came_too_late() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board");
        let board = Board::create(&path, 2).unwrap();
        let mut early = Watcher::from_file(open(&path)).unwrap();
        assert!(!early.is_gone());
        drop(board);
        assert!(early.is_gone());
        assert!(Watcher::from_file(open(&path)).unwrap().is_gone());
    }

    #[test]
    fn on_another_host_a_lock_must_have_been_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board");
        let board = Board::create(&path, 2).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let elsewhere = [&whole[..whole.len() - NAME_BYTES], b"elsewhere", &[0; NAME_BYTES - 9][..]].concat();
        std::fs::write(&path, elsewhere).unwrap();
        let mut early = Watcher::from_file(open(&path)).unwrap();
        assert!(!early.is_gone());
        drop(board);
        assert!(early.is_gone(), "it was seen");
        assert!(!Watcher::from_file(open(&path)).unwrap().is_gone(), "nobody knows");
    }

    #[test]
    fn a_start_that_is_over_is_watched_no_longer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("board");
        let board = Board::create(&path, 2).unwrap();
        drop(WhileStarting::watch(&path));
        drop(board);
        drop(WhileStarting::watch(&folder.path().join("none")));
    }
}
