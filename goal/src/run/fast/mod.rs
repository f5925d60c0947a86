//! The fast engine: finish times as a recurrence over local clocks, without a queue of events.
//!
//! It takes all operations in one order that respects dependencies and messages but knows no times: each as soon as
//! what it waits for has been taken, sends and calculations at once, a receive when its message has been sent. Each
//! moves its rank's own clock.
//!
//! That is right only if every CPU serves its operations in that order. So the pass checks it as it goes, with the
//! rule of the event engine: an operation may have been taken after another only if it could not have begun
//! before it, or had waited for less long. Whoever had to wait in another order sends the schedule to the event engine.
//! Where the check passes, both engines agree to the picosecond, by induction over time.

mod order;
mod pass;

#[cfg(test)]
mod tests;

use super::{Disturbance, RunError, ScheduleRun};
use crate::{OpKind, Schedule};
use models::network::Network;
use pass::Pass;

/// Reason for which a pass has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The fast engine cannot take this schedule, for this reason.
    Refused(String),
    /// The run fails with an error that every engine would report.
    Failed(RunError),
}

/// Carries out a schedule.
///
/// # Errors
///
/// Fails if the fast engine cannot take it, or if times left their range.
pub(super) fn run<D: Disturbance>(schedule: &Schedule, network: &Network, noise: &D) -> Result<ScheduleRun, Stop> {
    if schedule.has_wildcards() {
        return Err(Stop::Refused("it has wildcards: which message comes first depends on times".to_owned()));
    }
    let cpus = own_cpus(schedule)?;
    let mut pass = Pass::new(schedule, network, |rank| noise.for_cpu(rank, cpus[rank as usize]))?;
    pass.go()?;
    pass.result()
}

/// Returns the one CPU that each rank uses.
fn own_cpus(schedule: &Schedule) -> Result<Vec<u8>, Stop> {
    if schedule.cpus() == 1 && schedule.nics() == 1 {
        return Ok(vec![0; schedule.ranks() as usize]);
    }
    let mut cpus = Vec::with_capacity(schedule.ranks() as usize);
    for rank in 0..schedule.ranks() {
        let ops = schedule.ops_of(rank);
        let ops = &schedule.ops()[ops.start as usize..ops.end as usize];
        let cpu = ops.first().map_or(0, |op| op.cpu);
        let nic = ops.iter().find(|op| op.kind != OpKind::Calc).map_or(0, |op| op.nic);
        if ops.iter().any(|op| op.cpu != cpu || (op.kind != OpKind::Calc && op.nic != nic)) {
            return Err(Stop::Refused(format!("rank {rank} uses several CPUs or network interfaces at once")));
        }
        cpus.push(cpu);
    }
    Ok(cpus)
}
