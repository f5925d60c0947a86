//! One point of a sweep, simulated.

use crate::choice::ModelChoice;
use crate::files::{open_traces, read_text};
use crate::simulate::entry;
use models::engine::Engine;
use models::platform::{Buffer, Platform};
use models::spread::Spread;
use models::time::{Span, Time};
use reports::sweep::{Found, Over};
use scenario::sweep::{Files, Point, Sweep, TOGETHER};
use sim::{SimError, Simulation};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Points with so many ranks in all their realisations use all cores themselves, and so do not run beside others.
const MOST_BESIDE_OTHERS: u64 = 1 << 20;
/// Points with so many ranks do not run beside others, for their memory.
const MOST_RANKS_BESIDE_OTHERS: u32 = 1 << 22;

/// A sweep, how it is simulated, and the files that it names.
pub(super) struct Work {
    /// What is asked.
    pub sweep: Sweep,
    /// By which engine.
    pub engine: Engine,
    /// Its files, which have been looked at.
    pub disk: Disk,
    /// The network of all points, where flags say it; messages alone count.
    pub choice: Option<ModelChoice>,
    /// Cut into the segments that are the cheapest at each point.
    pub cheapest: bool,
}

/// Files that have been read, by their names.
#[derive(Default)]
pub(super) struct Disk(Mutex<BTreeMap<String, Traces>>);

/// Names and contents of the files of a trace.
type Traces = Vec<(String, Vec<u8>)>;

impl Disk {
    /// Hands on the files.
    pub(super) fn lend<T>(&self, to: impl FnOnce(Files<'_>) -> T) -> T {
        to(Files { traces: &|path| self.traces(path), text: &|path| read_text(path) })
    }

    /// Every point with such noise asks for them.
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
    /// True if a point is to have all cores and all memory.
    pub(super) fn is_alone(&self, index: u64) -> bool {
        let Point { shape, realisations, .. } = self.sweep.point(index);
        let all = u64::from(shape.ranks) * u64::from(realisations);
        realisations > 1 && all >= MOST_BESIDE_OTHERS || shape.ranks >= MOST_RANKS_BESIDE_OTHERS
    }

    /// Simulates a point; a defect of the simulator is an error of the point, too.
    pub(super) fn simulate(&self, index: u64) -> Result<Found, String> {
        let simulated = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.try_simulate(index)));
        simulated.unwrap_or_else(|_| Err("the simulator failed on this point: please report it".to_owned()))
    }

    /// What a point simulates.
    pub(super) fn simulation(&self, point: &Point<'_>) -> Result<Simulation, String> {
        let Point { algorithm, shape, repeat, .. } = *point;
        let (platform, noise) =
            self.disk.lend(|files| Ok::<_, String>((self.platform(point, files)?, point.noise(files)?)))?;
        let entry = (point.entry != TOGETHER).then_some(point.entry);
        let entry = entry::read(entry, shape.ranks, point.seed).map_err(|error| error.to_string())?;
        Ok(Simulation { algorithm, shape, platform, noise, entry, repeat, buffer: Some(Buffer::Touched) })
    }

    fn platform(&self, point: &Point<'_>, files: Files<'_>) -> Result<Platform, String> {
        let chosen = self.choice.as_ref().map(|choice| choice.messages_alone(point.shape.ranks));
        chosen.map_or_else(|| point.platform(files), |platform| platform.map_err(|error| error.to_string()))
    }

    fn try_simulate(&self, index: u64) -> Result<Found, String> {
        let point = self.sweep.point(index);
        let simulation = self.simulation(&point)?;
        match point.realisations {
            1 => self.once(&simulation),
            // Without noise all are the same.
            _ if simulation.noise.is_none() => self.realise(&simulation, 1),
            count => self.realise(&simulation, count),
        }
        .map_err(|error| error.to_string())
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
            finish: Spread::of(&mut last),
            exit_skew: Span(((skews + count / 2) / count) as u64),
        })
    }
}
