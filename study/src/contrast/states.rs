//! States of the machine on both sides of a comparison: only like states are compared, and states are never mixed.

use super::side::{Sampled, Side};
use calibration::states::{MetState, States};
use scenario::axis::{Axis, Key};

/// A state of A's and the state of the other side that it is compared with, or one state without a partner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partners {
    /// State of side A; `None` where only the other side met the state.
    pub a: Option<MetState>,
    /// State of the other side; `None` where only A met the state.
    pub b: Option<MetState>,
    /// True where one side knows no states: its numbers are then compared with those of the other's most visited one.
    pub one_knows_none: bool,
}

/// Returns the name of a state in keys: `38 ns`, or `38 ns on cores slowed by 1.7`.
pub(crate) fn label(state: &MetState) -> String {
    let line = format!("{:.0} ns", state.line_ns);
    if state.slower > 1.0 { format!("{line} on cores slowed by {:.1}", state.slower) } else { line }
}

impl Partners {
    /// `a cache line takes 38 ns between neighbours (A: 412 blocks, 6 launches; B: 39 ns, 371 blocks, 6 launches)`.
    pub fn words(&self, letter: &str) -> String {
        let counts = |state: &MetState| format!("{} blocks, {} launches", state.stretches, state.launches);
        let alone = |has: &str, lacks: &str, state: &MetState| {
            let (words, counts) = (States::words(state), counts(state));
            match self.one_knows_none {
                true => format!("{words} in {has} ({counts}); the state of {lacks} is not known"),
                false => format!("{words} in {has} only ({counts}): not compared"),
            }
        };
        match (&self.a, &self.b) {
            (Some(a), Some(b)) => {
                let speeds = if a.cores().is_like(&b.cores()) {
                    String::new()
                } else {
                    format!(
                        "; cores took {:.0} ns in A and {:.0} ns in {letter} for the same work",
                        a.work_ns, b.work_ns
                    )
                };
                format!("{} (A: {}; {letter}: {}, {}{speeds})", States::words(a), counts(a), label(b), counts(b))
            }
            (Some(a), None) => alone("A", letter, a),
            (None, Some(b)) => alone(letter, "A", b),
            (None, None) => String::new(),
        }
    }
}

/// Pairs the states of two sides that are alike, the nearest two first, each state once. The pairs are in A's order,
/// followed by the states that only B has.
fn partners(a: &[MetState], b: &[MetState]) -> Vec<Partners> {
    let apart = |a: &MetState, b: &MetState| (a.line_ns / b.line_ns).ln().abs() + (a.slower / b.slower).ln().abs();
    let all = (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j)));
    let mut near: Vec<(usize, usize)> = all.filter(|&(i, j)| a[i].is_like(&b[j])).collect();
    near.sort_by(|&(i, j), &(k, l)| apart(&a[i], &b[j]).total_cmp(&apart(&a[k], &b[l])));
    let mut of_a: Vec<Option<usize>> = vec![None; a.len()];
    for (i, j) in near {
        if of_a[i].is_none() && !of_a.contains(&Some(j)) {
            of_a[i] = Some(j);
        }
    }
    let partners = |a, b| Partners { a, b, one_knows_none: false };
    let both = a.iter().zip(&of_a).map(|(state, j)| partners(Some(*state), j.map(|j| b[j])));
    let left_over = b.iter().enumerate().filter(|(j, _)| !of_a.contains(&Some(*j)));
    both.chain(left_over.map(|(_, state)| partners(None, Some(*state)))).collect()
}

