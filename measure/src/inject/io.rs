//! Generator that works on a file without a name: nothing of it is left, however the generator ends.

use super::{Reached, Until};
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::PathBuf;
use std::time::Instant;

models::named! {
    /// Way in which a file is written and read.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FileMode {
        /// Through the system's page cache.
        Asynchronous => "async",
        /// Written through the page cache to the disk.
        Synchronous => "sync",
        /// Past the system's page cache.
        Direct => "direct",
    }
    /// The name used in flags and output.
    fn name;
    Display(name);
}

models::named! {
    /// Step of the work on a file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FileStep {
        /// Creation of a new file.
        Create => "create",
        /// Writing of the whole file.
        Write => "write",
        /// Reading of the whole file.
        Read => "read",
    }
    /// The name used in flags and output.
    fn name;
    Display(name);
}

/// Repeated work on a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileWork {
    /// Folder in which the file lies.
    pub folder: PathBuf,
    /// Length of the file in bytes.
    pub volume: u64,
    /// Bytes that are written or read at once.
    pub piece: u64,
    /// Use of the system's page cache.
    pub mode: FileMode,
    /// Steps of the work, in turn.
    pub steps: Vec<FileStep>,
    /// Number of repetitions of all steps, `None` for as many as fit before the end.
    pub repeats: Option<u64>,
}

/// Alignment, in memory and in files, of blocks that are not cached.
const ALIGNED: usize = 4_096;

/// Flags of files that pass by the page cache, and of files without a name, where the system has such files.
#[cfg(target_os = "linux")]
const DIRECT: Option<i32> = Some(libc::O_DIRECT);
#[cfg(target_os = "linux")]
const NAMELESS: Option<i32> = Some(libc::O_TMPFILE);
#[cfg(not(target_os = "linux"))]
const DIRECT: Option<i32> = None;
#[cfg(not(target_os = "linux"))]
const NAMELESS: Option<i32> = None;

impl FileWork {
    pub(super) fn run(&self, until: &Until, reached: &Reached) -> Result<Vec<String>, String> {
        let said = |error: io::Error| format!("{} ({}): {error}", self.folder.display(), self.mode);
        let piece = (self.piece as usize).div_ceil(ALIGNED) * ALIGNED;
        let mut memory = vec![0_u8; piece + ALIGNED];
        let first = memory.as_ptr().align_offset(ALIGNED);
        let block = &mut memory[first..first + piece];
        let mut file = self.make().map_err(said)?;
        let (mut pass, mut moved) = (0, 0);
        while !until.is_over() && self.repeats.is_none_or(|repeats| pass < repeats) {
            for step in &self.steps {
                match step {
                    FileStep::Create => {
                        let begin = Instant::now();
                        file = self.make().map_err(said)?;
                        moved = 0;
                        reached.add(begin.elapsed(), 0);
                    }
                    FileStep::Write => moved = self.pass(&file, block, (until, reached), true).map_err(said)?,
                    FileStep::Read => {
                        // A file that nobody has written has nothing to read.
                        if moved == 0 {
                            file.set_len(self.volume).map_err(said)?;
                        }
                        self.pass(&file, block, (until, reached), false).map_err(said)?;
                    }
                }
            }
            pass += 1;
        }
        Ok(Vec::new())
    }

    /// Makes a file without a name.
    fn make(&self) -> io::Result<File> {
        let flags = match self.mode {
            FileMode::Asynchronous => 0,
            FileMode::Synchronous => libc::O_DSYNC,
            FileMode::Direct => DIRECT.ok_or_else(|| io::Error::other("direct reads and writes are those of Linux"))?,
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true).mode(0o600);
        let nameless = NAMELESS.map(|nameless| options.custom_flags(nameless | flags).open(&self.folder));
        match nameless {
            Some(Ok(file)) => Ok(file),
            Some(Err(error)) if !has_no_nameless(&error) => Err(error),
            // One whose name goes at once.
            Some(Err(_)) | None => {
                let path = self.folder.join(format!(".parallax-inject-{}", std::process::id()));
                let file = options.create(true).truncate(true).custom_flags(flags).open(&path)?;
                std::fs::remove_file(&path)?;
                Ok(file)
            }
        }
    }

    /// Goes through the whole file, piece by piece. Returns the bytes that it moved.
    fn pass(
        &self,
        mut file: &File,
        block: &mut [u8],
        (until, reached): (&Until, &Reached),
        writes: bool,
    ) -> io::Result<u64> {
        file.seek(SeekFrom::Start(0))?;
        let mut at = 0;
        while at < self.volume && !until.is_over() {
            // Past the cache, whole blocks alone are moved.
            let left = (self.volume - at).min(block.len() as u64) as usize;
            let piece = if self.mode == FileMode::Direct { block.len() } else { left };
            let begin = Instant::now();
            if writes {
                file.write_all_at(&block[..piece], at)?;
            } else if file.read_at(&mut block[..piece], at)? == 0 {
                break;
            }
            reached.add(begin.elapsed(), piece as u64);
            at += piece as u64;
        }
        Ok(at)
    }
}

/// Returns whether the error says that the file system has no files without names.
fn has_no_nameless(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EOPNOTSUPP | libc::EISDIR | libc::ENOENT))
}
