//! Start of real ranks: the files that they share with the command, and the world of threads as a process of its own.

use crate::launch::{LONGEST_END, Launcher, Site};
use anyhow::{Context, bail};
use measure::board::Board;
use measure::job::Job;
use measure::service::{Results, hand_over, keep_beating, read_job};
use scenario::BadInput;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// File name of the job in its folder.
pub const JOB: &str = "job.json";
/// File name of the results, which rank 0 writes, one outcome per line.
pub const RESULTS: &str = "results.jsonl";
/// File name of the status board.
pub const BOARD: &str = "board";

/// Takes a folder of jobs for one launch. Returns its lock, which the launch's guard keeps until nothing of the launch
/// is left. A killed launch may exist for a moment yet, and would take the files of the next one for its own.
///
/// # Errors
/// Fails if the folder cannot be opened, or if an earlier launch does not end.
pub fn take(folder: &Path) -> anyhow::Result<File> {
    let place = File::open(folder).with_context(|| format!("cannot open the folder {}", folder.display()))?;
    let until = Instant::now() + LONGEST_END;
    while matches!(place.try_lock(), Err(TryLockError::WouldBlock)) {
        if Instant::now() > until {
            bail!("ranks of a launch that was killed are still there, in {}: end them, then resume", folder.display());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(place)
}

/// Writes the job and returns the command that carries it out: threads without a launcher, MPI with one.
pub fn command(launcher: Option<&Launcher>, site: &Site, job: &Job, folder: &Path) -> anyhow::Result<Command> {
    job.fits().map_err(BadInput)?;
    if folder.exists() {
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let folder = folder.canonicalize()?;
    put(&folder.join(JOB), &serde_json::to_vec(job)?)?;
    put(&folder.join(RESULTS), b"")?;
    match launcher {
        Some(launcher) => Ok(launcher.command(job.ranks, site, &arguments(&folder))),
        None => {
            let mut command = Command::new(std::env::current_exe()?);
            command.arg("serve-threads").args(arguments(&folder));
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            Ok(command)
        }
    }
}

fn put(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(file, bytes).with_context(|| format!("cannot write {}; make room, then resume", file.display()))
}

/// Returns the ranks' arguments on their command line.
pub fn arguments(folder: &Path) -> Vec<OsString> {
    [("--job", JOB), ("--results", RESULTS), ("--board", BOARD)]
        .into_iter()
        .flat_map(|(flag, file)| [OsString::from(flag), folder.join(file).into()])
        .collect()
}

/// Carries out the job of a world of threads in this process.
///
/// # Errors
/// Fails if the job's files cannot be read, and with the errors of its tasks.
pub fn serve_threads(job: &Path, results: &Path, board: &Path) -> anyhow::Result<ExitCode> {
    let job = read_job(job)?;
    let board = Arc::new(Board::open(board, job.ranks)?);
    keep_beating(&board, 0..job.ranks);
    let mut results = Results::open(results)?;
    let mut keep = |outcome| {
        if let Err(error) = results.append(&outcome) {
            // Later measurements could not be stored.
            note!("parallax: rank 0 cannot write its results: {error}; make room, then resume");
            std::process::exit(1);
        }
        hand_over(&board);
    };
    measure::threads::run(&job, &board, &mut keep)?;
    Ok(ExitCode::SUCCESS)
}
