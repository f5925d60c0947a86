//! Durations of the parts of a run, for readers who ask. They are no part of a result, since results are the same every
//! time.

use std::fmt;
use std::time::{Duration, Instant};

/// Stages that have ended, with their durations.
pub(super) struct Timings {
    last: Instant,
    stages: Vec<(&'static str, Duration)>,
}

impl Timings {
    /// Begins the first stage.
    pub(super) fn begin() -> Timings {
        Timings { last: Instant::now(), stages: Vec::new() }
    }

    /// Ends a stage, and begins the next.
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
