//! `parallax noise`: recordings of the ranks' detours, their statistics, and their effect on work between
//! synchronisations.

mod collect;
mod import;
mod inject;
mod prove;
mod recorded;
mod watch;

use std::process::ExitCode;

/// The arguments of `parallax noise`.
#[derive(clap::Args)]
#[command(disable_help_subcommand = true)]
pub struct NoiseArguments {
    #[command(subcommand)]
    what: NoiseCommand,
}

#[derive(clap::Subcommand)]
enum NoiseCommand {
    /// Record the detours of ranks, each on a CPU of its own: a file for each rank
    Collect(Box<collect::CollectArguments>),
    /// Show what takes the CPU from ranks while it happens; nothing is kept
    Watch(watch::WatchArguments),
    /// Hold predictions from recorded noise against work on real ranks
    Prove(Box<prove::ProveArguments>),
    /// Disturb this machine: bursts on CPUs, traffic in memory, files, messages; alone or beside a command
    Inject(inject::InjectArguments),
    /// Read what other tools recorded: Netgauge selfish, FWQ, FTQ, osnoise
    Import(import::ImportArguments),
    /// Characterise recorded noise: detours by duration, coverage and simultaneity over ranks
    Show(Box<recorded::ShowArguments>),
    /// Tell how recorded noise delays a grain of work: distribution, and the mean of the longest delay of many ranks
    Fit(Box<recorded::FitArguments>),
    /// Predict how recorded noise prolongs work between synchronisations, by playing it and by a closed form
    Predict(Box<recorded::PredictArguments>),
}

impl NoiseArguments {
    /// Runs the subcommand, which prints its result.
    pub fn run_subcommand(&self) -> anyhow::Result<ExitCode> {
        match &self.what {
            NoiseCommand::Collect(arguments) => arguments.collect(),
            NoiseCommand::Watch(arguments) => arguments.watch(),
            NoiseCommand::Prove(arguments) => arguments.prove(),
            NoiseCommand::Inject(arguments) => arguments.inject(),
            NoiseCommand::Import(arguments) => arguments.import(),
            NoiseCommand::Show(arguments) => arguments.show(),
            NoiseCommand::Fit(arguments) => arguments.fit(),
            NoiseCommand::Predict(arguments) => arguments.predict(),
        }
    }
}
