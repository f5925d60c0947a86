//! Processes of a launch: the guard's children, their children, and so on. A process that loses its parent becomes the
//! guard's own child (`PR_SET_CHILD_SUBREAPER`), so that none gets out of sight.

use super::raw::{Fd, Text, entries, number, open, read};
use libc::pid_t;

/// Largest number of processes in a look. The others are found when these have gone.
const ROOM: usize = 2048;

/// Processes of a launch, as they were at a look.
pub(super) struct Family {
    members: [pid_t; ROOM],
    parents: [pid_t; ROOM],
    count: usize,
}

/// Programs by which launchers start processes on other hosts. Ending one ends a connection, and not a rank.
const AGENTS: [&[u8]; 7] = [b"ssh", b"rsh", b"plink", b"srun", b"qrsh", b"blaunch", b"lsrun"];

impl Family {
    /// Returns the descendants of this process that have not ended.
    pub(super) fn look() -> Family {
        let mut family = Family { members: [0; ROOM], parents: [0; ROOM], count: 0 };
        // SAFETY: reads a number; cannot fail.
        let us = unsafe { libc::getpid() };
        if let Some(processes) = open(libc::AT_FDCWD, c"/proc", libc::O_DIRECTORY) {
            // Children mostly have higher numbers than their parents, and come later in the list.
            let mut before = usize::MAX;
            while before != family.count {
                before = family.count;
                family.add_children(us, &processes);
                // SAFETY: a plain system call.
                unsafe { libc::lseek(processes.0, 0, libc::SEEK_SET) };
            }
        }
        family
    }

    fn add_children(&mut self, us: pid_t, processes: &Fd) {
        entries(processes, |name, _| {
            let Some(process) = number(name.to_bytes()).and_then(|number| pid_t::try_from(number).ok()) else { return };
            if self.members().contains(&process) || self.count == ROOM {
                return;
            }
            let parent = parent_of(processes, process);
            if let Some(parent) = parent.filter(|parent| *parent == us || self.members().contains(parent)) {
                (self.members[self.count], self.parents[self.count]) = (process, parent);
                self.count += 1;
            }
        });
    }

    /// Returns the numbers of the processes.
    pub(super) fn members(&self) -> &[pid_t] {
        &self.members[..self.count]
    }

    /// Returns the processes that are likely to be ranks: they are not the launcher, have no children, and are no
    /// connection to another host.
    pub(super) fn ranks(&self, launcher: pid_t) -> impl Iterator<Item = pid_t> {
        let parents = &self.parents[..self.count];
        let no_agent = |process: &&pid_t| {
            let mut buffer = [0; 32];
            let name = open(libc::AT_FDCWD, Text::format(format_args!("/proc/{process}/comm")).as_c_str(), 0);
            let name = name.map_or(&[][..], |file| read(&file, &mut buffer));
            !AGENTS.contains(&name.trim_ascii_end())
        };
        let leaves = self.members().iter().filter(move |process| **process != launcher && !parents.contains(process));
        leaves.filter(no_agent).copied()
    }
}

/// Sends a signal to processes.
pub(super) fn signal(processes: impl Iterator<Item = pid_t>, signal: libc::c_int) {
    for process in processes {
        // SAFETY: a plain system call; the number was a descendant's a moment ago.
        unsafe { libc::kill(process, signal) };
    }
}

/// Returns the parent of a process that has not ended. In /proc/PID/stat the name is in parentheses and may contain
/// anything. State and parent follow.
fn parent_of(processes: &Fd, process: pid_t) -> Option<pid_t> {
    let file = open(processes.0, Text::format(format_args!("{process}/stat")).as_c_str(), 0)?;
    let mut buffer = [0; 512];
    let text = read(&file, &mut buffer);
    let mut fields = text.rsplitn(2, |&byte| byte == b')').next()?.split(|&byte| byte == b' ').skip(1);
    let state = fields.next()?;
    let parent = fields.next().and_then(number)?;
    (state != b"Z" && state != b"X").then_some(parent as pid_t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::process::{Command, Stdio};

    #[test]
    fn children_and_their_children_are_seen_as_long_as_they_live() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 100 & echo $!; wait"]).stdout(Stdio::piped());
        let mut shell = shell.spawn().expect("sh runs");
        let mut said = [0; 16];
        let count = shell.stdout.as_mut().expect("piped").read(&mut said).expect("a number");
        let sleeper = number(&said[..count]).expect("a number") as pid_t;
        let family = Family::look();
        assert!(family.members().contains(&(shell.id() as pid_t)) && family.members().contains(&sleeper));
        // SAFETY: a plain system call on a process that this test has started.
        unsafe { libc::kill(sleeper, libc::SIGKILL) };
        shell.wait().expect("it is ours");
        assert!(!Family::look().members().contains(&sleeper));
    }
}
