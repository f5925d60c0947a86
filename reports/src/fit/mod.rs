//! From round trips to a machine: Hockney's α and β, and LogGP's L, o, g, G.
//!
//! All fits are of medians, so a calibrated machine predicts what is typical; noise that hits
//! fewer than half of the exchanges leaves no trace. Intervals are percentile bootstraps over the
//! round trips of each kind (2000 resamples, all kinds together, fixed seed): they hold the sampling error.
//! That the model itself does not fit is said in the machine's notes.

mod loggp;
pub(crate) mod notes;

use crate::statistics::{Line, least_relative_deviations, median, median_with_interval, quantile};
use crate::statistics::{RESAMPLES, ResampledMedians, percentile_interval};
use loggp::{Missing, Solution};
use models::calibration::{Prtt, Sample};
use models::machine::{Estimate, HockneyEstimate, LogGpEstimate, Machine, Provenance, TransferPoint};
use models::network::SendRule;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Seed of the resamples: the same round trips give the same machine.
const SEED: u64 = 0x70_61_72_61_6c_6c_61_78;

/// Why round trips give no machine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FitError {
    /// The confidence is not one.
    #[error("the confidence of the intervals is {0}: it must lie between 0 and 1, like 0.99")]
    Confidence(f64),
    /// A kind of exchange has no samples.
    #[error("no round trips of {messages} messages of {bytes} B: calibrate with at least one sample of each kind")]
    NoSamples {
        /// Messages per round trip.
        messages: u32,
        /// Message length.
        bytes: u64,
    },
    /// α and β cannot be told apart.
    #[error("ping-pongs of fewer than two message lengths: calibrate with two or more, say 1 B and 64 KiB")]
    OneLength,
    /// The clock did not move.
    #[error("the median round trip of {bytes} B took no time: the clock is too coarse, calibrate with a finer one")]
    NoTime {
        /// Message length.
        bytes: u64,
    },
    /// A train cannot be compared.
    #[error(
        "a train of {messages} messages of {bytes} B has no ping-pong of that length to be compared with: calibrate both with the same lengths"
    )]
    NoPingPong {
        /// Messages in the train.
        messages: u32,
        /// Message length.
        bytes: u64,
    },
}

/// The round trips of one kind, in µs.
struct Kind {
    messages: u32,
    delay_us: f64,
    bytes: u64,
    samples_us: Vec<f64>,
}

/// Parameters from one set of medians; times in µs, rates in µs per byte.
struct Parameters {
    hockney: Line,
    loggp: Result<Solution, Missing>,
}

/// Fits Hockney's model and, where trains of messages were sent, LogGP's.
///
/// Hockney (1994): half of PRTT(1, 0, s) is α + sβ; least relative deviations with α, β ≥ 0. LogGP: PRTT of
/// Hoefler, Lichei and Rehm (2007), see the submodule for what holds when. All intervals are at
/// `provenance.confidence`.
///
/// # Errors
/// Says which round trips are missing or unusable, and what to calibrate instead.
pub fn fit_machine(
    name: &str,
    provenance: Provenance,
    send_rule: SendRule,
    samples: &[Sample],
) -> Result<Machine, FitError> {
    let confidence = provenance.confidence;
    if !(confidence > 0.0 && confidence < 1.0) {
        return Err(FitError::Confidence(confidence));
    }
    let round_trips = samples.iter().filter_map(|sample| match sample {
        Sample::RoundTrips(prtt) => Some(prtt),
        Sample::LateReceives(_) | Sample::LateSends(_) | Sample::Readings(_) => None,
    });
    let kinds: Vec<Kind> = round_trips.map(Kind::new).collect::<Result<_, _>>()?;
    check(&kinds)?;
    let medians: Vec<f64> = kinds.iter().filter_map(|kind| median(&kind.samples_us)).collect();
    let best = Parameters::of(&kinds, &medians).ok_or(FitError::OneLength)?;
    let replicates = replicate(&kinds);
    let around = |value: f64, of: &dyn Fn(&Parameters) -> Option<f64>| {
        let all: Vec<f64> = replicates.iter().filter_map(of).collect();
        percentile_interval(value, &all, confidence).unwrap_or(Estimate { value, low: value, high: value })
    };
    let (loggp, mut notes) = match &best.loggp {
        Ok(solution) => {
            let of = |value: f64, of: Pick| around(value, &|p| of(p.loggp.as_ref().ok()?));
            let growth_us = growth(solution).map(|value| of(value, growth));
            (Some(estimate(solution, of)), notes::loggp(solution, growth_us))
        }
        Err(missing) => (None, notes::missing(missing).into_iter().collect()),
    };
    let hockney = HockneyEstimate {
        alpha_us: around(best.hockney.intercept, &|p| Some(p.hockney.intercept)),
        beta_ns_per_byte: around(best.hockney.slope * 1e3, &|p| Some(p.hockney.slope * 1e3)),
        send_rule,
    };
    let (transfer, reached) = transfer_points(&kinds, best.hockney, confidence);
    notes.extend(notes::hockney(best.hockney, &transfer));
    notes.extend(notes::confidence(confidence, reached));
    let spread = spread(&kinds, confidence);
    Ok(Machine { spread, loggp, notes, transfer, ..Machine::new(name, provenance, hockney) })
}

