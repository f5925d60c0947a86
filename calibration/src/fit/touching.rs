//! From timed touches of memory to what reading, writing, copying and combining cost by who holds the lines.
//!
//! | cost | half a round trip, or what rank 0 does alone |
//! |---|---|
//! | fetch | what is sent was rewritten, less the same never rewritten |
//! | reread | half a round trip of what is never rewritten, less what was rewritten, of messages copied once |
//! | refetch | copying out of what was rewritten and the peer has just read, less copying |
//! | claim | copying over what the peer has just read, less copying |
//! | claim of what is shared | the same, once it was read again, less copying |
//! | claim of a message | what was just received is sent on, less what was rewritten: it is received over what the peer has read |
//! | claim of a message, shared | the same, once either rank has read again what it had sent: in one of two messages |
//! | claim by combining | combining into what the peer has just read, less combining |
//! | duplex | both ways at once after a wait, less what either way takes without the other after a wait |
//! | after a wait | a message after a wait of both ranks, from the first start to the last end, less the same without, less start |
//! | load | what is sent was flushed, less the same; less what was rewritten, where reading again takes longer |
//! | fill | where it is received was flushed, less the same |
//! | load and fill | both were flushed, as load |
//! | duplex fetch | both ways at once of what both have rewritten, less the same never rewritten, less fetch |
//! | duplex claim | both ways at once of what each has just received, over what the other has just taken, less of what both have rewritten, less claim of a message |
//! | start | a message of the shortest length after a wait of both ranks, from the first start to the last end, less the same without; or all of a round trip |
//! | call | a broadcast of the shortest length after a wait of both ranks, less a message after a wait; or half of two, less the same by messages |
//! | reducing call | a reduction of the shortest length to both ranks, less both ways at once |
//! | both through cells | in windows: the same, less a copy on either rank and each way of a cache line between them |
//! | copy, combine, page fault | itself |
//!
//! A difference of medians has the root of the sum of both intervals' squares around it; one below nothing is nothing.

use super::lengths::Length;
use models::call::Element;
use programs::calibration::{TimedTouch, Touch};
use programs::machine::{ElementPoint, Estimate, LinesPoint, LocalPoint, TransferPoint};
use statistics::{median_with_interval, trimmed_mean};
use std::collections::BTreeSet;

/// Timed touches of memory, with the time that is subtracted from each.
pub(super) struct Timed<'a> {
    /// Touches of all calibrations.
    pub touches: Vec<&'a TimedTouch>,
    /// Duration of a reading of the clock, which each time contains, in µs.
    pub read_us: f64,
    /// Confidence level of all intervals.
    pub confidence: f64,
}

impl Timed<'_> {
    /// Returns the time of one touch and length, in µs. Where clocks go in steps that are a share of the timed
    /// duration, the middle half's mean is more precise than the median.
    fn one_us(&self, touch: Touch, bytes: u64) -> Option<Estimate> {
        let all = self.touches.iter().filter(|one| one.touch == touch && one.bytes == bytes);
        let times = f64::from(all.clone().map(|one| one.times).max()?);
        let us: Vec<f64> = all.flat_map(|one| one.spans.iter().map(|span| span.as_us())).collect();
        let found = median_with_interval(&us, self.confidence)?.estimate;
        let per = |us: f64| ((us - self.read_us) / times).max(0.0);
        let value = per(trimmed_mean(&us, 0.25)?.value);
        Some(Estimate { value, low: per(found.low).min(value), high: per(found.high).max(value) })
    }

    /// Returns the number of touches that each time contains: one where they were timed in windows; `None` where none
    /// was timed.
    fn times(&self, touch: Touch, bytes: u64) -> Option<u32> {
        self.touches.iter().find(|one| one.touch == touch && one.bytes == bytes).map(|one| one.times)
    }

    fn lengths(&self) -> BTreeSet<u64> {
        self.touches.iter().map(|one| one.bytes).filter(|&bytes| bytes > 0).collect()
    }
}

/// Returns the difference of two times, never less than 0.
fn less(one: Estimate, other: Estimate) -> Estimate {
    let value = one.value - other.value;
    let down = (one.value - one.low).hypot(other.high - other.value);
    let up = (one.high - one.value).hypot(other.value - other.low);
    Estimate { value: value.max(0.0), low: (value - down).max(0.0), high: (value + up).max(0.0) }
}

fn plus(one: Estimate, other: Estimate) -> Estimate {
    let down = (one.value - one.low).hypot(other.value - other.low);
    let up = (one.high - one.value).hypot(other.high - other.value);
    let value = one.value + other.value;
    Estimate { value, low: value - down, high: value + up }
}

