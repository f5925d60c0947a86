//! A lab from start to end: the PID namespace that everything lives in, hosts, links, the command.

use crate::files::{self, FOLDER};
use crate::host::Host;
use crate::options::Options;
use crate::supervise::{keep_signals, release_signals, wait};
use crate::{network, relay};
use models::quantity::SignedSpan;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::sys::signalfd::SignalFd;
use nix::unistd::{ForkResult, Pid, fork};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// Sentence that is shown where hosts cannot be made at all.
const NEEDED: &str = "needs root, and a kernel with network, PID, mount, UTS and time namespaces (Linux 5.6)";

/// Runs the command in a lab. Returns its exit code, or 128 and the number of the signal that ended it.
///
/// # Errors
///
/// Says in one sentence why there is no lab.
pub(crate) fn run(options: &Options) -> Result<u8, String> {
    if options.offset.len() > usize::from(options.hosts) {
        let (found, hosts) = (options.offset.len(), options.hosts);
        return Err(format!("--offset: expected at most {hosts}, one for each host, found {found}"));
    }
    let failed = |what: &'static str| move |error: nix::Error| format!("cannot {what}: {error}; {NEEDED}");
    let signals = keep_signals().map_err(failed("listen for signals"))?;
    unshare(CloneFlags::CLONE_NEWPID).map_err(failed("make a PID namespace"))?;
    // SAFETY: this process has one thread.
    match unsafe { fork() }.map_err(failed("start a process"))? {
        ForkResult::Parent { child } => wait(child, &signals).map_err(|error| format!("lost the lab: {error}")),
        ForkResult::Child => {
            let code = first_process(options, &signals).unwrap_or_else(|why| {
                eprintln!("netlab: {why}");
                2
            });
            // Whatever still runs in here ends with this process.
            std::process::exit(code.into())
        }
    }
}

/// Runs as the first process of the PID namespace: makes the lab, runs the command, and waits for it.
fn first_process(options: &Options, signals: &SignalFd) -> Result<u8, String> {
    let failed = |what: &'static str| move |error: nix::Error| format!("cannot {what}: {error}; {NEEDED}");
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(failed("follow its parent"))?;
    let spaces = CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC;
    unshare(spaces).map_err(failed("make namespaces"))?;
    let count = usize::from(options.hosts);
    folder(count, options.slots)?;
    let offset = |index: usize| options.offset.get(index).copied().unwrap_or(SignedSpan(0));
    let hosts = (0..count).map(|index| Host::start(index, offset(index))).collect::<Result<Vec<_>, _>>()?;
    write("enter", &files::agent(&hosts), 0o755)?;
    match options.delay {
        None => network::bridge(&hosts, options.rate)?,
        Some(delay) => {
            let taps = network::taps(&hosts, options.rate)?;
            // SAFETY: this process has one thread.
            if unsafe { fork() }.map_err(failed("start the relay"))?.is_child() {
                relay::run(&taps, delay, options.near, options.rate);
            }
        }
    }
    let child = start(options, &hosts[0])?;
    wait(child, signals).map_err(|error| format!("lost the command: {error}"))
}

/// Makes the folder of the lab's files, in memory that no other process sees.
fn folder(hosts: usize, slots: u16) -> Result<(), String> {
    let failed = |what: &'static str| move |error: nix::Error| format!("cannot {what}: {error}; {NEEDED}");
    const NONE: Option<&str> = None;
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE).map_err(failed("keep mounts apart"))?;
    mount(Some("proc"), "/proc", Some("proc"), MsFlags::empty(), NONE).map_err(failed("mount /proc"))?;
    mount(Some("netlab"), "/dev/shm", Some("tmpfs"), MsFlags::empty(), NONE).map_err(failed("mount /dev/shm"))?;
    // Hosts make their own shared memory there before it takes its place.
    let new = Path::new(FOLDER).join("new");
    std::fs::create_dir_all(&new).map_err(|error| format!("cannot make {}: {error}", new.display()))?;
    write("names", &files::names(hosts), 0o644)?;
    write("hosts", &files::host_file(hosts, slots), 0o644)?;
    write("hydra-hosts", &files::hydra_host_file(hosts, slots), 0o644)
}

fn write(name: &str, text: &str, mode: u32) -> Result<(), String> {
    let path = Path::new(FOLDER).join(name);
    std::fs::write(&path, text)
        .and_then(|()| std::fs::set_permissions(&path, Permissions::from_mode(mode)))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Starts the command on a host.
fn start(options: &Options, host: &Host) -> Result<Pid, String> {
    let cores = std::thread::available_parallelism().map_or(1, Into::into);
    let mut command = Command::new(&options.command[0]);
    command.args(&options.command[1..]).envs(files::variables(usize::from(options.hosts), cores));
    // SAFETY: this process has one thread.
    match unsafe { fork() }.map_err(|error| format!("cannot start a process: {error}"))? {
        ForkResult::Parent { child } => Ok(child),
        ForkResult::Child => {
            let directory = std::env::current_dir();
            let entered = host.enter().and(directory).and_then(std::env::set_current_dir);
            let error = match entered.and_then(|()| release_signals().map_err(Into::into)) {
                Ok(()) => command.exec(),
                Err(error) => error,
            };
            eprintln!("netlab: cannot run {} on {}: {error}", options.command[0].display(), host.name);
            std::process::exit(127)
        }
    }
}
