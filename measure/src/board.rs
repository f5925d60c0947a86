//! The status board: the state of every rank, readable from outside while it runs.
//!
//! A file (or anonymous memory, for threads) that all ranks of one host and the watching command map. A rank's main
//! thread writes its phase. A second thread of each process counts heartbeats, so that a stopped process can be
//! distinguished from a waiting one.

use crate::handover::Handover;
use crate::neighbour::Lines;
use crate::shared::Word;
use crate::watcher::{NAME_BYTES, Watcher, name_of_watcher};
use memmap2::{MmapOptions, MmapRaw};
use models::time::Span;
use programs::rank::Phase;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release, SeqCst},
    fence,
};

/// One rank's line on the board. All fields start at zero.
#[repr(C)]
struct Slot {
    process: AtomicU32,
    phase: AtomicU32,
    /// Index of the job's task under way.
    task: AtomicU32,
    /// Used on the line of rank 0 only.
    results: Handover,
    /// Counts phases and tasks entered: stands still where a rank does.
    progress: AtomicU64,
    heartbeats: AtomicU64,
    /// Number of detours found so far, their sum and the longest of them, the latter two in ps.
    lost: [AtomicU64; 3],
    /// Reading of the rank's clock shortly before it began to record, 0 before that.
    begun: AtomicU64,
    host: [AtomicU64; HOST_WORDS],
}

const HOST_WORDS: usize = 8;

/// Status board, mapped into this process.
pub struct Board {
    map: MmapRaw,
    ranks: u32,
    /// File that the maker of the board keeps locked as long as it watches.
    file: Option<File>,
    /// Folder of the job, in which the board is, `None` for a board in memory.
    folder: Option<PathBuf>,
}

/// State of a rank at the moment of a look at the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Rank of the job, from 0.
    pub rank: u32,
    /// Id of the rank's process, 0 before it has started.
    pub process: u32,
    /// Name of the rank's host.
    pub host: String,
    /// Phase that the rank entered last.
    pub phase: Phase,
    /// Index of the task under way in the rank's job.
    pub task: u32,
    /// Grows with every phase entered.
    pub progress: u64,
    /// Grows while the process runs.
    pub heartbeats: u64,
    /// Detours that the rank has found, where it records them.
    pub lost: Lost,
}

/// Detours that a rank has found so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Number of detours found.
    pub detours: u64,
    /// Sum of the detours' durations.
    pub taken: Span,
    /// Duration of the longest detour.
    pub longest: Span,
}

impl Lost {
    /// Returns the detours found after `before`. The longest is that of the whole recording.
    pub fn since(&self, before: &Lost) -> Lost {
        let taken = Span(self.taken.0.saturating_sub(before.taken.0));
        Lost { detours: self.detours.saturating_sub(before.detours), taken, longest: self.longest }
    }

    /// Returns the share of `seconds` that the detours took.
    pub fn share_of(&self, seconds: f64) -> f64 {
        self.taken.0 as f64 / 1e12 / seconds.max(1e-9)
    }
}

impl Board {
    /// Makes a board in memory, for the threads of this process.
    ///
    /// # Errors
    ///
    /// Fails if the system has no memory to map.
    pub fn in_memory(ranks: u32) -> io::Result<Board> {
        let map = MmapOptions::new().len(size(ranks)).map_anon()?.into();
        Ok(Board { map, ranks, file: None, folder: None })
    }

