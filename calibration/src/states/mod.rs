//! States of the machine, as looks around every block of timed calls saw it: the distance of the cores of neighbouring
//! ranks, and whether they run at full speed.
//!
//! Numbers of one state repeat, numbers of different states do not: results are reported state by state, the most
//! visited first, and are never pooled. Calls between two looks of different states, or of no clear one, are left out.

mod classes;
mod load;
mod moment;
mod rows;
mod speed;

pub use classes::{Class, class_of, classes, classes_of};
pub use load::{Load, load, page_faults};
pub use moment::{Changed, commonest, seen};
pub use rows::in_states;

use moment::{moments, slowest_ns};
use ordered_float::OrderedFloat;
use programs::machine::CoreState;
use programs::observation::{MachineLook, Observation, RankSurroundings, Stamp, Surrounded};
use speed::Speeds;
use statistics::median;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Least number of stretches of timed calls for a state to have tables; states with fewer are only mentioned.
const LEAST_STRETCHES: usize = 20;

/// State that was met during the measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MetState {
    /// Time of a cache line from one neighbour to the other, in ns.
    pub line_ns: f64,
    /// Median time of the slowest rank's core for the work of a look, in ns.
    pub work_ns: f64,
    /// Slowdown of that core against full speed, the fastest that was met: 1 where all cores run at full speed.
    pub slower: f64,
    /// Number of stretches of timed calls in the state.
    pub stretches: usize,
    /// Number of runs of stretches in the state without another state between, so the number of times that the machine
    /// entered it.
    pub visits: usize,
    /// Number of launches in which it was met.
    pub launches: usize,
}

impl Eq for MetState {}

impl PartialOrd for MetState {
    fn partial_cmp(&self, other: &MetState) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for MetState {
    fn cmp(&self, other: &MetState) -> Ordering {
        let of = |state: &MetState| {
            let times = [state.line_ns, state.work_ns, state.slower].map(OrderedFloat);
            (times, state.stretches, state.visits, state.launches)
        };
        of(self).cmp(&of(other))
    }
}

impl MetState {
    /// Returns the state of the cores as two ranks see it.
    pub fn cores(&self) -> CoreState {
        CoreState { line_ns: self.line_ns, work_ns: Some(self.work_ns) }
    }

    /// Whether `other` is the same state in another campaign, whose full speed may differ: cache lines take about as
    /// long, and cores are slowed about as much.
    pub fn is_like(&self, other: &MetState) -> bool {
        let of = |state: &MetState| CoreState { line_ns: state.line_ns, work_ns: Some(state.slower) };
        of(self).is_like(&of(other))
    }
}

/// Class of lines, and class of speeds.
type StateClass = (usize, usize);

/// States of a campaign.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct States {
    /// States that were met, the one with most stretches first; empty if no state was observed clearly.
    pub met: Vec<MetState>,
    /// Number of stretches during which the state changed, or was not clear: they are in no state's numbers.
    pub unclear: usize,
    lines: Vec<Class>,
    speeds: Speeds,
}

/// Counts of one state.
#[derive(Default)]
struct Met {
    stretches: usize,
    visits: usize,
    launches: BTreeSet<u32>,
    works_ns: Vec<f64>,
}

/// Visits of an observation to the states with tables of their own, by their index in [`States::reported`].
#[derive(Clone, Debug, PartialEq)]
pub struct Visits {
    /// True if a rank looked at the machine.
    pub is_looked_at: bool,
    /// State of the first stretch, if it is clear and has tables.
    pub began: Option<usize>,
    /// For each state, whether some stamps fall into it, so that [`States::only`] keeps them. An observation without
    /// looks is in every state.
    pub visited: Vec<bool>,
}

/// Least share of clear stretches: with fewer, looks say nothing, and everything is reported together.
const LEAST_CLEAR: f64 = 0.2;

