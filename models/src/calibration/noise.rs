//! A sample of noise: ranks do nothing but read their clocks, all at once, and whatever comes between two reads is a detour
//! (`selfish`; Beckman et al. 2006). Memory is bounded: of more detours than can be kept only number and sum are.

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

/// One detour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detour {
    /// When the last read before it was, from the beginning of the watch.
    pub start: Span,
    /// What lies between that read and the next, beyond the usual.
    pub duration: Span,
}

/// What one rank saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// The first of them, in the order of time.
    pub kept: Vec<Detour>,
}

/// Steps from which the usual one is found.
const TRIAL: usize = 10_001;
/// A detour is longer than so many usual reads.
const READS: u64 = 4;
/// No detour is shorter: caches and pipelines do that.
const SHORTEST: Span = Span::from_ns(100);

impl Watching {
    /// Watches; called by all ranks together. Every rank returns what it saw.
    pub async fn run<R: Rank>(&self, rank: &R) -> Watched {
        rank.enter_phase(Phase::Calibration);
        gather_and_go(rank).await;
        let scale = rank.timescale();
        let usual = self.usual(rank).await;
        let read = usual.0.saturating_sub(self.work.0);
        let threshold = Span(SHORTEST.0.max(read.saturating_mul(READS)).max(scale.granularity().0.saturating_mul(2)));
        let alarm = usual + threshold;
        let begun = scale.time(rank.read_clock());
        let end = begun + self.time;
        let mut watched = Watched {
            rank: rank.id(),
            time: Span::ZERO,
            usual,
            threshold,
            detours: 0,
            taken: Span::ZERO,
            longest: Span::ZERO,
            kept: Vec::new(),
        };
        let mut last = begun;
        while last < end {
            let now = self.next(rank).await;
            let step = now.since(last);
            if step > alarm {
                watched.add(Detour { start: last.since(begun), duration: step - usual }, self.most);
            }
            last = now;
        }
        watched.time = last.since(begun);
        watched
    }

    /// The next read.
    #[inline(always)]
    async fn next<R: Rank>(&self, rank: &R) -> Time {
        if self.work > Span::ZERO {
            rank.compute(self.work).await;
        }
        rank.timescale().time(rank.read_clock())
    }

    /// The most frequent step from read to read; of several the shortest.
    async fn usual<R: Rank>(&self, rank: &R) -> Span {
        let mut steps = Vec::with_capacity(TRIAL);
        let mut last = self.next(rank).await;
        for _ in 0..TRIAL {
            let now = self.next(rank).await;
            steps.push(now.since(last));
            last = now;
        }
        mode(&mut steps)
    }
}

impl Watched {
    fn add(&mut self, detour: Detour, most: u32) {
        self.detours += 1;
        self.taken = self.taken + detour.duration;
        self.longest = self.longest.max(detour.duration);
        if self.kept.len() < most as usize {
            self.kept.push(detour);
        }
    }
}

/// The most frequent of them, the shortest where several are.
fn mode(steps: &mut [Span]) -> Span {
    steps.sort_unstable();
    let mut best = (0, Span::ZERO);
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
        let mode_of = |steps: &[u64]| mode(&mut steps.iter().map(|&step| Span(step)).collect::<Vec<_>>());
        assert_eq!(mode_of(&[9, 2, 5, 5, 2, 7]), Span(2));
        assert_eq!(mode_of(&[9, 2, 5, 5, 5, 2, 7]), Span(5));
        assert_eq!(mode_of(&[]), Span::ZERO);
    }

    #[test]
    fn more_detours_than_can_be_kept_are_counted_all_the_same() {
        let mut watched = Watched {
            rank: 0,
            time: Span::ZERO,
            usual: Span(1),
            threshold: Span(1),
            detours: 0,
            taken: Span::ZERO,
            longest: Span::ZERO,
            kept: Vec::new(),
        };
        (1..=5).for_each(|length| watched.add(Detour { start: Span(length), duration: Span(10 * length) }, 2));
        assert_eq!((watched.detours, watched.taken, watched.longest, watched.kept.len()), (5, Span(150), Span(50), 2));
    }
}
