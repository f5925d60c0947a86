//! LogGOPSim's binary form of a schedule, as its `txt2bin` writes it: read, and written.
//!
//! Little endian, packed:
//! ```text
//! u64 4223 | u32 P | u8 largest CPU | u8 largest interface | P × (u64 begin, u64 end; counted from byte 8)
//! per rank: u32 n, u32 roots, roots × u32 | n × operation (39 B) | dependents, u32 each
//! operation: u32 dependencies, i8 kind (1 send, 2 receive, 3 calculation), u32 peer, u64 size, u32 tag, u8 CPU,
//!            u8 interface, u32 count and u32 place of those that wait for its finish, the same for its start
//! ```
//! Operations have no lines: they are counted from 1 within their rank.

#[cfg(test)]
mod tests;
mod write;

pub use write::write;

use super::build::{Draft, SchedulePart};
use super::{ANY, Edge, GoalError, Op, OpKind, Schedule};

const MAGIC: u64 = 4223;
/// Magic number that a simulation with `--save-mem` leaves behind.
const SPENT: u64 = 2342;
/// Offset from which places are counted: behind the magic number.
const BASE: usize = 8;
const HEADER: usize = 14;
const OP: usize = 39;

/// Returns true if these bytes begin like LogGOPSim's binary form, used up or not. (As text they would begin with a
/// control character.)
pub fn is_binary(bytes: &[u8]) -> bool {
    matches!(number::<8>(bytes, 0), Some(MAGIC | SPENT))
}

/// Reads a schedule. `file` is for messages only.
///
/// # Errors
///
/// Says where the file breaks a rule of the form, and which.
pub fn read(file: &str, bytes: &[u8]) -> Result<Schedule, GoalError> {
    let mut reader = Reader { bytes, at: 0 };
    reader.schedule().map_err(|reason| GoalError::Binary { file: file.to_owned(), offset: reader.at as u64, reason })
}

/// Reads a little-endian number of up to 8 bytes at a place.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let mut wide = [0; 8];
    wide[..N].copy_from_slice(bytes.get(at..at.checked_add(N)?)?);
    Some(u64::from_le_bytes(wide))
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn next<const N: usize>(&mut self, what: &str) -> Result<u64, String> {
        let found = number::<N>(self.bytes, self.at)
            .ok_or_else(|| format!("expected {what}, found the end of the file; was it cut short?"))?;
        self.at += N;
        Ok(found)
    }

    fn word(&mut self, what: &str) -> Result<u32, String> {
        self.next::<4>(what).map(|word| word as u32)
    }

    fn schedule(&mut self) -> Result<Schedule, String> {
        match self.next::<8>("the magic number 4223")? {
            MAGIC => {}
            SPENT => {
                self.at = 0;
                return Err("this schedule was used up by a simulation with --save-mem (magic number 2342): \
                            convert its text again"
                    .to_owned());
            }
            other => {
                self.at = 0;
                return Err(format!("expected the magic number 4223, found {other}"));
            }
        }
        let ranks = self.word("the number of ranks")?;
        if !(1..=0x7fff_ffff).contains(&ranks) {
            self.at -= 4;
            return Err(format!("expected 1 to 2147483647 ranks, found {ranks}"));
        }
        let mut part = SchedulePart::default();
        let mut draft = Draft::default();
        for rank in 0..ranks {
            self.at = HEADER + 16 * rank as usize;
            let begin = self.next::<8>("the begin of a rank")?;
            self.at = usize::try_from(begin).ok().and_then(|begin| begin.checked_add(BASE)).unwrap_or(usize::MAX);
            if self.at < HEADER + 16 * ranks as usize || self.at >= self.bytes.len() {
                self.at = HEADER + 16 * rank as usize;
                return Err(format!("rank {rank} begins at byte {begin} + 8, outside of the ranks' data"));
            }
            self.rank(rank, ranks, &mut draft)?;
            part.add(rank, 0, &mut draft)?;
        }
        part.finish(ranks).map_err(|(_, reason)| reason)
    }

    fn rank(&mut self, rank: u32, ranks: u32, draft: &mut Draft) -> Result<(), String> {
        draft.clear();
        let count = self.word("the number of operations")?;
        let roots = self.word("the number of operations without dependencies")?;
        let first = self.at.saturating_add(4 * roots as usize);
        let appendix = first.saturating_add(OP * count as usize);
        if appendix > self.bytes.len() {
            return Err(format!("rank {rank} has {count} operations, but the file ends before them"));
        }
        self.at = first;
        for index in 0..count {
            let dependents = self.op(index, ranks, draft)?;
            let after = self.at;
            for (many, place, on_start) in dependents {
                self.at = appendix.saturating_add(4 * place as usize);
                for _ in 0..many {
                    let dependent = self.word("a dependent operation")?;
                    if dependent >= count {
                        self.at -= 4;
                        return Err(format!("operation {dependent} does not exist: rank {rank} has {count}"));
                    }
                    draft.dependencies.push((index, Edge::new(dependent, on_start)));
                }
            }
            self.at = after;
        }
        Ok(())
    }

    /// Reads one operation. Returns the number of operations that wait for it and the place of their list, for its
    /// start and for its finish.
    fn op(&mut self, index: u32, ranks: u32, draft: &mut Draft) -> Result<[(u32, u32, bool); 2], String> {
        let _dependencies = self.word("a number of dependencies")?;
        let kind = match self.next::<1>("a kind of operation")? {
            1 => OpKind::Send,
            2 => OpKind::Receive,
            3 => OpKind::Calc,
            other => {
                self.at -= 1;
                return Err(format!("expected an operation's kind (1 send, 2 receive, 3 calculation), found {other}"));
            }
        };
        let peer = self.word("a peer")?;
        if kind != OpKind::Calc && peer >= ranks && !(kind == OpKind::Receive && peer == ANY) {
            self.at -= 4;
            return Err(format!("peer {peer} does not exist: there are {ranks} ranks"));
        }
        let size = self.next::<8>("a size")?;
        let tag = self.word("a tag")?;
        let (cpu, nic) = (self.next::<1>("a CPU")? as u8, self.next::<1>("an interface")? as u8);
        let (peer, tag, nic) = if kind == OpKind::Calc { (0, 0, 0) } else { (peer, tag, nic) };
        draft.ops.push(Op { size, peer, tag, line: index + 1, kind, cpu, nic });
        let mut list = |on_start| -> Result<(u32, u32, bool), String> {
            Ok((self.word("a number of dependents")?, self.word("a place of dependents")?, on_start))
        };
        let (finish, start) = (list(false)?, list(true)?);
        Ok([start, finish])
    }
}
