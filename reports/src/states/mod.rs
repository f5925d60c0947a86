//! States of the machine: how near the cores of neighbouring ranks are, as looks around every block of timed calls saw it.
//!
//! Numbers of one state repeat, numbers of different states do not: results are told state by state, the most visited
//! first, and are never pooled. Calls between two looks of different states, or of no clear one, are left out.

mod classes;
mod load;

pub use classes::{Class, class_of, classes, classes_of};
pub use load::{Load, load, page_faults};

use models::observation::{Look, Looked, Observation, RankRecord, Stamp};
use models::time::Span;
use serde::Serialize;

/// A state in which fewer stretches of timed calls were met is mentioned, and has no tables.
const LEAST_STRETCHES: usize = 20;

/// One state that was met.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct State {
    /// How long a cache line takes from one neighbour to the other, in ns.
    pub line_ns: f64,
    /// Stretches of timed calls in it.
    pub stretches: usize,
    /// Runs of stretches in it without another state between: how often the machine came into it.
    pub visits: usize,
    /// Launches in which it was met.
    pub launches: usize,
}

/// Two campaigns' states are the same one where their lines take times that differ by no more than this factor.
pub(crate) const ALIKE: f64 = 1.5;

/// True if cache lines that take so many ns are those of one state.
pub fn alike(one_ns: f64, other_ns: f64) -> bool {
    (one_ns / other_ns).ln().abs() <= ALIKE.ln()
}

impl State {
    /// True for the state of another campaign, or of a probe, whose cache line takes about as long, in ns.
    pub fn is_like(&self, line_ns: f64) -> bool {
        alike(self.line_ns, line_ns)
    }
}

/// The states of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct States {
    /// Those that were met, the one with most stretches first; none where nobody looked, or nothing was clear.
    pub met: Vec<State>,
    /// Stretches during which the state changed, or was not clear: in no state's numbers.
    pub unclear: usize,
    #[serde(skip)]
    lines: Vec<Class>,
}

/// A rank that copies so many times faster or slower at the end of a stretch was disturbed in it.
const STEADY_COPY: f64 = 1.5;

/// With fewer clear stretches than this share of all, looks say nothing, and everything is told together.
const LEAST_CLEAR: f64 = 0.2;

impl States {
    /// The states of these cases, in the order in which they were measured.
    pub fn of<'a>(observations: impl Iterator<Item = &'a Observation> + Clone) -> States {
        let looks = || observations.clone().flat_map(|one| &one.ranks).flat_map(|record| &record.looks);
        let lines: Vec<f64> = looks().filter_map(|looked| Some(ns(looked.look.line?))).collect();
        let mut states = States { met: Vec::new(), unclear: 0, lines: classes(&lines) };
        let mut met = vec![(0, 0, Vec::<u32>::new()); states.lines.len()];
        let mut last = None;
        for observation in observations.clone() {
            for state in states.stretches(observation) {
                let Some(state) = state else {
                    states.unclear += 1;
                    continue;
                };
                met[state].0 += 1;
                met[state].1 += usize::from(last != Some(state));
                if !met[state].2.contains(&observation.case.conditions.launch) {
                    met[state].2.push(observation.case.conditions.launch);
                }
                last = Some(state);
            }
        }
        let clear: usize = met.iter().map(|(stretches, ..)| stretches).sum();
        if (clear as f64) < LEAST_CLEAR * (clear + states.unclear) as f64 || clear == 0 {
            return States { lines: Vec::new(), ..states };
        }
        let all = states.lines.iter().zip(met).filter(|(_, (stretches, ..))| *stretches > 0);
        states.met = all
            .map(|(class, (stretches, visits, launches))| State {
                line_ns: class.middle,
                stretches,
                visits,
                launches: launches.len(),
            })
            .collect();
        states.met.sort_by_key(|state| std::cmp::Reverse(state.stretches));
        states
    }

    /// The states with tables of their own: the most visited one, and others that were met often enough.
    pub fn told(&self) -> Vec<&State> {
        let often = |(place, state): &(usize, &State)| *place == 0 || state.stretches >= LEAST_STRETCHES;
        self.met.iter().enumerate().filter(often).map(|(_, state)| state).collect()
    }

    /// The same; where nobody looked, one state of which nothing is known.
    pub fn told_or_unknown(&self) -> Vec<Option<&State>> {
        if self.met.is_empty() { vec![None] } else { self.told().into_iter().map(Some).collect() }
    }

    /// Whether a state was met in a tenth of all stretches or more, so that its numbers decide how many launches are taken.
    pub fn is_common(&self, state: &State) -> bool {
        let all: usize = self.met.iter().map(|state| state.stretches).sum::<usize>() + self.unclear;
        state.stretches * 10 >= all
    }

    /// What was observed in one state alone; `None` where nothing was. Cases at which nobody looked are in every state.
    pub fn only(&self, state: &State, observation: &Observation) -> Option<Observation> {
        if observation.ranks.iter().all(|record| record.looks.is_empty()) {
            return Some(observation.clone());
        }
        let wanted = self.lines.iter().position(|class| class.middle == state.line_ns);
        let bounds = bounds(&observation.ranks);
        let stretches = self.stretches(observation);
        let inside = |index: usize| {
            let of = bounds.iter().rposition(|begin| *begin as usize <= index);
            of.and_then(|of| stretches.get(of).copied().flatten()).is_some_and(|found| Some(found) == wanted)
        };
        let mut only = observation.clone();
        for record in &mut only.ranks {
            keep(&mut record.stamps, &inside);
            keep(&mut record.subtracted, &inside);
        }
        only.ranks.iter().any(|record| !record.stamps.is_empty()).then_some(only)
    }

    /// The state in which all of these looks were taken, if it is one, and was met.
    pub fn state_of<'a>(&self, looks: impl Iterator<Item = &'a Look>) -> Option<&State> {
        let mut all = looks.filter_map(|look| look.line).map(|line| class_of(ns(line), &self.lines));
        let first = all.next()??;
        if !all.all(|class| class == Some(first)) {
            return None;
        }
        self.met.iter().find(|state| state.line_ns == self.lines[first].middle)
    }

    /// The state of each stretch of calls between two looks, by its class; none where it changed or was not clear.
    fn stretches(&self, observation: &Observation) -> Vec<Option<usize>> {
        let looks = observation.ranks.iter().map(|record| record.looks.len()).min().unwrap_or(0);
        (1..looks).map(|end| self.stretch(&observation.ranks, end)).collect()
    }

    fn stretch(&self, ranks: &[RankRecord], end: usize) -> Option<usize> {
        let ends = |record: &RankRecord| [record.looks[end - 1].look, record.looks[end].look];
        let mut all =
            ranks.iter().flat_map(ends).filter_map(|look| look.line).map(|line| class_of(ns(line), &self.lines));
        let first = all.next()??;
        let steady = all.all(|class| class == Some(first));
        let copies = |record: &RankRecord| {
            let [before, after] = ends(record).map(|look: Look| ns(look.copy));
            before <= after * STEADY_COPY && after <= before * STEADY_COPY
        };
        (steady && ranks.iter().all(copies)).then_some(first)
    }

    /// The state in words: `a cache line takes 38 ns between neighbours`.
    pub fn words(state: &State) -> String {
        format!("a cache line takes {:.0} ns between neighbours", state.line_ns)
    }
}

