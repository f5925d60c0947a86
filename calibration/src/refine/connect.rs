//! Additional times of first messages: one sample for each pair and launch.

use programs::calibration::Meeting;
use programs::machine::Estimate;
use statistics::{median, median_with_interval};

/// Returns the first round trip less the median of later ones, in µs, over all pairs and launches.
pub(super) fn samples_us(launches: &[Vec<Meeting>]) -> Vec<f64> {
    let extra = |meeting: &Meeting| {
        let later: Vec<f64> = meeting.later.iter().map(|span| span.as_us()).collect();
        Some(meeting.first.as_us() - median(&later)?)
    };
    launches.iter().flatten().filter_map(extra).collect()
}

/// Returns the median with its interval; never below zero.
pub(super) fn connect(launches: &[Vec<Meeting>], confidence: f64, notes: &mut Vec<String>) -> Option<Estimate> {
    let samples = samples_us(launches);
    let median = median_with_interval(&samples, confidence)?;
    let Estimate { value, low, high } = median.estimate;
    if value <= 0.0 {
        notes.push(
            "connect: first messages took no longer than later ones; connections made in MPI_Init cost nothing here"
                .to_owned(),
        );
    }
    if median.reached < confidence {
        notes.push(format!(
            "connect: its interval reaches a confidence of {:.0} % only, as there is one first message for each pair and \
             launch ({} in all); more launches give more of them",
            median.reached * 100.0,
            samples.len()
        ));
    }
    Some(Estimate { value: value.max(0.0), low: low.max(0.0), high: high.max(0.0) })
}
