//! Crossovers of algorithms between two neighbouring points of a sweep: the whole numbers of ranks or bytes at which
//! another algorithm becomes the cheapest, found by simulating such numbers.

use super::work::Work;
use models::piecewise::spread;
use rayon::prelude::*;
use reports::sweep::curves::{Curve, Looked, crossovers};
use scenario::BadInput;
use scenario::axis::Axis;
use scenario::sweep::SweepPoint;
use std::collections::{BTreeMap, BTreeSet};

/// Largest distance of two points between which every whole number is simulated.
const EVERY: u64 = 64;
/// Number of further values against which the result of bisection is checked.
const CHECKS: u64 = 32;
/// Largest number of messages that are simulated between two points.
const MOST_MESSAGES: u64 = 1 << 27;

/// Number of values that are named at which another algorithm is cheaper than the one at the points around.
const MOST_NAMED: usize = 8;

/// Sentence on the search for crossovers, for readers.
pub(super) const SEARCH: &str = "Crossovers are whole numbers: all values between two neighbouring points were \
                                 simulated, or, if there are more than 64, those that bisection and 32 probes \
                                 select.";

/// Costs of the algorithms in µs; `None` where one takes too many messages.
type Costs = Vec<Option<f64>>;

impl Work {
    /// Simulates values between neighbouring points at which the cheapest of these curves differs.
    ///
    /// # Errors
    /// Fails where the simulator does.
    pub(super) fn look_between(&self, over: Axis, limit: u64, curves: &[Curve]) -> Result<Looked, BadInput> {
        let mut brackets: Vec<(f64, f64)> = crossovers(curves).into_iter().map(|crossover| crossover.between).collect();
        brackets.dedup();
        let mut looked = Looked::default();
        for (low, high) in brackets.into_iter().filter(|(low, high)| high - low > 1.0) {
            let (first, last) = (low as u64, high as u64);
            if self.messages_at(over, last).saturating_mul(EVERY.min(last - first)) > MOST_MESSAGES {
                continue;
            }
            let mut between = self.between(over, limit);
            match between.changes(first, last)? {
                None => looked.several.push((low, high)),
                Some(places) => {
                    for place in places.into_iter().flat_map(|place| [place - 1, place]) {
                        let costs = between.at(place)?.into_iter().enumerate();
                        looked.points.extend(costs.filter_map(|(nth, us)| Some((nth, (place as f64, us?)))));
                    }
                }
            }
        }
        Ok(looked)
    }

    /// Returns sentences on values between points with the same cheapest algorithm: those at which another one is
    /// cheaper, and stretches that would take too many messages.
    ///
    /// # Errors
    /// Fails where the simulator does.
    pub(super) fn exceptions(&self, over: Axis, limit: u64, curves: &[Curve]) -> Result<Vec<String>, BadInput> {
        let places: BTreeSet<u64> = curves.iter().flat_map(|curve| &curve.points).map(|point| point.0 as u64).collect();
        let changes: Vec<(f64, f64)> = crossovers(curves).into_iter().map(|crossover| crossover.between).collect();
        let unit = if over == Axis::Ranks { "ranks" } else { "B" };
        let (mut named, mut left_out, mut budget) = (Vec::new(), Vec::new(), MOST_MESSAGES);
        for (&first, &last) in places.iter().zip(places.iter().skip(1)) {
            if last - first <= 1 || changes.contains(&(first as f64, last as f64)) {
                continue;
            }
            let probes = probes(first, last);
            let messages = self.messages_at(over, last).saturating_mul(probes.len() as u64);
            if messages > budget {
                left_out.push(format!("{first} and {last}"));
                continue;
            }
            budget -= messages;
            let others = self.between(over, limit).others(first, &probes)?;
            named.extend(others.into_iter().filter_map(|(place, nth)| Some((place, &curves.get(nth?)?.name))));
        }
        let mut named: Vec<String> =
            named.into_iter().map(|(place, name)| format!("{name} at {place} {unit}")).collect();
        let more = named.len().saturating_sub(MOST_NAMED);
        named.truncate(MOST_NAMED);
        named.extend((more > 0).then(|| format!("and at {more} more values")));
        let named = (!named.is_empty())
            .then(|| format!("Faster than the algorithm of the points on both sides: {}.", named.join(", ")));
        let left_out = (!left_out.is_empty())
            .then(|| format!("Values between {} {unit} were not simulated: too many messages.", left_out.join(", ")));
        Ok(named.into_iter().chain(left_out).collect())
    }

    fn between(&self, over: Axis, limit: u64) -> Between<impl Fn(u64) -> Result<Costs, BadInput>> {
        Between { costs: move |place| self.costs_at(over, place, limit), known: BTreeMap::new() }
    }

    fn point_at(&self, nth: u64, over: Axis, place: u64) -> SweepPoint<'_> {
        let mut point = self.sweep.point(nth * (self.sweep.points() / self.sweep.algorithms().len() as u64));
        match over {
            Axis::Ranks => point.shape.ranks = u32::try_from(place).unwrap_or(u32::MAX),
            _ => point.shape.bytes = place,
        }
        point
    }

    /// Returns an upper bound of the messages of all algorithms together.
    fn messages_at(&self, over: Axis, place: u64) -> u64 {
        let of = |nth| {
            // Points that cannot be simulated have no messages.
            self.most_messages(&self.point_at(nth, over, place)).unwrap_or(0)
        };
        (0..self.sweep.algorithms().len() as u64).map(of).fold(0, u64::saturating_add)
    }

    fn costs_at(&self, over: Axis, place: u64, limit: u64) -> Result<Costs, BadInput> {
        let all = (0..self.sweep.algorithms().len() as u64).into_par_iter();
        all.map(|nth| self.cost(&self.point_at(nth, over, place), limit)).collect()
    }
}

