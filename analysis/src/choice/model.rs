//! From a choice to a platform and its noise: a network model with refinements, or a calibrated machine.

use super::{ModelChoice, NetworkChoice, NoiseChoice};
use crate::files::read_text;
use models::network::Network;
use models::noise::Noise;
use models::platform::{Platform, Refinements};
use programs::machine::{Arithmetic, Bound, CoreLines, Machine};
use scenario::BadInput;

/// Whether the costs of a machine's memory count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// Memory costs count as the machine's file has them.
    Counts,
    /// Messages alone count, without memory costs.
    LeftOut,
}

/// Whether pairs of ranks have exchanged messages before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pairs {
    /// All pairs have exchanged messages before.
    Connected,
    /// First messages of a pair take longer.
    ConnectOnTheWay,
}

fn at_flag(message: String) -> BadInput {
    BadInput(format!("--machine, --model: {message}"))
}

impl ModelChoice {
    /// Returns the network for this number of ranks with its refinements, including all costs in a machine's file.
    pub fn platform(&self, ranks: u32) -> Result<Platform, BadInput> {
        self.platform_with(Memory::Counts, Pairs::ConnectOnTheWay, ranks)
    }

    /// Returns the network with its refinements for messages between connected ranks, without the memory costs of
    /// --machine.
    pub(crate) fn messages_alone(&self, ranks: u32) -> Result<Platform, BadInput> {
        self.platform_with(Memory::LeftOut, Pairs::Connected, ranks)
    }

    /// Returns the network for this number of ranks with its refinements. A machine adds the costs of memory, where
    /// they were calibrated and count, and the extra time of first messages, where pairs connect. Settings in
    /// --platform always count, and memory counts wherever --pairs gives the ranks' cores.
    pub fn platform_with(&self, memory: Memory, pairs: Pairs, ranks: u32) -> Result<Platform, BadInput> {
        let remembers = |machine: &Machine| self.pairs.is_some() || memory == Memory::Counts && machine.has_memory();
        let (network, mut refinements) = match self.machine()?.filter(remembers) {
            Some(machine) => self.remembering(&machine, ranks)?,
            None => self.base()?,
        };
        if pairs == Pairs::Connected {
            refinements.connect = None;
        }
        self.refined(network, refinements, ranks)
    }

    /// Returns the machine of --machine, or `None` without the flag.
    pub fn machine(&self) -> Result<Option<Machine>, BadInput> {
        let NetworkChoice { send_rule, set, .. } = &self.network;
        let Some(name) = &self.machine else { return Ok(None) };
        for (flag, given) in [("--set", set), ("--send-rule", send_rule)] {
            if let Some(given) = given {
                let message =
                    format!("{flag} {given}: a machine has its own parameters; leave out {flag} or --machine");
                return Err(BadInput(message));
            }
        }
        let machine = crate::machine::find(name)?;
        if crate::machine::is_several(name) && self.pairs.is_none() {
            return Err(BadInput(format!(
                "--machine {name}: the ranks' cores are unknown; also give --pairs lines.csv, of `parallax probe \
                 lines`, or give one machine"
            )));
        }
        Ok(Some(machine))
    }

    /// Parses the noise that disturbs the ranks; `--noise machine` is the noise sampled on --machine.
    pub fn noise(&self, choice: &NoiseChoice) -> Result<Noise, BadInput> {
        NoiseChoice { noise: self.sources(choice)?, seed: choice.seed }.noise()
    }

    /// Returns the sources of noise with `machine` replaced by the sources sampled on --machine.
    pub(crate) fn sources(&self, choice: &NoiseChoice) -> Result<Vec<String>, BadInput> {
        let mut sources = Vec::new();
        for source in &choice.noise {
            if source != "machine" {
                sources.push(source.clone());
                continue;
            }
            let machine =
                self.machine()?.ok_or_else(|| BadInput("--noise machine: also give --machine FILE".to_owned()))?;
            let sample = machine.noise.ok_or_else(|| {
                BadInput(format!("--noise machine: no noise was sampled on machine {}", machine.name))
            })?;
            sources.extend(sample.sources);
        }
        Ok(sources)
    }

    /// Returns the network of a machine whose messages cost as much as in memory in the state in which ranks leave it.
    fn remembering(&self, machine: &Machine, ranks: u32) -> Result<(Network, Refinements), BadInput> {
        let (bound, arithmetic) = (Bound::Best, Arithmetic::Own);
        let model = self.network.model.as_deref().unwrap_or(machine.model_of_calls());
        let platform = match &self.pairs {
            None => machine.platform_with_memory(model, bound, arithmetic).map_err(at_flag)?,
            Some(file) => {
                let at_pairs = |message: String| BadInput(format!("--pairs: {message}"));
                let name = file.display().to_string();
                let cores = CoreLines::parse(&name, &read_text(&name).map_err(at_pairs)?).map_err(at_pairs)?;
                machine.platform_on(&cores, ranks, model, bound, arithmetic).map_err(at_pairs)?
            }
        };
        Ok((platform.network, platform.refinements().cloned().unwrap_or_default()))
    }

    fn base(&self) -> Result<(Network, Refinements), BadInput> {
        let Some(machine) = self.machine()? else { return Ok((self.network.network()?, Refinements::default())) };
        let network = match &self.network.model {
            Some(model) => machine.network(model, Bound::Best).map_err(at_flag)?,
            None => machine.best_network(Bound::Best),
        };
        Ok((network, machine.refinements(Bound::Best).map_err(at_flag)?))
    }

    /// Returns a network with these refinements and those of --platform.
    pub(crate) fn refined(&self, network: Network, refinements: Refinements, ranks: u32) -> Result<Platform, BadInput> {
        questions::refined(network, refinements, self.platform.as_deref(), ranks, &read_text)
    }
}
