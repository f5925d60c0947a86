//! What the parts of a run took, for those who ask. No part of a result: those are the same every time.

use std::fmt;
use std::time::{Duration, Instant};

/// Stages that have ended, and what they took.
pub(super) struct Timings {
    last: Instant,
    stages: Vec<(&'static str, Duration)>,
}

impl Timings {
    /// The first stage begins.
    pub(super) fn begin() -> Timings {
        Timings { last: Instant::now(), stages: Vec::new() }
    }

    /// A stage has ended, and the next begins.
    pub(super) fn end_of(&mut self, stage: &'static str) {
        let now = Instant::now();
        self.stages.push((stage, now - self.last));
        self.last = now;
    }
}

impl fmt::Display for Timings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (stage, took) in &self.stages {
            writeln!(f, "{stage:<10} {:.4} s", took.as_secs_f64())?;
        }
        Ok(())
    }
}
