//! Algorithms that a library appears to use, and the reliability of that, judged by algorithms that it was forced to
//! use.

use super::identification::{Confusion, Identification, LibraryCase};
use super::identify::{Candidate, Identified, guesses};
use super::{MeasuredCase, Place, ValidationRow};
use models::collective::Collective;
use programs::observation::{Case, Implementation};
use programs::played::{Played, played};
use render::groups::{distinct, grouped};
use statistics::median;
use std::collections::BTreeMap;

/// Assumed relative difference between two measurements of the same case where nothing was measured twice.
const ASSUMED: f64 = 0.05;
/// Least difference that is assumed where few pairs show less.
const LEAST: f64 = 0.005;
/// Median of |x| of a normal distribution in units of its standard deviation.
const MEDIAN_DEVIATION: f64 = 0.674_489_750_196_081_7;

/// Basis of the identification in a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// Place of the compared cases.
    pub place: Place,
    /// Standard deviation of the logarithm of the ratio of two launches' medians of the same case.
    pub scale: f64,
    /// Number of pairs of launches behind the deviation; 0 where it is assumed.
    pub pairs: usize,
    /// Model whose predictions are compared, and the standard deviation of the logarithm of predicted over measured.
    pub model: Option<(String, f64)>,
}

/// Measured cases of one collective of a place on a number of ranks.
struct Group<'a> {
    place: Place,
    collective: Collective,
    ranks: u32,
    all: Vec<&'a MeasuredCase>,
}

/// Returns the identified algorithms of libraries, the check of the identification, and its basis.
pub(super) fn all(
    measured: &[MeasuredCase],
    rows: &[ValidationRow],
    models: &[String],
) -> (Vec<LibraryCase>, Vec<Confusion>, Vec<Evidence>) {
    let groups = groups(measured);
    let mut places: Vec<Place> = groups.iter().map(|group| group.place).collect();
    places.dedup();
    let evidence: Vec<Evidence> =
        places.into_iter().map(|place| Evidence::gather(place, measured, rows, models)).collect();
    let mut cases = Vec::new();
    let mut confusion: Vec<Confusion> = Vec::new();
    for group in &groups {
        let Some(evidence) = evidence.iter().find(|evidence| evidence.place == group.place) else { continue };
        cases.extend(group.library(evidence, rows));
        for found in group.confusion(evidence, rows) {
            add(&mut confusion, found);
        }
    }
    let used = |evidence: &Evidence| confusion.iter().any(|found| found.place == evidence.place);
    (cases, confusion.clone(), evidence.into_iter().filter(used).collect())
}

/// Returns a candidate's times by length.
fn known<'a>(candidates: &'a [Candidate], name: &str) -> Option<&'a BTreeMap<u64, f64>> {
    candidates.iter().find(|candidate| candidate.name == name).map(|candidate| &candidate.us)
}

/// Returns the points of a curve at the lengths of another one.
fn shared(curve: &BTreeMap<u64, f64>, of: &BTreeMap<u64, f64>) -> Vec<(u64, f64)> {
    curve.iter().filter(|(bytes, _)| of.contains_key(bytes)).map(|(&bytes, &us)| (bytes, us)).collect()
}

/// Adds a count to the others, over all numbers of ranks.
fn add(all: &mut Vec<Confusion>, found: Confusion) {
    let key = |one: &Confusion| (one.place, one.collective, one.by_prediction, one.known.clone());
    match all.iter_mut().find(|one| key(one) == key(&found)) {
        None => all.push(found),
        Some(one) => {
            one.right += found.right;
            one.undecided += found.undecided;
            for (name, times) in found.wrong {
                count(&mut one.wrong, name, times);
            }
        }
    }
}

fn count(wrong: &mut Vec<(String, usize)>, name: String, times: usize) {
    match wrong.iter_mut().find(|(known, _)| *known == name) {
        Some((_, so_far)) => *so_far += times,
        None => wrong.push((name, times)),
    }
}

fn groups(measured: &[MeasuredCase]) -> Vec<Group<'_>> {
    let keys = measured
        .iter()
        .map(|one| ((Place::from_case(&one.case), one.case.subject.collective, one.case.place.ranks), one));
    let group = |((place, collective, ranks), all)| Group { place, collective, ranks, all };
    grouped(keys).into_iter().map(group).collect()
}

