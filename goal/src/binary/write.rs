//! Writing LogGOPSim's binary form, as its `txt2bin` does: dependents that wait for an operation's finish before those
//! that wait for its start.

use super::{BASE, HEADER, MAGIC, OP};
use crate::Schedule;
use std::io::{Error, ErrorKind, Result, Write};

/// Writes the binary form. Labels and lines are no part of it.
///
/// # Errors
///
/// Fails where the writer fails, and for more CPUs or interfaces than a byte can number.
pub fn write(schedule: &Schedule, into: &mut impl Write) -> Result<()> {
    let ranks = schedule.ranks();
    let largest = |count: u32| u8::try_from(count - 1).map_err(|_| Error::from(ErrorKind::InvalidInput));
    into.write_all(&MAGIC.to_le_bytes())?;
    into.write_all(&ranks.to_le_bytes())?;
    into.write_all(&[largest(schedule.cpus())?, largest(schedule.nics())?])?;
    let counts = schedule.dependency_counts();
    let mut begin = (HEADER + 16 * ranks as usize - BASE) as u64;
    for rank in 0..ranks {
        let end = begin + bytes_of(schedule, &counts, rank);
        into.write_all(&begin.to_le_bytes())?;
        into.write_all(&end.to_le_bytes())?;
        begin = end;
    }
    (0..ranks).try_for_each(|rank| write_rank(schedule, &counts, rank, into))
}

/// Returns the operations of a rank without dependencies.
fn roots<'a>(schedule: &Schedule, counts: &'a [u32], rank: u32) -> impl Iterator<Item = u32> + 'a {
    let ops = schedule.ops_of(rank);
    let first = ops.start;
    ops.filter(|&op| counts[op as usize] == 0).map(move |op| op - first)
}

/// Returns the length of a rank's part, in bytes.
fn bytes_of(schedule: &Schedule, counts: &[u32], rank: u32) -> u64 {
    let ops = schedule.ops_of(rank);
    let dependents: usize = ops.clone().map(|op| schedule.dependents(op).len()).sum();
    (8 + 4 * roots(schedule, counts, rank).count() + OP * ops.len() + 4 * dependents) as u64
}

fn write_rank(schedule: &Schedule, counts: &[u32], rank: u32, into: &mut impl Write) -> Result<()> {
    let ops = schedule.ops_of(rank);
    let roots: Vec<u32> = roots(schedule, counts, rank).collect();
    into.write_all(&(ops.len() as u32).to_le_bytes())?;
    into.write_all(&(roots.len() as u32).to_le_bytes())?;
    roots.iter().try_for_each(|root| into.write_all(&root.to_le_bytes()))?;
    let mut appendix: Vec<u32> = Vec::new();
    for index in ops.clone() {
        let op = schedule.ops()[index as usize];
        into.write_all(&counts[index as usize].to_le_bytes())?;
        into.write_all(&[op.kind as u8 + 1])?;
        into.write_all(&op.peer.to_le_bytes())?;
        into.write_all(&op.size.to_le_bytes())?;
        into.write_all(&op.tag.to_le_bytes())?;
        into.write_all(&[op.cpu, op.nic])?;
        for on_start in [false, true] {
            let those = schedule.dependents(index).iter().filter(|edge| edge.on_start() == on_start);
            let before = appendix.len() as u32;
            appendix.extend(those.map(|edge| edge.dependent() - ops.start));
            into.write_all(&(appendix.len() as u32 - before).to_le_bytes())?;
            into.write_all(&before.to_le_bytes())?;
        }
    }
    appendix.iter().try_for_each(|dependent| into.write_all(&dependent.to_le_bytes()))
}
