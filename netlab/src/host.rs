//! One host: a process that holds namespaces of its own until the lab ends.

use crate::files::FOLDER;
use models::quantity::SignedSpan;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, setns, unshare};
use nix::unistd::{ForkResult, fork, pause, pipe, read, sethostname, write};
use std::fs::File;
use std::io;
use std::path::Path;

/// Flag of time namespaces, for which the bindings in use have no name.
const NEW_TIME: CloneFlags = CloneFlags::from_bits_retain(libc::CLONE_NEWTIME);

/// A host that runs.
#[derive(Clone, Debug)]
pub(crate) struct Host {
    pub name: String,
    /// Id of the process that holds its namespaces.
    pub process: i32,
}

/// Returns the name of host i, counted from 0.
pub(crate) fn name(index: usize) -> String {
    format!("node{}", index + 1)
}

impl Host {
    /// Starts a host whose monotonic clock is ahead by `offset`, and waits until it is there.
    ///
    /// # Errors
    ///
    /// Says what the kernel refused.
    pub(crate) fn start(index: usize, offset: SignedSpan) -> Result<Host, String> {
        let name = name(index);
        let failed = |error: nix::Error| format!("cannot start {name}: {error}");
        let (listen, tell) = pipe().map_err(failed)?;
        // SAFETY: this process has one thread.
        match unsafe { fork() }.map_err(failed)? {
            ForkResult::Parent { child } => {
                drop(tell);
                let mut heard = [0; 400];
                let length = read(&listen, &mut heard).map_err(failed)?;
                match String::from_utf8_lossy(&heard[..length]).as_ref() {
                    "ready" => Ok(Host { name, process: child.as_raw() }),
                    "" => Err(format!("cannot start {name}: its first process ended")),
                    why => Err(format!("cannot start {name}: {why}")),
                }
            }
            ForkResult::Child => {
                drop(listen);
                let said = become_host(&name, offset).map_or_else(|why| why, |()| "ready".to_owned());
                let told = write(&tell, said.as_bytes());
                drop(tell);
                if said == "ready" && told.is_ok() {
                    loop {
                        pause();
                    }
                }
                // SAFETY: a forked child leaves without its parent's exit handlers.
                unsafe { libc::_exit(1) }
            }
        }
    }

    /// Moves this process, which must have one thread, to the host.
    ///
    /// # Errors
    ///
    /// Fails if the host is gone.
    pub(crate) fn enter(&self) -> io::Result<()> {
        let open = |space: &str| File::open(format!("/proc/{}/ns/{space}", self.process));
        // All are opened before the first is entered: the mounts are among them.
        for space in [open("ipc")?, open("uts")?, open("net")?, open("time")?, open("mnt")?] {
            setns(space, CloneFlags::empty())?;
        }
        Ok(())
    }
}

/// Calls `act` while this process, which must have one thread, is in a host's network, and goes back.
///
/// # Errors
///
/// Fails if there is no way in or back, or if `act` failed.
pub(crate) fn in_network<T>(host: &Host, act: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let failed = |error: io::Error| format!("cannot enter the network of {}: {error}", host.name);
    let own = File::open("/proc/self/ns/net").map_err(failed)?;
    let other = File::open(format!("/proc/{}/ns/net", host.process)).map_err(failed)?;
    setns(other, CloneFlags::CLONE_NEWNET).map_err(|error| failed(error.into()))?;
    let done = act();
    setns(own, CloneFlags::CLONE_NEWNET).map_err(|error| failed(error.into()))?;
    done
}

/// Gives this process namespaces of its own.
fn become_host(name: &str, offset: SignedSpan) -> Result<(), String> {
    let at = |what: &'static str| move |error: nix::Error| format!("{what}: {error}");
    let spaces = CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWUTS | CloneFlags::CLONE_NEWNS;
    unshare(spaces | CloneFlags::CLONE_NEWIPC | NEW_TIME).map_err(at("namespaces"))?;
    std::fs::write("/proc/self/timens_offsets", clock_line(offset))
        .map_err(|error| format!("the clock offset (monotonic time cannot be negative): {error}"))?;
    let time = File::open("/proc/self/ns/time_for_children").map_err(|error| format!("the clock: {error}"))?;
    setns(time, NEW_TIME).map_err(at("the clock"))?;
    sethostname(name).map_err(at("the host name"))?;
    mounts().map_err(at("mounts"))?;
    // A lab that is gone takes its hosts with it in any case; IPv6 would only chatter.
    let _ = std::fs::write("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1");
    Ok(())
}

/// Mounts shared memory of its own, with the lab's files in it, and the names of the hosts.
fn mounts() -> nix::Result<()> {
    const NONE: Option<&str> = None;
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(NONE, "/", NONE, private, NONE)?;
    let (lab, new) = (Path::new(FOLDER), Path::new(FOLDER).join("new"));
    mount(Some("netlab"), &new, Some("tmpfs"), MsFlags::empty(), NONE)?;
    let inner = new.join("netlab");
    std::fs::create_dir(&inner).map_err(|error| nix::Error::from_raw(error.raw_os_error().unwrap_or(libc::EIO)))?;
    mount(Some(lab), &inner, NONE, MsFlags::MS_BIND, NONE)?;
    mount(Some(&new), "/dev/shm", NONE, MsFlags::MS_MOVE, NONE)?;
    mount(Some(&lab.join("names")), "/etc/hosts", NONE, MsFlags::MS_BIND, NONE)
}

/// Returns the line that /proc/self/timens_offsets takes: whole seconds, which may be negative, and nanoseconds, which
/// may not.
fn clock_line(offset: SignedSpan) -> String {
    let ns = offset.0.div_euclid(1_000);
    format!("monotonic {} {}\n", ns.div_euclid(1_000_000_000), ns.rem_euclid(1_000_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_written_as_the_kernel_wants_them() {
        assert_eq!(clock_line(SignedSpan(2_500_000_000_000)), "monotonic 2 500000000\n");
        assert_eq!(clock_line(SignedSpan(-1_000_000_000)), "monotonic -1 999000000\n");
        assert_eq!(clock_line(SignedSpan(0)), "monotonic 0 0\n");
    }
}
