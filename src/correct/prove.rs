//! `parallax correct --prove`: flags of a test of the corrections.

use crate::flags::{FormatFlags, StartFlags, one_of, world};
use analysis::correct::Correction;
use analysis::correct::prove::{Proof, Proved};
use analysis::values;
use programs::observation::World;
use std::path::PathBuf;
use std::process::ExitCode;
use study::correct::Source;

/// How a proof is made.
#[derive(clap::Args)]
#[command(next_help_heading = "Test of corrections (--prove)")]
pub struct ProveFlags {
    /// Test corrections on this machine: measure these operations as benchmarks do, together with the reference;
    /// correct one half of the rounds by the other half and by a calibration, and count how often the corrected number
    /// is closer to the reference
    #[arg(long, value_name = "OPERATION,…", value_delimiter = ',', conflicts_with = "files")]
    prove: Vec<String>,
    /// Benchmarks, or one of their columns, like osu:max
    #[arg(
        long,
        conflicts_with = "files",
        value_name = "NAME[:COLUMN],…",
        value_delimiter = ',',
        default_value = "imb,osu,mpptest,skampi,mpiperf,reprompi"
    )]
    benchmark: Vec<String>,
    /// Bytes of one rank's buffer, or of one block: a list (see: parallax help lists)
    #[arg(long, conflicts_with = "files", default_value = "8,1KiB,64KiB", value_name = "LIST")]
    bytes: String,
    /// World: where ranks run [default: the first MPI library found, else threads]
    #[arg(long, conflicts_with = "files", value_parser = world())]
    world: Option<World>,
    /// Number of rounds; one half is corrected by the other half
    #[arg(long, conflicts_with = "files", default_value = "20", value_name = "N")]
    rounds: u32,
    /// Corrections to test: predicted (by a calibration), measured (by the other half of the rounds)
    #[arg(long, conflicts_with = "files", default_value = "measured", value_name = "SOURCE", value_parser = one_of([Source::Predicted, Source::Measured], Source::name))]
    by: Source,
    /// Calls per sample of a loop, k
    #[arg(long, conflicts_with = "files", default_value = "10", value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    calls: u32,
    /// Samples of each loop per round [default: 30; on threads, which sleep, 3]
    #[arg(long, conflicts_with = "files", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    samples: Option<u32>,
    /// Seed of the random order of measurements
    #[arg(long, conflicts_with = "files", default_value = "1", value_name = "N")]
    seed: u64,
    /// Output folder [default: results/correct-001, -002, …]
    #[arg(long, short, value_name = "FOLDER", conflicts_with = "files")]
    out: Option<PathBuf>,
    #[command(flatten)]
    start: StartFlags,
}

impl ProveFlags {
    /// Whether a test of corrections is requested.
    pub fn is_asked(&self) -> bool {
        !self.prove.is_empty()
    }

    /// Measures, corrects, and prints the results. The exit code is 1 if the corrections fail the test.
    pub fn prove(&self, correction: &Correction, format: &FormatFlags) -> anyhow::Result<ExitCode> {
        let site = self.start.site.site()?;
        let proof = Proof {
            operations: self.prove.clone(),
            benchmarks: self.benchmark.clone(),
            bytes: self.bytes.clone(),
            world: self.world.unwrap_or_else(|| values::first(&site)),
            rounds: self.rounds,
            by: self.by,
            calls: self.calls,
            samples: self.samples,
            seed: self.seed,
            out: self.out.clone(),
            patience: self.start.timeout,
            site: &site,
        };
        let Proved { rows, folder, passes } = proof.run_proof(correction)?;
        format.print(&rows)?;
        note!("Campaign: {}", folder.display());
        Ok(if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
