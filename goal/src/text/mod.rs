//! The text form of GOAL, read and written.
//!
//! ```text
//! file     := "num_ranks" INT  rank*                   ranks in any order, each once
//! rank     := "rank" INT "{" statement* "}"
//! statement:= [label ":"] "send" INT "b" "to" INT [attributes]
//!           | [label ":"] "recv" INT "b" "from" (INT | "-1") [attributes]
//!           | [label ":"] "calc" INT ["cpu" INT]         in ns
//!           | label "requires" label                     may not start before the second has finished
//!           | label "irequires" label                    may not start before the second has started
//! attributes := ["tag" (INT | "-1")] ["cpu" INT] ["nic" INT]
//! label    := [A-Za-z][A-Za-z0-9_]*                     one rank's; may be used above its definition
//! comments := // to the end of the line, or /* */
//! ```
//! One statement ends with its line. Order in the file is not program order: what depends on nothing may
//! start at once.

mod block;
mod cursor;
mod labels;
mod split;
#[cfg(test)]
mod tests;
mod write;

pub use write::write;

use super::build::SchedulePart;
use super::{GoalError, Schedule};
use block::Blocks;
use cursor::{Cursor, Mistake};
use rayon::prelude::*;

/// Length of text in bytes below which it is read by one thread.
const WORTH_SHARING: usize = 4 << 20;

/// Reads a schedule from text. `file` is for messages only. Long texts are read by all threads of the current pool,
/// with the same result.
///
/// # Errors
///
/// Names the first line that breaks a rule, or the rank that is missing.
pub fn read(file: &str, text: &[u8]) -> Result<Schedule, GoalError> {
    read_along(file, text, &mut |_| {})
}

/// Reads a schedule as [`read`] does, and tells `read_up_to` as [`crate::read`] does.
pub(crate) fn read_along(file: &str, text: &[u8], read_up_to: &mut dyn FnMut(usize)) -> Result<Schedule, GoalError> {
    let threads = if text.len() < WORTH_SHARING { 1 } else { rayon::current_num_threads() };
    let mut answer = read_in_parts(text, threads, read_up_to);
    if answer.is_err() && threads > 1 {
        answer = read_in_parts(text, 1, read_up_to); // names the first mistake as it does for short texts
    }
    answer.map_err(|Mistake { line, reason }| GoalError::Text { file: file.to_owned(), line, reason })
}

fn read_in_parts(text: &[u8], threads: usize, read_up_to: &mut dyn FnMut(usize)) -> Result<Schedule, Mistake> {
    let mut cursor = Cursor::new(text, 1);
    let ranks = header(&mut cursor)?;
    let mut whole = SchedulePart::default();
    if threads <= 1 {
        whole = SchedulePart::with_capacity(text.len() / 40);
        Blocks::new(ranks).read_all(&mut cursor, &mut whole)?;
    } else {
        let pieces = split::pieces(&cursor, text.len() / (threads * 4) + 1);
        // A few at a time, so that no more than those are in memory twice.
        let mut at = cursor.at;
        for some in pieces.chunks(threads * 2) {
            let parts: Vec<Result<SchedulePart, Mistake>> =
                some.par_iter().map(|piece| read_piece(piece, ranks)).collect();
            for part in parts {
                let line = cursor.line;
                whole.append(part?).map_err(|reason| Mistake { line, reason })?;
            }
            at += some.iter().map(|piece| piece.text.len()).sum::<usize>();
            read_up_to(at);
        }
    }
    let lines = || memchr::memchr_iter(b'\n', text).count() as u32 + u32::from(!text.ends_with(b"\n"));
    whole.finish(ranks).map_err(|(line, reason)| Mistake { line: line.unwrap_or_else(lines), reason })
}

fn read_piece(piece: &Cursor<'_>, ranks: u32) -> Result<SchedulePart, Mistake> {
    let mut part = SchedulePart::with_capacity(piece.text.len() / 40);
    let mut cursor = piece.clone();
    Blocks::new(ranks).read_all(&mut cursor, &mut part)?;
    part.lines = cursor.line;
    Ok(part)
}

/// Reads the head, `num_ranks INT`.
fn header(cursor: &mut Cursor<'_>) -> Result<u32, Mistake> {
    cursor.skip_lines()?;
    let begin = cursor.clone();
    if cursor.word().bytes != b"num_ranks" {
        return Err(begin.expected("'num_ranks' and the number of ranks"));
    }
    cursor.skip_blanks()?;
    match cursor.number("the number of ranks")? {
        ranks @ 1..=0x7fff_ffff => Ok(ranks as u32),
        ranks => Err(cursor.mistake(&format!("expected 1 to 2147483647 ranks, found {ranks}"))),
    }
}
