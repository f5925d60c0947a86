//! Ranks that are started together: their world, number and carrier, their job, and their answers.

use crate::launch::{Launcher, Site};
use crate::watch::Hears;
use crate::{serve, watch};
use anyhow::Context;
use measure::board::Status;
use measure::job::{Job, Outcome, Task};
use models::clock::{ClockKind, DrawnClocks};
use models::library::Kin;
use models::network::Hockney;
use programs::observation::{Carrier, Emulation, World};
use scenario::BadInput;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// Ranks of one world, with the launcher that starts them.
#[derive(Clone)]
pub struct Start {
    /// World of the ranks.
    pub world: World,
    /// Number of the ranks.
    pub ranks: u32,
    /// Carrier of the collectives' messages: a library's own transport, where there is a library.
    pub carrier: Carrier,
    /// Network that is emulated where the carrier does not determine it. It takes no time unless it is set.
    pub emulated: Hockney,
    /// Clock that the ranks read.
    pub clock: ClockKind,
    /// Errors that make the clock imperfect, if there are any.
    pub clocks: Option<DrawnClocks>,
    /// Time without progress after which ranks are given up.
    pub patience: Duration,
    /// Hosts and launcher of the ranks.
    pub site: Site,
    /// Launcher that starts them. `None` for threads.
    pub launcher: Option<Launcher>,
}

impl Start {
    /// Returns ranks on a site. Threads run on this machine in any case.
    ///
    /// # Errors
    /// Names the missing part of the library, and the command that installs it.
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

    /// Returns the job with these tasks.
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

    /// Starts the ranks, which carry out a job. `tell` receives every outcome as soon as it exists. The job's files are
    /// in `folder`, which stays if ranks died.
    ///
    /// # Errors
    /// Fails with the name of a rank that died or hung, and with the error of `tell`.
    pub fn run_job(
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
        watch::run_watched(command, job, (folder, &place), self.patience, hears).with_context(|| {
            format!("{} ranks on {} ({} network)", self.ranks, self.world.title(), self.carrier.name())
        })
    }

    /// Returns all answers to a job outside of a campaign, whose files are removed. `hear` receives every answer as
    /// soon as it exists.
    ///
    /// # Errors
    /// Fails where [`Start::run_job`] fails, and if the ranks refused a task.
    pub fn ask(&self, job: &Job, mut hear: impl FnMut(&Outcome)) -> anyhow::Result<Vec<Outcome>> {
        let mut answers = Vec::new();
        self.ask_until(job, |outcome| {
            hear(outcome);
            answers.push(outcome.clone());
            Ok(())
        })?;
        Ok(answers)
    }

    /// Carries out a job like [`Start::ask`], without collecting the answers. An error of `hear` ends the ranks.
    ///
    /// # Errors
    /// Fails where [`Start::ask`] fails, and with the error of `hear`.
    pub fn ask_until(&self, job: &Job, mut hear: impl FnMut(&Outcome) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let folder = passing_folder(&self.site)?;
        self.run_job(job, &folder.path().join("job"), |outcome| match outcome {
            Outcome::Refused(reason) => Err(BadInput(reason).into()),
            outcome => hear(&outcome),
        })
    }

    /// Has ranks carry out a job whose files are removed. Five times a second `look` receives the lost time of the
    /// ranks that record live. Its error ends them.
    ///
    /// # Errors
    /// Fails where [`Start::ask`] fails, and with the error of `look`.
    pub fn watch(&self, job: &Job, look: impl FnMut(&[Status]) -> anyhow::Result<()>) -> anyhow::Result<()> {
        let folder = passing_folder(&self.site)?;
        self.heard(job, &folder.path().join("job"), Looking(look))
    }

    /// Returns notes for readers about ranks that outnumber the cores.
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

    /// Returns the command line that starts them, for a shell. `None` for threads.
    pub fn line(&self) -> Option<String> {
        let arguments = serve::arguments(Path::new("JOB"));
        self.launcher.as_ref().map(|launcher| launcher.line(self.ranks, &self.site, &arguments))
    }
}

/// Receiver of refusals, which looks at the time that ranks lose.
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

/// Returns the default carrier of the collectives' messages: a library's own transport, where there is a library.
pub(crate) fn usual_carrier(world: World) -> Carrier {
    if world.library().is_some() { Carrier::Native } else { Carrier::EMULATED }
}

/// Returns a temporary folder. Other hosts of a site see it, if there are any.
///
/// # Errors
/// Fails if the folder cannot be created.
pub fn passing_folder(site: &Site) -> anyhow::Result<TempDir> {
    let place = if site.host_count() > 1 { std::env::current_dir()? } else { std::env::temp_dir() };
    let folder = tempfile::Builder::new().prefix("parallax-job-").tempdir_in(place);
    folder.context("cannot make a folder")
}
