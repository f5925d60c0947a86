//! The answer of a simulation, for people and for programs.

use models::collective::{Collective, Shape};
use models::names::counted;
use models::platform::Buffer;
use models::quantity::decimal;
use models::spread::Spread;
use models::time::{Span, Time};
use serde_json::{Map, Value, json};
use sim::{Entry, Simulation};

/// Result of a simulation, with everything that is printed of it.
pub struct Answer {
    /// Simulation that was carried out.
    pub simulation: Simulation,
    /// Seed of the simulation's noise.
    pub seed: u64,
    /// Engine that carried out the simulation.
    pub engine: String,
    /// Number of messages sent.
    pub messages: u64,
    /// Last finish of any rank after each call.
    pub calls: Vec<Time>,
    /// First and last finish of any rank.
    pub skew: (Time, Time),
    /// Spread of the finish times over ranks, or over realisations.
    pub spread: Option<Spread>,
    /// Whether there is noise, and all ranks finish as without it.
    pub untouched: bool,
    /// Finish of every rank, where it is listed.
    pub per_rank: Option<Vec<Time>>,
    /// Last finish of every realisation, where there are several.
    pub realisations: Option<Vec<Time>>,
    /// Assumptions about the network's parameters, as a sentence.
    pub assumed: Option<String>,
}

/// Returns the title of a simulation: `dissemination barrier, 1024 ranks`.
pub fn title(simulation: &Simulation) -> String {
    let collective = simulation.algorithm.collective;
    let moves_nothing = simulation.shape.bytes == 0 && collective != Collective::Barrier;
    let empty = if moves_nothing { "empty " } else { "" };
    call(
        &format!("{empty}{} {collective}", simulation.algorithm.name),
        collective,
        &simulation.shape,
        simulation.repeat,
    )
}

/// Returns a call under its name. Values of its shape that are 0 are left out.
pub fn call(name: &str, collective: Collective, shape: &Shape, repeat: u32) -> String {
    let Shape { ranks, bytes, root, .. } = *shape;
    let parts = [
        (ranks > 0).then(|| format!(", {}", counted(ranks, "rank"))),
        (bytes > 0).then(|| format!(", {bytes} B")),
        (root > 0 && collective.is_rooted()).then(|| format!(" from root {root}")),
        (repeat > 1).then(|| format!(", {repeat} calls back to back")),
    ];
    parts.into_iter().flatten().fold(name.to_owned(), |text, part| text + &part)
}

/// Returns the noise that disturbs ranks, in words, if there is any.
pub fn noise(simulation: &Simulation, seed: u64) -> Option<String> {
    let (noise, share) = (&simulation.noise, simulation.noise.share() * 100.0);
    (!noise.is_none()).then(|| format!("{noise}, {share:.3} % of the CPU, seed {seed}"))
}

/// Returns the sentence on when ranks enter.
pub fn entry(simulation: &Simulation) -> String {
    match &simulation.entry {
        Entry::Together => "all ranks enter together".to_owned(),
        late @ (Entry::Each(_) | Entry::Drawn { .. }) => format!("ranks enter up to {} apart", Span(late.latest().0)),
    }
}

/// Length from which refinements are lists of points, of which the name is enough.
const LONG: usize = 75;

/// Words that stand before the networks of pairs of cores.
const PAIRS: &str = "pairs of cores by their cache lines";

/// Returns the network, and each refinement in a line of its own, which has no name. Of refinements that are long only
/// the name is given, unless `detailed`.
pub fn model(simulation: &Simulation, detailed: bool) -> Vec<(&'static str, String)> {
    let text = simulation.platform.to_string();
    let (network, refinements) = text.split_once("; ").map_or((text.as_str(), None), |(one, rest)| (one, Some(rest)));
    // The networks of pairs are a list of their own.
    let (refinements, pairs) = match refinements.and_then(|all| all.split_once(PAIRS)) {
        Some((before, _)) if !detailed => (Some(before.trim_end_matches("; ")), Some(PAIRS)),
        _ => (refinements, None),
    };
    let is_short = |refinement: &&str| detailed || refinement.chars().count() <= LONG;
    let (short, long): (Vec<&str>, Vec<&str>) =
        refinements.into_iter().filter(|all| !all.is_empty()).flat_map(|all| all.split("; ")).partition(is_short);
    let mut lines: Vec<String> = std::iter::once(network).chain(short).map(str::to_owned).collect();
    let names: Vec<String> = long.into_iter().map(name).chain(pairs.map(str::to_owned)).collect();
    if !names.is_empty() {
        lines.push(format!("{} (values: --details, --format json)", names.join(", ")));
    }
    ["model"].into_iter().chain(std::iter::repeat("")).zip(lines).collect()
}

