//! The rules by which a schedule is run, from `--model`, `--set` and `--send-rule`.

use models::network::{Hockney, LogGp, Network, SendRule};
use models::quantity::{self, Bytes, Quantity};
use models::time::{PerByte, Span};
use sim::goal::{LoggopsimV1, Rules};

/// Rules, and how they were named.
pub struct Model {
    pub name: String,
    pub rules: Rules,
    /// Every parameter with its value and unit.
    pub parameters: Vec<(&'static str, String)>,
}

/// Reads rules.
///
/// # Errors
/// One sentence: what was found, what was expected.
pub fn parse(name: &str, settings: Option<&str>, send_rule: Option<&str>) -> Result<Model, String> {
    let pairs = pairs(settings.unwrap_or_default())?;
    if name == "loggopsim-v1" {
        if send_rule.is_some() {
            return Err("loggopsim-v1 has no send rule: leave --send-rule out".to_owned());
        }
        return loggopsim(&pairs);
    }
    network(name, &pairs, send_rule)
}

/// `key=value,key=value`
fn pairs(settings: &str) -> Result<Vec<(&str, &str)>, String> {
    let written = settings.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    written
        .map(|pair| {
            let (key, value) =
                pair.split_once('=').ok_or(format!("expected key=value, like L=2500ns, found '{pair}'"))?;
            Ok((key.trim(), value.trim()))
        })
        .collect()
}

/// A quantity whose unit may be left out.
fn value<Q: Quantity>(key: &str, text: &str, unit: &str) -> Result<Q, String> {
    let bare = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let written = if bare { format!("{text} {unit}") } else { text.to_owned() };
    quantity::parse(&written).map_err(|reason| format!("{key}: {reason}"))
}

fn loggopsim(pairs: &[(&str, &str)]) -> Result<Model, String> {
    let mut rules = LoggopsimV1::default();
    for &(key, text) in pairs {
        match key {
            "L" => rules.latency = value(key, text, "ns")?,
            "o" => rules.overhead = value(key, text, "ns")?,
            "g" => rules.gap = value(key, text, "ns")?,
            "G" => rules.gap_per_byte = value(key, text, "ns/B")?,
            "O" => rules.overhead_per_byte = value(key, text, "ns/B")?,
            "S" => rules.eager_limit = value::<Bytes>(key, text, "B")?.0,
            _ => return Err(format!("loggopsim-v1 has no parameter '{key}'; known: L, o, g, G, O, S")),
        }
    }
    let LoggopsimV1 { latency, overhead, gap, gap_per_byte, overhead_per_byte, eager_limit } = rules;
    let parameters = vec![
        ("L", ns(latency)),
        ("o", ns(overhead)),
        ("g", ns(gap)),
        ("G", ns_per_byte(gap_per_byte)),
        ("O", ns_per_byte(overhead_per_byte)),
        ("S", format!("{eager_limit} B")),
    ];
    Ok(Model { name: "loggopsim-v1".to_owned(), rules: Rules::LoggopsimV1(rules), parameters })
}

fn ns(span: Span) -> String {
    format!("{} ns", span.0 as f64 / 1e3)
}

fn ns_per_byte(rate: PerByte) -> String {
    format!("{} ns/B", rate.as_ns())
}

/// Stands in for `models::network::parse` until that is there: LogGP, Hockney, and LogGOPS as far as it is LogGP.
fn network(name: &str, pairs: &[(&str, &str)], send_rule: Option<&str>) -> Result<Model, String> {
    let mut loggp = LogGp {
        latency: Span::from_ns(2_500),
        overhead_send: Span::from_ns(1_500),
        overhead_receive: Span::from_ns(1_500),
        gap: Span::from_ns(1_000),
        gap_per_byte: PerByte::from_ns(6.0),
    };
    let mut hockney = Hockney { alpha: Span::from_us(5), beta: PerByte::from_ns(1.0), send_rule: SendRule::Busy };
    if let Some(rule) = send_rule {
        let known = SendRule::ALL.map(SendRule::name).join(", ");
        let found = SendRule::ALL.into_iter().find(|known| known.name() == rule);
        hockney.send_rule = found.ok_or(format!("unknown send rule '{rule}'; known: {known}"))?;
    }
    let is_loggp = matches!(name, "loggp" | "loggops");
    if !is_loggp && name != "hockney" {
        return Err(format!("unknown network model '{name}'; known: hockney, loggp, loggops, loggopsim-v1"));
    }
    for &(key, text) in pairs {
        match key {
            "L" if is_loggp => loggp.latency = value(key, text, "ns")?,
            "o" if is_loggp => {
                loggp.overhead_send = value(key, text, "ns")?;
                loggp.overhead_receive = loggp.overhead_send;
            }
            "g" if is_loggp => loggp.gap = value(key, text, "ns")?,
            "G" if is_loggp => loggp.gap_per_byte = value(key, text, "ns/B")?,
            "alpha" if !is_loggp => hockney.alpha = value(key, text, "ns")?,
            "beta" if !is_loggp => hockney.beta = value(key, text, "ns/B")?,
            _ => return Err(format!("{name} has no parameter '{key}'")),
        }
    }
    let (network, parameters) = if is_loggp {
        let LogGp { latency, overhead_send, overhead_receive, gap, gap_per_byte } = loggp;
        let spans = [("L", latency), ("os", overhead_send), ("or", overhead_receive), ("g", gap)];
        let spans = spans.into_iter().map(|(key, span)| (key, ns(span)));
        (Network::Loggp(loggp), spans.chain([("G", ns_per_byte(gap_per_byte))]).collect())
    } else {
        let rule = hockney.send_rule.name().to_owned();
        let written = [("alpha", ns(hockney.alpha)), ("beta", ns_per_byte(hockney.beta)), ("send-rule", rule)];
        (Network::Hockney(hockney), written.to_vec())
    };
    Ok(Model { name: name.to_owned(), rules: Rules::Network(network), parameters })
}
