//! Cache lines: what reading and writing memory costs by who holds its lines, beyond what it costs a rank that holds them
//! alone, which is in the parameters of the network.
//!
//! Every stretch of a rank's memory is in some ranks' caches, or in none. Whoever reads it holds it afterwards, beside
//! those who did; whoever writes it holds it alone; flushing leaves it to nobody. So the state of what a call finds
//! follows from what ranks and methods did before, and changes inside the call:
//!
//! | touch | lines are held by | cost |
//! |---|---|---|
//! | reading | this rank, too | none |
//! | reading | other ranks alone | [`Lines::fetch`] |
//! | reading | nobody | [`Lines::load`] |
//! | writing | this rank alone | none |
//! | writing | other ranks, too or alone | [`Lines::claim`]; where a message copied once is received, [`Lines::claim_received`] |
//! | writing | nobody | [`Lines::fill`] |
//!
//! A message of at most [`Lines::single_copy_above`] bytes is read by its sender and written by its receiver, each in its
//! own memory; what is between them is the network's. A longer one is read by its receiver straight out of the sender's
//! memory, which is why a receiver that has it from the last call finds it in its own cache, and why a sender that then
//! writes it has to take it back. What is combined lands in memory that only the receiver uses, and costs
//! γ beside the touch of what it is combined into.

mod held;

pub use held::{Held, Touched};

use super::{Traffic, cost};
use crate::collective::{Part, Then};
use crate::network::{Message, Table, table_text};
use crate::time::Span;
use std::fmt;

/// What touches cost; each a function of how many bytes are touched in that state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lines {
    /// Longer messages are copied once, by their receiver, out of the sender's memory.
    pub single_copy_above: u64,
    /// Reading what only other ranks hold.
    pub fetch: Table,
    /// Writing what other ranks hold.
    pub claim: Table,
    /// The same by the copy that receives a message out of its sender's memory.
    pub claim_received: Table,
    /// Reading what no rank holds.
    pub load: Table,
    /// Writing what no rank holds.
    pub fill: Table,
}

impl Default for Lines {
    fn default() -> Lines {
        let free = Table::ZERO;
        Lines { single_copy_above: u64::MAX, fetch: free, claim: free, claim_received: free, load: free, fill: free }
    }
}

/// What reading a message out of its sender's memory takes longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// CPU time of the sender, before its send.
    pub by_sender: Span,
    /// Time of the receiver, until which the message is not there, nor its sender released.
    pub by_receiver: Span,
}

impl Lines {
    /// What each touch costs, by its key in files.
    pub(super) fn tables(&self) -> [(&'static str, Table); 5] {
        let mut copy = *self;
        copy.tables_mut().map(|(key, table)| (key, *table))
    }

    /// The same, to be set.
    pub(super) fn tables_mut(&mut self) -> [(&'static str, &mut Table); 5] {
        [
            ("fetch", &mut self.fetch),
            ("claim", &mut self.claim),
            ("claim-received", &mut self.claim_received),
            ("load", &mut self.load),
            ("fill", &mut self.fill),
        ]
    }

    /// The sender's part of a message, read by whoever copies it.
    pub(super) fn send(&self, traffic: &mut Traffic, message: &Message, part: Part) -> Reading {
        let single = message.bytes > self.single_copy_above;
        let reader = if single { message.to } else { message.from };
        let touched = traffic.held.read(message.from, part, reader);
        let work = self.reading(touched);
        let [by_sender, by_receiver] = if single { [Span::ZERO, work] } else { [work, Span::ZERO] };
        Reading { by_sender, by_receiver }
    }

    /// CPU time of putting what was received where it belongs.
    pub(super) fn receive(&self, traffic: &mut Traffic, rank: u32, part: Part) -> Span {
        let claim = if part.bytes > self.single_copy_above { self.claim_received } else { self.claim };
        self.writing(claim, traffic.held.write(rank, part, rank))
    }

    /// CPU time of combining into what is there already: it is read, and written.
    pub(super) fn combine(&self, traffic: &mut Traffic, rank: u32, part: Part) -> Span {
        let read = self.reading(traffic.held.read(rank, part, rank));
        read + self.writing(self.claim, traffic.held.write(rank, part, rank))
    }

    /// CPU time of the touches of moving a part within a rank's memory, or combining it there.
    pub(super) fn local(&self, traffic: &mut Traffic, rank: u32, [from, to]: [Part; 2], then: Then) -> Span {
        let read = self.reading(traffic.held.read(rank, from, rank));
        read + match then {
            Then::Store => self.writing(self.claim, traffic.held.write(rank, to, rank)),
            Then::Combine => self.combine(traffic, rank, to),
        }
    }

    fn reading(&self, touched: Touched) -> Span {
        cost(self.fetch, touched.elsewhere) + cost(self.load, touched.nowhere)
    }

    fn writing(&self, claim: Table, touched: Touched) -> Span {
        cost(claim, touched.elsewhere) + cost(self.fill, touched.nowhere)
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cache lines")?;
        for (name, table) in self.tables() {
            if table != Table::ZERO {
                write!(f, ", {name} {}", table_text(&table, |at| format!("{at}B")))?;
            }
        }
        match self.single_copy_above {
            u64::MAX => Ok(()),
            limit => write!(f, ", single copy above {limit} B"),
        }
    }
}
