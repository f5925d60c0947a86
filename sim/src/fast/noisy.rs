//! Shift rounds under noise, many realisations at once: rank i of realisation j is entry i·lanes + j of every
//! array, so that a shift by d ranks is one by d·lanes entries and the loops stay straight. Eight entries at
//! a time go through without a look at noise, unless a detour of one of them is near.

use models::network::LogGops;
use models::noise::{Cursor, Noise};
use models::time::{Span, Time};

/// Number of entries that are tried together.
const TOGETHER: usize = 8;

/// Constants of one exchange of LogGOPS, eager, whose gaps do not bind.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoisyExchange {
    overhead: Span,
    handling: Span,
    stretch: Span,
    latency: Span,
    receiving: Span,
}

impl NoisyExchange {
    /// Returns the constants for messages of one length.
    pub(super) fn for_bytes(model: &LogGops, bytes: u64) -> NoisyExchange {
        NoisyExchange {
            overhead: model.overhead_send,
            handling: model.handling(bytes),
            stretch: model.stretch(bytes),
            latency: model.latency,
            receiving: model.receiving(bytes),
        }
    }
}

/// All ranks of `lanes` consecutive realisations. Times are kept as signed numbers, which processors compare in one
/// instruction: they stay below [`LATEST`], or `is_out_of_range` says so.
pub(super) struct NoisyRanks {
    noises: Vec<Noise>,
    lanes: usize,
    /// Times at which each CPU is free, in ps.
    pub cpu: Vec<i64>,
    arrivals: Vec<i64>,
    /// Start of each next detour, which the straight loops look at.
    starts: Vec<i64>,
    cursors: Vec<Option<Box<Cursor>>>,
    /// Whether a detour ended so late that these loops cannot count on.
    pub is_out_of_range: bool,
}

/// Bound of times: those from here on are left to others.
const LATEST: i64 = 1 << 62;

impl NoisyRanks {
    /// Makes ranks that enter at the given times, in realisations `first` … `first + lanes − 1` of the noise.
    pub(super) fn new(noise: &Noise, first: u32, lanes: usize, entry: &[u64]) -> NoisyRanks {
        let entries = entry.len() * lanes;
        let mut starts = vec![Time::ZERO; lanes];
        let (mut cpu, mut all_starts) = (Vec::with_capacity(entries), Vec::with_capacity(entries));
        for (rank, &entry) in (0..).zip(entry) {
            noise.first_starts(rank, first, &mut starts);
            all_starts.extend(starts.iter().map(|start| signed(*start)));
            cpu.extend(std::iter::repeat_n(signed(Time(entry)), lanes));
        }
        NoisyRanks {
            noises: (0..lanes as u32).map(|lane| noise.realisation(first + lane)).collect(),
            lanes,
            cpu,
            arrivals: vec![0; entries],
            starts: all_starts,
            cursors: vec![None; entries],
            is_out_of_range: false,
        }
    }

    /// Occupies every CPU for the time of `work`.
    pub(super) fn compute(&mut self, work: Span) {
        if work > Span::ZERO {
            (0..self.cpu.len()).for_each(|entry| self.cpu[entry] = self.advance(entry, self.cpu[entry], work));
        }
    }

    /// Plays one shift round.
    pub(super) fn round(&mut self, exchange: NoisyExchange, distance: u32) {
        let distance = distance as usize * self.lanes;
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the instructions that this copy is compiled for.
            return unsafe { self.round_avx2(exchange, distance) };
        }
        self.round_portable(exchange, distance);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn round_avx2(&mut self, exchange: NoisyExchange, distance: usize) {
        self.round_portable(exchange, distance);
    }

    #[inline(always)]
    fn round_portable(&mut self, exchange: NoisyExchange, distance: usize) {
        self.send(exchange);
        let wrapped = self.cpu.len() - distance;
        self.receive(exchange.receiving, 0, distance, wrapped);
        self.receive(exchange.receiving, distance, self.cpu.len(), 0);
    }

