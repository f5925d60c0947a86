//! The memory that an MPI library keeps in each rank, against ranks and operations.

use crate::p2p::RankPlace;
use campaign::launch::Site;
use campaign::testing::{LaunchTasks, OfMemory, TestPlan};
use measure::job::Task;
use models::limits::LONGEST_BUFFER;
use models::names::unknown;
use programs::memory::{MemoryTest, Used};
use programs::observation::{Emulation, World};
use render::groups::distinct;
use scenario::BadInput;

/// Request to examine the memory of ranks.
pub struct Memories<'a> {
    /// Place where the ranks run; `None` for the first installed MPI library, else threads.
    pub world: Option<RankPlace>,
    /// Numbers of ranks, each a launch of its own.
    pub ranks: Vec<u32>,
    /// Uses of the library in this order: pairs and collectives, or `all`, or `none`.
    pub operations: Vec<String>,
    /// Length of a message or a block, in bytes.
    pub bytes: u64,
    /// Number of further uses of each, after which memory is examined again.
    pub again: u32,
    /// Programs and cores that start and carry MPI ranks.
    pub site: &'a Site,
}

impl Memories<'_> {
    /// Returns the plan with the tasks of each launch.
    ///
    /// # Errors
    /// States the fault of the request.
    pub fn plan(&self) -> Result<TestPlan<OfMemory>, BadInput> {
        let (world, test) = self.check(self.site)?;
        let asked = |&ranks: &u32| LaunchTasks::new(world, ranks, vec![Task::Memory(test.clone())]);
        Ok(TestPlan::new(world, Emulation::Untimed.named(), self.ranks.iter().map(asked).collect()))
    }

    fn check(&self, site: &Site) -> Result<(World, MemoryTest), BadInput> {
        let place = self.world.unwrap_or_else(|| RankPlace::first(site));
        let RankPlace::Real(world) = place else {
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
        // A use counts as the first one only once.
        Ok(distinct(used))
    }
}
