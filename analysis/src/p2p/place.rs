//! Place of ranks: real ranks of a world, or simulated ones.

use crate::choice::{ModelChoice, NetworkChoice, NoiseChoice};
use campaign::launch::Site;
use models::limits::most_ranks;
use models::network::{Hockney, Network};
use programs::observation::{Emulation, World};
use scenario::BadInput;
use std::fmt;

/// Place of ranks, with the name that flags have for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankPlace {
    /// Real ranks: threads, or processes of an MPI library.
    Real(World),
    /// Simulated ranks in virtual time.
    Simulated,
}

impl RankPlace {
    /// Returns the first MPI library that can start ranks on a site, else threads.
    pub fn first(site: &Site) -> RankPlace {
        RankPlace::Real(crate::values::first(site))
    }

    /// Returns the largest accepted number of ranks: more are a mistake, or would take for ever.
    pub(crate) fn most_ranks(self, cores: u32) -> u32 {
        match self {
            RankPlace::Real(world) => most_ranks(world, cores),
            RankPlace::Simulated => 1024,
        }
    }

    /// Refuses choices that only ranks elsewhere have: a platform, noise, a network model.
    pub(crate) fn accepts(self, model: &ModelChoice, noise: &NoiseChoice) -> Result<(), BadInput> {
        let only_for = |flag: &str, whom: &str| Err(BadInput(format!("{flag}: only {whom}; found {self}")));
        let network = &model.network;
        let modelled = network.says_any();
        match self {
            RankPlace::Simulated => Ok(()),
            _ if !noise.noise.is_empty() => only_for("--noise", "simulated ranks have noise"),
            _ if model.platform.is_some() => only_for("--platform", "simulated ranks have a platform"),
            _ if model.machine.is_some() => only_for("--machine", "simulated ranks run on a machine file"),
            RankPlace::Real(world) if world.name() != "threads" && modelled => {
                only_for("--model, --set, --send-rule", "simulated ranks and threads have a network model")
            }
            RankPlace::Real(_) => Ok(()),
        }
    }
}

impl fmt::Display for RankPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RankPlace::Real(World::Threads) => f.write_str("threads"),
            RankPlace::Real(world) => write!(f, "ranks of {}", world.title()),
            RankPlace::Simulated => f.write_str("simulated ranks"),
        }
    }
}

/// Returns the network that threads emulate: the one of tests of messages, unless the choice names another.
pub(crate) fn emulated(choice: &NetworkChoice) -> Result<Hockney, BadInput> {
    if !choice.says_any() {
        return Ok(Emulation::Messages.named());
    }
    match choice.network()? {
        Network::Hockney(network) => Ok(network),
        other => Err(BadInput(format!("--model: threads play Hockney's model only, found {}", other.name()))),
    }
}
