//! Closed forms under Hockney's model, τ = α + mβ, by send rule.

use super::{Ratio, rounds};
use crate::network::{Hockney, SendRule};
use crate::time::Span;

/// True time of rank i in one linear broadcast from rank 0 under Hockney with busy senders,
/// τ = α + mβ: t₀ = (n−1)τ, t_i = iτ (Kurnosov 2012, figure 4).
pub fn linear_bcast_time(tau: Span, ranks: u32, rank: u32) -> Span {
    tau * u64::from(if rank == 0 { ranks - 1 } else { rank })
}

/// Total time of k unsynchronised linear broadcasts in a row on rank i: T_i·k = (i + (k−1)(n−1))·τ for i ≥ 1, k(n−1)τ
/// for the root (Kurnosov 2012, figure 5).
pub fn linear_bcast_loop(tau: Span, ranks: u32, rank: u32, calls: u32) -> Span {
    let (n, i, k) = (u64::from(ranks), u64::from(rank), u64::from(calls));
    tau * if i == 0 { k * (n - 1) } else { i + (k - 1) * (n - 1) }
}

/// Factor by which the unsynchronised loop misreports rank i of a linear broadcast: r_i = T_i / t_i = (i + (k−1)(n−1))
/// / (k·i), and 1 for the root (Kurnosov 2012).
pub fn linear_bcast_loop_ratio(ranks: u32, rank: u32, calls: u32) -> Ratio {
    let (n, i, k) = (u64::from(ranks), u64::from(rank), u64::from(calls));
    if i == 0 { Ratio { over: 1, under: 1 } } else { Ratio { over: i + (k - 1) * (n - 1), under: k * i } }
}

/// Total time of k unsynchronised linear broadcasts on rank i, under any send rule.
///
/// - Busy and synchronous: [`linear_bcast_loop`]; a receiver is back long before the root comes round again, so
///   the synchronous root never waits.
/// - Detached: the root's sends all begin at 0; rank i receives one after the other, τ each: kτ.
/// - Eager: all messages are there at τ, and receiving costs nothing: τ.
///
/// Where the root waits for nothing its own time is 0.
pub fn linear_bcast_loop_by_rule(model: &Hockney, bytes: u64, ranks: u32, rank: u32, calls: u32) -> Span {
    let tau = model.transfer(bytes);
    match (model.send_rule, rank) {
        (SendRule::Busy | SendRule::Synchronous, _) => linear_bcast_loop(tau, ranks, rank, calls),
        (SendRule::Detached | SendRule::Eager, 0) => Span::ZERO,
        (SendRule::Detached, _) => tau * u64::from(calls),
        (SendRule::Eager, _) => tau,
    }
}

/// Rank i's time in a chain broadcast (i sends to i + 1): the data is there at iτ; an inner rank whose rule makes it
/// wait for its transfer returns τ later.
pub fn chain_bcast_time(model: &Hockney, bytes: u64, ranks: u32, rank: u32) -> Span {
    let forwards = rank + 1 < ranks;
    let waits = match model.send_rule {
        SendRule::Busy | SendRule::Synchronous => forwards,
        SendRule::Detached | SendRule::Eager => false,
    };
    model.transfer(bytes) * (u64::from(rank) + u64::from(waits))
}

/// Rank i's time in a flat gather (all send to rank 0, which receives from 1, 2, … in turn).
///
/// - Busy, eager: all messages travel at once and are there at τ; a busy sender is free then, an eager one at 0.
/// - Synchronous, detached: each transfer waits for its receive, so the i-th ends at iτ and rank 0 returns at
///   (n−1)τ; a synchronous sender is held until iτ, a detached one not at all.
pub fn flat_gather_time(model: &Hockney, bytes: u64, ranks: u32, rank: u32) -> Span {
    let tau = model.transfer(bytes);
    let others = u64::from(ranks - 1);
    match (model.send_rule, rank) {
        (SendRule::Busy | SendRule::Eager, 0) => tau * others.min(1),
        (SendRule::Synchronous | SendRule::Detached, 0) => tau * others,
        (SendRule::Busy, _) => tau,
        (SendRule::Synchronous, _) => tau * u64::from(rank),
        (SendRule::Detached | SendRule::Eager, _) => Span::ZERO,
    }
}

/// Dissemination barrier: every round is one exchange of empty messages, α under every send rule, so ⌈log₂ P⌉·α.
pub fn dissemination_barrier(model: &Hockney, ranks: u32) -> Span {
    model.transfer(0) * rounds(ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_example_is_reproduced() {
        // n = 4, k = 4: r_1 = 10/4, r_2 = 11/8, r_3 = 1.
        let ratios: Vec<f64> = (1..4).map(|i| linear_bcast_loop_ratio(4, i, 4).value()).collect();
        assert_eq!(ratios, [2.5, 1.375, 1.0]);
        assert_eq!(linear_bcast_loop(Span(7), 4, 1, 4), Span(70));
        assert_eq!(linear_bcast_time(Span(7), 4, 0), Span(21));
    }
}
