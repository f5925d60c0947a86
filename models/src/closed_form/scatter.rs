//! Completion of scatters under Hockney.

use super::completion::Call;
use crate::time::Span;

pub(super) fn completion(algorithm: &str, call: &Call) -> Option<Span> {
    let shape = call.shape;
    match algorithm {
        // A busy root sends one block after another, whether it waits for each or not.
        "linear" | "linear-nonblocking" if call.busy => {
            Some((1..shape.ranks).map(|position| call.transfer(shape.block_bytes(position))).sum())
        }
        "linear" | "linear-nonblocking" => Some(call.longest_block()),
        "binomial" | "bine" if shape.counts.is_none() => call.doubling(shape.bytes),
        _ => None,
    }
}
