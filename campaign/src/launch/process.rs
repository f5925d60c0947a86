//! Running a process within a time limit, and ending it with everything it started.

use measure::processes::{descendants, status_of};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

/// What a process left behind.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended; none if it was ended by us, because its time was up.
    pub status: Option<ExitStatus>,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
    /// How long it ran.
    pub took: Duration,
}

impl Finished {
    /// Whether it ended by itself, with exit status 0.
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

/// How often a running process is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How long a process may take to end when asked politely, and its output to be read to the end.
const GRACE: Duration = Duration::from_secs(2);
/// How long a launcher may take: Open MPI's gives its ranks a second between two signals, then removes its files.
const LAUNCHER_GRACE: Duration = Duration::from_secs(4);

/// Runs a command, in a process group of its own, for at most `limit`.
///
/// # Errors
/// If it could not be started or waited for.
pub fn run_within(mut command: Command, limit: Duration) -> io::Result<Finished> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    end_with_us(&mut command);
    let began = Instant::now();
    let mut child = start(&mut command)?;
    let stdout = Listener::to(child.stdout.take());
    let stderr = Listener::to(child.stderr.take());
    let status = wait_until(&mut child, began + limit)?;
    if status.is_none() {
        stop(&mut child);
    }
    let took = began.elapsed();
    // Somebody who outlived the process may hold the pipes open: then what has arrived must do.
    let patience = Instant::now() + GRACE;
    Ok(Finished { status, stdout: stdout.heard_by(patience), stderr: stderr.heard_by(patience), took })
}

/// Has the kernel end the process when the thread that spawns it ends, however that happens: Ctrl-C does not
/// reach a process group of its own. A process that does not heed the kernel is ended by a guard.
pub(crate) fn end_with_us(command: &mut Command) {
    #[cfg(target_os = "linux")]
    {
        let us = std::process::id();
        // SAFETY: both are plain system calls; nothing else happens between fork and exec.
        let follow = move || unsafe {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            super::guard::leave_guard(us as libc::pid_t)?;
            // Who spawned may have ended in between, of which the kernel says nothing any more.
            if libc::getppid() == us as libc::pid_t { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::ESRCH)) }
        };
        // SAFETY: it allocates nothing, and takes no lock.
        unsafe { command.pre_exec(follow) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Spawns. A program that was written a moment ago may be held open for writing by a child that another
/// thread is just forking; that passes.
fn start(command: &mut Command) -> io::Result<Child> {
    for _ in 0..20 {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => sleep(LOOK_EVERY),
            other => return other,
        }
    }
    command.spawn()
}

/// Its exit status, if it has one before `end`.
fn wait_until(child: &mut Child, end: Instant) -> io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            return Ok(None);
        }
        sleep(LOOK_EVERY);
    }
}

/// Ends a process that leads a group, and all it started: politely, and after two seconds by force.
///
/// The group alone would not do: both launchers give their ranks groups of their own, and Open MPI's
/// ranks outlive a launcher that was ended by up to three seconds.
pub(crate) fn stop(child: &mut Child) {
    let descendants = descendants(child.id());
    signal(-i64::from(child.id()), libc::SIGTERM);
    let _ = wait_until(child, Instant::now() + LAUNCHER_GRACE);
    signal(-i64::from(child.id()), libc::SIGKILL);
    for then in descendants {
        // The same number may be somebody else's by now: the start time tells.
        if status_of(then.process).is_some_and(|now| now.started == then.started) {
            signal(i64::from(then.process), libc::SIGKILL);
        }
    }
    let _ = child.wait();
    forget_session(child.id());
}

/// Removes what an Open MPI launcher (4: `ompi.host.user/pid.314`) had to leave among temporary files; mostly nothing.
fn forget_session(launcher: u32) {
    for folder in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten() {
        if folder.file_name().to_string_lossy().starts_with("ompi.") {
            // Not there as a rule, or another user's.
            let _ = std::fs::remove_dir_all(folder.path().join(format!("pid.{launcher}")));
        }
    }
}

