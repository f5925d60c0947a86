//! Steps of both ranks in windows on the clock that they share, as the window method times calls: several in a row between
//! two announcements.

use super::super::exchange::{agree, of_second};
use super::super::sample::middle;
use crate::clock::Ticks;
use crate::collective::Step;
use crate::method::WindowSettings;
use crate::rank::Rank;
use crate::time::Span;

/// Until the second rank knows when the first window begins.
const AHEAD: Span = Span::from_us(20);
/// A window holds a step so many times.
const ROOM: u64 = 2;

/// From the first start to the last end of so many steps at least, each in a window of its own; nothing on rank 1. Neither
/// a step nor what brings memory into its state behind it takes longer than about `most`, which the first windows hold; those
/// behind them hold what the first ones saw.
pub(super) async fn in_windows<R: Rank>(rank: &R, step: &Step, count: u32, most: Span) -> Vec<Span> {
    let WindowSettings { stage_starts, floor, .. } = WindowSettings::default();
    let mut longest = most;
    let mut spans = Vec::with_capacity(count as usize);
    while (spans.len() as u32) < count {
        let delta = Span(agree(rank, longest.0 * ROOM).await).max(floor);
        let (stage, busy) = stage(rank, step, stage_starts, delta).await;
        longest = busy;
        spans.extend(stage);
    }
    if rank.id() == 0 { spans } else { Vec::new() }
}

/// Each step's time, and how long a rank was busy in a window.
async fn stage<R: Rank>(rank: &R, step: &Step, starts: u32, delta: Span) -> (Vec<Span>, Span) {
    let scale = rank.timescale();
    rank.ready_buffers();
    let first = scale.reading(scale.time(rank.read_clock()) + AHEAD);
    let first = scale.time(Ticks(agree(rank, first.0).await));
    let mut own = Vec::with_capacity(2 * starts as usize);
    let mut busy = Vec::with_capacity(starts as usize);
    for window in 0..u64::from(starts) {
        rank.wait_until(scale.reading(first + delta * window)).await;
        let start = rank.read_clock();
        rank.step(step).await;
        own.extend([start, rank.read_clock()].map(|stamp| Span(stamp.0)));
        rank.ready_buffers();
        busy.push(scale.span(start, rank.read_clock()));
    }
    let other = of_second(rank, &own).await;
    let both = own.chunks_exact(2).zip(other.chunks_exact(2));
    let span =
        |(own, other): (&[Span], &[Span])| scale.span(Ticks(own[0].min(other[0]).0), Ticks(own[1].max(other[1]).0));
    (both.map(span).collect(), middle(&busy))
}
