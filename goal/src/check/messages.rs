//! Comparison of messages and receives of one (from, to, tag), in the order of the file.
//!
//! Where a rank uses wildcards only numbers are compared: the receive that a message meets depends on time.

use super::Problem;
use crate::{ANY, OpKind, Schedule};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Number of disagreements about sizes that are named.
const NAMED: usize = 20;

/// Operations of one (to, from, tag).
#[derive(Default)]
struct ChannelOps {
    sends: Vec<u32>,
    receives: Vec<u32>,
}

pub(super) fn find(schedule: &Schedule, problems: &mut Vec<Problem>) {
    let mut pairs: FxHashMap<(u32, u32, u32), ChannelOps> = FxHashMap::default();
    let mut wild = BTreeSet::new();
    let (mut sent, mut expected) = (vec![0u64; schedule.ranks() as usize], vec![0u64; schedule.ranks() as usize]);
    for rank in 0..schedule.ranks() {
        for index in schedule.ops_of(rank) {
            let op = schedule.ops()[index as usize];
            match op.kind {
                OpKind::Send => {
                    sent[op.peer as usize] += 1;
                    pairs.entry((op.peer, rank, op.tag)).or_default().sends.push(index);
                    if op.tag == ANY {
                        wild.insert(op.peer);
                    }
                }
                OpKind::Receive => {
                    expected[rank as usize] += 1;
                    pairs.entry((rank, op.peer, op.tag)).or_default().receives.push(index);
                    if op.peer == ANY || op.tag == ANY {
                        wild.insert(rank);
                    }
                }
                OpKind::Calc => {}
            }
        }
    }
    for &rank in &wild {
        let (sent, expected) = (sent[rank as usize], expected[rank as usize]);
        if sent != expected {
            problems.push(Problem::Unmatched(format!("rank {rank} is sent {sent} messages and receives {expected}")));
        }
    }
    let mut keys: Vec<_> = pairs.keys().copied().filter(|(to, ..)| !wild.contains(to)).collect();
    keys.sort_unstable();
    let mut sizes = 0;
    for key in keys {
        compare(schedule, key, &pairs[&key], problems, &mut sizes);
    }
    if sizes > NAMED {
        problems.push(Problem::Sizes(format!("and {} more messages whose ends disagree", sizes - NAMED)));
    }
}

fn compare(
    schedule: &Schedule,
    (to, from, tag): (u32, u32, u32),
    pair: &ChannelOps,
    problems: &mut Vec<Problem>,
    sizes: &mut usize,
) {
    let (sent, received) = (pair.sends.len(), pair.receives.len());
    if sent != received {
        let left = if sent > received { pair.sends[received] } else { pair.receives[sent] };
        let left = schedule.describe(left);
        problems.push(Problem::Unmatched(format!(
            "rank {from} sends {sent} to rank {to} with tag {tag}, which receives {received}; the first left over is {left}"
        )));
    }
    for (&send, &receive) in pair.sends.iter().zip(&pair.receives) {
        if schedule.ops()[send as usize].size != schedule.ops()[receive as usize].size {
            *sizes += 1;
            if *sizes <= NAMED {
                let (send, receive) = (schedule.describe(send), schedule.describe(receive));
                problems.push(Problem::Sizes(format!("{send} meets {receive}: they disagree about the size")));
            }
        }
    }
}
