//! Laws of all network models, and what their settings read.

use super::*;
use crate::noise::Quiet;
use crate::time::{PerByte, Span};
use proptest::prelude::*;

mod laws;
mod rules;
mod text;

/// Detours as (start, length), apart and in order: work stands still inside them.
#[derive(Clone, Debug)]
pub(crate) struct Detours(pub Vec<(u64, u64)>);

impl Advance for Detours {
    fn advance(&mut self, at: Time, work: Span) -> Time {
        let (mut now, mut left) = (at.0, work.0);
        for &(start, length) in &self.0 {
            let end = start + length;
            if end <= now {
                continue;
            }
            if start < now {
                now = end;
            } else if now + left <= start {
                break;
            } else {
                left -= start - now;
                now = end;
            }
        }
        Time(now + left)
    }
}

/// One message of rank 0 to rank 1, which posts its receive at its CPU's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Delivery {
    sender: Port,
    receiver: Port,
    released: Time,
    arrival: Time,
}

impl Delivery {
    fn is_no_earlier_than(&self, other: &Delivery) -> bool {
        let ports = |outcome: &Delivery| [outcome.sender, outcome.receiver];
        self.released >= other.released
            && self.arrival >= other.arrival
            && ports(self).iter().zip(ports(other)).all(|(one, other)| {
                one.cpu >= other.cpu && one.next_send >= other.next_send && one.last_receive >= other.last_receive
            })
    }
}

fn transfer(
    model: &impl NetworkModel,
    [mut sender, mut receiver]: [Port; 2],
    bytes: u64,
    noise: &mut [impl Advance; 2],
) -> Delivery {
    let message = Message { from: 0, to: 1, bytes };
    let departure = model.send(&mut sender, &message, &mut noise[0]);
    let matched = model.matched(&message, &departure, receiver.cpu);
    model.receive(&mut receiver, &message, matched.arrival, &mut noise[1]);
    Delivery { sender, receiver, released: matched.released, arrival: matched.arrival }
}

fn quiet(model: &impl NetworkModel, ports: [Port; 2], bytes: u64) -> Delivery {
    transfer(model, ports, bytes, &mut [Quiet, Quiet])
}

pub(crate) fn any_detours() -> impl Strategy<Value = Detours> {
    proptest::collection::vec((1u64..3_000_000, 1u64..3_000_000), 0..8).prop_map(|pieces| {
        let mut end = 0;
        let mut detours = Vec::new();
        for (pause, length) in pieces {
            detours.push((end + pause, length));
            end += pause + length;
        }
        Detours(detours)
    })
}

fn any_span() -> impl Strategy<Value = Span> {
    prop_oneof![Just(Span::ZERO), (0u64..5_000_000).prop_map(Span)]
}

fn any_rate() -> impl Strategy<Value = PerByte> {
    prop_oneof![Just(PerByte(0.0)), (0.0..10_000.0f64).prop_map(PerByte)]
}

fn any_bytes() -> impl Strategy<Value = u64> {
    prop_oneof![0u64..4, 0u64..2_000_000]
}

fn any_loggops() -> impl Strategy<Value = LogGops> {
    let limit = prop_oneof![Just(u64::MAX), Just(0), 0u64..2_000_000];
    let rule = prop_oneof![Just(Rendezvous::Match), Just(Rendezvous::RoundTrip)];
    ((any_span(), any_span(), any_span(), any_span()), (any_rate(), any_rate()), limit, rule).prop_map(
        |((latency, overhead_send, overhead_receive, gap), rates, eager_limit, rendezvous)| LogGops {
            latency,
            overhead_send,
            overhead_receive,
            gap,
            gap_per_byte: rates.0,
            overhead_per_byte: rates.1,
            eager_limit,
            rendezvous,
        },
    )
}

fn any_table() -> impl Strategy<Value = CostTable> {
    proptest::collection::btree_map(0u64..1_000_000, 0u64..5_000_000, 1..6).prop_map(|points| {
        CostTable::new(&points.into_iter().map(|(at, cost)| TablePoint { at, cost: Span(cost) }).collect::<Vec<_>>())
            .unwrap()
    })
}

fn any_network() -> impl Strategy<Value = Network> {
    let rule = (0..SendRule::ALL.len()).prop_map(|index| SendRule::ALL[index]);
    let hockney = (any_span(), any_rate(), rule)
        .prop_map(|(alpha, beta, send_rule)| Network::Hockney(Hockney { alpha, beta, send_rule }));
    let limit = prop_oneof![Just(u64::MAX), 0u64..5_000];
    let plogp = (any_span(), any_table(), any_table(), any_table(), limit).prop_map(
        |(latency, overhead_send, overhead_receive, gap, eager_limit)| {
            Network::Plogp(Plogp { latency, overhead_send, overhead_receive, gap, eager_limit })
        },
    );
    prop_oneof![
        hockney,
        any_loggops().prop_map(Network::Loggops),
        any_loggops().prop_map(|model| Network::Loggp(loggp(&model))),
        any_loggops().prop_map(|model| Network::Logp(logp(&model))),
        plogp,
    ]
}

fn loggp(model: &LogGops) -> LogGp {
    let LogGops { latency, overhead_send, overhead_receive, gap, gap_per_byte, .. } = *model;
    LogGp { latency, overhead_send, overhead_receive, gap, gap_per_byte }
}

fn logp(model: &LogGops) -> LogP {
    let LogGops { latency, overhead_send, overhead_receive, gap, .. } = *model;
    LogP { latency, overhead_send, overhead_receive, gap }
}

fn any_port() -> impl Strategy<Value = Port> {
    (0u64..9_000_000, 0u64..9_000_000, proptest::option::of(0u64..9_000_000)).prop_map(|(cpu, next, last)| Port {
        cpu: Time(cpu),
        next_send: Time(next),
        last_receive: last.map(Time),
    })
}

fn any_ports() -> impl Strategy<Value = [Port; 2]> {
    [any_port(), any_port()]
}
