//! `parallax shm measure` and `shm tune`: broadcasts through shared memory on real ranks.

use crate::flags::{CampaignFlags, FormatFlags, one_of, world};
use crate::output::print_words;
use analysis::beside::Told;
use analysis::shm::{Beside, Measure, measure};
use analysis::{machine, values};
use campaign::notice_interrupts;
use models::shared_broadcast::NodeCosts;
use programs::method::Buffer;
use programs::observation::World;
use render::results::Format;
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(clap::Args)]
pub struct MeasureArguments {
    #[command(flatten)]
    what: WhatFlags,
    /// Numbers of ranks, all on one host: a list (see: parallax help lists)
    #[arg(long, value_name = "LIST", default_value = "2")]
    ranks: String,
    /// Who notifies whom: flat, chain, kary:K (up to K children each), complete:K (the same, filled level by level), knomial:K (2:
    /// binomial)
    #[arg(long, value_name = "TREE,…", value_delimiter = ',', default_value = "flat")]
    tree: Vec<String>,
    /// Root
    #[arg(long, value_name = "RANK", default_value = "0")]
    root: u32,
    /// Broadcasts that the queues are held against: library (its own choice), library:NAME (forced and verified; library:sm is
    /// Open MPI's coll/sm), an algorithm that `parallax algorithms bcast` lists, or another design's
    /// queue (shared:coll-sm, shared:mvapich, shared:release-gather); none: nothing [default: library, and nothing on threads]
    #[arg(long, value_name = "ALGORITHM,…", value_delimiter = ',')]
    against: Option<Vec<String>>,
    /// Also print what simulated ranks take with these parameters, as in shm simulate
    #[arg(long, value_name = "KEY=VALUE,…")]
    set: Option<String>,
    /// The same with the parameters of this machine file, which shm tune --machine put there
    #[arg(long, value_name = "FILE|NAME", conflicts_with = "set")]
    machine: Option<String>,
    #[command(flatten)]
    campaign: CampaignFlags,
    #[command(flatten)]
    format: FormatFlags,
}

#[derive(clap::Args)]
pub struct TuneArguments {
    #[command(flatten)]
    what: WhatFlags,
    /// Put the parameters into this machine file (see parallax calibrate)
    #[arg(long, value_name = "FILE")]
    machine: Option<PathBuf>,
    #[command(flatten)]
    campaign: CampaignFlags,
    #[command(flatten)]
    format: FormatFlags,
}

/// What is broadcast, and through which queues.
#[derive(clap::Args)]
struct WhatFlags {
    /// Lengths of messages m: a list (see: parallax help lists)
    #[arg(long, value_name = "LIST", default_value = "64KiB,1MiB,16MiB")]
    bytes: String,
    /// Lengths of fragments f, which are those of buffers: a list
    #[arg(long, value_name = "LIST", default_value = "2KiB..128KiB")]
    fragment: String,
    /// Numbers of buffers s of a queue: a list
    #[arg(long, value_name = "LIST", default_value = "1,4,32")]
    buffers: String,
    /// In place of --buffers: memory b of a queue; it has as many buffers as fit
    #[arg(long, value_name = "BYTES", value_parser = values::bytes, conflicts_with = "buffers")]
    queue: Option<u64>,
    /// Numbers of sets q that the buffers are split into: a list
    #[arg(long, value_name = "LIST", default_value = "1")]
    sets: String,
    /// Worlds: where ranks run [default: every MPI library found, else threads]
    #[arg(long, value_name = "WORLD,…", value_delimiter = ',', value_parser = world())]
    world: Vec<World>,
    /// Number of launches: the launch is the statistical unit
    #[arg(long, value_name = "N", default_value = "6", value_parser = clap::value_parser!(u32).range(1..=1000))]
    launches: u32,
    /// In which state calls find their buffers: see parallax measure
    #[arg(long, default_value = "touched", value_name = "BUFFER", value_parser = one_of(Buffer::ALL, Buffer::name))]
    buffer: Buffer,
    /// Verify every byte of each broadcast before measuring it
    #[arg(long)]
    check: bool,
    /// Seed of the random order of messages and queues
    #[arg(long, default_value = "1", value_name = "N")]
    seed: u64,
}

impl MeasureArguments {
    /// Measures the broadcasts, and prints their times side by side.
    pub fn measure(&self) -> anyhow::Result<ExitCode> {
        let costs = self.set.as_deref().map(NodeCosts::parse).transpose();
        let costs = costs.map_err(|message| BadInput(format!("--set: {message}")))?;
        let against = match &self.against {
            None if self.what.world.contains(&World::Threads) => Vec::new(),
            None => vec!["library".to_owned()],
            Some(named) if *named == ["none"] => Vec::new(),
            Some(named) => named.clone(),
        };
        let asked =
            Measure { ranks: self.ranks.clone(), trees: self.tree.clone(), root: self.root, ..self.what.asked() };
        let machine = self.machine.as_deref().map(machine::find).transpose()?;
        if let Some(machine) = machine.as_ref().filter(|machine| machine.queues.is_empty()) {
            let message =
                "has no [[queues]]; expected one that `parallax shm tune --machine FILE` has put its parameters into";
            return Err(BadInput(format!("--machine: {} {message}", machine.name)).into());
        }
        let beside = Beside { costs, machine, tune: None };
        measure_and_print(Measure { against, ..asked }, &beside, &self.campaign, &self.format)
    }
}

impl TuneArguments {
    /// Measures the broadcasts, and prints the fitted parameters.
    pub fn tune(&self) -> anyhow::Result<ExitCode> {
        if let Some(file) = &self.machine {
            let name = file.display();
            if !file.is_file() {
                let message = "there is no such file; expected one that `parallax calibrate` wrote";
                return Err(BadInput(format!("--machine: {name}: {message}")).into());
            }
            machine::find(&name.to_string())?;
        }
        let asked = self.what.asked();
        if !self.campaign.results.resume {
            asked.can_be_tuned()?;
        }
        let beside = Beside { tune: Some(self.machine.clone()), ..Beside::default() };
        measure_and_print(asked, &beside, &self.campaign, &self.format)
    }
}

impl WhatFlags {
    /// Returns the measurement of the flags on two ranks, from rank 0 through a flat tree, without comparisons.
    fn asked(&self) -> Measure {
        Measure {
            worlds: self.world.clone(),
            ranks: "2".to_owned(),
            bytes: self.bytes.clone(),
            fragment: self.fragment.clone(),
            buffers: self.buffers.clone(),
            queue_bytes: self.queue,
            sets: self.sets.clone(),
            trees: vec!["flat".to_owned()],
            against: Vec::new(),
            root: 0,
            launches: self.launches,
            buffer: self.buffer,
            check: self.check,
            seed: self.seed,
        }
    }
}

fn measure_and_print(
    asked: Measure,
    beside: &Beside,
    campaign: &CampaignFlags,
    format: &FormatFlags,
) -> anyhow::Result<ExitCode> {
    let site = campaign.start.site.site()?;
    let plan = if campaign.results.resume { None } else { Some(asked.plan(&site)?) };
    notice_interrupts()?;
    measure(plan, beside, campaign.keeping(), &site, |found, Told { page, noise }, folder| {
        format.print(found)?;
        if format.format == Format::Table {
            print_words(&format!("{noise}\nReport: {}\nCampaign: {}\n", page.display(), folder.display()))?;
        }
        Ok(())
    })
}
