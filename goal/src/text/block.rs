//! One rank's block: statements between braces.

use super::cursor::{Cursor, Mistake, Word};
use super::labels::{Hint, Labels};
use crate::build::{Draft, SchedulePart};
use crate::{ANY, Edge, Op, OpKind};

/// Dependency whose second label was not known yet.
struct Later<'t> {
    place: usize,
    waits: Word<'t>,
    for_whom: Word<'t>,
    line: u32,
}

/// Reader of blocks one after another, which uses its memory again for the next.
pub(super) struct Blocks<'t> {
    ranks: u32,
    draft: Draft,
    labels: Labels<'t>,
    later: Vec<Later<'t>>,
    /// Hints of the last dependency's labels: that of the one that waits, and that of the one it waits for.
    hints: [Hint; 2],
}

impl<'t> Blocks<'t> {
    pub(super) fn new(ranks: u32) -> Blocks<'t> {
        Blocks { ranks, draft: Draft::default(), labels: Labels::default(), later: Vec::new(), hints: [0; 2] }
    }

    /// Reads all blocks up to the end of the text.
    pub(super) fn read_all(&mut self, cursor: &mut Cursor<'t>, part: &mut SchedulePart) -> Result<(), Mistake> {
        loop {
            cursor.skip_lines()?;
            if cursor.is_at_end() {
                return Ok(());
            }
            self.read(cursor, part)?;
        }
    }

    fn read(&mut self, cursor: &mut Cursor<'t>, part: &mut SchedulePart) -> Result<(), Mistake> {
        let start = cursor.clone();
        if !cursor.word().is(b"rank") {
            return Err(start.expected("'rank', its number and '{'"));
        }
        let line = cursor.line;
        cursor.skip_blanks()?;
        let rank = cursor.number("the rank's number")?;
        let rank = match u32::try_from(rank) {
            Ok(rank) if rank < self.ranks => rank,
            _ => {
                let last = self.ranks - 1;
                return Err(Mistake {
                    line,
                    reason: format!("rank {rank} does not exist: num_ranks allows 0 to {last}"),
                });
            }
        };
        cursor.skip_lines()?;
        if !cursor.take(b'{') {
            return Err(cursor.expected("'{'"));
        }
        self.draft.clear();
        self.labels.clear();
        self.later.clear();
        loop {
            cursor.skip_lines()?;
            if cursor.take(b'}') {
                break;
            }
            if cursor.is_at_end() {
                return Err(cursor.expected(&format!("the '}}' that ends rank {rank} (line {line})")));
            }
            self.statement(cursor)?;
        }
        self.resolve_later(rank)?;
        part.add(rank, line, &mut self.draft).map_err(|reason| Mistake { line, reason })
    }

    /// Reads `[label:] send|recv|calc …` or `label requires|irequires label`.
    fn statement(&mut self, cursor: &mut Cursor<'t>) -> Result<(), Mistake> {
        let start = cursor.at;
        let mut word = cursor.word();
        cursor.skip_blanks()?;
        if !word.bytes.is_empty() && cursor.take(b':') {
            let op = self.draft.ops.len() as u32;
            if let Some(earlier) = self.labels.insert(word, op) {
                let line = self.draft.ops[earlier as usize].line;
                let label = String::from_utf8_lossy(word.bytes);
                return Err(
                    cursor.mistake(&format!("label '{label}' is already defined in line {line}; choose another"))
                );
            }
            cursor.skip_blanks()?;
            let begin = cursor.clone();
            word = cursor.word();
            cursor.skip_blanks()?;
            return match self.operation(word, cursor)? {
                true => end_of_line(cursor),
                false => Err(begin.expected("send, recv or calc")),
            };
        }
        if cursor.peek().is_ascii_digit() {
            if self.operation(word, cursor)? {
                return end_of_line(cursor);
            }
        } else if !word.bytes.is_empty() {
            return self.dependency(word, cursor);
        }
        cursor.at = start;
        Err(cursor.expected("send, recv, calc, 'label requires label' or '}'"))
    }

    /// Reads an operation after its word. Returns false if the word names none.
    #[inline(always)]
    fn operation(&mut self, word: Word<'t>, cursor: &mut Cursor<'t>) -> Result<bool, Mistake> {
        let kind = match () {
            () if word.is(b"send") => OpKind::Send,
            () if word.is(b"recv") => OpKind::Receive,
            () if word.is(b"calc") => OpKind::Calc,
            () => return Ok(false),
        };
        let line = cursor.line;
        let mut op = Op { size: 0, peer: 0, tag: 0, line, kind, cpu: 0, nic: 0 };
        if kind == OpKind::Calc {
            op.size = cursor.number("the calculation's length in ns")?;
        } else {
            op.size = cursor.number("the message's size, like 64b")?;
            cursor.skip_blanks()?;
            if !cursor.take(b'b') {
                return Err(cursor.expected("'b' after the size, like 64b"));
            }
            cursor.skip_blanks()?;
            let preposition: &[u8] = if kind == OpKind::Send { b"to" } else { b"from" };
            let begin = cursor.clone();
            if !cursor.word().is(preposition) {
                return Err(begin.expected(&format!("'{}' and a rank", String::from_utf8_lossy(preposition))));
            }
            cursor.skip_blanks()?;
            op.peer = self.peer(kind, cursor)?;
        }
        attributes(&mut op, cursor)?;
        self.draft.ops.push(op);
        Ok(true)
    }

    fn peer(&self, kind: OpKind, cursor: &mut Cursor<'t>) -> Result<u32, Mistake> {
        if kind == OpKind::Receive && cursor.peek() == b'-' {
            return minus_one(cursor, "a rank, or -1 for any");
        }
        let peer = cursor.number(if kind == OpKind::Send { "a rank" } else { "a rank, or -1 for any" })?;
        match u32::try_from(peer) {
            Ok(peer) if peer < self.ranks => Ok(peer),
            _ => Err(cursor.mistake(&format!("rank {peer} does not exist: num_ranks allows 0 to {}", self.ranks - 1))),
        }
    }

    #[inline]
    fn dependency(&mut self, waits: Word<'t>, cursor: &mut Cursor<'t>) -> Result<(), Mistake> {
        let begin = cursor.clone();
        let relation = cursor.word();
        let on_start = match relation.bytes.len() {
            8 if relation.is(b"requires") => false,
            9 if relation.bytes == b"irequires" => true,
            _ => return Err(begin.expected("':', 'requires' or 'irequires' after a label, or an operation's size")),
        };
        cursor.skip_blanks()?;
        let for_whom = cursor.word();
        if for_whom.bytes.is_empty() {
            return Err(cursor.expected("a label"));
        }
        let [waits_near, for_whom_near] = &mut self.hints;
        let found = (self.labels.get_near(for_whom, for_whom_near), self.labels.get_near(waits, waits_near));
        let edge = match found {
            (Some(earlier), Some(op)) => (earlier, Edge::new(op, on_start)),
            _ => {
                let place = self.draft.dependencies.len();
                self.later.push(Later { place, waits, for_whom, line: cursor.line });
                (0, Edge::new(0, on_start))
            }
        };
        self.draft.dependencies.push(edge);
        end_of_line(cursor)
    }

    /// Resolves dependencies that named labels before their definition.
    fn resolve_later(&mut self, rank: u32) -> Result<(), Mistake> {
        for later in &self.later {
            let find = |label: Word<'t>| {
                self.labels.get(label).ok_or_else(|| {
                    let label = String::from_utf8_lossy(label.bytes);
                    let reason = format!("label '{label}' is not defined in rank {rank}");
                    Mistake { line: later.line, reason }
                })
            };
            let (op, earlier) = (find(later.waits)?, find(later.for_whom)?);
            let slot = &mut self.draft.dependencies[later.place];
            *slot = (earlier, Edge::new(op, slot.1.on_start()));
        }
        Ok(())
    }
}

