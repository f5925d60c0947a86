//! Selfish: ranks do nothing but read their clocks, and whatever comes between two reads is a detour (Beckman et al. 2006).
//! Memory is bounded: of more detours than can be kept only number and sum are.

use super::{span, ticks};
use crate::clock::Ticks;
use crate::noise::Detour;
use crate::point_to_point::gather_and_go;
use crate::rank::{Phase, Rank};
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// How long to watch, and how closely.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watching {
    /// For how long.
    pub time: Span,
    /// Work between two reads; none where a read itself takes time. Where it takes none (simulated ranks) time passes only
    /// with work.
    pub work: Span,
    /// So many detours of each rank are kept.
    pub most: u32,
}

/// What one rank saw.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Watched {
    /// Who.
    pub rank: u32,
    /// For how long.
    pub time: Span,
    /// From one read to the next, where nothing is between: the most frequent value.
    pub usual: Span,
    /// Detours are longer than this.
    pub threshold: Span,
    /// How many there were.
    pub detours: u64,
    /// What they took together.
    pub taken: Span,
    /// The longest.
    pub longest: Span,
    /// The first of them, in the order of time, from the beginning of the watch.
    pub kept: Vec<Detour>,
}

/// Steps from which the usual one is found.
const TRIAL: usize = 10_001;
/// A detour is longer than so many usual reads.
const READS: u64 = 4;
/// No detour is shorter: caches and pipelines do that.
const SHORTEST: Span = Span::from_ns(100);

impl Watching {
    /// Watches from now on; called by all ranks together. Every rank returns what it saw.
    pub async fn run<R: Rank>(&self, rank: &R) -> Watched {
        rank.enter_phase(Phase::Calibration);
        gather_and_go(rank).await;
        let steps = Steps::of(self, rank, None).await;
        let mut watched = Watched::with_room(rank.id(), self.most);
        let begun = rank.read_clock();
        steps.watch(rank, begun, &mut watched).await;
        watched
    }
}

/// What is known of a rank's steps from read to read before it watches, in ticks.
pub(super) struct Steps {
    watching: Watching,
    /// The shortest.
    pub(super) least: u64,
    /// The most frequent; of several the shortest.
    usual: u64,
    /// A longer one is a detour.
    alarm: u64,
    /// By how much longer than usual.
    threshold: Span,
}

impl Steps {
    /// Tries the loop; the threshold follows from the steps unless it is given.
    pub(super) async fn of<R: Rank>(watching: &Watching, rank: &R, threshold: Option<Span>) -> Steps {
        let watching = watching.clone();
        let mut all = Vec::with_capacity(TRIAL);
        let mut last = watching.next(rank).await;
        for _ in 0..TRIAL {
            let now = watching.next(rank).await;
            all.push(now.0.saturating_sub(last.0));
            last = now;
        }
        let usual = mode(&mut all);
        let scale = rank.timescale();
        let read = span(&scale, usual).0.saturating_sub(watching.work.0);
        let least = SHORTEST.0.max(read.saturating_mul(READS)).max(scale.granularity().0.saturating_mul(2));
        let threshold = threshold.unwrap_or(Span(least));
        Steps { watching, least: all[0], usual, alarm: usual + ticks(&scale, threshold), threshold }
    }

    /// Watches from a reading on.
    pub(super) async fn watch<R: Rank>(&self, rank: &R, begun: Ticks, watched: &mut Watched) {
        let scale = rank.timescale();
        (watched.usual, watched.threshold) = (span(&scale, self.usual), self.threshold);
        let end = begun.0.saturating_add(ticks(&scale, self.watching.time));
        let mut last = begun.0;
        while last < end {
            let now = self.watching.next(rank).await.0;
            let step = now.saturating_sub(last);
            if step > self.alarm {
                let start = Time::ZERO + span(&scale, last - begun.0);
                let duration = span(&scale, step - self.usual);
                watched.add(Detour { start, duration });
                rank.lost(duration);
            }
            last = now;
        }
        watched.time = span(&scale, last.saturating_sub(begun.0));
    }
}

impl Watching {
    /// The next read.
    #[inline(always)]
    async fn next<R: Rank>(&self, rank: &R) -> Ticks {
        if self.work > Span::ZERO {
            rank.compute(self.work).await;
        }
        rank.read_clock()
    }
}

impl Watched {
    /// Nothing yet; there is room for so many detours, whose pages the operating system has given already.
    pub(super) fn with_room(rank: u32, most: u32) -> Watched {
        let mut kept = vec![Detour { start: Time::END, duration: Span::ZERO }; most as usize];
        kept.clear();
        Watched { rank, kept, ..Watched::default() }
    }

    pub(super) fn add(&mut self, detour: Detour) {
        self.detours += 1;
        self.taken = self.taken + detour.duration;
        self.longest = self.longest.max(detour.duration);
        if self.kept.len() < self.kept.capacity() {
            self.kept.push(detour);
        }
    }
}

/// The most frequent of them, the shortest where several are; they are sorted.
fn mode(steps: &mut [u64]) -> u64 {
    steps.sort_unstable();
    let mut best = (0, 0);
    for run in steps.chunk_by(|a, b| a == b) {
        if run.len() > best.0 {
            best = (run.len(), run[0]);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_is_the_most_frequent_and_of_several_the_shortest() {
        let mode_of = |steps: &[u64]| mode(&mut steps.to_vec());
        assert_eq!(mode_of(&[9, 2, 5, 5, 2, 7]), 2);
        assert_eq!(mode_of(&[9, 2, 5, 5, 5, 2, 7]), 5);
        assert_eq!(mode_of(&[]), 0);
    }

    #[test]
    fn more_detours_than_can_be_kept_are_counted_all_the_same() {
        let mut watched = Watched::with_room(0, 2);
        (1..=5).for_each(|us| watched.add(Detour { start: Time(us), duration: Span(10 * us) }));
        assert_eq!((watched.detours, watched.taken, watched.longest, watched.kept.len()), (5, Span(150), Span(50), 2));
    }
}
