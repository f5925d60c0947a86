//! What users choose of networks, machines and noise, in their words: flags say it, and campaigns keep it.

mod model;

pub use lessons::NetworkChoice;
pub use model::{Memory, Pairs};

use crate::files::open_traces;
use models::noise::Noise;
use scenario::BadInput;
use std::path::PathBuf;

/// What messages cost, with refinements.
#[derive(Clone, Debug, Default)]
pub struct ModelChoice {
    /// The network as it is.
    pub network: NetworkChoice,
    /// A calibrated machine, by its file or name; several, separated by commas, are one with the states of all.
    pub machine: Option<String>,
    /// On which cores ranks are: a file of `parallax probe lines`.
    pub pairs: Option<PathBuf>,
    /// Refinements, as KEY=VALUE,…; they take the place of the machine's own.
    pub platform: Option<String>,
}

/// What disturbs the ranks.
#[derive(Clone, Debug)]
pub struct NoiseChoice {
    /// Sources of noise; `machine` stands for that of the machine.
    pub noise: Vec<String>,
    /// Seed of every random draw.
    pub seed: u64,
}

impl NoiseChoice {
    /// The noise.
    ///
    /// # Errors
    /// A source that cannot be read.
    pub fn noise(&self) -> Result<Noise, BadInput> {
        Noise::parse_with(&self.noise, self.seed, &open_traces)
            .map_err(|message| BadInput(format!("--noise: {message}")))
    }
}
