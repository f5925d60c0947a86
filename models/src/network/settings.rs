//! Conversion of network models from and to text: a name, parameters as `L=2500ns,o=1.5us,G=6ns/B`, a send rule.
//!
//! A bare number is in the parameter's own unit: ns, ns/B or B. Defaults: LogGOPSim's L = 2500 ns, o = 1500 ns, g =
//! 1000 ns, G = 6 ns/B, O = 0, S = 65535 B, as far as a model has them. PLogP's tables follow from these
//! ([`Plogp::from_loggp`]). Hockney's are α = 5 µs and β = 1 ns/B with busy senders.

use super::named::{NAMED, Named};
use super::{CostTable, Hockney, LogGops, LogGp, LogP, Network, Plogp, Rendezvous, SendRule, TablePoint};
use crate::names;
use crate::quantity::{self, Bytes, Quantity, decimal};
use crate::time::{PerByte, Span};

/// Default parameters of LogGOPSim.
const LOGGOPS: LogGops = LogGops {
    latency: Span::from_ns(2_500),
    overhead_send: Span::from_ns(1_500),
    overhead_receive: Span::from_ns(1_500),
    gap: Span::from_ns(1_000),
    gap_per_byte: PerByte(6_000.0),
    overhead_per_byte: PerByte(0.0),
    eager_limit: 65_535,
    rendezvous: Rendezvous::Match,
};

/// Parameter that is one time, or one time per byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variable {
    /// Name of the parameter in files and flags.
    pub name: &'static str,
    /// Value of the parameter, in ps, or ps per byte.
    pub value: f64,
    /// Whether the parameter is a time per byte.
    pub per_byte: bool,
}

