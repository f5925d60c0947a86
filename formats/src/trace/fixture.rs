//! Traces by hand: a linear broadcast and a dissemination barrier with noise, in LogGP's manner.

use models::time::{Span, Time};
use programs::trace::{Activity, Flight, Interval, Trace};

/// L, o and g of the network that is played.
const LATENCY: Span = Span::from_ns(2_500);
const OVERHEAD: Span = Span::from_ns(1_000);
const GAP: Span = Span::from_ns(1_600);

/// Appends what one rank does, in order.
struct Player {
    trace: Trace,
    now: Vec<Time>,
}

impl Player {
    fn new(title: &str, ranks: u32) -> Player {
        let entry = vec![Time::ZERO; ranks as usize];
        Player { trace: Trace { title: title.to_owned(), entry: entry.clone(), ..Trace::default() }, now: entry }
    }

    fn spend(&mut self, rank: u32, activity: Activity, span: Span) {
        let start = self.now[rank as usize];
        let end = start + span;
        self.trace.intervals.push(Interval { rank, cpu: 0, activity, start, end });
        self.now[rank as usize] = end;
    }

    fn wait_until(&mut self, rank: u32, at: Time) {
        let span = at.since(self.now[rank as usize]);
        if span > Span::ZERO {
            self.spend(rank, Activity::Waiting, span);
        }
    }

    /// The message of a send; it is received later.
    fn send(&mut self, from: u32, to: u32, bytes: u64) -> Flight {
        self.spend(from, Activity::Sending, OVERHEAD);
        let departed = self.now[from as usize];
        Flight { from, to, bytes, departed, arrived: departed + LATENCY, received: Time::ZERO }
    }

    fn receive(&mut self, mut flight: Flight) {
        self.wait_until(flight.to, flight.arrived);
        self.spend(flight.to, Activity::Receiving, OVERHEAD);
        flight.received = self.now[flight.to as usize];
        self.trace.flights.push(flight);
    }

    fn finish(mut self) -> Trace {
        self.trace.finish = self.now;
        self.trace.flights.sort_by_key(|flight| flight.departed);
        self.trace
    }
}

/// The root sends to each rank in turn.
pub(super) fn broadcast(ranks: u32) -> Trace {
    let mut player = Player::new(&format!("Linear broadcast of 8 B on {ranks} ranks"), ranks);
    for to in 1..ranks {
        let flight = player.send(0, to, 8);
        if to + 1 < ranks {
            player.spend(0, Activity::Gap, GAP - OVERHEAD);
        }
        player.receive(flight);
    }
    player.finish()
}

/// In round k each rank sends to the rank 2^k further on; some ranks are disturbed, some enter late, all compute.
pub(super) fn barrier(ranks: u32) -> Trace {
    let mut player = Player::new(&format!("Dissemination barrier on {ranks} ranks with noise"), ranks);
    let mut state = 7u64;
    let mut draw = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for rank in 0..ranks as usize {
        player.trace.entry[rank] = Time(draw(900_000));
        player.now[rank] = player.trace.entry[rank];
    }
    let mut distance = 1;
    while distance < ranks {
        let mut flights = Vec::new();
        for rank in 0..ranks {
            if draw(6) == 0 {
                player.spend(rank, Activity::Noise, Span::from_ns(400 + draw(3_000)));
            }
            flights.push(player.send(rank, (rank + distance) % ranks, 1));
        }
        for flight in flights {
            player.receive(flight);
            player.spend(flight.to, Activity::Computing, Span::from_ns(700));
        }
        distance *= 2;
    }
    player.finish()
}
