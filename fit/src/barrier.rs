//! Choice of the barrier before the calls: the numbers that each of several would have printed.

use crate::search::Search;
use crate::{Benchmark, Errors, Fit, FitError, Printed};
use programs::observation::Barrier;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Number of barriers that are fitted in full: those whose screens come out best.
const FINALISTS: usize = 2;
/// Largest ratio of a finalist's mean error to that of the best barrier, both of screens. A longer search improves a
/// good fit, but a wrong barrier does not fit after any search.
const FAR_BEHIND: f64 = 2.0;
/// Least number of printed numbers that a screen takes, if there are as many.
const SCREENED: usize = 24;

models::named! {
    /// Reach of a search for parameters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Reach {
        /// To the end, on all numbers.
        Fit => "fit",
        /// A few steps, on a part of the numbers.
        Screen => "screen",
    }
    /// The name used in output.
    fn name;
    Display(name);
}

/// One barrier, with the errors of predictions behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// Barrier before the calls.
    pub barrier: Barrier,
    /// Reach of the search for its parameters.
    pub reach: Reach,
    /// Errors of predictions with the best parameters of the search.
    pub errors: Errors,
}

/// Barrier that fits best, with all candidates.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Barrier behind which the mean error is least.
    pub barrier: Barrier,
    /// Fit of the numbers behind this barrier.
    pub fit: Fit,
    /// Result of each search: fits first, then screens, of which every barrier has one, each by ascending mean error.
    pub candidates: Vec<Candidate>,
}

/// Finds the barrier behind which the mean error is least. A short search on a part of the numbers screens all of them.
/// The best one, and the second where it is not far behind, are fitted to all numbers.
///
/// # Errors
///
/// Fails where [`Fit::compute`] fails, and if no barrier is given.
pub fn choose(rows: &[Printed], benchmark: &Benchmark, barriers: &[Barrier]) -> Result<Chosen, FitError> {
    let some = spread(rows, SCREENED);
    let behind = |&barrier: &Barrier| Benchmark { barrier, ..benchmark.clone() };
    let screen = |barrier: &Barrier| {
        let benchmark = behind(barrier);
        let search = Search::new(&some, &benchmark)?;
        search.screen();
        Ok(Candidate { barrier: *barrier, reach: Reach::Screen, errors: search.errors()? })
    };
    let screens = sorted(barriers.iter().map(screen).collect::<Result<Vec<_>, FitError>>()?);
    let most = screens.first().map_or(f64::NAN, |best| FAR_BEHIND * best.errors.mean);
    let finalists = screens.iter().take(FINALISTS).filter(|one| one.errors.mean <= most);
    let finalists: Vec<Benchmark> = finalists.map(|one| behind(&one.barrier)).collect();
    let mut searches = Vec::new();
    for benchmark in &finalists {
        let search = Search::new(rows, benchmark)?;
        search.best();
        searches.push((Candidate { barrier: benchmark.barrier, reach: Reach::Fit, errors: search.errors()? }, search));
    }
    let best = searches.iter().min_by(|(one, _), (other, _)| by_error(one, other));
    let (best, search) = best.ok_or_else(|| FitError::Other("expected a barrier to choose, found none".to_owned()))?;
    search.wander();
    let fits = sorted(searches.iter().map(|(candidate, _)| *candidate).collect());
    Ok(Chosen { barrier: best.barrier, fit: search.fit()?, candidates: [fits, screens].concat() })
}

fn by_error(one: &Candidate, other: &Candidate) -> Ordering {
    one.errors.mean.total_cmp(&other.errors.mean)
}

fn sorted(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(by_error);
    candidates
}

/// Returns at least `least` of the numbers, if there are as many: of each family equally many, and of neighbouring
/// families different lengths.
fn spread(rows: &[Printed], least: usize) -> Vec<Printed> {
    let mut families: BTreeMap<String, Vec<&Printed>> = BTreeMap::new();
    rows.iter().for_each(|row| families.entry(row.family()).or_default().push(row));
    families.values_mut().for_each(|family| family.sort_by_key(|row| row.shape.bytes));
    let mut taken = Vec::new();
    let longest = families.values().map(Vec::len).max().unwrap_or(0);
    for turn in (0..longest).take_while(|turn| *turn == 0 || taken_at(&families, *turn) < least) {
        for (number, family) in families.values().enumerate() {
            let place = (number + turn) % family.len();
            taken.extend((turn < family.len()).then(|| family[place].clone()));
        }
    }
    taken
}

/// Returns the number of numbers that are taken before a turn.
fn taken_at(families: &BTreeMap<String, Vec<&Printed>>, turn: usize) -> usize {
    families.values().map(|family| family.len().min(turn)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::collective::{Algorithm, Collective, Shape};

    #[test]
    fn a_part_of_the_numbers_has_every_family_and_different_lengths() {
        let family = |name: &'static str, lengths: &'static [u64]| {
            let algorithm = Algorithm::find(Collective::Bcast, name).expect("there");
            let row = move |&bytes: &u64| Printed {
                name: name.to_owned(),
                algorithm,
                shape: Shape::new(8, 0, bytes),
                us: 1.0,
            };
            lengths.iter().map(row)
        };
        let lengths: &[u64] = &[1, 2, 4, 8];
        let rows: Vec<Printed> =
            family("binary", lengths).chain(family("binomial", lengths)).chain(family("chain", &[1])).collect();
        let taken = |least| {
            let of = |row: Printed| (row.algorithm.name, row.shape.bytes);
            spread(&rows, least).into_iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(taken(1), [("binary", 1), ("binomial", 2), ("chain", 1)]);
        assert_eq!(taken(4)[3..], [("binary", 2), ("binomial", 4)]);
        let mut all = taken(100);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), rows.len(), "{all:?}");
    }
}
