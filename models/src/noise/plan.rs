//! Plan of the noise on one rank: the sources that disturb it, joined so that a rank needs to keep only a cursor of
//! three words.
//!
//! All of a rank's own random sources are one process (see `renewal`), which must be followed detour by detour.
//! Everything else can be looked up by time. A rank under one source alone takes the shortest way. Under several, its
//! detours are the union of theirs.

use super::advance::Cursor;
use super::common::Common;
use super::periodic::Periodic;
use super::renewal::Renewal;
use super::replay::{Replay, TracePosition};
use crate::time::Time;

/// Sources whose detours can be found by time.
#[derive(Clone, Debug)]
pub(super) enum Placed {
    Periodic(Periodic),
    Replay(Replay),
    Common(Common),
}

impl Placed {
    /// Start and end of the first detour that ends after `at`.
    fn find(&self, rank: u32, realisation: u32, at: Time) -> (Time, Time) {
        match self {
            Placed::Periodic(periodic) => periodic.find(rank, realisation, at),
            Placed::Replay(replay) => replay.find(rank, realisation, at),
            Placed::Common(common) => common.find(realisation, at),
        }
    }
}

/// Noise on a rank. The comment of each variant describes its cursors.
#[derive(Clone, Debug)]
pub(super) enum NoisePlan {
    /// No noise: `start` is the end of time.
    Quiet,
    /// Random arrivals: `start`, and the detour's number in `index`.
    Renewal(Renewal),
    /// Periodic detours: `start`, and the start of the next detour in `other`.
    Periodic(Periodic),
    /// Replayed traces: as for periodic detours, and the place in the trace in `index`.
    Replay(Replay),
    /// Several sources: `start` of the union's detour; the next random arrival in `other` and its number in `index`.
    Union(Option<Renewal>, Vec<Placed>),
}

impl NoisePlan {
    /// Joins the sources that act on a rank.
    pub(super) fn new(own: Option<Renewal>, mut placed: Vec<Placed>) -> NoisePlan {
        match (own, placed.len()) {
            (None, 0) => NoisePlan::Quiet,
            (Some(own), 0) => NoisePlan::Renewal(own),
            (None, 1) => match placed.remove(0) {
                Placed::Periodic(periodic) => NoisePlan::Periodic(periodic),
                Placed::Replay(replay) => NoisePlan::Replay(replay),
                Placed::Common(common) => NoisePlan::Renewal(common.renewal),
            },
            (own, _) => NoisePlan::Union(own, placed),
        }
    }

    /// Cursor before the first detour.
    pub(super) fn first(&self, rank: u32, realisation: u32) -> Cursor {
        match self {
            NoisePlan::Quiet => Cursor::NEVER,
            NoisePlan::Renewal(renewal) => {
                Cursor { start: renewal.first(rank, realisation), other: Time::ZERO, index: 0 }
            }
            NoisePlan::Periodic(periodic) => {
                let (start, other) = periodic.first(rank, realisation);
                Cursor { start, other, index: 0 }
            }
            NoisePlan::Replay(replay) => {
                let place = replay.first(rank, realisation);
                Cursor { start: place.start, other: place.next, index: place.packed }
            }
            NoisePlan::Union(own, placed) => {
                let other = own.as_ref().map_or(Time::END, |own| own.first(rank, realisation));
                let start = earliest(placed, rank, realisation, Time::ZERO).min(other);
                Cursor { start, other, index: 0 }
            }
        }
    }

    /// Starts of the first detours in consecutive realisations.
    pub(super) fn firsts(&self, rank: u32, first_realisation: u32, starts: &mut [Time]) {
        match self {
            NoisePlan::Quiet => starts.fill(Time::END),
            NoisePlan::Renewal(renewal) => renewal.firsts(rank, first_realisation, starts),
            NoisePlan::Periodic(periodic) => periodic.firsts(rank, first_realisation, starts),
            NoisePlan::Replay(replay) => replay.firsts(rank, first_realisation, starts),
            NoisePlan::Union(..) => {
                for (start, realisation) in starts.iter_mut().zip(first_realisation..) {
                    *start = self.first(rank, realisation).start;
                }
            }
        }
    }

    /// Moves the cursor to a later detour, skipping those that end at `at` or before. Returns the end of the detour
    /// that it leaves.
    pub(super) fn step(&self, rank: u32, realisation: u32, cursor: &mut Cursor, at: Time) -> Time {
        match self {
            NoisePlan::Quiet => Time::END,
            NoisePlan::Renewal(renewal) => {
                let (duration, gap) = renewal.detour(rank, realisation, cursor.index);
                let end = cursor.start + duration;
                cursor.start = end + gap;
                cursor.index += 1;
                end
            }
            NoisePlan::Periodic(periodic) => {
                let end = periodic.end_before(cursor.other);
                if end > at {
                    (cursor.start, cursor.other) = (cursor.other, periodic.after(cursor.other));
                } else {
                    (cursor.start, cursor.other) = periodic.skip(cursor.other, at);
                }
                end
            }
            NoisePlan::Replay(replay) => {
                let mut place = TracePosition { start: cursor.start, next: cursor.other, packed: cursor.index };
                let end = replay.step(&mut place, at);
                *cursor = Cursor { start: place.start, other: place.next, index: place.packed };
                end
            }
            NoisePlan::Union(own, placed) => {
                let end = union_end(own.as_ref(), placed, rank, realisation, cursor);
                cursor.start = earliest(placed, rank, realisation, end.max(at)).min(cursor.other);
                end
            }
        }
    }
}

/// Start of the next detour of any of these sources that ends after `at`.
fn earliest(placed: &[Placed], rank: u32, realisation: u32, at: Time) -> Time {
    placed.iter().map(|source| source.find(rank, realisation, at).0).min().unwrap_or(Time::END)
}

/// End of the union's detour at the cursor. Random arrivals that are part of it are used up.
fn union_end(own: Option<&Renewal>, placed: &[Placed], rank: u32, realisation: u32, cursor: &mut Cursor) -> Time {
    let mut end = cursor.start;
    loop {
        let before = end;
        while let Some(own) = own
            && cursor.other <= end
            && cursor.other < Time::END
        {
            let (duration, gap) = own.detour(rank, realisation, cursor.index);
            let detour_end = cursor.other + duration;
            end = end.max(detour_end);
            cursor.other = detour_end + gap;
            cursor.index += 1;
        }
        for source in placed {
            let (start, detour_end) = source.find(rank, realisation, end);
            if start <= end && start < Time::END {
                end = end.max(detour_end);
            }
        }
        if end == before {
            return end;
        }
    }
}
