//! Words for runs that did not end: who waits for whom.

use super::RunError;
use super::progress::Progress;
use crate::{ANY, Kind, Schedule};

/// So many are named; of the others the number is told.
const NAMED: usize = 8;

/// What is wrong with a run in which nothing can happen any more, given the receives and the sends that
/// found no partner.
pub(super) fn explain(progress: &Progress, receives: &[u32], sends: &[u32]) -> RunError {
    let schedule = progress.schedule;
    if progress.is_complete() {
        return RunError::Unmatched { sends: named(schedule, sends, |op| schedule.describe(op)) };
    }
    let waits = receives.iter().chain(sends).copied().collect::<Vec<u32>>();
    let mut reasons = named(schedule, &waits, |op| {
        let described = schedule.describe(op);
        let op = schedule.ops()[op as usize];
        match (op.kind, op.peer) {
            (Kind::Receive, ANY) => format!("{described} waits for a message from any rank"),
            (Kind::Receive, from) => format!("{described} waits for a message from rank {from}"),
            (Kind::Send | Kind::Calc, to) => format!("{described} waits for a receive of rank {to}"),
        }
    });
    if waits.is_empty() {
        let never: Vec<u32> = (0..schedule.ops().len() as u32).filter(|&op| progress.is_pending(op)).collect();
        reasons = named(schedule, &never, |op| {
            format!("{} is never reached: its dependencies wait for themselves", schedule.describe(op))
        });
    }
    RunError::Deadlock { reasons }
}

/// The first few of a list in words, and how many more there are.
fn named(_schedule: &Schedule, ops: &[u32], words: impl Fn(u32) -> String) -> Vec<String> {
    let mut list: Vec<String> = ops.iter().take(NAMED).map(|&op| words(op)).collect();
    if ops.len() > NAMED {
        list.push(format!("and {} more", ops.len() - NAMED));
    }
    list
}
