//! Intel MPI's variables `I_MPI_ADJUST_…`, which name an algorithm for each range of lengths.
//!
//! The documentation has ranges of lengths and ranks, with a default outside. Version 2021.18.0, whose bytes on sockets were
//! counted for each range, heeds the upper bounds alone: the first range that ends at a length or above it holds, and above
//! all of them the last one. Ranges with numbers of ranks do not work beside ranges of lengths. So a variable has one algorithm
//! for each length, none for the library's own choice, and holds for communicators of all sizes.

use super::{Entry, Split, Written, operation};
use models::call::{Call, LengthForm};
use models::world::World;

/// Largest upper bound that the library takes.
const MOST: u64 = i32::MAX as u64;

/// Lengths of calls with a count for each rank are not looked at, but of `MPI_Reduce_scatter` and `MPI_Allgatherv`.
pub(super) fn split(call: &Call) -> Split {
    if call.form == LengthForm::Regular { Split::WithoutOwnChoice } else { Split::Nowhere }
}

pub(super) fn written(world: World, entries: &[Entry]) -> Result<Written, String> {
    let mut written = Written::default();
    for entry in entries.iter().filter(|entry| !entry.pieces.is_empty()) {
        let operation = operation(entry);
        let name = format!("I_MPI_ADJUST_{}", operation.to_uppercase());
        if written.environment.iter().any(|(known, _)| *known == name) {
            return Err(format!(
                "{operation}: Intel MPI's variables have one table for all numbers of ranks; tune one number of ranks at a time"
            ));
        }
        let ranges = entry.pieces.iter().enumerate().map(|(place, piece)| {
            let number = models::forced::number(world, entry.collective, &entry.call, &piece.algorithm)
                .ok_or_else(|| format!("{operation}: {} has no number", piece.algorithm))?;
            let from = if place == 0 { 0 } else { piece.from_bytes };
            // What lies between two pieces takes the first of them.
            let next = entry.pieces.get(place + 1);
            let to = next.map_or(MOST, |next| next.from_bytes - 1);
            Ok(format!("{number}:{from}-{to}"))
        });
        let ranges = ranges.collect::<Result<Vec<String>, String>>()?;
        written.environment.push((name, ranges.join(";")));
    }
    Ok(written)
}
