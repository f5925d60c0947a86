//! What a byte out of cache costs on each side of a message, beyond what it costs in cache.
//!
//! Half a ping-pong is one message: two ranks move its bytes. So the difference of half the median round trips, from
//! cold and from warm buffers, grows by twice the cost of a byte. Slopes are Theil and Sen's. Network models are fitted to
//! warm buffers, so that their own parameters hold the warm cost: beyond them a warm byte costs nothing.

use crate::statistics::{median, theil_sen};
use models::calibration::Copied;
use models::machine::{CopyEstimate, Estimate};
use models::platform::Buffer;
use std::collections::BTreeSet;

/// By increasing length: bytes, and how much longer one message takes from cold buffers, in µs.
pub(super) fn differences_us(copied: &[Copied]) -> Vec<(u64, f64)> {
    let half_us = |buffer: Buffer, bytes: u64| {
        let of = |one: &&Copied| one.buffer == buffer && one.bytes == bytes;
        let halves: Vec<f64> =
            copied.iter().filter(of).flat_map(|one| one.round_trips.iter().map(|span| span.as_us() / 2.0)).collect();
        median(&halves)
    };
    let lengths: BTreeSet<u64> = copied.iter().map(|one| one.bytes).collect();
    let difference = |bytes| Some((bytes, half_us(Buffer::Pool, bytes)? - half_us(Buffer::Same, bytes)?));
    lengths.into_iter().filter_map(difference).collect()
}

pub(super) fn copy(copied: &[Copied], confidence: f64, notes: &mut Vec<String>) -> Option<CopyEstimate> {
    let points: Vec<(f64, f64)> = differences_us(copied).into_iter().map(|(bytes, us)| (bytes as f64, us)).collect();
    let line = theil_sen(&points, confidence)?;
    let per_side_ns = |slope_us: f64| (slope_us * 1e3 / 2.0).max(0.0);
    let Estimate { value, low, high } = line.slope;
    if value <= 0.0 {
        notes.push("copy: messages from buffers out of cache took no longer than from one in cache".to_owned());
    }
    if line.reached < confidence {
        let (lengths, reached) = (points.len(), line.reached * 100.0);
        notes.push(format!("copy: {lengths} lengths reach a confidence of {reached:.0} % only"));
    }
    if line.intercept.low > 0.0 {
        let Estimate { value, low, high } = line.intercept;
        notes.push(format!(
            "copy: buffers out of cache also cost {value:.3} µs ({low:.3} to {high:.3}) per message of any length, which \
             models have no parameter for"
        ));
    }
    let cold = Estimate { value: per_side_ns(value), low: per_side_ns(low), high: per_side_ns(high) };
    let warm = Estimate { value: 0.0, low: 0.0, high: 0.0 };
    Some(CopyEstimate { warm_ns_per_byte: warm, cold_ns_per_byte: cold })
}
