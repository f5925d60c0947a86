//! Table `[simulated]`: one machine, or several `[simulated.NAME]` that share its keys.

use super::{ClockSpread, ClocksTable, ScenarioError, Source};
use crate::SimulatedMachine;
use models::names;
use models::network::Network;
use models::platform::{Platform, Refinements};
use programs::machine::{self, Bound, Machine};
use programs::observation::Label;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// Table `[simulated]` with its machines.
pub(super) type SimulatedTable = BTreeMap<String, Spanned<toml::Value>>;

/// Keys of a machine.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MachineTable {
    machine: Option<String>,
    model: Option<String>,
    parameters: Option<String>,
    send_rule: Option<String>,
    platform: Option<String>,
    noise: Option<Sources>,
    clocks: Option<toml::Value>,
}

impl MachineTable {
    /// Returns the network under study, with the refinements of a machine that comes with the program.
    ///
    /// # Errors
    /// Returns the key that is wrong, and the value expected there.
    fn network(&self) -> Result<(Network, Refinements), (&'static str, String)> {
        let Some(name) = &self.machine else {
            let model = self.model.as_deref().unwrap_or("loggops");
            let network = Network::parse(model, self.parameters.as_deref(), self.send_rule.as_deref());
            return Ok((network.map_err(|message| ("parameters", message))?, Refinements::default()));
        };
        for (key, value) in [("parameters", &self.parameters), ("send_rule", &self.send_rule)] {
            if value.is_some() {
                return Err((key, format!("{key}: a machine has its own; leave out {key} or machine")));
            }
        }
        let (known, text) =
            names::find("machine", name, &machine::KNOWN, |one| one.0).map_err(|message| ("machine", message))?;
        let machine = Machine::parse(known, text).map_err(|message| ("machine", message))?;
        let network = match &self.model {
            Some(model) => machine.network(model, Bound::Best).map_err(|message| ("model", message))?,
            None => machine.best_network(Bound::Best),
        };
        Ok((network, machine.refinements(Bound::Best).map_err(|message| ("machine", message))?))
    }
}

/// Key of a machine whose value is a table, unlike those of other keys.
const OWN_TABLE: &str = "clocks";

/// One source of noise, or several that add up.
#[derive(Deserialize)]
#[serde(untagged)]
enum Sources {
    One(String),
    Several(Vec<String>),
}

/// Largest number of machines in a scenario.
const MOST_MACHINES: usize = 64;

/// Name of a machine, begin of its table, and the table's keys.
type WrittenMachine = (Option<Label>, usize, toml::Table);

impl Source<'_> {
    /// Returns the machines of simulated ranks.
    pub(super) fn machines(
        &self,
        table: &Spanned<SimulatedTable>,
        clocks: ClockSpread,
    ) -> Result<Vec<SimulatedMachine>, ScenarioError> {
        let written = self.written(table)?;
        if written.len() > MOST_MACHINES {
            return Err(self.error(table.span(), format!("expected at most {MOST_MACHINES} machines")));
        }
        written.into_iter().map(|machine| self.machine(machine, clocks)).collect()
    }

    /// Returns one machine, or several that inherit the shared keys, in the order of the file.
    fn written(&self, table: &Spanned<SimulatedTable>) -> Result<Vec<WrittenMachine>, ScenarioError> {
        let is_machine =
            |(key, value): &(&String, &Spanned<toml::Value>)| *key != OWN_TABLE && value.get_ref().is_table();
        let shared: toml::Table = table
            .get_ref()
            .iter()
            .filter(|entry| !is_machine(entry))
            .map(|(key, value)| (key.clone(), value.get_ref().clone()))
            .collect();
        let mut machines: Vec<(&String, &Spanned<toml::Value>)> = table.get_ref().iter().filter(is_machine).collect();
        if machines.is_empty() {
            return Ok(vec![(None, table.span().start, shared)]);
        }
        machines.sort_by_key(|(_, value)| value.span().start);
        let named = |(name, value): (&String, &Spanned<toml::Value>)| {
            let label = Label::new(name).map_err(|message| self.error(value.span(), message))?;
            let mut all = shared.clone();
            all.extend(value.get_ref().as_table().cloned().unwrap_or_default());
            Ok((Some(label), value.span().start, all))
        };
        machines.into_iter().map(named).collect()
    }

    fn machine(&self, written: WrittenMachine, usual: ClockSpread) -> Result<SimulatedMachine, ScenarioError> {
        let (label, start, table) = written;
        let at = |key: &str, message: String| self.error_at_key(start, key, message);
        let unknown = |error: toml::de::Error| at("", error.message().trim().to_owned());
        let table: MachineTable = table.try_into().map_err(unknown)?;
        let (network, own) = table.network().map_err(|(key, message)| at(key, message))?;
        let refinements = table.platform.unwrap_or_default();
        let read = |path: &str| Err(format!("{path}: a scenario reads no other files; expected values in their place"));
        let platform =
            Platform::parse_over(network, own, &refinements, read).map_err(|message| at("platform", message))?;
        let sources = match table.noise {
            None => Vec::new(),
            Some(Sources::One(none)) if none.trim() == "none" => Vec::new(),
            Some(Sources::One(one)) => vec![one],
            Some(Sources::Several(several)) => several,
        };
        let clocks = match table.clocks {
            None => usual,
            Some(value) => {
                let wrong = |message: &str| at(OWN_TABLE, format!("clocks: {}", message.trim()));
                // Places in its errors refer to a text of its own.
                let text = toml::to_string(&value).map_err(|error| wrong(&error.to_string()))?;
                let read: ClocksTable = toml::from_str(&text).map_err(|error| wrong(error.message()))?;
                let own = Source { file: self.file, text: &text };
                own.clocks(&read).map_err(|error| wrong(&error.message))?
            }
        };
        let mut words: Vec<String> = table.machine.iter().map(|name| format!("machine {name}")).collect();
        words.push(table.model.unwrap_or_else(|| network.name().to_owned()));
        words.extend([table.parameters, table.send_rule.map(|rule| format!("send rule {rule}"))].into_iter().flatten());
        words.extend(Some(refinements).filter(|text| !text.is_empty()));
        words.extend(sources.iter().map(|source| format!("noise {source}")));
        let machine = SimulatedMachine { label, platform, noise: sources, clocks, words: words.join(", ") };
        machine.noise(1).map_err(|message| at("noise", message))?;
        Ok(machine)
    }
}
