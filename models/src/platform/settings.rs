//! Platforms from text: `connect=30us,load=0.4ns/B,placement=block:2/8,class.node.L=300ns,links=torus:4x4`.

use super::{
    BarrierTimes, CELLS, Class, Classes, Connect, IdleCost, Inline, LatencyMatrix, Lines, Links, Near, Pairs, Platform,
    Refinements, Topology,
};
use crate::names;
use crate::network::{CostTable, Network, exact_rate, exact_span, pairs, read, read_table, table_text, table_words};
use crate::quantity::Bytes;
use crate::time::{PerByte, Span};
use std::fmt;

/// Keys of a platform's text, for help texts and mistakes.
pub const KNOWN: &str = "gamma, memcpy, to-self, duplex, after-wait, fetch, refetch, reread, claim, claim-shared, claim-received, claim-received-shared, claim-combined, load, fill, load-fill, duplex-fetch, duplex-claim (each ns/B or points B:ns/B:ns/…), \
                     single-copy-above (B), connect (ns), inline (64B/600ns: the longest message that travels within its request, and what longer ones take longer), idle-cost (points \
                     idle:cost/idle:cost/…), start (ns), call (ns), page-fault (ns), page-faults (0/64/…, of a call, by rank), barrier (of a library, 50ns/145ns/145ns/50ns: from each rank's entry to each rank's exit), cells (ns: a cache line's way from rank to rank where a library's own calls pass through memory that ranks of a node share), placement (block:2/8/32, cyclic:4 or list:…), \
                     class.socket|node|switch.<parameter of the network>, matrix (a file), \
                     links (injection, fat-tree:4 or torus:4x4x4), links-G (ns/B)";

/// Settings that have been read so far.
#[derive(Default)]
struct Settings<'a> {
    refined: Refinements,
    link_rate: Option<PerByte>,
    /// `None`: no links. `Some(None)`: links into the network alone. `Some(Some(_))`: also links between switches.
    topology: Option<Option<Topology>>,
    /// Triples of class, parameter and value.
    classes: Vec<(&'a str, &'a str, &'a str)>,
}

impl<'a> Settings<'a> {
    fn take(
        &mut self,
        key: &'a str,
        value: &'a str,
        read_file: &mut impl FnMut(&str) -> Result<String, String>,
    ) -> Result<(), String> {
        let at_key = |message: String| format!("{key}: {message}");
        let refined = &mut self.refined;
        match key {
            "gamma" => refined.gamma = by_bytes(value).map_err(at_key)?,
            "memcpy" => refined.memcpy = by_bytes(value).map_err(at_key)?,
            "single-copy-above" => {
                let limit = if value == "none" { u64::MAX } else { read::<Bytes>(value, "B").map_err(at_key)?.0 };
                refined.lines.get_or_insert_default().single_copy_above = limit;
            }
            "to-self" => refined.to_self = by_bytes(value).map_err(at_key)?,
            "duplex" => refined.duplex = by_bytes(value).map_err(at_key)?,
            "after-wait" => refined.after_wait = by_bytes(value).map_err(at_key)?,
            "connect" => {
                let time: Span = read(value, "ns").map_err(at_key)?;
                refined.connect = (time > Span::ZERO).then_some(Connect { time });
            }
            "inline" => refined.inline = Some(Inline::parse(value).map_err(at_key)?),
            "idle-cost" => {
                let table = read_table(value, |at| Ok(read::<Span>(at, "ns")?.0)).map_err(at_key)?;
                refined.idle = Some(IdleCost { table });
            }
            "start" => refined.start = read(value, "ns").map_err(at_key)?,
            "call" => refined.call = read(value, "ns").map_err(at_key)?,
            "page-fault" => refined.page_fault = read(value, "ns").map_err(at_key)?,
            "page-faults" => {
                let counts = value.split('/').map(str::parse);
                let wanted = |_| format!("page-faults: expected a number for each rank, like 0/64, found '{value}'");
                refined.page_faults = counts.collect::<Result<_, _>>().map_err(wanted)?;
            }
            "barrier" => refined.barrier = Some(BarrierTimes::parse(value).map_err(at_key)?),
            "cells" => refined.cells = if value == "none" { None } else { Some(read(value, "ns").map_err(at_key)?) },
            "placement" => refined.placement = Some(value.parse().map_err(at_key)?),
            "matrix" => {
                let text = read_file(value).map_err(at_key)?;
                refined.matrix = Some(LatencyMatrix::parse(value, &text)?);
            }
            "links" if value == "injection" => self.topology = Some(None),
            "links" => self.topology = Some(Some(value.parse().map_err(at_key)?)),
            "links-G" => self.link_rate = Some(read::<PerByte>(value, "ns/B").map_err(at_key)?),
            touch if Lines::default().tables().iter().any(|(known, _)| *known == touch) => {
                let cost = by_bytes(value).map_err(at_key)?;
                let tables = refined.lines.get_or_insert_default().tables_mut();
                tables.into_iter().filter(|(known, _)| *known == touch).for_each(|(_, table)| *table = cost);
            }
            _ => match key.strip_prefix("class.").and_then(|rest| rest.split_once('.')) {
                Some((class, parameter)) => self.classes.push((class, parameter, value)),
                None => {
                    let keys: Vec<&str> = KNOWN.split(", ").filter_map(|known| known.split(' ').next()).collect();
                    return Err(format!("unknown key '{key}'; known: {KNOWN}{}", names::suggestion(key, &keys)));
                }
            },
        }
        Ok(())
    }

