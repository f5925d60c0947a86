//! Results that frameworks publish which benchmark MPI on supercomputers, read as one table: so far those of PICO (S.
//! Pasqualoni, L. Piarulli, D. De Sensi, 2025; HLC-Lab/pico).
//!
//! PICO's method is a barrier loop: one barrier, then for each call a reading of `MPI_Wtime`, the call, another reading
//! and a barrier. Its number of a call is the greatest stay over the ranks, and its result the median over the calls.
//!
//! Rows keep the names of algorithms as they are published. A row that must not be taken for the algorithm of its name
//! stays in the table and has a [`Mark`] with its reason.
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

mod alloc;
mod barrier;
mod calls;
mod decisions;
mod log;
mod mark;
mod nodes;
mod raw;
mod read;
mod row;
mod run;
mod summary;
mod table;

pub use barrier::{Grounds, InForce};
pub use calls::Calls;
pub use mark::Mark;
pub use nodes::{Hosts, NodeMap};
pub use read::{is_published, is_run, read, read_text};
pub use row::{Published, PublishedRow, element_bytes};

/// Error of a file that cannot be understood, with a cure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file} line {line}: {message}")]
pub struct PublishedError {
    /// Path of the file, in an archive with its path there.
    pub file: String,
    /// Line of the file, counted from 1. It is 1 where the file as a whole is meant.
    pub line: usize,
    /// Sentence that says what was expected, what was found, and what to do.
    pub message: String,
}

impl PublishedError {
    fn new(file: &str, line: usize, message: impl Into<String>) -> PublishedError {
        PublishedError { file: file.to_owned(), line, message: message.into() }
    }
}
