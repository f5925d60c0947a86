//! Lengths at which the library changes its protocol: half a ping-pong over the length as straight pieces.
//!
//! Each piece is a line by weighted least squares. A point's standard error is that of its median, and no less than
//! [`STRAIGHT`] of it: no library's curve is straighter. The number of pieces and their ends minimise Schwarz's
//! criterion (1978), χ² + p·ln n with three parameters per piece less one (two of its line, one for its end); all
//! divisions are tried (Bellman 1961). The length from which senders wait is known from late receives: it is an end at
//! any cost.

use super::lengths::{Length, Waiting};
use programs::machine::Estimate;
use statistics::StraightLine;

/// Share of themselves by which curves bend without a change of protocol.
const STRAIGHT: f64 = 0.03;
/// Least number of points of a piece, unless there are fewer in all.
const FEWEST_POINTS: usize = 3;
/// Largest number of pieces that are looked for.
const MOST_PIECES: usize = 5;

/// Begin of a piece, by the index of its first length, and whether senders wait from there on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub first: usize,
    pub last_bytes: u64,
    pub next_bytes: u64,
    pub waits: bool,
}

/// Returns all changes, shortest first; `halves` are the lengths' half round trips with their intervals.
pub(super) fn changes(lengths: &[Length], halves: &[Estimate], waiting: Option<Waiting>) -> Vec<Change> {
    let errors = halves.iter().map(|half| ((half.high - half.low) / 4.0).hypot(half.value * STRAIGHT));
    let points: Vec<Point> = lengths
        .iter()
        .zip(halves)
        .zip(errors)
        .map(|((length, half), error)| (length.stretch(), half.value, error))
        .collect();
    let first_waiting = lengths.iter().position(|length| length.waits).filter(|&first| first > 0);
    let split = first_waiting.unwrap_or(0);
    let mut starts: Vec<usize> = pieces(&points[..split]);
    starts.extend(first_waiting);
    starts.extend(pieces(&points[split..]).into_iter().map(|start| start + split));
    let change = |first: usize| {
        let waits = Some(first) == first_waiting;
        let known = waiting.filter(|_| waits);
        let last_bytes = known.and_then(|waiting| waiting.last).unwrap_or(lengths[first - 1].bytes);
        Change { first, last_bytes, next_bytes: known.map_or(lengths[first].bytes, |waiting| waiting.next), waits }
    };
    starts.into_iter().map(change).collect()
}

/// Returns the jump of half a ping-pong at each change, in µs: the new piece's line less the one before, where they are
/// closest between the last length of the one and the first of the other. Lines that cross there do not jump, they
/// bend.
pub(super) fn jumps_us(lengths: &[Length], changes: &[Change]) -> Vec<f64> {
    let points: Vec<Point> =
        lengths.iter().map(|length| (length.stretch(), length.one_way_us, length.one_way_us)).collect();
    let start = |index: usize| changes.get(index).map_or(points.len(), |change| change.first);
    let piece = |index: usize| &points[if index == 0 { 0 } else { start(index - 1) }..start(index)];
    let jump = |(index, change): (usize, &Change)| {
        let (before, after) = beside(piece(index), piece(index + 1));
        let apart = |bytes: u64| after.at(bytes.saturating_sub(1) as f64) - before.at(bytes.saturating_sub(1) as f64);
        let (last, next) = (apart(change.last_bytes), apart(change.next_bytes));
        let crossing = (last < 0.0) != (next < 0.0);
        if crossing {
            0.0
        } else if last.abs() < next.abs() {
            last
        } else {
            next
        }
    };
    changes.iter().enumerate().map(jump).collect()
}

/// B, half a ping-pong, and its error.
type Point = (f64, f64, f64);

/// Returns the lines of two neighbours; a piece of one point rises as the other does.
fn beside(before: &[Point], after: &[Point]) -> (StraightLine, StraightLine) {
    let (first, second) = (line(before), line(after));
    let slope = first.or(second).map_or(0.0, |line| line.slope);
    let through = |points: &[Point], slope: f64| {
        let &(x, y, _) = points.first().expect("no piece is empty");
        StraightLine { intercept: y - slope * x, slope }
    };
    let other = second.map_or(slope, |line| line.slope);
    (first.unwrap_or_else(|| through(before, other)), second.unwrap_or_else(|| through(after, slope)))
}

/// Returns the indices at which pieces after the first begin.
fn pieces(points: &[Point]) -> Vec<usize> {
    let n = points.len();
    // best[k][end]: least χ² of the first `end` points in k + 1 pieces, and the begin of the last of them.
    let mut best: Vec<Vec<Option<(f64, usize)>>> =
        vec![(0..=n).map(|end| cost(&points[..end]).map(|c| (c, 0))).collect()];
    for k in 1..MOST_PIECES {
        let last = |end: usize| {
            let divided =
                (1..end).filter_map(|start| Some((best[k - 1][start]?.0 + cost(&points[start..end])?, start)));
            divided.min_by(|a, b| a.0.total_cmp(&b.0))
        };
        best.push((0..=n).map(last).collect());
    }
    let price = (n.max(1) as f64).ln();
    let criterion = |k: usize| Some((best[k][n]?.0 + (3 * k + 2) as f64 * price, k));
    let Some((_, mut k)) = (0..MOST_PIECES).filter_map(criterion).min_by(|a, b| a.0.total_cmp(&b.0)) else {
        return Vec::new();
    };
    let (mut starts, mut end) = (Vec::new(), n);
    while k > 0 {
        let Some((_, start)) = best[k][end] else { break };
        starts.push(start);
        (end, k) = (start, k - 1);
    }
    starts.reverse();
    starts
}

/// Returns χ² of a line through a piece that is long enough.
fn cost(points: &[Point]) -> Option<f64> {
    if points.len() < FEWEST_POINTS {
        return None;
    }
    let line = line(points)?;
    Some(points.iter().map(|&(x, y, error)| ((y - line.at(x)) / error).powi(2)).sum())
}

/// Fits a line by weighted least squares; `None` for fewer than two different lengths.
fn line(points: &[Point]) -> Option<StraightLine> {
    let weight = |error: f64| error.max(f64::MIN_POSITIVE).powi(-2);
    let total: f64 = points.iter().map(|&(.., error)| weight(error)).sum();
    let mean = |pick: fn(&Point) -> f64| points.iter().map(|p| weight(p.2) * pick(p)).sum::<f64>() / total;
    let (x0, y0) = (mean(|p| p.0), mean(|p| p.1));
    let squares: f64 = points.iter().map(|p| weight(p.2) * (p.0 - x0).powi(2)).sum();
    let products: f64 = points.iter().map(|p| weight(p.2) * (p.0 - x0) * (p.1 - y0)).sum();
    let slope = products / squares;
    slope.is_finite().then_some(StraightLine { intercept: y0 - slope * x0, slope })
}
