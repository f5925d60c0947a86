//! Flags that several subcommands share: the network model, the noise, the shape of a call.

mod choices;
mod format;
mod keeping;
mod picture;
mod probing;
mod published;
mod site;

pub use choices::{
    Benchmarks, CLOCKS, Collectives, OneDelayed, clock, drawn_clocks, library, method, models, names, one_of, place,
    reference, seconds, sync, world,
};
pub use format::FormatFlags;
pub use keeping::{CampaignFlags, DryRun, ResultFlags};
pub use picture::PictureFlags;
pub use probing::{ProbeFlags, asked, usual};
pub use published::{PublishedFlags, behind, need_published};
pub use site::{SiteFlags, StartFlags};

use analysis::choice::{ModelChoice, NetworkChoice, NoiseChoice};
use analysis::values::{bytes, ranks};
use questions::CallChoice;

use models::collective::{Algorithm, Collective, Shape};
use models::network::SendRule;
use scenario::BadInput;
use std::path::PathBuf;

/// What messages cost on a network as it is.
#[derive(clap::Args, Clone)]
pub struct NetworkFlags {
    /// Network model [default: loggops; hockney if alpha, beta or a send rule is given]
    #[arg(long, value_name = "MODEL", value_parser = models())]
    pub model: Option<String>,
    /// What the sender waits for in the Hockney model
    #[arg(long, value_name = "RULE", value_parser = names(SendRule::ALL.map(SendRule::name)))]
    pub send_rule: Option<String>,
    /// Parameters of the model, like L=2us,o=500ns,g=500ns,G=0.1ns/B (see: parallax help model)
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub set: Option<String>,
}

/// What messages cost, with refinements.
#[derive(clap::Args, Clone)]
pub struct ModelFlags {
    #[command(flatten)]
    pub network: NetworkFlags,
    /// Calibrated machine: a file written by `parallax calibrate`, or its name; several, separated by commas, form one
    /// machine with the states of all. --model selects one of its models, --noise machine uses its noise
    #[arg(long, value_name = "FILE|NAME")]
    pub machine: Option<String>,
    /// Near and far cores: a file lines.csv of `parallax probe lines`. Ranks are placed on its cores in order; each
    /// pair of ranks uses the parameters of the machine's state with the same cache line latency
    #[arg(long, value_name = "FILE", requires = "machine")]
    pub pairs: Option<PathBuf>,
    /// Refinements of the network, like placement=block:48,class.node.L=300ns (see: parallax help platform); they replace those of
    /// --machine
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub platform: Option<String>,
}

impl NetworkFlags {
    /// Returns the network that the flags choose.
    pub fn choice(&self) -> NetworkChoice {
        let (model, send_rule, set) = (self.model.clone(), self.send_rule.clone(), self.set.clone());
        NetworkChoice { model, send_rule, set }
    }
}

impl ModelFlags {
    /// Returns the model that the flags choose.
    pub fn choice(&self) -> ModelChoice {
        let (machine, pairs, platform) = (self.machine.clone(), self.pairs.clone(), self.platform.clone());
        ModelChoice { network: self.network.choice(), machine, pairs, platform }
    }
}

/// What disturbs the ranks.
#[derive(clap::Args, Clone)]
pub struct NoiseFlags {
    /// Noise source, like exponential:mean=10us,rate=100Hz (see: parallax help detours); several sources add up; machine:
    /// the noise of --machine
    #[arg(long, value_name = "SOURCE")]
    pub noise: Vec<String>,
    /// One detour of one rank, once: rank=3,at=4us,for=10us; several flags add up
    #[arg(long, value_name = "rank=R,at=TIME,for=TIME", value_parser = questions::noise::detour)]
    pub detour: Vec<String>,
    /// Seed of all random draws
    #[arg(long, default_value = "1")]
    pub seed: u64,
}

impl NoiseFlags {
    /// Returns the noise that the flags choose, detours included.
    pub fn choice(&self) -> NoiseChoice {
        NoiseChoice { noise: self.noise.iter().chain(&self.detour).cloned().collect(), seed: self.seed }
    }
}

/// One call of a collective.
#[derive(clap::Args, Clone)]
pub struct CallFlags {
    /// Operation
    #[arg(value_name = "OPERATION", value_parser = Collectives)]
    pub collective: Collective,
    /// An algorithm that `parallax algorithms OPERATION` lists, or a library for its own choice
    #[arg(long, value_name = "NAME", default_value = "openmpi-4.1")]
    pub algorithm: String,
    /// Number of ranks, like 1024 or 2^20
    #[arg(long, value_name = "N", value_parser = ranks)]
    pub ranks: u32,
    /// Bytes of one rank's buffer, or of one block if the operation moves a block per rank
    #[arg(long, default_value = "0", value_parser = bytes)]
    pub bytes: u64,
    /// Root, for operations that have one
    #[arg(long, default_value = "0", value_name = "RANK")]
    pub root: u32,
    /// Segment length of algorithms that pipeline; 0: messages are not segmented
    #[arg(long, default_value = "0", value_parser = bytes, value_name = "BYTES")]
    pub segment: u64,
    /// Fanout, radix or number of chains, for algorithms that have one [default: the algorithm's own]
    #[arg(long)]
    pub fanout: Option<u32>,
    /// Block lengths of a v-variant, one per rank: 8,0,64
    #[arg(long, value_name = "BYTES,…", value_delimiter = ',', value_parser = bytes)]
    pub counts: Vec<u64>,
}

impl CallFlags {
    /// Returns the algorithm and the shape. A name in `other` replaces the flag's algorithm.
    pub fn call(&self, other: Option<&str>) -> Result<(&'static Algorithm, Shape), BadInput> {
        let choice = CallChoice {
            collective: self.collective,
            algorithm: other.unwrap_or(&self.algorithm).to_owned(),
            ranks: self.ranks,
            bytes: self.bytes,
            root: self.root,
            segment_bytes: self.segment,
            fanout: self.fanout,
            counts: self.counts.clone(),
        };
        choice.call()
    }
}