/// Returns the words of a refinement before its first number: `cache lines`.
fn name(refinement: &str) -> String {
    let words = refinement.split(' ').take_while(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    let all: Vec<&str> = words.collect();
    let name = all.join(" ");
    name.split(", ").next().unwrap_or_default().to_owned()
}

/// Returns the state in which the reference of a call finds its buffers, `None` where that does not matter.
pub fn reference(simulation: &Simulation) -> Option<Buffer> {
    simulation.buffer.filter(|_| simulation.platform.has_lines())
}

/// Returns the state of the reference's buffers in words: `touched, each rank having rewritten what it sends …`.
pub fn reference_text(simulation: &Simulation) -> Option<String> {
    reference(simulation).map(|buffer| format!("{}{}", buffer.name(), buffer.words()))
}

impl Answer {
    /// Makes an answer with nothing found yet.
    pub fn new(simulation: &Simulation, seed: u64) -> Answer {
        Answer {
            simulation: simulation.clone(),
            seed,
            engine: String::new(),
            messages: 0,
            calls: Vec::new(),
            skew: (Time::ZERO, Time::ZERO),
            spread: None,
            untouched: false,
            per_rank: None,
            realisations: None,
            assumed: None,
        }
    }

    /// Returns the answer for programs, with times in integer picoseconds.
    pub fn json(&self) -> Value {
        let (simulation, shape) = (&self.simulation, &self.simulation.shape);
        let network = &simulation.platform.network;
        let mut all = Map::new();
        let mut put = |key: &str, value: Value| all.insert(key.to_owned(), value);
        put("operation", json!(simulation.algorithm.collective.name()));
        put("algorithm", json!(simulation.algorithm.name));
        put("ranks", json!(shape.ranks));
        put("root", json!(shape.root));
        put("bytes", json!(shape.bytes));
        put("segment_bytes", json!(shape.segment_bytes));
        put("fanout", json!(shape.fanout));
        put("model", json!(network.name()));
        let parameters: Map<String, Value> =
            simulation.platform.parameters().into_iter().map(|(key, value)| (key, json!(value))).collect();
        put("parameters", Value::Object(parameters));
        if let Some(buffer) = reference(simulation) {
            put("reference_buffers", json!(buffer.name()));
        }
        put("noise", json!(simulation.noise.to_string()));
        if self.untouched {
            put("untouched_by_noise", json!(true));
        }
        put("seed", json!(self.seed));
        put("calls", json!(simulation.repeat));
        if simulation.compute > Span::ZERO {
            put("compute_ps", json!(simulation.compute));
        }
        put("engine", json!(self.engine));
        put("messages", json!(self.messages));
        if let Some(spread) = &self.spread {
            put("finish_ps", json!(spread));
        }
        if let Some(times) = &self.per_rank {
            put("finish_per_rank_ps", json!(times));
        }
        match &self.realisations {
            Some(last) => put("finish_per_realisation_ps", json!(last)),
            None => put("finish_per_call_ps", json!(self.calls)),
        };
        Value::Object(all)
    }
}

/// Returns a time in µs, without rounding.
pub fn microseconds(time: Time) -> String {
    decimal(time.0.into(), 6)
}

/// Returns the least, mean, greatest and median time in words.
pub fn spread_text(spread: &Spread, over: &str) -> String {
    if spread.min == spread.max {
        return format!("{} µs on every {over}", microseconds(spread.max));
    }
    // Times of ranks are exact. Means of them, and drawn times, have no more digits than ns.
    let is_exact = over == "rank";
    let end = |time: Time| if is_exact { microseconds(time) } else { to_the_ns(time) };
    let (least, most) = if is_exact { ("first", "last") } else { ("least", "most") };
    let (min, max, mean, median) =
        (end(spread.min), end(spread.max), to_the_ns(spread.mean), to_the_ns(spread.quantiles[3]));
    format!("{min} µs {least}, {mean} µs mean, {max} µs {most}; median {median} µs")
}

/// Returns a time to the nearest ns, in µs. Times shorter than ten ns are exact.
fn to_the_ns(time: Time) -> String {
    let ns = time.0.saturating_add(500) / 1_000;
    if ns < 10 { microseconds(time) } else { microseconds(Time(ns * 1_000)) }
}
