//! Files that a launch makes in shared memory, /dev/shm. Most of their names do not identify the owner (MPICH 5.0:
//! `mpich_shm_9400d15d_0`, Open MPI: a number of the job), so that a process that maps a file soon after it has
//! appeared is taken for its owner.

use super::family::Family;
use super::raw::{self, Fd, Text, entries, is_ours, lines, number, open, read, status};
use std::ffi::CStr;
use std::time::{Duration, Instant};

/// Folder of POSIX shared memory on Linux (`shm_overview(7)`).
const PLACE: &CStr = c"/dev/shm";
/// Largest number of files at a time. Further ones are not removed.
const ROOM: usize = 256;
/// Times after a file's appearance at which its owner is looked for, until it is found. A look reads the maps of all
/// ranks, and is made only when there is a new file of this user.
const LOOKS: [Duration; 5] = [
    Duration::ZERO,
    Duration::from_millis(20),
    Duration::from_millis(100),
    Duration::from_millis(500),
    Duration::from_secs(4),
];
/// Beginnings of the names that MPI libraries give their files here. Such a file that no process has mapped or open has
/// no owner: its maker ended before it could be seen.
const NAMES: [&[u8]; 7] = [
    b"vader_segment.",
    b"sm_segment.",
    b"open_mpi.",
    b"mpich_shm_",
    b"mpich_shar_tmp",
    b"Intel_MPI_",
    // UCX takes the name away at once, but a rank may be killed before.
    b"ucx_shm_posix_",
];
/// Time until a second look at a file without an owner, because a file that is being made has no descriptor for a
/// moment.
const MAKING: Duration = Duration::from_millis(20);
/// Least pause between two looks, as a multiple of a look's duration, because many ranks make many files at once.
const REST: u32 = 4;

/// File that has appeared since the launch began.
#[derive(Clone, Copy)]
struct Appeared {
    name: [u8; 256],
    at: Instant,
    looks: usize,
    /// Inode of the file when a process of the launch had mapped it. 0 before.
    inode: u64,
    /// Whether the launch is over, the file's maker was never seen, and its name is one that libraries give.
    is_unknown: bool,
}

impl Appeared {
    fn name(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.name).unwrap_or(c"")
    }

    /// Returns the time of the next look for its owner. `None` if the owner is known, or is not in this launch.
    fn due(&self) -> Option<Instant> {
        LOOKS.get(self.looks).filter(|_| self.inode == 0).map(|after| self.at + *after)
    }
}

/// Files that have appeared in shared memory since the launch began.
pub(super) struct SharedMemory {
    /// Notifications by Linux of files that appear (`inotify(7)`), so that no look is made while there are none.
    news: Option<Fd>,
    files: [Appeared; ROOM],
    count: usize,
    /// Earliest time of the next look.
    rested: Instant,
}

impl SharedMemory {
    /// Begins to receive notifications. Without such a folder, or without notifications, no file is recorded.
    pub(super) fn listen() -> SharedMemory {
        // SAFETY: plain system calls on a string that is live.
        let news = unsafe {
            let news = libc::inotify_init1(libc::IN_CLOEXEC | libc::IN_NONBLOCK);
            let heard = libc::inotify_add_watch(news, PLACE.as_ptr(), libc::IN_CREATE | libc::IN_MOVED_TO);
            (news >= 0).then_some(Fd(news)).filter(|_| heard >= 0)
        };
        let now = Instant::now();
        let none = Appeared { name: [0; 256], at: now, looks: 0, inode: 0, is_unknown: false };
        SharedMemory { news, files: [none; ROOM], count: 0, rested: now }
    }

    /// Returns the descriptor that becomes readable with notifications, or −1 if there are none.
    pub(super) fn news(&self) -> libc::c_int {
        self.news.as_ref().map_or(-1, |news| news.0)
    }