/// Whether a case is a candidate. A library's own algorithms are compared with each other where there are any, else
/// ours.
fn is_candidate(case: &Case, library: bool) -> bool {
    match case.subject.implementation {
        Implementation::Forced(_) => library,
        Implementation::Own(_) => !library,
        Implementation::Library | Implementation::Tuned(_) | Implementation::Shared(_) => false,
    }
}

fn has_library<'a>(mut all: impl Iterator<Item = &'a MeasuredCase>) -> bool {
    all.any(|one| matches!(one.case.subject.implementation, Implementation::Forced(_)))
}

impl Evidence {
    fn gather(place: Place, measured: &[MeasuredCase], rows: &[ValidationRow], models: &[String]) -> Evidence {
        let here = || measured.iter().filter(|one| Place::from_case(&one.case) == place);
        let library = has_library(here());
        let candidates = here().filter(|one| is_candidate(&one.case, library));
        let mut differences = Vec::new();
        for one in candidates {
            let pairs = one.launches.iter().enumerate();
            let pairs = pairs.flat_map(|(nth, a)| one.launches[nth + 1..].iter().map(move |b| (a.1 / b.1).ln().abs()));
            differences.extend(pairs);
        }
        let scale = median(&differences).map_or(ASSUMED, |middle| (middle / MEDIAN_DEVIATION).max(LEAST));
        let spread = |model: &String| {
            let rows = rows.iter().filter(|row| row.place() == place && row.model == *model);
            let sizes: Vec<f64> =
                rows.filter(|row| is_candidate(&row.case, library)).map(|row| row.log_ratio().abs()).collect();
            Some((model.clone(), (median(&sizes)? / MEDIAN_DEVIATION).max(LEAST)))
        };
        let model = models.iter().filter_map(spread).min_by(|a, b| a.1.total_cmp(&b.1));
        Evidence { place, scale, pairs: differences.len(), model }
    }
}