/// Returns the claim of shared lines: of a round trip's two messages one is received over lines that both ranks hold,
/// and one over lines that the other rank has just taken.
fn received_shared(shared: Estimate, rewritten: Estimate, forwarded: Estimate) -> Estimate {
    let twice = |us: f64| us * 2.0;
    let both = Estimate { value: twice(shared.value), low: twice(shared.low), high: twice(shared.high) };
    let sum = Estimate {
        value: rewritten.value + forwarded.value,
        low: rewritten.low + forwarded.low,
        high: rewritten.high + forwarded.high,
    };
    less(both, sum)
}

/// Share of a copy by which writing lines that another rank has read takes longer at least.
const TAKEN_BACK: f64 = 0.5;

/// Returns the lengths at which a sender that writes again into a sent buffer has to take it back from the receiver.
pub(super) fn taken_back(timed: &Timed) -> Vec<u64> {
    let claim_us = |bytes| {
        let [over, copied] = [Touch::CopiedOver, Touch::Copied].map(|touch| timed.one_us(touch, bytes));
        Some((over?.value - copied?.value, copied?.value))
    };
    let lengths = timed.lengths();
    let Some((always_us, _)) = lengths.first().and_then(|&bytes| claim_us(bytes)) else { return Vec::new() };
    let is_taken =
        |&bytes: &u64| claim_us(bytes).is_some_and(|(us, copied_us)| us - always_us > TAKEN_BACK * copied_us);
    lengths.into_iter().filter(is_taken).collect()
}

/// Returns the additional time of a message copied once where its sender has not rewritten it, by length; `None` unless
/// it exceeds both intervals.
fn reread(half: Estimate, rewritten: Estimate, above: Option<u64>, bytes: u64) -> Option<Estimate> {
    (above.is_some_and(|above| bytes > above) && half.low > rewritten.high).then(|| less(half, rewritten))
}

/// Returns by length the costs of touches beyond those of memory that the rank holds alone.
pub(super) fn lines(timed: &Timed, known: &[Length], halves: &[TransferPoint], above: Option<u64>) -> Vec<LinesPoint> {
    let shortest = timed.lengths().first().copied();
    let started_us = shortest.and_then(|bytes| start(timed, known, bytes)).map_or(0.0, |start| start.value);
    let point = |bytes: u64| {
        let of = |touch| timed.one_us(touch, bytes);
        let (same, rewritten) = (of(Touch::Same)?, of(Touch::Rewritten)?);
        let beyond = |touch, other| of(touch).map_or(Estimate::exactly(0.0), |found| less(found, other));
        let length = known.iter().find(|length| length.bytes == bytes);
        let after_wait = after_wait(timed, length, started_us, bytes).unwrap_or(Estimate::exactly(0.0));
        let message_us = length.map_or(same.value, alone_us) + after_wait.value;
        let either_us = length.and_then(both_us).map_or(message_us, |us| us.max(message_us));
        let alone = Estimate::exactly(either_us + started_us);
        let over = |over, warm| Some(less(of(over)?, of(warm)?));
        let forwarded = of(Touch::Forwarded).unwrap_or(rewritten);
        let copied = of(Touch::Copied).unwrap_or(Estimate::exactly(0.0));
        let (fetch, claim_received) = (less(rewritten, same), less(forwarded, rewritten));
        let half = halves.iter().find(|half| half.bytes == bytes).map_or(same, |half| half.half_round_trip_us);
        let reread = reread(half, rewritten, above, bytes);
        let read_first = if reread.is_some() { rewritten } else { same };
        let reread = reread.unwrap_or(Estimate::exactly(0.0));
        Some(LinesPoint {
            bytes,
            fetch_us: fetch,
            refetch_us: beyond(Touch::CopiedFrom, copied),
            claim_us: beyond(Touch::CopiedOver, copied),
            claim_shared_us: over(Touch::CopiedOverShared, Touch::Copied),
            claim_received_us: claim_received,
            claim_received_shared_us: of(Touch::ForwardedShared)
                .map(|shared| received_shared(shared, rewritten, forwarded)),
            claim_combined_us: over(Touch::CombinedOver, Touch::Combined),
            claim_combined_by_library_us: over(Touch::CombinedOverByLibrary, Touch::CombinedByLibrary),
            duplex_us: beyond(Touch::BothWays, alone),
            after_wait_us: after_wait,
            load_us: beyond(Touch::SentFlushed, read_first),
            fill_us: beyond(Touch::ReceivedFlushed, same),
            load_fill_us: of(Touch::BothFlushed).map(|both| less(both, read_first)),
            reread_us: reread,
            duplex_claim_us: over(Touch::BothWaysForwarded, Touch::BothWaysRewritten)
                .map_or(Estimate::exactly(0.0), |both| less(both, claim_received)),
            duplex_fetch_us: of(Touch::BothWays).map_or(Estimate::exactly(0.0), |both| {
                beyond(Touch::BothWaysRewritten, plus(less(both, reread), fetch))
            }),
        })
    };
    timed.lengths().into_iter().filter_map(point).collect()
}

