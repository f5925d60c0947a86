//! Starting the command and its ranks as a user would.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// No command of a test takes longer, also beside a busy core.
const LONGEST_COMMAND: Duration = Duration::from_secs(480);

/// What a finished command left behind.
#[derive(Debug)]
pub struct Done {
    /// Its exit code; −1 if a signal ended it.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// `parallax`, in a folder of its own.
pub fn parallax(folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
    command.current_dir(folder.path()).env_remove("COLUMNS");
    command
}

/// A scenario of linear and binomial broadcasts by all methods, with few repeats.
pub fn scenario(world: &str, ranks: u32, alpha: &str) -> String {
    format!(
        r#"# Does a small scenario run?
methods = ["loop", "barrier-loop", "window"]
calls = 4
samples = 4
seed = 3
warmup = 1
[emulated]
alpha = "{alpha}"
beta = "10 ns/B"
send_rule = "busy"
[[case]]
world = "{world}"
transport = "emulated"
ranks = [{ranks}]
operation = "bcast"
algorithms = ["linear", "binomial"]
bytes = "100 B"
"#
    )
}

/// Runs a command to its end.
pub fn finish(command: &mut Command) -> Done {
    Running::start(command).finish()
}

/// Runs a command to its end whose output nobody reads: `| head -0`.
pub fn unread(command: &mut Command) -> Done {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let done = command.stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped()).output().unwrap();
    let stderr = String::from_utf8_lossy(&done.stderr).into_owned();
    Done { code: done.status.code().unwrap_or(-1), stdout: String::new(), stderr }
}

/// A command under way.
pub struct Running {
    child: Option<Child>,
}

impl Running {
    pub fn start(command: &mut Command) -> Running {
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        Running { child: Some(child) }
    }

    fn id(&self) -> u32 {
        self.child.as_ref().expect("it has not finished").id()
    }

    /// Whether it has ended; its output waits for [`Running::finish`].
    pub fn has_ended(&mut self) -> bool {
        self.child.as_mut().expect("it has not finished").try_wait().unwrap().is_some()
    }

    pub fn signal(&self, signal: i32) {
        // SAFETY: a plain system call on a child that has not been waited for.
        unsafe { libc::kill(self.id() as i32, signal) };
    }

    /// Waits for its end. One that takes longer than any test is ended with all that it started, and its test fails.
    pub fn finish(&mut self) -> Done {
        let (started, process) = (Instant::now(), self.id());
        let (has_ended, wait) = channel::<()>();
        let watch = std::thread::spawn(move || {
            let late = wait.recv_timeout(LONGEST_COMMAND) == Err(RecvTimeoutError::Timeout);
            if late {
                end_all(process);
            }
            late
        });
        let output = self.child.take().expect("finished once").wait_with_output().unwrap();
        drop(has_ended);
        let late = watch.join().unwrap();
        let done = Done {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        assert!(!late, "ended after {:?}: {done:?}", started.elapsed());
        done
    }

    /// Waits for something to be there while the command runs; fails with its output if it ends before.
    pub fn wait_for<A: Awaited>(&mut self, what: &str, look: impl Fn() -> A) -> A::Value {
        let until = Instant::now() + Duration::from_secs(100);
        loop {
            if let Some(value) = look().value() {
                return value;
            }
            let ended = self.child.as_mut().expect("it has not finished").try_wait().unwrap();
            assert!(ended.is_none(), "the command ended before {what}: {:?}", self.finish());
            assert!(Instant::now() < until, "waited in vain for {what}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The process whose threads are ranks. (Other children are asked for a moment which library they belong to.)
    pub fn world_of_threads(&self) -> Option<u32> {
        let serves = |process: &u32| {
            let words = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            words.split(|&byte| byte == 0).any(|word| word == b"serve-threads")
        };
        self.descendants().into_iter().find(serves)
    }

    /// All descendant processes.
    pub fn descendants(&self) -> Vec<u32> {
        descendants(self.id())
    }
}

/// All descendants of a process.
fn descendants(process: u32) -> Vec<u32> {
    let mut family = vec![process];
    let mut all = Vec::new();
    while let Some(parent) = family.pop() {
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let Some(process) = entry.file_name().to_str().and_then(|text| text.parse().ok()) else { continue };
            if parent_of(process) == Some(parent) {
                family.push(process);
                all.push(process);
            }
        }
    }
    all
}

/// Ends a process and all that it started.
fn end_all(process: u32) {
    for process in descendants(process).into_iter().chain([process]) {
        // SAFETY: a plain system call on processes that a test started.
        unsafe { libc::kill(process as i32, libc::SIGKILL) };
    }
}

fn parent_of(process: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

/// True while the process is there and not a zombie.
pub fn exists(process: u32) -> bool {
    state_of(process).is_some_and(|state| !['Z', 'X'].contains(&state))
}

/// The letter for a process's state in /proc: R, S, D, T (stopped), Z, …
pub fn state_of(process: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// What can be waited for: something that appears, or a condition.
pub trait Awaited {
    type Value;
    fn value(self) -> Option<Self::Value>;
}

impl<T> Awaited for Option<T> {
    type Value = T;
    fn value(self) -> Option<T> {
        self
    }
}

impl Awaited for bool {
    type Value = ();
    fn value(self) -> Option<()> {
        self.then_some(())
    }
}

/// Waits up to a minute for something to be there.
pub fn wait_for<A: Awaited>(what: &str, look: impl Fn() -> A) -> A::Value {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(value) = look().value() {
            return value;
        }
        assert!(Instant::now() < until, "waited a minute in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The program of an MPI library's ranks, or why the test is skipped. With PARALLAX_REQUIRE_MPI set its absence fails.
pub fn mpi_program(library: &str) -> Option<std::path::PathBuf> {
    let named = std::env::var_os(format!("PARALLAX_MPI_{}", library.to_uppercase())).map(std::path::PathBuf::from);
    let beside = Path::new(env!("CARGO_BIN_EXE_parallax")).with_file_name(format!("parallax-mpi-{library}"));
    let found = named.into_iter().chain([beside]).find(|path| path.is_file());
    if found.is_none() {
        assert!(std::env::var_os("PARALLAX_REQUIRE_MPI").is_none(), "no parallax-mpi-{library}: run scripts/build");
        eprintln!("skipped: no parallax-mpi-{library} here (scripts/setup, scripts/build)");
    }
    found
}
