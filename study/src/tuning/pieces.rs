//! Pieces of lengths that have one choice: the table with the least time, where each change of the choice costs as much
//! as the least gain that is worth one.

use super::{Call, Way};
use crate::contrast::Verdict;
use formats::tuning::Split;
use render::groups::distinct;
use scenario::axis::Key;

/// Table of one operation on one number of ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Pieces {
    /// Position on all axes but the algorithm and the bytes.
    pub at: Key,
    /// Pieces of all measured lengths, in ascending order.
    pub pieces: Vec<Piece>,
}

/// Lengths with one choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Shortest length, as measured.
    pub from_bytes: u64,
    /// Longest length, as measured.
    pub to_bytes: u64,
    /// The choice; `None` for the library's own.
    pub way: Option<Way>,
    /// Number of measured lengths.
    pub lengths: usize,
}

/// Least cost of a table up to a length, by its last choice and whether its last piece may end there. `from` is the entry
/// before.
#[derive(Clone, Copy)]
struct Reached {
    cost: f64,
    from: Option<(usize, bool)>,
}

impl Pieces {
    /// Returns the table of these calls, which have ascending lengths, and marks the choice of each call.
    pub(super) fn choose(at: Key, calls: &mut [Call], at_least: f64, split: Split) -> Pieces {
        let mut ways: Vec<Way> =
            distinct(calls.iter().flat_map(|call| call.tried.iter().map(|tried| tried.way.clone())));
        ways.sort();
        let change = (1.0 + at_least).ln();
        // Without entries everything costs nothing.
        let is_worth_it = |(cost, _): &(f64, Vec<usize>)| *cost < -change;
        let chosen = match split {
            Split::Anywhere => least(calls, &ways, change, true),
            Split::WithoutOwnChoice => least(calls, &ways, change, false).filter(is_worth_it),
            Split::Nowhere => least(calls, &ways, f64::INFINITY, false).filter(is_worth_it),
        };
        let chosen = chosen.map_or_else(|| vec![0; calls.len()], |(_, chosen)| chosen);
        for (call, way) in calls.iter_mut().zip(&chosen) {
            call.chosen = way.checked_sub(1).map(|place| ways[place].clone());
        }
        let pieces = calls.chunk_by(|one, other| one.chosen == other.chosen).map(|lengths| Piece {
            from_bytes: lengths[0].bytes,
            to_bytes: lengths[lengths.len() - 1].bytes,
            way: lengths[0].chosen.clone(),
            lengths: lengths.len(),
        });
        Pieces { at, pieces: pieces.collect() }
    }

    /// Whether the library's own choice is left everywhere.
    pub fn is_default(&self) -> bool {
        self.pieces.iter().all(|piece| piece.way.is_none())
    }
}

/// Returns the choices with the least cost, the sum of the logarithms of ratios and of the costs of changes. Choices are
/// places in `ways` plus one; zero is the library's own choice. `None` where a length has no choice.
///
/// A way that is not shown to be faster at a length may be taken there if it is not shown to be slower and its time is not
/// longer: it gains nothing then. Among entries that may be the library's own choice, the first and the last length of a
/// piece are such at which its way is shown to be faster; else one length of it is.
pub(super) fn least(calls: &[Call], ways: &[Way], change: f64, with_default: bool) -> Option<(f64, Vec<usize>)> {
    let step = |call: &Call, place: usize| -> Option<(f64, bool)> {
        if place == 0 {
            return with_default.then_some((0.0, true));
        }
        let tried = call.tried.iter().find(|tried| tried.way == ways[place - 1])?;
        let log = tried.ratio.value.ln();
        match tried.verdict {
            Verdict::Faster => Some((log, true)),
            Verdict::Same => Some((0.0, false)),
            Verdict::Undecided if log <= 0.0 => Some((0.0, false)),
            // Without the library's own choice, something must be taken.
            Verdict::Undecided if !with_default => Some((log, false)),
            Verdict::Undecided | Verdict::Slower | Verdict::Larger | Verdict::Smaller => None,
        }
    };
    let entries = |place: usize| [(place, false), (place, true)];
    let mut columns: Vec<Vec<[Option<Reached>; 2]>> = Vec::with_capacity(calls.len());
    for call in calls {
        let before = columns.last();
        let mut column = vec![[None; 2]; ways.len() + 1];
        for (place, reached) in column.iter_mut().enumerate() {
            let Some((cost, is_shown)) = step(call, place) else { continue };
            let Some(before) = before else {
                if is_shown || !with_default {
                    reached[usize::from(is_shown)] = Some(Reached { cost, from: None });
                }
                continue;
            };
            let all = (0..before.len()).flat_map(entries);
            for (last, was_shown) in all {
                let Some(one) = before[last][usize::from(was_shown)] else { continue };
                let stays = last == place;
                if !stays && !(was_shown && (is_shown || !with_default)) {
                    continue;
                }
                let cost = one.cost + cost + if stays { 0.0 } else { change };
                let may_end = is_shown || (!with_default && stays && was_shown);
                let slot = &mut reached[usize::from(may_end)];
                // Of equal costs the first one stays: the library's own choice is the first of all.
                if slot.is_none_or(|known| cost < known.cost) {
                    *slot = Some(Reached { cost, from: Some((last, was_shown)) });
                }
            }
        }
        columns.push(column);
    }
    let last = columns.last()?;
    let shown = (0..last.len()).filter_map(|place| Some((place, last[place][1]?)));
    let (mut place, end) = shown.min_by(|(_, one), (_, other)| one.cost.total_cmp(&other.cost))?;
    let mut chosen = vec![place];
    let mut from = end.from;
    for column in columns.iter().rev().skip(1) {
        let (before, was_shown) = from?;
        place = before;
        chosen.push(place);
        from = column[place][usize::from(was_shown)].and_then(|reached| reached.from);
    }
    chosen.reverse();
    Some((end.cost, chosen))
}