    /// Records the files that have appeared.
    pub(super) fn hear(&mut self) {
        /// Offsets of the length of an event's name, and of the name.
        const LENGTH: usize = 12;
        const NAME: usize = 16;
        let mut buffer = [0; 4096];
        while let Some(news) = &self.news {
            let mut rest = read(news, &mut buffer);
            if rest.is_empty() {
                return;
            }
            while let Some((length, _)) = rest.get(LENGTH..).and_then(<[u8]>::split_first_chunk) {
                let end = NAME + u32::from_ne_bytes(*length) as usize;
                let Some((event, following)) = rest.split_at_checked(end) else { break };
                if let Some(name) = event.get(NAME..).and_then(|name| CStr::from_bytes_until_nul(name).ok()) {
                    self.note(name);
                }
                rest = following;
            }
        }
    }

    fn note(&mut self, name: &CStr) {
        let known = self.files[..self.count].iter().any(|file| file.name() == name && file.due().is_some());
        // Most files of this kind lose their name as soon as all ranks have mapped them.
        if known || !in_place(name).is_some_and(|status| is_ours(&status)) {
            return;
        }
        if self.count == ROOM {
            self.forget();
        }
        let bytes = name.to_bytes();
        if let Some(file) = self.files.get_mut(self.count) {
            *file = Appeared { name: [0; 256], at: Instant::now(), looks: 0, inode: 0, is_unknown: false };
            if let Some(room) = file.name[..255].get_mut(..bytes.len()) {
                room.copy_from_slice(bytes);
                self.count += 1;
            }
        }
    }

