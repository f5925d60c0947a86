//! Selfish method: ranks only read their clocks, and anything between two reads is a detour (Beckman et al. 2006).
//! Memory is bounded: of the detours beyond the limit only the number and the sum are kept.

use super::{span, ticks};
use crate::point_to_point::gather_and_go;
use crate::rank::{Phase, Rank};
use models::clock::Ticks;
use models::noise::Detour;
use models::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Duration and resolution of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watching {
    /// Duration of the recording.
    pub time: Span,
    /// Work between two reads, which is zero where a read itself takes time. Where a read takes none (simulated ranks),
    /// time passes only with work.
    pub work: Span,
    /// Largest number of detours that are kept of each rank.
    pub most: u32,
}

/// Detours of one rank.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Watched {
    /// Number of the rank.
    pub rank: u32,
    /// Duration of the recording.
    pub time: Span,
    /// Time from one read to the next without a detour: the most frequent value.
    pub usual: Span,
    /// Excess over the usual step above which a step contains a detour.
    pub threshold: Span,
    /// Number of all detours.
    pub detours: u64,
    /// Sum of the durations of all detours.
    pub taken: Span,
    /// Longest duration of a detour.
    pub longest: Span,
    /// First detours, in the order of time, with starts from the begin of the recording.
    pub kept: Vec<Detour>,
}

/// Number of steps from which the usual one is determined.
const TRIAL: usize = 10_001;
/// Number of usual reads that the threshold amounts to at least.
const READS: u64 = 4;
/// Shortest threshold: caches and pipelines cause shorter delays.
const SHORTEST: Span = Span::from_ns(100);

impl Watching {
    /// Records detours from the call on; called by all ranks together. Every rank returns its own.
    pub async fn run<R: Rank>(&self, rank: &R) -> Watched {
        rank.enter_phase(Phase::Calibration);
        gather_and_go(rank).await;
        let steps = Steps::measure(self, rank, None).await;
        let mut watched = Watched::with_room(rank.id(), self.most);
        let begun = rank.read_clock();
        steps.watch(rank, begun, &mut watched).await;
        watched
    }
}

/// Steps of a rank from read to read before it records, in ticks.
pub(super) struct Steps {
    watching: Watching,
    /// Shortest step in the trial.
    pub(super) least: u64,
    /// Most frequent step, and the shortest of several.
    usual: u64,
    /// Step above which there is a detour.
    alarm: u64,
    /// Excess of that step over the usual one.
    threshold: Span,
}

impl Steps {
    /// Tries the loop. The threshold follows from the steps unless it is given.
    pub(super) async fn measure<R: Rank>(watching: &Watching, rank: &R, threshold: Option<Span>) -> Steps {
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

    /// Records detours from a reading on.
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
    /// Works, then reads the clock.
    #[inline(always)]
    async fn next<R: Rank>(&self, rank: &R) -> Ticks {
        if self.work > Span::ZERO {
            rank.compute(self.work).await;
        }
        rank.read_clock()
    }
}

impl Watched {
    /// Empty recording with room for `most` detours, whose pages the operating system has already provided.
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

/// The most frequent step, and the shortest of several. Sorts the steps.
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
