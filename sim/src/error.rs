//! Reasons for which a simulation has no result.

/// Reason for which a simulation has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimError {
    /// Ranks wait for each other, or for nobody, for ever.
    #[error("deadlock at {at_ps} ps: {}", waiting.join("; "))]
    Deadlock {
        /// Time of the last event, in ps.
        at_ps: u64,
        /// Sentences that say which rank waits for which.
        waiting: Vec<String>,
    },
    /// Times left the range of 213 days.
    #[error("simulated time ran past 213 days on rank {rank}; use smaller parameters or fewer calls")]
    Overflow {
        /// First rank whose time overflowed.
        rank: u32,
    },
    /// The order cannot be carried out, for the reason in the text.
    #[error("{0}")]
    Order(String),
}
