//! The results of sweeps: one row per point, as JSON lines or CSV, written in the order of points; and their
//! evaluation: cost curves of algorithms, exit skews.
//!
//! A row begins with the point's inputs, which are its key: a file that is resumed must hold the keys of the first
//! points. Times are integer picoseconds. Every row is one line.

mod choices;
pub mod curves;
pub mod exits;
mod expected;
mod file;
mod legend;
#[cfg(feature = "shared-memory")]
mod memory;
mod page;
mod row;
pub mod sensitivity;
mod table;
#[cfg(test)]
mod tests;

pub use expected::{describe_judgements, numbers};
pub use file::{Header, RowCounts, SweepFile, rows};
pub use page::{judged, page, printed};
pub use row::{Form, Found, Over, Printed, SweepRow};
pub use table::table;
