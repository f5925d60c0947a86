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

use super::build::SchedulePart;
use super::{ANY, Edge, GoalError, Op, OpKind, Schedule};

const MAGIC: u64 = 4223;
/// Magic number that a simulation with `--save-mem` leaves behind.
const SPENT: u64 = 2342;
/// Offset from which places are counted: behind the magic number.
const BASE: usize = 8;
const HEADER: usize = 14;
const OP: usize = 39;
/// Largest number of operations for which memory is reserved before they are read.
const RESERVED: usize = 1 << 24;

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
    read_along(file, bytes, &mut |_| {})
}

/// Reads a schedule as [`read`] does, and tells `read_up_to` as [`crate::read`] does.
pub(crate) fn read_along(file: &str, bytes: &[u8], read_up_to: &mut dyn FnMut(usize)) -> Result<Schedule, GoalError> {
    let mut reader = Reader { bytes, at: 0 };
    reader.schedule(read_up_to).map_err(|reason| GoalError::Binary {
        file: file.to_owned(),
        offset: reader.at as u64,
        reason,
    })
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

    fn schedule(&mut self, read_up_to: &mut dyn FnMut(usize)) -> Result<Schedule, String> {
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
        let places = HEADER.saturating_add(16usize.saturating_mul(ranks as usize));
        if places > self.bytes.len() {
            self.at = self.bytes.len();
            return Err("expected the begin of a rank, found the end of the file; was it cut short?".to_owned());
        }
        // Each operation requires another, or is in the list of those that do not: 4 B more. A file that is long for
        // another reason gets no more memory than most need.
        let mut part = SchedulePart::with_capacity((self.bytes.len() / (OP + 4)).min(RESERVED));
        let mut ascends_from = places;
        for rank in 0..ranks {
            self.at = HEADER + 16 * rank as usize;
            let begin = self.next::<8>("the begin of a rank")?;
            self.at = usize::try_from(begin).ok().and_then(|begin| begin.checked_add(BASE)).unwrap_or(usize::MAX);
            if self.at < places || self.at >= self.bytes.len() {
                self.at = HEADER + 16 * rank as usize;
                return Err(format!("rank {rank} begins at byte {begin} + 8, outside of the ranks' data"));
            }
            // Ranks may lie in any order; in nearly all files they ascend.
            if self.at >= ascends_from {
                read_up_to(self.at);
                ascends_from = self.at;
            }
            self.rank(rank, ranks, &mut part)?;
        }
        part.finish(ranks).map_err(|(_, reason)| reason)
    }

    /// Reads a rank, behind the others of a part.
    fn rank(&mut self, rank: u32, ranks: u32, part: &mut SchedulePart) -> Result<(), String> {
        let count = self.word("the number of operations")?;
        let roots = self.word("the number of operations without dependencies")?;
        let first = self.at.saturating_add(4usize.saturating_mul(roots as usize));
        let appendix = first.saturating_add(OP.saturating_mul(count as usize));
        let Some(records) = self.bytes.get(first..appendix) else {
            return Err(format!("rank {rank} has {count} operations, but the file ends before them"));
        };
        let first_op = part.begin(rank, 0, count as usize)?;
        for (index, record) in records.as_chunks::<OP>().0.iter().enumerate() {
            self.at = first + index * OP;
            let (op, lists) = self.op(record, index as u32 + 1, ranks)?;
            part.add_op(op);
            for ((many, place), on_start) in lists.into_iter().zip([true, false]) {
                self.at = appendix.saturating_add(4usize.saturating_mul(place as usize));
                for _ in 0..many {
                    let dependent = self.word("a dependent operation")?;
                    if dependent >= count {
                        self.at -= 4;
                        return Err(format!("operation {dependent} does not exist: rank {rank} has {count}"));
                    }
                    part.add_edge(Edge::new(first_op + dependent, on_start))?;
                }
            }
        }
        Ok(())
    }

    /// Reads one operation. Returns the number of operations that wait for it and the place of their list, for its
    /// start and for its finish.
    #[inline]
    fn op(&mut self, record: &[u8; OP], line: u32, ranks: u32) -> Result<(Op, [(u32, u32); 2]), String> {
        let word = |at: usize| u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]);
        let kind = match record[4] {
            1 => OpKind::Send,
            2 => OpKind::Receive,
            3 => OpKind::Calc,
            other => {
                self.at += 4;
                return Err(format!("expected an operation's kind (1 send, 2 receive, 3 calculation), found {other}"));
            }
        };
        let peer = word(5);
        if kind != OpKind::Calc && peer >= ranks && !(kind == OpKind::Receive && peer == ANY) {
            self.at += 5;
            return Err(format!("peer {peer} does not exist: there are {ranks} ranks"));
        }
        let (size, tag, cpu, nic) = (u64::from(word(9)) | u64::from(word(13)) << 32, word(17), record[21], record[22]);
        let (peer, tag, nic) = if kind == OpKind::Calc { (0, 0, 0) } else { (peer, tag, nic) };
        Ok((Op { size, peer, tag, line, kind, cpu, nic }, [(word(31), word(35)), (word(23), word(27))]))
    }
}
