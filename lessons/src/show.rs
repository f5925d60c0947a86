//! What a simulation answers, for people and for programs.

use models::collective::{Collective, Shape};
use models::names::counted;
use models::platform::Buffer;
use models::quantity::decimal;
use models::spread::Spread;
use models::time::{Span, Time};
use serde_json::{Map, Value, json};
use sim::{Entry, Simulation};

/// All that is printed.
pub struct Answer {
    /// What was simulated.
    pub simulation: Simulation,
    /// The seed of its noise.
    pub seed: u64,
    /// Which engine did it.
    pub engine: String,
    /// Messages sent.
    pub messages: u64,
    /// Last finish of any rank after each call.
    pub calls: Vec<Time>,
    /// First and last finish.
    pub skew: (Time, Time),
    /// Over ranks, or over realisations.
    pub spread: Option<Spread>,
    /// There is noise, and all ranks finish as without it.
    pub untouched: bool,
    /// Every rank's finish.
    pub per_rank: Option<Vec<Time>>,
    /// Every realisation's last finish.
    pub realisations: Option<Vec<Time>>,
    /// The assumptions about the network's parameters, as a sentence.
    pub assumed: Option<String>,
}

/// `dissemination barrier, 1024 ranks`.
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

/// A call under its name; what is 0 of its shape is not said.
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

/// What disturbs ranks, if anything does.
pub fn noise(simulation: &Simulation, seed: u64) -> Option<String> {
    let (noise, share) = (&simulation.noise, simulation.noise.share() * 100.0);
    (!noise.is_none()).then(|| format!("{noise}, {share:.3} % of the CPU, seed {seed}"))
}

/// When ranks enter.
pub fn entry(simulation: &Simulation) -> String {
    match &simulation.entry {
        Entry::Together => "all ranks enter together".to_owned(),
        late @ (Entry::Each(_) | Entry::Drawn { .. }) => format!("ranks enter up to {} apart", Span(late.latest().0)),
    }
}

/// Longer refinements are lists of points, of which the name is enough.
const LONG: usize = 75;

/// What stands before the networks of pairs of cores.
const PAIRS: &str = "pairs of cores by their cache lines";

/// The network, and each refinement in a line of its own, which has no name; of those that are long only the name, unless all is
/// to be said.
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

/// The words of a refinement before its first number: `cache lines`.
fn name(refinement: &str) -> String {
    let words = refinement.split(' ').take_while(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    let all: Vec<&str> = words.collect();
    let name = all.join(" ");
    name.split(", ").next().unwrap_or_default().to_owned()
}

/// In which state the reference of a call finds its buffers; `None` where that does not matter.
pub fn reference(simulation: &Simulation) -> Option<Buffer> {
    simulation.buffer.filter(|_| simulation.platform.has_lines())
}

/// The same in words: `touched, each rank having rewritten what it sends …`.
pub fn reference_text(simulation: &Simulation) -> Option<String> {
    reference(simulation).map(|buffer| format!("{}{}", buffer.name(), buffer.words()))
}

impl Answer {
    /// An answer with nothing found yet.
    pub fn of(simulation: &Simulation, seed: u64) -> Answer {
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

    /// For programs: times in integer picoseconds.
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

/// Exact, in µs.
pub fn microseconds(time: Time) -> String {
    decimal(time.0.into(), 6)
}

/// Least, mean, greatest and median in words.
pub fn spread_text(spread: &Spread, over: &str) -> String {
    if spread.min == spread.max {
        return format!("{} µs on every {over}", microseconds(spread.max));
    }
    // What ranks take is exact; what lies between them, or was drawn, has no more digits than ns.
    let is_exact = over == "rank";
    let end = |time: Time| if is_exact { microseconds(time) } else { to_the_ns(time) };
    let (least, most) = if is_exact { ("first", "last") } else { ("least", "most") };
    let (min, max, mean, median) =
        (end(spread.min), end(spread.max), to_the_ns(spread.mean), to_the_ns(spread.quantiles[3]));
    format!("{min} µs {least}, {mean} µs mean, {max} µs {most}; median {median} µs")
}

/// To the nearest ns, in µs; what is shorter than ten of them is exact.
fn to_the_ns(time: Time) -> String {
    let ns = time.0.saturating_add(500) / 1_000;
    if ns < 10 { microseconds(time) } else { microseconds(Time(ns * 1_000)) }
}
