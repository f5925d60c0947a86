//! `parallax sync`: what clock synchronisations are worth.

mod compare;

use std::process::ExitCode;

/// What `parallax sync` is told.
#[derive(clap::Args)]
pub struct SyncArguments {
    #[command(subcommand)]
    command: SyncCommand,
}

#[derive(clap::Subcommand)]
enum SyncCommand {
    /// Try clock synchronisations: how long they take, what bound they prove, how wrong they are
    Compare(Box<compare::CompareArguments>),
}

impl SyncArguments {
    /// Does what was asked.
    pub fn carry_out(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            SyncCommand::Compare(arguments) => arguments.compare(),
        }
    }
}
