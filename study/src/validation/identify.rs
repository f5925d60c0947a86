//! Identification of the algorithm among several known ones to which a curve of times over message lengths belongs.
//!
//! A hidden Markov chain runs over the lengths, shortest first. At each length the curve follows one candidate, mostly
//! the same as at the length before (a library's decision changes at few lengths). Given the candidate, the logarithm
//! of the ratio of times is Student-t with 4 degrees of freedom, so that one bad length does not decide, in units of
//! the difference between two measurements of the same case. "Something else" follows no candidate: it lies anywhere
//! around them. The forward-backward algorithm (Rabiner 1989, section III) gives each candidate's posterior probability
//! at each length from all lengths together.

use std::collections::BTreeMap;

/// Name for a curve that follows no candidate.
pub(super) const SOMETHING_ELSE: &str = "something else";

/// Probability that the algorithm changes between neighbouring lengths.
const CHANGES: f64 = 0.1;
/// Scale of "something else" around the candidates' middle, as a logarithm of a factor.
const ANYWHERE: f64 = 1.0;
/// Posterior probability from which an identification counts as sure.
const SURE: f64 = 0.95;

/// Known algorithm that may run.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Name of the algorithm.
    pub name: String,
    /// Time in µs by length in bytes; the algorithm cannot run at a length that is missing.
    pub us: BTreeMap<u64, f64>,
}

/// Posterior probabilities at one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// Length of the curve's point, in bytes.
    pub bytes: u64,
    /// Each candidate with its posterior probability, and that of "something else", in the candidates' order.
    pub posterior: Vec<(String, f64)>,
}

/// Identification at one length.
#[derive(Clone, Debug, PartialEq)]
pub enum Identified {
    /// This algorithm; several names where all of them send the same messages.
    As(Vec<String>),
    /// Several classes of algorithms, the likeliest first; those of a class send the same messages.
    Undecided(Vec<Vec<String>>),
    /// None of the candidates.
    SomethingElse,
}

/// Computes the posterior probabilities at each length of a curve of times in µs. Times are positive and lengths
/// increase; `scale` is the standard deviation of the logarithm of the ratio of two measurements of the same case.
pub fn guesses(target: &[(u64, f64)], candidates: &[Candidate], scale: f64) -> Vec<Guess> {
    let states = candidates.len() + 1;
    let likelihoods: Vec<Vec<f64>> =
        target.iter().map(|&(bytes, us)| likelihoods(candidates, bytes, us, scale)).collect();
    let other = CHANGES / candidates.len().max(1) as f64;
    let moved = |from: usize, to: usize| if from == to { 1.0 - CHANGES } else { other };
    let mut forward: Vec<Vec<f64>> = Vec::new();
    for at in &likelihoods {
        let prior = |state: usize| match forward.last() {
            None => 1.0,
            Some(before) => (0..states).map(|from| before[from] * moved(from, state)).sum(),
        };
        forward.push(normal((0..states).map(|state| prior(state) * at[state])));
    }
    let mut backward = vec![vec![1.0; states]; target.len()];
    for place in (1..target.len()).rev() {
        let (after, at) = (&backward[place], &likelihoods[place]);
        let back = |from: usize| (0..states).map(|to| moved(from, to) * at[to] * after[to]).sum();
        backward[place - 1] = normal((0..states).map(back));
    }
    let names = || candidates.iter().map(|candidate| candidate.name.clone()).chain([SOMETHING_ELSE.to_owned()]);
    let guess = |(place, &(bytes, _)): (usize, &(u64, f64))| {
        let posterior = normal((0..states).map(|state| forward[place][state] * backward[place][state]));
        Guess { bytes, posterior: names().zip(posterior).collect() }
    };
    target.iter().enumerate().map(guess).collect()
}

/// Scales weights to a sum of 1; zeros if all are zero.
fn normal(weights: impl Iterator<Item = f64>) -> Vec<f64> {
    let weights: Vec<f64> = weights.collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| if sum > 0.0 { weight / sum } else { 0.0 }).collect()
}

/// Returns the likelihood of this time under each candidate and under none, up to a common factor.
fn likelihoods(candidates: &[Candidate], bytes: u64, us: f64, scale: f64) -> Vec<f64> {
    let log = |candidate: &Candidate| candidate.us.get(&bytes).map(|us| us.ln());
    let logs: Vec<Option<f64>> = candidates.iter().map(log).collect();
    let known: Vec<f64> = logs.iter().copied().flatten().collect();
    let middle = statistics::median(&known).unwrap_or(us.ln());
    let none = student((us.ln() - middle) / ANYWHERE) / ANYWHERE;
    let of = |log: Option<f64>| log.map_or(0.0, |log| student((us.ln() - log) / scale) / scale);
    logs.into_iter().map(of).chain([none]).collect()
}

/// Returns the density of Student's t with 4 degrees of freedom.
fn student(x: f64) -> f64 {
    0.375 * (1.0 + x * x / 4.0).powf(-2.5)
}