    #[inline(always)]
    fn send(&mut self, exchange: NoisyExchange) {
        let sending = (exchange.overhead + exchange.handling).0 as i64;
        let through = (exchange.overhead + exchange.handling.max(exchange.stretch) + exchange.latency).0 as i64;
        let whole = self.cpu.len() / TOGETHER * TOGETHER;
        for at in (0..whole).step_by(TOGETHER) {
            let cpu = eight_mut(&mut self.cpu, at);
            let (starts, arrivals) = (eight(&self.starts, at), eight_mut(&mut self.arrivals, at));
            let mut near = false;
            for (cpu, start) in cpu.iter().zip(starts) {
                near |= cpu.wrapping_add(sending) > *start;
            }
            if near {
                (at..at + TOGETHER).for_each(|entry| self.send_slowly(exchange, entry));
            } else {
                for (cpu, arrival) in cpu.iter_mut().zip(arrivals) {
                    *arrival = cpu.wrapping_add(through);
                    *cpu = cpu.wrapping_add(sending);
                }
            }
        }
        (whole..self.cpu.len()).for_each(|entry| self.send_slowly(exchange, entry));
    }

    /// Receives in entries `from` … `to − 1` from the entries that begin at `source`.
    #[inline(always)]
    fn receive(&mut self, receiving: Span, from: usize, to: usize, source: usize) {
        let work = receiving.0 as i64;
        let whole = from + (to - from) / TOGETHER * TOGETHER;
        for at in (from..whole).step_by(TOGETHER) {
            let (cpu, starts) = (eight_mut(&mut self.cpu, at), eight(&self.starts, at));
            let arrivals = eight(&self.arrivals, source + (at - from));
            let mut near = false;
            for ((cpu, start), arrival) in cpu.iter_mut().zip(starts).zip(arrivals) {
                *cpu = (*cpu).max(*arrival);
                near |= cpu.wrapping_add(work) > *start;
            }
            if near {
                (at..at + TOGETHER).for_each(|entry| self.cpu[entry] = self.advance(entry, self.cpu[entry], receiving));
            } else {
                cpu.iter_mut().for_each(|cpu| *cpu = cpu.wrapping_add(work));
            }
        }
        for entry in whole..to {
            let ready = self.cpu[entry].max(self.arrivals[source + (entry - from)]);
            self.cpu[entry] = self.advance(entry, ready, receiving);
        }
    }

    fn send_slowly(&mut self, exchange: NoisyExchange, entry: usize) {
        let ready = self.advance(entry, self.cpu[entry], exchange.overhead);
        let free = if exchange.handling > Span::ZERO { self.advance(entry, ready, exchange.handling) } else { ready };
        self.cpu[entry] = free;
        let left = free.max(ready.wrapping_add(exchange.stretch.0 as i64));
        self.arrivals[entry] = left.wrapping_add(exchange.latency.0 as i64);
    }

    #[inline]
    fn advance(&mut self, entry: usize, at: i64, work: Span) -> i64 {
        let end = at.wrapping_add(work.0 as i64);
        if end <= self.starts[entry] { end } else { self.pass(entry, at, work) }
    }

    /// Advances an entry past a detour that is in the way. Its rank's cursor is made by then only.
    #[cold]
    #[inline(never)]
    fn pass(&mut self, entry: usize, at: i64, work: Span) -> i64 {
        let (rank, noise) = ((entry / self.lanes) as u32, &self.noises[entry % self.lanes]);
        let cursor = self.cursors[entry].get_or_insert_with(|| Box::new(noise.cursor(rank)));
        let end = noise.advance(rank, cursor, Time(at as u64), work);
        self.starts[entry] = signed(cursor.start());
        self.is_out_of_range |= end.0 >= LATEST as u64;
        signed(end)
    }
}

/// Returns a time as a signed number, at most [`LATEST`]: later is as good as never.
fn signed(time: Time) -> i64 {
    time.0.min(LATEST as u64) as i64
}

fn eight(all: &[i64], at: usize) -> &[i64; TOGETHER] {
    all[at..at + TOGETHER].try_into().expect("a slice of eight")
}

fn eight_mut(all: &mut [i64], at: usize) -> &mut [i64; TOGETHER] {
    (&mut all[at..at + TOGETHER]).try_into().expect("a slice of eight")
}
