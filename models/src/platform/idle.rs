//! Idle gap (E8): the longer a rank has waited on its clock, the slower its next operation (caches, clock
//! frequency, power states).
//!
//! A piecewise-linear cost of the idle time: constant below the first point and above the last.

use crate::network::CostTable;
use crate::time::Span;
use std::fmt;

/// Extra CPU time of the first operation after idle time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleCost {
    /// Extra CPU time by picoseconds of idle time.
    pub table: CostTable,
}

impl IdleCost {
    /// Extra CPU time after an idle time of this length.
    pub fn after(&self, idle: Span) -> Span {
        let last = self.table.points().last().map_or(0, |point| point.at);
        self.table.at(idle.0.min(last))
    }
}

impl fmt::Display for IdleCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = self.table.points().iter().map(|point| format!("{} after {}", point.cost, Span(point.at)));
        write!(f, "idle cost {}", points.collect::<Vec<_>>().join(", "))
    }
}
