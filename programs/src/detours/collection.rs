//! A collection: synchronised ranks begin at one instant, record, and are synchronised again.

use super::fwq::Quanta;
use super::histogram::Bin;
use super::selfish::{Steps, Watched, Watching};
use super::{Baseline, ftq, span};
use crate::point_to_point::gather_and_go;
use crate::rank::{Phase, Rank};
use crate::sync::Sync;
use models::clock::GlobalClock;
use models::time::{Span, Time};
use serde::{Deserialize, Serialize};

models::named! {
    /// Method by which detours are found.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Method {
        /// A detour is a longer time than usual between two reads of the clock.
        #[default]
        Selfish => "selfish",
        /// A detour is a longer time than usual for a fixed quantum of work.
        Fwq => "fwq",
        /// Detours appear as less work than usual in a fixed interval of time.
        Ftq => "ftq",
    }
    /// Name of the method in files and flags.
    fn name;
    find("method"); Display(name);
}

/// Parameters of a collection of detours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collection {
    /// Method of the collection.
    pub method: Method,
    /// Duration of the collection.
    pub time: Span,
    /// Selfish: work between two reads, where a read itself takes no time (simulated ranks).
    pub work: Span,
    /// FWQ: intended duration of a quantum.
    pub quantum: Span,
    /// FWQ: reference of a quantum's duration.
    pub baseline: Baseline,
    /// FTQ: duration of an interval.
    pub interval: Span,
    /// Excess over the usual duration above which a step contains a detour; `None` where each rank chooses it from what
    /// its steps usually take.
    pub threshold: Option<Span>,
    /// Largest number of detours, or of intervals, that are kept of each rank.
    pub most: u32,
    /// Method by which clocks are synchronised before and after.
    pub sync: Sync,
}

impl Default for Collection {
    /// The selfish method for ten seconds, with room for 64 MiB of detours.
    fn default() -> Collection {
        Collection {
            method: Method::Selfish,
            time: Span::from_ms(10_000),
            work: Span::ZERO,
            quantum: Span::from_us(3),
            baseline: Baseline::Mode,
            interval: Span::from_ms(1),
            threshold: None,
            most: 1 << 22,
            sync: Sync::Linear,
        }
    }
}

/// Results of one rank's collection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Collected {
    /// Detours, or with FTQ their duration alone. `usual` is the duration of a step or of a quantum.
    pub watched: Watched,
    /// Shortest step, or quantum, in the trial before or since.
    pub least: Span,
    /// Time between the due time for which all ranks waited and the rank's begin, on the global clock.
    pub begun: Span,
    /// Reading of the rank's clock at the begin.
    #[serde(default)]
    pub start_ticks: u64,
    /// Bounds of the error of the clock's offset at the begin and at the end.
    pub bounds: [Span; 2],
    /// Drift of the global clock against the rank's own, in parts per billion.
    pub drift_ppb: i64,
    /// FWQ: histogram of the durations of all quanta, including those of the trial.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quanta: Vec<Bin>,
    /// FTQ: units of work of each interval.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<u32>,
}

/// Time from rank 0's announcement to the begin of all ranks, to which is added a time for each rank.
const AHEAD: Span = Span::from_ms(20);
const AHEAD_FOR_EACH: Span = Span::from_ms(1);

/// State that a method prepares before it begins.
enum Prepared {
    Selfish(Steps),
    Fwq(Box<Quanta>),
    Ftq(Vec<u32>),
}

impl Collection {
    /// Collects detours, and calls `look` right before and right after the recording. All ranks call it together; each
    /// returns its own results.
    pub async fn run_watched<R: Rank>(&self, rank: &R, mut look: impl FnMut()) -> Collected {
        rank.enter_phase(Phase::Detours);
        let room = if self.method == Method::Ftq { 0 } else { self.most };
        let mut collected = Collected { watched: Watched::with_room(rank.id(), room), ..Collected::default() };
        let prepared = self.prepare(rank).await;
        let clock = self.sync.synchronise(rank).await;
        let synchronised = rank.read_clock();
        rank.enter_phase(Phase::Detours);
        let due = due(rank, &clock).await;
        rank.wait_until(clock.reading(due)).await;
        look();
        self.record(rank, (&clock, due), prepared, &mut collected).await;
        look();
        gather_and_go(rank).await;
        let again = self.sync.synchronise(rank).await;
        let elapsed = rank.timescale().span(synchronised, rank.read_clock());
        collected.bounds = [clock.bound, again.bound];
        collected.drift_ppb = drift_ppb(clock.moved_ps(&again), elapsed);
        collected
    }

    async fn prepare<R: Rank>(&self, rank: &R) -> Prepared {
        match self.method {
            Method::Selfish => {
                let watching = Watching { time: self.time, work: self.work, most: self.most };
                Prepared::Selfish(Steps::measure(&watching, rank, self.threshold).await)
            }
            Method::Fwq => {
                Prepared::Fwq(Box::new(Quanta::calibrate(rank, self.quantum, self.baseline, self.threshold).await))
            }
            Method::Ftq => {
                let intervals = (self.time.0 / self.interval.0.max(1)).clamp(1, u64::from(self.most)) as usize;
                let mut counts = vec![u32::MAX; intervals];
                counts.clear();
                Prepared::Ftq(counts)
            }
        }
    }

    async fn record<R: Rank>(
        &self,
        rank: &R,
        (clock, due): (&GlobalClock, Time),
        prepared: Prepared,
        collected: &mut Collected,
    ) {
        let begun = rank.read_clock();
        collected.begun = clock.time(begun).since(due);
        collected.start_ticks = begun.0;
        let scale = rank.timescale();
        match prepared {
            Prepared::Selfish(steps) => {
                collected.least = span(&scale, steps.least);
                steps.watch(rank, begun, &mut collected.watched).await;
            }
            Prepared::Fwq(mut quanta) => {
                quanta.watch(rank, begun, self.time, &mut collected.watched).await;
                collected.least = span(&scale, quanta.excess.durations.least);
                collected.quanta = quanta.excess.durations.all.bins(&scale);
            }
            Prepared::Ftq(mut counts) => {
                ftq::count(rank, clock, due, self.interval, &mut counts).await;
                collected.begun = Span::ZERO;
                collected.watched.time = self.interval * counts.len() as u64;
                collected.counts = counts;
            }
        }
    }
}

/// Instant on the global clock at which all ranks begin, as rank 0 announces it.
async fn due<R: Rank>(rank: &R, clock: &GlobalClock) -> Time {
    let mut word = [0; 8];
    if rank.id() != 0 {
        rank.receive(0, &mut word).await;
        return Time(u64::from_le_bytes(word));
    }
    let due = clock.time(rank.read_clock()) + AHEAD + AHEAD_FOR_EACH * u64::from(rank.size());
    for other in 1..rank.size() {
        rank.send(other, &due.0.to_le_bytes()).await;
    }
    due
}

/// Drift of an offset, in parts per billion.
fn drift_ppb(moved_ps: i64, elapsed: Span) -> i64 {
    (moved_ps as f64 / elapsed.0.max(1) as f64 * 1e9).round() as i64
}
