//! The proof of corrections: real ranks print numbers as benchmarks do, the reference is measured beside them, and the
//! rows are counted in which the corrected number is closer to the reference than the printed one.
//!
//! Rounds of all runs are interleaved. Those of one half (even ones) show the relation between print and reference,
//! those of the other half (odd ones) are corrected: no number is corrected by itself.

mod show;
#[cfg(test)]
mod tests;

use super::{Corrected, Expected, Pair, Source, corrected};
use programs::budget::{Bar, Budget};
use programs::machine::Estimate;
use render::whence::Whence;
use scenario::axis::Key;
use statistics::{median, median_with_interval};

/// Share of the rows that must be closer to the reference.
pub const DEMANDED: f64 = 0.9;
/// Confidence of intervals over rounds.
const CONFIDENCE: f64 = super::reading::CONFIDENCE;

/// Numbers that real ranks printed of one call by one benchmark, and the reference beside them, round by round, in µs.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// World, number of ranks and algorithm, which stand above its table.
    pub subject: String,
    /// The subject as coordinates.
    pub key: Key,
    /// Length of the call, in bytes.
    pub bytes: u64,
    /// Name of the benchmark.
    pub benchmark: &'static str,
    /// The column's head.
    pub head: &'static str,
    /// Number of each round, with the printed number and the reference; rounds without both are left out.
    pub rounds: Vec<(u32, Pair)>,
    /// Expectation from the calibrated machine, or the reason why there is none.
    pub predicted: Result<Expected, String>,
}

/// One row of the proof.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofRow {
    /// World, number of ranks and algorithm, which stand above its table.
    pub subject: String,
    /// The subject as coordinates.
    pub key: Key,
    /// Length of the call, in bytes.
    pub bytes: u64,
    /// Name of the benchmark.
    pub benchmark: &'static str,
    /// The column's head.
    pub head: &'static str,
    /// Median of the printed numbers in the rounds that are corrected, in µs.
    pub printed_us: Estimate,
    /// Median of the reference in the same rounds, in µs.
    pub reference_us: Estimate,
    /// Median of printed less reference of each round, in µs.
    pub bias_us: Estimate,
    /// Variation of the reference itself from round to round, in µs: 1.4826 times its median distance from its median,
    /// which is the standard deviation where it is normal.
    pub noise_us: f64,
    /// The printed number corrected by the calibrated machine, or the reason why it is not.
    pub predicted: Result<Corrected, String>,
    /// The printed number corrected by the rounds of the other half, or the reason why it is not.
    pub measured: Result<Corrected, String>,
    /// Number of rounds in which the number corrected by the even rounds is closer, and number of all corrected rounds.
    pub rounds: (usize, usize),
}

/// The rows of a proof, with the source of corrections that is judged.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofRows {
    /// All rows of the proof.
    pub rows: Vec<ProofRow>,
    /// Source of the corrections that the verdict is about.
    pub by: Source,
    /// Origin of the rows.
    pub whence: Whence,
}

/// Counts of rows whose bias is above noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Rows whose corrected number is closer to the reference.
    pub closer: usize,
    /// Rows whose bias is above noise and that could be corrected.
    pub of: usize,
    /// Rows, among those, whose reference is within the corrected number's interval.
    pub held: usize,
    /// Rows whose bias is above noise and that could not be corrected.
    pub refused: usize,
}

impl Count {
    /// Share of rows that are closer; `None` without rows.
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| self.closer as f64 / self.of as f64)
    }

    /// Whether that share is as large as required; no rows prove nothing.
    pub fn passes(self) -> bool {
        self.share().is_some_and(|share| share >= DEMANDED)
    }
}

impl ProofRow {
    /// Whether the interval of the bias excludes 0 in the corrected rounds, and the bias is larger than the reference
    /// varies.
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

    /// Whether the number corrected from one source is closer to the reference than the printed one; `None` if there is
    /// none.
    pub fn is_closer(&self, source: Source) -> Option<bool> {
        let done = self.by(source).ok()?;
        let off = |us: f64| (us - self.reference_us.value).abs();
        Some(off(done.us.value) < off(self.printed_us.value))
    }
}

/// Returns the rows of the proof; trials with too few rounds make none.
pub fn proof(trials: &[Trial]) -> Vec<ProofRow> {
    trials.iter().filter_map(row).collect()
}

/// Counts the rows that one source brings closer to the reference, among those whose bias is above noise.
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

/// Computes [`ProofRow::noise_us`] from the rounds' references.
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

/// Returns the expectation from rounds: the median of reference over printed number of each round, since a disturbance
/// of a round affects both.
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