    /// Makes the file and maps it. Ranks then [`Board::open`] it. The file is locked until the board is dropped, or its
    /// process gone.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be made or mapped, or if the disk is full.
    pub fn create(path: &Path, ranks: u32) -> io::Result<Board> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)?;
        // Written, not only extended: on a full disk a map of holes ends a process that touches it by a signal.
        file.write_all(&vec![0; size(ranks)])?;
        // Where there are no locks, ranks learn of the watcher's end from their launcher alone.
        file.write_all(&name_of_watcher(file.try_lock().is_ok()))?;
        Board::map(file, path, ranks)
    }

    /// Maps a board that was created before.
    ///
    /// # Errors
    ///
    /// Fails if the file is not there or cannot be mapped.
    pub fn open(path: &Path, ranks: u32) -> io::Result<Board> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        if file.metadata()?.len() != (size(ranks) + NAME_BYTES) as u64 {
            return Err(io::Error::other("the status board is one of another number of ranks"));
        }
        Board::map(file, path, ranks)
    }

    /// Returns the process that watches, `None` for a board that is no file.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn watcher(&self) -> io::Result<Option<Watcher>> {
        self.file.as_ref().map(|file| file.try_clone().and_then(Watcher::from_file)).transpose()
    }

    /// Returns the folder of the job, where ranks may leave files. A board in memory has none.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    fn map(file: File, path: &Path, ranks: u32) -> io::Result<Board> {
        // It is only ever read and written through atomics, so changes by other processes are changes of atomics; the
        // file keeps its size while it is used.
        let map = MmapOptions::new().len(size(ranks)).map_raw(&file)?;
        Ok(Board { map, ranks, file: Some(file), folder: path.parent().map(Path::to_owned) })
    }

    fn slot(&self, rank: u32) -> &Slot {
        assert!(rank < self.ranks, "rank {rank} on a board of {}", self.ranks);
        // SAFETY: the map is page-aligned and holds `ranks` slots; every bit pattern is a valid Slot, and
        // a Slot is made of atomics, so shared references to it may be written through.
        unsafe { &*self.map.as_mut_ptr().cast::<Slot>().add(rank as usize) }
    }

    /// Returns the lines of shared memory that belong to a rank and its neighbour. The two agree on whose number they
    /// ask for.
    pub fn lines(&self, rank: u32) -> &Lines {
        assert!(rank < self.ranks, "rank {rank} on a board of {}", self.ranks);
        // SAFETY: as for a slot; `size` has room for the lines of every rank, and the map begins at a page.
        unsafe { &*self.map.as_mut_ptr().add(lines_at(self.ranks)).cast::<Lines>().add(rank as usize) }
    }

    /// Returns the word by which rank 0 gives its results to the watching command, one at a time.
    pub fn results(&self) -> &Handover {
        &self.slot(0).results
    }

    /// Signs a rank in.
    pub fn sign_in(&self, rank: u32, host: &str) {
        let slot = self.slot(rank);
        // Alive before it is known to be there: a watcher must not take the first silence for a stop.
        self.beat(rank);
        self.enter(rank, Phase::Starting);
        publish(&slot.host, &slot.process, host, std::process::id());
    }

    /// Notes that a rank enters a phase.
    pub fn enter(&self, rank: u32, phase: Phase) {
        self.slot(rank).phase.store(phase as u32, Relaxed);
        self.slot(rank).progress.fetch_add(1, Relaxed);
    }

    /// Notes that a rank begins a task.
    pub fn begin_task(&self, rank: u32, task: u32) {
        self.slot(rank).task.store(task, Relaxed);
        self.slot(rank).progress.fetch_add(1, Relaxed);
    }

    /// Counts one heartbeat of a rank.
    pub fn beat(&self, rank: u32) {
        self.slot(rank).heartbeats.fetch_add(1, Relaxed);
    }

    /// Notes the reading of a rank's clock from which on it records. A rank that reads its own clock and then sees no
    /// such note has read it before the recording.
    pub fn begin_recording(&self, rank: u32, ticks: u64) {
        self.slot(rank).begun.store(ticks, Relaxed);
        // Seen by everybody before the rank goes on.
        fence(SeqCst);
    }

    /// Returns the earliest reading from which a rank records, `None` before any does.
    pub fn recording_since(&self) -> Option<u64> {
        (0..self.ranks).map(|rank| self.slot(rank).begun.load(Relaxed)).filter(|&ticks| ticks > 0).min()
    }

    /// Notes a detour of a rank.
    pub fn lose(&self, rank: u32, duration: Span) {
        let [detours, taken, longest] = &self.slot(rank).lost;
        // One writer: a reader meanwhile may see one of the numbers without the others.
        detours.store(detours.load(Relaxed) + 1, Relaxed);
        taken.store(taken.load(Relaxed).saturating_add(duration.0), Relaxed);
        longest.store(longest.load(Relaxed).max(duration.0), Relaxed);
    }

    /// Returns the state of one rank.
    pub fn status(&self, rank: u32) -> Status {
        let slot = self.slot(rank);
        let (process, host) = published(&slot.host, &slot.process);
        let phase = slot.phase.load(Relaxed) as usize;
        Status {
            rank,
            process,
            host,
            phase: Phase::ALL.get(phase).copied().unwrap_or(Phase::Starting),
            task: slot.task.load(Relaxed),
            progress: slot.progress.load(Relaxed),
            heartbeats: slot.heartbeats.load(Relaxed),
            lost: {
                let [detours, taken, longest] = slot.lost.each_ref().map(|word| word.load(Relaxed));
                Lost { detours, taken: Span(taken), longest: Span(longest) }
            },
        }
    }

    /// Returns the states of all ranks, in order.
    pub fn all(&self) -> Vec<Status> {
        (0..self.ranks).map(|rank| self.status(rank)).collect()
    }
}

