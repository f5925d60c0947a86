//! Times as a function of one parameter: straight pieces and the breakpoints between them.
//!
//! Parameter and time are whole numbers of picoseconds. Where every rank does its work in an order that no time
//! changes, a finish time is the greatest of many sums, each straight in the parameter: it is convex. Then three
//! neighbouring values on one line prove that line to be one of those sums, and a line that holds at both ends of a
//! stretch holds on all of it: the pieces are exact. Where orders depend on times nothing of that is certain; pieces
//! are then what samples show.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Largest number of values of the parameter at which the function is evaluated.
pub const MOST_RUNS: usize = 4096;

/// Number of places between the ends of a piece that convexity does not prove at which the function is evaluated.
const SAMPLES: u64 = 16;

/// Returns `count` whole numbers between two, spread over all of them and in step with no period.
pub fn spread(from: u64, to: u64, count: u64) -> impl Iterator<Item = u64> {
    // The golden ratio's multiples fill a circle evenly (Weyl), however many are taken.
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    let width = u128::from(to.saturating_sub(from)) + 1;
    (1..=count).map(move |nth| from + ((u128::from(nth.wrapping_mul(GOLDEN)) * width) >> 64) as u64)
}

/// Values of the parameter on which the time is one straight line: T(x) = `at_from` + `slope` · (x − `from`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Least value of the parameter, in ps, or ps per byte.
    pub from: u64,
    /// Greatest value of the parameter, which is on the line too.
    pub to: u64,
    /// Time at `from`, in ps.
    pub at_from: u64,
    /// Growth of the time with each ps of the parameter, in ps.
    pub slope: i64,
}

/// A function of one parameter over a range: its pieces, from left to right, each beginning behind the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// All pieces; together they hold every whole value of the range.
    pub pieces: Vec<Piece>,
    /// Whether the function was known to be convex, and so the pieces are proven.
    pub proven: bool,
    /// Number of values at which the function was evaluated.
    pub runs: usize,
}

/// Reason why a function has no pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfound<E> {
    /// The function could not be evaluated.
    Failed(E),
    /// The function has more pieces than [`MOST_RUNS`] evaluations tell apart.
    TooMany,
}

impl Piece {
    /// Returns the line's time at a value of the parameter, in ps; below zero where the line leads there.
    pub fn at(&self, x: u64) -> i128 {
        i128::from(self.at_from) + i128::from(self.slope) * (i128::from(x) - i128::from(self.from))
    }

    /// Returns the line's time where the parameter is zero, in ps.
    pub fn intercept(&self) -> i128 {
        self.at(0)
    }

    /// Returns the time at `to`, in ps.
    pub fn at_to(&self) -> u64 {
        u64::try_from(self.at(self.to)).unwrap_or_default()
    }

    /// Returns the value of the parameter at which this line and the next piece's meet, in ps, between the two pieces;
    /// `None` where the time jumps.
    pub fn meets(&self, next: &Piece) -> Option<f64> {
        let (gap, bend) = self.crossing(next)?;
        let (low, high) = (i128::from(self.to) * bend, i128::from(next.from) * bend);
        (low.min(high)..=low.max(high)).contains(&gap).then(|| gap as f64 / bend as f64)
    }

    /// Returns two numbers whose ratio, the first over the second, is the parameter at which the lines cross; `None`
    /// for parallel lines.
    fn crossing(&self, other: &Piece) -> Option<(i128, i128)> {
        let (gap, bend) = (self.intercept() - other.intercept(), i128::from(other.slope) - i128::from(self.slope));
        (bend != 0).then_some((gap, bend))
    }

    fn same_line(&self, other: &Piece) -> bool {
        self.slope == other.slope && self.intercept() == other.intercept()
    }
}

impl Pieces {
    /// Finds the pieces of a function; `convex` says that it is known to be the greatest of straight lines.
    ///
    /// # Errors
    /// Returns the function's own error, or [`Unfound::TooMany`] for more pieces than can be told apart.
    pub fn find<E>(
        range: RangeInclusive<u64>,
        convex: bool,
        function: impl FnMut(u64) -> Result<u64, E>,
    ) -> Result<Pieces, Unfound<E>> {
        let mut search = Search { function, known: BTreeMap::new(), pieces: Vec::new(), convex };
        search.between(*range.start(), *range.end())?;
        let runs = search.known.len();
        Ok(Pieces { pieces: joined(search.pieces), proven: convex, runs })
    }

    /// Returns the piece that holds a value of the range.
    pub fn piece_at(&self, x: u64) -> Option<&Piece> {
        self.pieces.iter().find(|piece| (piece.from..=piece.to).contains(&x))
    }
}

