//! Writing a schedule as text that LogGOPSim's `txt2bin` takes too: ranks ascending, operations first.

use crate::Schedule;
use std::io::{Result, Write};

/// Writes the text form. Operation i of a rank is labelled `l<i>`, from 1.
///
/// # Errors
///
/// Fails where the writer fails.
pub fn write(schedule: &Schedule, into: &mut impl Write) -> Result<()> {
    writeln!(into, "num_ranks {}", schedule.ranks())?;
    for rank in 0..schedule.ranks() {
        let ops = schedule.ops_of(rank);
        let label = |op: u32| op - ops.start + 1;
        writeln!(into, "\nrank {rank} {{")?;
        for op in ops.clone() {
            writeln!(into, "l{}: {}", label(op), schedule.ops()[op as usize])?;
        }
        for op in ops.clone() {
            for edge in schedule.dependents(op) {
                let relation = if edge.on_start() { "irequires" } else { "requires" };
                writeln!(into, "l{} {relation} l{}", label(edge.dependent()), label(op))?;
            }
        }
        writeln!(into, "}}")?;
    }
    Ok(())
}
