//! All that is said of one sample set of times, in µs.

use super::mean::squares;
use super::{
    Autocorrelation, Batches, Bootstrap, Dependence, Drift, OutlierRule, Statistic, finite, outliers, quantile,
    trimmed_mean, warm_up,
};
use models::machine::Estimate;
use serde::{Deserialize, Serialize};

/// The confidences at which intervals are given.
pub const CONFIDENCES: [f64; 3] = [0.90, 0.95, 0.99];

/// The orders of the quantiles that are given.
pub const SHARES: [f64; 5] = [0.05, 0.25, 0.75, 0.95, 0.99];

/// The share that the trimmed mean leaves out at each end (MPIPerf's).
const TRIMMED: f64 = 0.25;

/// Above this many samples the bootstrap of the mean would say what Student says.
const BOOTSTRAP_UP_TO: usize = 10_000;

/// An interval and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Its confidence.
    pub confidence: f64,
    /// Lower end, in µs.
    pub low_us: f64,
    /// Upper end, in µs.
    pub high_us: f64,
}

/// A quantile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QuantileSummary {
    /// Its order.
    pub share: f64,
    /// Its value (type 7), in µs.
    pub value_us: f64,
    /// Between order statistics.
    pub intervals: Vec<Interval>,
}

/// What is said of one sample set. Intervals are at 90, 95 and 99 %; one that the samples are too few for is not there.
/// Those named `batched` hold where repetitions resemble their neighbours too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of samples. None was dropped.
    pub n: usize,
    /// Mean.
    pub mean_us: f64,
    /// Student's intervals of the mean.
    pub mean_student: Vec<Interval>,
    /// BCa bootstrap intervals of the mean; up to 10 000 samples.
    pub mean_bootstrap: Vec<Interval>,
    /// Intervals of the mean from batches.
    pub mean_batched: Vec<Interval>,
    /// Standard deviation, of n − 1; of one sample there is none.
    pub standard_deviation_us: Option<f64>,
    /// Median.
    pub median_us: f64,
    /// Intervals of the median between order statistics.
    pub median_order: Vec<Interval>,
    /// Intervals of the median from batches.
    pub median_batched: Vec<Interval>,
    /// Mean without a quarter of the samples at each end.
    pub trimmed_mean_us: f64,
    /// How many that leaves out at each end, in this one number only.
    pub trimmed_at_each_end: usize,
    /// Winsorised standard error of the trimmed mean.
    pub trimmed_standard_error_us: Option<f64>,
    /// Student's intervals of the trimmed mean.
    pub trimmed_student: Vec<Interval>,
    /// Intervals of the trimmed mean from batches.
    pub trimmed_batched: Vec<Interval>,
    /// The least.
    pub min_us: f64,
    /// The largest.
    pub max_us: f64,
    /// Quantiles of the orders [`SHARES`].
    pub quantiles: Vec<QuantileSummary>,
    /// Resemblance of neighbours; none where nothing varies, or for fewer than three samples.
    pub autocorrelation: Option<Autocorrelation>,
    /// Index of the first sample of the steady part; none for fewer than 20 samples.
    pub steady_from: Option<usize>,
    /// Whether the samples before that differ from the rest beyond chance.
    pub warm_up_is_evident: bool,
    /// False where the best beginning of the steady part lay as late as is looked for: half the series. None for fewer than 20
    /// samples.
    pub has_settled: Option<bool>,
    /// The rule by which samples are said to lie apart.
    pub outlier_rule: OutlierRule,
    /// Below and above these samples lie apart, in µs; none for fewer than five samples.
    pub outlier_fences_us: Option<(f64, f64)>,
    /// How many lie apart below and above. They are in every number here.
    pub outliers: (usize, usize),
    /// Change per repetition with its 95 % interval, in µs; none for fewer than five samples.
    pub drift_us_per_repetition: Option<Estimate>,
    /// How often a series without drift would show so much (Mann and Kendall).
    pub drift_p: Option<f64>,
}

impl Summary {
    /// Of samples in µs, in the order in which they were taken. `None` without samples, or where one is not finite.
    pub fn of(samples_us: &[f64], seed: u64) -> Option<Summary> {
        let samples = finite(samples_us)?;
        let n = samples.len();
        let intervals =
            |statistic: Statistic| at_each(|confidence| statistic.estimate(samples, confidence, Dependence::None));
        let batches = Batches::of(samples);
        let batched =
            |statistic: Statistic| at_each(|confidence| batches?.interval(|batch| statistic.value(batch), confidence));
        let trimmed = Statistic::TrimmedMean { share: TRIMMED };
        let trimmed_summary = trimmed_mean(samples, TRIMMED)?;
        let bootstrap = if n <= BOOTSTRAP_UP_TO { Bootstrap::of_mean(samples, seed) } else { None };
        let apart = outliers(samples, OutlierRule::default());
        let warm_up = warm_up(samples);
        let drift = Drift::of(samples);
        Some(Summary {
            n,
            mean_us: Statistic::Mean.value(samples)?,
            mean_student: intervals(Statistic::Mean),
            mean_bootstrap: at_each(|confidence| bootstrap.as_ref()?.bca(confidence)),
            mean_batched: batched(Statistic::Mean),
            standard_deviation_us: (n > 1).then(|| (squares(samples) / (n - 1) as f64).sqrt()),
            median_us: Statistic::Median.value(samples)?,
            median_order: intervals(Statistic::Median),
            median_batched: batched(Statistic::Median),
            trimmed_mean_us: trimmed_summary.value,
            trimmed_at_each_end: trimmed_summary.dropped,
            trimmed_standard_error_us: trimmed_summary.standard_error,
            trimmed_student: intervals(trimmed),
            trimmed_batched: batched(trimmed),
            min_us: quantile(samples, 0.0)?,
            max_us: quantile(samples, 1.0)?,
            quantiles: SHARES.iter().map(|&share| quantile_summary(samples, share)).collect::<Option<_>>()?,
            autocorrelation: Autocorrelation::of(samples),
            steady_from: warm_up.map(|warm_up| warm_up.steady_from),
            warm_up_is_evident: warm_up.is_some_and(|warm_up| warm_up.evident),
            has_settled: warm_up.map(|warm_up| warm_up.settled),
            outlier_rule: OutlierRule::default(),
            outlier_fences_us: apart.map(|apart| (apart.low_fence, apart.high_fence)),
            outliers: apart.map_or((0, 0), |apart| (apart.below, apart.above)),
            drift_us_per_repetition: drift.map(|drift| drift.per_repetition),
            drift_p: drift.map(|drift| drift.p),
        })
    }

