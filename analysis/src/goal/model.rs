//! The rules by which a schedule is run: a network model, or LogGOPSim's own.

use crate::choice::NetworkChoice;
use goal::{LoggopsimV1, Rules};
use models::names::suggestion;
use models::quantity::{self, Bytes, Quantity};
use models::time::{PerByte, Span};
use scenario::BadInput;

/// The name under which LogGOPSim's rules are asked for.
const LOGGOPSIM: &str = "loggopsim-v1";

/// Rules, and how they were named.
pub(super) struct Model {
    pub name: String,
    pub rules: Rules,
    /// Every parameter with its value and unit.
    pub parameters: Vec<(&'static str, String)>,
}

/// The rules that are chosen.
///
/// # Errors
/// One sentence: what was found, what was expected.
pub(super) fn of(choice: &NetworkChoice) -> Result<Model, BadInput> {
    if choice.model.as_deref() == Some(LOGGOPSIM) {
        if choice.send_rule.is_some() {
            return Err(BadInput(format!("--send-rule: {LOGGOPSIM} has no send rule; leave it out")));
        }
        return loggopsim(choice.set.as_deref().unwrap_or_default())
            .map_err(|message| BadInput(format!("--set: {message}")));
    }
    let network = choice.network()?;
    let (name, parameters) = (network.name().to_owned(), network.parameters());
    Ok(Model { name, rules: Rules::Network(network), parameters })
}

/// A quantity whose unit may be left out.
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
    Ok(Model { name: LOGGOPSIM.to_owned(), rules: Rules::LoggopsimV1(rules), parameters })
}

fn ns(span: Span) -> String {
    format!("{}ns", span.0 as f64 / 1e3)
}

fn ns_per_byte(rate: PerByte) -> String {
    format!("{}ns/B", rate.as_ns())
}
