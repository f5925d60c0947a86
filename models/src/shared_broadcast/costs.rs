//! Costs of the steps of a broadcast.

use super::NodeCosts;
use crate::names;
use crate::network::{exact_rate, exact_span, pairs, read};
use crate::quantity::Quantity;
use crate::time::{PerByte, Span};
use std::fmt;

/// The four parameters of Kurnosov and Tokmasheva 2020, section 5.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Cost t of one copy, per byte. Into the queue and out of it cost the same.
    pub copy: PerByte,
    /// Time t_W from the end of a copy into the queue until a reader knows of it. It grows with the depth of the
    /// notification tree.
    pub notification: Span,
    /// Time t_WO until a set of buffers is free, for the root, and open, for its readers.
    pub set: Span,
    /// Cost t_A of the atomic decrement by which a reader leaves a set.
    pub leave: Span,
}

impl Costs {
    /// Costs of the publication's Figures 4, 6 and 8: t = 1 ns/B, t_W = 50 t, t_WO = 100 t, t_A = 10 t.
    pub const PUBLISHED: Costs = Costs {
        copy: PerByte(1_000.0),
        notification: Span::from_ns(50),
        set: Span::from_ns(100),
        leave: Span::from_ns(10),
    };

    /// Reads `t=1ns/B,tW=50ns,tWO=100ns,tA=10ns`. Parameters that are not named are as in [`Costs::PUBLISHED`], and a
    /// bare number is in ns or ns/B.
    ///
    /// # Errors
    /// Names the first name that is none, or the first value that a parameter cannot take.
    pub fn parse(settings: &str) -> Result<Costs, String> {
        let mut costs = Costs::PUBLISHED;
        for (key, value) in pairs(settings)? {
            if NodeCosts::ADDED.contains(&key) {
                return Err(format!("the formulas have no {key}; simulated ranks have (parallax shm simulate)"));
            }
            if !costs.set(key, value)? {
                return Err(names::unknown("parameter", key, Costs::KEYS));
            }
        }
        Ok(costs)
    }

    /// Names of the four parameters.
    pub(super) const KEYS: [&'static str; 4] = ["t", "tW", "tWO", "tA"];

    /// Sets one parameter; returns false where none has this name.
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        let span = match key {
            "t" => {
                self.copy = value_of(key, value, "ns/B")?;
                return Ok(true);
            }
            "tW" => &mut self.notification,
            "tWO" => &mut self.set,
            "tA" => &mut self.leave,
            _ => return Ok(false),
        };
        *span = value_of(key, value, "ns")?;
        Ok(true)
    }

    /// Returns t_WO + t_A, the cost of each use of a set beside its copies.
    pub(super) fn each_use(&self) -> Span {
        self.set + self.leave
    }
}

/// Reads the value of a parameter; a bare number is in `unit`.
pub(super) fn value_of<Q: Quantity>(key: &str, value: &str, unit: &str) -> Result<Q, String> {
    read(value, unit).map_err(|message| format!("{key}: {message}"))
}

impl fmt::Display for Costs {
    /// Writes the costs as [`Costs::parse`] reads them, exactly.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [notification, set, leave] = [self.notification, self.set, self.leave].map(exact_span);
        write!(f, "t={},tW={notification},tWO={set},tA={leave}", exact_rate(self.copy))
    }
}