/// Sends a signal to a process, or to a group if negative; gone already is as good.
fn signal(target: i64, signal: i32) {
    if let Ok(target) = libc::pid_t::try_from(target) {
        // SAFETY: a plain system call; the number is that of a child of ours, or of one of its children.
        unsafe { libc::kill(target, signal) };
    }
}

/// A thread that reads a pipe, so that whoever writes to it never waits.
struct Listener {
    heard: Arc<Mutex<Vec<u8>>>,
    thread: Option<JoinHandle<()>>,
}

impl Listener {
    fn to(pipe: Option<impl Read + Send + 'static>) -> Listener {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let store = Arc::clone(&heard);
        let thread = pipe.map(|mut pipe| {
            spawn(move || {
                let mut piece = [0; 4096];
                while let Ok(length @ 1..) = pipe.read(&mut piece) {
                    store.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&piece[..length]);
                }
            })
        });
        Listener { heard, thread }
    }

    /// What was said until the pipe closed, or until `end`.
    fn heard_by(self, end: Instant) -> String {
        while self.thread.as_ref().is_some_and(|thread| !thread.is_finished()) && Instant::now() < end {
            sleep(LOOK_EVERY);
        }
        String::from_utf8_lossy(&self.heard.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_and_status_are_kept_apart() {
        let done = run_within(shell("echo out; echo err >&2; exit 3"), Duration::from_secs(10)).expect("sh runs");
        assert_eq!((done.stdout.as_str(), done.stderr.as_str()), ("out\n", "err\n"));
        assert_eq!(done.status.and_then(|status| status.code()), Some(3));
    }

    #[test]
    fn a_process_is_ended_when_its_time_is_up_however_it_resists() {
        let stubborn = "trap '' TERM; echo here; while :; do sleep 0.1; done";
        let done = run_within(shell(stubborn), Duration::from_millis(200)).expect("sh runs");
        assert!(done.status.is_none());
        assert_eq!(done.stdout, "here\n");
        assert!(done.took < Duration::from_secs(8), "{:?}", done.took);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn children_in_groups_of_their_own_are_ended_too() {
        // With job control (-m) a shell gives each background job a group of its own, as launchers do for ranks.
        let script = "set -m; sleep 1000 & echo $!; wait";
        let done = run_within(shell(script), Duration::from_millis(300)).expect("sh runs");
        let sleeper: u32 = done.stdout.trim().parse().expect("a process number");
        let deadline = Instant::now() + Duration::from_secs(5);
        while !gone(sleeper) {
            assert!(Instant::now() < deadline, "process {sleeper} outlived its launcher");
            sleep(LOOK_EVERY);
        }
    }

    /// A process that starts a child which heeds no polite signal, and is killed.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_launcher_that_heeds_no_signal_is_ended_when_we_are_killed() {
        const CHILD: &str = "PARALLAX_TEST_OF_THE_GUARD";
        if let Ok(file) = std::env::var(CHILD) {
            let script =
                format!("trap '' TERM; echo $$ > {file}.new; mv {file}.new {file}; while :; do sleep 0.1; done");
            let _ = run_within(shell(&script), Duration::from_secs(60));
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("launcher");
        let mut us = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "launch::process::tests::a_launcher_that_heeds_no_signal_is_ended_when_we_are_killed"])
            .env(CHILD, &file)
            .stdout(Stdio::null())
            .spawn()
            .expect("starts again");
        let deadline = Instant::now() + Duration::from_secs(20);
        while !file.exists() {
            assert!(Instant::now() < deadline, "the launcher did not start");
            sleep(LOOK_EVERY);
        }
        let launcher: u32 = std::fs::read_to_string(&file).expect("written").trim().parse().expect("a process number");
        us.kill().expect("killed");
        us.wait().expect("waited for");
        while !gone(launcher) {
            assert!(Instant::now() < deadline, "process {launcher} outlived us");
            sleep(LOOK_EVERY);
        }
    }

    /// Gone, or a zombie that nobody has waited for yet.
    #[cfg(target_os = "linux")]
    fn gone(process: u32) -> bool {
        std::fs::read_to_string(format!("/proc/{process}/stat")).map_or(true, |text| text.contains(") Z "))
    }
}
