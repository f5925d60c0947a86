//! Closed forms that simulations must meet to the picosecond.

mod barrier;
mod bcast;
mod completion;
mod gather;
mod reduce;
mod scatter;

pub use completion::completion;

use crate::network::LogGp;
use crate::time::Span;

/// Exact ratio of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Numerator.
    pub over: u64,
    /// Denominator, not zero.
    pub under: u64,
}

impl Ratio {
    /// The nearest f64.
    pub fn value(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

/// True time of rank i in one linear broadcast from rank 0 under Hockney with busy senders,
/// τ = α + mβ: t₀ = (n−1)τ, t_i = iτ (Kurnosov 2012, figure 4).
pub fn linear_bcast_time(tau: Span, ranks: u32, rank: u32) -> Span {
    tau * u64::from(if rank == 0 { ranks - 1 } else { rank })
}

/// What k unsynchronised linear broadcasts in a row take on rank i, in all: T_i·k = (i + (k−1)(n−1))·τ
/// for i ≥ 1, k(n−1)τ for the root (Kurnosov 2012, figure 5).
pub fn linear_bcast_loop(tau: Span, ranks: u32, rank: u32, repetitions: u32) -> Span {
    let (n, i, k) = (u64::from(ranks), u64::from(rank), u64::from(repetitions));
    tau * if i == 0 { k * (n - 1) } else { i + (k - 1) * (n - 1) }
}

/// By how much the unsynchronised loop misreports rank i of a linear broadcast:
/// r_i = T_i / t_i = (i + (k−1)(n−1)) / (k·i), and 1 for the root (Kurnosov 2012).
pub fn linear_bcast_loop_ratio(ranks: u32, rank: u32, repetitions: u32) -> Ratio {
    let (n, i, k) = (u64::from(ranks), u64::from(rank), u64::from(repetitions));
    if i == 0 { Ratio { over: 1, under: 1 } } else { Ratio { over: i + (k - 1) * (n - 1), under: k * i } }
}

/// Dissemination barrier under LogGP, all ranks entering together, g ≤ L + 2o: ⌈log₂ P⌉ rounds of L + 2o
/// (zero-byte messages).
pub fn dissemination_barrier(model: &LogGp, ranks: u32) -> Span {
    model.one_message(0) * u64::from(ranks.next_power_of_two().trailing_zeros())
}

/// When position v (≥ 1, counted from the root) of a binomial broadcast over P = 2^h ranks has the data, under
/// LogGP: each of its popcount(v) hops costs o + B·G + L + o, and it or an ancestor waited
/// s = max(o, g + B·G) for each earlier send on the way: h − ctz(v) − popcount(v) of them.
pub fn binomial_bcast_arrival(model: &LogGp, log2_ranks: u32, position: u32, bytes: u64) -> Span {
    let hops = position.count_ones();
    let earlier_sends = log2_ranks - position.trailing_zeros() - hops;
    let between_sends = model.overhead_send.max(model.gap + model.stretch(bytes));
    model.one_message(bytes) * u64::from(hops) + between_sends * u64::from(earlier_sends)
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
