//! Recorded detours, replayed in a loop from a random place.
//!
//! Given n traces, rank r < n plays trace r and any further rank one that the seed chooses (co-scheduled ranks all play
//! the first), so a few recorded traces disturb a million ranks. With [`Phase::Common`] detours that were recorded at
//! once are replayed at once.

use super::random::{Key, uniform_phase};
use super::trace::DetourTrace;
use crate::time::{Span, Time};
use rand::Rng;
use std::sync::Arc;

/// Trace closed to a loop: the rest of its last detour at the end continues at its beginning.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Loop {
    length: u64,
    /// Start and end of each detour, in ps. They are disjoint. All start before `length`, and the last may end behind
    /// it.
    detours: Vec<(u64, u64)>,
}

impl Loop {
    /// Closes a trace to a loop. Detours that touch or overlap become one.
    ///
    /// # Errors
    /// Fails if the trace has no length, or if its detours take all of it.
    pub(super) fn new(trace: &DetourTrace) -> Result<Loop, String> {
        let length = trace.length.0;
        if length == 0 {
            return Err(format!("{}: the trace has no length", trace.name));
        }
        let mut detours = trace.apart();
        if let Some(&(last_start, mut last_end)) = detours.last() {
            let mut absorbed = 0;
            while absorbed + 1 < detours.len() && detours[absorbed].0.saturating_add(length) <= last_end {
                last_end = last_end.max(detours[absorbed].1.saturating_add(length));
                absorbed += 1;
            }
            if last_end >= last_start.saturating_add(length) {
                return Err(format!("{}: its detours take the whole CPU", trace.name));
            }
            detours.drain(..absorbed);
            if let Some(last) = detours.last_mut() {
                last.1 = last_end;
            }
        }
        Ok(Loop { length, detours })
    }

    /// Share of the CPU that the loop's detours take.
    pub(super) fn share(&self) -> f64 {
        let taken: u64 = self.detours.iter().map(|(start, end)| end - start).sum();
        taken as f64 / self.length as f64
    }

    /// Time from the start of detour `index` to the start of the next.
    fn to_next(&self, index: usize) -> Span {
        match self.detours.get(index + 1) {
            Some(next) => Span(next.0 - self.detours[index].0),
            None => Span(self.length - self.detours[index].0 + self.detours[0].0),
        }
    }

    /// Time from the end of the detour before `index` to its start.
    fn gap_before(&self, index: usize) -> Span {
        match index.checked_sub(1) {
            Some(before) => Span(self.detours[index].0 - self.detours[before].1),
            None => Span(self.detours[0].0 + self.length - self.detours[self.detours.len() - 1].1),
        }
    }

    fn next_index(&self, index: usize) -> usize {
        if index + 1 < self.detours.len() { index + 1 } else { 0 }
    }

    /// Start, end and index of the first detour that ends after `at`, where time zero is at `offset` of the trace.
    fn find(&self, offset: u64, at: Time) -> Option<(Time, Time, usize)> {
        let &(_, last_end) = self.detours.last()?;
        let place = u128::from(at.0) + u128::from(offset);
        let (mut round, within) = ((place / u128::from(self.length)) as i128, (place % u128::from(self.length)) as u64);
        let index = if last_end > self.length && last_end - self.length > within {
            round -= 1;
            self.detours.len() - 1
        } else {
            match self.detours.partition_point(|&(_, end)| end <= within) {
                past if past == self.detours.len() => {
                    round += 1;
                    0
                }
                index => index,
            }
        };
        let base = round * i128::from(self.length) - i128::from(offset);
        let time = |within: u64| Time((base + i128::from(within)).clamp(0, i128::from(u64::MAX)) as u64);
        Some((time(self.detours[index].0), time(self.detours[index].1), index))
    }
}

/// Position of a rank in the trace that it plays, with the start of the detour after the present one.
#[derive(Clone, Copy, Debug)]
pub(super) struct TracePosition {
    pub start: Time,
    pub next: Time,
    /// Number of the trace in the upper half, and index of the detour that starts at `next` in the lower half.
    pub packed: u64,
}

impl TracePosition {
    const NEVER: TracePosition = TracePosition { start: Time::END, next: Time::END, packed: 0 };
}