    /// Forgets files of other owners, and those that have been removed.
    fn forget(&mut self) {
        let mut kept = 0;
        for index in 0..self.count {
            let file = self.files[index];
            if (file.inode != 0 || file.due().is_some()) && in_place(file.name()).is_some() {
                self.files[kept] = file;
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// Returns the time until owners are to be looked for. `None` while no file is new.
    pub(super) fn next_look(&self) -> Option<Duration> {
        let due = self.files[..self.count].iter().filter_map(Appeared::due).min()?;
        Some(due.max(self.rested).saturating_duration_since(Instant::now()))
    }

    /// Finds the new files that processes of the launch have mapped. `began` is the start of the look.
    pub(super) fn look(&mut self, family: &Family, began: Instant) {
        for &process in family.members() {
            each_mapped(process, |name, inode| self.found(name, inode));
        }
        let now = Instant::now();
        self.rested = now + REST * (now - began);
        for file in &mut self.files[..self.count] {
            while file.due().is_some_and(|due| due <= began) {
                file.looks += 1;
            }
        }
    }

    /// Makes the last look at processes that are stopped. It also finds files that they have opened and not yet mapped.
    pub(super) fn look_closely(&mut self, processes: impl Iterator<Item = libc::pid_t>) {
        self.hear();
        for process in processes {
            each_mapped(process, |name, inode| self.found(name, inode));
            each_open(process, |name| {
                let inode = CStr::from_bytes_with_nul(name).ok().and_then(in_place).map_or(0, |file| file.st_ino);
                self.found(name.strip_suffix(&[0]).unwrap_or(name), inode);
            });
        }
    }

    fn found(&mut self, name: &[u8], inode: u64) {
        for file in self.files[..self.count].iter_mut().filter(|file| file.inode == 0 && file.name().to_bytes() == name)
        {
            file.inode = inode;
        }
    }

    /// Removes the launch's remaining files that no living process has mapped, once the launch is over. A file with a
    /// library's name whose maker was never seen is removed if no process has it mapped or open.
    pub(super) fn remove(&mut self) {
        let files = &mut self.files[..self.count];
        for file in files.iter_mut() {
            let there = in_place(file.name()).filter(is_ours).map_or(0, |there| there.st_ino);
            file.is_unknown = file.inode == 0 && NAMES.iter().any(|name| file.name().to_bytes().starts_with(name));
            file.inode = if file.is_unknown || file.inode == there { there } else { 0 };
        }
        if files.iter().all(|file| file.inode == 0) {
            return;
        }
        // A server of several launches may have made a file for all of them, which is then not this launch's.
        keep_those_of_the_living(files);
        if files.iter().any(|file| file.is_unknown && file.inode != 0) {
            // This is a system call alone, as is required between fork and exec.
            std::thread::sleep(MAKING);
            keep_those_of_the_living(files);
        }
        for file in files.iter().filter(|file| file.inode != 0) {
            raw::remove(libc::AT_FDCWD, path(file.name()).as_c_str(), false);
        }
    }
}

/// Keeps files that a living process has mapped from being removed, by setting their inode to 0. Files of unknown
/// makers are also kept if a process has them open.
fn keep_those_of_the_living(files: &mut [Appeared]) {
    let Some(processes) = open(libc::AT_FDCWD, c"/proc", libc::O_DIRECTORY) else { return };
    let any_is_unknown = files.iter().any(|file| file.is_unknown);
    entries(&processes, |name, _| {
        let Some(process) = number(name.to_bytes()) else { return };
        each_mapped(process as libc::pid_t, |name, inode| {
            for file in files.iter_mut().filter(|file| file.inode == inode && file.name().to_bytes() == name) {
                file.inode = 0;
            }
        });
        if any_is_unknown {
            each_open(process as libc::pid_t, |name| {
                let name = name.strip_suffix(&[0]).unwrap_or(name);
                for file in files.iter_mut().filter(|file| file.is_unknown && file.name().to_bytes() == name) {
                    file.inode = 0;
                }
            });
        }
    });
}

/// Returns the path of a file in shared memory.
fn path(name: &CStr) -> Text {
    let (place, name) = (PLACE.to_str().unwrap_or(""), name.to_str().unwrap_or(""));
    Text::format(format_args!("{place}/{name}"))
}

fn in_place(name: &CStr) -> Option<libc::stat> {
    status(libc::AT_FDCWD, path(name).as_c_str())
}

/// Calls `each` with the name and inode of every file in shared memory that a process has mapped and that still has its
/// name (`/proc/PID/maps`: addresses, rights, offset, device, inode, path).
fn each_mapped(process: libc::pid_t, mut each: impl FnMut(&[u8], u64)) {
    let Some(file) = open(libc::AT_FDCWD, Text::format(format_args!("/proc/{process}/maps")).as_c_str(), 0) else {
        return;
    };
    lines(&file, |line| {
        let path = line.iter().position(|&byte| byte == b'/').and_then(|at| line.get(at..)).unwrap_or(&[]);
        let name = name_in(path);
        let inode = line.split(|&byte| byte == b' ').nth(4).and_then(number);
        if let (Some(name), Some(inode)) = (name, inode) {
            each(name, inode);
        }
    });
}

/// Calls `each` with the name of every file in shared memory that a process has open, zero-terminated.
fn each_open(process: libc::pid_t, mut each: impl FnMut(&[u8])) {
    let Some(folder) =
        open(libc::AT_FDCWD, Text::format(format_args!("/proc/{process}/fd")).as_c_str(), libc::O_DIRECTORY)
    else {
        return;
    };
    entries(&folder, |name, _| {
        let mut path = [0u8; 512];
        // SAFETY: a plain system call that writes to a live array, short of its last byte.
        let length = unsafe { libc::readlinkat(folder.0, name.as_ptr(), path.as_mut_ptr().cast(), path.len() - 1) };
        let path = usize::try_from(length).ok().and_then(|length| path.get(..=length));
        if let Some(name) = path.and_then(name_in) {
            each(name);
        }
    });
}

/// Returns the name in shared memory that a path ends with.
fn name_in(path: &[u8]) -> Option<&[u8]> {
    path.strip_prefix(PLACE.to_bytes())?.strip_prefix(b"/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn what_a_library_left_and_no_process_has_is_removed_and_nothing_else() {
        if in_place(c".").is_none() {
            return;
        }
        let mut memory = SharedMemory::listen();
        let name = |of: &str| PathBuf::from(format!("/dev/shm/{of}parallax-test-{}", std::process::id()));
        let [left, of_ucx, open, others] = ["vader_segment.", "ucx_shm_posix_", "sm_segment.", ""].map(name);
        let kept = [&left, &of_ucx, &open, &others].map(|path| std::fs::File::create(path).unwrap());
        memory.hear();
        assert_eq!(memory.count, 4);
        let [left_open, ucx_open, still_open, _] = kept;
        drop([left_open, ucx_open]);
        memory.remove();
        assert_eq!([&left, &of_ucx, &open, &others].map(|path| path.exists()), [false, false, true, true]);
        drop(still_open);
        [open, others].iter().for_each(|path| std::fs::remove_file(path).unwrap());
    }
}