/// Places at which another algorithm becomes the cheapest, each with that algorithm.
type Changes = Vec<(u64, Option<usize>)>;

/// Returns the values between two points with the same cheapest algorithm that are simulated: all, or some where there
/// are many.
fn probes(first: u64, last: u64) -> Vec<u64> {
    if last - first <= EVERY { (first + 1..last).collect() } else { spread(first, last, CHECKS).collect() }
}

/// Whole numbers between two points, with the costs that are known.
struct Between<F> {
    costs: F,
    known: BTreeMap<u64, Costs>,
}

impl<F: Fn(u64) -> Result<Costs, BadInput>> Between<F> {
    fn at(&mut self, place: u64) -> Result<Costs, BadInput> {
        if let Some(known) = self.known.get(&place) {
            return Ok(known.clone());
        }
        let costs = (self.costs)(place)?;
        self.known.insert(place, costs.clone());
        Ok(costs)
    }

    /// Returns the cheapest algorithm at a place; among equally cheap ones the one that was the cheapest before.
    fn cheapest(&mut self, place: u64, before: Option<usize>) -> Result<Option<usize>, BadInput> {
        let costs = self.at(place)?;
        let all = costs.iter().enumerate().filter_map(|(nth, us)| Some((nth, (*us)?)));
        let Some((best, us)) = all.min_by(|a, b| a.1.total_cmp(&b.1)) else { return Ok(None) };
        let still = before.filter(|&before| costs.get(before).copied().flatten().is_some_and(|cost| cost <= us));
        Ok(Some(still.unwrap_or(best)))
    }

    /// Returns those of these places at which another algorithm is the cheapest than at the first point, each with that
    /// algorithm.
    fn others(&mut self, first: u64, places: &[u64]) -> Result<Changes, BadInput> {
        let around = self.cheapest(first, None)?;
        let mut others = Changes::new();
        for &place in places {
            let cheapest = self.cheapest(place, around)?;
            others.extend((cheapest != around).then_some((place, cheapest)));
        }
        Ok(others)
    }

    /// Returns the first place of each algorithm that becomes the cheapest, from `first` to `last`; `None` where one
    /// does so twice, or where the places are not known.
    fn changes(&mut self, first: u64, last: u64) -> Result<Option<Vec<u64>>, BadInput> {
        let begun = self.cheapest(first, None)?;
        let found = if last - first <= EVERY { self.every(first, last)? } else { self.by_halves(first, last)? };
        let Some(found) = found else { return Ok(None) };
        let mut order = vec![begun];
        for &(_, now) in &found {
            if order.contains(&now) {
                return Ok(None);
            }
            order.push(now);
        }
        Ok(Some(found.into_iter().map(|(place, _)| place).collect()))
    }

    /// Returns each place at which another algorithm becomes the cheapest, by simulating every value.
    fn every(&mut self, first: u64, last: u64) -> Result<Option<Changes>, BadInput> {
        let (mut now, mut changes) = (self.cheapest(first, None)?, Changes::new());
        for place in first + 1..=last {
            let next = self.cheapest(place, now)?;
            if next != now {
                changes.push((place, next));
            }
            now = next;
        }
        Ok(Some(changes))
    }

    /// Returns these places by bisection, which assumes that an algorithm that was overtaken never becomes the cheapest
    /// again. `None` if further values contradict this.
    fn by_halves(&mut self, first: u64, last: u64) -> Result<Option<Changes>, BadInput> {
        let begun = self.cheapest(first, None)?;
        let (mut from, mut now, mut changes) = (first, begun, Changes::new());
        while self.cheapest(last, now)? != now {
            let (mut low, mut high) = (from, last);
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if self.cheapest(middle, now)? == now { low = middle } else { high = middle }
            }
            (from, now) = (high, self.cheapest(high, now)?);
            changes.push((from, now));
        }
        for place in spread(first, last, CHECKS) {
            let expected = changes.iter().rev().find(|(from, _)| *from <= place).map_or(begun, |change| change.1);
            if self.cheapest(place, expected)? != expected {
                return Ok(None);
            }
        }
        Ok(Some(changes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(first: u64, last: u64, costs: impl Fn(u64) -> Vec<f64>) -> Option<Vec<u64>> {
        let costs = |place| Ok(costs(place).into_iter().map(Some).collect());
        Between { costs, known: BTreeMap::new() }.changes(first, last).unwrap()
    }

    #[test]
    fn a_crossover_is_the_first_number_at_which_the_other_is_cheaper() {
        // Equal at 40: the first one stays.
        for last in [60, 1_000_000] {
            assert_eq!(changes(8, last, |x| vec![x as f64, 40.0]), Some(vec![41]));
            // Another one is the cheapest from 21 to 40, by 21 = 1 + x/2 + 9.75 …
            let three = changes(8, last, |x| vec![x as f64, 10.0 + x as f64 / 2.0, 30.0]);
            assert_eq!(three, Some(vec![21, 41]));
        }
    }

    #[test]
    fn what_changes_more_than_once_is_said_to() {
        // Powers of two are cheap.
        let uneven = |x: u64| vec![if x.is_power_of_two() { 1.0 } else { 20.0 }, 10.0];
        assert_eq!(changes(8, 33, uneven), None);
        let often = |x: u64| vec![if (x / 1_000).is_multiple_of(2) { 1.0 } else { 20.0 }, 10.0];
        assert_eq!(changes(0, 65_999, often), None);
        assert_eq!(changes(8, 12, |_| vec![1.0, 2.0]), Some(vec![]));
    }
}