/// One number of a solution.
type Pick = fn(&Solution) -> Option<f64>;

/// LogGP's parameters with their intervals; `of` puts one around a value, given how a resample yields its like.
fn estimate(solution: &Solution, of: impl Fn(f64, Pick) -> Estimate) -> LogGpEstimate {
    let mut gap_us = of(solution.gap_us, |s| Some(s.gap_us));
    if solution.gap_is_a_bound {
        gap_us.low = 0.0;
    }
    LogGpEstimate {
        latency_us: of(solution.latency_us, |s| Some(s.latency_us)),
        overhead_us: of(solution.overhead_us, |s| Some(s.overhead_us)),
        gap_us,
        gap_per_byte_ns: of(solution.gap_per_byte_us * 1e3, |s| Some(s.gap_per_byte_us * 1e3)),
    }
}

/// What a send of the longest message costs the CPU beyond o.
fn growth(solution: &Solution) -> Option<f64> {
    let [_, longest] = &solution.ends;
    Some(longest.overhead_us? - solution.overhead_us)
}

impl Kind {
    fn new(prtt: &Prtt) -> Result<Kind, FitError> {
        let Prtt { messages, bytes, .. } = *prtt;
        if messages == 0 || prtt.round_trips.is_empty() {
            return Err(FitError::NoSamples { messages, bytes });
        }
        let samples_us = prtt.round_trips.iter().map(|span| span.as_us()).collect();
        Ok(Kind { messages, delay_us: prtt.delay.as_us(), bytes, samples_us })
    }
}

fn check(kinds: &[Kind]) -> Result<(), FitError> {
    let ping_pongs = || kinds.iter().filter(|kind| kind.messages == 1);
    let first = ping_pongs().next().ok_or(FitError::OneLength)?;
    if ping_pongs().all(|kind| kind.bytes == first.bytes) {
        return Err(FitError::OneLength);
    }
    if let Some(kind) = ping_pongs().find(|kind| median(&kind.samples_us) == Some(0.0)) {
        return Err(FitError::NoTime { bytes: kind.bytes });
    }
    let alone = |train: &&Kind| train.messages > 1 && ping_pongs().all(|kind| kind.bytes != train.bytes);
    match kinds.iter().find(alone) {
        Some(&Kind { messages, bytes, .. }) => Err(FitError::NoPingPong { messages, bytes }),
        None => Ok(()),
    }
}

impl Parameters {
    fn of(kinds: &[Kind], medians: &[f64]) -> Option<Parameters> {
        let exchanges: Vec<(&Kind, f64)> = kinds.iter().zip(medians.iter().copied()).collect();
        let halves: Vec<(f64, f64)> = exchanges
            .iter()
            .filter(|(kind, _)| kind.messages == 1)
            .map(|(kind, round_trip)| (kind.bytes as f64, round_trip / 2.0))
            .collect();
        let hockney = least_relative_deviations(&halves)?;
        Some(Parameters { hockney, loggp: loggp::solve(&exchanges) })
    }
}

/// The parameters of many resamples of all round trips.
fn replicate(kinds: &[Kind]) -> Vec<Parameters> {
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let resampled: Vec<ResampledMedians> =
        kinds.iter().filter_map(|kind| ResampledMedians::of(&kind.samples_us)).collect();
    let draw = |_| {
        let medians: Vec<f64> = resampled.iter().map(|medians| medians.draw(&mut rng)).collect();
        Parameters::of(kinds, &medians)
    };
    (0..RESAMPLES).filter_map(draw).collect()
}

/// The points behind α and β, shortest first, and the confidence that all their intervals reach.
fn transfer_points(kinds: &[Kind], line: Line, confidence: f64) -> (Vec<TransferPoint>, f64) {
    let mut points = Vec::new();
    let mut reached = confidence;
    for kind in kinds.iter().filter(|kind| kind.messages == 1) {
        let halves: Vec<f64> = kind.samples_us.iter().map(|round_trip| round_trip / 2.0).collect();
        let Some(half) = median_with_interval(&halves, confidence) else { continue };
        reached = reached.min(half.reached);
        let fitted_us = line.at(kind.bytes as f64);
        points.push(TransferPoint { bytes: kind.bytes, half_round_trip_us: half.estimate, fitted_us });
    }
    points.sort_by_key(|point| point.bytes);
    (points, reached)
}

/// Single ping-pongs relative to the median of their length: the middle share `confidence` of them.
fn spread(kinds: &[Kind], confidence: f64) -> Estimate {
    let mut relative = Vec::new();
    for kind in kinds.iter().filter(|kind| kind.messages == 1) {
        let middle = median(&kind.samples_us).filter(|&middle| middle > 0.0);
        relative.extend(middle.into_iter().flat_map(|middle| kind.samples_us.iter().map(move |one| one / middle)));
    }
    let at = |share| quantile(&relative, share).unwrap_or(1.0);
    Estimate { value: 1.0, low: at((1.0 - confidence) / 2.0).min(1.0), high: at((1.0 + confidence) / 2.0).max(1.0) }
}

#[cfg(test)]
mod tests;
