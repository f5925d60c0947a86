//! Collectives as schedules: each rank's steps in program order, one step requiring the one before.

use super::build::{Draft, SchedulePart};
use super::{Edge, Op, OpKind, Schedule};
use models::collective::{Algorithm, Shape, Step};

/// Makes the schedule of some calls of an algorithm, back to back on every rank.
///
/// A send and a receive of one step both require all of the step before. The next step requires both. Receives that are
/// posted and sends that are started require the step before, and the step after the wait requires all of them.
///
/// # Errors
///
/// Fails for more operations than a schedule can hold.
pub fn export(algorithm: &Algorithm, shape: &Shape, calls: u32) -> Result<Schedule, String> {
    let mut part = SchedulePart::default();
    let mut draft = Draft::default();
    for rank in 0..shape.ranks {
        draft.clear();
        let (mut before, mut under_way): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for step in (0..calls).flat_map(|_| algorithm.steps(shape, rank)) {
            let first = draft.ops.len() as u32;
            add_step(&mut draft, &step);
            let now = first..draft.ops.len() as u32;
            for op in now.clone() {
                draft.dependencies.extend(before.iter().map(|&earlier| (earlier, Edge::new(op, false))));
            }
            match step {
                Step::Send { .. } | Step::Receive { .. } | Step::Exchange { .. } => before = now.collect(),
                Step::Post { .. } | Step::Start { .. } => under_way.extend(now),
                Step::WaitAll if !under_way.is_empty() => before = std::mem::take(&mut under_way),
                // Copies within a rank take no time but where a platform says so, and schedules know of none.
                Step::WaitAll | Step::Local { .. } => {}
            }
        }
        part.add(rank, 0, &mut draft)?;
    }
    part.finish(shape.ranks).map_err(|(_, reason)| reason)
}

fn add_step(draft: &mut Draft, step: &Step) {
    let mut add = |kind, peer, size| {
        let line = draft.ops.len() as u32 + 1;
        draft.ops.push(Op { size, peer, tag: 0, line, kind, cpu: 0, nic: 0 });
    };
    if let Some((to, part)) = step.sent() {
        add(OpKind::Send, to, part.bytes);
    }
    if let Some((from, part, _)) = step.received() {
        add(OpKind::Receive, from, part.bytes);
    }
}
