//! The proof: real ranks print numbers as benchmarks do, and the reference is measured beside them. In how many rows is the
//! corrected number closer to the reference than the printed one?
//!
//! Rounds of all runs are interleaved. Those of one half (even ones) serve to learn what a benchmark makes of a reference, those
//! of the other half (odd ones) to be corrected: no number is corrected by itself.

mod show;
#[cfg(test)]
mod tests;

use super::{Corrected, Expected, Pair, Source, corrected};
use models::budget::{Bar, Budget};
use models::machine::Estimate;
use render::whence::Whence;
use scenario::axis::Key;
use statistics::{median, median_with_interval};

/// So much of the rows must be closer to the reference.
pub const DEMANDED: f64 = 0.9;
/// Confidence of intervals over rounds.
const CONFIDENCE: f64 = super::reading::CONFIDENCE;

/// What real ranks printed of one call by one benchmark, and the reference beside it, round by round, in µs.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Where it ran, on how many ranks, by which algorithm: what stands above its table.
    pub subject: String,
    /// The same as coordinates.
    pub key: Key,
    /// The length.
    pub bytes: u64,
    /// The benchmark.
    pub benchmark: &'static str,
    /// The column's head.
    pub head: &'static str,
    /// Of every round the printed number and the reference; rounds without both are left out.
    pub rounds: Vec<(u32, Pair)>,
    /// What the calibrated machine lets expect, or why nothing.
    pub predicted: Result<Expected, String>,
}

/// One row of the proof.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofRow {
    /// Where it ran.
    pub subject: String,
    /// The same as coordinates.
    pub key: Key,
    /// The length.
    pub bytes: u64,
    /// The benchmark.
    pub benchmark: &'static str,
    /// The column's head.
    pub head: &'static str,
    /// What was printed in the rounds that are corrected: the median, in µs.
    pub printed_us: Estimate,
    /// The truth of the same rounds: the median, in µs.
    pub reference_us: Estimate,
    /// Printed less reference of each round: the median, in µs.
    pub bias_us: Estimate,
    /// How far the reference itself strays from round to round, in µs: 1.4826 times its median distance from its median, which
    /// is the standard deviation where it is normal.
    pub noise_us: f64,
    /// The printed number corrected by the calibrated machine, or why not.
    pub predicted: Result<Corrected, String>,
    /// The printed number corrected by the rounds of the other half, or why not.
    pub measured: Result<Corrected, String>,
    /// In how many rounds, by the measured correction, the corrected number is closer; of how many.
    pub rounds: (usize, usize),
}

/// The rows of a proof, and what is judged of them.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofRows {
    /// All rows.
    pub rows: Vec<ProofRow>,
    /// The source of corrections by which the verdict is.
    pub by: Source,
    /// The origin of the rows.
    pub whence: Whence,
}

/// How many of how many rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Corrected numbers closer to the reference.
    pub closer: usize,
    /// Rows whose bias is above noise and that could be corrected.
    pub of: usize,
    /// Among those, references within the corrected number's interval.
    pub held: usize,
    /// Rows whose bias is above noise and that could not be corrected.
    pub refused: usize,
}

impl Count {
    /// The share that is closer; none of no rows.
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.closer as f64 / self.of as f64)
    }

    /// Whether that is as much as is demanded; nothing is proved by no rows.
    pub fn passes(self) -> bool {
        self.share().is_some_and(|share| share >= DEMANDED)
    }
}

impl ProofRow {
    /// Whether the rounds that are corrected tell the bias from 0, and it is larger than the reference strays.
    pub fn is_above_noise(&self) -> bool {
        let told = self.bias_us.low > 0.0 || self.bias_us.high < 0.0;
        told && self.bias_us.value.abs() > self.noise_us
    }

    /// The correction from one source.
    pub fn by(&self, source: Source) -> Result<&Corrected, &str> {
        let of = match source {
            Source::Predicted | Source::Rehearsed => &self.predicted,
            Source::Measured | Source::Interpolated => &self.measured,
        };
        of.as_ref().map_err(String::as_str)
    }

