//! The columns of one measurement as text: a line per measure.

use super::Measure;
use crate::columns::aligned;
use crate::statistics::{Interval, Summary};

/// Where there is no number.
const NONE: &str = "–";

/// A line per measure: count, median, mean and trimmed mean each with its interval of this confidence (0.90, 0.95 or 0.99), least, largest
/// and the quantiles, in µs; then how far samples resemble their neighbours, where the steady part begins, how many lie apart
/// and the drift. Under them what to beware of, where there is something.
pub fn table(summaries: &[(Measure, Summary)], confidence: f64) -> String {
    let head = [
        "in µs",
        "n",
        "median",
        "",
        "mean",
        "",
        "trimmed",
        "",
        "min",
        "p95",
        "p99",
        "max",
        "r1",
        "n eff",
        "steady from",
        "apart",
        "drift/rep",
    ];
    let rows = summaries.iter().map(|(measure, summary)| row(*measure, summary, confidence));
    let rows: Vec<Vec<String>> = std::iter::once(head.map(str::to_owned).to_vec()).chain(rows).collect();
    let (lines, _) = aligned(&rows, |column| column > 0);
    let warnings = summaries.iter().flat_map(|(measure, summary)| warnings(*measure, summary, confidence));
    lines.into_iter().chain(warnings).map(|line| line + "\n").collect()
}

fn row(measure: Measure, summary: &Summary, confidence: f64) -> Vec<String> {
    let us = |value: f64| format!("{value:.3}");
    let between = |intervals: &[Interval]| {
        let interval = Interval::at(intervals, confidence);
        interval.map_or(NONE.to_owned(), |interval| format!("[{:.3}, {:.3}]", interval.low_us, interval.high_us))
    };
    let quantile = |share| summary.quantile(share).map_or(NONE.to_owned(), |quantile| us(quantile.value_us));
    let resemblance = summary.autocorrelation;
    let or_none = |text: Option<String>| text.unwrap_or_else(|| NONE.to_owned());
    vec![
        measure.words().to_owned(),
        summary.n.to_string(),
        us(summary.median_us),
        between(&summary.median_order),
        us(summary.mean_us),
        between(&summary.mean_student),
        us(summary.trimmed_mean_us),
        between(&summary.trimmed_student),
        us(summary.min_us),
        quantile(0.95),
        quantile(0.99),
        us(summary.max_us),
        or_none(resemblance.map(|found| format!("{:.2}", found.lag_1))),
        or_none(resemblance.map(|found| format!("{:.0}", found.effective_n))),
        or_none(summary.steady_from.map(|from| from.to_string())),
        or_none(summary.outlier_fences_us.map(|_| (summary.outliers.0 + summary.outliers.1).to_string())),
        or_none(summary.drift_us_per_repetition.map(|drift| format!("{:.2e}", drift.value))),
    ]
}

/// What makes the numbers of a line mean less than they seem to.
fn warnings(measure: Measure, summary: &Summary, confidence: f64) -> Vec<String> {
    let name = measure.words();
    let mut found = Vec::new();
    if let Some(resemblance) = summary.autocorrelation.filter(|resemblance| resemblance.is_evident()) {
        let honest = match Interval::at(&summary.median_batched, confidence) {
            Some(interval) => {
                format!("the median's interval from batches is [{:.3}, {:.3}]", interval.low_us, interval.high_us)
            }
            None => "the run is too short for an interval that bears this; measure longer".to_owned(),
        };
        found.push(format!("{name}: neighbours resemble each other (r1 = {:.2}): {honest}", resemblance.lag_1));
    }
    if let Some(from) = summary.steady_from.filter(|_| summary.warm_up_is_evident) {
        found.push(match summary.has_settled {
            Some(false) => format!("{name}: has not settled within the first half of the run; measure longer"),
            Some(true) | None => {
                format!("{name}: the first {from} of {} repetitions are a warm-up; they are counted in", summary.n)
            }
        });
    }
    let drift = summary.drift_us_per_repetition.zip(summary.drift_p).filter(|(_, p)| *p < 0.01);
    if let Some((drift, p)) = drift {
        let whole = drift.value * summary.n as f64;
        found.push(format!("{name}: drifts by {whole:+.3} µs over the run (p = {p:.1e})"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(samples: &[f64]) -> (Measure, Summary) {
        (Measure::FromFirstStart, Summary::of(samples, 1).expect("samples"))
    }

    #[test]
    fn numbers_stand_under_their_heads_and_what_is_not_known_is_a_dash() {
        let text = table(&[summary(&[10.0, 12.5, 11.0])], 0.95);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        let cells: Vec<&str> = lines[1].split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(cells[..4], ["last end − first start", "3", "11.000", "–"]);
        assert_eq!(cells[8..9], ["10.000"]);
        assert_eq!(cells[14..], ["–", "–", "–"], "three samples tell neither warm-up nor outliers nor drift");
    }

    #[test]
    fn what_to_beware_of_is_said() {
        let warming: Vec<f64> =
            (0..200).map(|i| 10.0 + 30.0 * (-f64::from(i) / 10.0).exp() + f64::from(i * i % 11)).collect();
        let text = table(&[summary(&warming)], 0.95);
        assert!(text.contains("neighbours resemble each other"), "{text}");
        assert!(text.contains("measure longer"), "{text}");
        assert!(text.contains("are a warm-up; they are counted in"), "{text}");
        assert!(text.contains("drifts by -"), "{text}");
        let falling: Vec<f64> = (0..200).map(|i| 300.0 - f64::from(i)).collect();
        let text = table(&[summary(&falling)], 0.95);
        assert!(text.contains("has not settled") && !text.contains("are a warm-up"), "{text}");
    }
}
