//! Mistakes in the user's input, as distinct from all other errors.

/// Error in the user's input. The message gives the place, the expected input and the remedy. The exit code is 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(pub String);
