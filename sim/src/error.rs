//! Why a simulation has no result.

/// Why a simulation has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimError {
    /// Ranks wait for each other, or for nobody, for ever.
    #[error("deadlock at {at_ps} ps: {}", waiting.join("; "))]
    Deadlock {
        /// When the last thing happened, in ps.
        at_ps: u64,
        /// Who waits for whom.
        waiting: Vec<String>,
    },
    /// Times left the range of 213 days.
    #[error("simulated time ran past 213 days on rank {rank}; use smaller parameters or fewer calls")]
    Overflow {
        /// The first rank whose time overflowed.
        rank: u32,
    },
    /// The order names something that does not exist.
    #[error("{0}")]
    Order(String),
}
