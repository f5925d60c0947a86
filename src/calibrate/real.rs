//! Real ranks: fresh launches for first messages, one for nearly everything, one for cold buffers.

use super::Answers;
use super::plan::Plan;
use crate::load::LoadWatch;
use crate::run::Start;
use measure::job::Outcome;

/// Answers all of a plan.
pub fn carry_out(start: &Start, plan: &Plan, launches: u32, mut hear: impl FnMut(&Outcome)) -> anyhow::Result<Answers> {
    let watch = LoadWatch::begin();
    let fresh = (0..launches).map(|_| vec![plan.connect.clone()]);
    let mut outcomes = Vec::new();
    for tasks in fresh.chain([plan.whole.clone(), plan.copies.clone()]) {
        let job = start.job(tasks);
        job.fits().map_err(crate::bad_input::BadInput)?;
        outcomes.extend(start.ask_and_watch(&job, &mut hear)?);
    }
    Ok(Answers { outcomes, launch: start.line(), load: watch.sentence() })
}
