//! Touches of memory by ranks: who holds it afterwards, and what that costs. Where pairs of ranks differ, a touch costs what it
//! does between the rank and whoever held the memory; what nobody held, what it does between the two ends of the message.

use super::{Lines, Reading, Received, Touched};
use crate::collective::{Part, Then};
use crate::network::{Message, Table};
use crate::platform::{Pairs, Traffic, cost};
use crate::time::Span;

/// What touches cost between any two ranks.
#[derive(Clone, Copy)]
pub(crate) struct Touches<'a> {
    /// Where pairs do not differ, and of what nobody else holds.
    pub lines: &'a Lines,
    /// What is between ranks, where that differs.
    pub pairs: Option<&'a Pairs>,
}

impl<'a> Touches<'a> {
    /// What touches cost a rank of memory that another one holds.
    fn between(self, rank: u32, other: Option<u32>) -> &'a Lines {
        let between = self
            .pairs
            .zip(other.filter(|&other| other != rank))
            .and_then(|(pairs, other)| pairs.between(rank, other).lines.as_ref());
        between.unwrap_or(self.lines)
    }

    /// The sender's part of a message, read by whoever copies it.
    pub(crate) fn send(self, traffic: &mut Traffic, message: &Message, part: Part) -> Reading {
        let lines = self.between(message.from, Some(message.to));
        let single = message.bytes > lines.single_copy_above;
        let [reader, other] = if single { [message.to, message.from] } else { [message.from, message.to] };
        let touched = traffic.held.read(message.from, part, reader);
        let again = part.bytes.saturating_sub(touched.elsewhere() + touched.nowhere);
        let again = if reader == message.from { 0 } else { again };
        let work = self.reading([reader, other], touched) + cost(lines.reread, again);
        let [by_sender, by_receiver] = if single { [Span::ZERO, work] } else { [work, Span::ZERO] };
        Reading { by_sender, by_receiver, touched }
    }

    /// CPU time of putting what was received, and had been read so, where it belongs; while the rank sends, or not.
    pub(crate) fn receive(self, traffic: &mut Traffic, rank: u32, part: Part, received: Received) -> Span {
        let ends = self.between(rank, Some(received.from));
        let single = part.bytes > ends.single_copy_above;
        let written = traffic.held.write(rank, part, rank);
        let lines = self.between(rank, written.holder.or(Some(received.from)));
        let claims = if single {
            [lines.claim_received, or(lines.claim_received_shared, lines.claim_received)]
        } else {
            lines.claims()
        };
        let duplex = if single && received.duplex { written.shared + written.elsewhere() } else { 0 };
        let touches = lines.writing(claims, written) + cost(lines.duplex_claim, duplex);
        Span(touches.0.saturating_sub(ends.saved(received.read, written).0))
    }

    /// CPU time of combining into what is there already: it is read, and written.
    pub(crate) fn combine(self, traffic: &mut Traffic, rank: u32, part: Part) -> Span {
        self.combining(traffic, rank, (rank, part))
    }

    /// The same of somebody's memory.
    fn combining(self, traffic: &mut Traffic, rank: u32, (owner, part): (u32, Part)) -> Span {
        let read = traffic.held.read(owner, part, rank);
        let written = traffic.held.write(owner, part, rank);
        // What was held by another rank alone is shared since it was read.
        let lines = self.between(rank, written.holder);
        cost(lines.load, read.nowhere)
            + cost(or(lines.claim_combined, lines.claim), written.shared + written.elsewhere())
    }

    /// CPU time of the touches of moving a part of somebody's memory into a part of somebody's, or combining it there.
    pub(crate) fn moving(self, traffic: &mut Traffic, rank: u32, [from, to]: [(u32, Part); 2], then: Then) -> Span {
        let read = traffic.held.read(from.0, from.1, rank);
        match then {
            Then::Store => {
                let written = traffic.held.write(to.0, to.1, rank);
                let lines = self.between(rank, written.holder);
                let touches = self.reading([rank; 2], read) + lines.writing(lines.claims(), written);
                Span(touches.0.saturating_sub(self.lines.saved(read, written).0))
            }
            Then::Combine => self.reading([rank; 2], read) + self.combining(traffic, rank, to),
        }
    }

    /// What a rank takes longer that receives what was read so, while it is read itself.
    pub(crate) fn duplex(self, rank: u32, read: Touched) -> Span {
        cost(self.between(rank, read.holder).duplex_fetch, read.written_elsewhere)
    }

    /// By a rank, of a message whose other end is the second one.
    fn reading(self, [rank, other]: [u32; 2], touched: Touched) -> Span {
        let lines = self.between(rank, touched.holder.or(Some(other)));
        cost(lines.fetch, touched.written_elsewhere)
            + cost(lines.refetch, touched.read_elsewhere)
            + cost(lines.load, touched.nowhere)
    }
}

impl Lines {
    /// What loading and filling at once saves.
    fn saved(&self, read: Touched, written: Touched) -> Span {
        let bytes = read.nowhere.min(written.nowhere);
        if self.load_fill == Table::ZERO || bytes == 0 {
            return Span::ZERO;
        }
        let apart = cost(self.load, bytes) + cost(self.fill, bytes);
        Span(apart.0.saturating_sub(cost(self.load_fill, bytes).0))
    }

    /// Of what other ranks hold alone, and beside the one that writes.
    fn claims(&self) -> [Table; 2] {
        [self.claim, or(self.claim_shared, self.claim)]
    }

    fn writing(&self, [alone, shared]: [Table; 2], touched: Touched) -> Span {
        cost(alone, touched.elsewhere()) + cost(shared, touched.shared) + cost(self.fill, touched.nowhere)
    }
}

/// A table, or another one where it is none.
fn or(table: Table, other: Table) -> Table {
    if table == Table::ZERO { other } else { table }
}