/// Reference to one parameter of a model, for writing or reading it.
pub(super) enum Parameter<'a> {
    Span(&'a mut Span),
    Rate(&'a mut PerByte),
    Limit(&'a mut u64),
    Table(&'a mut CostTable),
    Rendezvous(&'a mut Rendezvous),
    SendRule(&'a mut SendRule),
}

/// Reads a network model: its name, settings like `L=2500ns,o=1500ns`, and the send rule, which only Hockney has.
///
/// # Errors
/// Names in one sentence what was found and what was expected.
pub fn parse(model: &str, settings: Option<&str>, send_rule: Option<&str>) -> Result<Network, String> {
    let mut network = default_of(model)?;
    network.set_all(settings.unwrap_or_default())?;
    if let Some(rule) = send_rule {
        if !matches!(network, Network::Hockney(_)) {
            return Err(format!(
                "{model} has no send rule: its parameters determine when a sender is free; leave it out"
            ));
        }
        network.set("send-rule", rule)?;
    }
    Ok(network)
}

pub(super) fn default_of(model: &str) -> Result<Network, String> {
    let LogGops { latency, overhead_send, overhead_receive, gap, gap_per_byte, .. } = LOGGOPS;
    Ok(match model {
        "hockney" => Network::Hockney(Hockney {
            alpha: Span::from_us(5),
            beta: PerByte::from_ns(1.0),
            send_rule: SendRule::Busy,
        }),
        "logp" => Network::Logp(LogP { latency, overhead_send, overhead_receive, gap }),
        "loggp" => Network::Loggp(LogGp { latency, overhead_send, overhead_receive, gap, gap_per_byte }),
        "loggops" => Network::Loggops(LOGGOPS),
        "plogp" => Network::Plogp(Plogp::from_loggp(LOGGOPS)?),
        _ => {
            let unknown = names::unknown("network model", model, Network::MODELS);
            return Err(format!(
                "{unknown} (loggopsim-v1, the rules of that program, is for the \
                 event engine on GOAL schedules)"
            ));
        }
    })
}

impl Network {
    /// Names of all network models.
    pub const MODELS: [&str; 5] = ["hockney", "logp", "loggp", "loggops", "plogp"];

    /// Reads a network model as [`parse`] does.
    ///
    /// # Errors
    /// Fails where [`parse`] fails.
    pub fn parse(model: &str, settings: Option<&str>, send_rule: Option<&str>) -> Result<Network, String> {
        parse(model, settings, send_rule)
    }

    /// Sets parameters from text `key=value,key=value`, which the name of a network may precede (see [`Named`]).
    ///
    /// # Errors
    /// Names an unknown network, the first key that the model does not have, or the first value that it cannot take.
    pub(crate) fn set_all(&mut self, settings: &str) -> Result<(), String> {
        let (first, rest) = settings.split_once(',').unwrap_or((settings, ""));
        let name = first.trim();
        if name.is_empty() || name.contains('=') {
            return self.set_pairs(settings);
        }
        let Some(named) = Named::find(name) else {
            let known = NAMED.map(|named| named.name);
            return Err(format!(
                "expected key=value, or a network by its name; {}",
                names::unknown("network", name, known)
            ));
        };
        let has_gap_per_byte = !matches!(self, Network::Logp(_));
        let published = named.set.split(',').filter(|pair| has_gap_per_byte || !pair.starts_with("G="));
        self.set_pairs(&published.collect::<Vec<_>>().join(","))?;
        self.set_pairs(rest)
    }

    fn set_pairs(&mut self, settings: &str) -> Result<(), String> {
        pairs(settings)?.into_iter().try_for_each(|(key, value)| self.set(key, value))
    }

    /// Sets one parameter; `o` stands for both `os` and `or`.
    ///
    /// # Errors
    /// Names the model's parameters if it does not have this one, or the expected form of the value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let name = self.name();
        let mut found = false;
        let mut own = self.slots();
        for (known, slot) in &mut own {
            if *known == key || (key == "o" && matches!(*known, "os" | "or")) {
                slot.read(value).map_err(|message| format!("{name}: {key}: {message}"))?;
                found = true;
            }
        }
        if found {
            return Ok(());
        }
        if key == "gamma" {
            return Err(format!("{name}: gamma refines any model: expected it in the platform, like gamma=0.02ns/B"));
        }
        let both = own.iter().any(|(known, _)| *known == "os").then(|| "o (os and or)".to_owned());
        let names: Vec<&str> = own.iter().map(|(known, _)| *known).collect();
        let suggestion = names::suggestion(key, &names);
        let known: Vec<String> =
            own.iter().map(|(known, slot)| format!("{known} ({})", slot.unit())).chain(both).collect();
        Err(format!("{name} has no parameter '{key}'; known: {}{suggestion}", known.join(", ")))
    }

    /// Every parameter with its value and unit, exactly: [`Network::set`] reads them back.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let mut copy = *self;
        copy.slots().into_iter().map(|(key, slot)| (key, slot.text())).collect()
    }

    /// Parameters of the model that are single times, or times per byte, so that a number can vary them; `o` stands for
    /// `os` and `or`.
    pub fn variable(&self) -> Vec<Variable> {
        let mut copy = *self;
        let mut all = Vec::new();
        for (name, slot) in copy.slots() {
            match slot {
                Parameter::Span(span) => all.push(Variable { name, value: span.0 as f64, per_byte: false }),
                Parameter::Rate(rate) => all.push(Variable { name, value: rate.0, per_byte: true }),
                Parameter::Limit(_) | Parameter::Table(_) | Parameter::Rendezvous(_) | Parameter::SendRule(_) => {}
            }
        }
        if let Some(both) = all.iter().position(|variable| variable.name == "os") {
            all.insert(both, Variable { name: "o", ..all[both] });
        }
        all
    }

    /// Returns the model with another value of a parameter, in ps or ps per byte.
    ///
    /// # Errors
    /// Fails if the model does not have the parameter, or if the value is out of range.
    pub fn with(&self, name: &str, value: u64) -> Result<Network, String> {
        let mut network = *self;
        let unit =
            if self.variable().iter().any(|variable| variable.name == name && variable.per_byte) { "/B" } else { "" };
        network.set(name, &format!("{value} ps{unit}")).map(|()| network)
    }

    /// Names of all parameters that are numbers, of all models, with their units, in the order of columns.
    pub const NUMBERS: [&str; 9] =
        ["alpha_ps", "beta_ps_per_byte", "L_ps", "os_ps", "or_ps", "g_ps", "G_ps_per_byte", "O_ps_per_byte", "S_bytes"];

    /// Value of one of [`Network::NUMBERS`]. `None` where the model does not have it, where it is a table of several
    /// lengths, or where there is no limit.
    pub fn number(&self, name: &str) -> Option<f64> {
        let mut copy = *self;
        let number =
            |(key, slot): (&str, Parameter<'_>)| (name.strip_prefix(key)? == slot.ending()).then(|| slot.number());
        copy.slots().into_iter().find_map(number).flatten()
    }

    pub(super) fn slots(&mut self) -> Vec<(&'static str, Parameter<'_>)> {
        use Parameter as P;
        match self {
            Network::Hockney(Hockney { alpha, beta, send_rule }) => {
                vec![("alpha", P::Span(alpha)), ("beta", P::Rate(beta)), ("send-rule", P::SendRule(send_rule))]
            }
            Network::Logp(LogP { latency, overhead_send, overhead_receive, gap }) => {
                log_p(latency, overhead_send, overhead_receive, gap)
            }
            Network::Loggp(LogGp { latency, overhead_send, overhead_receive, gap, gap_per_byte }) => {
                let mut slots = log_p(latency, overhead_send, overhead_receive, gap);
                slots.push(("G", P::Rate(gap_per_byte)));
                slots
            }
            Network::Loggops(model) => {
                let mut slots =
                    log_p(&mut model.latency, &mut model.overhead_send, &mut model.overhead_receive, &mut model.gap);
                slots.push(("G", P::Rate(&mut model.gap_per_byte)));
                slots.push(("O", P::Rate(&mut model.overhead_per_byte)));
                slots.push(("S", P::Limit(&mut model.eager_limit)));
                slots.push(("rendezvous", P::Rendezvous(&mut model.rendezvous)));
                slots
            }
            Network::Plogp(Plogp { latency, overhead_send, overhead_receive, gap, eager_limit }) => vec![
                ("L", P::Span(latency)),
                ("os", P::Table(overhead_send)),
                ("or", P::Table(overhead_receive)),
                ("g", P::Table(gap)),
                ("S", P::Limit(eager_limit)),
            ],
        }
    }
}

fn log_p<'a>(
    latency: &'a mut Span,
    send: &'a mut Span,
    receive: &'a mut Span,
    gap: &'a mut Span,
) -> Vec<(&'static str, Parameter<'a>)> {
    vec![
        ("L", Parameter::Span(latency)),
        ("os", Parameter::Span(send)),
        ("or", Parameter::Span(receive)),
        ("g", Parameter::Span(gap)),
    ]
}

impl Parameter<'_> {
    fn read(&mut self, value: &str) -> Result<(), String> {
        match self {
            Parameter::Span(span) => **span = read(value, "ns")?,
            Parameter::Rate(rate) => **rate = read(value, "ns/B")?,
            Parameter::Limit(limit) if value == "none" => **limit = u64::MAX,
            Parameter::Limit(limit) => **limit = read::<Bytes>(value, "B")?.0,
            Parameter::Table(table) => **table = read_table(value, |at| Ok(read::<Bytes>(at, "B")?.0))?,
            Parameter::Rendezvous(rule) => **rule = names::find("rule", value, &Rendezvous::ALL, Rendezvous::name)?,
            Parameter::SendRule(rule) => **rule = names::find("rule", value, &SendRule::ALL, SendRule::name)?,
        }
        Ok(())
    }

    fn text(&self) -> String {
        match self {
            Parameter::Span(span) => exact_span(**span),
            Parameter::Rate(rate) => exact_rate(**rate),
            Parameter::Limit(limit) if **limit == u64::MAX => "none".to_owned(),
            Parameter::Limit(limit) => format!("{limit}B"),
            Parameter::Table(table) => table_text(table, |at| format!("{at}B")),
            Parameter::Rendezvous(rule) => rule.name().to_owned(),
            Parameter::SendRule(rule) => rule.name().to_owned(),
        }
    }

    /// Ending of the parameter's name in [`Network::NUMBERS`].
    fn ending(&self) -> &'static str {
        match self {
            Parameter::Span(_) | Parameter::Table(_) => "_ps",
            Parameter::Rate(_) => "_ps_per_byte",
            Parameter::Limit(_) => "_bytes",
            Parameter::Rendezvous(_) | Parameter::SendRule(_) => "",
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Parameter::Span(span) => Some(span.0 as f64),
            Parameter::Rate(rate) => Some(rate.0),
            Parameter::Limit(limit) => (**limit < u64::MAX).then_some(**limit as f64),
            Parameter::Table(table) => match table.points() {
                [only] => Some(only.cost.0 as f64),
                _ => None,
            },
            Parameter::Rendezvous(_) | Parameter::SendRule(_) => None,
        }
    }

    /// Whether the parameter is a time or a time per byte.
    pub(super) fn is_time(&self) -> bool {
        matches!(self, Parameter::Span(_) | Parameter::Rate(_))
    }

    /// Whether the parameter has a unit; a rule has none.
    pub(super) fn is_quantity(&self) -> bool {
        !matches!(self, Parameter::Rendezvous(_) | Parameter::SendRule(_))
    }

    /// Unit of a bare number, or the notation of other values.
    pub(super) fn unit(&self) -> &'static str {
        match self {
            Parameter::Span(_) => "ns",
            Parameter::Rate(_) => "ns/B",
            Parameter::Limit(_) => "B, or none",
            Parameter::Table(_) => "points B:ns/B:ns/…",
            Parameter::Rendezvous(_) => "match or round-trip",
            Parameter::SendRule(_) => "busy, synchronous, detached or eager",
        }
    }
}

