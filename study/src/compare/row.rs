//! Comparison of one case: each rank's numbers, ratios and verdict.

use super::{CLOSE, CONFIDENCE, over_bounds};
use crate::comparison::{MethodComparison, NO_RATIO, RankRow, Verdict};
use models::closed_form::linear_bcast_loop_ratio;
use models::collective::Collective;
use models::network::{Network, SendRule};
use models::stable::fnv1a;
use models::time::Span;
use programs::aggregation::samples_us;
use programs::machine::Estimate;
use programs::method::Method;
use programs::observation::{Implementation, Observation};
use scenario::store::Predicted;
use serde_json::{Value, to_value};
use statistics::{median, median_with_interval, ratio_of_medians_with_interval};

/// Observations, predictions and references of one case. Arrays run over the bounds low, best, high.
pub(super) struct Joined<'a> {
    /// The measured observation, or the simulated one of ranks that are only simulated.
    pub seen: &'a Observation,
    pub measured: Option<&'a Observation>,
    pub predicted: [Option<&'a Predicted<'a>>; 3],
    pub truths: [Option<&'a [Span]>; 3],
    /// Observation of the same subject by the window method.
    pub windows: Option<&'a Observation>,
    pub seed: u64,
}

impl Joined<'_> {
    /// Returns the comparison.
    ///
    /// # Errors
    /// Says why the case has none.
    pub(super) fn method(&self) -> Result<MethodComparison, String> {
        let case = &self.seen.case;
        let ranks = &self.seen.ranks;
        let first = ranks.first().ok_or("measured on no rank; measure it again")?;
        if self.predicted[1].is_none() && !self.is_measured_only() {
            return Err("measured but not predicted; resume the campaign".to_owned());
        }
        let starts = first.stamps.len();
        let samples = samples_us(case.timing.method, ranks, 0).len();
        let rows: Option<Vec<RankRow>> = (0..ranks.len()).map(|rank| self.row(rank)).collect();
        let rows = rows.ok_or_else(|| {
            let (kind, cure) = match case.timing.method {
                Method::Window => ("valid window", "longer windows"),
                Method::RoundTime => ("valid start", "more slack or a larger budget"),
                Method::Loop
                | Method::BarrierLoop
                | Method::BarrierSubtract
                | Method::RootRotation
                | Method::BarrierOwn
                | Method::BarrierInside
                | Method::LoopTrace => ("sample", "more samples"),
            };
            format!("no {kind} among {starts} on all ranks, measured and predicted; use {cure}")
        })?;
        let starts = if case.timing.method.is_synchronised() { starts } else { samples };
        Ok(MethodComparison { method: case.timing.method, rows, samples, starts })
    }

    /// Whether it passes through shared memory, which the calibrated network models here do not cover.
    fn is_measured_only(&self) -> bool {
        self.seen.case.subject.implementation.queued().is_some()
    }

    fn row(&self, rank: usize) -> Option<RankRow> {
        let case = &self.seen.case;
        let samples = self.measured.map(|measured| samples_us(case.timing.method, &measured.ranks, rank));
        let measured_us = match &samples {
            Some(samples) => median_with_interval(samples, CONFIDENCE)?.estimate,
            None => NO_RATIO,
        };
        let times = self.predicted.map(|prediction| {
            let ranks = &prediction?.observation.ranks;
            (rank < ranks.len())
                .then(|| samples_us(case.timing.method, ranks, rank))
                .and_then(|samples| median(&samples))
        });
        let predicted_us = if self.is_measured_only() { NO_RATIO } else { over_bounds(times)? };
        Some(RankRow {
            rank: self.seen.ranks[rank].rank,
            predicted_us,
            measured_us,
            predicted_ratio: self.predicted_ratio(rank, times),
            measured_ratio: samples.as_ref().map_or(NO_RATIO, |samples| self.measured_ratio(rank, samples)),
            closed_form_ratio: self.closed_form_ratio(rank),
            verdict: match samples {
                None => Verdict::Unmeasured,
                Some(_) if self.is_measured_only() => Verdict::Unpredicted,
                Some(_) if predicted_us.high <= 0.0 => Verdict::Idle,
                Some(_) => verdict(&predicted_us, &measured_us),
            },
        })
    }

    /// Each bound's time over the same bound's truth: parameters that are off together cancel.
    fn predicted_ratio(&self, rank: usize, times: [Option<f64>; 3]) -> Estimate {
        let ratio = |bound: usize| {
            let truth = self.truths[bound]?.get(rank)?.as_us();
            (truth > 0.0).then_some(times[bound]? / truth)
        };
        over_bounds([ratio(0), ratio(1), ratio(2)]).unwrap_or(NO_RATIO)
    }

    /// The method's time over that of windows. It is 1 for the window method, with which the others are compared.
    fn measured_ratio(&self, rank: usize, samples: &[f64]) -> Estimate {
        let case = &self.seen.case;
        if case.timing.method == Method::Window {
            return Estimate { value: 1.0, low: 1.0, high: 1.0 };
        }
        let Some(windows) = self.windows.filter(|windows| rank < windows.ranks.len()) else { return NO_RATIO };
        let windows = samples_us(Method::Window, &windows.ranks, rank);
        let seed = seed_of(self.seed, self.seen, rank as u32);
        ratio_of_medians_with_interval(samples, &windows, CONFIDENCE, seed).unwrap_or(NO_RATIO)
    }

    /// The ratio r_i of the unsynchronised loop of linear broadcasts: for Parallax's own algorithm, from rank 0, where
    /// Hockney's model with busy senders predicted.
    fn closed_form_ratio(&self, rank: usize) -> Option<f64> {
        let case = &self.seen.case;
        let linear = Implementation::Own("linear".to_owned());
        let is_loop =
            (case.timing.method, case.subject.collective, case.subject.root) == (Method::Loop, Collective::Bcast, 0);
        let busy =
            matches!(self.predicted[1]?.network, Network::Hockney(hockney) if hockney.send_rule == SendRule::Busy);
        (is_loop && busy && case.subject.implementation == linear)
            .then(|| linear_bcast_loop_ratio(case.place.ranks, rank as u32, case.timing.calls).value())
    }
}

