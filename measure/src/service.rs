//! Duties of a process of ranks around its job: it reads the job, shows signs of life, and writes down results.

use crate::board::Board;
use crate::job::Job;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Interval of heartbeats. The watcher allows for many missing ones.
const BEAT_EVERY: Duration = Duration::from_millis(250);

/// Time after which a result that is not taken shows that the watcher does not see this board as it is.
const HANDED_OVER_WITHIN: Duration = Duration::from_secs(2);

/// Reads a job that the command wrote.
///
/// # Errors
///
/// Names the file and what is wrong with it.
pub fn read_job(path: &Path) -> io::Result<Job> {
    let explain = |error: io::Error| io::Error::new(error.kind(), format!("the job {}: {error}", path.display()));
    let text = std::fs::read(path).map_err(explain)?;
    serde_json::from_slice(&text).map_err(|error| explain(error.into()))
}

/// Beats for these ranks of this process, on a thread of its own: a stopped process falls silent, a waiting one does
/// not. If nobody watches the board any more, this process ends at once.
pub fn keep_beating(board: &Arc<Board>, ranks: Range<u32>) {
    let board = Arc::clone(board);
    // A board that cannot be read again was mapped a moment ago: then no watcher is known.
    let mut watcher = board.watcher().ok().flatten();
    std::thread::spawn(move || {
        loop {
            if let Some(watcher) = &mut watcher {
                watcher.end_if_gone();
            }
            ranks.clone().for_each(|rank| board.beat(rank));
            std::thread::sleep(BEAT_EVERY);
        }
    });
}

/// Hands over a result that rank 0 has written. Returns when the watcher has it, so that it does not work while ranks
/// measure.
pub fn hand_over(board: &Board) {
    board.results().hand_over(HANDED_OVER_WITHIN);
}

/// Rank 0's file of findings, one JSON line each.
pub struct Results(File);

impl Results {
    /// Opens the file, which the command has made.
    ///
    /// # Errors
    ///
    /// Fails if it is not there or cannot be written.
    pub fn open(path: &Path) -> io::Result<Results> {
        OpenOptions::new().append(true).open(path).map(Results)
    }

    /// Writes one finding whole.
    ///
    /// # Errors
    ///
    /// Fails if the disk does not take it.
    pub fn append(&mut self, finding: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(finding)?;
        line.push(b'\n');
        self.0.write_all(&line).and_then(|()| self.0.flush())
    }
}
