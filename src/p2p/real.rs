//! Real ranks: one launch, one job, watched over as those of a scenario.

use super::Place;
use crate::bad_input::BadInput;
use crate::environment::cores;
use crate::launch::{self, Launcher, Library};
use crate::run::{notice_interrupts, serve, watch};
use anyhow::{Context, bail};
use measure::job::{Job, Outcome, Task};
use models::memory::{MemoryTest, Probe};
use models::network::Hockney;
use models::observation::{Carrier, World};
use models::point_to_point::{Record, Test};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// Ranks that are to be started together.
pub struct Launch {
    world: World,
    ranks: u32,
    launcher: Option<Launcher>,
    emulated: Hockney,
    patience: Duration,
}

impl Launch {
    /// So many ranks of a world.
    pub fn new(world: World, ranks: u32, emulated: Hockney, patience: Duration) -> Result<Launch, BadInput> {
        let launcher = Library::of(world).map(launch::find).transpose();
        let launcher = launcher.map_err(|absent| BadInput(absent.to_string()))?;
        Ok(Launch { world, ranks, launcher, emulated, patience })
    }

    /// Carries out tasks, each with one answer; the job's folder is gone afterwards.
    pub fn carry_out(&self, tasks: Vec<Task>, buffer_bytes: u64, folder: &Path) -> anyhow::Result<Vec<Outcome>> {
        let carrier = if self.launcher.is_some() { Carrier::Native } else { Carrier::Emulated };
        let (world, ranks, emulated) = (self.world, self.ranks, self.emulated);
        let job = Job { ranks, cores: cores(), world, carrier, emulated, buffer_bytes, tasks };
        let command = serve::command(self.launcher.as_ref(), &job, folder)?;
        let mut answers = Vec::new();
        let done = watch::carry_out(command, &job, folder, self.patience, |outcome| {
            answers.push(outcome);
            Ok(())
        });
        std::fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
        done.with_context(|| format!("{ranks} ranks on {}", world.title()))?;
        Ok(answers)
    }

    /// Carries out a test; who did it, what it recorded, and what was in memory before and after it.
    pub fn test(&self, test: &Test, folder: &Path) -> anyhow::Result<(String, Record, Value)> {
        notice_interrupts()?;
        let look = || Task::Memory(MemoryTest::look());
        let tasks = vec![look(), Task::PointToPoint(test.clone()), look()];
        let answers = self.carry_out(tasks, test.buffer_bytes(), folder)?;
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
            "one_process": self.launcher.is_none(),
            "before": before,
            "after": after.iter().map(|rank| rank.last()).collect::<Vec<_>>(),
        });
        Ok((ran_by, record, memory))
    }

    /// The launcher, if ranks are processes.
    pub fn launcher(&self) -> &[Launcher] {
        self.launcher.as_slice()
    }

    /// The line that starts the ranks, for a shell.
    pub fn line(&self) -> Option<String> {
        let arguments = serve::arguments(Path::new("JOB"));
        self.launcher.as_ref().map(|launcher| launcher.line(self.ranks, cores() as usize, &arguments))
    }
}

/// What readers must know of ranks that outnumber the cores.
pub fn notes(world: World, ranks: u32) -> Vec<String> {
    let cores = cores();
    if ranks <= cores {
        return Vec::new();
    }
    let waiting = match world {
        World::Threads => "ranks sleep and yield while they wait",
        World::Openmpi => "Open MPI's ranks yield while they wait (mpi_yield_when_idle)",
        World::Mpich => "MPICH's ranks spin while they wait in its calls: even a barrier may take milliseconds",
    };
    vec![format!("oversubscribed: {ranks} ranks share {cores} cores, and times hold waits for a core; {waiting}")]
}

/// Prints the line that would start the ranks.
pub fn print_launch(place: Place, ranks: u32, test: &str) -> anyhow::Result<ExitCode> {
    match place {
        Place::Real(world) if world != World::Threads => {
            let nothing_played = super::place::emulated_by_default();
            let launch = Launch::new(world, ranks, nothing_played, Duration::ZERO)?;
            println!("# {}, {ranks} ranks, {test} test\n{}", world.title(), launch.line().unwrap_or_default());
        }
        Place::Real(_) | Place::Simulated => println!("# {ranks} {place}: no launcher"),
    }
    Ok(ExitCode::SUCCESS)
}
