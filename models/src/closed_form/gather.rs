//! Completion of gathers under Hockney.

use super::completion::Call;
use crate::time::Span;

pub(super) fn completion(algorithm: &str, call: &Call) -> Option<Span> {
    match algorithm {
        "linear" => Some(call.longest_block()),
        "binomial" | "bine" if call.shape.counts.is_none() => call.doubling(call.shape.bytes),
        "linear-sync" if call.shape.counts.is_none() => Some(on_request(call)),
        _ => None,
    }
}

/// Time in which rank after rank is asked and answers with its first segment. The rest of the last block leaves with
/// its first segment or, with busy senders, after it.
fn on_request(call: &Call) -> Span {
    let shape = call.shape;
    let first = shape.segment(shape.blocks(0, 1), 0).bytes;
    let (answer, rest) = (call.transfer(first), shape.bytes - first);
    let asked = (call.transfer(0) + answer) * (call.others() - 1) + call.transfer(0);
    match (rest, call.busy) {
        (0, _) => asked + answer,
        (_, true) => asked + answer + call.transfer(rest),
        (_, false) => asked + answer.max(call.transfer(rest)),
    }
}