/// Returns the time of a page fault, from the longest memory, beside which the calls to the system take no time.
pub(super) fn page_fault(timed: &Timed) -> Option<Estimate> {
    timed.lengths().into_iter().filter_map(|bytes| timed.one_us(Touch::Renewed, bytes)).next_back()
}

/// Returns the additional time of the shortest message after a wait, of the library's call beyond it, and of a
/// combining call beyond an exchange. `line_us` is the time of a cache line, given where both calls pass through cells
/// in place of messages.
pub(super) fn around(timed: &Timed, known: &[Length], line_us: Option<f64>) -> [Option<Estimate>; 3] {
    let Some(&bytes) = timed.lengths().first() else { return [None; 3] };
    let of = |touch| timed.one_us(touch, bytes);
    let in_windows = timed.times(Touch::Called, bytes) == Some(1);
    if let (Some(line_us), Some(copied)) = (line_us.filter(|_| in_windows), of(Touch::Copied)) {
        let through = |ways: f64| Estimate::exactly(2.0 * copied.value + ways * line_us);
        let beyond = |touch, ways| of(touch).map(|called| less(called, through(ways)));
        return [start(timed, known, bytes), beyond(Touch::Called, 1.0), beyond(Touch::CalledReducing, 2.0)];
    }
    // In windows both begin with a start.
    let alone = if in_windows { Touch::Started } else { Touch::Same };
    let call = of(Touch::Called).zip(of(alone)).map(|(called, alone)| less(called, alone));
    let reducing = of(Touch::CalledReducing).zip(of(Touch::BothWays)).map(|(called, both)| less(called, both));
    [start(timed, known, bytes), call, reducing]
}

/// Returns a start alone: the rest of a message's time beyond its prediction.
fn start(timed: &Timed, known: &[Length], bytes: u64) -> Option<Estimate> {
    let times = timed.times(Touch::Started, bytes)?;
    let of = |touch| timed.one_us(touch, bytes);
    let length = known.iter().find(|length| length.bytes == bytes);
    let alone = length.map_or(of(Touch::Same)?, |length| Estimate::exactly(length.one_way_us));
    let one = less(of(Touch::Started)?, alone);
    let all = |us: f64| us * f64::from(times);
    Some(Estimate { value: all(one.value), low: all(one.low), high: all(one.high) })
}

/// Returns the time of a message between ranks that begin at the same time, until both are done: a sender that waits
/// may be the later one.
fn alone_us(length: &Length) -> f64 {
    let sent_us = length.late_send_us.filter(|_| length.waits).unwrap_or(0.0);
    length.one_way_us.max(sent_us)
}

/// Returns the additional time of messages of a length after a wait, beyond a start. `None` where no such message was
/// timed.
fn after_wait(timed: &Timed, length: Option<&Length>, started_us: f64, bytes: u64) -> Option<Estimate> {
    let times = timed.times(Touch::Started, bytes)?;
    // Half a round trip does not contain the waiting of its senders.
    let message_us = if times == 1 { alone_us(length?) } else { length?.one_way_us };
    let alone_us = message_us + started_us / f64::from(times);
    Some(less(timed.one_us(Touch::Started, bytes)?, Estimate::exactly(alone_us)))
}

/// Returns the least CPU time of a rank that sends and receives at the same time, if neither holds up the other.
fn both_us(length: &Length) -> Option<f64> {
    let receive_us = length.receive_us?;
    if length.waits { Some(receive_us) } else { Some(length.send_us? + receive_us) }
}

/// Returns the library's time for combining elements other than bytes.
fn element_point(timed: &Timed, touch: Touch, bytes: u64) -> Option<ElementPoint> {
    let element = touch.element().filter(|element| *element != Element::Byte)?;
    Some(ElementPoint { element, us: timed.one_us(touch, bytes)? })
}

/// Returns by length the times of a rank's operations within its memory.
pub(super) fn local(timed: &Timed) -> Vec<LocalPoint> {
    let point = |bytes: u64| {
        let of = |touch| timed.one_us(touch, bytes);
        Some(LocalPoint {
            bytes,
            copy_us: of(Touch::Copied)?,
            to_self_us: of(Touch::ToSelf),
            combine_us: of(Touch::Combined)?,
            combine_by_library_us: of(Touch::CombinedByLibrary),
            combine_elements: Touch::all().filter_map(|touch| element_point(timed, touch, bytes)).collect(),
        })
    };
    timed.lengths().into_iter().filter_map(point).collect()
}
