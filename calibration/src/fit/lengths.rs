//! Times of the exchanges of each length, independent of any model.

use super::series::{Series, What};
use programs::calibration::Sample;

/// Exchanges of one length; times in µs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Length {
    pub bytes: u64,
    /// Time of half a ping-pong.
    pub one_way_us: f64,
    /// Time between the messages of a train.
    pub period_us: Option<f64>,
    /// Time between the messages of a train at the sender, of lengths that do not wait.
    pub sending_period_us: Option<f64>,
    /// CPU time of a send according to a delayed train.
    pub delayed_us: Option<f64>,
    /// Delay of that train, if it was too short to show anything.
    pub short_delay_us: Option<f64>,
    /// Time of a send whose receiver is late; of a length that waits, it contains the delay.
    pub send_us: Option<f64>,
    /// Time of a receive of a message that has arrived; of a length that waits, it is the whole transfer.
    pub receive_us: Option<f64>,
    /// Time of a send of a length that waits, to a receiver that is ready.
    pub late_send_us: Option<f64>,
    /// Whether the sender waits for the receiver.
    pub waits: bool,
}

/// Lengths around which senders begin to wait for receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    /// Longest length, shorter than `next`, that does not wait; `None` if none was seen.
    pub last: Option<u64>,
    /// Shortest length that waits.
    pub next: u64,
    /// Longer length that did not wait nevertheless.
    pub not_after: Option<u64>,
}

impl Waiting {
    /// Returns S, the eager limit, in bytes.
    pub(super) fn eager_limit(self) -> u64 {
        self.last.unwrap_or(self.next - 1)
    }

    /// Returns `None` if no length waits.
    pub(super) fn from_samples(samples: &[Sample]) -> Option<Waiting> {
        let late = samples.iter().filter_map(Sample::late_receives);
        let late: Vec<(u64, bool)> = late.map(|late| (late.bytes, late.wait())).collect();
        let lengths = |wait: bool| late.iter().filter(move |&&(_, waits)| waits == wait).map(|&(bytes, _)| bytes);
        let next = lengths(true).min()?;
        let last = lengths(false).filter(|&bytes| bytes < next).max();
        Some(Waiting { last, next, not_after: lengths(false).find(|&bytes| bytes > next) })
    }
}

/// Share of a message's whole time above which a late receive copies it out of its sender's memory: of a message that
/// was copied twice, a late receive makes the second copy only.
const WHOLE_TRANSFER: f64 = 0.72;

/// Returns the longest message, in bytes, that is not copied once; `None` if no message is. A message is copied once if
/// its sender waits and either a late receive takes as long as all of it, or the sender has to take its memory back
/// from the receiver (`taken`) to write it: where cores are far from each other, most of a message's time passes until
/// both have met.
pub(super) fn single_copy_above(lengths: &[Length], waiting: Option<Waiting>, taken: &[u64]) -> Option<u64> {
    let whole =
        |length: &Length| length.receive_us.is_some_and(|receive_us| receive_us >= WHOLE_TRANSFER * length.one_way_us);
    let is_single = |length: &Length| length.waits && (whole(length) || taken.contains(&length.bytes));
    let first = lengths.iter().position(is_single)?;
    let before = first.checked_sub(1).map(|before| &lengths[before]);
    match before {
        Some(before) if before.waits => Some(before.bytes),
        Some(_) | None => waiting.map(Waiting::eager_limit),
    }
}

/// Indices of the series of each length, shortest length first.
pub(super) struct Plan(Vec<Slots>);

#[derive(Clone, Default)]
struct Slots {
    bytes: u64,
    ping_pong: usize,
    train: Option<(usize, f64)>,
    sending: Option<(usize, f64)>,
    delayed: Option<(usize, f64, f64)>,
    send: Option<usize>,
    receive: Option<usize>,
    late_send: Option<usize>,
    waits: bool,
}

impl Plan {
    pub(super) fn from_series(series: &[Series], waiting: Option<Waiting>) -> Plan {
        let mut all: Vec<Slots> = Vec::new();
        for (ping_pong, one) in series.iter().enumerate().filter(|(_, series)| series.what == What::PingPong) {
            if all.iter().any(|slots| slots.bytes == one.bytes) {
                continue;
            }
            let waits = waiting.is_some_and(|waiting| one.bytes >= waiting.next);
            let mut slots = Slots { bytes: one.bytes, ping_pong, waits, ..Slots::default() };
            for (index, series) in series.iter().enumerate().filter(|(_, series)| series.bytes == one.bytes) {
                slots.take(index, series.what);
            }
            all.push(slots);
        }
        all.sort_by_key(|slots| slots.bytes);
        Plan(all)
    }

    /// Returns the lengths with these medians of the series.
    pub(super) fn lengths(&self, medians: &[f64]) -> Vec<Length> {
        self.0.iter().map(|slots| slots.length(medians)).collect()
    }
}

