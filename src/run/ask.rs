//! Asking real ranks something outside of a campaign: a job, and all its answers.

use super::{BadInput, serve, watch};
use crate::environment::cores;
use crate::launch::{self, Library};
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
    Job { ranks, cores: cores(), world, carrier, emulated, buffer_bytes: 64, clock, tasks }
}

/// Starts the ranks of a job, and returns what they answered.
///
/// # Errors
/// No launcher, a rank that died or hung, or what the ranks refused.
pub fn ask(job: &Job) -> anyhow::Result<Vec<Outcome>> {
    let launcher =
        Library::of(job.world).map(launch::find).transpose().map_err(|absent| BadInput(absent.to_string()))?;
    let folder = tempfile::Builder::new().prefix("parallax-ask-").tempdir().context("cannot make a folder")?;
    let place = folder.path().join("job");
    let command = serve::command(launcher.as_ref(), job, &place)?;
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
