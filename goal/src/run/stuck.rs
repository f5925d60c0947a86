//! Sentences for runs that did not end: who waits for whom.

use super::RunError;
use super::progress::Progress;
use crate::{ANY, OpKind};

/// Number of operations that are named. Of the others only the number is given.
const NAMED: usize = 8;

/// Returns the error of a run in which nothing can happen any more, given the receives and the sends that found no
/// partner.
pub(super) fn explain(progress: &Progress, receives: &[u32], sends: &[u32]) -> RunError {
    let schedule = progress.schedule;
    if progress.is_complete() {
        let words = |op| format!("{}{}", schedule.describe(op), chosen(progress, op));
        return RunError::Unmatched { sends: named(sends, words) };
    }
    let waits = receives.iter().chain(sends).copied().collect::<Vec<u32>>();
    let mut reasons = named(&waits, |op| {
        let (described, chosen) = (schedule.describe(op), chosen(progress, op));
        let op = schedule.ops()[op as usize];
        match (op.kind, op.peer) {
            (OpKind::Receive, ANY) => format!("{described} waits for a message from any rank{chosen}"),
            (OpKind::Receive, from) => format!("{described} waits for a message from rank {from}{chosen}"),
            (OpKind::Send | OpKind::Calc, to) => {
                format!("{described} waits for a receive of rank {to}{chosen}")
            }
        }
    });
    if waits.is_empty() {
        let never: Vec<u32> = (0..schedule.ops().len() as u32).filter(|&op| progress.is_pending(op)).collect();
        reasons = named(&never, |op| {
            format!("{} is never reached: its dependencies wait for themselves", schedule.describe(op))
        });
    }
    RunError::Deadlock { reasons }
}

/// Names the receive by wildcard that had a choice: one that took the message that would fit a waiting receive, or that
/// would fit a waiting message and took another. Empty where there is none.
fn chosen(progress: &Progress, waiting: u32) -> String {
    let schedule = progress.schedule;
    let ops = schedule.ops();
    let fits = |receive: u32, send: u32| {
        let (wanted, sent) = (ops[receive as usize], ops[send as usize]);
        let same_rank = sent.peer == schedule.rank_of(receive);
        let from = wanted.peer == ANY || wanted.peer == schedule.rank_of(send);
        same_rank && from && (wanted.tag == ANY || sent.tag == ANY || wanted.tag == sent.tag)
    };
    let is_receive = ops[waiting as usize].kind == OpKind::Receive;
    let found = progress.chosen.iter().find(|&&(receive, send)| match is_receive {
        true => fits(waiting, send),
        false => fits(receive, waiting),
    });
    found.map_or_else(String::new, |&(receive, send)| {
        let (receive, send) = (schedule.describe(receive), schedule.describe(send));
        match is_receive {
            true => format!(", but {receive} has taken {send}, which fits"),
            false => format!(", but {receive}, which fits, has taken {send}"),
        }
    })
}

/// Returns the first few of a list in words, and the number of the others.
fn named(ops: &[u32], words: impl Fn(u32) -> String) -> Vec<String> {
    let mut list: Vec<String> = ops.iter().take(NAMED).map(|&op| words(op)).collect();
    if ops.len() > NAMED {
        list.push(format!("and {} more", ops.len() - NAMED));
    }
    list
}
