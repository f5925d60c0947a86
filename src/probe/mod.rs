//! `parallax probe`: looks at this machine's state without any ranks.

mod lines;

use std::process::ExitCode;

/// What `parallax probe` is told.
#[derive(clap::Args)]
pub struct ProbeArguments {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// Time the way of a cache line through shared memory between all pairs of cores, once or over time
    Lines(lines::LinesArguments),
}

impl ProbeArguments {
    /// Looks, prints and writes.
    pub fn probe(&self) -> anyhow::Result<ExitCode> {
        match &self.what {
            What::Lines(arguments) => arguments.probe(),
        }
    }
}
