//! Closed forms under PLogP, for messages of m bytes: o_s, o_r, g are the tables' values at m; X = L + g is the
//! time from the begin of a send to the arrival.
//!
//! A receive ends at max(arrival, begin + o_r). A sequence x_j = max(a_j, x_{j−1} + w) with a_j = a_0 + j·A and
//! x_{−1} = 0 is x_j = max(a_0 + j·max(A, w), (j+1)·w).

use super::{Ratio, loop_ratio, rounds};
use crate::network::Plogp;
use crate::time::Span;

/// max(o_s, g): the distance of two sends in a row of one rank.
pub fn send_interval(model: &Plogp, bytes: u64) -> Span {
    model.overhead_send.at(bytes).max(model.gap.at(bytes))
}

/// Returns X, the time from the begin of a send to the arrival.
fn flight(model: &Plogp, bytes: u64) -> Span {
    model.latency + model.gap.at(bytes)
}

/// Total time of k unsynchronised linear broadcasts on rank i.
///
/// The root's k(n−1) sends are s = max(o_s, g) apart, and the last keeps it o_s: T_0 = (k(n−1)−1)s + o_s. Rank i's
/// arrivals are A = (n−1)s apart, from (i−1)s + X on; it begins a receive when the last is done, so with w = o_r
/// T_i = max((i−1)s + X + (k−1)·max(A, o_r), k·o_r).
pub fn linear_bcast_loop(model: &Plogp, bytes: u64, ranks: u32, rank: u32, calls: u32) -> Span {
    if ranks <= 1 {
        return Span::ZERO;
    }
    let (others, k) = (u64::from(ranks - 1), u64::from(calls));
    let interval = send_interval(model, bytes);
    let receive = model.overhead_receive.at(bytes);
    match rank {
        0 => interval * (k * others - 1) + model.overhead_send.at(bytes),
        _ => {
            let first = interval * u64::from(rank - 1) + flight(model, bytes);
            (first + (interval * others).max(receive) * (k - 1)).max(receive * k)
        }
    }
}

/// Rank i's time in one linear broadcast: t_0 = (n−2)s + o_s, t_i = max((i−1)s + L + g, o_r).
pub fn linear_bcast_time(model: &Plogp, bytes: u64, ranks: u32, rank: u32) -> Span {
    linear_bcast_loop(model, bytes, ranks, rank, 1)
}

/// Factor by which the unsynchronised loop misreports rank i of a linear broadcast; `None` if one takes no time.
pub fn linear_bcast_loop_ratio(model: &Plogp, bytes: u64, ranks: u32, rank: u32, calls: u32) -> Option<Ratio> {
    let total = linear_bcast_loop(model, bytes, ranks, rank, calls);
    loop_ratio(total, linear_bcast_time(model, bytes, ranks, rank), calls)
}

/// Rank i's time in a chain broadcast (i sends to i + 1). All receives begin at 0, so only the first can still be
/// preparing when its message comes: rank i ≥ 1 has the data at max(X, o_r) + (i−1)X; sending it on takes o_s.
pub fn chain_bcast_time(model: &Plogp, bytes: u64, ranks: u32, rank: u32) -> Span {
    let flight = flight(model, bytes);
    let forwarded = if rank + 1 < ranks { model.overhead_send.at(bytes) } else { Span::ZERO };
    let there = match rank {
        0 => Span::ZERO,
        _ => flight.max(model.overhead_receive.at(bytes)) + flight * u64::from(rank - 1),
    };
    there + forwarded
}

/// Rank i's time in a flat gather (all send to rank 0, which receives from 1, 2, … in turn): all messages are there
/// at X, receives take o_r one after the other: t_0 = max(X + (n−2)·o_r, (n−1)·o_r), t_i = o_s.
pub fn flat_gather_time(model: &Plogp, bytes: u64, ranks: u32, rank: u32) -> Span {
    let receive = model.overhead_receive.at(bytes);
    match (rank, ranks) {
        (0, ..=1) => Span::ZERO,
        (0, _) => (flight(model, bytes) + receive * u64::from(ranks - 2)).max(receive * u64::from(ranks - 1)),
        _ => model.overhead_send.at(bytes),
    }
}

/// Dissemination barrier with empty messages: in each round the send takes o_s, then the receive o_r unless the
/// message comes later, at X; g has passed by then. In all ⌈log₂ P⌉·max(L + g, o_s + o_r).
pub fn dissemination_barrier(model: &Plogp, ranks: u32) -> Span {
    let cpu = model.overhead_send.at(0) + model.overhead_receive.at(0);
    flight(model, 0).max(cpu) * rounds(ranks)
}
