//! From samples to a machine: Hockney's α and β, LogGP's, LogGOPS' and PLogP's parameters, changes of protocol.
//!
//! All fits are of medians, so a calibrated machine predicts typical times; noise that hits fewer than half of the
//! exchanges leaves no trace. The duration of a clock reading is subtracted. Intervals are percentile bootstraps over
//! the samples of each series (2000 resamples, all series together, fixed seed): they contain the sampling error. The
//! machine's notes say where a model itself does not fit.

mod error;
mod estimates;
pub(crate) mod exits;
mod lengths;
mod loggops;
mod loggp;
pub mod notes;
mod plogp;
mod protocol;
mod series;
mod states;
mod touching;

pub use error::FitError;
pub use states::{core_state, in_state};

use lengths::{Length, Plan, Waiting};
use models::collective::decision::ThroughCells;
use models::network::SendRule;
use programs::calibration::Sample;
use programs::machine::{CoreState, Estimate, HockneyEstimate, Machine, Provenance, TransferPoint};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use series::{Series, What};
use statistics::{
    RESAMPLES, StraightLine, least_relative_deviations, median, median_with_interval, percentile_interval, quantile,
};
use touching::Timed;

/// Seed of the resamples: the same samples give the same machine.
const SEED: u64 = 0x70_61_72_61_6c_6c_61_78;

/// Number of resamples where intervals are not needed.
const FEW_RESAMPLES: u32 = 50;

/// Lengths by their medians, and by those of many resamples.
struct MeasuredLengths {
    lengths: Vec<Length>,
    resampled: Vec<Vec<Length>>,
    waiting: Option<Waiting>,
    confidence: f64,
}

/// Samples to which a machine is fitted, and their origin.
#[derive(Clone, Debug)]
pub struct ToFit<'a> {
    /// Name of the machine.
    pub name: &'a str,
    /// Origin of the samples, and the confidence level of all intervals.
    pub provenance: Provenance,
    /// Send rule of the Hockney model.
    pub send_rule: SendRule,
    /// Measured samples of all exchanges.
    pub samples: &'a [Sample],
}

impl ToFit<'_> {
    /// Fits Hockney's model and, where the samples allow it, LogGP's, LogGOPS', PLogP's and the changes of protocol.
    ///
    /// Hockney (1994): half of PRTT(1, 0, s) is α + sβ; least relative deviations with α, β ≥ 0. LogGP: PRTT of
    /// Hoefler, Lichei and Rehm (2007). The submodules say what holds when, and which parameters only have a bound. All
    /// intervals are at the provenance's confidence.
    ///
    /// # Errors
    /// Says which samples are missing or unusable, and what to calibrate instead.
    pub fn machine(self) -> Result<Machine, FitError> {
        let state = core_state(self.samples);
        self.machine_in(state)
    }

    /// Fits as [`ToFit::machine`] does, to samples from a known state of the machine.
    ///
    /// # Errors
    /// Fails where [`ToFit::machine`] fails.
    pub fn machine_in(self, state: Option<CoreState>) -> Result<Machine, FitError> {
        fitted(self, state, RESAMPLES)
    }

    /// Fits values alone: the intervals come from few resamples and are rough.
    ///
    /// # Errors
    /// Fails where [`ToFit::machine`] fails.
    pub fn values(self) -> Result<Machine, FitError> {
        let state = core_state(self.samples);
        fitted(self, state, FEW_RESAMPLES)
    }
}

/// Fits the machine with this number of resamples.
fn fitted(given: ToFit, state: Option<CoreState>, resamples: u32) -> Result<Machine, FitError> {
    let ToFit { name, provenance, send_rule, samples } = given;
    let confidence = provenance.confidence;
    if !(confidence > 0.0 && confidence < 1.0) {
        return Err(FitError::Confidence(confidence));
    }
    let series = series::all(samples)?;
    let measured = MeasuredLengths::from_series(&series, Waiting::from_samples(samples), resamples, confidence);
    let line = hockney_line(&measured.lengths).ok_or(FitError::OneLength)?;
    let (transfer, reached) = transfer_points(&series, line, confidence);
    let (loggp, mut notes) = measured.loggp();
    let (loggops, of_loggops) = measured.loggops();
    let read_us = series::readings_us(samples).0;
    let timed = Timed { touches: samples.iter().filter_map(Sample::touched).collect(), read_us, confidence };
    let above = lengths::single_copy_above(&measured.lengths, measured.waiting, &touching::taken_back(&timed));
    let lines = touching::lines(&timed, &measured.lengths, &transfer, above);
    let (plogp, of_plogp) = measured.plogp(&lines);
    notes.extend(of_loggops);
    notes.extend(of_plogp);
    notes.extend(notes::hockney(line, &transfer, send_rule, measured.waiting));
    notes.extend(notes::confidence(confidence, reached));
    let halves: Vec<Estimate> = transfer.iter().map(|point| point.half_round_trip_us).collect();
    let protocol = measured.protocol(&halves);
    let spread = spread(&series, confidence);
    let hockney = measured.hockney(line, send_rule);
    let exit_skew = exits::exit_skew(samples, read_us, confidence, &mut notes);
    let page_fault_us = touching::page_fault(&timed);
    let has_cells = ThroughCells::are_in(&provenance.ran_by) == Some(true);
    let line_us = state.filter(|_| has_cells).map(|state| state.line_ns / 1e3);
    let [start_us, call_us, reducing_call_us] = touching::around(&timed, &measured.lengths, line_us);
    let clock_read_us = Some(read_us).filter(|&us| us > 0.0);
    Ok(Machine {
        line_ns: state.map(|state| state.line_ns),
        work_ns: state.and_then(|state| state.work_ns),
        clock_read_us,
        start_us,
        call_us,
        reducing_call_us,
        page_fault_us,
        exit_skew: exit_skew.into_iter().collect(),
        lines,
        local: touching::local(&timed),
        single_copy_above_bytes: above,
        spread,
        loggp,
        loggops,
        plogp,
        protocol,
        notes,
        transfer,
        ..Machine::new(name, provenance, hockney)
    })
}