/// Writes the host's name, as much of it as fits, then the process: a reader that sees the process sees the name.
fn publish(words: &[impl Word<u64>], process: &impl Word<u32>, host: &str, id: u32) {
    let mut bytes = vec![0u8; 8 * words.len()];
    let length = host.len().min(bytes.len());
    bytes[..length].copy_from_slice(&host.as_bytes()[..length]);
    for (word, eight) in words.iter().zip(bytes.chunks_exact(8)) {
        word.store(u64::from_le_bytes(eight.try_into().expect("eight bytes")), Relaxed);
    }
    process.store(id, Release);
}

/// Reads the process, 0 where none has signed in, and its host's name.
fn published(words: &[impl Word<u64>], process: &impl Word<u32>) -> (u32, String) {
    let id = process.load(Acquire);
    let host: Vec<u8> = words.iter().flat_map(|word| word.load(Relaxed).to_le_bytes()).collect();
    (id, String::from_utf8_lossy(&host).trim_end_matches('\0').to_owned())
}

/// Offset of the lines that neighbours share, behind all slots, in bytes.
fn lines_at(ranks: u32) -> usize {
    (size_of::<Slot>() * ranks as usize).next_multiple_of(align_of::<Lines>())
}

fn size(ranks: u32) -> usize {
    lines_at(ranks) + size_of::<Lines>() * ranks as usize
}

/// Returns this machine's host name, or `unknown`.
pub fn host_name() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the buffer is live and its length is passed.
    let failed = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) } != 0;
    if failed {
        return "unknown".to_owned();
    }
    let length = name.iter().position(|&byte| byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&name[..length]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_every_interleaving_who_sees_the_process_sees_its_host() {
        use loom::sync::atomic::{AtomicU32, AtomicU64};
        loom::model(|| {
            let slot = loom::sync::Arc::new(([AtomicU64::new(0), AtomicU64::new(0)], AtomicU32::new(0)));
            let of_rank = slot.clone();
            let rank = loom::thread::spawn(move || publish(&of_rank.0, &of_rank.1, "node-0000017", 4711));
            let (process, host) = published(&slot.0, &slot.1);
            assert!(process == 0 || (process, host.as_str()) == (4711, "node-0000017"), "{process} {host}");
            rank.join().expect("the rank ends");
            assert_eq!(published(&slot.0, &slot.1), (4711, "node-0000017".to_owned()));
        });
    }

    #[test]
    fn what_one_mapping_writes_another_reads() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("board");
        let ours = Board::create(&path, 3).unwrap();
        let theirs = Board::open(&path, 3).unwrap();
        theirs.sign_in(2, "node-17");
        theirs.begin_task(2, 5);
        theirs.enter(2, Phase::Window);
        theirs.beat(2);
        [30, 50, 20].map(Span::from_us).into_iter().for_each(|duration| theirs.lose(2, duration));
        let status = ours.status(2);
        assert_eq!((status.host.as_str(), status.phase, status.task), ("node-17", Phase::Window, 5));
        let lost = Lost { detours: 3, taken: Span::from_us(100), longest: Span::from_us(50) };
        assert_eq!(status.lost, lost);
        assert_eq!((status.process, status.progress, status.heartbeats), (std::process::id(), 3, 2));
        assert_eq!(ours.status(0).process, 0, "rank 0 has not signed in");
        assert_eq!(ours.recording_since(), None);
        [(2, 90), (1, 70)].into_iter().for_each(|(rank, ticks)| theirs.begin_recording(rank, ticks));
        assert_eq!(ours.recording_since(), Some(70));
        assert!(Board::open(&path, 4).is_err(), "a board for three has no room for four");
    }
}
