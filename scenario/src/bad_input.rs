//! Mistakes of the user, apart from everything else that can go wrong.

/// The user's input is wrong; the message says where, what was expected and what to do. Exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(pub String);
