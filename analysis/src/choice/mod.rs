//! What users choose of networks, machines and noise, in their words: flags say it, and campaigns keep it.

mod model;

pub use model::{Memory, Pairs};

use crate::files::open_traces;
use models::network::Network;
use models::noise::Noise;
use scenario::BadInput;
use std::path::PathBuf;

/// What messages cost on a network as it is.
#[derive(Clone, Debug, Default)]
pub struct NetworkChoice {
    /// The network model's name.
    pub model: Option<String>,
    /// What a Hockney sender waits for.
    pub send_rule: Option<String>,
    /// Parameters, as KEY=VALUE,….
    pub set: Option<String>,
}

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

impl NetworkChoice {
    /// Whether anything is chosen.
    pub(crate) fn says_any(&self) -> bool {
        self.model.is_some() || self.send_rule.is_some() || self.set.is_some()
    }

    /// The model's name, also where it is not said: parameters of Hockney mean Hockney.
    pub(crate) fn name(&self) -> &str {
        let of_hockney = |setting: &str| {
            let key = setting.split('=').next().unwrap_or_default().trim();
            key == "alpha" || key == "beta"
        };
        match &self.model {
            Some(model) => model,
            None if self.send_rule.is_some() => "hockney",
            None if self.set.iter().any(|set| set.split(',').any(of_hockney)) => "hockney",
            None => "loggops",
        }
    }

    /// The network.
    ///
    /// # Errors
    /// What is unknown, with what is known.
    pub fn network(&self) -> Result<Network, BadInput> {
        models::network::parse(self.name(), self.set.as_deref(), self.send_rule.as_deref())
            .map_err(|message| BadInput(format!("--model, --set, --send-rule: {message}")))
    }
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
