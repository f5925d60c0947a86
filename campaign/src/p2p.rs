//! Real ranks for a test of their own, apart from campaigns: one launch, one job.

use crate::environment::{facts, launches};
use crate::launch::Site;
use crate::{Start, notice_interrupts};
use anyhow::{Context, bail};
use measure::job::{Outcome, Task};
use models::library::Kin;
use models::memory::{MemoryTest, Probe};
use models::network::Hockney;
use models::observation::World;
use models::point_to_point::{Record, Test};
use scenario::BadInput;
use serde_json::{Value, json};
use std::time::Duration;

/// Ranks that are to be started together.
pub struct Launch(Start);

impl Launch {
    /// So many ranks of a world on a site.
    pub fn new(
        world: World,
        ranks: u32,
        emulated: Hockney,
        patience: Duration,
        site: &Site,
    ) -> Result<Launch, BadInput> {
        Ok(Launch(Start { emulated, patience, ..Start::new(world, ranks, site)? }))
    }

    /// Ranks that have a core of their own, on all hosts together.
    pub fn cores(&self) -> u32 {
        self.0.site.cores
    }

    /// What readers must know of ranks that outnumber the cores.
    pub fn notes(&self) -> Vec<String> {
        let (ranks, cores) = (self.0.ranks, self.cores());
        if ranks <= cores {
            return Vec::new();
        }
        let waiting = match self.0.world {
            World::Threads | World::Simulated => "ranks sleep and yield while they wait",
            World::Mpi(library) => match library.kin {
                Kin::OpenMpi => "Open MPI's ranks yield while they wait (mpi_yield_when_idle)",
                Kin::Mpich => "MPICH's ranks spin while they wait in its calls: even a barrier may take milliseconds",
            },
        };
        vec![format!("oversubscribed: {ranks} ranks share {cores} cores, and times hold waits for a core; {waiting}")]
    }

    /// Carries out tasks, each with one answer.
    pub fn carry_out(&self, tasks: Vec<Task>) -> anyhow::Result<Vec<Outcome>> {
        self.0.ask(&self.0.job(tasks))
    }

    /// Carries out a test; who did it, what it recorded, and what was in memory before and after it.
    pub fn test(&self, test: &Test) -> anyhow::Result<(String, Record, Value)> {
        notice_interrupts()?;
        let look = || Task::Memory(MemoryTest::look());
        let tasks = vec![look(), Task::PointToPoint(test.clone()), look()];
        let answers = self.carry_out(tasks)?;
        let mut looks: Vec<Vec<Vec<Probe>>> = Vec::new();
        let mut found = None;
        for answer in answers {
            match answer {
                Outcome::Memory { ranks, .. } => looks.push(ranks),
                Outcome::PointToPoint { ran_by, record } => found = Some((ran_by, record)),
                Outcome::Refused(reason) => return Err(BadInput(reason).into()),
                other => bail!("unexpected answer {other:?}"),
            }
        }
        let (ran_by, record) = found.context("no answer")?;
        let [before, after] = &looks[..] else { bail!("memory was looked at {} times", looks.len()) };
        let memory = json!({
            "one_process": self.0.launcher.is_none(),
            "before": before,
            "after": after.iter().map(|rank| rank.last()).collect::<Vec<_>>(),
        });
        Ok((ran_by, record, memory))
    }

    /// What is known of this machine and of what starts the ranks.
    pub fn facts(&self) -> Vec<(String, String)> {
        let launchers = self.0.launcher.as_slice();
        let mut facts = facts(launchers, &self.0.site);
        facts.extend(launches(launchers, &[self.0.ranks], &self.0.site));
        facts
    }

    /// The line that starts the ranks, for a shell.
    pub fn line(&self) -> Option<String> {
        self.0.line()
    }
}
