//! Runs of a process within a time limit, and its end together with everything that it started.

#[cfg(target_os = "linux")]
use super::guard;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

/// Output and status of a process that has ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Exit status. `None` if we ended it, because its time was up.
    pub status: Option<ExitStatus>,
    /// Text on standard output.
    pub stdout: String,
    /// Text on standard error.
    pub stderr: String,
    /// Duration of its run.
    pub took: Duration,
}

impl Finished {
    /// Whether it ended by itself, with exit status 0.
    pub fn success(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

/// Interval between two looks at a running process.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Time limit for a process to end on request, and for its output to be read to the end.
const GRACE: Duration = Duration::from_secs(2);
/// Time limit for a guard to end everything that it guards.
#[cfg(target_os = "linux")]
pub(crate) const LONGEST_END: Duration = guard::LAUNCHER_GRACE.saturating_add(guard::LAST_GRACE).saturating_add(GRACE);
#[cfg(not(target_os = "linux"))]
pub(crate) const LONGEST_END: Duration = Duration::from_secs(4);

/// Runs a command, in a process group of its own, for at most `limit`.
///
/// # Errors
/// Fails if it cannot be started or waited for.
pub fn run_within(command: Command, limit: Duration) -> io::Result<Finished> {
    run_holding(command, limit, None)
}

/// Runs a command as [`run_within`] does, and keeps the lock of a file until nothing of the command is left.
///
/// # Errors
/// Fails where [`run_within`] fails.
pub fn run_holding(mut command: Command, limit: Duration, held: Option<&File>) -> io::Result<Finished> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    end_with_us(&mut command, held);
    let began = Instant::now();
    let mut child = start(&mut command)?;
    let stdout = Listener::to(child.stdout.take());
    let stderr = Listener::to(child.stderr.take());
    let status = wait_until(&mut child, began + limit)?;
    if status.is_none() {
        stop(&mut child);
    }
    let took = began.elapsed();
    // A process that outlived it may hold the pipes open, and then the text received so far is returned.
    let patience = Instant::now() + GRACE;
    Ok(Finished { status, stdout: stdout.heard_by(patience), stderr: stderr.heard_by(patience), took })
}

/// Puts a guard between this program and the process that the command starts. The process ends with the thread that
/// spawns it, whatever the reason (Ctrl-C does not reach a process group of its own), and leaves nothing behind. The
/// spawned child is the guard, which ends with the process's status. Until then it keeps the lock that `held` has, even
/// when this program is gone.
pub(crate) fn end_with_us(command: &mut Command, held: Option<&File>) {
    #[cfg(target_os = "linux")]
    {
        let us = std::process::id() as libc::pid_t;
        let orders = guard::Orders { temporary: temporary(command), held: held.map(std::os::fd::AsRawFd::as_raw_fd) };
        // SAFETY: it allocates no memory, and takes no lock.
        unsafe { command.pre_exec(move || guard::post(us, &orders)) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (command, held);
}

/// Returns the folder for temporary files of a command's process, as MPI launchers determine it.
#[cfg(target_os = "linux")]
fn temporary(command: &Command) -> std::ffi::CString {
    let of_command = |name: &str| {
        let told = command.get_envs().find(|(told, _)| *told == name);
        told.map_or_else(|| std::env::var_os(name), |(_, value)| value.map(std::ffi::OsString::from))
    };
    let named = ["TMPDIR", "TEMP", "TMP"].into_iter().find_map(of_command).filter(|value| !value.is_empty());
    let named = named.unwrap_or_else(|| "/tmp".into());
    std::ffi::CString::new(std::os::unix::ffi::OsStringExt::into_vec(named)).unwrap_or_default()
}

/// Spawns a process. A program that was written a moment ago may still be open for writing in a child that another
/// thread is just forking, so that a failure is retried.
fn start(command: &mut Command) -> io::Result<Child> {
    for _ in 0..20 {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => sleep(LOOK_EVERY),
            other => return other,
        }
    }
    command.spawn()
}

/// Returns the exit status, or `None` if the process has not ended before `end`.
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

/// Ends a process that was started by [`run_within`] or after [`end_with_us`], and everything that it started. Its
/// guard first asks it to end, and later uses force.
pub(crate) fn stop(child: &mut Child) {
    signal(i64::from(child.id()), libc::SIGTERM);
    let _ = wait_until(child, Instant::now() + LONGEST_END);
    signal(-i64::from(child.id()), libc::SIGKILL);
    let _ = child.wait();
}

/// Sends a signal to a process, or to a group if negative. A process that is gone is no error.
fn signal(target: i64, signal: i32) {
    if let Ok(target) = libc::pid_t::try_from(target) {
        // SAFETY: a plain system call; the number is that of a child of ours.
        unsafe { libc::kill(target, signal) };
    }
}

/// Thread that reads a pipe, so that the process that writes to it never waits.
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

    /// Returns the text that was read until the pipe closed, or until `end`.
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

    /// A process that makes two files in shared memory, maps one of them, and does not end; and what was there before.
    #[test]
    #[cfg(target_os = "linux")]
    fn shared_memory_of_a_process_that_is_ended_is_removed_and_that_of_others_stays() {
        const CHILD: &str = "PARALLAX_TEST_OF_SHARED_MEMORY";
        let place = |name: &str, us: u32| std::path::PathBuf::from(format!("/dev/shm/parallax-test-{us}-{name}"));
        if let Some(us) = std::env::var(CHILD).ok().and_then(|us| us.parse().ok()) {
            std::fs::write(place("not-mapped", us), [1]).expect("written");
            std::fs::write(place("mapped", us), [1]).expect("written");
            let file = File::open(place("mapped", us)).expect("just written");
            let descriptor = std::os::fd::AsRawFd::as_raw_fd(&file);
            // SAFETY: a new map of one page, which is not read; it lasts as long as the process.
            unsafe { libc::mmap(std::ptr::null_mut(), 1, libc::PROT_READ, libc::MAP_SHARED, descriptor, 0) };
            println!("mapped");
            sleep(Duration::from_secs(1000));
        }
        let us = std::process::id();
        let mut child = Command::new(std::env::current_exe().expect("this program"));
        child
            .args(["--exact", "--nocapture"])
            .arg("launch::process::tests::shared_memory_of_a_process_that_is_ended_is_removed_and_that_of_others_stays")
            .env(CHILD, us.to_string());
        let done = run_within(child, Duration::from_secs(2)).expect("starts again");
        assert!(done.status.is_none() && done.stdout.contains("mapped\n"), "{done:?}");
        assert!(!place("mapped", us).exists());
        assert!(place("not-mapped", us).exists());
        std::fs::remove_file(place("not-mapped", us)).expect("removed");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_lock_is_kept_until_the_last_process_has_ended() {
        let folder = tempfile::tempdir().expect("a folder");
        let (ours, other) = (File::open(folder.path()), File::open(folder.path()));
        let (ours, other) = (ours.expect("a folder"), other.expect("a folder"));
        ours.lock().expect("locked");
        let mut command = shell("trap '' TERM; while :; do sleep 0.1; done");
        command.stdin(Stdio::null());
        end_with_us(&mut command, Some(&ours));
        let mut child = command.spawn().expect("sh runs");
        drop(ours);
        assert!(other.try_lock().is_err(), "the guard has it");
        stop(&mut child);
        other.try_lock().expect("nobody has it");
    }

    /// Gone, or a zombie that nobody has waited for yet.
    #[cfg(target_os = "linux")]
    fn gone(process: u32) -> bool {
        std::fs::read_to_string(format!("/proc/{process}/stat")).map_or(true, |text| text.contains(") Z "))
    }
}