impl States {
    /// Returns the states of these cases, which come in the order in which they were measured.
    pub fn from_observations<'a, O: Surrounded + 'a>(observations: impl Iterator<Item = &'a O> + Clone) -> States {
        let mut lines = Vec::new();
        for one in observations.clone().flat_map(|one| one.surroundings()) {
            lines.extend(one.looks.iter().filter_map(|looked| Some(looked.look.line?.as_ns())));
        }
        let speeds = Speeds::from_observations(observations.clone());
        let mut states = States { met: Vec::new(), unclear: 0, lines: classes(&lines), speeds };
        let mut met: BTreeMap<StateClass, Met> = BTreeMap::new();
        let mut last = None;
        for observation in observations {
            let moments = moments(&observation.surroundings());
            let stretches = states.stretches(observation.case().place.ranks, &moments);
            for (place, begin) in stretches.into_iter().zip(&moments) {
                let Some(place) = place else {
                    states.unclear += 1;
                    continue;
                };
                let of = met.entry(place).or_default();
                of.stretches += 1;
                of.visits += usize::from(last != Some(place));
                of.launches.insert(observation.occasion().launch);
                of.works_ns.push(slowest_ns(begin));
                last = Some(place);
            }
        }
        let clear: usize = met.values().map(|met| met.stretches).sum();
        if (clear as f64) < LEAST_CLEAR * (clear + states.unclear) as f64 || clear == 0 {
            return States { lines: Vec::new(), ..states };
        }
        states.met = met.into_iter().map(|(place, met)| states.state(place, &met)).collect();
        states.met.sort_by_key(|state| std::cmp::Reverse(state.stretches));
        states
    }

    fn state(&self, place: StateClass, met: &Met) -> MetState {
        MetState {
            line_ns: self.lines[place.0].middle,
            work_ns: median(&met.works_ns).unwrap_or_default(),
            slower: self.speeds.slower_of(place.1),
            stretches: met.stretches,
            visits: met.visits,
            launches: met.launches.len(),
        }
    }

    fn is_at(&self, state: &MetState, (line, speed): StateClass) -> bool {
        self.lines[line].middle == state.line_ns && self.speeds.slower_of(speed) == state.slower
    }

    /// Returns the states with tables of their own: the most visited one, and others that were met often enough.
    pub fn reported(&self) -> Vec<&MetState> {
        let often = |(place, state): &(usize, &MetState)| *place == 0 || state.stretches >= LEAST_STRETCHES;
        self.met.iter().enumerate().filter(often).map(|(_, state)| state).collect()
    }

    /// Returns the states with tables of their own; if no state was observed, one unknown state.
    pub fn reported_or_unknown(&self) -> Vec<Option<&MetState>> {
        if self.met.is_empty() { vec![None] } else { self.reported().into_iter().map(Some).collect() }
    }

    /// Whether a state was met in a tenth of all stretches or more, so that its numbers decide how many launches are
    /// made.
    pub fn is_common(&self, state: &MetState) -> bool {
        let all: usize = self.met.iter().map(|state| state.stretches).sum::<usize>() + self.unclear;
        state.stretches * 10 >= all
    }

    /// Returns the part of an observation in one state; `None` where there is nothing. Cases without an observed state
    /// are in every state.
    pub fn only(&self, state: &MetState, observation: &Observation) -> Option<Observation> {
        let mut only = observation.clone();
        if observation.ranks.iter().all(|record| record.looks.is_empty()) {
            return Some(only);
        }
        let inside = self.inside(state, observation);
        for record in &mut only.ranks {
            keep(&mut record.stamps, &inside);
            keep(&mut record.subtracted, &inside);
        }
        only.ranks.iter().any(|record| !record.stamps.is_empty()).then_some(only)
    }

    /// Returns the visits of an observation to the states with tables of their own. The observation may lack its
    /// stamps; `stamps` is their number.
    pub fn visits(&self, observation: &impl Surrounded, stamps: usize) -> Visits {
        let surroundings = observation.surroundings();
        let is_looked_at = surroundings.iter().any(|one| !one.looks.is_empty());
        let stretches = self.stamps_of_stretches(observation.case().place.ranks, &surroundings);
        let with_stamps = stretches.iter().filter(|(inside, _)| inside.start < stamps.min(inside.end));
        let visited: BTreeSet<StateClass> = with_stamps.filter_map(|(_, place)| *place).collect();
        let first = stretches.first().and_then(|(_, place)| *place);
        let reported = self.reported();
        let is_visited = |state: &&MetState| !is_looked_at || visited.iter().any(|place| self.is_at(state, *place));
        Visits {
            is_looked_at,
            began: first.and_then(|first| reported.iter().position(|state| self.is_at(state, first))),
            visited: reported.iter().map(is_visited).collect(),
        }
    }

