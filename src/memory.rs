//! `parallax memory`: what an MPI library keeps in each rank's memory, against ranks and operations.

use crate::flags::SiteFlags;
use analysis::p2p::Place;
use anyhow::bail;
use campaign::environment::utc_now;
use campaign::launch::Site;
use campaign::p2p::Launch;
use measure::job::{Outcome, Task};
use models::limits::LONGEST_BUFFER;
use models::memory::{MemoryTest, Used};
use models::names::unknown;
use models::network::{Hockney, SendRule};
use models::observation::World;
use models::time::{PerByte, Span};
use reports::groups::distinct;
use reports::memory::Launched;
use scenario::BadInput;
use scenario::files::write_whole;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// What `parallax memory` is told.
#[derive(clap::Args)]
pub struct MemoryArguments {
    /// Where the ranks run: openmpi, mpich or threads [default: the first MPI library that is here, else threads]
    #[arg(long)]
    world: Option<Place>,
    /// Numbers of ranks, each a launch of its own
    #[arg(long, default_value = "2,4", value_delimiter = ',', value_name = "N,…", value_parser = analysis::values::ranks)]
    ranks: Vec<u32>,
    /// What is used, in this order: pairs (a message each way between all pairs) and collectives; all, or none
    #[arg(long, default_value = "all", value_delimiter = ',', value_name = "NAME,…")]
    operations: Vec<String>,
    /// Bytes of a message, or of one block where a collective moves a block per rank
    #[arg(long, default_value = "8", value_parser = analysis::values::bytes)]
    bytes: u64,
    /// Look again after this many further uses of each
    #[arg(long, default_value = "0", value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    again: u32,
    /// Print one JSON object, with every look at every rank, instead of a table
    #[arg(long)]
    json: bool,
    /// Write the JSON object to this file too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// End the run when no rank has got anywhere for this many seconds
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = crate::flags::seconds)]
    patience: Duration,
    #[command(flatten)]
    site: SiteFlags,
}

/// Threads are joined by a network that takes no time.
const NO_TIME: Hockney = Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Eager };

impl MemoryArguments {
    /// Starts ranks, looks, prints.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let (world, test) = self.check(&site)?;
        campaign::notice_interrupts()?;
        let mut launches = Vec::new();
        let mut notes = Vec::new();
        // By label: of what holds for all launches, the last.
        let mut environment = Vec::new();
        for &ranks in &self.ranks {
            let launch = Launch::new(world, ranks, NO_TIME, self.patience, &site)?;
            launches.push(look(&launch, &test, ranks)?);
            notes.extend(launch.notes());
            environment.extend(launch.facts());
        }
        let environment: Map<String, Value> =
            environment.into_iter().map(|(label, value)| (label, json!(value))).collect();
        let mut all = reports::memory::json(&launches);
        all["world"] = json!(world.name());
        all["one_process"] = json!(world == World::Threads);
        all["date"] = json!(utc_now());
        all["notes"] = json!(notes);
        all["settings"] = json!(test);
        all["environment"] = Value::Object(environment);
        if let Some(path) = &self.out {
            let text = format!("{all}\n");
            write_whole(path, |file| file.write_all(text.as_bytes()))
                .map_err(|error| BadInput(format!("--out: cannot write {}: {error}", path.display())))?;
        }
        if self.json {
            println!("{all}");
        } else {
            print!("{}", self.head(world, &launches));
            print!("{}", reports::memory::table(&launches));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn check(&self, site: &Site) -> Result<(World, MemoryTest), BadInput> {
        let place = self.world.unwrap_or_else(|| Place::first(site));
        let Place::Real(world) = place else {
            return Err(BadInput(
                "--world: simulated ranks have no memory; expected openmpi, mpich or threads".to_owned(),
            ));
        };
        let most = place.most_ranks(site.cores);
        if let Some(found) = self.ranks.iter().find(|ranks| !(1..=most).contains(ranks)) {
            return Err(BadInput(format!("--ranks: expected 1 to {most} {place}, found {found}")));
        }
        let test = MemoryTest { used: self.used()?, bytes: self.bytes, again: self.again };
        let needed = self.ranks.iter().map(|&ranks| test.buffer_bytes(ranks)).max().unwrap_or(0);
        if needed > LONGEST_BUFFER {
            let message = format!("{} B need a buffer of {needed} B, expected less than 2 GiB", self.bytes);
            return Err(BadInput(format!("--bytes: {message}")));
        }
        Ok((world, test))
    }

    fn used(&self) -> Result<Vec<Used>, BadInput> {
        let mut used = Vec::new();
        for name in &self.operations {
            match name.trim() {
                "all" => used.extend(Used::all()),
                "none" => {}
                name => used.push(Used::all().into_iter().find(|used| used.name() == name).ok_or_else(|| {
                    let known = ["all", "none"].into_iter().chain(Used::all().into_iter().map(Used::name));
                    BadInput(format!("--operations: {}", unknown("operation", name, known)))
                })?),
            }
        }
        // A second first use is none.
        Ok(distinct(used))
    }

    fn head(&self, world: World, launches: &[Launched]) -> String {
        let ran_by = launches.first().map_or("", |launch| launch.ran_by.as_str());
        let whose = if world == World::Threads {
            "all ranks are threads of one process, whose memory this is"
        } else {
            "resident set of the median rank (MB = 10^6 B); shared: its part in shared memory, which ranks count each"
        };
        format!("Memory of {ran_by}\n{whose}; {} B, rise since the line above\n", self.bytes)
    }
}

fn look(launch: &Launch, test: &MemoryTest, ranks: u32) -> anyhow::Result<Launched> {
    let tasks = vec![Task::Memory(test.clone())];
    let answers = launch.carry_out(tasks)?;
    match answers.into_iter().next() {
        Some(Outcome::Memory { ran_by, ranks: found }) => {
            Ok(Launched { ran_by, oversubscribed: ranks > launch.cores(), ranks: found })
        }
        other => bail!("unexpected answer {other:?}"),
    }
}
