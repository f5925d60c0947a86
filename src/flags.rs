//! Flags that several subcommands share: the network model, the noise, the shape of a call.

mod keeping;
mod model;
mod site;

pub use keeping::CampaignFlags;
pub use model::{Memory, Pairs};
pub use site::SiteFlags;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use models::clock::ClockSpread;
use models::collective::{Algorithm, Collective, Counts, Shape};
use models::names;
use models::network::Network;
use models::noise::Noise;
use models::observation::World;
use models::quantity::{Bytes, Ppm, parse as parse_quantity};
use models::time::Span;
use reports::groups::distinct;
use scenario::BadInput;
use scenario::files::{LONGEST_RECORD, read_whole};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A world of real ranks, by its name.
pub fn world(text: &str) -> Result<World, String> {
    let known: Vec<World> = World::all().filter(|world| *world != World::Simulated).collect();
    names::find("world", text, &known, World::name)
}

/// What messages cost on a network as it is.
#[derive(clap::Args, Clone)]
pub struct NetworkFlags {
    /// Network model: hockney, logp, loggp, loggops or plogp; for schedules also loggopsim-v1 [default: loggops; hockney where alpha, beta or a send rule is given]
    #[arg(long)]
    pub model: Option<String>,
    /// What a Hockney sender waits for: busy, synchronous, detached or eager
    #[arg(long, value_name = "RULE")]
    pub send_rule: Option<String>,
    /// Parameters; a bare number is in ns, ns/B or B: L=2500ns,o=1500ns,g=1000ns,G=6ns/B,O=0ns/B,S=65535B or alpha=5us,beta=1ns/B
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub set: Option<String>,
}

/// What messages cost, with refinements.
#[derive(clap::Args, Clone)]
pub struct ModelFlags {
    #[command(flatten)]
    pub network: NetworkFlags,
    /// A machine that was calibrated: a file of `parallax calibrate`, or its name; --model chooses among its models, --noise
    /// machine takes its noise. Several, separated by commas, are one machine with the states of all
    #[arg(long, value_name = "FILE|NAME")]
    pub machine: Option<String>,
    /// Ranks on cores that are near and far: the file lines.csv of `parallax probe lines`. Ranks take its cores in order, and
    /// each pair of ranks the parameters of the machine's state whose cache line takes as long as theirs
    #[arg(long, value_name = "FILE", requires = "machine")]
    pub pairs: Option<PathBuf>,
    /// Refinements of the network: connect=30us, load=0.4ns/B, fill=…, idle-cost=…, placement=block:2/8,
    /// class.node.L=300ns, matrix=FILE, links=injection; with --machine they take the place of the machine's own
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub platform: Option<String>,
}

impl NetworkFlags {
    /// The model's name, also where it is not said: parameters of Hockney mean Hockney.
    pub fn name(&self) -> &str {
        let of_hockney = |setting: &str| {
            let key = setting.split('=').next().unwrap_or_default().trim();
            key == "alpha" || key == "beta"
        };
        match &self.model {
            Some(model) => model,
            None if self.send_rule.is_some() => "hockney",
            None if self.set.iter().any(|set| set.split(',').any(of_hockney)) => "hockney",
            None => "loggops",
        }
    }

    /// The network of these flags.
    pub fn network(&self) -> Result<Network, BadInput> {
        models::network::parse(self.name(), self.set.as_deref(), self.send_rule.as_deref())
            .map_err(|message| BadInput(format!("--model, --set, --send-rule: {message}")))
    }
}

fn noise_help() -> String {
    format!("A source of detours that take the CPU from ranks; several add up:\n\n{}", models::noise::KNOWN)
}

/// What disturbs the ranks.
#[derive(clap::Args, Clone)]
pub struct NoiseFlags {
    /// A source of noise, like exponential:mean=10us,rate=100Hz or periodic:period=10ms,duration=25us or trace:FILE, or machine
    /// (that of --machine); several add up
    #[arg(long, value_name = "SOURCE", long_help = noise_help())]
    pub noise: Vec<String>,
    /// Seed of every random draw
    #[arg(long, default_value = "1")]
    pub seed: u64,
}

