//! Flags that several subcommands share: the network model, the noise, the shape of a call.

mod keeping;
mod site;

pub use keeping::CampaignFlags;
pub use site::SiteFlags;

use analysis::choice::{ModelChoice, NetworkChoice, NoiseChoice};
use analysis::values::{bytes, collective, ranks};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use models::collective::{Algorithm, Collective, Counts, Shape};
use scenario::BadInput;
use std::path::PathBuf;
use std::time::Duration;

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
    /// What is chosen.
    pub fn choice(&self) -> NetworkChoice {
        let (model, send_rule, set) = (self.model.clone(), self.send_rule.clone(), self.set.clone());
        NetworkChoice { model, send_rule, set }
    }
}

impl ModelFlags {
    /// What is chosen.
    pub fn choice(&self) -> ModelChoice {
        let (machine, pairs, platform) = (self.machine.clone(), self.pairs.clone(), self.platform.clone());
        ModelChoice { network: self.network.choice(), machine, pairs, platform }
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
    /// What is chosen.
    pub fn choice(&self) -> NoiseChoice {
        NoiseChoice { noise: self.noise.clone(), seed: self.seed }
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

/// One of few by its name: help lists them.
pub fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let named = move |text: String| all.into_iter().find(|&one| name(one) == text).ok_or("unknown");
    PossibleValuesParser::new(all.map(name)).try_map(named)
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