/// Compares two estimates. Intervals that meet agree; see [`Verdict`].
pub(crate) fn verdict(predicted: &Estimate, measured: &Estimate) -> Verdict {
    if predicted.low <= measured.high && measured.low <= predicted.high {
        Verdict::Agrees
    } else if (measured.value - predicted.value).abs() <= CLOSE * measured.value {
        Verdict::Close
    } else {
        Verdict::Differs
    }
}

/// A seed for one rank of one case in one launch, from the case's fields as files have them, in the order of their
/// names. Thus an interval depends neither on the other cases, nor on the words that describe a case. The launch is
/// among the conditions, and calls have the name, as in files of earlier formats, so that intervals stay unchanged.
fn seed_of(seed: u64, Observation { case, occasion, .. }: &Observation, rank: u32) -> u64 {
    let json = |of: Result<Value, _>| of.expect("a case has a JSON form");
    let mut fields = json(to_value(case));
    if let Some(calls) = fields.as_object_mut().and_then(|fields| fields.remove("calls")) {
        fields["repetitions"] = calls;
    }
    if !(case.timing.conditions.are_usual() && occasion.is_first()) {
        fields["conditions"] = json(to_value(case.timing.conditions));
        fields["conditions"]["launch"] = occasion.launch.into();
    }
    fnv1a(format!("{seed}/{fields}/{rank}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{case, measurement};
    use super::*;
    use programs::observation::{Carrier, Occasion};

    #[test]
    fn seeds_are_those_of_cases_that_had_their_launch_among_their_conditions() {
        let first = measurement(case(Carrier::Native, 2, "linear", Method::Loop));
        let third = Observation { occasion: Occasion { launch: 2 }, ..first.clone() };
        let [before, behind] = [
            r#"7/{"bytes":1024,"carrier":"native","collective":"bcast","#,
            r#""implementation":{"own":"linear"},"method":"loop","ranks":2,"repetitions":4,"root":0,"world":"openmpi"}/1"#,
        ];
        let conditions = r#""conditions":{"buffer":"same","launch":2,"sync":"linear"},"#;
        assert_eq!(seed_of(7, &first, 1), fnv1a(format!("{before}{behind}").as_bytes()));
        assert_eq!(seed_of(7, &third, 1), fnv1a(format!("{before}{conditions}{behind}").as_bytes()));
    }
}
