//! FWQ, fixed work quantum: the same work in registers, repeated. Time beyond the usual is a detour.

use super::baseline::{Baseline, Durations};
use super::selfish::Watched;
use super::{span, ticks};
use crate::rank::Rank;
use models::clock::{Ticks, Timescale};
use models::noise::Detour;
use models::time::{Span, Time};

/// Number of quanta from which the usual duration is determined at first.
pub(super) const TRIAL: u64 = 10_000;
/// Number of quanta of which the shortest determines the duration of the work.
const TIMED: u64 = 300;
/// Shortest threshold: caches and pipelines cause shorter delays.
const SHORTEST: Span = Span::from_ns(500);

/// Durations of quanta and the threshold from which on their excess is a detour.
pub(super) struct Excess {
    pub(super) durations: Durations,
    /// Excess over the usual duration above which a quantum contains a detour.
    pub(super) threshold: Span,
    alarm: u64,
}

impl Excess {
    /// Determines the usual duration from the first quanta; unless given, the threshold follows from it.
    pub(super) fn estimate(scale: &Timescale, baseline: Baseline, threshold: Option<Span>, first: &[u64]) -> Excess {
        let mut durations = Durations::new(baseline);
        first.iter().for_each(|&took| _ = durations.add(took));
        durations.look();
        let usual = span(scale, durations.usual);
        let threshold = threshold.unwrap_or(Span(usual.0 / 10).max(SHORTEST));
        Excess { durations, threshold, alarm: ticks(scale, threshold) }
    }

    /// Excess of a quantum over the usual duration, if it is a detour.
    #[inline]
    pub(super) fn over(&self, took: u64) -> Option<u64> {
        let usual = self.durations.usual;
        (took > usual.saturating_add(self.alarm)).then(|| took - usual)
    }
}

/// Quanta of work of a rank.
pub(super) struct Quanta {
    /// Number of multiply-adds in each quantum.
    steps: u64,
    /// Durations of all quanta, including those of the trial.
    pub(super) excess: Excess,
}

impl Quanta {
    /// Determines the amount of work that takes `quantum`, and its usual duration.
    pub(super) async fn calibrate<R: Rank>(
        rank: &R,
        quantum: Span,
        baseline: Baseline,
        threshold: Option<Span>,
    ) -> Quanta {
        let scale = rank.timescale();
        let wanted = ticks(&scale, quantum).max(1);
        let mut steps = 1_000;
        // The second measurement is close to the final amount of work, so that it contains the cost of the readings.
        for _ in 0..2 {
            let mut least = u64::MAX;
            for _ in 0..TIMED {
                least = least.min(one(rank, steps).await.max(1));
            }
            let scaled = u128::from(steps) * u128::from(wanted) / u128::from(least);
            steps = scaled.clamp(1, u128::from(u32::MAX)) as u64;
        }
        let mut first = Vec::with_capacity(TRIAL as usize);
        for _ in 0..TRIAL {
            first.push(one(rank, steps).await);
        }
        Quanta { steps, excess: Excess::estimate(&scale, baseline, threshold, &first) }
    }

    /// Works quantum after quantum from a reading on, for `time`.
    pub(super) async fn watch<R: Rank>(&mut self, rank: &R, begun: Ticks, time: Span, watched: &mut Watched) {
        let scale = rank.timescale();
        let end = begun.0.saturating_add(ticks(&scale, time));
        let mut last = begun.0;
        while last < end {
            rank.multiply_add(self.steps).await;
            let mut now = rank.read_clock().0;
            let took = now.saturating_sub(last);
            if let Some(over) = self.excess.over(took) {
                // The detour lies anywhere within the quantum. It is placed at the end, as in most tools.
                let start = Time::ZERO + span(&scale, now - over - begun.0);
                let duration = span(&scale, over);
                watched.add(Detour { start, duration });
                rank.lost(duration);
            }
            if self.excess.durations.add(took) {
                now = rank.read_clock().0;
            }
            last = now;
        }
        watched.time = span(&scale, last.saturating_sub(begun.0));
        (watched.usual, watched.threshold) = (span(&scale, self.excess.durations.usual), self.excess.threshold);
    }
}

/// Duration of `steps` multiply-adds and a reading, in ticks.
async fn one<R: Rank>(rank: &R, steps: u64) -> u64 {
    let from = rank.read_clock();
    rank.multiply_add(steps).await;
    rank.read_clock().0.saturating_sub(from.0)
}
