//! Completion of barriers under Hockney: multiples of α.

use super::completion::Call;
use crate::time::Span;

pub(super) fn completion(algorithm: &str, call: &Call) -> Option<Span> {
    let (ranks, rounds) = (u64::from(call.shape.ranks), u64::from(call.shape.log2_floor()));
    let beyond = ranks - (1 << rounds);
    let alphas = match algorithm {
        // All reports arrive together; a busy root releases one rank after another.
        "linear" => 1 + if call.busy { call.others() } else { 1 },
        // Up the tree each rank sends once. Down it a busy rank sends to its children in turn.
        "tree" => rounds + if call.busy { u64::from(call.shape.log2_ceil()) } else { rounds },
        "double-ring" => 2 * ranks,
        "recursive-doubling" => match beyond {
            0 => rounds,
            // With eager sends a rank that had no report to wait for is a round ahead of its partner, and stays so
            // unless it is one of those that release another.
            _ if !call.busy && 2 * beyond <= 1 << rounds => rounds + 1,
            _ => rounds + 2,
        },
        "dissemination" => u64::from(call.shape.log2_ceil()),
        "n-way-dissemination" => n_way(call),
        _ => return None,
    };
    Some(call.transfer(0) * alphas)
}

/// Returns the multiple of α for an n-way dissemination: round i has the distances j·(n+1)^i < P, j = 1 … n, and with
/// busy senders each message takes its time.
fn n_way(call: &Call) -> u64 {
    let ways = u64::from(call.shape.fanout_or(2));
    let distances = std::iter::successors(Some(1u64), |distance| Some(distance.saturating_mul(ways + 1)));
    distances
        .take_while(|distance| *distance <= call.others())
        .map(|distance| if call.busy { ways.min(call.others() / distance) } else { 1 })
        .sum()
}
