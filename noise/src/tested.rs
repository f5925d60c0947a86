//! Answers of ranks that recorded noise, or that worked under it.

use crate::{collected, proved};
use render::summary::Summary;
use scenario::store::{TaskResult, Tested};

/// Summarises the recordings of ranks, or the proof for which they were made, where there is one.
pub fn summary(all: &[&Tested]) -> Summary {
    let proof = all.iter().copied().find_map(|tested| match &tested.found {
        TaskResult::Proved { points } => Some((tested, points)),
        _ => None,
    });
    match proof {
        Some((tested, points)) => proved::summary(all, tested, points),
        None => collected::summary(all),
    }
}
