//! Cache lines: costs of reading and writing memory by who holds its lines, beyond the costs for a rank that holds them
//! alone, which are in the parameters of the network.
//!
//! Every stretch of a rank's memory is in some ranks' caches, or in none. The first rank that reads what another one
//! has written takes it (caches pass modified lines on, expecting the reader to write next: seen on AMD's). Ranks that
//! read it from then on share it. A rank that writes it holds it alone. Flushing leaves it to nobody. So the state that
//! a call finds follows from the earlier actions of ranks and methods, and changes inside the call:
//!
//! | touch | lines are held by | cost |
//! |---|---|---|
//! | reading | this rank, too | none; of a message copied once, [`Lines::reread`] |
//! | reading | another rank alone, which wrote them | [`Lines::fetch`] |
//! | reading | other ranks alone, which have only read them | [`Lines::refetch`] |
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
//! A message of at most [`Lines::single_copy_above`] bytes is read by its sender and written by its receiver, each in
//! its own memory; the way between them is the network's. A longer one is read by its receiver straight out of the
//! sender's memory, which is why a receiver that has it from the last call finds it in its own cache, and why a sender
//! that then writes it has to take it back. A message that is combined lands in memory that only the receiver uses. It
//! costs γ beside the touch of the memory into which it is combined.

mod held;
mod touches;

pub use held::{Held, Touched};
pub(super) use touches::Touches;

use crate::network::{CostTable, table_words};
use crate::time::Span;
use std::fmt;

/// Costs of touches, each as a function of the number of bytes that are touched in that state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lines {
    /// Longest message, in bytes, that is copied twice. Longer ones are copied once, by their receiver, out of the
    /// sender's memory.
    pub single_copy_above: u64,
    /// Reading memory that another rank has written and holds alone.
    pub fetch: CostTable,
    /// Reading memory that other ranks alone hold and have only read.
    pub refetch: CostTable,
    /// Extra time of reading a message out of its sender's memory again that nobody has written since, against one that
    /// the sender has just rewritten and holds in its cache. It arises where the message has left that cache in
    /// between.
    pub reread: CostTable,
    /// Writing memory that other ranks alone hold.
    pub claim: CostTable,
    /// Writing memory that other ranks hold beside this one; zero stands for [`Lines::claim`].
    pub claim_shared: CostTable,
    /// Writing memory that other ranks alone hold by the copy that receives a message out of its sender's memory.
    pub claim_received: CostTable,
    /// Writing memory that other ranks hold beside this one by that copy; zero stands for [`Lines::claim_received`].
    pub claim_received_shared: CostTable,
    /// Reading and writing memory that other ranks hold, by combining into it; zero stands for [`Lines::claim`].
    pub claim_combined: CostTable,
    /// Reading memory that no rank holds.
    pub load: CostTable,
    /// Writing memory that no rank holds.
    pub fill: CostTable,
    /// A message, or a copy within a rank's memory, from memory that no rank holds to memory that no rank holds. Zero
    /// stands for the sum of [`Lines::load`] and [`Lines::fill`]. A single copy loads and fills at the same time, which
    /// takes less than both.
    pub load_fill: CostTable,
    /// Extra time of a rank that fetches, beyond [`Lines::fetch`], if it sends at the same time.
    pub duplex_fetch: CostTable,
    /// Extra time of a rank that receives over memory that other ranks hold, beyond its claims, if it sends at the same
    /// time.
    pub duplex_claim: CostTable,
}

impl Default for Lines {
    fn default() -> Lines {
        let free = CostTable::ZERO;
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

/// Extra time that reading a message out of its sender's memory takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// CPU time of the sender, before its send.
    pub by_sender: Span,
    /// Time of the receiver, until which the message is not there, nor its sender released.
    pub by_receiver: Span,
    /// State of the memory that was read.
    pub touched: Touched,
}

/// Circumstances of a message that is stored at its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    /// Sender of the message.
    pub from: u32,
    /// State of the sender's memory when the message was read out of it.
    pub read: Touched,
    /// Whether the receiver sends at the same time.
    pub duplex: bool,
}

impl Lines {
    /// Cost table of each touch, by its key in files.
    pub(super) fn tables(&self) -> [(&'static str, CostTable); 13] {
        let mut copy = *self;
        copy.tables_mut().map(|(key, table)| (key, *table))
    }

    /// Cost table of each touch, by its key in files, for setting it.
    pub(super) fn tables_mut(&mut self) -> [(&'static str, &mut CostTable); 13] {
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
            if table != CostTable::ZERO {
                write!(f, ", {name} {}", table_words(&table))?;
            }
        }
        match self.single_copy_above {
            u64::MAX => Ok(()),
            limit => write!(f, ", single copy above {limit} B"),
        }
    }
}
