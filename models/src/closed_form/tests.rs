//! Closed forms against the models' rules, evaluated message by message in program order.

use super::*;
use crate::network::{
    CostTable, Hockney, LogGops, Message, Network, NetworkModel, Plogp, Port, Rendezvous, SendRule, TablePoint,
};
use crate::noise::Quiet;
use crate::time::{PerByte, Time};
use proptest::prelude::*;

/// Ranks that carry out blocking messages in an order that keeps every rank's own.
struct Evaluation {
    network: Network,
    ports: Vec<Port>,
}

impl Evaluation {
    fn new(network: Network, ranks: u32) -> Evaluation {
        Evaluation { network, ports: vec![Port::default(); ranks as usize] }
    }

    fn transfer(&mut self, from: u32, to: u32, bytes: u64) {
        let message = Message { from, to, bytes };
        let departure = self.network.send(&mut self.ports[from as usize], &message, &mut Quiet);
        let posted = self.ports[to as usize].cpu;
        let matched = self.network.matched(&message, &departure, posted);
        let sender = &mut self.ports[from as usize];
        sender.cpu = sender.cpu.max(matched.released);
        self.network.receive(&mut self.ports[to as usize], &message, matched.arrival, &mut Quiet);
    }

    /// Everybody sends `distance` further and receives from as far back, at once.
    fn shift(&mut self, distance: u32) {
        let ranks = self.ports.len() as u32;
        let posted: Vec<Time> = self.ports.iter().map(|port| port.cpu).collect();
        let mut done = Vec::new();
        for from in 0..ranks {
            let message = Message { from, to: (from + distance) % ranks, bytes: 0 };
            let departure = self.network.send(&mut self.ports[from as usize], &message, &mut Quiet);
            done.push((message, self.network.matched(&message, &departure, posted[message.to as usize])));
        }
        for (message, matched) in &done {
            self.network.receive(&mut self.ports[message.to as usize], message, matched.arrival, &mut Quiet);
        }
        for (message, matched) in &done {
            let sender = &mut self.ports[message.from as usize];
            sender.cpu = sender.cpu.max(matched.released);
        }
    }

    fn ends(&self) -> Vec<Span> {
        self.ports.iter().map(|port| port.cpu.since(Time::ZERO)).collect()
    }
}

fn bcast_loop(network: Network, ranks: u32, bytes: u64, calls: u32) -> Vec<Span> {
    let mut evaluation = Evaluation::new(network, ranks);
    for to in (0..calls).flat_map(|_| 1..ranks) {
        evaluation.transfer(0, to, bytes);
    }
    evaluation.ends()
}

fn gather(network: Network, ranks: u32, bytes: u64) -> Vec<Span> {
    let mut evaluation = Evaluation::new(network, ranks);
    (1..ranks).for_each(|from| evaluation.transfer(from, 0, bytes));
    evaluation.ends()
}

fn chain(network: Network, ranks: u32, bytes: u64, segments: u32) -> Vec<Span> {
    let mut evaluation = Evaluation::new(network, ranks);
    for from in (0..segments).flat_map(|_| 0..ranks - 1) {
        evaluation.transfer(from, from + 1, bytes);
    }
    evaluation.ends()
}

fn barrier(network: Network, ranks: u32) -> Vec<Span> {
    let mut evaluation = Evaluation::new(network, ranks);
    let mut distance = 1;
    while distance < ranks {
        evaluation.shift(distance);
        distance *= 2;
    }
    evaluation.ends()
}

fn by_rank(ranks: u32, time: impl Fn(u32) -> Span) -> Vec<Span> {
    (0..ranks).map(time).collect()
}

fn any_span() -> impl Strategy<Value = Span> {
    prop_oneof![Just(Span::ZERO), (0u64..1_000).prop_map(Span), (0u64..5_000_000).prop_map(Span)]
}

fn any_rate() -> impl Strategy<Value = PerByte> {
    prop_oneof![Just(PerByte(0.0)), (0.0..10_000.0f64).prop_map(PerByte)]
}

fn any_hockney() -> impl Strategy<Value = Hockney> {
    (any_span(), any_rate(), proptest::sample::select(SendRule::ALL.to_vec()))
        .prop_map(|(alpha, beta, send_rule)| Hockney { alpha, beta, send_rule })
}

fn any_loggops() -> impl Strategy<Value = LogGops> {
    let spans = (any_span(), any_span(), any_span(), any_span());
    let waiting = (prop_oneof![Just(u64::MAX), Just(0)], proptest::sample::select(Rendezvous::ALL.to_vec()));
    (spans, any_rate(), any_rate(), waiting).prop_map(|(spans, gap_per_byte, overhead_per_byte, waiting)| LogGops {
        latency: spans.0,
        overhead_send: spans.1,
        overhead_receive: spans.2,
        gap: spans.3,
        gap_per_byte,
        overhead_per_byte,
        eager_limit: waiting.0,
        rendezvous: waiting.1,
    })
}