impl Slots {
    fn take(&mut self, index: usize, what: What) {
        let between = |messages: u32| f64::from(messages - 1);
        match what {
            What::PingPong => {}
            What::Train { messages } => self.train = Some((index, between(messages))),
            What::Sending { messages } => self.sending = Some((index, between(messages))),
            What::DelayedTrain { messages, delay_us } => {
                if self.delayed.is_none_or(|(_, _, other_us)| other_us < delay_us) {
                    self.delayed = Some((index, between(messages), delay_us));
                }
            }
            What::Send => self.send = Some(index),
            What::Receive => self.receive = Some(index),
            What::LateSend => self.late_send = Some(index),
        }
    }

    fn length(&self, medians: &[f64]) -> Length {
        let ping_pong = medians[self.ping_pong];
        let added = |index: usize, between: f64| (medians[index] - ping_pong) / between;
        let period_us = self.train.map(|(index, between)| added(index, between));
        let own = self.delayed.map(|(index, between, delay)| (added(index, between) - delay, delay));
        let long_enough = |&(_, delay): &(f64, f64)| period_us.is_none_or(|period_us| delay >= period_us);
        let send_us = self.send.map(|index| medians[index]);
        let sends = self.sending.zip(send_us).filter(|_| !self.waits);
        Length {
            bytes: self.bytes,
            one_way_us: ping_pong / 2.0,
            period_us,
            sending_period_us: sends.map(|((index, between), send_us)| (medians[index] - send_us) / between),
            delayed_us: own.filter(long_enough).map(|(us, _)| us),
            short_delay_us: own.filter(|own| !long_enough(own)).map(|(_, delay)| delay),
            send_us,
            receive_us: self.receive.map(|index| medians[index]),
            late_send_us: self.late_send.map(|index| medians[index]),
            waits: self.waits,
        }
    }
}

impl Length {
    /// Returns the times of messages that their sender has rewritten, which are read faster by `reread_us`.
    pub(super) fn less_reread(self, reread_us: f64) -> Length {
        let less = |us: f64| (us - reread_us).max(0.0);
        Length {
            one_way_us: less(self.one_way_us),
            period_us: self.period_us.map(less),
            receive_us: self.receive_us.map(less),
            late_send_us: self.late_send_us.map(less),
            ..self
        }
    }

    /// Bytes after the first: 0 B and 1 B cost the same.
    pub(super) fn stretch(&self) -> f64 {
        self.bytes.saturating_sub(1) as f64
    }

    /// Returns the time for which a send keeps its CPU where its receiver is ready, as far as any exchange shows it.
    pub(super) fn sender_us(&self) -> Option<f64> {
        (if self.waits { self.late_send_us } else { self.send_us }).or(self.delayed_us)
    }

    /// Returns the time for which a message keeps either CPU: a train cannot be faster.
    pub(super) fn busy_us(&self) -> Option<f64> {
        let receive_us = self.receive_us.filter(|_| !self.waits);
        self.sender_us().map(|sender_us| sender_us.max(receive_us.unwrap_or(0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Open MPI on cores far from each other: 4 KiB take 1.93 µs, 0.91 of them where the message is there.
    fn length(bytes: u64, waits: bool, [one_way_us, receive_us]: [f64; 2]) -> Length {
        Length {
            bytes,
            one_way_us,
            period_us: None,
            sending_period_us: None,
            delayed_us: None,
            short_delay_us: None,
            send_us: None,
            receive_us: Some(receive_us),
            late_send_us: None,
            waits,
        }
    }

    #[test]
    fn a_sender_that_takes_its_memory_back_shows_a_single_copy_where_a_late_receive_does_not() {
        let of = |waits| [length(2_048, waits, [1.28, 0.11]), length(4_096, true, [1.93, 0.91])];
        let waiting = Some(Waiting { last: Some(2_048), next: 4_096, not_after: None });
        assert_eq!(single_copy_above(&of(false), waiting, &[]), None);
        assert_eq!(single_copy_above(&of(false), waiting, &[4_096]), Some(2_048));
        assert_eq!(single_copy_above(&of(true), waiting, &[4_096]), Some(2_048));
        assert_eq!(
            single_copy_above(&of(false), waiting, &[2_048]),
            None,
            "senders that do not wait copy it themselves"
        );
    }

    #[test]
    fn a_late_receive_of_the_whole_transfer_shows_a_single_copy() {
        let lengths = [length(2_048, false, [0.37, 0.11]), length(4_096, true, [1.03, 0.80])];
        let waiting = Some(Waiting { last: Some(2_048), next: 4_096, not_after: None });
        assert_eq!(single_copy_above(&lengths, waiting, &[]), Some(2_048));
    }
}
