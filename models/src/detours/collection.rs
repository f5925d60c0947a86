//! A collection: synchronised ranks begin at one instant, record, and are synchronised again.

use super::fwq::Quanta;
use super::histogram::Bin;
use super::selfish::{Steps, Watched, Watching};
use super::{Baseline, ftq, span};
use crate::clock::GlobalClock;
use crate::point_to_point::gather_and_go;
use crate::rank::{Phase, Rank};
use crate::sync::Sync;
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

crate::named! {
    /// How detours are found.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Method {
        /// Two reads of the clock are further apart than usual.
        #[default]
        Selfish => "selfish",
        /// A fixed quantum of work takes longer than usual.
        Fwq => "fwq",
        /// Less work than usual is done in a fixed interval of time.
        Ftq => "ftq",
    }
    /// The name used in files and flags.
    fn name;
    find("method"); Display(name);
}

/// What is collected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Collection {
    /// How.
    pub method: Method,
    /// For how long.
    pub time: Span,
    /// Selfish: work between two reads, where a read itself takes no time (simulated ranks).
    pub work: Span,
    /// FWQ: how long a quantum is to take.
    pub quantum: Span,
    /// FWQ: what its duration is compared with.
    pub baseline: Baseline,
    /// FTQ: how long an interval is.
    pub interval: Span,
    /// A detour is longer than this; none: chosen by each rank from what its steps usually take.
    pub threshold: Option<Span>,
    /// So many detours, or intervals, of each rank are kept.
    pub most: u32,
    /// How clocks are synchronised before and behind.
    pub sync: Sync,
}

impl Default for Collection {
    /// Selfish for ten seconds, with room for 64 MiB of detours.
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

/// What one rank collected.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Collected {
    /// The detours; of FTQ the time alone. `usual` is that of a step, or of a quantum.
    pub watched: Watched,
    /// The shortest step, or quantum, in the trial before or since.
    pub least: Span,
    /// When it began, after the due time that all ranks waited for, on the global clock.
    pub begun: Span,
    /// What its clock read then.
    #[serde(default)]
    pub start_ticks: u64,
    /// How well the offset of its clock was known at the begin and at the end.
    pub bounds: [Span; 2],
    /// By how much the global clock gained on the rank's own, in parts per billion.
    pub drift_ppb: i64,
    /// FWQ: how long all quanta took, those of the trial among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quanta: Vec<Bin>,
    /// FTQ: units of work of each interval.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<u32>,
}

/// Ranks begin so much after rank 0 has said when, and so much later for each rank that it tells.
const AHEAD: Span = Span::from_ms(20);
const AHEAD_FOR_EACH: Span = Span::from_ms(1);

/// What a method needs to know before it begins.
enum Prepared {
    Selfish(Steps),
    Fwq(Box<Quanta>),
    Ftq(Vec<u32>),
}

impl Collection {
    /// Collects; called by all ranks together. Every rank returns what it saw.
    pub async fn run<R: Rank>(&self, rank: &R) -> Collected {
        self.run_watched(rank, || {}).await
    }

    /// The same; `look` is called right before and right after the recording.
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
                Prepared::Selfish(Steps::of(&watching, rank, self.threshold).await)
            }
            Method::Fwq => Prepared::Fwq(Box::new(Quanta::of(rank, self.quantum, self.baseline, self.threshold).await)),
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

/// The instant on the global clock at which all ranks begin, as rank 0 says.
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

/// How fast an offset grew.
fn drift_ppb(moved_ps: i64, elapsed: Span) -> i64 {
    (moved_ps as f64 / elapsed.0.max(1) as f64 * 1e9).round() as i64
}
