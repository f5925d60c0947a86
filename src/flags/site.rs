//! Hosts and launcher of MPI ranks, and the time they may be silent, as flags.

use super::choices::{one_of, seconds};
use campaign::launch::{Site, Starter};
use scenario::BadInput;
use std::path::PathBuf;
use std::time::Duration;

/// Where MPI ranks run, and what starts them.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Starting ranks")]
pub struct SiteFlags {
    /// Start MPI ranks on the hosts of this file, with lines like: node1 slots=4 [default: $PARALLAX_HOSTS, or this
    /// machine]
    #[arg(long, value_name = "FILE")]
    pub hosts: Option<PathBuf>,
    /// Launcher of MPI ranks: the library's own mpirun, srun within a Slurm allocation, or flux run within a Flux
    /// instance [default: $PARALLAX_LAUNCHER, or mpirun]
    #[arg(long, value_name = "NAME", value_parser = one_of(Starter::ALL, Starter::name))]
    pub launcher: Option<Starter>,
    /// MPI libraries whose ranks are started: the folder of each (a prefix, a virtual environment), its mpiexec, or NAME@VERSION
    /// [default: those on PATH]
    #[arg(long, value_name = "PATH,…", value_delimiter = ',')]
    pub mpi: Vec<String>,
}

impl SiteFlags {
    /// Returns the site that the flags, or else the variables, describe.
    ///
    /// # Errors
    /// Describes the error in the host file or a variable.
    pub fn site(&self) -> Result<Site, BadInput> {
        Site::resolve(self.hosts.as_deref(), self.launcher, &self.mpi)
    }
}

/// Where real ranks run, and how long they may take.
#[derive(clap::Args)]
#[command(next_help_heading = "Starting ranks")]
pub struct StartFlags {
    #[command(flatten)]
    pub site: SiteFlags,
    /// Abort if no rank makes progress for this many seconds
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Duration,
}
