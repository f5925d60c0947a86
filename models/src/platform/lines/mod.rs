//! Cache lines: what reading and writing memory costs by who holds its lines, beyond what it costs a rank that holds them
//! alone, which is in the parameters of the network.
//!
//! Every stretch of a rank's memory is in some ranks' caches, or in none. The first rank that reads what another one has
//! written takes it (caches pass modified lines on, expecting the reader to write next: seen on AMD's); whoever reads it
//! from then on shares it; whoever writes it holds it alone; flushing leaves it to nobody. So the state of what a call
//! finds follows from what ranks and methods did before, and changes inside the call:
//!
//! | touch | lines are held by | cost |
//! |---|---|---|
//! | reading | this rank, too | none; of a message copied once, [`Lines::reread`] |
//! | reading | another rank alone, which wrote them | [`Lines::fetch`] |
//! | reading | other ranks alone, which have but read them | [`Lines::refetch`] |
//! | reading | nobody | [`Lines::load`] |
//! | writing | this rank alone | none |
//! | writing | other ranks alone | [`Lines::claim`]; where a message copied once is received, [`Lines::claim_received`] |
//! | writing | other ranks beside this one | [`Lines::claim_shared`], [`Lines::claim_received_shared`] |
//! | combining into | other ranks, beside this one or alone | [`Lines::claim_combined`], the reading included |
//! | writing | nobody | [`Lines::fill`] |
//! | copying | nobody, where it is read and where it is written | [`Lines::load_fill`] instead of load and fill |
//! | reading, while another rank's message is read | another rank alone, which wrote them | [`Lines::duplex_fetch`], too |
//! | writing, while the rank sends | other ranks, where a message copied once is received | [`Lines::duplex_claim`], too |
//!
//! A message of at most [`Lines::single_copy_above`] bytes is read by its sender and written by its receiver, each in its
//! own memory; what is between them is the network's. A longer one is read by its receiver straight out of the sender's
//! memory, which is why a receiver that has it from the last call finds it in its own cache, and why a sender that then
//! writes it has to take it back. What is combined lands in memory that only the receiver uses, and costs
//! γ beside the touch of what it is combined into.

mod held;
mod touches;

pub use held::{Held, Touched};
pub(super) use touches::Touches;

use crate::network::{Table, table_words};
use crate::time::Span;
use std::fmt;

/// What touches cost; each a function of how many bytes are touched in that state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lines {
    /// Longer messages are copied once, by their receiver, out of the sender's memory.
    pub single_copy_above: u64,
    /// Reading what another rank has written and holds alone.
    pub fetch: Table,
    /// Reading what other ranks alone hold, which have but read it.
    pub refetch: Table,
    /// Reading a message out of its sender's memory again, which nobody has written since: more than reading it out of the
    /// cache of a sender that has just rewritten it where it has left that cache meanwhile.
    pub reread: Table,
    /// Writing what other ranks alone hold.
    pub claim: Table,
    /// Writing what other ranks hold beside this one; as [`Lines::claim`] where it is none.
    pub claim_shared: Table,
    /// Writing what other ranks alone hold by the copy that receives a message out of its sender's memory.
    pub claim_received: Table,
    /// The same of what other ranks hold beside this one; as [`Lines::claim_received`] where it is none.
    pub claim_received_shared: Table,
    /// Reading and writing what other ranks hold, by combining into it; as [`Lines::claim`] where it is none.
    pub claim_combined: Table,
    /// Reading what no rank holds.
    pub load: Table,
    /// Writing what no rank holds.
    pub fill: Table,
    /// A message, or a copy within a rank's memory, from what no rank holds to what no rank holds; [`Lines::load`] and
    /// [`Lines::fill`] together where it is none. A single copy loads and fills at the same time, which is less than both.
    pub load_fill: Table,
    /// What a rank that fetches takes longer than [`Lines::fetch`] says if it sends at the same time.
    pub duplex_fetch: Table,
    /// What a rank that receives over what other ranks hold takes longer than its claims say if it sends at the same time.
    pub duplex_claim: Table,
}

impl Default for Lines {
    fn default() -> Lines {
        let free = Table::ZERO;
        Lines {
            single_copy_above: u64::MAX,
            fetch: free,
            refetch: free,
            reread: free,
            claim: free,
            claim_shared: free,
            claim_received: free,
            claim_received_shared: free,
            claim_combined: free,
            load: free,
            fill: free,
            load_fill: free,
            duplex_fetch: free,
            duplex_claim: free,
        }
    }
}

/// What reading a message out of its sender's memory takes longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// CPU time of the sender, before its send.
    pub by_sender: Span,
    /// Time of the receiver, until which the message is not there, nor its sender released.
    pub by_receiver: Span,
    /// What was read.
    pub touched: Touched,
}

/// How a message came that is put where it belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    /// Who has sent it.
    pub from: u32,
    /// How it was read out of its sender's memory.
    pub read: Touched,
    /// Its receiver sends at the same time.
    pub duplex: bool,
}

impl Lines {
    /// What each touch costs, by its key in files.
    pub(super) fn tables(&self) -> [(&'static str, Table); 13] {
        let mut copy = *self;
        copy.tables_mut().map(|(key, table)| (key, *table))
    }

    /// The same, to be set.
    pub(super) fn tables_mut(&mut self) -> [(&'static str, &mut Table); 13] {
        [
            ("fetch", &mut self.fetch),
            ("refetch", &mut self.refetch),
            ("reread", &mut self.reread),
            ("claim", &mut self.claim),
            ("claim-shared", &mut self.claim_shared),
            ("claim-received", &mut self.claim_received),
            ("claim-received-shared", &mut self.claim_received_shared),
            ("claim-combined", &mut self.claim_combined),
            ("load", &mut self.load),
            ("fill", &mut self.fill),
            ("load-fill", &mut self.load_fill),
            ("duplex-fetch", &mut self.duplex_fetch),
            ("duplex-claim", &mut self.duplex_claim),
        ]
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cache lines")?;
        for (name, table) in self.tables() {
            if table != Table::ZERO {
                write!(f, ", {name} {}", table_words(&table))?;
            }
        }
        match self.single_copy_above {
            u64::MAX => Ok(()),
            limit => write!(f, ", single copy above {limit} B"),
        }
    }
}
