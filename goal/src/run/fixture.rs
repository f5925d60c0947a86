//! Random schedules, networks and noise for tests.

use super::Disturbance;
use models::network::{Hockney, LogGops, LogGp, Network, Plogp, Rendezvous, SendRule};
use models::noise::Advance;
use models::time::{PerByte, Span, Time};
use proptest::prelude::*;

/// One CPU under periodic noise: of every 1000 ps it loses the first 100, rank by rank a little later.
pub(super) struct Periodic(u64);

impl Advance for Periodic {
    fn advance(&mut self, at: Time, work: Span) -> Time {
        let (mut now, mut left) = (at.0 + self.0, work.0);
        loop {
            let phase = now % 1000;
            if phase < 100 && !(phase == 0 && left == 0) {
                now += 100 - phase;
            }
            let until_next = 1000 - now % 1000;
            if left <= until_next {
                return Time(now + left - self.0);
            }
            left -= until_next;
            now += until_next;
        }
    }
}

/// Noise of all ranks.
pub(super) struct Noisy;

impl Disturbance for Noisy {
    type Cpu = Periodic;
    fn for_cpu(&self, rank: u32, _cpu: u8) -> Periodic {
        Periodic(u64::from(rank) * 77)
    }
}

pub(super) fn loggp(latency: u64, overhead: u64, gap: u64, per_byte: f64) -> Network {
    let (overhead_send, overhead_receive) = (Span(overhead), Span(overhead));
    let (latency, gap, gap_per_byte) = (Span(latency), Span(gap), PerByte(per_byte));
    Network::Loggp(LogGp { latency, overhead_send, overhead_receive, gap, gap_per_byte })
}

/// LogGOPS in which both bytes and CPU may be what counts, and messages of all lengths may wait.
pub(super) fn any_loggops() -> impl Strategy<Value = LogGops> {
    let times = (0u64..3000, 0u64..300, 0u64..300, 0u64..600);
    let rest = (0u64..9, 0u64..9, prop_oneof![0u64..200, Just(u64::MAX)], 0usize..2);
    (times, rest).prop_map(|((latency, send, receive, gap), (stretch, handling, eager_limit, rule))| LogGops {
        latency: Span(latency),
        overhead_send: Span(send),
        overhead_receive: Span(receive),
        gap: Span(gap),
        gap_per_byte: PerByte(stretch as f64 * 0.7),
        overhead_per_byte: PerByte(handling as f64 * 0.6),
        eager_limit,
        rendezvous: Rendezvous::ALL[rule],
    })
}

/// Networks of all kinds but PLogP, the times of which cannot be taken apart.
pub(super) fn any_network() -> impl Strategy<Value = Network> {
    prop_oneof![
        2 => any_loggops().prop_map(Network::Loggops),
        1 => any_simple_network(),
    ]
}

/// Networks of all kinds.
pub(super) fn any_network_at_all() -> impl Strategy<Value = Network> {
    let plogp = any_loggops().prop_filter_map("its gap is too long", |model| Plogp::from_loggp(model).ok());
    prop_oneof![4 => any_network(), 1 => plogp.prop_map(Network::Plogp)]
}

fn any_simple_network() -> impl Strategy<Value = Network> {
    prop_oneof![
        (0u64..3000, 0u64..300, 0u64..600, 0u64..9).prop_map(|(latency, overhead, gap, per_byte)| loggp(
            latency,
            overhead,
            gap,
            per_byte as f64 * 0.7
        )),
        (0u64..2000, 0u64..9, 0usize..4).prop_map(|(alpha, beta, rule)| {
            let send_rule = SendRule::ALL[rule];
            Network::Hockney(Hockney { alpha: Span(alpha), beta: PerByte(beta as f64 * 0.7), send_rule })
        }),
    ]
}

/// Every rank: points in a chain; a point is a calculation, a message to or from somebody, or both at once. `loose`
/// leaves out that share (of 8) of the dependencies.
pub(crate) fn any_chains(loose: u32) -> impl Strategy<Value = String> {
    let point = (0u32..4, 0u32..5, 0u32..5, 0u64..200, 0u32..8);
    prop::collection::vec(point, 1..24).prop_map(move |points| {
        let mut ranks: Vec<Vec<Vec<String>>> = vec![Vec::new(); 5];
        let mut missing: Vec<Vec<bool>> = vec![Vec::new(); 5];
        let mut add = |rank: u32, ops: Vec<String>, dropped: bool| {
            ranks[rank as usize].push(ops);
            missing[rank as usize].push(dropped);
        };
        for (kind, a, b, size, dice) in points {
            let dropped = dice < loose;
            match kind {
                0 => add(a, vec![format!("calc {}", size / 40)], dropped),
                1 if a != b => {
                    add(a, vec![format!("send {size}b to {b}")], dropped);
                    add(b, vec![format!("recv {size}b from {a}")], dropped);
                }
                2 => {
                    for rank in 0..5 {
                        let (to, from) = ((rank + 1 + a % 4) % 5, (rank + 4 - a % 4) % 5);
                        add(rank, vec![format!("send {size}b to {to}"), format!("recv {size}b from {from}")], dropped);
                    }
                }
                _ => {}
            }
        }
        let mut text = "num_ranks 5\n".to_owned();
        for (rank, points) in ranks.iter().enumerate() {
            text += &format!("rank {rank} {{\n");
            for (index, point) in points.iter().enumerate() {
                for (part, op) in point.iter().enumerate() {
                    text += &format!("p{index}_{part}: {op}\n");
                    let before = if index == 0 || missing[rank][index] { 0 } else { points[index - 1].len() };
                    (0..before)
                        .for_each(|earlier| text += &format!("p{index}_{part} requires p{}_{earlier}\n", index - 1));
                }
            }
            text += "}\n";
        }
        text
    })
}
