//! What an MPI library keeps in each rank's memory, against ranks and operations.

use crate::p2p::Place;
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
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Ranks whose memory is looked at.
pub struct Memories<'a> {
    /// Where they run; none: the first MPI library that is here, else threads.
    pub world: Option<Place>,
    /// Numbers of ranks, each a launch of its own.
    pub ranks: Vec<u32>,
    /// What is used, in this order: pairs and collectives, or all, or none.
    pub operations: Vec<String>,
    /// Bytes of a message or a block.
    pub bytes: u64,
    /// Look again after this many further uses of each.
    pub again: u32,
    /// Ranks that get nowhere for so long are given up.
    pub patience: Duration,
    /// Where MPI ranks run, and what starts them.
    pub site: &'a Site,
}

/// Threads are joined by a network that takes no time.
const NO_TIME: Hockney = Hockney { alpha: Span::ZERO, beta: PerByte(0.0), send_rule: SendRule::Eager };

impl Memories<'_> {
    /// Starts ranks and looks; a table, and all of it for programs.
    ///
    /// # Errors
    /// What is wrong with the choices; ranks that died or hung.
    pub fn look(&self) -> anyhow::Result<(String, Value)> {
        let (world, test) = self.check(self.site)?;
        campaign::notice_interrupts()?;
        let mut launches = Vec::new();
        let mut notes = Vec::new();
        // By label: of what holds for all launches, the last.
        let mut environment = Vec::new();
        for &ranks in &self.ranks {
            let launch = Launch::new(world, ranks, NO_TIME, self.patience, self.site)?;
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
        let table = self.head(world, &launches) + &reports::memory::table(&launches);
        Ok((table, all))
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
