//! Reading the kernel's events while they come.

use crate::clock::{Counter, RealClock};
use programs::detours::causes::Timeline;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Interval of looks at the events. Each look is a disturbance itself.
const LOOK: Duration = Duration::from_secs(1);
/// Number of pieces of one CPU's events that are read before the next CPU's turn.
const TURN: usize = 1_024;
/// Most bytes that are read at once.
const PIECE_BYTES: usize = 1 << 16;

/// Events of one CPU, as they come.
#[derive(Debug)]
pub(super) struct Pipe {
    pub(super) cpu: u32,
    pub(super) path: PathBuf,
    pub(super) file: Option<File>,
    /// Beginning of a line whose end is still to come.
    begun: Vec<u8>,
    pub(super) timeline: Timeline,
    pub(super) error: Option<io::Error>,
}

impl Pipe {
    pub(super) fn new(instance: &Path, cpu: u32, most: usize) -> Pipe {
        let path = instance.join(format!("per_cpu/cpu{cpu}/trace_pipe"));
        Pipe { cpu, path, file: None, begun: Vec::new(), timeline: Timeline::new(cpu, most), error: None }
    }

    /// Opens the pipe as soon as it is there.
    pub(super) fn open(&mut self) -> io::Result<()> {
        match OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(&self.path) {
            Ok(file) => self.file = Some(file),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Takes the events that are there, for its turn. Returns whether there may be more.
    fn take(&mut self, buffer: &mut [u8]) -> bool {
        if self.error.is_some() {
            return false;
        }
        let taken = self.try_take(buffer);
        taken.unwrap_or_else(|error| {
            self.error = Some(error);
            false
        })
    }

    fn try_take(&mut self, buffer: &mut [u8]) -> io::Result<bool> {
        if self.file.is_none() {
            self.open()?;
        }
        let Some(file) = &mut self.file else { return Ok(false) };
        for _ in 0..TURN {
            let bytes = match file.read(buffer) {
                Ok(0) => return Ok(false),
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            };
            self.begun.extend_from_slice(&buffer[..bytes]);
            let Some(end) = self.begun.iter().rposition(|&byte| byte == b'\n') else { continue };
            let lines: Vec<u8> = self.begun.drain(..=end).collect();
            String::from_utf8_lossy(&lines).lines().for_each(|line| self.timeline.add(line));
        }
        Ok(true)
    }
}

/// Reads until it is stopped and nothing is left. Events before `begun` need no room. While that is `None`, neither do
/// events until the moment of reading.
pub(super) fn watch(mut pipes: Vec<Pipe>, stop: &AtomicBool, begun: impl Fn() -> Option<u64>) -> Vec<Pipe> {
    let mut buffer = vec![0; PIECE_BYTES];
    let mut begin = None;
    loop {
        let stopped = stop.load(Relaxed);
        let now = Counter.read().0;
        begin = begin.or_else(&begun);
        if let Some(begin) = begin.or((!stopped).then_some(now)) {
            pipes.iter_mut().for_each(|pipe| pipe.timeline.begin_at(begin));
        }
        let has_more = pipes.iter_mut().map(|pipe| pipe.take(&mut buffer)).fold(false, |any, more| any | more);
        match (has_more, stopped) {
            (true, _) => {}
            (false, true) => return pipes,
            (false, false) => std::thread::park_timeout(LOOK),
        }
    }
}