/// Reads `key=value,key=value` in order, where each key may occur once.
pub(crate) fn pairs(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for setting in text.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
        let Some((key, value)) = setting.split_once('=') else {
            let is_rest = setting.starts_with(|digit: char| digit.is_ascii_digit());
            let comma = pairs.last().filter(|(_, value)| is_rest && value.parse::<u64>().is_ok());
            let point =
                comma.map(|(key, value)| format!(" (a decimal point: {key}={value}.{setting})")).unwrap_or_default();
            return Err(format!("expected key=value, found '{setting}'{point}"));
        };
        let (key, value) = (key.trim(), value.trim());
        if pairs.iter().any(|(known, _)| *known == key) {
            return Err(format!("'{key}' is given twice"));
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

/// Whether a value is a number alone.
pub(super) fn has_no_unit(value: &str) -> bool {
    value.ends_with(|last: char| last.is_ascii_digit() || last == '.')
}

/// Reads a quantity; a bare number is in `unit`.
pub(crate) fn read<Q: Quantity>(text: &str, unit: &str) -> Result<Q, String> {
    let text = text.trim();
    if has_no_unit(text) {
        quantity::parse(&format!("{text} {unit}")).map_err(|_| format!("expected {}, found \"{text}\"", Q::EXPECTED))
    } else {
        quantity::parse(text)
    }
}

/// Reads a table of the form `x:cost/x:cost/…`; a cost alone is a constant.
pub(crate) fn read_table(text: &str, argument: impl Fn(&str) -> Result<u64, String>) -> Result<CostTable, String> {
    let points: Vec<TablePoint> = text
        .split('/')
        .map(|point| match point.split_once(':') {
            Some((at, cost)) => Ok(TablePoint { at: argument(at)?, cost: read(cost, "ns")? }),
            None if text.contains('/') => Err(format!("expected points x:cost separated by '/', found '{point}'")),
            None => Ok(TablePoint { at: 0, cost: read(point, "ns")? }),
        })
        .collect::<Result<_, _>>()?;
    CostTable::new(&points)
}

/// Writes a table in the form that [`read_table`] reads.
pub(crate) fn table_text(table: &CostTable, argument: impl Fn(u64) -> String) -> String {
    let points = table.points().iter().map(|point| format!("{}:{}", argument(point.at), exact_span(point.cost)));
    points.collect::<Vec<_>>().join("/")
}

/// Writes a function of bytes for readers: all its points if there are few of them, else its ends. [`table_text`]
/// writes all.
pub(crate) fn table_words(table: &CostTable) -> String {
    let at = |point: &TablePoint| format!("{} at {} B", point.cost, point.at);
    match table.points() {
        [only] => only.cost.to_string(),
        [first, .., last] if table.points().len() > FEW_POINTS => {
            format!("{} … {} ({} lengths)", at(first), at(last), table.points().len())
        }
        points => points.iter().map(at).collect::<Vec<_>>().join("/"),
    }
}

/// Largest number of a table's points that a line has room for.
const FEW_POINTS: usize = 4;

/// Writes a duration to the picosecond, in nanoseconds.
pub(crate) fn exact_span(span: Span) -> String {
    format!("{}ns", decimal(span.0.into(), 3))
}

/// Writes a rate exactly: in ns/B where it reads back unchanged, unless it takes many more digits than in ps/B.
pub(crate) fn exact_rate(rate: PerByte) -> String {
    let (ns, ps) = (format!("{}ns/B", rate.as_ns()), format!("{}ps/B", rate.0));
    if PerByte::from_ns(rate.as_ns()) == rate && ns.len() <= ps.len() + 4 { ns } else { ps }
}
