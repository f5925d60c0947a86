//! Dealing out the points of a sweep to ranks, and putting their rows in order.
//!
//! Ranges get shorter towards the end, so that all ranks finish together (guided self-scheduling: Polychronopoulos and
//! Kuck 1987). Rows are bytes here: the caller knows what they mean.

use std::collections::BTreeMap;
use std::ops::Range;

/// Length of the longest range, in points.
const MOST_POINTS: u64 = 1_024;
/// Largest distance of a dealt point from the first point that is not done: rows ahead of that one wait in memory.
const MOST_AHEAD: u64 = 1 << 17;

/// Answer to a rank that asks for work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deal {
    /// Range of points to work on.
    Points(Range<u64>),
    /// No points for the moment: one that others work on has to be done first.
    Later,
    /// No points any more, because all are dealt.
    Nothing,
}

/// State of the dealing: the points that are dealt, and those that are done.
#[derive(Debug)]
pub struct Dealer {
    /// First point that has not been dealt.
    next: u64,
    end: u64,
    /// First point whose row has not been handed on.
    due: u64,
    hands: u64,
    early: BTreeMap<u64, (u64, Vec<u8>)>,
}

impl Dealer {
    /// Deals `points` to `hands` ranks.
    pub fn new(points: Range<u64>, hands: u32) -> Dealer {
        let Range { start, end } = points;
        Dealer { next: start, end, due: start, hands: u64::from(hands).max(1), early: BTreeMap::new() }
    }

    /// Returns work for the next rank that asks.
    pub fn deal(&mut self) -> Deal {
        if self.next >= self.end {
            return Deal::Nothing;
        }
        if self.next - self.due >= MOST_AHEAD {
            return Deal::Later;
        }
        let first = self.next;
        let count = ((self.end - first) / (4 * self.hands)).clamp(1, MOST_POINTS);
        self.next = first + count;
        Deal::Points(first..self.next)
    }

    /// Takes the rows of points that were dealt. Returns all rows that are in order by then.
    pub fn take(&mut self, points: Range<u64>, rows: Vec<u8>) -> Vec<u8> {
        self.early.insert(points.start, (points.end, rows));
        let mut ordered = Vec::new();
        while let Some((end, rows)) = self.early.remove(&self.due) {
            ordered.extend(rows);
            self.due = end;
        }
        ordered
    }

    /// Returns true once the rows of all points have been handed on.
    pub fn finished(&self) -> bool {
        self.due >= self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of points, to be recognised.
    fn rows(points: &Range<u64>) -> Vec<u8> {
        points.clone().flat_map(|point| format!("{point}\n").into_bytes()).collect()
    }

    #[test]
    fn whoever_is_fast_gets_more_and_rows_come_in_order() {
        for (start, end, hands) in [(0, 1, 3), (5, 5, 2), (7, 5_000, 3), (0, 100_000, 1)] {
            let mut dealer = Dealer::new(start..end, hands);
            let mut dealt = Vec::new();
            while let Deal::Points(points) = dealer.deal() {
                dealt.push(points);
            }
            assert!(dealt.windows(2).all(|pair| pair[0].end == pair[1].start), "each point once");
            assert!(dealt.windows(2).all(|pair| pair[0].end - pair[0].start >= pair[1].end - pair[1].start));
            let mut ordered = Vec::new();
            // Back to front, the worst of all orders.
            for points in dealt.iter().rev() {
                assert!(!dealer.finished());
                let rows = rows(points);
                ordered.extend(dealer.take(points.clone(), rows));
            }
            assert_eq!(ordered, rows(&(start..end)));
            assert!(dealer.finished() && dealer.deal() == Deal::Nothing);
        }
    }

    #[test]
    fn nobody_runs_ahead_for_ever() {
        let mut dealer = Dealer::new(0..10_000_000, 2);
        let Deal::Points(first) = dealer.deal() else { panic!("there is work") };
        let mut waiting = first.end;
        while let Deal::Points(points) = dealer.deal() {
            waiting = points.end;
            assert!(dealer.take(points.clone(), rows(&points)).is_empty(), "the first points are missing");
        }
        assert!(waiting < MOST_AHEAD + MOST_POINTS + 1);
        assert_eq!(dealer.deal(), Deal::Later);
        let first_rows = rows(&first);
        assert_eq!(dealer.take(first, first_rows), rows(&(0..waiting)));
        assert!(matches!(dealer.deal(), Deal::Points(_)));
    }
}
