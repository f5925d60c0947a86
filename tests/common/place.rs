//! A place for commands that fail: a folder, temporary files and shared memory of its own, so that what stays behind is seen.

use super::command::{Done, exists, finish, wait_for};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The variable by which processes of a place are found, whoever their parents are by now.
const MARK: &str = "PARALLAX_TEST_PLACE";

/// Where commands run; see [`Place::assert_nothing_left`].
pub struct Place {
    folder: TempDir,
    /// /dev/shm can be a folder of ours (root's rights and namespaces).
    own_memory: bool,
}

impl Place {
    pub fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        for name in ["tmp", "shm", "work"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        let mut place = Place { folder, own_memory: true };
        place.own_memory = place.within("").arg("true").status().is_ok_and(|status| status.success());
        place
    }

    /// Where commands run.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub fn campaign(&self) -> PathBuf {
        self.work().join("results/measure-001/campaign.jsonl")
    }

    /// The campaign's file as it is now.
    pub fn lines(&self) -> String {
        std::fs::read_to_string(self.campaign()).unwrap_or_default()
    }

    /// How many cases the campaign holds.
    pub fn measured(&self) -> usize {
        self.lines().matches("{\"measured\"").count()
    }

    /// The command, here.
    pub fn parallax(&self) -> Command {
        self.parallax_after("")
    }

    /// The command, after a shell has done something: set a limit, mounted something.
    pub fn parallax_after(&self, preparation: &str) -> Command {
        let mut command = self.within(preparation);
        command.arg(env!("CARGO_BIN_EXE_parallax")).env_remove("COLUMNS");
        command
    }

    pub fn measure(&self, arguments: &[&str]) -> Done {
        finish(self.parallax().arg("measure").args(arguments))
    }

    /// A program, whose name is yet to come, in this place; it takes the shell's place, so that signals reach it.
    fn within(&self, preparation: &str) -> Command {
        let mut script = format!("{preparation}\nexec \"$@\"");
        let mut command = Command::new(if self.own_memory { "unshare" } else { "sh" });
        if self.own_memory {
            command.args(["--mount", "--", "sh"]);
            script = format!("mount --bind ../shm /dev/shm || exit 99\n{script}");
        }
        command.args(["-c", &script, "sh"]).current_dir(self.work());
        command.env("TMPDIR", self.folder.path().join("tmp")).env(MARK, self.folder.path());
        command
    }

    /// Fails if a process is still here after a while.
    pub fn assert_no_process_left(&self) {
        wait_for("all processes to be gone", || self.processes().is_empty());
    }

    /// Fails if a process is still here after a while, or something in shared memory or among temporary files.
    pub fn assert_nothing_left(&self) {
        self.assert_no_process_left();
        assert_eq!(files(&self.folder.path().join("shm")), Vec::<PathBuf>::new(), "left in /dev/shm");
        assert_eq!(files(&self.folder.path().join("tmp")), Vec::<PathBuf>::new(), "left among temporary files");
    }

    fn processes(&self) -> Vec<u32> {
        let mark = format!("{MARK}={}", self.folder.path().display());
        let ours = |process: &u32| {
            let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
            exists(*process) && environment.split(|&byte| byte == 0).any(|word| word == mark.as_bytes())
        };
        let all = std::fs::read_dir("/proc").unwrap().flatten();
        all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(ours).collect()
    }
}

/// All files below a folder (empty folders count as nothing).
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()) {
        if path.is_dir() { all.extend(files(&path)) } else { all.push(path) }
    }
    all
}
