//! The lower envelope of curves: which one is the cheapest where, and where that changes.
//!
//! Between its points a curve is a straight line of places and times (not of their logarithms): that is what network
//! models are between two changes of protocol, so crossings of theirs come out as their closed forms have them.

use super::Curve;

/// Times nearer than this share of each other are equal: interpolation rounds.
const EQUAL: f64 = 1e-9;

/// A place where another curve becomes the cheapest.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossover {
    /// Where the two cost the same, interpolated.
    pub x: f64,
    /// The neighbouring places of the data between which that is; twice the same place where a curve begins below the
    /// cheapest, or the cheapest ends.
    pub between: (f64, f64),
    /// What both cost there, in µs: the time of the one that becomes the cheapest.
    pub us: f64,
    /// The cheapest before.
    pub from: String,
    /// The cheapest after.
    pub to: String,
}

/// A stretch on which one curve is the cheapest.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// From where.
    pub from: f64,
    /// Until where.
    pub to: f64,
    /// The name of the curve.
    pub name: String,
}

/// Where another curve becomes the cheapest, from left to right. A curve counts only where it has data on both sides;
/// of equally cheap ones that which was the cheapest before stays it, at the left end the one that soon is cheaper, then
/// the first given.
pub fn crossovers(curves: &[Curve]) -> Vec<Crossover> {
    walk(curves).1
}

/// Which curve is the cheapest on which stretch, from left to right; stretches without data are left out.
pub fn cheapest(curves: &[Curve]) -> Vec<Stretch> {
    walk(curves).0
}

/// What a curve costs at both ends of a segment.
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

/// The time of a curve at a place within its data.
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

/// From the left to the right, with the cheapest so far.
struct Walk<'a> {
    curves: &'a [Curve],
    stretches: Vec<Stretch>,
    crossovers: Vec<Crossover>,
    /// Its index, and where the last segment that it was the cheapest of ended.
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
            // The next line to pass below; of several at one place the one that is lowest afterwards.
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

    /// The cheapest at the left end of a segment: the one so far, unless another is cheaper there or it has ended.
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