    /// Whether the number corrected from one source is closer to the reference than the printed one; none if there is none.
    pub fn is_closer(&self, source: Source) -> Option<bool> {
        let done = self.by(source).ok()?;
        let off = |us: f64| (us - self.reference_us.value).abs();
        Some(off(done.us.value) < off(self.printed_us.value))
    }
}

/// The rows of the proof; trials with too few rounds make none.
pub fn proof(trials: &[Trial]) -> Vec<ProofRow> {
    trials.iter().filter_map(row).collect()
}

/// How many rows one source brings closer to the reference, among those whose bias is above noise.
pub fn count(rows: &[ProofRow], source: Source) -> Count {
    let mut count = Count::default();
    for row in rows.iter().filter(|row| row.is_above_noise()) {
        let (Some(closer), Ok(done)) = (row.is_closer(source), row.by(source)) else {
            count.refused += 1;
            continue;
        };
        count.of += 1;
        count.closer += usize::from(closer);
        count.held += usize::from((done.us.low..=done.us.high).contains(&row.reference_us.value));
    }
    count
}

fn row(trial: &Trial) -> Option<ProofRow> {
    let half = |odd: bool| {
        let of = trial.rounds.iter().filter(move |(round, _)| (round % 2 == 1) == odd);
        of.map(|(_, pair)| *pair).collect::<Vec<Pair>>()
    };
    let (learnt, proved) = (half(false), half(true));
    let printed_us = over(&proved, |pair| pair.printed_us)?;
    let reference_us = over(&proved, |pair| pair.reference_us)?;
    let bias_us = over(&proved, |pair| pair.printed_us - pair.reference_us)?;
    let correct = |expected: &Expected| corrected(printed_us, expected).map_err(|refusal| refusal.to_string());
    let learnt = measured(&learnt);
    let closer = |expected: &Expected| {
        let is_closer = |pair: &&Pair| {
            let by = expected.best();
            let off = |us: f64| (us - pair.reference_us).abs();
            off(pair.printed_us * by.reference_us / by.printed_us) < off(pair.printed_us)
        };
        proved.iter().filter(is_closer).count()
    };
    Some(ProofRow {
        subject: trial.subject.clone(),
        key: trial.key.clone(),
        bytes: trial.bytes,
        benchmark: trial.benchmark,
        head: trial.head,
        printed_us,
        reference_us,
        bias_us,
        noise_us: strays(&proved)?,
        predicted: trial.predicted.as_ref().map_err(Clone::clone).and_then(correct),
        rounds: (learnt.as_ref().map_or(0, closer), proved.len()),
        measured: learnt.as_ref().ok_or_else(|| "too few rounds".to_owned()).and_then(correct),
    })
}

/// [`ProofRow::noise_us`].
fn strays(pairs: &[Pair]) -> Option<f64> {
    let references: Vec<f64> = pairs.iter().map(|pair| pair.reference_us).collect();
    let middle = median(&references)?;
    let off: Vec<f64> = references.iter().map(|of| (of - middle).abs()).collect();
    Some(1.4826 * median(&off)?)
}

fn over(pairs: &[Pair], of: fn(&Pair) -> f64) -> Option<Estimate> {
    let values: Vec<f64> = pairs.iter().map(of).collect();
    median_with_interval(&values, CONFIDENCE).map(|median| median.estimate)
}

/// What rounds let expect: the median of reference over print of each round, since what disturbs a round disturbs both.
pub fn measured(rounds: &[Pair]) -> Option<Expected> {
    let printed = over(rounds, |pair| pair.printed_us)?;
    let quotient = over(rounds, |pair| pair.reference_us / pair.printed_us)?;
    let pair = |quotient: f64| Pair { reference_us: quotient * printed.value, printed_us: printed.value };
    let budget = Budget {
        from_us: Estimate::exactly(pair(quotient.value).reference_us),
        bars: Vec::new(),
        remainder: Bar {
            errors: Vec::new(),
            us: Estimate::exactly(printed.value - pair(quotient.value).reference_us),
            factor: None,
        },
        to_us: printed,
        ratio: Some(Estimate::exactly(1.0 / quotient.value)),
    };
    let apart = vec![[pair(quotient.low), pair(quotient.high)]];
    Some(Expected { apart, ..Expected::new(Source::Measured, budget) })
}
