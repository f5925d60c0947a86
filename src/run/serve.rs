//! Starting real ranks: the files they meet the command in, and the threads world as a process of its own.

use crate::launch::Launcher;
use anyhow::Context;
use measure::board::Board;
use measure::job::{Job, Outcome};
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

/// Names of the files in a job's folder.
pub const JOB: &str = "job.json";
/// One outcome per line, written by rank 0.
pub const RESULTS: &str = "results.jsonl";
/// The status board.
pub const BOARD: &str = "board";

/// Writes the job and makes the command that carries it out: threads without a launcher, MPI with one.
pub fn command(launcher: Option<&Launcher>, job: &Job, folder: &Path) -> anyhow::Result<Command> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let folder = folder.canonicalize()?;
    std::fs::write(folder.join(JOB), serde_json::to_vec(job)?)?;
    std::fs::write(folder.join(RESULTS), b"")?;
    match launcher {
        Some(launcher) => Ok(launcher.command(job.ranks, job.cores as usize, &arguments(&folder))),
        None => {
            let mut command = Command::new(std::env::current_exe()?);
            command.arg("serve-threads").args(arguments(&folder));
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            Ok(command)
        }
    }
}

/// What ranks are told on their command line.
pub fn arguments(folder: &Path) -> Vec<OsString> {
    [("--job", JOB), ("--results", RESULTS), ("--board", BOARD)]
        .into_iter()
        .flat_map(|(flag, file)| [OsString::from(flag), folder.join(file).into()])
        .collect()
}

/// `parallax serve-threads`: a world of threads as a process, watched and killed like an MPI world.
#[derive(clap::Args)]
pub struct ServeThreads {
    #[arg(long)]
    job: PathBuf,
    #[arg(long)]
    results: PathBuf,
    #[arg(long)]
    board: PathBuf,
}

impl ServeThreads {
    /// Carries out the job.
    pub fn serve(&self) -> anyhow::Result<ExitCode> {
        let text = std::fs::read(&self.job).with_context(|| format!("cannot read {}", self.job.display()))?;
        let job: Job = serde_json::from_slice(&text).with_context(|| format!("{} is not a job", self.job.display()))?;
        let board = Arc::new(Board::open(&self.board, job.ranks)?);
        let heart = Arc::clone(&board);
        std::thread::spawn(move || {
            loop {
                (0..job.ranks).for_each(|rank| heart.beat(rank));
                std::thread::sleep(Duration::from_millis(250));
            }
        });
        let mut results = OpenOptions::new().append(true).open(&self.results)?;
        let mut failed = None;
        measure::threads::run(&job, &board, |outcome: Outcome| {
            let line = serde_json::to_string(&outcome).expect("outcomes have no map keys that are not strings") + "\n";
            if let Err(error) = results.write_all(line.as_bytes()) {
                failed = Some(error);
            }
        })?;
        failed.map_or(Ok(ExitCode::SUCCESS), |error| Err(error.into()))
    }
}
