//! Latency matrices: L, or α, of every pair of ranks, from a text file.
//!
//! The file is square: a line per sender, a number in microseconds per receiver, separated by blanks (as ping-pong
//! programs print it: seeds/003). Empty lines and lines that begin with `#` are skipped. The matrix need not be
//! symmetric. With fewer ranks than lines, the first ones count.

use crate::time::Span;
use std::fmt;
use std::sync::Arc;

/// Matrix of one latency for each ordered pair of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatencyMatrix {
    /// Origin of the matrix, for output.
    pub name: String,
    ranks: usize,
    entries: Arc<[Span]>,
}

/// Largest accepted latency: a longer one is a mistake, and would leave the range of simulated time.
const MOST_US: f64 = 1e9;

impl LatencyMatrix {
    /// Reads a matrix from the text of the file `name`.
    ///
    /// # Errors
    /// Names the file, the line and the expected content.
    pub fn parse(name: &str, text: &str) -> Result<LatencyMatrix, String> {
        let mut entries = Vec::new();
        let mut ranks = 0;
        let mut rows = 0;
        let is_row = |line: &str| !line.is_empty() && !line.starts_with('#');
        for (index, line) in text.lines().enumerate().filter(|(_, line)| is_row(line.trim())) {
            let before = entries.len();
            for entry in line.split_ascii_whitespace() {
                let us = entry.parse().ok().filter(|us| (0.0..=MOST_US).contains(us)).ok_or_else(|| {
                    format!("{name} line {}: expected a latency of 0 to {MOST_US:e} µs, found '{entry}'", index + 1)
                })?;
                entries.push(Span::from_seconds(us / 1e6));
            }
            let found = entries.len() - before;
            rows += 1;
            if rows == 1 {
                ranks = found;
            }
            if found != ranks {
                let line = index + 1;
                return Err(format!(
                    "{name} line {line}: expected {ranks} latencies as in the first row, found {found}"
                ));
            }
        }
        if rows == 0 {
            return Err(format!("{name} line 1: expected a square matrix of latencies in µs, found no row"));
        }
        if rows != ranks {
            let last = text.lines().count();
            return Err(format!("{name} line {last}: expected {ranks} rows of {ranks} latencies, found {rows} rows"));
        }
        Ok(LatencyMatrix { name: name.to_owned(), ranks, entries: entries.into() })
    }

    /// Latency of messages from one rank to another.
    pub fn between(&self, from: u32, to: u32) -> Span {
        self.entries[from as usize * self.ranks + to as usize]
    }

    /// Number of ranks that the matrix covers.
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    pub(super) fn check(&self, ranks: u32) -> Result<(), String> {
        if self.ranks >= ranks as usize {
            return Ok(());
        }
        let (name, size) = (&self.name, self.ranks);
        Err(format!("{name}: expected latencies of at least {ranks} ranks, found a matrix of {size} × {size}"))
    }
}

impl fmt::Display for LatencyMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "latencies of {} ({} × {})", self.name, self.ranks, self.ranks)
    }
}
