//! Parts of a stretch of time, in a model's parameters.

use models::time::Span;
use std::ops::AddAssign;

/// Number of times that each parameter is in a stretch of time, and bytes to which it applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// Number of times L counts.
    pub latencies: u64,
    /// Number of times the o of sends counts.
    pub sends: u64,
    /// Number of times the o of receives counts.
    pub receives: u64,
    /// Number of times g counts.
    pub gaps: u64,
    /// Number of bytes at G, after each message's first.
    pub gap_bytes: u64,
    /// Time of the bytes at G, each message rounded by itself.
    pub gap_bytes_time: Span,
    /// Number of bytes at O, after each message's first.
    pub overhead_bytes: u64,
    /// Time of the bytes at O, each message rounded by itself.
    pub overhead_bytes_time: Span,
    /// Number of times Hockney's α counts.
    pub alphas: u64,
    /// Number of bytes at Hockney's β.
    pub beta_bytes: u64,
    /// Time of the bytes at β, each message rounded by itself.
    pub beta_bytes_time: Span,
    /// Time of the calculations.
    pub calculations: Span,
    /// Time of the detours.
    pub noise: Span,
}

impl AddAssign for Terms {
    fn add_assign(&mut self, other: Terms) {
        self.latencies += other.latencies;
        self.sends += other.sends;
        self.receives += other.receives;
        self.gaps += other.gaps;
        self.gap_bytes = self.gap_bytes.saturating_add(other.gap_bytes);
        self.gap_bytes_time = self.gap_bytes_time + other.gap_bytes_time;
        self.overhead_bytes = self.overhead_bytes.saturating_add(other.overhead_bytes);
        self.overhead_bytes_time = self.overhead_bytes_time + other.overhead_bytes_time;
        self.alphas += other.alphas;
        self.beta_bytes = self.beta_bytes.saturating_add(other.beta_bytes);
        self.beta_bytes_time = self.beta_bytes_time + other.beta_bytes_time;
        self.calculations = self.calculations + other.calculations;
        self.noise = self.noise + other.noise;
    }
}

impl Terms {
    /// Returns the number of times that a parameter counts: the slope of the time in it, while the path stays the same.
    /// `None` for a name that no model has.
    pub fn count(&self, parameter: &str) -> Option<u64> {
        Some(match parameter {
            "L" => self.latencies,
            "o" => self.sends + self.receives,
            "os" => self.sends,
            "or" => self.receives,
            "g" => self.gaps,
            "G" => self.gap_bytes,
            "O" => self.overhead_bytes,
            "alpha" => self.alphas,
            "beta" => self.beta_bytes,
            _ => return None,
        })
    }
}
