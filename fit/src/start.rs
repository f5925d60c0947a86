//! Starts of a search, from the printed numbers themselves.

use crate::{Parameter, Parameters, Printed};
use statistics::median;

/// Shares of a hop, L + os + or, that L has in each of the starts: printed numbers hardly distinguish them.
const SHARES_OF_LATENCY: [f64; 3] = [0.4, 0.7, 0.95];

/// Shares of a hop's time per byte, G + O, that O has in each of the starts: errors have a valley on each side of G =
/// O.
const SHARES_OF_OVERHEAD: [f64; 2] = [0.2, 0.5];

/// Ratio of L within a switch to the usual one in all starts, where it is free.
const SHARE_OF_NEAR: f64 = 0.5;

/// Returns parameters that are of the right size. `near` says if [`Parameter::Near`] is free.
pub(crate) fn starts(rows: &[Printed], near: bool) -> Vec<Parameters> {
    let hop_us = hop_us(rows);
    let per_byte = per_byte_ns(rows);
    let start = |(share, of_overhead): (f64, f64)| {
        let overhead_us = hop_us * (1.0 - share) / 2.0;
        let of = |parameter| match parameter {
            Parameter::Latency => hop_us * share,
            Parameter::OverheadSend | Parameter::OverheadReceive | Parameter::Gap => overhead_us,
            Parameter::GapPerByte => per_byte * (1.0 - of_overhead),
            Parameter::Fetch => hop_us * 0.2,
            Parameter::OverheadPerByte => per_byte * of_overhead,
            Parameter::Near => hop_us * share * SHARE_OF_NEAR,
        };
        Parameters { values: Parameter::USUAL.map(of), near_us: near.then(|| of(Parameter::Near)) }
    };
    let pairs =
        SHARES_OF_LATENCY.into_iter().flat_map(|share| SHARES_OF_OVERHEAD.map(|of_overhead| (share, of_overhead)));
    pairs.map(start).collect()
}

/// Returns the median, over each family's shortest call, of the printed number over the longest chain of messages, in
/// µs.
fn hop_us(rows: &[Printed]) -> f64 {
    let shortest = rows.iter().map(|row| row.shape.bytes).min().unwrap_or(0);
    let hop = |row: &Printed| row.us / ((row.algorithm.cost)(&row.shape).critical.max(1) as f64);
    let hops: Vec<f64> = rows.iter().filter(|row| row.shape.bytes == shortest).map(hop).collect();
    median(&hops).unwrap_or(1.0).max(1e-3)
}

/// Returns the median over families, in ns per byte, of the extra time of longer calls over the extra bytes that they
/// moved along as many ranks as take part in turn.
fn per_byte_ns(rows: &[Printed]) -> f64 {
    let mut rates = Vec::new();
    for row in rows {
        let shorter = rows.iter().filter(|other| other.family() == row.family() && other.shape.bytes < row.shape.bytes);
        let Some(shorter) = shorter.min_by_key(|other| other.shape.bytes) else { continue };
        let moved = |row: &Printed| {
            let cost = (row.algorithm.cost)(&row.shape);
            cost.bytes as f64 / cost.messages.max(1) as f64 * cost.critical as f64
        };
        let (us, bytes) = (row.us - shorter.us, moved(row) - moved(shorter));
        if us > 0.0 && bytes > 0.0 {
            rates.push(us * 1e3 / bytes);
        }
    }
    median(&rates).unwrap_or(0.1)
}
