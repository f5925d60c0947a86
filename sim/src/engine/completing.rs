//! Waits for requests: when all of them have known times, receives complete in the order in which they were posted, and
//! then the releases of sends are waited for.

use super::Engine;
use crate::open::{Destination, Request};
use models::collective::Then;
use models::platform::Received;
use models::time::Time;
use programs::trace::Activity;

impl Engine {
    /// Notes that the time of one request has become known.
    pub(super) fn learn(&mut self, rank: u32, request: u32) {
        let state = &mut self.ranks[rank as usize];
        if state.waits_from.is_some_and(|first| request >= first) {
            state.missing -= 1;
            if state.missing == 0 {
                self.complete(rank);
                self.resume_at_cpu(rank);
            }
        }
    }

    /// Waits until all requests from number `first` on are complete. Returns whether they are, and nobody is to act
    /// before the rank. If not, the rank has to suspend, and is resumed then.
    pub(crate) fn wait(&mut self, rank: u32, first: u32) -> bool {
        self.is_complete(rank, first) && self.turns.comes_next(rank, self.ranks[rank as usize].cpu)
    }

    /// Completes the requests from number `first` on if their times are known, without regard to the turns of ranks.
    /// Returns whether they are.
    fn is_complete(&mut self, rank: u32, first: u32) -> bool {
        let state = &mut self.ranks[rank as usize];
        if state.requests.len() == first as usize {
            return true;
        }
        let is_open = |request: &&Request| {
            matches!(request, Request::Receive { arrived: None, .. } | Request::Send { released: None, .. })
        };
        state.missing = state.requests[first as usize..].iter().filter(is_open).count() as u32;
        state.waits_from = Some(first);
        if state.missing > 0 {
            return false;
        }
        self.complete(rank);
        true
    }

    /// Completes the requests that the rank waits for, whose times are all known: receives in the order of their
    /// posting, then the releases of sends, then the time that both take longer at once, and the parts that have to be
    /// combined.
    fn complete(&mut self, rank: u32) {
        let state = &mut self.ranks[rank as usize];
        let first = state.waits_from.take().unwrap_or(0);
        let mut all = std::mem::take(&mut state.requests);
        let requests = &all[first as usize..];
        let sends = |request: &Request| matches!(request, Request::Send { to, .. } if *to != rank);
        let refined = !self.platform.is_plain();
        let duplex = refined && requests.len() > 1 && requests.iter().any(sends);
        let mut combines = false;
        let mut released = Time::ZERO;
        for request in requests {
            match *request {
                Request::Receive { channel, from, ref into, arrived: Some((envelope, arrival)), .. } => {
                    let into = into.as_deref();
                    self.recorder.turned_to(rank, self.ranks[rank as usize].cpu, arrival);
                    self.on_port(rank, channel, Activity::Receiving, |carrier, port, cpu| {
                        carrier.receive(port, &envelope, arrival, cpu);
                    });
                    self.recorder.received(&envelope, self.ranks[rank as usize].cpu);
                    combines |= into.is_some_and(|into| into.then == Then::Combine);
                    if let Some(&Destination { part, then: Then::Store, read }) = into {
                        let received = Received { from, read, duplex: duplex && from != rank };
                        let work = self.platform.storing(&mut self.traffic, rank, part, received);
                        self.work(rank, work);
                    }
                }
                Request::Send { released: Some(at), .. } => released = released.max(at),
                Request::Receive { .. } | Request::Send { .. } => unreachable!("nothing is missing"),
            }
        }
        self.let_go(rank, released);
        for request in requests.iter().filter(|_| duplex || combines) {
            let Request::Receive { from, into: Some(into), .. } = request else { continue };
            if duplex && *from != rank {
                let received = Received { from: *from, read: into.read, duplex };
                let longer = self.platform.duplex(rank, into.part.bytes, received);
                self.work(rank, longer);
            }
            if into.then == Then::Combine {
                let work = self.platform.combining(&mut self.traffic, rank, into.part);
                self.work(rank, work);
            }
        }
        // Their allocations are used again for the next ones.
        while all.len() > first as usize {
            self.destinations.take_back(all.pop().and_then(Request::into_place));
        }
        self.ranks[rank as usize].requests = all;
    }
}
