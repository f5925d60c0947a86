//! Eight realisations of the noise side by side: the cost of rounds beside arithmetic (who talks to whom, which part,
//! where it lies) is paid once for all eight, and the arithmetic is done on vectors.
//!
//! For eager messages of the LogP family. Times are signed numbers, which processors compare in one instruction, and
//! stay below 2⁵⁸ ps (3 days). Messages that would leave that range, or wait for their receivers, are noticed, and the
//! realisations are left to others.

use super::kernel::Kernel;
use models::network::{LogGops, Message};
use models::noise::{Cursor, Noise};
use models::time::{Span, Time};
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of realisations side by side.
pub(super) const LANES: usize = 8;
/// Bound of times: those from here on are left to others. A start of a detour that is later counts as this, so that
/// work that passes this time is looked at.
const LATEST: i64 = 1 << 58;
/// Longest message that is taken. To wrap round, more of them would be needed than anybody sends in a row.
const LONGEST_MESSAGE: Span = Span(1 << 40);
/// Time of a receive before the first one: no gap is owed.
const NEVER: i64 = i64::MIN / 2;

pub(super) type Lanes = [i64; LANES];

/// LogGOPS on eight realisations.
pub(super) struct LaneKernel<'a> {
    pub model: LogGops,
    /// Noises of the eight realisations.
    pub noises: [Noise; LANES],
    /// Starts of each rank's first detours: those of rank r lie from r·stride on.
    pub starts: &'a [Time],
    pub stride: usize,
    /// Whether the outcome is not to be used.
    pub gave_up: AtomicBool,
}

/// State of one rank in eight realisations.
#[derive(Clone)]
pub(super) struct LaneState {
    cpu: Lanes,
    next_send: Lanes,
    last_receive: Lanes,
    starts: Lanes,
    cursors: Option<Box<[Option<Cursor>; LANES]>>,
}

/// Returns a time as a signed number, at most [`LATEST`].
fn signed(time: Time) -> i64 {
    time.0.min(LATEST as u64) as i64
}

#[inline(always)]
fn later(one: &Lanes, other: &Lanes) -> Lanes {
    std::array::from_fn(|lane| one[lane].max(other[lane]))
}

#[inline(always)]
fn plus(one: &Lanes, span: i64) -> Lanes {
    std::array::from_fn(|lane| one[lane].wrapping_add(span))
}

#[inline(always)]
fn any_later(one: &Lanes, other: &Lanes) -> bool {
    let mut later = false;
    for lane in 0..LANES {
        later |= one[lane] > other[lane];
    }
    later
}

impl LaneKernel<'_> {
    /// Returns the time at which work begun at `at` ends, in each realisation.
    #[inline(always)]
    fn advance(&self, state: &mut LaneState, rank: u32, at: &Lanes, work: Span) -> Lanes {
        let end = plus(at, work.0 as i64);
        if any_later(&end, &state.starts) { self.pass(state, rank, at, work) } else { end }
    }

    #[cold]
    #[inline(never)]
    fn pass(&self, state: &mut LaneState, rank: u32, at: &Lanes, work: Span) -> Lanes {
        let LaneState { starts, cursors, .. } = state;
        let cursors = cursors.get_or_insert_with(|| Box::new([None; LANES]));
        std::array::from_fn(|lane| {
            let end = at[lane].wrapping_add(work.0 as i64);
            if end <= starts[lane] {
                return end;
            }
            let noise = &self.noises[lane];
            let cursor = cursors[lane].get_or_insert_with(|| noise.cursor(rank));
            let end = noise.advance(rank, cursor, Time(at[lane] as u64), work);
            starts[lane] = signed(cursor.start());
            if end.0 >= LATEST as u64 {
                self.gave_up.store(true, Ordering::Relaxed);
            }
            signed(end)
        })
    }

    #[inline(always)]
    fn issue(&self, state: &mut LaneState, message: &Message) -> Lanes {
        let model = &self.model;
        let begun = later(&state.cpu, &state.next_send);
        let (stretch, handling) = (model.stretch(message.bytes), model.handling(message.bytes));
        let ready = self.advance(state, message.from, &begun, model.overhead_send);
        state.cpu = if handling > Span::ZERO { self.advance(state, message.from, &ready, handling) } else { ready };
        state.next_send = plus(&begun, (model.gap + stretch).0 as i64);
        plus(&later(&state.cpu, &plus(&ready, stretch.0 as i64)), model.latency.0 as i64)
    }

    #[inline(always)]
    fn take(&self, state: &mut LaneState, message: &Message, arrival: &Lanes) {
        let model = &self.model;
        let gap = model.gap + model.stretch(message.bytes);
        let ready = later(&state.cpu, arrival);
        let begun = later(&ready, &plus(&state.last_receive, gap.0 as i64));
        state.last_receive = begun;
        state.cpu = self.advance(state, message.to, &begun, model.receiving(message.bytes));
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn issue_avx2(&self, state: &mut LaneState, message: &Message) -> Lanes {
        self.issue(state, message)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn take_avx2(&self, state: &mut LaneState, message: &Message, arrival: &Lanes) {
        self.take(state, message, arrival);
    }
}

impl Kernel for LaneKernel<'_> {
    type State = LaneState;
    type Time = Lanes;
    /// Arrival of the message in each realisation.
    type Departure = Lanes;

    const ZERO: Lanes = [0; LANES];
    const NO_DEPARTURE: Lanes = [0; LANES];
    const EAGER: bool = true;

    fn enter(&self, rank: u32, at: Time) -> LaneState {
        let first = rank as usize * self.stride;
        let starts = std::array::from_fn(|lane| signed(self.starts[first + lane]));
        LaneState {
            cpu: [signed(at); LANES],
            next_send: [0; LANES],
            last_receive: [NEVER; LANES],
            starts,
            cursors: None,
        }
    }

    fn cpu(state: &LaneState) -> Lanes {
        state.cpu
    }

    fn later(one: Lanes, other: Lanes) -> Lanes {
        later(&one, &other)
    }

    fn hold(state: &mut LaneState, at: Lanes) {
        state.cpu = later(&state.cpu, &at);
    }

    #[inline(always)]
    fn send(&self, state: &mut LaneState, message: &Message) -> Lanes {
        if self.model.is_rendezvous(message.bytes)
            || self.model.one_message(message.bytes) + self.model.gap > LONGEST_MESSAGE
        {
            self.gave_up.store(true, Ordering::Relaxed);
        }
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions that this copy is compiled for.
            return unsafe { self.issue_avx2(state, message) };
        }
        self.issue(state, message)
    }

    #[inline(always)]
    fn matched(&self, _message: &Message, departure: &Lanes, _posted: Lanes) -> (Lanes, Lanes) {
        (*departure, [0; LANES])
    }

    #[inline(always)]
    fn receive(&self, state: &mut LaneState, message: &Message, arrival: Lanes) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions that this copy is compiled for.
            return unsafe { self.take_avx2(state, message, &arrival) };
        }
        self.take(state, message, &arrival);
    }

    fn compute(&self, state: &mut LaneState, rank: u32, work: Span) {
        if work.0 >= LATEST as u64 {
            self.gave_up.store(true, Ordering::Relaxed);
            return;
        }
        let at = state.cpu;
        state.cpu = self.advance(state, rank, &at, work);
    }
}
