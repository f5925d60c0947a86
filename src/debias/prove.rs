//! `parallax debias --prove`: how a proof is made, as flags.

use crate::flags::{self, SiteFlags};
use crate::output::print;
use analysis::debias::Correction;
use analysis::debias::prove::{Proof, Proved};
use analysis::values;
use models::observation::World;
use reports::debias::Source;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// How a proof is made.
#[derive(clap::Args)]
pub struct ProveFlags {
    /// Prove it: measure these operations as benchmarks do, and the reference beside them; correct one half of the rounds by the
    /// other half and by a calibration, and count how often that comes closer to the reference
    #[arg(long, value_name = "OPERATION,…", value_delimiter = ',', conflicts_with = "files")]
    prove: Vec<String>,
    /// Of --prove: benchmarks
    #[arg(
        long,
        conflicts_with = "files",
        value_name = "BENCHMARK,…",
        value_delimiter = ',',
        default_value = "imb,osu,mpptest,skampi,mpiperf,reprompi"
    )]
    preset: Vec<String>,
    /// Of --prove: bytes of one rank's buffer or block: 8,1KiB or 8..64KiB (doubling)
    #[arg(long, conflicts_with = "files", default_value = "8,1KiB,64KiB", value_name = "LIST")]
    bytes: String,
    /// Of --prove: threads, openmpi or mpich
    #[arg(long, conflicts_with = "files", default_value = "threads", value_parser = values::world)]
    world: World,
    /// Of --prove: how often everything is measured; one half is corrected, the other half serves to correct
    #[arg(long, conflicts_with = "files", default_value = "20", value_name = "N")]
    rounds: u32,
    /// Of --prove: by what the verdict is: predicted (a calibration), measured (the other half of the rounds)
    #[arg(long, conflicts_with = "files", default_value = "measured", value_name = "SOURCE", value_parser = source)]
    by: Source,
    /// Of --prove: calls in each timed loop, k
    #[arg(long, conflicts_with = "files", default_value = "10", value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    repetitions: u32,
    /// Of --prove: repeats of each loop in each round [default: 30; on threads, which sleep, 3]
    #[arg(long, conflicts_with = "files", value_name = "B", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    blocks: Option<u32>,
    /// Of --prove: seed of the order in which everything is measured
    #[arg(long, conflicts_with = "files", default_value = "1")]
    seed: u64,
    /// Of --prove: folder for everything that is written [default: results/debias-001, -002, …]
    #[arg(long, conflicts_with = "files")]
    out: Option<PathBuf>,
    /// Of --prove: end it when no rank has got anywhere for this many seconds
    #[arg(long, conflicts_with = "files", default_value = "60", value_name = "SECONDS", value_parser = flags::seconds)]
    patience: Duration,
    #[command(flatten)]
    site: SiteFlags,
}

fn source(text: &str) -> Result<Source, String> {
    [Source::Predicted, Source::Measured]
        .into_iter()
        .find(|source| source.name() == text)
        .ok_or_else(|| "expected predicted or measured".to_owned())
}

impl ProveFlags {
    /// Whether a proof is asked for.
    pub fn is_asked(&self) -> bool {
        !self.prove.is_empty()
    }

    /// Measures, corrects, counts, and judges.
    pub fn prove(&self, correction: &Correction) -> anyhow::Result<ExitCode> {
        let proof = Proof {
            operations: self.prove.clone(),
            benchmarks: self.preset.clone(),
            bytes: self.bytes.clone(),
            world: self.world,
            rounds: self.rounds,
            by: self.by,
            repetitions: self.repetitions,
            blocks: self.blocks,
            seed: self.seed,
            out: self.out.clone(),
            patience: self.patience,
            site: &self.site.site()?,
        };
        let Proved { text, folder, passes } = proof.carry_out(correction)?;
        print(&format!("{text}Campaign: {}\n", folder.display()))?;
        Ok(if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