/// Reads `[tag INT|-1] [cpu INT] [nic INT]`, in any order, each at most once.
#[inline]
fn attributes(op: &mut Op, cursor: &mut Cursor<'_>) -> Result<(), Mistake> {
    let mut seen = 0u8;
    loop {
        cursor.skip_blanks()?;
        if matches!(cursor.peek(), b'\n' | b'}') {
            return Ok(());
        }
        let begin = cursor.clone();
        let word = cursor.word();
        let bit = match word.bytes {
            b"tag" if op.kind != OpKind::Calc => 1,
            b"cpu" => 2,
            b"nic" if op.kind != OpKind::Calc => 4,
            b"" if cursor.is_at_end() => return Ok(()),
            _ if op.kind == OpKind::Calc => return Err(begin.expected("'cpu' or the end of the line")),
            _ => return Err(begin.expected("'tag', 'cpu', 'nic' or the end of the line")),
        };
        if seen & bit != 0 {
            return Err(cursor.mistake(&format!("'{}' is given twice", String::from_utf8_lossy(word.bytes))));
        }
        seen |= bit;
        cursor.skip_blanks()?;
        match bit {
            1 if cursor.peek() == b'-' => op.tag = minus_one(cursor, "a tag, or -1 for any")?,
            1 => op.tag = bounded(cursor, "a tag", u64::from(ANY) - 1)? as u32,
            2 => op.cpu = bounded(cursor, "a CPU", 255)? as u8,
            _ => op.nic = bounded(cursor, "a network interface", 255)? as u8,
        }
    }
}

fn minus_one(cursor: &mut Cursor<'_>, what: &str) -> Result<u32, Mistake> {
    let begin = cursor.clone();
    cursor.at += 1;
    match cursor.number(what) {
        Ok(1) => Ok(ANY),
        _ => Err(begin.expected(what)),
    }
}

fn bounded(cursor: &mut Cursor<'_>, what: &str, most: u64) -> Result<u64, Mistake> {
    let number = cursor.number(what)?;
    if number > most {
        return Err(cursor.mistake(&format!("expected {what} from 0 to {most}, found {number}")));
    }
    Ok(number)
}

#[inline(always)]
fn end_of_line(cursor: &mut Cursor<'_>) -> Result<(), Mistake> {
    cursor.skip_blanks()?;
    match cursor.peek() {
        b'\n' | b'}' => Ok(()),
        _ if cursor.is_at_end() => Ok(()),
        _ => Err(cursor.expected("the end of the line")),
    }
}