impl NoiseFlags {
    /// The noise of these flags.
    pub fn noise(&self) -> Result<Noise, BadInput> {
        Noise::parse_with(&self.noise, self.seed, &open_traces)
            .map_err(|message| BadInput(format!("--noise: {message}")))
    }
}

/// One call of a collective.
#[derive(clap::Args, Clone)]
pub struct CallFlags {
    /// bcast, reduce, barrier, allreduce, gather, scatter, allgather, alltoall, reduce-scatter, scan or exscan
    #[arg(long)]
    pub collective: String,
    /// One of the algorithms that `parallax algorithms` lists
    #[arg(long)]
    pub algorithm: String,
    /// Number of ranks, like 1024 or 2^20
    #[arg(long, value_parser = ranks)]
    pub ranks: u32,
    /// Bytes of one rank's buffer, or of one block where the collective moves a block per rank, like 64 or 64KiB
    #[arg(long, default_value = "0", value_parser = bytes)]
    pub bytes: u64,
    /// The root, where the collective has one
    #[arg(long, default_value = "0")]
    pub root: u32,
    /// Cut messages into segments of this length, where the algorithm pipelines; 0: uncut
    #[arg(long, default_value = "0", value_parser = bytes, value_name = "BYTES")]
    pub segment: u64,
    /// Fanout, radix or number of chains, where the algorithm has one [default: the algorithm's own]
    #[arg(long)]
    pub fanout: Option<u32>,
    /// Lengths of the blocks of a v-variant, one for each rank: 8,0,64
    #[arg(long, value_name = "BYTES,…", value_delimiter = ',', value_parser = bytes)]
    pub counts: Vec<u64>,
}

impl CallFlags {
    /// The algorithm and the shape.
    pub fn call(&self) -> Result<(&'static Algorithm, Shape), BadInput> {
        let collective = collective(&self.collective)?;
        let algorithm = Algorithm::find(collective, &self.algorithm)
            .map_err(|message| BadInput(format!("--algorithm: {message}")))?;
        if self.root >= self.ranks {
            return Err(BadInput(format!("--root: expected 0 to {}, found {}", self.ranks - 1, self.root)));
        }
        let shape = Shape {
            segment_bytes: self.segment,
            fanout: self.fanout.unwrap_or(0),
            counts: self.counts(collective)?,
            ..Shape::new(self.ranks, self.root, self.bytes)
        };
        algorithm.accepts(&shape).map_err(|message| BadInput(format!("--counts: {message}")))?;
        Ok((algorithm, shape))
    }

    fn counts(&self, collective: Collective) -> Result<Option<Counts>, BadInput> {
        if self.counts.is_empty() {
            return Ok(None);
        }
        if !collective.has_blocks() {
            return Err(BadInput(format!("--counts: {collective} moves no blocks of several lengths")));
        }
        if self.counts.len() != self.ranks as usize {
            let (found, ranks) = (self.counts.len(), self.ranks);
            return Err(BadInput(format!("--counts: expected one for each of {ranks} ranks, found {found}")));
        }
        Counts::new(&self.counts).map(Some).map_err(|message| BadInput(format!("--counts: {message}")))
    }
}

/// How wrong clocks are, as `--clocks` says; what it does not name is as it is of these.
pub fn clock_spread(text: &str, known: ClockSpread) -> Result<ClockSpread, BadInput> {
    let mut clocks = known;
    for pair in text.split(',') {
        let at_key = |message: String| BadInput(format!("--clocks: {message}"));
        let (key, value) = pair.split_once('=').ok_or_else(|| at_key(format!("expected key=value, found '{pair}'")))?;
        let span = || parse_quantity::<Span>(value).map_err(|message| at_key(format!("{key}: {message}")));
        match key.trim() {
            "largest-offset" => clocks.largest_offset = span()?,
            "granularity" => clocks.granularity = span()?,
            "read-cost" => clocks.read_cost = span()?,
            "largest-skew" => {
                let skew = parse_quantity::<Ppm>(value).map_err(|message| at_key(format!("{key}: {message}")))?;
                clocks.largest_skew_ppm = skew.0;
            }
            _ => {
                let known = ["largest-offset", "largest-skew", "granularity", "read-cost"];
                return Err(at_key(names::unknown("key", key, known)));
            }
        }
    }
    Ok(clocks)
}

