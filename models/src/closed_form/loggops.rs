//! Closed forms under LogGOPS, and so under LogGP and LogP. B = max(bytes − 1, 0).
//!
//! Used throughout: c, what a send keeps its CPU ([`LogGops::sending`]: o_s + B·O if eager); X, from the begin of a
//! send to the arrival, the receiver waiting ([`LogGops::leaving`] + L); ρ = o_r + B·O, what a receive costs; γ = g +
//! B·G, the least distance of two sends or two receives. One message: M = X + ρ.
//!
//! A sequence x_j = max(a_j, x_{j−1} + w) with a_j = a_0 + j·A is x_j = a_0 + j·max(A, w): the slower of the two
//! rates wins, because max over i of (a_i + (j − i)·w) is reached at one end.

use super::{Ratio, loop_ratio, rounds};
use crate::network::{LogGops, Rendezvous};
use crate::time::Span;

/// Returns γ, the least distance of two sends or two receives.
fn gap(model: &LogGops, bytes: u64) -> Span {
    model.gap + model.stretch(bytes)
}

/// max(c, γ): the distance of two sends in a row of one rank, the receivers waiting. The next begins when the CPU is
/// free and the gap has passed.
pub fn send_interval(model: impl Into<LogGops>, bytes: u64) -> Span {
    let model = model.into();
    model.sending(bytes).max(gap(&model, bytes))
}

/// Rank i's time in one linear broadcast. The root's sends begin at 0, s, 2s, … with s = max(c, γ): the one to i at
/// (i−1)s, so t_i = (i−1)s + M, and the root is free c after its last: t_0 = (n−2)s + c. Rendezvous included: all
/// receives are posted at 0.
pub fn linear_bcast_time(model: impl Into<LogGops>, bytes: u64, ranks: u32, rank: u32) -> Span {
    let model = model.into();
    let interval = send_interval(model, bytes);
    match (rank, ranks) {
        (0, ..=1) => Span::ZERO,
        (0, _) => interval * u64::from(ranks - 2) + model.sending(bytes),
        _ => interval * u64::from(rank - 1) + model.one_message(bytes),
    }
}

/// Total time of k unsynchronised linear broadcasts on rank i; `None` for messages that wait for their receiver.
///
/// The root's k(n−1) sends are s apart: T_0 = (k(n−1)−1)s + c. Rank i's arrivals are A = (n−1)s apart, from
/// (i−1)s + X on; its receives at least w = max(ρ, γ): the last begins at (i−1)s + X + (k−1)·max(A, w), and
/// takes ρ.
pub fn linear_bcast_loop(model: impl Into<LogGops>, bytes: u64, ranks: u32, rank: u32, calls: u32) -> Option<Span> {
    let model = model.into();
    if model.is_rendezvous(bytes) {
        return None;
    }
    if ranks <= 1 {
        return Some(Span::ZERO);
    }
    let (others, k) = (u64::from(ranks - 1), u64::from(calls));
    let interval = send_interval(model, bytes);
    Some(match rank {
        0 => interval * (k * others - 1) + model.sending(bytes),
        _ => {
            let between = (interval * others).max(model.receiving(bytes)).max(gap(&model, bytes));
            linear_bcast_time(model, bytes, ranks, rank) + between * (k - 1)
        }
    })
}

/// Factor by which the unsynchronised loop misreports rank i of a linear broadcast: [`linear_bcast_loop`] over k times
/// [`linear_bcast_time`]. It tends to max((n−1)s, w)/t_i: below 1 for late ranks, whose latency the loop hides.
pub fn linear_bcast_loop_ratio(
    model: impl Into<LogGops>,
    bytes: u64,
    ranks: u32,
    rank: u32,
    calls: u32,
) -> Option<Ratio> {
    let model = model.into();
    let total = linear_bcast_loop(model, bytes, ranks, rank, calls)?;
    loop_ratio(total, linear_bcast_time(model, bytes, ranks, rank), calls)
}

/// Dissemination barrier with empty messages, h = ⌈log₂ P⌉ rounds. B = 0, so neither G nor O counts.
///
/// All ranks are alike. Round j's send begins at b_j; its message is there at b_j + o_s + L, after the CPU is free, and
/// is received by b_j + M; so b_{j+1} = b_j + max(M, g). Receives are as far apart as sends, so their gap never binds.
/// In all (h−1)·max(M, g) + M: h·(L + o_s + o_r) if g ≤ L + o_s + o_r.
pub fn dissemination_barrier(model: impl Into<LogGops>, ranks: u32) -> Span {
    let model = model.into();
    let message = model.one_message(0);
    match rounds(ranks) {
        0 => Span::ZERO,
        rounds => message.max(model.gap) * (rounds - 1) + message,
    }
}

