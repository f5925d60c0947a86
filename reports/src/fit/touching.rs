//! From timed touches of memory to what reading, writing, copying and combining cost by who holds the lines.
//!
//! | cost | half a round trip, or what rank 0 does alone |
//! |---|---|
//! | fetch | what is sent was rewritten, less the same never rewritten |
//! | claim | copying over what the peer has just read, less copying |
//! | claim of a message | what was just received is sent on, less what was rewritten: it is received over what the peer has read |
//! | duplex | both ways at once, less what either way takes without the other |
//! | load | what is sent was flushed, less the same |
//! | fill | where it is received was flushed, less the same |
//! | start | a whole round trip of the shortest length after a wait, less the same without |
//! | call | half of two broadcasts of the shortest length, less the same by messages |
//! | copy, combine | itself |
//!
//! A difference of medians has the root of the sum of both intervals' squares around it; one below nothing is nothing.

use super::lengths::Length;
use crate::states::ALIKE;
use crate::statistics::{median, median_with_interval};
use models::calibration::{Sample, TimedTouch, Touch};
use models::machine::{Estimate, LinesPoint, LocalPoint};
use std::collections::BTreeSet;

/// How long a cache line took from one neighbour to the other, in ns, if all looks around the samples agree.
pub(super) fn line_ns(samples: &[Sample]) -> Option<f64> {
    let lines = samples.iter().filter_map(Sample::looked).filter_map(|look| Some(look.line?.0 as f64 / 1e3));
    let lines: Vec<f64> = lines.collect();
    let (least, most) = lines.iter().fold((f64::MAX, 0.0f64), |(least, most), &ns| (least.min(ns), most.max(ns)));
    median(&lines).filter(|_| most <= least * ALIKE)
}

/// What was found of one touch and length, in µs.
fn one_us(timed: &[&TimedTouch], touch: Touch, bytes: u64, confidence: f64) -> Option<Estimate> {
    let of = |touch: Touch, bytes: u64| {
        let all = timed.iter().filter(move |one| one.touch == touch && one.bytes == bytes);
        let times = all.clone().map(|one| one.times).max()?;
        let us: Vec<f64> = all.flat_map(|one| one.spans.iter().map(|span| span.as_us())).collect();
        Some((f64::from(times), median_with_interval(&us, confidence)?.estimate))
    };
    let (times, found) = of(touch, bytes)?;
    let reading = of(Touch::Reading, bytes).map_or(0.0, |(_, reading)| reading.value);
    let per = |us: f64| ((us - reading) / times).max(0.0);
    Some(Estimate { value: per(found.value), low: per(found.low), high: per(found.high) })
}

/// How much longer one is than the other; never less than nothing.
fn less(one: Estimate, other: Estimate) -> Estimate {
    let value = one.value - other.value;
    let down = (one.value - one.low).hypot(other.high - other.value);
    let up = (one.high - one.value).hypot(other.value - other.low);
    Estimate { value: value.max(0.0), low: (value - down).max(0.0), high: (value + up).max(0.0) }
}

fn lengths(timed: &[&TimedTouch]) -> BTreeSet<u64> {
    timed.iter().map(|one| one.bytes).filter(|&bytes| bytes > 0).collect()
}

/// By length, what touches cost beyond those of memory that the rank holds alone.
pub(super) fn lines(timed: &[&TimedTouch], known: &[Length], confidence: f64) -> Vec<LinesPoint> {
    let point = |bytes: u64| {
        let of = |touch| one_us(timed, touch, bytes, confidence);
        let (same, rewritten) = (of(Touch::Same)?, of(Touch::Rewritten)?);
        let beyond = |touch, other| of(touch).map_or(Estimate::exactly(0.0), |found| less(found, other));
        let length = known.iter().find(|length| length.bytes == bytes);
        let either_us = length.and_then(either_us).map_or(same.value, |us| us.max(same.value));
        let copied = of(Touch::Copied).unwrap_or(Estimate::exactly(0.0));
        Some(LinesPoint {
            bytes,
            fetch_us: less(rewritten, same),
            claim_us: beyond(Touch::CopiedOver, copied),
            claim_received_us: beyond(Touch::Forwarded, rewritten),
            duplex_us: beyond(Touch::BothWays, Estimate::exactly(either_us)),
            load_us: beyond(Touch::SentFlushed, same),
            fill_us: beyond(Touch::ReceivedFlushed, same),
        })
    };
    lengths(timed).into_iter().filter_map(point).collect()
}

/// What the shortest message takes longer after a wait, and what the library's call takes beyond it.
pub(super) fn around(timed: &[&TimedTouch], confidence: f64) -> (Option<Estimate>, Option<Estimate>) {
    let Some(&bytes) = lengths(timed).first() else { return (None, None) };
    let of = |touch| one_us(timed, touch, bytes, confidence);
    let Some(same) = of(Touch::Same) else { return (None, None) };
    let whole = Estimate { value: same.value * 2.0, low: same.low * 2.0, high: same.high * 2.0 };
    let start = of(Touch::Started).map(|started| less(started, whole));
    (start, of(Touch::Called).map(|called| less(called, same)))
}

/// How long a rank at least takes that sends and receives at the same time, if neither holds up the other: what its CPU
/// does for both, or until its send has been answered.
fn either_us(length: &Length) -> Option<f64> {
    let receive_us = length.receive_us?;
    if length.waits { Some(length.late_send_us?.max(receive_us)) } else { Some(length.send_us? + receive_us) }
}

/// By length, what a rank does within its memory.
pub(super) fn local(timed: &[&TimedTouch], confidence: f64) -> Vec<LocalPoint> {
    let point = |bytes: u64| {
        let of = |touch| one_us(timed, touch, bytes, confidence);
        Some(LocalPoint {
            bytes,
            copy_us: of(Touch::Copied)?,
            to_self_us: of(Touch::ToSelf),
            combine_us: of(Touch::Combined)?,
            combine_by_library_us: of(Touch::CombinedByLibrary),
        })
    };
    lengths(timed).into_iter().filter_map(point).collect()
}
