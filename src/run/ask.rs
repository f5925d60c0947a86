//! Asking real ranks something outside of a campaign: a job, and all its answers.

use super::{BadInput, serve, watch};
use crate::environment::cores;
use crate::launch::{Library, Site, SiteFlags};
use anyhow::Context;
use measure::job::{Job, Outcome, Task};
use models::clock::ClockKind;
use models::network::{Hockney, SendRule};
use models::observation::{Carrier, World};
use models::time::{PerByte, Span};
use std::time::Duration;

/// Ranks that get nowhere for so long are given up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A world by its name, for flags.
pub fn world(text: &str) -> Result<World, String> {
    let known = [World::Threads, World::Openmpi, World::Mpich];
    known.into_iter().find(|world| world.name() == text).ok_or_else(|| "expected threads, openmpi or mpich".to_owned())
}

/// A job for which messages of collectives do not matter.
pub fn job(world: World, ranks: u32, clock: ClockKind, tasks: Vec<Task>) -> Job {
    let carrier = if world == World::Threads { Carrier::Emulated } else { Carrier::Native };
    let emulated = Hockney { alpha: Span::from_us(20), beta: PerByte(0.0), send_rule: SendRule::Eager };
    Job { ranks, cores: cores(), hosts: 1, world, carrier, emulated, buffer_bytes: 64, clock, tasks }
}

/// Starts the ranks of a job, on the hosts that the environment names, and returns what they answered.
///
/// # Errors
/// No launcher, a rank that died or hung, or what the ranks refused.
pub fn ask(job: &Job) -> anyhow::Result<Vec<Outcome>> {
    let library = Library::of(job.world);
    let site = if library.is_some() { SiteFlags::default().site()? } else { Site::here() };
    let job = &Job { cores: site.cores, hosts: site.host_count(), ..job.clone() };
    let launcher = library.map(|library| site.find(library)).transpose();
    let launcher = launcher.map_err(|absent| BadInput(absent.to_string()))?;
    // Temporary folders are a host's own; where the user is, all hosts may see the files.
    let around = if site.hosts.is_empty() { std::env::temp_dir() } else { std::env::current_dir()? };
    let folder = tempfile::Builder::new().prefix("parallax-ask-").tempdir_in(around).context("cannot make a folder")?;
    let place = folder.path().join("job");
    let command = serve::command(launcher.as_ref(), &site, job, &place)?;
    let mut answers = Vec::new();
    watch::carry_out(command, job, &place, PATIENCE, |outcome| {
        if let Outcome::Refused(reason) = outcome {
            return Err(BadInput(reason).into());
        }
        answers.push(outcome);
        Ok(())
    })?;
    Ok(answers)
}
