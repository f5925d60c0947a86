//! Method `window`: all ranks start each call at a time agreed on beforehand, by the global clock (SKaMPI, NBCBench,
//! MPIPerf; Kurnosov 2012, section 4).
//!
//! Stage 0 calls k' times without windows. Its duration gives the first window length δ. In each later stage rank 0
//! announces a start τ, and call l is due at τ + l·δ. A call is invalid on all ranks if on any rank it starts late or
//! ends after τ + (l+1)·δ. Where too many calls are invalid, δ grows. Where the windows are mostly empty, it shrinks
//! (an idle gap changes the answer). It never exceeds a cap.

mod director;
mod rules;

pub use rules::{StopRule, WindowRules};

use super::control::{self, broadcast, slowest_announcement, word};
use super::look::look;
use crate::observation::{RankRecord, Stamp, WindowRecord};
use crate::operation::Operation;
use crate::rank::{Phase, Rank};
use director::{Director, late_tolerance};
use models::clock::GlobalClock;
use models::quantity::{Millionths, WithUnit};
use models::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// Settings of the window method, with MPIPerf's defaults where it has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WindowSettings {
    /// Number k' of calls in stage 0.
    pub first_starts: u32,
    /// Number k of starts in each later stage, at most 64.
    pub stage_starts: u32,
    /// Factor ε by which a window exceeds what it must hold.
    pub slack: f64,
    /// Share of invalid starts in a stage above which the window grows.
    pub invalid_share: f64,
    /// Share of the window by which a start may be late; at least 200 ns are allowed. At 0 the rule is that of the paper:
    /// a rank is late if it comes to a start after its due time, and not if it waits for it.
    pub late_share: Millionths,
    /// Length of the shortest window.
    #[serde(deserialize_with = "read_span", serialize_with = "write_span")]
    pub floor: Span,
    /// Length of the longest window.
    #[serde(deserialize_with = "read_span", serialize_with = "write_span")]
    pub cap: Span,
    /// Rule by which the measurement stops.
    pub stop: StopRule,
}

impl Default for WindowSettings {
    fn default() -> Self {
        WindowSettings {
            first_starts: 4,
            stage_starts: 8,
            slack: 1.1,
            invalid_share: 0.25,
            late_share: Millionths(20_000),
            floor: Span::from_us(1),
            cap: Span::from_ms(1_000),
            stop: StopRule::Counts { starts: 100, valid: 30 },
        }
    }
}

/// Reads a duration, which is text with a unit in scenarios and in jobs.
pub(super) fn read_span<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
    WithUnit::<Span>::deserialize(deserializer).map(|written| written.0)
}

pub(super) fn write_span<S: serde::Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&format!("{} ps", span.0))
}

/// Announcement from rank 0 to all ranks before each stage.
struct Announcement {
    /// Valid starts of the stage before, one bit each.
    valid: u64,
    /// Start of the next stage on the global clock; `Time::ZERO` ends the measurement.
    start: Time,
    delta: Span,
    capped: bool,
}

/// Report of one rank to rank 0 after each start: the time of the start (by the strict rule the due time, if the rank
/// waited for it), and the time at which the rank was done with
/// the call and with its buffers for the next one, on the global clock.
type StartReport = (Time, Time);

/// Runs the method. With `prepared`, ranks work on their buffers between calls, for which windows must have room.
pub(super) async fn run<R: Rank, O: Operation>(
    rank: &R,
    settings: &WindowSettings,
    prepared: bool,
    operation: &O,
    clock: &GlobalClock,
    of_rank: &mut RankRecord,
) -> WindowRecord {
    rank.enter_phase(Phase::Window);
    operation.rewind();
    // An upper bound of the time to announce something to all ranks.
    let mut announce = slowest_announcement(rank, clock, 5).await * 2;
    let first = first_stage(rank, settings, operation, clock).await;
    // A late start may have other causes; waiting ever longer would leave the ranks idle (E8).
    let longest_announce = if prepared { announce * 16 + first * 2 } else { announce * 16 };
    let mut record = WindowRecord { announce, deltas: Vec::new(), late_tolerance: Span::ZERO, capped: false };
    let mut director = Director::new(settings, first);
    let mut valid = 0;
    for stage in 1.. {
        rank.enter_phase(Phase::Window);
        look(rank, operation, of_rank).await;
        operation.ready(rank);
        let now = clock.time(rank.read_clock());
        let next = distribute_announcement(rank, director.announcement(valid, now + announce)).await;
        mark(&mut of_rank.stamps, stage - 1, next.valid);
        record.capped |= next.capped;
        if next.start == Time::ZERO {
            break;
        }
        record.deltas.push(next.delta);
        record.late_tolerance = late_tolerance(next.delta, settings.late_share);
        let outcomes =
            stage_of_starts(rank, (settings, prepared), operation, clock, stage, &next, &mut of_rank.stamps).await;
        let all = gather(rank, &outcomes).await;
        if rank.id() == 0 {
            valid = director.judge(&all, &next);
            if director.first_start_was_late {
                announce = (announce * 2).min(longest_announce);
                record.announce = announce;
            }
        }
    }
    record
}

