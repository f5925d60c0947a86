//! The rules by which a schedule is run: a network model, or LogGOPSim's own.

use crate::choice::{Memory, ModelChoice, Pairs};
use goal::{LoggopsimV1, Rules};
use models::names::suggestion;
use models::network::Variable;
use models::quantity::{self, Bytes, Quantity};
use models::time::{PerByte, Span};
use programs::machine::Machine;
use scenario::BadInput;

/// Name that selects LogGOPSim's rules.
const LOGGOPSIM: &str = "loggopsim-v1";

/// Rules, and the name by which they were selected.
pub(super) struct Model {
    pub name: String,
    pub rules: Rules,
    /// Every parameter with its value and unit.
    pub parameters: Vec<(&'static str, String)>,
    /// The machine on which they were calibrated, where they were.
    pub machine: Option<OfMachine>,
}

/// A calibrated machine, as far as schedules use it.
pub(super) struct OfMachine {
    pub name: String,
    /// Calibrated costs that schedules do not use.
    left_out: Vec<&'static str>,
}

impl OfMachine {
    /// Returns the machine with the list of its costs that no schedule uses.
    fn new(machine: &Machine) -> OfMachine {
        let calibrated = [
            (machine.connect_us.is_some(), "first messages of pairs"),
            (machine.start_us.is_some() || !machine.idle.is_empty(), "starts after a wait"),
            (machine.call_us.is_some() || machine.page_fault_us.is_some(), "calls"),
            (!machine.local.is_empty(), "combining and copying"),
            (machine.has_memory(), "ownership of cache lines"),
        ];
        let left_out = calibrated.into_iter().filter(|(known, _)| *known).map(|(_, what)| what).collect();
        OfMachine { name: machine.name.clone(), left_out }
    }

    /// Returns the name with the costs that are not applied, for readers.
    pub(super) fn words(&self) -> String {
        match &self.left_out[..] {
            [] => self.name.clone(),
            all => format!("{}: message costs only; not applied: {}", self.name, all.join(", ")),
        }
    }
}

impl Model {
    /// Returns the parameters that a number can vary.
    pub(super) fn variables(&self) -> Vec<Variable> {
        match &self.rules {
            Rules::Network(network) => network.variable(),
            Rules::LoggopsimV1(rules) => {
                let time = |name, span: Span| Variable { name, value: span.0 as f64, per_byte: false };
                let rate = |name, rate: PerByte| Variable { name, value: rate.0, per_byte: true };
                let LoggopsimV1 { latency, overhead, gap, gap_per_byte, overhead_per_byte, eager_limit: _ } = *rules;
                let times = [time("L", latency), time("o", overhead), time("g", gap)];
                times.into_iter().chain([rate("G", gap_per_byte), rate("O", overhead_per_byte)]).collect()
            }
        }
    }

    /// Returns the rules with another value of a parameter, in ps, or ps per byte.
    ///
    /// # Errors
    /// Fails on a value out of range.
    pub(super) fn at(&self, name: &str, value: u64) -> Result<Rules, String> {
        match self.rules {
            Rules::Network(network) => network.with(name, value).map(Rules::Network),
            Rules::LoggopsimV1(mut rules) => {
                match name {
                    "L" => rules.latency = Span(value),
                    "o" => rules.overhead = Span(value),
                    "g" => rules.gap = Span(value),
                    "G" => rules.gap_per_byte = PerByte(value as f64),
                    _ => rules.overhead_per_byte = PerByte(value as f64),
                }
                Ok(Rules::LoggopsimV1(rules))
            }
        }
    }
}

/// Returns the chosen rules.
///
/// # Errors
/// Fails with one sentence on the choice found and the one expected.
pub(super) fn choose_model(all: &ModelChoice) -> Result<Model, BadInput> {
    let choice = &all.network;
    if choice.model.as_deref() == Some(LOGGOPSIM) {
        if let Some(machine) = &all.machine {
            let why = "a calibration has no parameters for LogGOPSim, which uses one o for sends and receives and \
                       charges bytes to the receiver";
            return Err(BadInput(format!("--machine {machine}: {why}; leave out --machine, or --model {LOGGOPSIM}")));
        }
        if choice.send_rule.is_some() {
            return Err(BadInput(format!("--send-rule: {LOGGOPSIM} has no send rule; leave it out")));
        }
        return loggopsim(choice.set.as_deref().unwrap_or_default())
            .map_err(|message| BadInput(format!("--set: {message}")));
    }
    let (network, machine) = match &all.machine {
        None => (choice.network()?, None),
        Some(name) if crate::machine::is_several(name) => {
            let message =
                format!("--machine {name}: no schedule says on which cores its ranks are; expected one machine");
            return Err(BadInput(message));
        }
        // Refinements do not apply to schedules.
        Some(_) => (all.platform_with(Memory::LeftOut, Pairs::Connected, 1)?.network, all.machine()?),
    };
    let (name, parameters) = (network.name().to_owned(), network.parameters());
    Ok(Model { name, rules: Rules::Network(network), parameters, machine: machine.as_ref().map(OfMachine::new) })
}

/// Parses a quantity whose unit may be left out.
fn value<Q: Quantity>(key: &str, text: &str, unit: &str) -> Result<Q, String> {
    let bare = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let written = if bare { format!("{text} {unit}") } else { text.to_owned() };
    quantity::parse(&written).map_err(|reason| format!("{LOGGOPSIM}: {key}: {reason}"))
}

fn loggopsim(settings: &str) -> Result<Model, String> {
    let mut rules = LoggopsimV1::default();
    for pair in settings.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (key, text) = pair.split_once('=').ok_or(format!("expected key=value, like L=2500ns, found '{pair}'"))?;
        let (key, text) = (key.trim(), text.trim());
        match key {
            "L" => rules.latency = value(key, text, "ns")?,
            "o" => rules.overhead = value(key, text, "ns")?,
            "g" => rules.gap = value(key, text, "ns")?,
            "G" => rules.gap_per_byte = value(key, text, "ns/B")?,
            "O" => rules.overhead_per_byte = value(key, text, "ns/B")?,
            "S" => rules.eager_limit = value::<Bytes>(key, text, "B")?.0,
            _ => {
                let suggestion = suggestion(key, &["L", "o", "g", "G", "O", "S"]);
                return Err(format!("{LOGGOPSIM} has no parameter '{key}'; known: L, o, g, G, O, S{suggestion}"));
            }
        }
    }
    let LoggopsimV1 { latency, overhead, gap, gap_per_byte, overhead_per_byte, eager_limit } = rules;
    let parameters = vec![
        ("L", ns(latency)),
        ("o", ns(overhead)),
        ("g", ns(gap)),
        ("G", ns_per_byte(gap_per_byte)),
        ("O", ns_per_byte(overhead_per_byte)),
        ("S", format!("{eager_limit}B")),
    ];
    Ok(Model { name: LOGGOPSIM.to_owned(), rules: Rules::LoggopsimV1(rules), parameters, machine: None })
}

fn ns(span: Span) -> String {
    format!("{}ns", span.0 as f64 / 1e3)
}

fn ns_per_byte(rate: PerByte) -> String {
    format!("{}ns/B", rate.as_ns())
}
