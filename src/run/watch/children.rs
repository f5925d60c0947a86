//! The processes of one launch: starting them, hearing their last words, and leaving none behind.

use anyhow::Context;
use measure::board::{Board, Status};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long processes get between the request to end and the order.
const GRACE: Duration = Duration::from_secs(3);
/// Lines of a launch's output that are kept for its last words.
const KEPT_LINES: usize = 200;
/// Lines that are shown.
const SHOWN_LINES: usize = 12;

/// A launcher (or the threads world) and all that it started.
pub struct Children {
    child: Child,
    output: Arc<Mutex<Vec<String>>>,
    readers: Vec<JoinHandle<()>>,
}

impl Children {
    /// Starts the command; it is ended if this program is killed.
    pub fn start(mut command: Command) -> anyhow::Result<Children> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(target_os = "linux")]
        // SAFETY: prctl is async-signal-safe, as what runs between fork and exec must be.
        unsafe {
            command.pre_exec(|| {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
                Ok(())
            });
        }
        let name = command.get_program().display().to_string();
        let mut child = command.spawn().with_context(|| format!("cannot start {name}"))?;
        let output = Arc::new(Mutex::new(Vec::new()));
        let mut readers = Vec::new();
        let pipes: [Option<Box<dyn Read + Send>>; 2] =
            [child.stdout.take().map(|pipe| Box::new(pipe) as _), child.stderr.take().map(|pipe| Box::new(pipe) as _)];
        for pipe in pipes.into_iter().flatten() {
            let output = Arc::clone(&output);
            readers.push(std::thread::spawn(move || keep_lines(pipe, &output)));
        }
        Ok(Children { child, output, readers })
    }

    /// The launcher's end, if it has ended; all its output has been heard then.
    pub fn ended(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        let ended = self.child.try_wait()?;
        if ended.is_some() {
            // A rank that outlived its launcher may hold a pipe open: wait for the readers a little only.
            let until = Instant::now() + Duration::from_millis(500);
            while self.readers.iter().any(|reader| !reader.is_finished()) && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        Ok(ended)
    }

    /// The only rank whose process is gone although it had not finished; launchers soon take the rest down too.
    pub fn find_dead(&self, ranks: &[Status]) -> Option<Status> {
        let is_dead = |status: &&Status| {
            status.process != 0 && status.phase != models::rank::Phase::Finished && !is_alive(status.process)
        };
        let mut dead = ranks.iter().filter(is_dead);
        let first = dead.next()?;
        dead.next().is_none().then(|| first.clone())
    }

    /// The rank whose process the launcher's output names (`PID 314`, as both libraries' launchers write).
    pub fn named_by_launcher(&self, ranks: &[Status]) -> Option<Status> {
        let output = self.output.lock().ok()?;
        let numbers = output.iter().flat_map(|line| {
            line.split("PID ")
                .skip(1)
                .filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u32>().ok())
        });
        numbers.into_iter().find_map(|process| ranks.iter().find(|status| status.process == process).cloned())
    }

    /// What the launch said last: repeated lines once, ornaments left out.
    pub fn last_words(&self) -> String {
        let Ok(output) = self.output.lock() else { return String::new() };
        let mut shown: Vec<&str> = Vec::new();
        for line in output.iter().map(|line| line.trim()) {
            let ornament = line.chars().all(|c| !c.is_alphanumeric());
            if !ornament && !shown.contains(&line) {
                shown.push(line);
            }
        }
        let skipped = shown.len().saturating_sub(SHOWN_LINES);
        shown[skipped..].iter().map(|line| format!("  | {line}")).collect::<Vec<_>>().join("\n")
    }

    /// Ends everything that was started, kindly first.
    pub fn end(&mut self, board: &Board) {
        let group = self.child.id() as i32;
        signal(-group, libc::SIGTERM);
        let until = Instant::now() + GRACE;
        while Instant::now() < until && !matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
            std::thread::sleep(Duration::from_millis(10));
        }
        signal(-group, libc::SIGKILL);
        // Launchers put ranks into groups of their own; one that is stopped hears nothing but SIGKILL.
        for status in board.all() {
            if status.process != 0 && is_ours(status.process) {
                signal(status.process as i32, libc::SIGKILL);
            }
        }
        let _ = self.child.wait();
    }
}

fn keep_lines(pipe: impl Read, output: &Mutex<Vec<String>>) {
    for line in BufReader::new(pipe).lines().map_while(Result::ok) {
        if let Ok(mut lines) = output.lock() {
            if lines.len() >= KEPT_LINES {
                lines.remove(0);
            }
            lines.push(line);
        }
    }
}

fn signal(process: i32, signal: i32) {
    // SAFETY: sending a signal touches no memory of ours.
    unsafe { libc::kill(process, signal) };
}

/// True if the process exists and is not a zombie.
fn is_alive(process: u32) -> bool {
    match std::fs::read_to_string(format!("/proc/{process}/stat")) {
        Ok(stat) => !stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with(['Z', 'X'])),
        // SAFETY: signal 0 only asks whether the process exists.
        Err(_) => unsafe { libc::kill(process as i32, 0) == 0 },
    }
}

/// Guards against numbers that were given to another process meanwhile.
fn is_ours(process: u32) -> bool {
    let name = std::fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    name.starts_with("parallax")
}