/// Stage 0: k' calls without windows. Returns its duration on the slowest rank, per call.
async fn first_stage<R: Rank, O: Operation>(
    rank: &R,
    settings: &WindowSettings,
    operation: &O,
    clock: &GlobalClock,
) -> Span {
    let start = clock.time(rank.read_clock());
    for _ in 0..settings.first_starts {
        operation.ready(rank);
        operation.call(rank).await;
    }
    let end = clock.time(rank.read_clock());
    let all = gather(rank, &[(start, end)]).await;
    let slowest = all.iter().map(|(start, end)| end.since(*start)).max();
    Span(slowest.unwrap_or_default().0 / u64::from(settings.first_starts.max(1)))
}

async fn stage_of_starts<R: Rank, O: Operation>(
    rank: &R,
    (settings, prepared): (&WindowSettings, bool),
    operation: &O,
    clock: &GlobalClock,
    stage: u32,
    announced: &Announcement,
    stamps: &mut Vec<Stamp>,
) -> Vec<StartReport> {
    let starts = u64::from(settings.stage_starts);
    let mut outcomes = Vec::with_capacity(starts as usize);
    stamps.reserve(starts as usize);
    for l in 0..starts {
        let due_on_all = announced.start + announced.delta * l;
        let due = clock.reading(due_on_all);
        // By the strict rule a rank is late if it comes after the due time. One that waits is not: no wait ends at once.
        let is_early = settings.late_share == Millionths(0) && rank.read_clock() <= due;
        rank.wait_until(due).await;
        let start = rank.read_clock();
        operation.call(rank).await;
        let end = rank.read_clock();
        stamps.push(Stamp { block: stage, calls: 1, due: Some(due), start, end, valid: false });
        let mut done = end;
        if l + 1 < starts {
            operation.ready(rank);
            if prepared {
                done = rank.read_clock();
            }
        }
        outcomes.push((if is_early { due_on_all } else { clock.time(start) }, clock.time(done)));
    }
    outcomes
}

fn mark(stamps: &mut [Stamp], stage: u32, valid: u64) {
    for (l, stamp) in stamps.iter_mut().filter(|stamp| stamp.block == stage).enumerate() {
        stamp.valid = valid >> l & 1 == 1;
    }
}

/// Distributes rank 0's announcement to every rank.
async fn distribute_announcement<R: Rank>(rank: &R, announcement: Announcement) -> Announcement {
    let mut message = [0; 25];
    message[0..8].copy_from_slice(&announcement.valid.to_le_bytes());
    message[8..16].copy_from_slice(&announcement.start.0.to_le_bytes());
    message[16..24].copy_from_slice(&announcement.delta.0.to_le_bytes());
    message[24] = u8::from(announcement.capped);
    broadcast(rank, &mut message).await;
    Announcement {
        valid: word(&message, 0),
        start: Time(word(&message, 8)),
        delta: Span(word(&message, 16)),
        capped: message[24] == 1,
    }
}

/// Gathers the outcomes of all ranks on rank 0, one rank's behind the other's. Other ranks get their own alone.
async fn gather<R: Rank>(rank: &R, own: &[StartReport]) -> Vec<StartReport> {
    let mut message = Vec::with_capacity(own.len() * 16);
    for time in own.iter().flat_map(|(start, end)| [start, end]) {
        message.extend_from_slice(&time.0.to_le_bytes());
    }
    let outcome = |bytes: &[u8]| (Time(word(bytes, 0)), Time(word(bytes, 8)));
    let mut all = Vec::new();
    control::gather(rank, &message, &mut all).await;
    all.chunks_exact(16).map(outcome).collect()
}
