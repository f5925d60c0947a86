//! FWQ, fixed work quantum: the same work in registers, again and again; what makes it longer is a detour.

use super::baseline::{Baseline, Durations};
use super::selfish::Watched;
use super::{span, ticks};
use crate::clock::{Ticks, Timescale};
use crate::noise::Detour;
use crate::rank::Rank;
use crate::time::{Span, Time};

/// Quanta from which the usual duration is found first.
pub(super) const TRIAL: u64 = 10_000;
/// Quanta whose shortest tells how long the work takes.
const TIMED: u64 = 300;
/// No detour is shorter: caches and pipelines do that.
const SHORTEST: Span = Span::from_ns(500);

/// By how much quanta take longer than usual.
pub(super) struct Excess {
    pub(super) durations: Durations,
    /// A detour is longer than this.
    pub(super) threshold: Span,
    alarm: u64,
}

impl Excess {
    /// What is usual is found first from these quanta; the threshold follows from it unless it is given.
    pub(super) fn of(scale: &Timescale, baseline: Baseline, threshold: Option<Span>, first: &[u64]) -> Excess {
        let mut durations = Durations::new(baseline);
        first.iter().for_each(|&took| _ = durations.add(took));
        durations.look();
        let usual = span(scale, durations.usual);
        let threshold = threshold.unwrap_or(Span(usual.0 / 10).max(SHORTEST));
        Excess { durations, threshold, alarm: ticks(scale, threshold) }
    }

    /// What a quantum takes beyond the usual, if that is a detour.
    #[inline]
    pub(super) fn over(&self, took: u64) -> Option<u64> {
        let usual = self.durations.usual;
        (took > usual.saturating_add(self.alarm)).then(|| took - usual)
    }
}

/// A rank's quanta.
pub(super) struct Quanta {
    /// Multiply-adds of each.
    steps: u64,
    /// Their durations, those of the trial among them.
    pub(super) excess: Excess,
}

impl Quanta {
    /// Finds out how much work takes so long, and what it usually takes.
    pub(super) async fn of<R: Rank>(rank: &R, quantum: Span, baseline: Baseline, threshold: Option<Span>) -> Quanta {
        let scale = rank.timescale();
        let wanted = ticks(&scale, quantum).max(1);
        let mut steps = 1_000;
        // The second time the work takes about as long as it will: what the readings add is in it.
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
        Quanta { steps, excess: Excess::of(&scale, baseline, threshold, &first) }
    }

    /// Works quantum after quantum from a reading on, for so long.
    pub(super) async fn watch<R: Rank>(&mut self, rank: &R, begun: Ticks, time: Span, watched: &mut Watched) {
        let scale = rank.timescale();
        let end = begun.0.saturating_add(ticks(&scale, time));
        let mut last = begun.0;
        while last < end {
            rank.multiply_add(self.steps).await;
            let mut now = rank.read_clock().0;
            let took = now.saturating_sub(last);
            if let Some(over) = self.excess.over(took) {
                // It lies anywhere within the quantum; at its end, as most tools have it.
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

/// How long so many multiply-adds and a reading take.
async fn one<R: Rank>(rank: &R, steps: u64) -> u64 {
    let from = rank.read_clock();
    rank.multiply_add(steps).await;
    rank.read_clock().0.saturating_sub(from.0)
}
