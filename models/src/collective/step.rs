//! The operations that programs of ranks are made of, in program order.

use super::Part;

/// What the receiver does with what arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// It replaces the part of the buffer.
    Store,
    /// It is combined (wrapping byte-wise sum) into the part of the buffer.
    Combine,
}

/// One operation of one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Send a part to a rank; done when the buffer may be reused (`MPI_Send`).
    Send {
        /// Destination rank.
        to: u32,
        /// What is sent.
        part: Part,
    },
    /// Receive a part from a named rank (`MPI_Recv`).
    Receive {
        /// Source rank.
        from: u32,
        /// Where it goes.
        part: Part,
        /// How it gets there.
        then: Then,
    },
    /// Send and receive at the same time (`MPI_Sendrecv`): the receive is posted first, done when both are done.
    Exchange {
        /// Destination rank.
        to: u32,
        /// What is sent.
        sent: Part,
        /// Source rank.
        from: u32,
        /// Where what comes goes.
        received: Part,
        /// How it gets there.
        then: Then,
    },
    /// Post a receive and go on (`MPI_Irecv`); complete after [`Step::WaitAll`].
    Post {
        /// Source rank.
        from: u32,
        /// Where it goes.
        part: Part,
        /// How it gets there, once complete.
        then: Then,
    },
    /// Start a send and go on (`MPI_Isend`); complete after [`Step::WaitAll`].
    Start {
        /// Destination rank.
        to: u32,
        /// What is sent.
        part: Part,
    },
    /// Wait for every receive that was posted and every send that was started (`MPI_Waitall`).
    WaitAll,
    /// Copy or combine within one's own buffer.
    Local {
        /// What is read.
        from: Part,
        /// What is written; as long as what is read.
        to: Part,
        /// How it gets there.
        then: Then,
    },
}

impl Step {
    /// Destination and part of what this step sends, if it sends.
    pub fn sent(&self) -> Option<(u32, Part)> {
        match *self {
            Step::Send { to, part } | Step::Start { to, part } | Step::Exchange { to, sent: part, .. } => {
                Some((to, part))
            }
            Step::Receive { .. } | Step::Post { .. } | Step::WaitAll | Step::Local { .. } => None,
        }
    }

    /// Source and part of what this step receives or makes room for, and what is done with it.
    pub fn received(&self) -> Option<(u32, Part, Then)> {
        match *self {
            Step::Receive { from, part, then }
            | Step::Post { from, part, then }
            | Step::Exchange { from, received: part, then, .. } => Some((from, part, then)),
            Step::Send { .. } | Step::Start { .. } | Step::WaitAll | Step::Local { .. } => None,
        }
    }
}
