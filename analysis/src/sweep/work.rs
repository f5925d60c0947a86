//! Simulation of the points of a sweep.

use super::memory::Broadcasts;
use super::segments::most_messages;
use crate::choice::ModelChoice;
use crate::files::{open_traces, read_text};
use campaign::progress::Expected;
use models::collective::Shape;
use models::engine::Engine;
use models::platform::{Buffer, Platform};
use models::spread::Spread;
use models::time::{Span, Time};
use programs::budget::Configuration;
use programs::method::Method;
use programs::observation::Implementation;
use questions::entry;
use questions::method::{self, MOST_RANKS};
use reports::sweep::{Found, Over, Printed};
use scenario::sweep::{Files, Sweep, SweepPoint, TOGETHER};
use sim::{Predictor, SimError, Simulation};
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Number of ranks in all realisations of a point from which it uses all cores itself, and so does not run beside
/// others.
const MOST_BESIDE_OTHERS: u64 = 1 << 20;
/// Number of ranks from which a point does not run beside others, because of its memory.
const MOST_RANKS_BESIDE_OTHERS: u32 = 1 << 22;

/// Number of points whose messages are counted before a sweep begins.
const MOST_COUNTED: u64 = 1_000;
/// Messages that the event engine, the slowest, simulates in a second, and the further time of each point in seconds
/// (`benches/RESULTS.md`).
const MESSAGES_PER_SECOND: f64 = 4e6;
const A_POINT_S: f64 = 2e-5;
/// Approximate number of calls that benchmarks make for each sample.
const CALLS_PER_SAMPLE: f64 = 2.0;

/// A sweep, the settings of its simulation, and the files that it names.
pub(super) struct Work {
    pub sweep: Sweep,
    pub engine: Engine,
    /// Files of the sweep that have been read already.
    pub disk: Disk,
    /// The network of all points, where flags choose it; messages alone count.
    pub choice: Option<ModelChoice>,
    /// True if messages are cut into the segments that are the cheapest at each point.
    pub cheapest: bool,
}

/// Files that have been read, by their names.
#[derive(Default)]
pub(super) struct Disk(Mutex<BTreeMap<String, Traces>>);

/// Names and contents of the files of a trace.
type Traces = Vec<(String, Vec<u8>)>;

impl Disk {
    /// Calls `to` with functions that read files.
    pub(super) fn lend<T>(&self, to: impl FnOnce(Files<'_>) -> T) -> T {
        to(Files { traces: &|path| self.traces(path), text: &|path| read_text(path) })
    }

    /// Returns the files of a trace, read once for all points with such noise.
    fn traces(&self, path: &str) -> Result<Traces, String> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(files) = known.get(path) {
            return Ok(files.clone());
        }
        let files = open_traces(path)?;
        known.insert(path.to_owned(), files.clone());
        Ok(files)
    }
}

