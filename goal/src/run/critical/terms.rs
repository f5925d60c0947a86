//! What a stretch of time consists of, in a model's parameters.

use models::time::Span;
use std::ops::AddAssign;

/// How often each parameter is in a time, and for how many bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// L.
    pub latencies: u64,
    /// o of sends.
    pub sends: u64,
    /// o of receives.
    pub receives: u64,
    /// g.
    pub gaps: u64,
    /// Bytes at G, after each message's first.
    pub gap_bytes: u64,
    /// What they cost, each message rounded by itself.
    pub gap_bytes_time: Span,
    /// Bytes at O, after each message's first.
    pub overhead_bytes: u64,
    /// What they cost, each message rounded by itself.
    pub overhead_bytes_time: Span,
    /// Hockney's α.
    pub alphas: u64,
    /// Bytes at Hockney's β.
    pub beta_bytes: u64,
    /// What they cost, each message rounded by itself.
    pub beta_bytes_time: Span,
    /// Calculations.
    pub calculations: Span,
    /// Detours.
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
    /// How often a parameter counts: the slope of the time in it, while the path stays the same; none of a name that no model has.
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
