//! Operations that programs of ranks are made of, in program order.

use super::Part;

/// Treatment by the receiver of data that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// The data replace the part of the buffer.
    Store,
    /// The data are combined (wrapping byte-wise sum) into the part of the buffer.
    Combine,
}

/// One operation of one rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Send a part to a rank; done when the buffer may be reused (`MPI_Send`).
    Send {
        /// Rank that the part is sent to.
        to: u32,
        /// Part of the buffer that is sent.
        part: Part,
    },
    /// Receive a part from a named rank (`MPI_Recv`).
    Receive {
        /// Rank that the part is received from.
        from: u32,
        /// Part of the buffer that the data go to.
        part: Part,
        /// Treatment of the data that arrive.
        then: Then,
    },
    /// Send and receive at the same time (`MPI_Sendrecv`): the receive is posted first, done when both are done.
    Exchange {
        /// Rank that a part is sent to.
        to: u32,
        /// Part of the buffer that is sent.
        sent: Part,
        /// Rank that a part is received from.
        from: u32,
        /// Part of the buffer that the received data go to.
        received: Part,
        /// Treatment of the data that arrive.
        then: Then,
    },
    /// Post a receive and go on (`MPI_Irecv`); complete after [`Step::WaitAll`].
    Post {
        /// Rank that the part is received from.
        from: u32,
        /// Part of the buffer that the data go to.
        part: Part,
        /// Treatment of the data once the receive is complete.
        then: Then,
    },
    /// Start a send and go on (`MPI_Isend`); complete after [`Step::WaitAll`].
    Start {
        /// Rank that the part is sent to.
        to: u32,
        /// Part of the buffer that is sent.
        part: Part,
    },
    /// Wait for every receive that was posted and every send that was started (`MPI_Waitall`).
    WaitAll,
    /// Copy or combine within the rank's own buffer.
    Local {
        /// Part of the buffer that is read.
        from: Part,
        /// Part of the buffer that is written; as long as the part that is read.
        to: Part,
        /// Treatment of the data that are read.
        then: Then,
    },
}

impl Step {
    /// Returns destination and part of the data that this step sends, if it sends.
    pub fn sent(&self) -> Option<(u32, Part)> {
        match *self {
            Step::Send { to, part } | Step::Start { to, part } | Step::Exchange { to, sent: part, .. } => {
                Some((to, part))
            }
            Step::Receive { .. } | Step::Post { .. } | Step::WaitAll | Step::Local { .. } => None,
        }
    }

    /// Returns source and part of the data that this step receives or makes room for, and their treatment.
    pub fn received(&self) -> Option<(u32, Part, Then)> {
        match *self {
            Step::Receive { from, part, then }
            | Step::Post { from, part, then }
            | Step::Exchange { from, received: part, then, .. } => Some((from, part, then)),
            Step::Send { .. } | Step::Start { .. } | Step::WaitAll | Step::Local { .. } => None,
        }
    }
}
