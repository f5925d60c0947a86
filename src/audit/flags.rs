//! Flags of `parallax audit`, and the plan that they make.

use crate::flags::{reference, world};
use crate::launches::AutoFlags;
use analysis::audit::plan::{AuditPlan, Benchmarks};
use analysis::audit::texts::{self, Texts};
use analysis::launches::{Launches, launches};
use analysis::measuring::check::check_ranks;
use analysis::measuring::words::{numbers, worlds};
use analysis::values;
use campaign::audit::{AuditInput, Tool};
use campaign::launch::Site;
use models::call::Call;
use models::collective::Collective;
use programs::method::Buffer;
use programs::observation::World;
use scenario::BadInput;
use std::path::PathBuf;

/// What is audited, and how. A resumed campaign has all of this already.
#[derive(clap::Args)]
#[group(requires = "words")]
pub struct PlanFlags {
    /// Number of ranks; for output files, only if they do not state it [default: 2; for output files, taken from the
    /// file's name: np2, n4, p16, ranks8]
    #[arg(long, value_parser = values::ranks)]
    ranks: Option<u32>,
    /// Message lengths as the benchmarks define them: a list (see: parallax help lists) [default: 8..64KiB; for output
    /// files, all]
    #[arg(long, value_name = "LIST")]
    bytes: Option<String>,
    /// MPI libraries [default: every MPI library found]; for output files, the library with which they were made
    #[arg(long, value_name = "WORLD,…", value_delimiter = ',', value_parser = world())]
    world: Vec<World>,
    /// Launches of each benchmark in each configuration; for output files, launches that measure the reference. The
    /// launch is the statistical unit: six or more give an exact interval. auto: as many as the ratios need
    #[arg(long, default_value = "6", value_name = "N|auto", value_parser = launches)]
    launches: Launches,
    /// Buffer state of the reference: touched (rewritten and read between calls), same (never rewritten), cold
    /// (flushed)
    #[arg(long, default_value = "touched", value_name = "BUFFER", value_parser = reference())]
    reference: Buffer,
    /// Where to look for benchmarks before PATH: a program, or the folder of an installation or build; may be repeated
    #[arg(long, value_name = "PATH")]
    tool: Vec<PathBuf>,
    /// Seed of the random order in which benchmarks are started
    #[arg(long, default_value = "1")]
    seed: u64,
}

impl PlanFlags {
    /// Returns the plan of an audit. Every flag and every text is checked before anything is started.
    pub fn plan(&self, asked: &AuditInput, auto: &AutoFlags, site: &Site) -> Result<AuditPlan, BadInput> {
        Ok(match asked {
            AuditInput::Benchmarks(tools, operations) => {
                AuditPlan::Benchmarks(self.benchmarks(tools, operations, auto, site)?)
            }
            AuditInput::Texts(files) => AuditPlan::Texts(self.texts(files, auto, site)?),
        })
    }

    /// Returns the plan for texts of files, of which at least one number can be compared with a reference.
    fn texts(&self, files: &[PathBuf], auto: &AutoFlags, site: &Site) -> Result<Texts, BadInput> {
        if !self.tool.is_empty() {
            return Err(BadInput(
                "--tool names benchmarks to run, but output files were given: leave it out".to_owned(),
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
            reference: self.reference,
            seed: self.seed,
            ranks: Vec::new(),
        };
        let said = plan.said();
        plan.ranks = said.numbers.iter().map(|number| number.subject.place.ranks).collect();
        plan.ranks.sort_unstable();
        plan.ranks.dedup();
        if plan.ranks.is_empty() {
            let why = said.left_out.join("; ");
            return Err(BadInput(format!("no number of these files can be compared with a reference here. {why}")));
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
                "--world: benchmarks need an MPI library: expected openmpi or mpich; scripts/setup installs both"
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
            reference: self.reference,
            places: self.tool.clone(),
            seed: self.seed,
        })
    }
}

/// Returns the operation of this name, which every one of the benchmarks must measure.
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
