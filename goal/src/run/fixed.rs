//! Check that every rank does its work in one order, whatever the times.
//!
//! Then each time of a run is the greatest of sums of the model's parameters, so convex in each of them. The check
//! shows less than is true: a schedule may keep its order for reasons that no rank by itself can know.
//!
//! The operations of a rank must follow each other in levels, each of which requires all of the one before: of one
//! operation, or of a send and a receive, as a step that exchanges has them. The CPU is idle when a level is ready, and
//! takes the send first, unless the rank's interface holds it back behind an earlier send. It does not where the rank's
//! own work since then takes at least as long as the interface does.

use super::Rules;
use crate::{Op, OpKind, Schedule};
use models::network::{Message, Network, NetworkModel, Port};
use models::noise::Quiet;
use models::time::{Span, Time};

/// Checks that a schedule does its work in one order under these rules. If so, one order holds for all of them, and for
/// all whose parameters lie between theirs.
///
/// # Errors
///
/// Gives the first reason for which no order is known to be fixed.
pub fn fixed_order(schedule: &Schedule, rules: &[Rules]) -> Result<(), String> {
    if schedule.has_wildcards() {
        return Err("it has wildcards: which message comes first depends on times".to_owned());
    }
    if schedule.cpus() > 1 || schedule.nics() > 1 {
        return Err("it has ranks of several CPUs or interfaces".to_owned());
    }
    let networks = rules.iter().map(|rules| match rules {
        Rules::Network(network) => Ok(network),
        Rules::LoggopsimV1(_) => Err("LogGOPSim's rules serve messages in the order in which they come".to_owned()),
    });
    let networks: Vec<&Network> = networks.collect::<Result<_, _>>()?;
    (0..schedule.ranks()).try_for_each(|rank| ordered(schedule, rank, &networks))
}

fn ordered(schedule: &Schedule, rank: u32, networks: &[&Network]) -> Result<(), String> {
    let levels = levels(schedule, rank)?;
    // Of each network: when the interface is free for the next send, and what the rank has done since the last, from
    // the begin of that send on.
    let mut since: Vec<Option<(Span, Span)>> = vec![None; networks.len()];
    for level in levels {
        let ops = &schedule.ops()[level.0 as usize..=level.1 as usize];
        for (network, since) in networks.iter().zip(&mut since) {
            let held = since.is_some_and(|(interface, done)| interface > done);
            if held && ops.len() > 1 {
                let found = schedule.describe(level.0);
                return Err(format!(
                    "{found} may wait for its interface, and other operations that are ready then overtake it"
                ));
            }
            for op in
                ops.iter().filter(|op| op.kind == OpKind::Send).chain(ops.iter().filter(|op| op.kind != OpKind::Send))
            {
                let (interface, work) = cost(network, op);
                *since = match (op.kind, *since) {
                    (OpKind::Send, _) => Some((interface, work)),
                    (_, before) => before.map(|(interface, done)| (interface, done + work)),
                };
            }
        }
    }
    Ok(())
}

/// Returns, from an operation's begin, the time until which its interface is taken, and the least CPU time that it
/// takes. (Of a receive nothing is counted: its sender knows the length of its message.)
fn cost(network: &Network, op: &Op) -> (Span, Span) {
    match op.kind {
        OpKind::Calc => (Span::ZERO, Span(op.size.saturating_mul(1_000))),
        OpKind::Receive => (Span::ZERO, Span::ZERO),
        OpKind::Send => {
            let mut port = Port::default();
            let departure = network.send(&mut port, &Message { from: 0, to: 1, bytes: op.size }, &mut Quiet);
            // An operation that requires a send begins when it has been released.
            let free = departure.released.unwrap_or(port.cpu).max(port.cpu);
            (port.next_send.since(Time::ZERO), free.since(Time::ZERO))
        }
    }
}

/// Returns the first and the last operation of each level.
fn levels(schedule: &Schedule, rank: u32) -> Result<Vec<(u32, u32)>, String> {
    let ops = schedule.ops_of(rank);
    let mut requires: Vec<Vec<u32>> = vec![Vec::new(); ops.len()];
    for op in ops.clone() {
        for edge in schedule.dependents(op) {
            if edge.on_start() {
                let found = schedule.describe(edge.dependent());
                return Err(format!("{found} waits for the start of another operation, and may run at the same time"));
            }
            requires[(edge.dependent() - ops.start) as usize].push(op);
        }
    }
    let mut levels: Vec<(u32, u32)> = Vec::new();
    for op in ops.clone() {
        let required = &requires[(op - ops.start) as usize];
        let follows = |level: Option<&(u32, u32)>| {
            level.is_none_or(|&(first, last)| (first..=last).all(|earlier| required.contains(&earlier)))
        };
        let kind = |op: u32| schedule.ops()[op as usize].kind;
        let pairs = |&(first, last): &(u32, u32)| {
            first == last
                && matches!((kind(first), kind(op)), (OpKind::Send, OpKind::Receive) | (OpKind::Receive, OpKind::Send))
        };
        let before = levels.len().checked_sub(2).map(|at| levels[at]);
        if follows(levels.last()) {
            levels.push((op, op));
        } else if let Some(last) = levels.last_mut().filter(|last| pairs(last))
            && follows(before.as_ref())
        {
            last.1 = op;
        } else {
            return Err(format!("{} may run at the same time as other work of its rank", schedule.describe(op)));
        }
    }
    Ok(levels)
}