impl MeasuredLengths {
    fn from_series(series: &[Series], waiting: Option<Waiting>, resamples: u32, confidence: f64) -> MeasuredLengths {
        let plan = Plan::from_series(series, waiting);
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let resampled = series::resampled(series, resamples, &mut rng);
        MeasuredLengths {
            lengths: plan.lengths(&series::medians(series)),
            resampled: resampled.iter().map(|medians| plan.lengths(medians)).collect(),
            waiting,
            confidence,
        }
    }

    /// Returns the solutions of all resamples that have one.
    fn each<T>(&self, solve: impl Fn(&[Length]) -> Option<T>) -> Vec<T> {
        self.resampled.iter().filter_map(|lengths| solve(lengths)).collect()
    }

    /// Returns a value with the interval that its replicates from resamples give it.
    fn around<T>(&self, value: f64, replicates: &[T], pick: impl Fn(&T) -> Option<f64>) -> Estimate {
        let all: Vec<f64> = replicates.iter().filter_map(pick).collect();
        percentile_interval(value, &all, self.confidence).unwrap_or(Estimate { value, low: value, high: value })
    }

    fn hockney(&self, best: StraightLine, send_rule: SendRule) -> HockneyEstimate {
        let lines = self.each(hockney_line);
        HockneyEstimate {
            alpha_us: self.around(best.intercept, &lines, |line| Some(line.intercept)),
            beta_ns_per_byte: self.around(best.slope * 1e3, &lines, |line| Some(line.slope * 1e3)),
            send_rule,
        }
    }
}

fn hockney_line(lengths: &[Length]) -> Option<StraightLine> {
    let halves: Vec<(f64, f64)> = lengths.iter().map(|length| (length.bytes as f64, length.one_way_us)).collect();
    least_relative_deviations(&halves)
}

/// Returns the points behind α and β, shortest first, and the confidence that all their intervals reach.
fn transfer_points(series: &[Series], line: StraightLine, confidence: f64) -> (Vec<TransferPoint>, f64) {
    let mut points: Vec<TransferPoint> = Vec::new();
    let mut reached = confidence;
    for series in series.iter().filter(|series| series.what == What::PingPong) {
        let halves: Vec<f64> = series.samples_us.iter().map(|round_trip| round_trip / 2.0).collect();
        let known = points.iter().any(|point| point.bytes == series.bytes);
        let Some(half) = median_with_interval(&halves, confidence).filter(|_| !known) else { continue };
        reached = reached.min(half.reached);
        let fitted_us = line.at(series.bytes as f64);
        points.push(TransferPoint { bytes: series.bytes, half_round_trip_us: half.estimate, fitted_us });
    }
    points.sort_by_key(|point| point.bytes);
    (points, reached)
}

/// Returns the spread of single ping-pongs relative to the median of their length: the middle share `confidence` of
/// them.
fn spread(series: &[Series], confidence: f64) -> Estimate {
    let mut relative = Vec::new();
    for series in series.iter().filter(|series| series.what == What::PingPong) {
        let middle = median(&series.samples_us).filter(|&middle| middle > 0.0);
        relative.extend(middle.into_iter().flat_map(|middle| series.samples_us.iter().map(move |one| one / middle)));
    }
    let at = |share| quantile(&relative, share).unwrap_or(1.0);
    Estimate { value: 1.0, low: at((1.0 - confidence) / 2.0).min(1.0), high: at((1.0 + confidence) / 2.0).max(1.0) }
}

#[cfg(test)]
mod tests;
