//! Touches of memory by ranks: their effect on who holds it, and their costs. Where pairs of ranks differ, the cost of
//! a touch is the one between the rank and the holder of the memory. For memory that nobody held, it is the one between
//! both ends of the message.

use super::{Lines, Reading, Received, Touched};
use crate::collective::{Part, Then};
use crate::network::{CostTable, Message};
use crate::platform::{Pairs, Traffic, cost};
use crate::time::Span;

/// Costs of touches between any two ranks.
#[derive(Clone, Copy)]
pub(crate) struct Touches<'a> {
    /// Costs where pairs do not differ, and for memory that nobody else holds.
    pub lines: &'a Lines,
    /// Parameters of pairs of ranks, where they differ.
    pub pairs: Option<&'a Pairs>,
}

impl<'a> Touches<'a> {
    /// Costs of touches by a rank of memory that another one holds.
    fn between(self, rank: u32, other: Option<u32>) -> &'a Lines {
        let between = self
            .pairs
            .zip(other.filter(|&other| other != rank))
            .and_then(|(pairs, other)| pairs.between(rank, other).lines.as_ref());
        between.unwrap_or(self.lines)
    }

    /// Reads the sender's part of a message, by the rank that copies it.
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

    /// CPU time of storing a received message at its destination, with its reading and a simultaneous send taken into
    /// account.
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

    /// CPU time of combining into existing content, which is read and written.
    pub(crate) fn combine(self, traffic: &mut Traffic, rank: u32, part: Part) -> Span {
        self.combining(traffic, rank, (rank, part))
    }

    /// CPU time of combining into existing content of the memory of `owner`.
    fn combining(self, traffic: &mut Traffic, rank: u32, (owner, part): (u32, Part)) -> Span {
        let read = traffic.held.read(owner, part, rank);
        let written = traffic.held.write(owner, part, rank);
        // Memory that another rank held alone is shared after the reading.
        let lines = self.between(rank, written.holder);
        cost(lines.load, read.nowhere)
            + cost(or(lines.claim_combined, lines.claim), written.shared + written.elsewhere())
    }

    /// CPU time of the touches of moving a part of one rank's memory into a part of another's, or of combining it
    /// there.
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

    /// Extra time of a rank that receives while another message is read out of its own memory.
    pub(crate) fn duplex(self, rank: u32, read: Touched) -> Span {
        cost(self.between(rank, read.holder).duplex_fetch, read.written_elsewhere)
    }

    /// Time of reading by a rank, of a message whose other end is `other`.
    fn reading(self, [rank, other]: [u32; 2], touched: Touched) -> Span {
        let lines = self.between(rank, touched.holder.or(Some(other)));
        cost(lines.fetch, touched.written_elsewhere)
            + cost(lines.refetch, touched.read_elsewhere)
            + cost(lines.load, touched.nowhere)
    }
}

impl Lines {
    /// Time that loading and filling at once saves.
    fn saved(&self, read: Touched, written: Touched) -> Span {
        let bytes = read.nowhere.min(written.nowhere);
        if self.load_fill == CostTable::ZERO || bytes == 0 {
            return Span::ZERO;
        }
        let apart = cost(self.load, bytes) + cost(self.fill, bytes);
        Span(apart.0.saturating_sub(cost(self.load_fill, bytes).0))
    }

    /// Costs of writing memory that other ranks hold alone, and memory that they hold beside the writer.
    fn claims(&self) -> [CostTable; 2] {
        [self.claim, or(self.claim_shared, self.claim)]
    }

    fn writing(&self, [alone, shared]: [CostTable; 2], touched: Touched) -> Span {
        cost(alone, touched.elsewhere()) + cost(shared, touched.shared) + cost(self.fill, touched.nowhere)
    }
}

/// Returns the first table, or the second where the first is zero.
fn or(table: CostTable, other: CostTable) -> CostTable {
    if table == CostTable::ZERO { other } else { table }
}