    /// Builds the platform on a network.
    fn over(self, network: Network) -> Result<Platform, String> {
        let Settings { mut refined, link_rate, topology, classes } = self;
        refined.links = topology.map(|topology| Links::new(topology, link_rate));
        if refined.links.is_none() && link_rate.is_some() {
            return Err("links-G: also give the links, like links=injection".to_owned());
        }
        if refined.links.is_some() && link_rate.is_none() && matches!(network, Network::Logp(_)) {
            return Err("links: logp has no time per byte; add links-G, like links-G=6ns/B".to_owned());
        }
        if !classes.is_empty() {
            if refined.placement.is_none() {
                return Err("class: also give the placement, like placement=block:2/8".to_owned());
            }
            refined.classes = Some(read_classes(network, refined.near_by_switch(), &classes)?);
        } else if refined.classes.is_none() {
            let near = refined.near_by_switch();
            refined.classes = near.map(|near| read_classes(network, Some(near), &[])).transpose()?;
        }
        Ok(Platform::new(network, refined))
    }
}

impl Platform {
    /// Reads refinements of a network. Bare numbers are in the unit of their key; `read_file` yields the text of a
    /// latency matrix.
    ///
    /// # Errors
    /// Names the key, what was found and what was expected, in one sentence.
    pub fn parse(
        network: Network,
        text: &str,
        read_file: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<Platform, String> {
        Platform::parse_over(network, Refinements::default(), text, read_file)
    }

    /// Reads refinements over existing ones, which stay where the text does not name them. Connections that take no
    /// time count as none.
    ///
    /// # Errors
    /// Fails where [`Platform::parse`] fails.
    pub fn parse_over(
        network: Network,
        refinements: Refinements,
        text: &str,
        mut read_file: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<Platform, String> {
        let mut settings = Settings { refined: refinements, ..Settings::default() };
        for (key, value) in pairs(text)? {
            settings.take(key, value, &mut read_file)?;
        }
        settings.over(network)
    }

    /// The network's name and parameters, then all refinements, exactly, for machine-readable output. A list of
    /// placements and a matrix are named, not repeated.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let mut all = vec![("model".to_owned(), self.network.name().to_owned())];
        all.extend(self.network.parameters().into_iter().map(|(key, value)| (key.to_owned(), value)));
        let Some(refined) = self.refinements() else { return all };
        let mut add = |key: &str, value: String| all.push((key.to_owned(), value));
        let mut add_table = |key: &str, table: CostTable| {
            if table != CostTable::ZERO {
                add(key, table_text(&table, |at| format!("{at}B")));
            }
        };
        add_table("gamma", refined.gamma);
        add_table("memcpy", refined.memcpy);
        add_table("to-self", refined.to_self);
        add_table("duplex", refined.duplex);
        add_table("after-wait", refined.after_wait);
        if let Some(lines) = &refined.lines {
            lines.tables().into_iter().for_each(|(key, table)| add_table(key, table));
            let limit = lines.single_copy_above;
            add("single-copy-above", if limit == u64::MAX { "none".to_owned() } else { format!("{limit}B") });
        }
        if let Some(connect) = &refined.connect {
            add("connect", exact_span(connect.time));
        }
        if let Some(inline) = &refined.inline {
            add("inline", inline.text());
        }
        if let Some(idle) = &refined.idle {
            add("idle-cost", table_text(&idle.table, |at| exact_span(Span(at))));
        }
        for (key, span) in [("start", refined.start), ("call", refined.call), ("page-fault", refined.page_fault)] {
            if span > Span::ZERO {
                add(key, exact_span(span));
            }
        }
        if !refined.page_faults.is_empty() {
            add("page-faults", faults_text(&refined.page_faults));
        }
        if let Some(barrier) = &refined.barrier {
            add("barrier", barrier.to_string());
        }
        if let Some(line) = refined.cells {
            add("cells", exact_span(line));
        }
        self.wiring(refined, &mut add);
        all
    }

    /// Adds the placement of ranks and the parameters of the ways between them.
    fn wiring(&self, refined: &Refinements, add: &mut impl FnMut(&str, String)) {
        if let Some(placement) = &refined.placement {
            add("placement", placement.to_string().trim_start_matches("placement ").to_owned());
        }
        if let Some(classes) = &refined.classes {
            for class in Class::REFINED {
                for (key, value) in classes.network(class, &self.network).parameters() {
                    add(&format!("class.{}.{key}", class.name()), value);
                }
            }
        }
        if let Some(matrix) = &refined.matrix {
            add("matrix", matrix.name.clone());
        }
        for (between, pairs) in refined.pairs.iter().flat_map(Pairs::counts) {
            add("pairs", format!("{pairs} of {:.0} ns", between.line_ns));
        }
        if let Some(links) = &refined.links {
            add("links", links.topology().map_or("injection".to_owned(), ToString::to_string));
            if let Some(rate) = links.per_byte {
                add("links-G", exact_rate(rate));
            }
        }
    }
}

/// Reads a function of bytes: points, or a rate.
fn by_bytes(value: &str) -> Result<CostTable, String> {
    if !value.contains(':')
        && let Ok(rate) = read::<PerByte>(value, "ns/B")
    {
        return CostTable::rate(rate);
    }
    read_table(value, |at| Ok(read::<Bytes>(at, "B")?.0))
}

fn by_bytes_text(name: &str, table: CostTable) -> Option<String> {
    (table != CostTable::ZERO).then(|| format!("{name} {}", table_words(&table)))
}

fn faults_text(faults: &[u32]) -> String {
    faults.iter().map(u32::to_string).collect::<Vec<_>>().join("/")
}

/// Reads classes from far to near. Each class begins with the parameters of the next larger one, a switch with its own
/// latency if it has one.
fn read_classes(far: Network, near: Option<Near>, settings: &[(&str, &str, &str)]) -> Result<Classes, String> {
    let known = |name: &str| Class::REFINED.into_iter().any(|class| class.name() == name);
    if let Some((unknown, ..)) = settings.iter().find(|(name, ..)| !known(name)) {
        return Err(names::unknown("class", unknown, Class::REFINED.map(Class::name)));
    }
    let mut classes = Classes::alike(far);
    let mut network = far;
    for class in Class::REFINED {
        if let (Class::Switch, Some(near)) = (class, near) {
            network = near.network(far);
        }
        for (_, parameter, value) in settings.iter().filter(|(name, ..)| *name == class.name()) {
            network.set(parameter, value).map_err(|message| format!("class.{}: {message}", class.name()))?;
        }
        match class {
            Class::Switch => classes.switch = network,
            Class::Node => classes.node = network,
            Class::Socket => classes.socket = network,
            Class::Far => {}
        }
    }
    Ok(classes)
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Platform { network, .. } = self;
        write!(f, "{network}")?;
        let Some(refined) = self.refinements() else { return Ok(()) };
        let Refinements {
            gamma,
            memcpy,
            to_self,
            duplex,
            lines,
            connect,
            inline,
            idle,
            start,
            after_wait,
            call,
            page_fault,
            page_faults,
            barrier,
            cells,
            placement,
            classes,
            // Classes show it where it has an effect.
            near: _,
            matrix,
            pairs,
            links,
        } = refined;
        let parts = [
            by_bytes_text("γ", *gamma),
            by_bytes_text("memcpy", *memcpy),
            by_bytes_text("to itself", *to_self),
            by_bytes_text("duplex", *duplex),
            lines.as_ref().map(ToString::to_string),
            connect.as_ref().map(ToString::to_string),
            inline.as_ref().map(ToString::to_string),
            idle.as_ref().map(ToString::to_string),
            (*start > Span::ZERO).then(|| format!("start {start}")),
            by_bytes_text("after a wait", *after_wait),
            (*call > Span::ZERO).then(|| format!("call {call}")),
            (*page_fault > Span::ZERO).then(|| format!("page fault {page_fault}")),
            (!page_faults.is_empty()).then(|| format!("page faults of a call {}", faults_text(page_faults))),
            barrier.as_ref().map(|times| format!("barrier {times}")),
            cells.map(|line| format!("{CELLS}, a line's way {line}")),
            placement.as_ref().map(ToString::to_string),
            classes.as_ref().map(ToString::to_string),
            matrix.as_ref().map(ToString::to_string),
            pairs.as_ref().map(ToString::to_string),
            links.as_ref().map(ToString::to_string),
        ];
        parts.into_iter().flatten().try_for_each(|part| write!(f, "; {part}"))
    }
}