/// One of few by its name: help lists them.
pub fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let named = move |text: String| all.into_iter().find(|&one| name(one) == text).ok_or("unknown");
    PossibleValuesParser::new(all.map(name)).try_map(named)
}

/// A collective by its name.
pub fn collective(name: &str) -> Result<Collective, BadInput> {
    Collective::find(name).map_err(|message| BadInput(format!("--collective: {message}")))
}

/// The algorithms of these names, `all` being all of them; each once.
pub fn algorithms(collective: Collective, names: &[String]) -> Result<Vec<&'static Algorithm>, BadInput> {
    let mut all: Vec<&Algorithm> = Vec::new();
    for name in names {
        if name == "all" {
            all.extend(Algorithm::of(collective));
        } else {
            let found = Algorithm::find(collective, name.trim());
            all.push(found.map_err(|message| BadInput(format!("--algorithms: {message}")))?);
        }
    }
    let once = distinct(all);
    if once.is_empty() {
        return Err(BadInput(format!("--collective: there is no algorithm of {collective} yet")));
    }
    Ok(once)
}

/// A number of ranks, plain or as a power of two.
pub fn ranks(text: &str) -> Result<u32, String> {
    let number = match text.split_once('^') {
        Some(("2", exponent)) => exponent.parse().ok().and_then(|exponent| 1u32.checked_shl(exponent)),
        _ => text.parse().ok(),
    };
    number
        .filter(|&ranks| (1..=1 << 30).contains(&ranks))
        .ok_or_else(|| "expected 1 to 1073741824 ranks, like 1024 or 2^20".to_owned())
}

/// A number of bytes, plain or with a unit.
pub fn bytes(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(bytes) if bytes <= 1 << 40 => Ok(bytes),
        _ => parse_quantity::<Bytes>(text).map(|bytes| bytes.0),
    }
}

/// A number of seconds, up to a day.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: u64 = text.parse().map_err(|_| "expected a whole number of seconds, like 60".to_owned())?;
    if (1..=86_400).contains(&seconds) {
        Ok(Duration::from_secs(seconds))
    } else {
        Err("expected 1 to 86400 seconds".to_owned())
    }
}

/// The text of a file that a flag names.
pub fn read_text(path: &str) -> Result<String, String> {
    scenario::files::read_description(Path::new(path)).map_err(|error| format!("{path}: {error}"))
}

/// The files that a `trace:` source names: a file, or all files of a folder in the order of their names.
pub fn open_traces(path: &str) -> Result<Vec<(String, Vec<u8>)>, String> {
    let open = |path: &Path| {
        let name = path.display().to_string();
        let content = read_whole(path, LONGEST_RECORD);
        content.map(|content| (name.clone(), content)).map_err(|error| format!("{name}: {error}"))
    };
    let named = Path::new(path);
    if !named.is_dir() {
        return Ok(vec![open(named)?]);
    }
    let entries = std::fs::read_dir(named).map_err(|error| format!("{path}: {error}"))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    // Numbers in names count as numbers: rank 10 comes after rank 9.
    files.sort_by_cached_key(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let digits: String = name.chars().filter(char::is_ascii_digit).collect();
        (digits.parse::<u64>().unwrap_or(u64::MAX), name)
    });
    if files.is_empty() {
        return Err(format!("{path}: expected files with recorded detours, found none"));
    }
    files.iter().map(|path| open(path)).collect()
}
