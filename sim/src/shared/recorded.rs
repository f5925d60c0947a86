//! Writes down what ranks do in shared memory, where somebody wants to see it.

use models::shared_broadcast::Word;
use models::time::Time;
use models::trace::{Activity, Flight, Interval, Trace, TracedCall};
use rustc_hash::FxHashMap;

/// What has been written down, if anything is: copies as computing, notifying as sending, taking note (t_W) as receiving,
/// leaving a set as a gap, waits for sets (t_WO) and for others as waiting; notifications as messages.
pub(super) struct Recorded(Option<Recording>);

#[derive(Default)]
struct Recording {
    trace: Trace,
    /// Notifications that nobody has taken note of.
    under_way: FxHashMap<Word, usize>,
}

impl Recorded {
    pub(super) fn new(is_wanted: bool) -> Recorded {
        Recorded(is_wanted.then(Recording::default))
    }

    pub(super) fn spent(&mut self, rank: u32, activity: Activity, start: Time, end: Time) {
        if let Some(Recording { trace, .. }) = &mut self.0
            && end > start
        {
            trace.intervals.push(Interval { rank, cpu: 0, activity, start, end });
        }
    }

    pub(super) fn notified(&mut self, from: u32, word: Word, bytes: u64, (departed, arrived): (Time, Time)) {
        let (Some(Recording { trace, under_way }), Word::Control { rank: to, .. }) = (&mut self.0, word) else {
            return;
        };
        under_way.insert(word, trace.flights.len());
        trace.flights.push(Flight { from, to, bytes, departed, arrived, received: arrived });
    }

    pub(super) fn noted(&mut self, word: Word, at: Time) {
        if let Some(Recording { trace, under_way }) = &mut self.0
            && let Some(flight) = under_way.remove(&word)
        {
            trace.flights[flight].received = at;
        }
    }

    pub(super) fn called(&mut self, rank: u32, number: u32, from: Time, to: Time) {
        if let Some(Recording { trace, .. }) = &mut self.0 {
            trace.calls.push(TracedCall { rank, number: Some(number), from, to });
        }
    }

    pub(super) fn into_trace(self, finish: &[Time]) -> Option<Trace> {
        let mut trace = self.0?.trace;
        trace.entry = vec![Time::ZERO; finish.len()];
        trace.finish = finish.to_vec();
        trace.intervals.sort_by_key(|interval| (interval.rank, interval.start));
        trace.calls.sort_by_key(|call| (call.rank, call.from));
        Some(trace)
    }
}
