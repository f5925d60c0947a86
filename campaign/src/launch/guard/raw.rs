//! Files and folders by system calls alone, on the caller's own memory, as is allowed in a process that was forked from
//! one with several threads and has not become another program.

use libc::c_int;
use std::ffi::CStr;
use std::fmt::{self, Write};

/// Descriptor that is closed when it is dropped.
pub(super) struct Fd(pub c_int);

impl Drop for Fd {
    fn drop(&mut self) {
        // SAFETY: a plain system call; the descriptor is this process's own.
        unsafe { libc::close(self.0) };
    }
}

/// Short text, zero-terminated. A text that does not fit is empty, so that a path that is too long names nothing.
pub(super) struct Text {
    bytes: [u8; 512],
    length: usize,
}

impl Text {
    /// Returns the text of formatted arguments.
    pub(super) fn format(arguments: fmt::Arguments) -> Text {
        let mut text = Text { bytes: [0; 512], length: 0 };
        if text.write_fmt(arguments).is_err() {
            text.bytes[0] = 0;
        }
        text
    }

    /// Returns the text, empty where it did not fit.
    pub(super) fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.bytes).unwrap_or(c"")
    }
}

impl Write for Text {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        let end = self.length + more.len();
        // The last byte stays zero.
        let room = self.bytes.get_mut(self.length..end).filter(|_| end < 512).ok_or(fmt::Error)?;
        room.copy_from_slice(more.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// Opens a file for reading, below a folder (or `AT_FDCWD`).
pub(super) fn open(folder: c_int, path: &CStr, flags: c_int) -> Option<Fd> {
    // SAFETY: a plain system call on a string that is live.
    let fd = unsafe { libc::openat(folder, path.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC | flags) };
    (fd >= 0).then_some(Fd(fd))
}

/// Reads the next bytes of a file into a slice, and returns them. Empty at the file's end, or on an error.
pub(super) fn read<'a>(file: &Fd, into: &'a mut [u8]) -> &'a [u8] {
    // SAFETY: a plain system call that writes to a live slice of the length passed.
    let count = unsafe { libc::read(file.0, into.as_mut_ptr().cast(), into.len()) };
    into.get(..usize::try_from(count).unwrap_or(0)).unwrap_or(&[])
}

/// Calls `each` with every line of a file, without its end. A line longer than 4 KiB is passed in pieces.
pub(super) fn lines(file: &Fd, mut each: impl FnMut(&[u8])) {
    let mut buffer = [0; 4096];
    let mut kept = 0;
    loop {
        let count = read(file, &mut buffer[kept..]).len();
        let end = kept + count;
        let mut from = 0;
        while let Some(length) = buffer[from..end].iter().position(|&byte| byte == b'\n') {
            each(&buffer[from..from + length]);
            from += length + 1;
        }
        if from == 0 && (end == buffer.len() || count == 0) {
            each(&buffer[..end]);
            from = end;
        }
        if count == 0 {
            return;
        }
        buffer.copy_within(from..end, 0);
        kept = end - from;
    }
}

/// Calls `each` with every entry of a folder, and whether the entry is a folder itself.
pub(super) fn entries(folder: &Fd, mut each: impl FnMut(&CStr, bool)) {
    /// Offsets of an entry's length, its kind, and its name (getdents64(2)).
    const LENGTH: usize = 16;
    const KIND: usize = 18;
    const NAME: usize = 19;
    let mut buffer = [0u8; 4096];
    loop {
        // SAFETY: a plain system call that writes to a live array of the length passed.
        let count = unsafe { libc::syscall(libc::SYS_getdents64, folder.0, buffer.as_mut_ptr(), buffer.len()) };
        let Some(mut rest) = usize::try_from(count).ok().filter(|count| *count > 0).and_then(|c| buffer.get(..c))
        else {
            return;
        };
        while let &[low, high, kind, ..] = rest.get(LENGTH..).unwrap_or(&[]) {
            let length = usize::from(u16::from_ne_bytes([low, high]));
            let Some((entry, following)) = rest.split_at_checked(length).filter(|(entry, _)| entry.len() > NAME) else {
                return;
            };
            debug_assert_eq!(entry.get(KIND), Some(&kind));
            if let Ok(name) = CStr::from_bytes_until_nul(&entry[NAME..])
                && ![c".", c".."].contains(&name)
            {
                each(name, kind == libc::DT_DIR);
            }
            rest = following;
        }
    }
}

/// Reads a decimal number at the start of a text.
pub(super) fn number(text: &[u8]) -> Option<u64> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&text[..digits]).ok()?.parse().ok()
}

/// Returns the status of a path below a folder, without following a link. `None` where nothing is there.
pub(super) fn status(folder: c_int, path: &CStr) -> Option<libc::stat> {
    // SAFETY: zeros are a value of this plain structure; the call fills it.
    unsafe {
        let mut status: libc::stat = std::mem::zeroed();
        let found = libc::fstatat(folder, path.as_ptr(), &raw mut status, libc::AT_SYMLINK_NOFOLLOW) == 0;
        found.then_some(status)
    }
}

/// Whether the file belongs to the user of this process.
pub(super) fn is_ours(status: &libc::stat) -> bool {
    // SAFETY: reads a number; cannot fail.
    status.st_uid == unsafe { libc::geteuid() }
}

/// Removes a file below a folder, or an empty folder.
pub(super) fn remove(folder: c_int, name: &CStr, is_folder: bool) {
    // SAFETY: a plain system call on a string that is live.
    unsafe { libc::unlinkat(folder, name.as_ptr(), if is_folder { libc::AT_REMOVEDIR } else { 0 }) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_wherever_a_piece_that_was_read_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let expected: Vec<String> = (0..900).map(|index| format!("line {index} {}", "x".repeat(index % 97))).collect();
        std::fs::write(&path, expected.join("\n")).expect("written");
        let file = open(libc::AT_FDCWD, Text::format(format_args!("{}", path.display())).as_c_str(), 0).expect("opens");
        let mut found = Vec::new();
        lines(&file, |line| found.push(String::from_utf8_lossy(line).into_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn every_entry_of_a_folder_is_seen_once() {
        let folder = tempfile::tempdir().expect("a folder");
        for index in 0..300 {
            std::fs::write(folder.path().join(format!("file-{index:0>80}")), "").expect("written");
        }
        std::fs::create_dir(folder.path().join("within")).expect("made");
        let path = Text::format(format_args!("{}", folder.path().display()));
        let opened = open(libc::AT_FDCWD, path.as_c_str(), libc::O_DIRECTORY).expect("opens");
        let (mut files, mut folders) = (std::collections::BTreeSet::new(), Vec::new());
        entries(&opened, |name, is_folder| {
            if is_folder { folders.push(name.to_owned()) } else { assert!(files.insert(name.to_owned())) }
        });
        assert_eq!((files.len(), folders.as_slice()), (300, &[c"within".to_owned()][..]));
    }

    #[test]
    fn a_text_that_does_not_fit_is_empty() {
        assert_eq!(Text::format(format_args!("/proc/{}/maps", 17)).as_c_str(), c"/proc/17/maps");
        assert_eq!(Text::format(format_args!("{}", "x".repeat(512))).as_c_str(), c"");
    }
}
