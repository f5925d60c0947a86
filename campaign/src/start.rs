//! Ranks that are started together: where, how many, over what; the job they are given, and their answers.

use crate::launch::{Launcher, Site};
use crate::watch::Hears;
use crate::{serve, watch};
use anyhow::Context;
use measure::board::Status;
use measure::job::{Job, Outcome, Task};
use models::clock::{ClockKind, DrawnClocks};
use models::library::Kin;
use models::network::Hockney;
use models::observation::{Carrier, Emulation, World};
use scenario::BadInput;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// Ranks of one world, and what starts them.
#[derive(Clone)]
pub struct Start {
    /// Where.
    pub world: World,
    /// How many.
    pub ranks: u32,
    /// What carries the messages of collectives: a library's own transport, where there is a library.
    pub carrier: Carrier,
    /// The network that is emulated where the carrier leaves it to be given; one without time, unless something is said.
    pub emulated: Hockney,
    /// The clock that ranks read.
    pub clock: ClockKind,
    /// How that is made imperfect, if it is.
    pub clocks: Option<DrawnClocks>,
    /// Ranks that get nowhere for so long are given up.
    pub patience: Duration,
    /// On which hosts.
    pub site: Site,
    /// What starts them, if they are processes.
    pub launcher: Option<Launcher>,
}

impl Start {
    /// Ranks on a site; threads are on this machine in any case.
    ///
    /// # Errors
    /// What the library lacks, and the command that brings it.
    pub fn new(world: World, ranks: u32, site: &Site) -> Result<Start, BadInput> {
        let release = world.release();
        let site = if release.is_some() { site.clone() } else { Site::here() };
        let launcher = release.map(|release| site.find(release)).transpose();
        let launcher = launcher.map_err(|absent| BadInput(absent.to_string()))?;
        Ok(Start {
            world,
            ranks,
            carrier: usual_carrier(world),
            emulated: Emulation::Untimed.named(),
            clock: ClockKind::Automatic,
            clocks: None,
            patience: Duration::from_secs(60),
            site,
            launcher,
        })
    }

    /// What the ranks are asked to do.
    pub fn job(&self, tasks: Vec<Task>) -> Job {
        Job {
            ranks: self.ranks,
            cores: self.site.cores,
            hosts: self.site.host_count(),
            world: self.world,
            carrier: self.carrier,
            emulated: self.carrier.emulates().unwrap_or(self.emulated),
            clock: self.clock,
            clocks: self.clocks,
            tasks,
        }
    }

    /// Starts the ranks, which carry out a job; `tell` hears of every outcome as soon as it is there. The job's files
    /// are in `folder`, which stays if ranks died.
    ///
    /// # Errors
    /// A rank that died or hung, by name; or what `tell` says.
    pub fn carry_out(
        &self,
        job: &Job,
        folder: &Path,
        tell: impl FnMut(Outcome) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.heard(job, folder, tell)
    }

    fn heard(&self, job: &Job, folder: &Path, hears: impl Hears) -> anyhow::Result<()> {
        let place = serve::take(folder.parent().unwrap_or(folder))?;
        let command = serve::command(self.launcher.as_ref(), &self.site, job, folder)?;
        watch::carry_out(command, job, (folder, &place), self.patience, hears).with_context(|| {
            format!("{} ranks on {} ({} network)", self.ranks, self.world.title(), self.carrier.name())
        })
    }

    /// All answers to a job outside of a campaign, of which nothing stays; `hear` hears of every answer as soon as it is there.
    ///
    /// # Errors
    /// As [`Start::carry_out`]; what the ranks refused.
    pub fn ask(&self, job: &Job, mut hear: impl FnMut(&Outcome)) -> anyhow::Result<Vec<Outcome>> {
        let mut answers = Vec::new();
        self.ask_until(job, |outcome| {
            hear(outcome);
            answers.push(outcome.clone());
            Ok(())
        })?;
        Ok(answers)
    }

    /// The same, as long as `hear` says nothing against it: its error ends the ranks.
    ///
    /// # Errors
    /// As [`Start::ask`]; what `hear` says.
    pub fn ask_until(&self, job: &Job, mut hear: impl FnMut(&Outcome) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let folder = passing_folder(&self.site)?;
        self.carry_out(job, &folder.path().join("job"), |outcome| match outcome {
            Outcome::Refused(reason) => Err(BadInput(reason).into()),
            outcome => hear(&outcome),
        })
    }

    /// Has ranks carry out a job of which nothing stays, while `look` sees what those lose that record live, five times a second. Its
    /// error ends them.
    ///
    /// # Errors
    /// As [`Start::ask`]; what `look` says.
    pub fn watch(&self, job: &Job, look: impl FnMut(&[Status]) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let folder = passing_folder(&self.site)?;
        self.heard(job, &folder.path().join("job"), Looking(look))
    }

    /// What readers must know of ranks that outnumber the cores.
    pub(crate) fn notes(&self) -> Vec<String> {
        let (ranks, cores) = (self.ranks, self.site.cores);
        if ranks <= cores {
            return Vec::new();
        }
        let waiting = match self.world {
            World::Threads | World::Simulated => "ranks sleep and yield while they wait",
            World::Mpi(release) => match release.library().kin {
                Kin::OpenMpi => "Open MPI's ranks yield while they wait (mpi_yield_when_idle)",
                Kin::Mpich => "MPICH's ranks spin while they wait in its calls: even a barrier may take milliseconds",
            },
        };
        vec![format!(
            "oversubscribed: {ranks} ranks share {cores} cores, and times include waits for a core; {waiting}"
        )]
    }

    /// The line that starts them, for a shell.
    pub fn line(&self) -> Option<String> {
        let arguments = serve::arguments(Path::new("JOB"));
        self.launcher.as_ref().map(|launcher| launcher.line(self.ranks, &self.site, &arguments))
    }
}

/// Hears what ranks refuse, and looks at what they lose.
struct Looking<F>(F);

impl<F: FnMut(&[Status]) -> anyhow::Result<()>> Hears for Looking<F> {
    fn outcome(&mut self, outcome: Outcome) -> anyhow::Result<()> {
        match outcome {
            Outcome::Refused(reason) => Err(BadInput(reason).into()),
            _ => Ok(()),
        }
    }

    fn look(&mut self, ranks: &[Status]) -> anyhow::Result<bool> {
        (self.0)(ranks).map(|()| true)
    }
}

/// What carries the messages of collectives, unless something is said: a library's own transport, where there is a library.
pub(crate) fn usual_carrier(world: World) -> Carrier {
    if world.library().is_some() { Carrier::Native } else { Carrier::EMULATED }
}

/// A folder of which nothing stays; other hosts of a site see it, if there are any.
///
/// # Errors
/// A folder that cannot be made.
pub fn passing_folder(site: &Site) -> anyhow::Result<TempDir> {
    let place = if site.host_count() > 1 { std::env::current_dir()? } else { std::env::temp_dir() };
    let folder = tempfile::Builder::new().prefix("parallax-job-").tempdir_in(place);
    folder.context("cannot make a folder")
}