impl Guess {
    /// Returns a class that is 95 % sure, or the likeliest classes that are so together. `same` says which names send
    /// the same messages at this length.
    pub fn identified(&self, same: impl Fn(&str, &str) -> bool) -> Identified {
        let mut classes: Vec<(Vec<String>, f64)> = Vec::new();
        for (name, share) in &self.posterior {
            match classes.iter_mut().find(|(names, _)| name != SOMETHING_ELSE && same(&names[0], name)) {
                Some((names, together)) => {
                    names.push(name.clone());
                    *together += share;
                }
                None => classes.push((vec![name.clone()], *share)),
            }
        }
        classes.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut so_far = 0.0;
        let mut likely = Vec::new();
        for (names, share) in classes {
            likely.push(names);
            so_far += share;
            if so_far >= SURE {
                break;
            }
        }
        match &likely[..] {
            [only] if only[0] == SOMETHING_ELSE => Identified::SomethingElse,
            [only] => Identified::As(only.clone()),
            _ => Identified::Undecided(likely),
        }
    }
}

impl Identified {
    /// Whether it may be this algorithm.
    pub fn holds(&self, name: &str) -> bool {
        let among = |names: &Vec<String>| names.iter().any(|one| one == name);
        match self {
            Identified::As(names) => among(names),
            Identified::Undecided(classes) => classes.iter().any(among),
            Identified::SomethingElse => false,
        }
    }

    /// Prints all its names: `binomial = knomial`, `undecided: linear or chain`.
    pub fn whole(&self) -> String {
        let class = |names: &Vec<String>| names.join(" = ");
        match self {
            Identified::As(names) => class(names),
            Identified::Undecided(classes) => {
                format!("undecided: {}", classes.iter().map(class).collect::<Vec<_>>().join(" or "))
            }
            Identified::SomethingElse => SOMETHING_ELSE.to_owned(),
        }
    }

    /// Prints it in a few words: `binomial = knomial`, `undecided: linear or chain`.
    pub fn words(&self) -> String {
        const SHOWN: usize = 3;
        let class = |names: &Vec<String>| match names.len() {
            0..=SHOWN => names.join(" = "),
            many => format!("{} = … ({many})", names[..2].join(" = ")),
        };
        match self {
            Identified::As(names) => class(names),
            Identified::Undecided(classes) if classes.len() > SHOWN => {
                format!("undecided: {} or {} others", class(&classes[0]), classes.len() - 1)
            }
            Identified::Undecided(classes) => {
                format!("undecided: {}", classes.iter().map(class).collect::<Vec<_>>().join(" or "))
            }
            Identified::SomethingElse => SOMETHING_ELSE.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTHS: [u64; 5] = [8, 64, 512, 4096, 32_768];

    fn candidate(name: &str, us: impl Fn(f64) -> f64) -> Candidate {
        Candidate { name: name.to_owned(), us: LENGTHS.iter().map(|&bytes| (bytes, us(bytes as f64))).collect() }
    }

    fn flat(bytes: f64) -> f64 {
        3.0 + bytes / 1_000.0
    }

    fn tree(bytes: f64) -> f64 {
        2.0 + bytes / 500.0
    }

    fn said(target: &[(u64, f64)]) -> Vec<String> {
        let candidates = [candidate("flat", flat), candidate("tree", tree)];
        guesses(target, &candidates, 0.03).iter().map(|guess| guess.identified(|_, _| false).words()).collect()
    }

    #[test]
    fn a_curve_is_told_from_others_and_so_is_where_it_changes() {
        let off = [1.01, 0.98, 1.02, 0.99, 1.0];
        let curve = |of: fn(f64) -> f64| -> Vec<(u64, f64)> {
            LENGTHS.iter().zip(off).map(|(&bytes, off)| (bytes, of(bytes as f64) * off)).collect()
        };
        assert_eq!(said(&curve(flat)), ["flat"; 5]);
        let mut changing = curve(tree);
        changing[3..].clone_from_slice(&curve(flat)[3..]);
        assert_eq!(said(&changing), ["tree", "tree", "tree", "flat", "flat"]);
        let elsewhere: Vec<(u64, f64)> = LENGTHS.iter().map(|&bytes| (bytes, 40.0 * flat(bytes as f64))).collect();
        assert_eq!(said(&elsewhere), [SOMETHING_ELSE; 5]);
    }

    #[test]
    fn where_curves_cross_neighbours_decide_and_alone_nothing_does() {
        // Both take 4 µs at 1000 B.
        let us = |of: fn(f64) -> f64| BTreeMap::from([(8, of(8.0)), (1_000, of(1_000.0))]);
        let candidates = [("flat", us(flat)), ("tree", us(tree))];
        let candidates = candidates.map(|(name, us)| Candidate { name: name.to_owned(), us });
        let alone = guesses(&[(1_000, 4.0)], &candidates, 0.03);
        assert_eq!(alone[0].identified(|_, _| false).words(), "undecided: flat or tree");
        assert_eq!(alone[0].identified(|_, _| true).words(), "flat = tree");
        let both = guesses(&[(8, tree(8.0)), (1_000, 4.0)], &candidates, 0.03);
        assert!(both[1].posterior[1].1 > 0.85, "{both:?}");
    }

    #[test]
    fn what_cannot_run_at_a_length_is_not_named_there() {
        let mut short = candidate("flat", flat);
        short.us.remove(&8);
        let said = guesses(&[(8, flat(8.0))], &[short, candidate("tree", tree)], 0.03);
        assert_eq!(said[0].posterior[0].1, 0.0);
        assert!(said[0].posterior.iter().map(|(_, share)| share).sum::<f64>() > 0.999);
        assert!(guesses(&[], &[], 0.03).is_empty());
        assert_eq!(guesses(&[(8, 1.0)], &[], 0.03)[0].identified(|_, _| true), Identified::SomethingElse);
    }
}