fn ns(span: Span) -> f64 {
    span.0 as f64 / 1e3
}

/// Where the stretches of a case begin.
fn bounds(ranks: &[RankRecord]) -> Vec<u32> {
    let looks: &[Looked] = ranks.first().map_or(&[], |record| &record.looks);
    looks.iter().map(|looked| looked.before_stamp).collect()
}

/// Keeps the stamps at these places; those of one case stay aligned over ranks.
fn keep(stamps: &mut Vec<Stamp>, inside: &impl Fn(usize) -> bool) {
    let mut index = 0;
    stamps.retain(|_| {
        index += 1;
        inside(index - 1)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::fixture::{case, measurement};
    use models::method::Method;
    use models::observation::Carrier;

    /// 30 stamps a rank, a look before every tenth, and one behind the last.
    fn looked(launch: u32, lines_ns: [u64; 4]) -> Observation {
        let mut observation = measurement(case(Carrier::Native, 4, "linear", Method::BarrierLoop));
        observation.case.conditions.launch = launch;
        for record in &mut observation.ranks {
            record.looks = (0..4)
                .map(|index| Looked {
                    before_stamp: index * 10,
                    look: Look { line: Some(Span::from_ns(lines_ns[index as usize])), copy: Span::from_ns(600) },
                })
                .collect();
        }
        observation
    }

    #[test]
    fn stretches_are_told_apart_by_the_looks_around_them() {
        let all = [looked(0, [40, 41, 160, 161]), looked(0, [160, 159, 158, 90]), looked(1, [40, 40, 40, 40])];
        let states = States::of(all.iter());
        let met: Vec<(usize, usize, usize)> =
            states.met.iter().map(|state| (state.stretches, state.visits, state.launches)).collect();
        assert_eq!(met, [(4, 2, 2), (3, 1, 1)], "{states:?}");
        assert_eq!(states.unclear, 2, "one changed, one ended between both");
        let near = states.only(&states.met[0], &all[0]).expect("some");
        assert!(near.ranks.iter().all(|record| record.stamps.len() == 10));
        assert_eq!(near.ranks[2].stamps, all[0].ranks[2].stamps[..10]);
        let far = states.only(&states.met[1], &all[0]).expect("some");
        assert_eq!(far.ranks[0].stamps, all[0].ranks[0].stamps[20..30]);
        assert_eq!(states.only(&states.met[1], &all[2]), None);
    }

    #[test]
    fn without_looks_there_are_no_states() {
        let all = [measurement(case(Carrier::Native, 4, "linear", Method::Window))];
        assert_eq!(States::of(all.iter()).met, []);
    }

    #[test]
    fn a_copy_that_became_slow_makes_a_stretch_unclear() {
        let mut one = looked(0, [40; 4]);
        one.ranks[1].looks[1].look.copy = Span::from_ns(5_000);
        let states = States::of([one].iter());
        assert_eq!((states.met[0].stretches, states.unclear), (1, 2));
    }
}
