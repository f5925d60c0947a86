//! Run of this program as a child process, with its cost.

use anyhow::{Context, ensure};
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Cost of one run.
pub(super) struct Cost {
    /// CPU time in user mode over all threads, in s.
    pub user_s: f64,
    /// Duration from start to end, in s.
    pub wall_s: f64,
    /// Largest resident set, in MiB.
    pub peak_mib: f64,
    /// Number of simulated messages that the run reports.
    pub messages: Option<u64>,
    /// Name of the engine that the run reports.
    pub engine: Option<String>,
}

/// Runs this program with the given arguments and returns the cost.
pub(super) fn cost(arguments: &[String]) -> anyhow::Result<Cost> {
    let program = std::env::current_exe().context("this program's own path is unknown")?;
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .context("the program cannot be started")?;
    let mut output = String::new();
    child.stdout.take().context("piped above")?.read_to_string(&mut output)?;
    let (status, usage) = wait(child.id())?;
    let wall_s = begun.elapsed().as_secs_f64();
    ensure!(status == 0, "parallax {} ended with status {status}", arguments.join(" "));
    let answer: serde_json::Value = serde_json::from_str(&output).unwrap_or_default();
    Ok(Cost {
        user_s: usage.ru_utime.tv_sec as f64 + usage.ru_utime.tv_usec as f64 / 1e6,
        wall_s,
        peak_mib: usage.ru_maxrss as f64 / 1024.0,
        messages: answer["messages"].as_u64(),
        engine: answer["engine"].as_str().map(str::to_owned),
    })
}

/// Waits for a child and returns its exit status and the system's account of its resources.
fn wait(id: u32) -> anyhow::Result<(i32, libc::rusage)> {
    let mut status = 0;
    // SAFETY: plain data, filled by the call below.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: `id` is a child of this process that nobody else waits for; both pointers are live.
    let waited = unsafe { libc::wait4(id as libc::pid_t, &mut status, 0, &mut usage) };
    ensure!(waited == id as libc::pid_t, "the child cannot be waited for: {}", std::io::Error::last_os_error());
    Ok((status, usage))
}
