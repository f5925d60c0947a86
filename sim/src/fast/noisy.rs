//! Shift rounds under noise, many realisations at once: rank i of realisation j is entry i·lanes + j of every
//! array, so that a shift by d ranks is one by d·lanes entries and the loops stay straight. Eight entries at
//! a time go through without a look at noise, unless a detour of one of them is near.

use models::network::LogGops;
use models::noise::{Cursor, Noise};
use models::time::{Span, Time};

/// Entries that are tried together.
const TOGETHER: usize = 8;

/// The constants of one exchange of LogGOPS, eager, gaps not binding.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoisyExchange {
    overhead: Span,
    handling: Span,
    stretch: Span,
    latency: Span,
    receiving: Span,
}

impl NoisyExchange {
    /// For messages of one length.
    pub fn of(model: &LogGops, bytes: u64) -> NoisyExchange {
        NoisyExchange {
            overhead: model.overhead_send,
            handling: model.handling(bytes),
            stretch: model.stretch(bytes),
            latency: model.latency,
            receiving: model.receiving(bytes),
        }
    }
}

/// All ranks of `lanes` consecutive realisations.
pub(super) struct NoisyRanks {
    noises: Vec<Noise>,
    lanes: usize,
    /// When each CPU is free.
    pub cpu: Vec<u64>,
    arrivals: Vec<u64>,
    /// The start of each next detour: what the straight loops look at.
    starts: Vec<u64>,
    cursors: Vec<Option<Box<Cursor>>>,
}

impl NoisyRanks {
    /// Ranks that enter at the given times, in realisations `first` … `first + lanes − 1` of the noise.
    pub fn new(noise: &Noise, first: u32, lanes: usize, ranks: u32, entry: impl Fn(u32) -> Time) -> NoisyRanks {
        let entries = ranks as usize * lanes;
        let mut starts = vec![Time::ZERO; lanes];
        let (mut cpu, mut all_starts) = (Vec::with_capacity(entries), Vec::with_capacity(entries));
        for rank in 0..ranks {
            noise.first_starts(rank, first, &mut starts);
            all_starts.extend(starts.iter().map(|start| start.0));
            cpu.extend(std::iter::repeat_n(entry(rank).0, lanes));
        }
        NoisyRanks {
            noises: (0..lanes as u32).map(|lane| noise.realisation(first + lane)).collect(),
            lanes,
            cpu,
            arrivals: vec![0; entries],
            starts: all_starts,
            cursors: vec![None; entries],
        }
    }

    /// One shift round.
    pub fn round(&mut self, exchange: NoisyExchange, distance: u32) {
        self.send(exchange);
        let distance = distance as usize * self.lanes;
        let wrapped = self.cpu.len() - distance;
        self.receive(exchange.receiving, 0, distance, wrapped);
        self.receive(exchange.receiving, distance, self.cpu.len(), 0);
    }

    fn send(&mut self, exchange: NoisyExchange) {
        let sending = (exchange.overhead + exchange.handling).0;
        let through = (exchange.overhead + exchange.handling.max(exchange.stretch) + exchange.latency).0;
        let mut at = 0;
        while at < self.cpu.len() {
            let end = (at + TOGETHER).min(self.cpu.len());
            let (cpu, starts) = (&mut self.cpu[at..end], &self.starts[at..end]);
            let near =
                cpu.iter().zip(starts).fold(false, |near, (cpu, start)| near | (cpu.saturating_add(sending) > *start));
            if near {
                (at..end).for_each(|entry| self.send_slowly(exchange, entry));
            } else {
                for (cpu, arrival) in cpu.iter_mut().zip(&mut self.arrivals[at..end]) {
                    *arrival = cpu.saturating_add(through);
                    *cpu = cpu.saturating_add(sending);
                }
            }
            at = end;
        }
    }

    /// Entries `from` … `to − 1` receive from the entries that begin at `source`.
    fn receive(&mut self, receiving: Span, from: usize, to: usize, source: usize) {
        let mut at = from;
        while at < to {
            let end = (at + TOGETHER).min(to);
            let arrivals = &self.arrivals[source + (at - from)..source + (end - from)];
            let (cpu, starts) = (&mut self.cpu[at..end], &self.starts[at..end]);
            let mut near = false;
            for ((cpu, start), arrival) in cpu.iter_mut().zip(starts).zip(arrivals) {
                *cpu = (*cpu).max(*arrival);
                near |= cpu.saturating_add(receiving.0) > *start;
            }
            if near {
                for entry in at..end {
                    self.cpu[entry] = self.advance(entry, Time(self.cpu[entry]), receiving).0;
                }
            } else {
                cpu.iter_mut().for_each(|cpu| *cpu = cpu.saturating_add(receiving.0));
            }
            at = end;
        }
    }

    fn send_slowly(&mut self, exchange: NoisyExchange, entry: usize) {
        let ready = self.advance(entry, Time(self.cpu[entry]), exchange.overhead);
        let free = if exchange.handling > Span::ZERO { self.advance(entry, ready, exchange.handling) } else { ready };
        self.cpu[entry] = free.0;
        self.arrivals[entry] = (free.max(ready + exchange.stretch) + exchange.latency).0;
    }

    #[inline]
    fn advance(&mut self, entry: usize, at: Time, work: Span) -> Time {
        let end = at + work;
        if end.0 <= self.starts[entry] { end } else { self.pass(entry, at, work) }
    }

    /// A detour is in the way: only now is the rank's cursor made.
    #[cold]
    #[inline(never)]
    fn pass(&mut self, entry: usize, at: Time, work: Span) -> Time {
        let (rank, noise) = ((entry / self.lanes) as u32, &self.noises[entry % self.lanes]);
        let cursor = self.cursors[entry].get_or_insert_with(|| Box::new(noise.cursor(rank)));
        let end = noise.advance(rank, cursor, at, work);
        self.starts[entry] = cursor.start().0;
        end
    }
}