impl Group<'_> {
    /// Identifies the algorithm that the library appears to use at each length.
    fn library(&self, evidence: &Evidence, rows: &[ValidationRow]) -> Option<LibraryCase> {
        let library: Vec<&&MeasuredCase> =
            self.all.iter().filter(|one| one.case.subject.implementation == Implementation::Library).collect();
        let target: Vec<(u64, f64)> = library.iter().map(|one| (one.case.subject.bytes, one.us.value)).collect();
        let candidates = self.measured(|_| true);
        let measured = self.guessed(&target, &candidates, evidence.scale);
        let predicted = evidence.model.as_ref().map(|(model, scale)| {
            let candidates = self.predicted(rows, model);
            self.guessed(&target, &candidates, *scale)
        });
        let lengths = library.iter().enumerate().map(|(nth, one)| {
            let table = one.called.clone();
            let times = table.as_ref().and_then(|table| known(&candidates, table));
            Identification {
                bytes: one.case.subject.bytes,
                us: one.us.value,
                by_measurement: measured.as_ref().map(|all| all[nth].clone()),
                by_prediction: predicted.as_ref().and_then(|all| Some(all.as_ref()?[nth].clone())),
                table_is_known: times.is_some_and(|times| times.contains_key(&one.case.subject.bytes)),
                table,
                rule: one.rule.clone(),
            }
        });
        (!library.is_empty()).then(|| LibraryCase {
            place: self.place,
            ranks: self.ranks,
            collective: self.collective,
            lengths: lengths.collect(),
        })
    }

    /// Counts how each algorithm that is known to run is recognised.
    fn confusion(&self, evidence: &Evidence, rows: &[ValidationRow]) -> Vec<Confusion> {
        let mut all = Vec::new();
        let predicted = evidence.model.as_ref().map(|(model, scale)| (self.predicted(rows, model), *scale));
        for name in self.names() {
            let launches: Vec<u32> = {
                let of =
                    self.all.iter().filter(|one| one.case.subject.implementation.name() == name && self.takes(one));
                let mut all: Vec<u32> = of.flat_map(|one| one.launches.iter().map(|(launch, _)| *launch)).collect();
                all.sort_unstable();
                all.dedup();
                all
            };
            for launch in launches {
                let others = self.measured(|number| number != launch);
                // Where no other launch has it, it could not be found.
                let mut target = self.curve(&name, |number| number == launch).us;
                if let Some(predicted) = &predicted {
                    let curve = known(&predicted.0, &name).cloned().unwrap_or_default();
                    let curve: Vec<(u64, f64)> = shared(&target, &curve);
                    let found = self.guessed(&curve, &predicted.0, predicted.1);
                    all.extend(found.map(|found| self.counted(&name, &found, true)));
                }
                target.retain(|bytes, _| known(&others, &name).is_some_and(|us| us.contains_key(bytes)));
                let target: Vec<(u64, f64)> = target.into_iter().collect();
                let found = self.guessed(&target, &others, evidence.scale).filter(|found| !found.is_empty());
                all.extend(found.map(|found| self.counted(&name, &found, false)));
            }
        }
        all
    }

    fn counted(&self, known: &str, found: &[Identified], by_prediction: bool) -> Confusion {
        let (mut right, mut undecided, mut wrong) = (0, 0, Vec::new());
        for one in found {
            match (one.holds(known), one) {
                (true, Identified::Undecided(_)) => undecided += 1,
                (true, Identified::As(_) | Identified::SomethingElse) => right += 1,
                (false, other) => count(&mut wrong, other.words(), 1),
            }
        }
        let known = known.to_owned();
        Confusion { place: self.place, collective: self.collective, by_prediction, known, right, undecided, wrong }
    }

    /// Whether a case belongs to a candidate.
    fn takes(&self, one: &MeasuredCase) -> bool {
        is_candidate(&one.case, has_library(self.all.iter().copied()))
    }

    /// Returns the candidates' names, each once.
    fn names(&self) -> Vec<String> {
        let candidates = self.all.iter().filter(|one| self.takes(one));
        distinct(candidates.map(|one| one.case.subject.implementation.name().to_owned()))
    }

    /// Returns the times of a candidate in some launches, from the mean of the logarithms of their medians.
    fn curve(&self, name: &str, launches: impl Fn(u32) -> bool) -> Candidate {
        let of = self.all.iter().filter(|one| one.case.subject.implementation.name() == name && self.takes(one));
        let mut us = BTreeMap::new();
        for one in of {
            let logs: Vec<f64> =
                one.launches.iter().filter(|(launch, _)| launches(*launch)).map(|(_, us)| us.ln()).collect();
            if !logs.is_empty() {
                us.insert(one.case.subject.bytes, (logs.iter().sum::<f64>() / logs.len() as f64).exp());
            }
        }
        Candidate { name: name.to_owned(), us }
    }

    /// Returns all candidates with their times in some launches.
    fn measured(&self, launches: impl Fn(u32) -> bool) -> Vec<Candidate> {
        let all = self.names().into_iter().map(|name| self.curve(&name, &launches));
        all.filter(|candidate| !candidate.us.is_empty()).collect()
    }

    /// Returns all candidates with their times as a model predicts them.
    fn predicted(&self, rows: &[ValidationRow], model: &str) -> Vec<Candidate> {
        let candidate = |name: String| {
            let of = rows.iter().filter(|row| {
                let case = &row.case;
                (row.place(), case.subject.collective, case.place.ranks, row.model.as_str())
                    == (self.place, self.collective, self.ranks, model)
                    && case.subject.implementation.name() == name
            });
            let library = has_library(self.all.iter().copied());
            let of = of.filter(|row| is_candidate(&row.case, library));
            Candidate { us: of.map(|row| (row.case.subject.bytes, row.predicted_us.value)).collect(), name }
        };
        self.names().into_iter().map(candidate).filter(|candidate| !candidate.us.is_empty()).collect()
    }

    /// Identifies the algorithm at each length; `None` with fewer than two candidates.
    fn guessed(&self, target: &[(u64, f64)], candidates: &[Candidate], scale: f64) -> Option<Vec<Identified>> {
        if candidates.len() < 2 {
            return None;
        }
        let said = guesses(target, candidates, scale);
        Some(said.iter().map(|guess| guess.identified(|a, b| self.same(a, b, guess.bytes))).collect())
    }

    /// Whether two candidates send the same messages at a length.
    fn same(&self, a: &str, b: &str, bytes: u64) -> bool {
        let of = |name: &str| -> Option<Played> {
            let mut all = self.all.iter().filter(|one| one.case.subject.bytes == bytes && self.takes(one));
            played(&all.find(|one| one.case.subject.implementation.name() == name)?.case).ok()
        };
        of(a).zip(of(b)).is_some_and(|(a, b)| a.same_steps(&b, self.place.world))
    }
}