impl Work {
    /// Returns the number of points, and a bound of their time on all threads, from the messages of a sample of them.
    pub(super) fn expected(&self) -> Expected {
        let points = self.sweep.points();
        let step = points.div_ceil(MOST_COUNTED).max(1);
        let messages = |index| {
            let point = self.sweep.point(index);
            let alone = self.most_messages(&point).unwrap_or(0) as f64;
            alone * point.benchmark.map_or(1.0, |_| f64::from(point.samples) * CALLS_PER_SAMPLE)
        };
        let counted: Vec<f64> = (0..points).step_by(step as usize).map(messages).collect();
        let all = counted.iter().sum::<f64>() / counted.len().max(1) as f64 * points as f64;
        let seconds = (all / MESSAGES_PER_SECOND + points as f64 * A_POINT_S) / rayon::current_num_threads() as f64;
        let mut expected = Expected::new("sweep", ["point", "points"]).in_at_most();
        expected.and(points, Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
        expected
    }

    /// True if a point needs all cores or all memory.
    pub(super) fn is_alone(&self, index: u64) -> bool {
        let SweepPoint { shape, realisations, .. } = self.sweep.point(index);
        let all = u64::from(shape.ranks) * u64::from(realisations);
        realisations > 1 && all >= MOST_BESIDE_OTHERS || shape.ranks >= MOST_RANKS_BESIDE_OTHERS
    }

    /// Simulates points that go together ([`Sweep::together`]); a defect of the simulator is an error of each, too.
    pub(super) fn simulate(&self, range: Range<u64>) -> Vec<Result<Found, String>> {
        let count = (range.end - range.start) as usize;
        let simulated = std::panic::catch_unwind(AssertUnwindSafe(|| self.try_simulate(range)));
        simulated
            .unwrap_or_else(|_| vec![Err("the simulator failed on this point: please report it".to_owned()); count])
    }

    /// Returns the simulation of a point.
    pub(super) fn simulation(&self, point: &SweepPoint<'_>) -> Result<Simulation, String> {
        let (algorithm, shape) = point.played()?;
        let (platform, noise) =
            self.disk.lend(|files| Ok::<_, String>((self.platform(point, files)?, point.noise(files)?)))?;
        let entry = (point.entry != TOGETHER).then_some(point.entry);
        let entry =
            entry::read(entry, shape.ranks, point.seed, &crate::files::read_text).map_err(|error| error.to_string())?;
        let repeat = point.repeat;
        let compute = point.compute.1;
        Ok(Simulation { algorithm, shape, platform, noise, entry, repeat, compute, buffer: Some(Buffer::Touched) })
    }

    /// Returns an upper bound of the messages of a point, or of the notifications of its readers.
    pub(super) fn most_messages(&self, point: &SweepPoint<'_>) -> Result<u64, String> {
        if let Some(broadcasts) = Broadcasts::from_point(point)? {
            return Ok(broadcasts.notifications());
        }
        let (algorithm, shape) = point.played()?;
        let calls = u64::from(point.repeat).saturating_mul(point.realisations.max(1).into());
        Ok(most_messages(algorithm, &shape).saturating_mul(calls))
    }

    fn platform(&self, point: &SweepPoint<'_>, files: Files<'_>) -> Result<Platform, String> {
        let chosen = self.choice.as_ref().map(|choice| choice.messages_alone(point.shape.ranks));
        chosen.map_or_else(|| point.platform(files), |platform| platform.map_err(|error| error.to_string()))
    }

    fn try_simulate(&self, range: Range<u64>) -> Vec<Result<Found, String>> {
        let points: Vec<SweepPoint<'_>> = range.map(|index| self.sweep.point(index)).collect();
        let [point, ..] = &points[..] else { return Vec::new() };
        match Broadcasts::from_point(point) {
            Ok(None) => {}
            Ok(Some(broadcasts)) => return vec![broadcasts.found(); points.len()],
            Err(message) => return vec![Err(message); points.len()],
        }
        let found = self.simulation(point).and_then(|simulation| {
            // Without noise all realisations are the same.
            let count = if simulation.noise.is_none() { 1 } else { point.realisations };
            let found = match point.realisations {
                1 => self.once(&simulation),
                _ => self.realise(&simulation, count),
            };
            Ok((found.map_err(|error| error.to_string())?, printed(&points, &simulation, count)?))
        });
        match found {
            Ok((found, printed)) => {
                printed.into_iter().map(|printed| Ok(Found { printed: printed?, ..found.clone() })).collect()
            }
            Err(message) => vec![Err(message); points.len()],
        }
    }

    fn once(&self, simulation: &Simulation) -> Result<Found, SimError> {
        let outcome = simulation.run(self.engine)?;
        let (first, last) = outcome.finish.range();
        Ok(Found {
            engine: outcome.engine.to_string(),
            messages: outcome.messages,
            over: Over::Ranks,
            finish: outcome.finish.into_spread(),
            exit_skew: last.since(first),
            printed: None,
        })
    }

    fn realise(&self, simulation: &Simulation, count: u32) -> Result<Found, SimError> {
        let ends = simulation
            .realise(self.engine, 0..count, |outcome| (outcome.finish.range(), outcome.messages, outcome.engine))?;
        let skews: u128 = ends.iter().map(|((first, last), ..)| u128::from(last.since(*first).0)).sum();
        let mut last: Vec<Time> = ends.iter().map(|((_, last), ..)| *last).collect();
        let count = ends.len() as u128;
        Ok(Found {
            engine: ends[0].2.to_string(),
            messages: ends[0].1,
            over: Over::Realisations,
            finish: Spread::from_times(&mut last),
            exit_skew: Span(((skews + count / 2) / count) as u64),
            printed: None,
        })
    }
}

/// Returns the numbers that the benchmarks of points that go together print, each the mean over this number of
/// realisations of the noise, beside the true time without noise; `None` where a point has no benchmark.
fn printed(
    points: &[SweepPoint<'_>],
    simulation: &Simulation,
    realisations: u32,
) -> Result<Vec<Result<Option<Printed>, String>>, String> {
    let benchmarks: Vec<&Configuration> = points.iter().filter_map(|point| point.benchmark).collect();
    let [point, ..] = points else { return Ok(Vec::new()) };
    if benchmarks.is_empty() {
        return Ok(vec![Ok(None); points.len()]);
    }
    let ranks = simulation.shape.ranks;
    if ranks > MOST_RANKS {
        return Err(format!("a benchmark is simulated on at most {MOST_RANKS} ranks, found {ranks}"));
    }
    let (barrier, _) = point.barrier.at(Shape::new(ranks, 0, 0))?;
    let barrier = Implementation::Own(barrier.name.to_owned());
    let order = method::order(simulation, Method::Window, point.samples, barrier);
    let machine = method::machine(simulation, simulation.platform.network, point.seed);
    let truth_us = machine.truth_us(simulation.buffer.unwrap_or_default(), &order);
    let truth_us = truth_us.map_err(|error| error.to_string())?;
    let mut sums: Vec<Result<f64, String>> = vec![Ok(0.0); benchmarks.len()];
    for realisation in 0..realisations {
        let noise = simulation.noise.realisation(realisation);
        let numbers = Predictor { noise, ..machine.clone() }.printed_by(&benchmarks, &order);
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum = sum.clone().and_then(|sum| Ok(sum + number.map_err(|error| error.to_string())?));
        }
    }
    let mut sums = sums.into_iter();
    let number = |point: &SweepPoint<'_>| {
        let sum = point.benchmark.and_then(|_| sums.next()).transpose()?;
        Ok(sum.map(|sum| Printed { printed_us: sum / f64::from(realisations), truth_us }))
    };
    Ok(points.iter().map(number).collect())
}