    /// The quantile of this order; `None` for an order that is not given.
    pub fn quantile(&self, share: f64) -> Option<&QuantileSummary> {
        self.quantiles.iter().find(|quantile| quantile.share == share)
    }
}

impl Interval {
    /// The one among `intervals` with this confidence.
    pub fn at(intervals: &[Interval], confidence: f64) -> Option<Interval> {
        intervals.iter().copied().find(|interval| interval.confidence == confidence)
    }
}

fn quantile_summary(samples: &[f64], share: f64) -> Option<QuantileSummary> {
    let statistic = Statistic::Quantile { share };
    let intervals = at_each(|confidence| statistic.estimate(samples, confidence, Dependence::None));
    Some(QuantileSummary { share, value_us: quantile(samples, share)?, intervals })
}

/// The intervals that there are, at each confidence.
fn at_each(estimate: impl Fn(f64) -> Option<Estimate>) -> Vec<Interval> {
    let interval = |confidence: f64| {
        let Estimate { low, high, .. } = estimate(confidence)?;
        Some(Interval { confidence, low_us: low, high_us: high })
    };
    CONFIDENCES.iter().filter_map(|&confidence| interval(confidence)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn exponential(n: usize) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        (0..n).map(|_| 10.0 - (1.0 - rng.random::<f64>()).ln()).collect()
    }

    #[test]
    fn every_number_of_many_samples_is_there_and_in_order() {
        let mut samples = exponential(600);
        samples[300] = 500.0;
        let summary = Summary::of(&samples, 1).expect("samples");
        assert_eq!(summary.n, 600);
        for (value, intervals) in [
            (summary.mean_us, &summary.mean_student),
            (summary.mean_us, &summary.mean_bootstrap),
            (summary.mean_us, &summary.mean_batched),
            (summary.median_us, &summary.median_order),
            (summary.median_us, &summary.median_batched),
            (summary.trimmed_mean_us, &summary.trimmed_student),
            (summary.trimmed_mean_us, &summary.trimmed_batched),
        ] {
            assert_eq!(intervals.iter().map(|interval| interval.confidence).collect::<Vec<f64>>(), CONFIDENCES);
            assert!(intervals.windows(2).all(|w| w[1].low_us <= w[0].low_us && w[0].high_us <= w[1].high_us));
            assert!(intervals.iter().all(|interval| interval.low_us <= value && value <= interval.high_us));
        }
        let values: Vec<f64> = summary.quantiles.iter().map(|quantile| quantile.value_us).collect();
        assert!(summary.min_us < values[0] && values.is_sorted() && values[4] < summary.max_us);
        assert_eq!((summary.max_us, summary.outliers.1 > 0), (500.0, true));
        assert!(summary.mean_us > 500.0 / 600.0 + 10.5, "the outlier is in the mean");
        assert_eq!(summary.trimmed_at_each_end, 150);
        assert!(!summary.warm_up_is_evident);
        assert_eq!(summary, Summary::of(&samples, 1).expect("samples"), "one seed, one summary");
    }

    #[test]
    fn few_samples_have_few_numbers_and_none_has_none() {
        assert_eq!(Summary::of(&[], 1), None);
        assert_eq!(Summary::of(&[1.0, f64::NAN], 1), None);
        let one = Summary::of(&[7.0], 1).expect("a sample");
        assert_eq!(
            (one.mean_us, one.median_us, one.trimmed_mean_us, one.min_us, one.max_us),
            (7.0, 7.0, 7.0, 7.0, 7.0)
        );
        assert_eq!((one.standard_deviation_us, one.trimmed_standard_error_us), (None, None));
        assert!(one.mean_student.is_empty() && one.median_order.is_empty() && one.mean_batched.is_empty());
        let seven = Summary::of(&exponential(7), 1).expect("samples");
        let at: Vec<f64> = seven.median_order.iter().map(|interval| interval.confidence).collect();
        assert_eq!(at, [0.90, 0.95], "seven samples do not reach 99 %");
        assert_eq!(Interval::at(&seven.median_order, 0.99), None);
        assert_eq!(seven.quantile(0.99).map(|quantile| quantile.intervals.len()), Some(0));
    }

    #[test]
    fn it_reads_back_as_it_was_written() {
        let summary = Summary::of(&exponential(100), 1).expect("samples");
        let text = serde_json::to_string(&summary).expect("a summary can be written");
        assert_eq!(serde_json::from_str::<Summary>(&text).expect("and read"), summary);
        assert!(text.contains("\"median_us\":") && text.contains("\"low_us\":"));
    }
}
