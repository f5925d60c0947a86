//! One point of a sweep, simulated.

use crate::files::{open_traces, read_text};
use crate::simulate::entry;
use models::engine::Engine;
use models::platform::Buffer;
use models::time::{Span, Time};
use reports::sweep::{Found, Over};
use scenario::sweep::{Files, Point, Sweep, TOGETHER};
use sim::{Simulation, Spread};
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
    disk: Disk,
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
    /// A sweep whose files have been looked at through `disk`.
    pub(super) fn new(sweep: Sweep, engine: Engine, disk: Disk) -> Work {
        Work { sweep, engine, disk }
    }

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

    fn try_simulate(&self, index: u64) -> Result<Found, String> {
        let point = self.sweep.point(index);
        let (platform, noise) =
            self.disk.lend(|files| Ok::<_, String>((point.platform(files)?, point.noise(files)?)))?;
        let entry = (point.entry != TOGETHER).then_some(point.entry);
        let entry = entry::read(entry, point.shape.ranks, point.seed).map_err(|error| error.to_string())?;
        let Point { algorithm, shape, repeat, .. } = point;
        let simulation = Simulation { algorithm, shape, platform, noise, entry, repeat, buffer: Some(Buffer::Touched) };
        match point.realisations {
            1 => self.once(&simulation),
            // Without noise all are the same.
            _ if simulation.noise.is_none() => self.realise(&simulation, 1),
            count => self.realise(&simulation, count),
        }
        .map_err(|error| error.to_string())
    }

    fn once(&self, simulation: &Simulation) -> Result<Found, sim::SimError> {
        let outcome = simulation.run(self.engine)?;
        let (first, last) = outcome.finish.range();
        let Spread { min, mean, max, quantiles } = outcome.finish.into_spread();
        Ok(Found {
            engine: outcome.engine.to_string(),
            messages: outcome.messages,
            over: Over::Ranks,
            finish: [min, mean, max],
            quantiles,
            exit_skew: last.since(first),
        })
    }

    fn realise(&self, simulation: &Simulation, count: u32) -> Result<Found, sim::SimError> {
        let ends = simulation
            .realise(self.engine, 0..count, |outcome| (outcome.finish.range(), outcome.messages, outcome.engine))?;
        let skews: u128 = ends.iter().map(|((first, last), ..)| u128::from(last.since(*first).0)).sum();
        let mut last: Vec<Time> = ends.iter().map(|((_, last), ..)| *last).collect();
        let Spread { min, mean, max, quantiles } = Spread::of(&mut last);
        let count = ends.len() as u128;
        Ok(Found {
            engine: ends[0].2.to_string(),
            messages: ends[0].1,
            over: Over::Realisations,
            finish: [min, mean, max],
            quantiles,
            exit_skew: Span(((skews + count / 2) / count) as u64),
        })
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn rows_have_the_quantiles_that_the_simulator_tells() {
        assert_eq!(reports::sweep::QUANTILES, sim::QUANTILES);
    }
}