crate::named! {
    /// Places in their traces at which ranks begin.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Phase {
        /// Each rank begins at a random place of its own.
        Random => "random",
        /// Each rank begins at the start of its trace.
        Start => "0",
        /// Ranks with a trace of their own begin at one random place, further ranks each at their own.
        Common => "common",
    }
    /// Name of the phase in `phase=…`.
    fn name;
}

/// Stream of the place that ranks have in common, which belongs to no rank.
const COMMON: u32 = u32::MAX;

/// Traces with the keys of their draws.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    loops: Arc<[Loop]>,
    phase: Phase,
    cosched: bool,
    offsets: Key,
    choices: Key,
}

impl Replay {
    /// Prepares the traces; `id` distinguishes the sources of one seed. `loops` is not empty.
    pub(super) fn new(loops: Arc<[Loop]>, phase: Phase, cosched: bool, seed: u64, id: u64) -> Replay {
        let (offsets, choices) = (Key::new(seed, b"offset  ", id), Key::new(seed, b"choice  ", id));
        Replay { loops, phase, cosched, offsets, choices }
    }

    fn stream_of(&self, rank: u32) -> u32 {
        if self.cosched { 0 } else { rank }
    }

    /// Rank whose place in its trace a rank begins at, or `COMMON`.
    fn place_of(&self, rank: u32) -> u32 {
        let rank = self.stream_of(rank);
        if self.phase == Phase::Common && (rank as usize) < self.loops.len() { COMMON } else { rank }
    }

    fn choice(&self, rank: u32) -> usize {
        let rank = self.stream_of(rank);
        if (rank as usize) < self.loops.len() {
            return rank as usize;
        }
        uniform_phase(self.choices.number(rank, 0), Span(self.loops.len() as u64)).0 as usize
    }

    fn offset(&self, chosen: &Loop, number: u64) -> u64 {
        if self.phase == Phase::Start { 0 } else { uniform_phase(number, Span(chosen.length)).0 }
    }

    /// Place at which a rank begins.
    pub(super) fn first(&self, rank: u32, realisation: u32) -> TracePosition {
        let choice = self.choice(rank);
        let chosen = &self.loops[choice];
        let offset = self.offset(chosen, self.offsets.number(self.place_of(rank), realisation));
        let Some((start, end, index)) = chosen.find(offset, Time::ZERO) else { return TracePosition::NEVER };
        let next_index = chosen.next_index(index);
        TracePosition {
            start,
            next: end + chosen.gap_before(next_index),
            packed: (choice as u64) << 32 | next_index as u64,
        }
    }

    /// First starts in consecutive realisations.
    pub(super) fn firsts(&self, rank: u32, first_realisation: u32, starts: &mut [Time]) {
        let chosen = &self.loops[self.choice(rank)];
        let mut numbers = self.offsets.numbers(self.place_of(rank), first_realisation);
        for start in starts {
            let offset = self.offset(chosen, numbers.next_u64());
            *start = chosen.find(offset, Time::ZERO).map_or(Time::END, |(start, ..)| start);
        }
    }

    /// Moves to the next detour that ends after `at`. Returns the end of the detour that it leaves.
    pub(super) fn step(&self, place: &mut TracePosition, at: Time) -> Time {
        let chosen = &self.loops[(place.packed >> 32) as usize];
        let mut index = (place.packed & 0xffff_ffff) as usize;
        let left = Replay::end_before(chosen, index, place.next);
        // Skips whole rounds of the trace that lie in the past.
        place.next += Span(at.since(place.next).0 / chosen.length * chosen.length);
        loop {
            place.start = place.next;
            place.next += chosen.to_next(index);
            index = chosen.next_index(index);
            if place.start == Time::END || Replay::end_before(chosen, index, place.next) > at {
                place.packed = place.packed >> 32 << 32 | index as u64;
                return left;
            }
        }
    }

    fn end_before(chosen: &Loop, index: usize, next: Time) -> Time {
        if next == Time::END { Time::END } else { Time(next.0 - chosen.gap_before(index).0) }
    }

    /// Start and end of the first detour that ends after `at`.
    pub(super) fn find(&self, rank: u32, realisation: u32, at: Time) -> (Time, Time) {
        let chosen = &self.loops[self.choice(rank)];
        let offset = self.offset(chosen, self.offsets.number(self.place_of(rank), realisation));
        chosen.find(offset, at).map_or((Time::END, Time::END), |(start, end, _)| (start, end))
    }
}
