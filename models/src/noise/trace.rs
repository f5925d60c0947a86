//! A recorded trace: the detours that one CPU really had.

use crate::time::{Span, Time};

/// One detour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Detour {
    /// When it took the CPU.
    pub start: Time,
    /// For how long.
    pub duration: Span,
}

/// What was recorded on one CPU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetourTrace {
    /// Where it comes from: the file's name.
    pub name: String,
    /// How long was recorded.
    pub length: Span,
    /// The detours in the order of their starts, which lie before `length`.
    pub detours: Vec<Detour>,
    /// What the header says: key and value, in the file's order.
    pub header: Vec<(String, String)>,
}