/// Returns the part with its states named as the like states of the side, which receives all states of the part.
pub(super) fn merged(side: &mut Side, part: Side) -> Side {
    let found = partners(&side.states, &part.states);
    let names: Vec<(String, String)> =
        found.iter().filter_map(|pair| Some((label(&pair.b?), label(&pair.a.or(pair.b)?)))).collect();
    let sum = |pair: &Partners| match (pair.a, pair.b) {
        (Some(a), Some(b)) => Some(MetState {
            stretches: a.stretches + b.stretches,
            visits: a.visits + b.visits,
            launches: a.launches + b.launches,
            ..a
        }),
        (a, b) => a.or(b),
    };
    side.states = found.iter().filter_map(sum).collect();
    side.states.sort_by_key(|state| std::cmp::Reverse(state.stretches));
    renamed(&part, |name| names.iter().find(|(from, _)| from == name).map(|(_, to)| to.clone()))
}

/// Returns the side with other names of states. Cases of states without a name are dropped.
fn renamed(side: &Side, name: impl Fn(&str) -> Option<String>) -> Side {
    let case = |case: &Sampled| {
        if case.key.get(Axis::State).is_none() {
            return Some(case.clone());
        }
        let name = name(&case.key.text(Axis::State))?;
        let key = case.key.within(|axis| axis != Axis::State).named(Axis::State, &name);
        Some(Sampled { key, ..case.clone() })
    };
    Side { cases: side.cases.iter().filter_map(case).collect(), ..side.clone() }
}

/// Two sides whose like states have the same names; cases of states without a partner are dropped.
pub(super) struct Alike {
    pub a: Side,
    pub b: Side,
    pub partners: Vec<Partners>,
    names: Vec<String>,
}

impl Alike {
    /// Returns the two sides as they are to be compared. Both stay unchanged where states are not compared (`by_state`
    /// is false) or neither side knows any.
    pub(super) fn from_sides(a: &Side, b: &Side, by_state: bool) -> Alike {
        let names = a.states.iter().map(label).collect();
        if !by_state || (a.states.is_empty() && b.states.is_empty()) {
            return Alike { a: a.clone(), b: b.clone(), partners: Vec::new(), names };
        }
        let found = partners(&a.states, &b.states);
        let (first_a, first_b) = (a.states.first().map(label), b.states.first().map(label));
        if a.states.is_empty() || b.states.is_empty() {
            let most_visited = |name: &str, first: &Option<String>| (first.as_deref() == Some(name)).then(String::new);
            let found = found.into_iter().take(1).map(|pair| Partners { one_knows_none: true, ..pair });
            return Alike {
                a: renamed(a, |name| most_visited(name, &first_a)),
                b: renamed(b, |name| most_visited(name, &first_b)),
                partners: found.collect(),
                names,
            };
        }
        let both = || found.iter().filter_map(|pair| Some((label(&pair.a?), label(&pair.b?))));
        Alike {
            a: renamed(a, |name| both().find(|(of_a, _)| of_a == name).map(|(of_a, _)| of_a)),
            b: renamed(b, |name| both().find(|(_, of_b)| of_b == name).map(|(of_a, _)| of_a)),
            partners: found,
            names,
        }
    }

    /// Place of a case's state among A's states, the most visited first; cases without an observed state come last.
    pub(super) fn place(&self, key: &Key) -> usize {
        let name = key.text(Axis::State);
        self.names.iter().position(|known| *known == name).unwrap_or(self.names.len())
    }

    /// Advice where no state of one side is like any of the other's; `None` where some are alike.
    pub(super) fn why_apart(&self) -> Option<String> {
        let apart = self.partners.iter().all(|pair| (pair.a.is_none() || pair.b.is_none()) && !pair.one_knows_none);
        let of = |pick: fn(&Partners) -> Option<MetState>| {
            let names: Vec<String> = self.partners.iter().filter_map(|pair| Some(label(&pick(pair)?))).collect();
            names.join(", ")
        };
        (apart && !self.partners.is_empty()).then(|| {
            format!(
                "they were measured in different states of the machine (a cache line between neighbours takes, \
                 A: {}; B: {}); measure again, or choose one of each, FILE,state='{}', to compare them nevertheless",
                of(|pair| pair.a),
                of(|pair| pair.b),
                of(|pair| pair.a).split(", ").next().unwrap_or_default()
            )
        })
    }
}
