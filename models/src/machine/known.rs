//! Machines that come with the program, from `models/machines`. Each file says how, when and where it was calibrated.

/// Names, and the texts of their files.
pub const KNOWN: [(&str, &str); 0] = [];
