//! The lower envelope of curves: which one is the cheapest where, and where that changes.
//!
//! Between its points a curve is a straight line of places and times (not of their logarithms): that is what network
//! models are between two changes of protocol, so crossings of theirs come out as their closed forms have them.

use super::Curve;

/// Largest share by which two times differ and still count as equal, because interpolation rounds.
const EQUAL: f64 = 1e-9;

/// A place where another curve becomes the cheapest.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossover {
    /// Place at which both curves cost the same, interpolated.
    pub x: f64,
    /// Neighbouring places of the data on both sides of the crossover; twice the same place where a curve begins below
    /// the cheapest, or the cheapest ends.
    pub between: (f64, f64),
    /// Time of the curve that becomes the cheapest at `x`, in µs.
    pub us: f64,
    /// Name of the curve that is the cheapest before.
    pub from: String,
    /// Name of the curve that is the cheapest after.
    pub to: String,
}

/// A stretch on which one curve is the cheapest.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Left end of the stretch.
    pub from: f64,
    /// Right end of the stretch.
    pub to: f64,
    /// Name of the cheapest curve.
    pub name: String,
}

/// Returns the places at which another curve becomes the cheapest, from left to right. A curve counts only where it has
/// data on both sides. Among equally cheap curves the one that was the cheapest before remains it; at the left end it
/// is the one that is cheaper afterwards, then the first given.
pub fn crossovers(curves: &[Curve]) -> Vec<Crossover> {
    walk(curves).1
}

/// Returns the stretches with their cheapest curves, from left to right; stretches without data are left out.
pub fn cheapest(curves: &[Curve]) -> Vec<Stretch> {
    walk(curves).0
}

/// Times of a curve at both ends of a segment.
#[derive(Clone, Copy)]
struct Line {
    curve: usize,
    left: f64,
    right: f64,
}

fn walk(curves: &[Curve]) -> (Vec<Stretch>, Vec<Crossover>) {
    let points: Vec<Vec<(f64, f64)>> = curves.iter().map(Curve::clean).collect();
    let mut grid: Vec<f64> = points.iter().flatten().map(|point| point.0).collect();
    grid.sort_by(f64::total_cmp);
    grid.dedup();
    let mut walk = Walk { curves, stretches: Vec::new(), crossovers: Vec::new(), current: None };
    for pair in grid.windows(2) {
        let line = |(curve, points): (usize, &Vec<(f64, f64)>)| {
            Some(Line { curve, left: at(points, pair[0])?, right: at(points, pair[1])? })
        };
        let lines: Vec<Line> = points.iter().enumerate().filter_map(line).collect();
        walk.segment((pair[0], pair[1]), &lines);
    }
    if let [x] = grid[..] {
        let lines = points.iter().enumerate().filter_map(|(curve, points)| Some((curve, at(points, x)?)));
        let best = lines.min_by(|a, b| a.1.total_cmp(&b.1));
        walk.stretches.extend(best.map(|(curve, _)| Stretch { from: x, to: x, name: curves[curve].name.clone() }));
    }
    (walk.stretches, walk.crossovers)
}

/// Returns the time of a curve at a place within its data, interpolated.
fn at(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let right = points.partition_point(|point| point.0 < x);
    let &(to, end) = points.get(right)?;
    if to == x {
        return Some(end);
    }
    let &(from, start) = points.get(right.checked_sub(1)?)?;
    Some(start + (end - start) * ((x - from) / (to - from)))
}

fn cheaper(one: f64, other: f64) -> bool {
    other - one > EQUAL * one.abs().max(other.abs())
}

/// Walk over the segments from left to right, with the cheapest curve so far.
struct Walk<'a> {
    curves: &'a [Curve],
    stretches: Vec<Stretch>,
    crossovers: Vec<Crossover>,
    /// Index of the cheapest curve, and the right end of the last segment on which it was the cheapest.
    current: Option<(usize, f64)>,
}

impl Walk<'_> {
    /// Follows the lines of all curves that have data from `a` to `b`.
    fn segment(&mut self, (a, b): (f64, f64), lines: &[Line]) {
        let Some(mut now) = self.at_left(a, lines) else {
            self.current = None;
            return;
        };
        let mut x = a;
        loop {
            // The curve that next becomes cheaper; of several at one place the one that is lowest at the right end.
            let below = lines.iter().filter(|line| cheaper(line.right, now.right));
            let crossing = |line: &Line| {
                let (left, right) = ((line.left - now.left).max(0.0), now.right - line.right);
                (a + (b - a) * (left / (left + right))).max(x)
            };
            let next = below.map(|line| (crossing(line), *line));
            let next = next.min_by(|p, q| {
                p.0.total_cmp(&q.0).then(p.1.right.total_cmp(&q.1.right)).then(p.1.curve.cmp(&q.1.curve))
            });
            let Some((place, line)) = next else { break };
            self.extend(now.curve, x, place);
            let us = line.left + (line.right - line.left) * ((place - a) / (b - a));
            self.cross(place, (a, b), us, now.curve, line.curve);
            (now, x) = (line, place);
        }
        self.extend(now.curve, x, b);
        self.current = Some((now.curve, b));
    }

    /// Returns the cheapest curve at the left end of a segment: the one so far, unless another is cheaper there or it
    /// has ended.
    fn at_left(&mut self, a: f64, lines: &[Line]) -> Option<Line> {
        let best = lines.iter().copied().reduce(|best, line| {
            let soon = !cheaper(best.left, line.left) && cheaper(line.right, best.right);
            if cheaper(line.left, best.left) || soon { line } else { best }
        })?;
        let Some((before, _)) = self.current.filter(|&(_, until)| until == a) else { return Some(best) };
        match lines.iter().find(|line| line.curve == before) {
            Some(line) if !cheaper(best.left, line.left) => Some(*line),
            _ => {
                self.cross(a, (a, a), best.left, before, best.curve);
                Some(best)
            }
        }
    }

    fn cross(&mut self, x: f64, between: (f64, f64), us: f64, from: usize, to: usize) {
        let name = |curve: usize| self.curves[curve].name.clone();
        self.crossovers.push(Crossover { x, between, us, from: name(from), to: name(to) });
    }

    fn extend(&mut self, curve: usize, from: f64, to: f64) {
        let name = &self.curves[curve].name;
        match self.stretches.last_mut() {
            Some(last) if last.name == *name && last.to == from => last.to = to,
            _ if to > from => self.stretches.push(Stretch { from, to, name: name.clone() }),
            _ => {}
        }
    }
}
