//! Where MPI ranks run, as flags.

use campaign::launch::{Site, Starter};
use scenario::BadInput;
use std::path::PathBuf;

/// What subcommands that start MPI ranks are told about it.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct SiteFlags {
    /// Start MPI ranks on the hosts of this file, with lines like: node1 slots=4 [default: $PARALLAX_HOSTS, or this
    /// machine]
    #[arg(long, value_name = "FILE")]
    pub hosts: Option<PathBuf>,
    /// What starts MPI ranks: the library's own mpirun, srun within a Slurm allocation, or flux run within a Flux instance
    /// [default: $PARALLAX_LAUNCHER, or mpirun]
    #[arg(long, value_name = "mpirun|srun|flux", value_parser = super::one_of(Starter::ALL, Starter::name))]
    pub launcher: Option<Starter>,
}

impl SiteFlags {
    /// What the flags, or else the variables, say.
    ///
    /// # Errors
    /// What is wrong with the host file or a variable.
    pub fn site(&self) -> Result<Site, BadInput> {
        Site::told(self.hosts.as_deref(), self.launcher)
    }
}
