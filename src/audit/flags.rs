//! The flags of `parallax audit`, and the plan that they make.

use crate::launches::AutoFlags;
use analysis::audit::plan::{Benchmarks, Plan};
use analysis::audit::texts::{self, Texts};
use analysis::launches::{Launches, launches};
use analysis::measuring::plan::check_ranks;
use analysis::measuring::words::{numbers, reference, worlds};
use analysis::values;
use campaign::audit::{Asked, Tool};
use campaign::launch::Site;
use models::call::Call;
use models::collective::Collective;
use scenario::BadInput;
use std::path::PathBuf;

/// What is audited, and how. An audit that is gone on with has all of it already.
#[derive(clap::Args)]
#[group(requires = "words")]
pub struct PlanFlags {
    /// Number of ranks; for texts where they do not say it [default: 2; for texts as the file's name says: np2, n4, p16, ranks8]
    #[arg(long, value_parser = values::ranks)]
    ranks: Option<u32>,
    /// Lengths as benchmarks count them: 8,1KiB or 8..64KiB (doubling) or 8..64KiB*4 [default: 8..64KiB; of texts all]
    #[arg(long, value_name = "LIST")]
    bytes: Option<String>,
    /// Where: openmpi, mpich [default: every MPI library that is here]; for texts the one that printed them
    #[arg(long, value_name = "WORLD,…", value_delimiter = ',')]
    world: Vec<String>,
    /// How often each benchmark is started in each way, or references are taken for texts: the launch is the statistical unit;
    /// six or more have an exact interval; auto: as often as the ratios need
    #[arg(long, default_value = "6", value_name = "N|auto", value_parser = launches)]
    launches: Launches,
    /// What printed numbers are held against: windows whose buffers are touched, same or cold
    #[arg(long, default_value = "touched", value_name = "BUFFER")]
    reference: String,
    /// Where benchmarks are looked for before PATH: a program, or a folder of an installation or a build; may be repeated
    #[arg(long, value_name = "PATH")]
    tool: Vec<PathBuf>,
    /// Seed of the order in which benchmarks are started
    #[arg(long, default_value = "1")]
    seed: u64,
}

impl PlanFlags {
    /// The plan of an audit. Every flag and every text is checked before anything is started.
    pub fn plan(&self, asked: &Asked, auto: &AutoFlags, site: &Site) -> Result<Plan, BadInput> {
        Ok(match asked {
            Asked::Benchmarks(tools, operations) => Plan::Benchmarks(self.benchmarks(tools, operations, auto, site)?),
            Asked::Texts(files) => Plan::Texts(self.texts(files, auto, site)?),
        })
    }

    /// Texts of files, of which at least one number can be held against a reference.
    fn texts(&self, files: &[PathBuf], auto: &AutoFlags, site: &Site) -> Result<Texts, BadInput> {
        if !self.tool.is_empty() {
            return Err(BadInput(
                "--tool says where benchmarks are that are run; texts were printed already: leave it out".to_owned(),
            ));
        }
        let texts = texts::read_all(files)?;
        let (launches, auto) = auto.choice().planned(self.launches)?;
        let mut plan = Texts {
            worlds: vec![texts::world(&self.world, &texts, site)?],
            texts,
            ranks_said: self.ranks,
            cores: site.cores,
            bytes: self.bytes.as_deref().map(|bytes| numbers("--bytes", bytes, values::bytes)).transpose()?,
            launches,
            auto,
            reference: reference(&self.reference)?,
            seed: self.seed,
            ranks: Vec::new(),
        };
        let said = plan.said();
        plan.ranks = said.numbers.iter().map(|number| number.subject.ranks).collect();
        plan.ranks.sort_unstable();
        plan.ranks.dedup();
        if plan.ranks.is_empty() {
            let why = said.left_out.join("; ");
            return Err(BadInput(format!("no number of these texts can be held against a reference here. {why}")));
        }
        Ok(plan)
    }

    fn benchmarks(
        &self,
        benchmarks: &[Tool],
        operations: &[String],
        auto: &AutoFlags,
        site: &Site,
    ) -> Result<Benchmarks, BadInput> {
        let ranks = self.ranks.unwrap_or(2);
        let mut audited = benchmarks.to_vec();
        audited.dedup();
        let worlds = worlds(&self.world, site)?;
        if worlds.iter().any(|&world| world.library().is_none()) {
            return Err(BadInput(
                "--world: benchmarks need an MPI library: expected openmpi or mpich; scripts/setup brings both"
                    .to_owned(),
            ));
        }
        for &world in &worlds {
            check_ranks(world, ranks, site.cores).map_err(BadInput)?;
        }
        let (launches, auto) = auto.choice().planned(self.launches)?;
        Ok(Benchmarks {
            operations: operations.iter().map(|name| operation(name, &audited)).collect::<Result<_, _>>()?,
            audited,
            worlds,
            ranks: vec![ranks],
            bytes: numbers("--bytes", self.bytes.as_deref().unwrap_or("8..64KiB"), values::bytes)?,
            launches,
            auto,
            reference: reference(&self.reference)?,
            places: self.tool.clone(),
            seed: self.seed,
        })
    }
}

/// An operation that every one of the benchmarks measures.
fn operation(name: &str, benchmarks: &[Tool]) -> Result<Collective, BadInput> {
    let (collective, call) = Call::find(name.trim()).map_err(BadInput)?;
    if !call.is_plain() {
        let known = "bcast, reduce, allreduce, gather, scatter, allgather, alltoall, reduce_scatter, barrier";
        return Err(BadInput(format!("{}: expected one of {known}", call.name(collective))));
    }
    match benchmarks.iter().find(|tool| tool.name_of(collective).is_none()) {
        Some(tool) => Err(BadInput(format!("{collective}: {} does not measure it", tool.title()))),
        None => Ok(collective),
    }
}
