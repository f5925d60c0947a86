//! `parallax serve-threads`: a world of threads as a process, watched and killed like an MPI world.

use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `parallax serve-threads`.
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
        campaign::serve::serve_threads(&self.job, &self.results, &self.board)
    }
}
