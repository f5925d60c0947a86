//! `parallax validate --from`: a machine's predictions of printed numbers, beside these numbers.

use crate::flags::{PublishedFlags, need_published};
use analysis::printed::{Against, validate};
use analysis::values;
use programs::machine::Machine;
use programs::observation::Barrier;
use scenario::BadInput;
use std::path::{Path, PathBuf};
use study::printed::Predicted;

/// The flags of published numbers.
#[derive(clap::Args)]
#[command(next_help_heading = "Published numbers")]
pub struct PrintedFlags {
    /// Predict numbers that a benchmark printed, as PICO publishes them: a run's folder or .tar.gz, a raw file, or a
    /// summary; with --machine or --held-out
    #[arg(
        long, value_name = "FILE", group = "what",
        conflicts_with_all = ["ValidationFlags", "ResultFlags", "StartFlags", "SiteFlags", "details"]
    )]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    published: PublishedFlags,
    /// Longest buffer as a whole [default: 16KiB]
    #[arg(long, requires = "from", value_parser = values::bytes, value_name = "BYTES")]
    longest: Option<u64>,
    /// Refinements of the network, as for `parallax simulate` (see: parallax help platform); without placement=… ranks are on
    /// nodes as in the published run: class.node.L=400ns [default: every rank is a node of its own]
    #[arg(long, value_name = "KEY=VALUE,…", requires = "from")]
    platform: Option<String>,
    /// Barrier between the calls, by an algorithm or a library whose choice it was [default: what a run's files state,
    /// else what follows from its time]
    #[arg(long, value_name = "NAME", requires = "from", value_parser = Barrier::find)]
    barrier: Option<Barrier>,
    /// Instead of a machine: fit so often to the same numbers, each time without every so many-th algorithm, and predict
    /// those
    #[arg(
        long, value_name = "FOLDS", requires = "from", conflicts_with = "machine",
        value_parser = clap::value_parser!(u32).range(2..=100)
    )]
    held_out: Option<u32>,
    /// Also draw the numbers: printed, predicted to be printed, and true with its range; a name that ends in .svg, .pdf or .png
    #[arg(long, requires = "from", value_name = "FILE")]
    chart: Option<PathBuf>,
}

impl PrintedFlags {
    /// Refuses flags of published numbers without any.
    pub fn none(&self) -> Result<(), BadInput> {
        let others = [
            ("--longest", self.longest.is_some()),
            ("--platform", self.platform.is_some()),
            ("--barrier", self.barrier.is_some()),
            ("--held-out", self.held_out.is_some()),
            ("--chart", self.chart.is_some()),
        ];
        need_published(&self.published, &others, "--from FILE")
    }

    /// Returns the predictions for the numbers of a file.
    pub fn predicted(&self, file: &Path, machine: Option<Machine>, quiet: bool) -> Result<Predicted, BadInput> {
        let against = match (machine, self.held_out) {
            (Some(machine), _) => Against::Machine(Box::new(machine)),
            (None, Some(folds)) => Against::HeldOut(folds as usize),
            (None, None) => {
                let message =
                    "--from: also give what predicts: --machine FILE, or --held-out 5 for fits to the same numbers";
                return Err(BadInput(message.to_owned()));
            }
        };
        let choice = self.published.choice(file, self.longest, self.platform.clone(), quiet);
        let predicted = validate(&choice, self.barrier, &against)?;
        if let Some(path) = &self.chart {
            study::printed::write_chart(&predicted.rows, path)
                .map_err(|message| BadInput(format!("--chart: {message}")))?;
        }
        Ok(predicted)
    }
}
