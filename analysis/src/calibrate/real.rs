//! Real ranks: one launch for nearly everything, more of them for rehearsals, fresh ones for first messages.

use super::Answers;
use super::plan::CalibrationPlan;
use crate::load::LoadWatch;
use campaign::Start;
use measure::job::Outcome;

/// Carries out all launches of a plan and returns the answers.
pub(super) fn run_launches(
    start: &Start,
    plan: &CalibrationPlan,
    mut hear: impl FnMut(&Outcome),
) -> anyhow::Result<Answers> {
    let watch = LoadWatch::begin();
    let mut launches = Vec::new();
    for tasks in plan.launches() {
        let job = start.job(tasks);
        job.fits().map_err(scenario::BadInput)?;
        launches.push(start.ask(&job, &mut hear)?);
    }
    Ok(Answers { launches, launch: start.line(), load: watch.sentence() })
}
