//! A broadcast through shared memory, within one node (Kurnosov and Tokmasheva 2020): fragments of the message pass
//! through a circular queue of the root.
//!
//! A segment of shared memory has a queue for each rank. The root copies fragments of its message into its own queue,
//! one buffer after the other, and notifies; every other rank waits for the notification and copies the fragment out of
//! the root's queue:
//!
//! ```text
//! root     |set|copy 0|copy 1|copy 2|copy 3|              |set|copy 4|…
//! reader   |set|      |W|copy 0|W|copy 1|W|copy 2|W|copy 3|A|        |W|copy 4|…
//! ```
//!
//! A queue of s buffers is used again after s fragments: the root then waits until all readers have left it (A). Its
//! buffers may be split into q sets, each with its own count of readers: the root fills one set while readers empty
//! another.
//!
//! Symbols: m bytes of the message, f of a fragment, s buffers, b = s f bytes of a queue, q sets, F = ⌈m/f⌉ fragments,
//! u = ⌈F/(s/q)⌉ uses of a set. In the formulas all copies cost the same, and one reader stands for all.
//!
//! [`Broadcast`] is the algorithm itself, for any memory that ranks share ([`SharedMemory`]), and so are the designs
//! that it is compared with ([`Design`]).

mod calls;
mod cells;
mod choice;
mod closed_form;
mod copies;
mod costs;
mod design;
mod node;
mod notified;
mod protocol;
#[cfg(test)]
mod protocol_tests;
mod queue;
mod queued;
mod recurrence;
mod slots;
#[cfg(test)]
mod tests;

pub use calls::{Calls, Taken};
pub use choice::{Optimum, for_buffers, for_fragment, for_message, optimum, optimum_on_a_node, within};
pub use closed_form::{Parts, Regime, exact, printed};
pub use copies::Copies;
pub use costs::Costs;
pub use design::{Design, Scheme};
pub use node::NodeCosts;
pub use notified::Notified;
pub use protocol::{Broadcast, Combining, NEVER_OPEN, SharedMemory, Word};
pub use queue::{Queue, Size};
pub use queued::{Queued, length};
pub use recurrence::{one_reader, one_reader_on_a_node};
