//! Steps of both ranks in windows on the clock that they share, as the window method times calls: several in a row
//! between two announcements, of which those count that both ranks begin in time.

use super::super::exchange::{agree, of_second};
use crate::method::WindowSettings;
use crate::rank::Rank;
use models::clock::Ticks;
use models::collective::{Collective, Shape, Step};
use models::spread::median;
use models::time::Span;

/// Time until the first window, by which the second rank knows when it begins.
const AHEAD: Span = Span::from_us(20);
/// Length of a window, as a multiple of the time for which the later rank was busy in a window of the stage before (the
/// median).
const ROOM: u64 = 2;
/// Delay of a start above which the later rank is late; a share of the window where that is more.
const LATE: Span = Span::from_ns(200);
const LATE_SHARE: u64 = 50;

/// An act that both ranks carry out in a window.
pub(super) enum Act {
    /// Two steps of the rank's own, which take turns.
    Steps([Step; 2]),
    Call(Collective, Shape),
}

impl Act {
    async fn run_act<R: Rank>(&self, rank: &R, window: u64) {
        match self {
            Act::Steps(steps) => rank.step(&steps[window as usize % 2]).await,
            Act::Call(collective, shape) => rank.library(*collective, shape).await,
        }
    }
}

/// Returns the spans from the first start to the last end of the act, in at most `count` windows; none on rank 1. At
/// first a window's length follows from `one`, the time of a step and of bringing memory into its state behind it.
pub(super) async fn timed<R: Rank>(rank: &R, act: &Act, count: u32, one: Span) -> Vec<Span> {
    let WindowSettings { stage_starts, floor, .. } = WindowSettings::default();
    let mut busy = one;
    let mut spans = Vec::with_capacity(count as usize);
    // Where ranks are late all the time, as ranks that share a core are, nothing is found out.
    for _ in 0..count.div_ceil(stage_starts) * 2 {
        let missing = agree(rank, u64::from(count) - spans.len() as u64).await as u32;
        if missing == 0 {
            break;
        }
        let delta = Span(agree(rank, busy.0 * ROOM).await).max(floor);
        let windows = stage(rank, act, missing.min(stage_starts), delta).await;
        if rank.id() == 0 {
            busy = median(windows.iter().map(|window| window.busy));
            let tolerance = LATE.max(Span(delta.0 / LATE_SHARE));
            spans.extend(windows.iter().filter(|window| window.late <= tolerance).map(|window| window.span));
        }
    }
    spans
}

/// One window of both ranks.
struct Window {
    /// Time from the first start to the last end.
    span: Span,
    /// Time from when the window was due to the start of the later rank.
    late: Span,
    /// Time from when the window was due until the later rank had brought its memory into its state again.
    busy: Span,
}

/// Times windows in a row, as rank 0 knows them.
async fn stage<R: Rank>(rank: &R, act: &Act, starts: u32, delta: Span) -> Vec<Window> {
    let scale = rank.timescale();
    rank.ready_buffers();
    let first = scale.reading(scale.time(rank.read_clock()) + AHEAD);
    let first = scale.time(Ticks(agree(rank, first.0).await));
    let due = |window: u64| scale.reading(first + delta * window);
    let mut own = Vec::with_capacity(3 * starts as usize);
    for window in 0..u64::from(starts) {
        rank.wait_until(due(window)).await;
        let start = rank.read_clock();
        act.run_act(rank, window).await;
        let end = rank.read_clock();
        rank.ready_buffers();
        own.extend([start, end, rank.read_clock()].map(|stamp| Span(stamp.0)));
    }
    let other = of_second(rank, &own).await;
    let window = |(window, (own, other)): (u64, (&[Span], &[Span]))| {
        let later = |stamp: usize| Ticks(own[stamp].max(other[stamp]).0);
        Window {
            span: scale.span(Ticks(own[0].min(other[0]).0), later(1)),
            late: scale.span(due(window), later(0)),
            busy: scale.span(due(window), later(2)),
        }
    };
    (0..).zip(own.chunks_exact(3).zip(other.chunks_exact(3))).map(window).collect()
}