    /// Returns a function that is true for the indices of stamps in a state.
    fn inside(&self, state: &MetState, observation: &Observation) -> impl Fn(usize) -> bool + use<> {
        let stretches = self.stamps_of_stretches(observation.case.place.ranks, &observation.surroundings()).into_iter();
        let is_its = |place: Option<StateClass>| place.is_some_and(|place| self.is_at(state, place));
        let of_state: Vec<Range<usize>> =
            stretches.filter(|(_, place)| is_its(*place)).map(|(inside, _)| inside).collect();
        move |index: usize| of_state.iter().any(|inside| inside.contains(&index))
    }

    /// Returns for each stretch of calls between two looks the indices of its stamps, and the class of its state.
    fn stamps_of_stretches(
        &self,
        ranks: u32,
        surroundings: &[RankSurroundings<'_>],
    ) -> Vec<(Range<usize>, Option<StateClass>)> {
        let looks = surroundings.first().map_or(&[][..], |first| &first.looks);
        let inside = looks.windows(2).map(|ends| ends[0].before_stamp as usize..ends[1].before_stamp as usize);
        inside.zip(self.stretches(ranks, &moments(surroundings))).collect()
    }

    /// Returns the state in which all of these looks were taken at both moments, one look per rank, if it is one state
    /// and was met.
    pub fn state_of(&self, moments: [&[MachineLook]; 2]) -> Option<&MetState> {
        let places = moments.map(|looks| {
            let of_ranks: Vec<(u32, MachineLook)> = (0..).zip(looks.iter().copied()).collect();
            self.place(looks.len() as u32, &of_ranks)
        });
        let place = places[0]?;
        self.met.iter().find(|state| places[1] == places[0] && self.is_at(state, place))
    }

    /// Returns the state of each stretch of calls between two looks, by its class; `None` where it changed or was not
    /// clear.
    fn stretches(&self, ranks: u32, moments: &[Vec<(u32, MachineLook)>]) -> Vec<Option<StateClass>> {
        let places: Vec<Option<StateClass>> = moments.iter().map(|looks| self.place(ranks, looks)).collect();
        places.windows(2).map(|ends| ends[0].filter(|_| ends[0] == ends[1])).collect()
    }

    /// Returns the class on which all ranks' looks at one moment agree.
    fn place(&self, ranks: u32, looks: &[(u32, MachineLook)]) -> Option<StateClass> {
        let lines = looks.iter().filter_map(|(_, look)| look.line);
        let mut classes = lines.map(|line| class_of(line.as_ns(), &self.lines));
        let first = classes.next()??;
        let agree = classes.all(|class| class == Some(first));
        Some((first, self.speeds.class(self.speeds.slower(ranks, looks)).filter(|_| agree)?))
    }

    /// Returns the state in words: `a cache line takes 38 ns between neighbours`, with the slowdown of a core if there
    /// is one.
    pub fn words(state: &MetState) -> String {
        let line = format!("a cache line takes {:.0} ns between neighbours", state.line_ns);
        if state.slower > 1.0 { format!("{line} and a core is slowed ×{:.1}", state.slower) } else { line }
    }

    /// Returns [`States::words`] behind a comma, where there is a state.
    pub fn and_words(state: Option<&MetState>) -> String {
        state.map_or_else(String::new, |state| format!(", {}", States::words(state)))
    }
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
    use crate::fixture::{case, measurement};
    use models::time::Span;
    use programs::method::Method;
    use programs::observation::{Carrier, Looked};

    /// 30 stamps a rank, a look before every tenth, and one behind the last.
    fn looked(launch: u32, lines_ns: [u64; 4]) -> Observation {
        let mut observation = measurement(case(Carrier::Native, 4, "linear", Method::BarrierLoop));
        observation.occasion.launch = launch;
        for record in &mut observation.ranks {
            record.looks = (0..4)
                .map(|index| Looked {
                    before_stamp: index * 10,
                    look: MachineLook { line: Some(Span::from_ns(lines_ns[index as usize])), work: Span::from_ns(600) },
                })
                .collect();
        }
        observation
    }

    #[test]
    fn stretches_are_told_apart_by_the_looks_around_them() {
        let all = [looked(0, [40, 41, 160, 161]), looked(0, [160, 159, 158, 90]), looked(1, [40, 40, 40, 40])];
        let states = States::from_observations(all.iter());
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
        assert_eq!(states.visits(&all[0], 30).began, Some(0));
    }

    #[test]
    fn without_looks_there_are_no_states() {
        let all = [measurement(case(Carrier::Native, 4, "linear", Method::Window))];
        assert_eq!(States::from_observations(all.iter()).met, []);
    }

    #[test]
    fn a_core_that_became_slow_makes_a_stretch_unclear() {
        let mut one = looked(0, [40; 4]);
        one.ranks[1].looks[1].look.work = Span::from_ns(5_000);
        let states = States::from_observations([one].iter());
        assert_eq!((states.met[0].stretches, states.unclear), (1, 2));
    }

    /// A launch in which ranks do the work of a look in so many ns.
    fn worked(launch: u32, ns: [u64; 4]) -> Observation {
        let mut one = looked(launch, [40; 4]);
        for record in &mut one.ranks {
            let work = Span::from_ns(ns[record.rank as usize]);
            record.looks.iter_mut().for_each(|looked| looked.look.work = work);
        }
        one
    }

    #[test]
    fn what_was_measured_on_a_slowed_core_is_a_state_of_its_own() {
        let all = [worked(0, [600; 4]), worked(1, [600, 610, 1_000, 600]), worked(2, [620; 4])];
        let states = States::from_observations(all.iter());
        let met: Vec<(f64, f64, usize)> =
            states.met.iter().map(|state| (state.slower, state.work_ns, state.launches)).collect();
        assert_eq!((met.len(), met[0]), (2, (1.0, 610.0, 2)), "{met:?}");
        assert!((met[1].0 - 1.65).abs() < 0.02 && (met[1].1, met[1].2) == (1_000.0, 1), "{met:?}");
        insta::assert_snapshot!(States::words(&states.met[1]));
        assert_eq!(states.only(&states.met[0], &all[1]), None);
        let slowed = states.only(&states.met[1], &all[1]).expect("all of it");
        assert!(slowed.ranks.iter().all(|record| record.stamps.len() == 30));
        let at_end = |launch: &Observation| launch.ranks.iter().map(|record| record.looks[3].look).collect::<Vec<_>>();
        let (full, slowed) = (at_end(&all[0]), at_end(&all[1]));
        assert_eq!(states.state_of([&slowed, &slowed]), Some(&states.met[1]));
        assert_eq!(states.state_of([&full, &slowed]), None, "it was slowed in between");
    }

    #[test]
    fn ranks_of_unequal_speed_for_good_are_at_full_speed() {
        let all = [worked(0, [600, 900, 600, 600]), worked(1, [600, 910, 600, 600])];
        let states = States::from_observations(all.iter());
        assert_eq!((states.met.len(), states.met[0].slower, states.met[0].work_ns), (1, 1.0, 905.0), "{states:?}");
    }

    #[test]
    fn looks_of_one_state_tell_it_and_others_that_it_changed() {
        let state = CoreState { line_ns: 40.0, work_ns: Some(1_000.0) };
        assert_eq!(seen(&worked(0, [600, 1_000, 600, 600])), Ok(Some(state)));
        assert_eq!(seen(&looked(0, [40, 40, 160, 160])), Err(Changed));
        assert_eq!(seen(&measurement(case(Carrier::Native, 4, "linear", Method::Window))), Ok(None), "nobody looked");
    }
}