fn any_plogp() -> impl Strategy<Value = Plogp> {
    let table = || {
        (any_span(), any_span()).prop_map(|(low, high)| {
            CostTable::new(&[TablePoint { at: 0, cost: low }, TablePoint { at: 3_000, cost: high }]).unwrap()
        })
    };
    (any_span(), table(), table(), table()).prop_map(|(latency, overhead_send, overhead_receive, gap)| Plogp {
        latency,
        overhead_send,
        overhead_receive,
        gap,
        eager_limit: u64::MAX,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases * 2))]

    #[test]
    fn hockney_by_every_send_rule(model in any_hockney(), ranks in 1u32..12, bytes in 0u64..5_000, k in 1u32..7) {
        use hockney::*;
        let network = Network::Hockney(model);
        prop_assert_eq!(
            bcast_loop(network, ranks, bytes, k),
            by_rank(ranks, |rank| linear_bcast_loop_by_rule(&model, bytes, ranks, rank, k))
        );
        prop_assert_eq!(
            gather(network, ranks, bytes),
            by_rank(ranks, |rank| flat_gather_time(&model, bytes, ranks, rank))
        );
        prop_assert_eq!(
            chain(network, ranks, bytes, 1),
            by_rank(ranks, |rank| chain_bcast_time(&model, bytes, ranks, rank))
        );
        prop_assert_eq!(barrier(network, ranks), by_rank(ranks, |_| dissemination_barrier(&model, ranks)));
    }

    #[test]
    fn loggops_in_one_call(model in any_loggops(), ranks in 1u32..12, bytes in 0u64..5_000) {
        use loggops::*;
        let network = Network::Loggops(model);
        prop_assert_eq!(
            bcast_loop(network, ranks, bytes, 1),
            by_rank(ranks, |rank| linear_bcast_time(model, bytes, ranks, rank))
        );
        prop_assert_eq!(
            gather(network, ranks, bytes),
            by_rank(ranks, |rank| flat_gather_time(model, bytes, ranks, rank))
        );
        prop_assert_eq!(
            chain(network, ranks, bytes, 1),
            by_rank(ranks, |rank| chain_bcast_time(model, bytes, ranks, rank))
        );
        prop_assert_eq!(barrier(network, ranks), by_rank(ranks, |_| dissemination_barrier(model, ranks)));
    }

    #[test]
    fn loggops_in_loops_and_pipelines(
        model in any_loggops(), ranks in 1u32..12, bytes in 0u64..5_000, k in 1u32..7,
    ) {
        use loggops::*;
        prop_assert_eq!(pipelined_chain_bcast_time(LogGops { eager_limit: 0, ..model }, 1, ranks, k), None);
        let model = LogGops { eager_limit: u64::MAX, ..model };
        let network = Network::Loggops(model);
        let looped = bcast_loop(network, ranks, bytes, k);
        let expected = by_rank(ranks, |rank| linear_bcast_loop(model, bytes, ranks, rank, k).unwrap());
        prop_assert_eq!(&looped, &expected);
        let once = bcast_loop(network, ranks, bytes, 1);
        for rank in 0..ranks {
            if let Some(ratio) = linear_bcast_loop_ratio(model, bytes, ranks, rank, k) {
                let (total, one) = (looped[rank as usize], once[rank as usize]);
                prop_assert_eq!(ratio, Ratio { over: total.0, under: u64::from(k) * one.0 });
            }
        }
        prop_assert_eq!(
            chain(network, ranks, bytes, k).last().copied(),
            pipelined_chain_bcast_time(model, bytes, ranks, k)
        );
    }

    #[test]
    fn loggops_in_binomial_trees(model in any_loggops(), height in 0u32..6, bytes in 0u64..5_000) {
        let model = LogGops { eager_limit: u64::MAX, ..model };
        let mut evaluation = Evaluation::new(Network::Loggops(model), 1 << height);
        for bit in (0..height).rev().map(|bit| 1u32 << bit) {
            for from in (0..1 << height).step_by(2 * bit as usize) {
                evaluation.transfer(from, from + bit, bytes);
                let there = evaluation.ends()[(from + bit) as usize];
                prop_assert_eq!(there, loggops::binomial_bcast_arrival(model, height, from + bit, bytes));
            }
        }
    }

    #[test]
    fn plogp_in_calls_and_loops(model in any_plogp(), ranks in 1u32..12, bytes in 0u64..5_000, k in 1u32..7) {
        use plogp::*;
        let network = Network::Plogp(model);
        prop_assert_eq!(
            bcast_loop(network, ranks, bytes, k),
            by_rank(ranks, |rank| linear_bcast_loop(&model, bytes, ranks, rank, k))
        );
        prop_assert_eq!(
            gather(network, ranks, bytes),
            by_rank(ranks, |rank| flat_gather_time(&model, bytes, ranks, rank))
        );
        prop_assert_eq!(
            chain(network, ranks, bytes, 1),
            by_rank(ranks, |rank| chain_bcast_time(&model, bytes, ranks, rank))
        );
        prop_assert_eq!(barrier(network, ranks), by_rank(ranks, |_| dissemination_barrier(&model, ranks)));
    }
}

#[test]
fn under_loggp_the_loop_errs_to_either_side() {
    // o = 1, L = 5, g = G = 0: rank 1 has the data after 7 and in a loop after n − 1 per call; ratios 63/7, 63/69.
    let network = Network::parse("logp", Some("o=1,L=5,g=0"), None).unwrap();
    let model = network.loggops().unwrap();
    let ratio = |rank| loggops::linear_bcast_loop_ratio(model, 0, 64, rank, 1_000_000).unwrap().value();
    assert!((ratio(1) - 63.0 / 7.0).abs() < 1e-4, "{}", ratio(1));
    assert!((ratio(63) - 63.0 / 69.0).abs() < 1e-4, "{}", ratio(63));
}
