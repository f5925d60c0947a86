//! Choices of networks, machines and noise in the users' words: flags set them, and campaigns keep them.

mod model;

pub use model::{Memory, Pairs};
pub use questions::NetworkChoice;

use crate::files::open_traces;
use models::noise::Noise;
use scenario::BadInput;
use std::path::PathBuf;

/// Choice of a network model, with refinements.
#[derive(Clone, Debug, Default)]
pub struct ModelChoice {
    /// Network model, its send rule and its parameters.
    pub network: NetworkChoice,
    /// A calibrated machine, by its file or name; several, separated by commas, are one with the states of all.
    pub machine: Option<String>,
    /// File of `parallax probe lines` that gives the cores of the ranks.
    pub pairs: Option<PathBuf>,
    /// Refinements, as KEY=VALUE,…; they take the place of the machine's own.
    pub platform: Option<String>,
}

/// Choice of the noise that disturbs the ranks.
#[derive(Clone, Debug)]
pub struct NoiseChoice {
    /// Sources of noise; `machine` stands for the noise sampled on the machine.
    pub noise: Vec<String>,
    /// Seed of every random draw.
    pub seed: u64,
}

impl NoiseChoice {
    /// Parses the sources into noise.
    ///
    /// # Errors
    /// Fails on a source that cannot be read.
    pub fn noise(&self) -> Result<Noise, BadInput> {
        Noise::parse_with(&self.noise, self.seed, &open_traces)
            .map_err(|message| BadInput(format!("--noise: {message}")))
    }
}