/// Time at which position v (≥ 1, counted from the root) of a binomial broadcast over P = 2^h ranks has the data: each
/// of its popcount(v) hops costs M, and it or an ancestor waited s = max(c, γ) for each earlier send on the way: h −
/// ctz(v) − popcount(v) of them.
pub fn binomial_bcast_arrival(model: impl Into<LogGops>, log2_ranks: u32, position: u32, bytes: u64) -> Span {
    let model = model.into();
    let hops = position.count_ones();
    let earlier_sends = log2_ranks - position.trailing_zeros() - hops;
    model.one_message(bytes) * u64::from(hops) + send_interval(model, bytes) * u64::from(earlier_sends)
}

/// Rank i's time in a chain broadcast (i sends to i + 1): it has the data after i messages, iM, and then sends on,
/// if somebody follows: iM + c. Rendezvous included: all receives are posted at 0.
pub fn chain_bcast_time(model: impl Into<LogGops>, bytes: u64, ranks: u32, rank: u32) -> Span {
    let model = model.into();
    let forwarded = if rank + 1 < ranks { model.sending(bytes) } else { Span::ZERO };
    model.one_message(bytes) * u64::from(rank) + forwarded
}

/// The last rank's time in a chain broadcast of q segments of `bytes` each, received and sent on one after the
/// other; none for segments that wait for their receiver.
///
/// An inner rank's cycle is one receive and one send: w = max(ρ + c, γ), never faster than the root's max(c, γ). Let
/// b_{i,j} be the begin of rank i's send of segment j: b_{1,j} = X + ρ + j·w, and by induction b_{i,j} = i(X + ρ) +
/// j·w. So the last segment is there after (n−1)M + (q−1)w. With two ranks nobody forwards: w = max(c, ρ, γ).
pub fn pipelined_chain_bcast_time(model: impl Into<LogGops>, bytes: u64, ranks: u32, segments: u32) -> Option<Span> {
    let model = model.into();
    if model.is_rendezvous(bytes) {
        return None;
    }
    let (send, receive) = (model.sending(bytes), model.receiving(bytes));
    let cycle = match ranks {
        ..=1 => return Some(Span::ZERO),
        2 => send.max(receive),
        _ => send + receive,
    };
    let cycle = cycle.max(gap(&model, bytes));
    Some(model.one_message(bytes) * u64::from(ranks - 1) + cycle * u64::from(segments - 1))
}

/// Rank i's time in a flat gather (all send to rank 0, which receives from 1, 2, … in turn).
///
/// Eager: all messages are there at X; receives are w = max(ρ, γ) apart: t_0 = X + (n−2)w + ρ, and senders are free
/// at c. Rendezvous: a receive is posted when the one before is done, and its data leave no earlier (one L later, if
/// the answer travels): from receive to receive w = max(ρ + D, γ), D = B·max(G, O) + L (+ L). Sender 1 is
/// free when X − L has passed, sender i ≥ 2 when its data has left: X + (i−2)w + ρ + D − L.
pub fn flat_gather_time(model: impl Into<LogGops>, bytes: u64, ranks: u32, rank: u32) -> Span {
    let model = model.into();
    if ranks <= 1 {
        return Span::ZERO;
    }
    let (arrival, receive) = (model.leaving(bytes) + model.latency, model.receiving(bytes));
    let answered = match model.rendezvous {
        _ if !model.is_rendezvous(bytes) => None,
        Rendezvous::Match => Some(Span::ZERO),
        Rendezvous::RoundTrip => Some(model.latency),
    };
    // From a receive's posting to its last byte's departure, where that waits.
    let left = answered.map(|answer| answer + model.stretch(bytes).max(model.handling(bytes)));
    let flight = left.map_or(Span::ZERO, |left| left + model.latency);
    let between = (receive + flight).max(gap(&model, bytes));
    match (rank, left) {
        (0, _) => arrival + between * u64::from(ranks - 2) + receive,
        (1, _) | (_, None) => model.sending(bytes),
        (_, Some(left)) => arrival + between * u64::from(rank - 2) + receive + left,
    }
}
