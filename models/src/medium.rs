//! Medium through which ranks reach each other, by its model's name in files and flags: a network, or the memory of one
//! computer.

use crate::collective::decision::Called;
use crate::network::Network;
use crate::shared_broadcast::NodeCosts;

/// Network with its parameters, or costs of steps in memory that all ranks share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Medium {
    /// Messages over a network.
    Network(Network),
    /// Queues in shared memory.
    Memory(NodeCosts),
}

/// Name of the model of shared memory.
pub const MEMORY: &str = "shared-memory";
/// Description of the model's subject, for messages.
const QUEUES: &str = "broadcasts through queues in shared memory, like shared:8KiB:32";

impl Medium {
    /// Reads a model: its name, settings like `L=2us,o=1us` or `t=1ns/B,tW=50ns`, and the send rule, which only Hockney
    /// has.
    ///
    /// # Errors
    /// Names what was found and what was expected.
    pub fn parse(model: &str, settings: Option<&str>, send_rule: Option<&str>) -> Result<Medium, String> {
        if model == MEMORY {
            if send_rule.is_some() {
                return Err(format!("{MEMORY} has no send rule, as nothing is sent; leave it out"));
            }
            return NodeCosts::parse(settings.unwrap_or_default()).map(Medium::Memory);
        }
        let network = Network::parse(model, settings, send_rule).map(Medium::Network);
        let is_known = Network::MODELS.contains(&model);
        network.map_err(|message| if is_known { message } else { format!("{message}; or {MEMORY}, for {QUEUES}") })
    }

    /// Name of the model in files and flags.
    pub fn name(&self) -> &'static str {
        match self {
            Medium::Network(network) => network.name(),
            Medium::Memory(_) => MEMORY,
        }
    }

    /// Refuses an algorithm that the medium cannot carry.
    ///
    /// # Errors
    /// Names the algorithms that it carries, or the model that the algorithm needs.
    pub fn carries(&self, called: &Called) -> Result<(), String> {
        let name = called.name();
        match (self, called) {
            (Medium::Network(_), Called::Ours(_) | Called::Table(..)) | (Medium::Memory(_), Called::Shared(_)) => {
                Ok(())
            }
            (Medium::Network(network), Called::Shared(_)) => {
                Err(format!("expected {MEMORY} for {name}, which sends no messages; found {}", network.name()))
            }
            (Medium::Memory(_), Called::Ours(_) | Called::Table(..)) => {
                Err(format!("{MEMORY} is a model of {QUEUES}; expected a network model for {name}"))
            }
        }
    }

    /// Every parameter with its value and unit, exactly: [`Medium::parse`] reads them back.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        match self {
            Medium::Network(network) => network.parameters(),
            Medium::Memory(costs) => costs.parameters(),
        }
    }

    /// Names of all parameters that are numbers, of all models, with their units, in the order of columns.
    pub fn numbers() -> impl Iterator<Item = &'static str> {
        Network::NUMBERS.into_iter().chain(NodeCosts::NUMBERS)
    }

    /// Value of one of [`Medium::numbers`]; `None` where the model does not have it.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self {
            Medium::Network(network) => network.number(name),
            Medium::Memory(costs) => costs.number(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::Collective;

    #[test]
    fn messages_need_a_network_and_queues_need_memory() {
        let called = |name| Called::find(Collective::Bcast, name).unwrap();
        let (queue, binomial) = (called("shared:8KiB:32"), called("binomial"));
        let (memory, network) =
            (Medium::parse(MEMORY, None, None).unwrap(), Medium::parse("logp", None, None).unwrap());
        assert_eq!((memory.carries(&queue), network.carries(&binomial)), (Ok(()), Ok(())));
        assert_eq!([memory.name(), network.name()], ["shared-memory", "logp"]);
        let wrong = [
            memory.carries(&binomial).unwrap_err(),
            network.carries(&queue).unwrap_err(),
            Medium::parse(MEMORY, Some("L=1us"), None).unwrap_err(),
            Medium::parse(MEMORY, None, Some("busy")).unwrap_err(),
            Medium::parse("logp", Some("t=1ns/B"), None).unwrap_err(),
            Medium::parse("shared", None, None).unwrap_err(),
        ];
        insta::assert_snapshot!(wrong.join("\n"));
    }

    #[test]
    fn each_number_is_one_of_one_kind_of_model() {
        let all: Vec<&str> = Medium::numbers().collect();
        let unique: std::collections::BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(unique.len(), all.len());
        let memory = Medium::parse(MEMORY, Some("tW=70ns"), None).unwrap();
        assert_eq!((memory.number("tW_ps"), memory.number("L_ps")), (Some(7e4), None));
    }
}