/// Joins pieces of one line; a single value belongs to a neighbour whose line it is on.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let Some(last) = all.last_mut() else {
            all.push(piece);
            continue;
        };
        if last.same_line(&piece) || piece.from == piece.to && last.at(piece.from) == i128::from(piece.at_from) {
            last.to = piece.to;
        } else if last.from == last.to && piece.at(last.from) == i128::from(last.at_from) {
            *last = Piece { from: last.from, at_from: last.at_from, ..piece };
        } else {
            all.push(piece);
        }
    }
    all
}

struct Search<F> {
    function: F,
    known: BTreeMap<u64, u64>,
    pieces: Vec<Piece>,
    convex: bool,
}

impl<E, F: FnMut(u64) -> Result<u64, E>> Search<F> {
    fn value(&mut self, x: u64) -> Result<u64, Unfound<E>> {
        if let Some(&known) = self.known.get(&x) {
            return Ok(known);
        }
        if self.known.len() >= MOST_RUNS {
            return Err(Unfound::TooMany);
        }
        let value = (self.function)(x).map_err(Unfound::Failed)?;
        self.known.insert(x, value);
        Ok(value)
    }

    /// Returns the line through three neighbouring values, if they are on one.
    fn line(&mut self, first: u64) -> Result<Option<Piece>, Unfound<E>> {
        let [a, b, c] = [self.value(first)?, self.value(first + 1)?, self.value(first + 2)?];
        let slope = b.wrapping_sub(a) as i64;
        let is_line = c.wrapping_sub(b) as i64 == slope;
        Ok(is_line.then_some(Piece { from: first, to: first + 2, at_from: a, slope }))
    }

    /// Adds a value by itself; its slope is the step to the next one, of the last value that from the one before.
    fn point(&mut self, x: u64, first: u64, last: u64) -> Result<(), Unfound<E>> {
        let at_from = self.value(x)?;
        let step = if x < last {
            self.value(x + 1)?.wrapping_sub(at_from)
        } else if x > first {
            at_from.wrapping_sub(self.value(x - 1)?)
        } else {
            0
        };
        self.pieces.push(Piece { from: x, to: x, at_from, slope: step as i64 });
        Ok(())
    }

    /// Finds all pieces between two values.
    fn between(&mut self, mut left: u64, mut right: u64) -> Result<(), Unfound<E>> {
        let (first, mut behind) = (left, Vec::new());
        // Next to an end that is a corner, the line begins a little later.
        let (a, b) = loop {
            if right - left < 4 {
                (left..=right).try_for_each(|x| self.point(x, first, right))?;
                return behind.into_iter().rev().try_for_each(|x| self.point(x, first, x));
            }
            match (self.line(left)?, self.line(right - 2)?) {
                (Some(a), Some(b)) => break (a, b),
                (None, _) => {
                    self.point(left, first, right)?;
                    left += 1;
                }
                (_, None) => {
                    behind.push(right);
                    right -= 1;
                }
            }
        };
        let a = Piece { from: left, ..a };
        if a.same_line(&b) {
            self.stretch(Piece { to: right, ..a })?;
        } else {
            let last_of_a = meeting(&a, &b).filter(|x| (left..right).contains(x));
            let middle = last_of_a.unwrap_or(left + (right - left) / 2);
            let (here, there) = (self.value(middle)?, self.value(middle + 1)?);
            let is_corner = i128::from(here) == a.at(middle) && i128::from(there) == b.at(middle + 1);
            if is_corner && last_of_a.is_some() {
                self.stretch(Piece { to: middle, ..a })?;
                self.stretch(Piece { from: middle + 1, to: right, at_from: there, slope: b.slope })?;
            } else {
                self.between(left, middle)?;
                self.between(middle + 1, right)?;
            }
        }
        behind.into_iter().rev().try_for_each(|x| self.point(x, first, x))
    }

    /// Adds a line that holds at both ends: of a convex function it is a piece, else the function is evaluated in
    /// between.
    fn stretch(&mut self, piece: Piece) -> Result<(), Unfound<E>> {
        if !self.convex && piece.from < piece.to {
            for x in spread(piece.from + 1, piece.to, SAMPLES) {
                if i128::from(self.value(x)?) != piece.at(x) {
                    self.between(piece.from, x - 1)?;
                    return self.between(x, piece.to);
                }
            }
        }
        self.pieces.push(piece);
        Ok(())
    }
}

/// Returns the last whole value at which the first line is not below the second, seen from the left, if they cross.
fn meeting(left: &Piece, right: &Piece) -> Option<u64> {
    left.crossing(right).and_then(|(gap, bend)| u64::try_from(gap.div_euclid(bend)).ok())
}
