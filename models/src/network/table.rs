//! Piecewise-linear tables: a cost as a function of a message's length, or of any other whole number.
//!
//! A table is a shared, immutable list of points; copying one copies a pointer. Equal tables are stored once
//! and stay until the program ends.

use crate::time::{PerByte, Span};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Point of a table: the cost at one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TablePoint {
    /// Argument of the point, in bytes or picoseconds.
    pub at: u64,
    /// Cost at the argument.
    pub cost: Span,
}

/// Piecewise-linear function: constant below its first point, linear between points and, beyond the last, continued as
/// between the last two (never below zero).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CostTable(&'static [TablePoint]);

static INTERNED: Mutex<BTreeSet<&'static [TablePoint]>> = Mutex::new(BTreeSet::new());

impl CostTable {
    /// Table that is zero at every argument.
    pub const ZERO: CostTable = CostTable(&[TablePoint { at: 0, cost: Span::ZERO }]);

    /// Table through these points.
    ///
    /// # Errors
    /// Fails if there are none, or if their arguments do not increase.
    pub fn new(points: &[TablePoint]) -> Result<CostTable, String> {
        if points.is_empty() {
            return Err("expected at least one point".to_owned());
        }
        if let Some(pair) = points.windows(2).find(|pair| pair[0].at >= pair[1].at) {
            return Err(format!("expected points in increasing order, found {} after {}", pair[1].at, pair[0].at));
        }
        let mut interned = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = interned.get(points) {
            return Ok(CostTable(known));
        }
        let kept: &'static [TablePoint] = Box::leak(points.into());
        interned.insert(kept);
        Ok(CostTable(kept))
    }

    /// Table of a cost per byte, to the picosecond for whole picoseconds per byte.
    ///
    /// # Errors
    /// Never for a rate that is no more than hours per byte.
    pub fn rate(rate: PerByte) -> Result<CostTable, String> {
        const FAR: u64 = 1 << 30;
        CostTable::new(&[TablePoint { at: 0, cost: Span::ZERO }, TablePoint { at: FAR, cost: rate.for_bytes(FAR) }])
    }

    /// Points of the table, in increasing order; at least one.
    pub fn points(self) -> &'static [TablePoint] {
        self.0
    }

    /// Value at `x`, rounded once to the nearest picosecond.
    #[inline]
    pub fn at(self, x: u64) -> Span {
        let points = self.0;
        let above = points.partition_point(|point| point.at <= x);
        if above == 0 || points.len() == 1 {
            return points[0].cost;
        }
        let low = above.min(points.len() - 1) - 1;
        let (low, high) = (points[low], points[low + 1]);
        let rise = high.cost.0 as f64 - low.cost.0 as f64;
        let change = (rise * (x - low.at) as f64 / (high.at - low.at) as f64).round();
        if change < 0.0 { low.cost - Span(-change as u64) } else { low.cost + Span(change as u64) }
    }
}

impl Default for CostTable {
    fn default() -> CostTable {
        CostTable::ZERO
    }
}

impl fmt::Debug for CostTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|point| (point.at, point.cost))).finish()
    }
}

impl Serialize for CostTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CostTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        CostTable::new(&Vec::<TablePoint>::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(points: &[(u64, u64)]) -> CostTable {
        CostTable::new(&points.iter().map(|&(at, cost)| TablePoint { at, cost: Span(cost) }).collect::<Vec<_>>())
            .unwrap()
    }

    #[test]
    fn values_are_linear_between_points_and_go_on_beyond_the_last() {
        let table = table(&[(10, 100), (20, 200), (40, 203)]);
        let expected = [(0, 100), (10, 100), (11, 110), (20, 200), (30, 202), (40, 203), (60, 206), (50, 205)];
        for (x, value) in expected {
            assert_eq!(table.at(x), Span(value), "{x}");
        }
    }

    #[test]
    fn falling_tables_stop_at_zero_and_single_points_are_constants() {
        assert_eq!(table(&[(0, 100), (10, 50)]).at(15), Span(25));
        assert_eq!(table(&[(0, 100), (10, 50)]).at(1_000), Span::ZERO);
        assert_eq!(table(&[(5, 7)]).at(u64::MAX), Span(7));
        assert_eq!(table(&[(0, 0), (1, u64::MAX)]).at(u64::MAX), Span(u64::MAX));
    }

    #[test]
    fn equal_tables_are_stored_once_and_disorder_is_refused() {
        assert!(std::ptr::eq(table(&[(1, 2), (3, 4)]).points(), table(&[(1, 2), (3, 4)]).points()));
        let point = |at| TablePoint { at, cost: Span(1) };
        assert!(CostTable::new(&[]).is_err());
        insta::assert_snapshot!(CostTable::new(&[point(4), point(4)]).unwrap_err());
    }
}
