//! What a process of ranks does around its job: read it, show signs of life, write down results.

use crate::board::Board;
use crate::job::Job;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Between two heartbeats; whoever watches allows for many.
const BEAT_EVERY: Duration = Duration::from_millis(250);

/// If a result is not taken for so long, whoever watches does not see this board as it is.
const HANDED_OVER_WITHIN: Duration = Duration::from_secs(2);

/// Reads a job that the command wrote.
///
/// # Errors
/// The file and what is wrong with it.
pub fn read_job(path: &Path) -> io::Result<Job> {
    let explain = |error: io::Error| io::Error::new(error.kind(), format!("the job {}: {error}", path.display()));
    let text = std::fs::read(path).map_err(explain)?;
    serde_json::from_slice(&text).map_err(|error| explain(error.into()))
}

/// Beats for these ranks of this process from now on: a stopped process falls silent, a waiting one does not. If nobody
/// watches the board any more, this process ends at once.
pub fn keep_beating(board: &Arc<Board>, ranks: Range<u32>) {
    let board = Arc::clone(board);
    // A board that cannot be read again was mapped a moment ago: then nobody is known to watch.
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

/// Rank 0 has written a result: returns when whoever watches has it, so that they do not work while ranks measure.
pub fn hand_over(board: &Board) {
    board.results().hand_over(HANDED_OVER_WITHIN);
}

/// Rank 0's file of what it found, one JSON line each.
pub struct Results(File);

impl Results {
    /// Opens the file, made by the command.
    ///
    /// # Errors
    /// If it is not there or cannot be written.
    pub fn open(path: &Path) -> io::Result<Results> {
        OpenOptions::new().append(true).open(path).map(Results)
    }

    /// Writes one finding whole.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub fn append(&mut self, finding: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(finding)?;
        line.push(b'\n');
        self.0.write_all(&line).and_then(|()| self.0.flush())
    }
}
