//! Carriers of the messages of collectives, and networks that are emulated.

use models::network::{Hockney, SendRule};
use models::time::{PerByte, Span};
use serde::{Deserialize, Serialize};

models::named! {
    /// Networks that ranks emulate. Each purpose has one with a name of its own, so that times on different networks
    /// never meet in a comparison.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Emulation {
        /// The network that a scenario or flags give.
        Given => "emulated",
        /// Network of measurements, budgets and audits: slow enough that ranks which sleep can keep to it.
        Measure => "emulated-measure",
        /// Network of validations: waking up late by tens of µs is a few percent of a message, and 50 kB take as long
        /// as the latency.
        Validate => "emulated-validate",
        /// Network of tests of messages: long enough that messages are held back.
        Messages => "emulated-messages",
        /// Network of checks of every byte: messages are held back, but for so short that hundreds of calls are made.
        Check => "emulated-check",
        /// Network of tests in which no time counts.
        Untimed => "emulated-untimed",
        /// Network of proofs: waking up late by tens of µs is little.
        Prove => "emulated-prove",
    }
    /// The name used in files and output.
    fn name;
}

impl Emulation {
    /// Returns the network; `None` where it is given.
    pub const fn network(self) -> Option<Hockney> {
        let (alpha_us, per_byte_ps, send_rule) = match self {
            Emulation::Given => return None,
            Emulation::Measure => (100, 1_000.0, SendRule::Busy),
            Emulation::Validate => (500, 10_000.0, SendRule::Busy),
            Emulation::Messages => (20, 1_000.0, SendRule::Busy),
            Emulation::Check => (20, 0.0, SendRule::Busy),
            Emulation::Untimed => (0, 0.0, SendRule::Eager),
            Emulation::Prove => (500, 5_000.0, SendRule::Busy),
        };
        Some(Hockney { alpha: Span::from_us(alpha_us), beta: PerByte(per_byte_ps), send_rule })
    }

    /// Returns the network of a name, for constants.
    ///
    /// # Panics
    /// Panics for the network that is given: its name says no network.
    pub const fn named(self) -> Hockney {
        match self.network() {
            Some(network) => network,
            None => panic!("a network that is given is not known by its name"),
        }
    }

    /// Returns the name of a network; one without a name is given.
    pub fn from_network(network: Hockney) -> Emulation {
        let found = Emulation::ALL.into_iter().find(|emulation| emulation.network() == Some(network));
        found.unwrap_or(Emulation::Given)
    }
}

/// Carrier of the messages of a collective; written by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Carrier {
    /// Messages are held back until a modelled network would have delivered them.
    Emulated(Emulation),
    /// Any means that the message library uses between these processes.
    Native,
    /// No messages: a network model says when they arrive at simulated ranks.
    Modelled,
}

impl Carrier {
    /// The emulated network that a scenario or flags give.
    pub const EMULATED: Carrier = Carrier::Emulated(Emulation::Given);

    /// The name used in files and output.
    pub fn name(self) -> &'static str {
        match self {
            Carrier::Emulated(emulation) => emulation.name(),
            Carrier::Native => "native",
            Carrier::Modelled => "modelled",
        }
    }

    /// Whether messages are held back.
    pub fn is_emulated(self) -> bool {
        matches!(self, Carrier::Emulated(_))
    }

    /// Returns the network that ranks emulate, where its name says which.
    pub fn emulates(self) -> Option<Hockney> {
        match self {
            Carrier::Emulated(emulation) => emulation.network(),
            Carrier::Native | Carrier::Modelled => None,
        }
    }
}

impl From<Carrier> for &'static str {
    fn from(carrier: Carrier) -> &'static str {
        carrier.name()
    }
}

impl TryFrom<String> for Carrier {
    type Error = String;

    fn try_from(name: String) -> Result<Carrier, String> {
        let all: Vec<Carrier> =
            Emulation::ALL.map(Carrier::Emulated).into_iter().chain([Carrier::Native, Carrier::Modelled]).collect();
        models::names::find("network", &name, &all, Carrier::name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_purpose_has_a_network_of_its_own() {
        for carrier in ["emulated", "emulated-prove", "native", "modelled"] {
            let read: Carrier = serde_json::from_str(&format!("\"{carrier}\"")).expect("known");
            assert_eq!((read.name(), read.is_emulated()), (carrier, carrier.starts_with("emulated")));
        }
        let networks: Vec<Hockney> = Emulation::ALL.into_iter().filter_map(Emulation::network).collect();
        assert!(networks.iter().all(|&network| Emulation::from_network(network).network() == Some(network)));
        assert_eq!(Emulation::from_network(Hockney { alpha: Span(1), ..networks[0] }), Emulation::Given);
        assert!(networks.iter().enumerate().all(|(nth, network)| !networks[..nth].contains(network)), "{networks:?}");
        assert!(serde_json::from_str::<Carrier>("\"emulate\"").is_err());
    }
}
