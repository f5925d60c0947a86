//! Recording of what ranks do in shared memory, where it is wanted.

use super::state::{SeenWord, Wanted};
use models::shared_broadcast::Word;
use models::time::Time;
use programs::trace::{Activity, Exchange, Flight, Interval, Trace, TracedCall};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Recording, if there is one, in the terms of [`Exchange::SharedMemory`]. Waits for sets (t_WO) and for others are
/// waiting, and notifications are messages.
pub(super) struct Recorded(Option<Recording>);

#[derive(Default)]
struct Recording {
    trace: Trace,
    /// Notifications of which nobody has taken note.
    under_way: FxHashMap<Word, usize>,
    /// Times at which flags got their values, and at which ranks on the same and on other NUMA nodes see that.
    stored: BTreeMap<(Word, u64), (Time, [Time; 2])>,
}

impl Recorded {
    pub(super) fn new(is_wanted: bool) -> Recorded {
        let trace = Trace { exchange: Exchange::SharedMemory, ..Trace::default() };
        Recorded(is_wanted.then(|| Recording { trace, ..Recording::default() }))
    }

    pub(super) fn spent(&mut self, rank: u32, activity: Activity, start: Time, end: Time) {
        if let Some(Recording { trace, .. }) = &mut self.0
            && end > start
        {
            trace.intervals.push(Interval { rank, cpu: 0, activity, start, end });
        }
    }

    pub(super) fn notified(&mut self, from: u32, word: Word, bytes: u64, (departed, arrived): (Time, Time)) {
        let (Some(Recording { trace, under_way, .. }), Word::Control { rank: to, .. }) = (&mut self.0, word) else {
            return;
        };
        under_way.insert(word, trace.flights.len());
        trace.flights.push(Flight { from, to, bytes, departed, arrived, received: arrived });
    }

    /// Notes that a rank has stored a flag.
    pub(super) fn flagged(&mut self, word: Word, value: u64, at: Time, visible: [Time; 2]) {
        if let Some(Recording { stored, .. }) = &mut self.0 {
            stored.insert((word, value), (at, visible));
        }
    }

    /// Notes that a rank has taken note of what it waited for.
    pub(super) fn noted(&mut self, by: u32, SeenWord { word, is_far }: SeenWord, wanted: Wanted, at: Time) {
        let Some(Recording { trace, under_way, stored }) = &mut self.0 else { return };
        let value = match wanted {
            Wanted::Equal(value) => value,
            Wanted::Above(limit) => limit + 1,
        };
        match word {
            Word::Control { .. } => {
                if let Some(flight) = under_way.remove(&word) {
                    trace.flights[flight].received = at;
                }
            }
            Word::Filled { rank, .. } | Word::Released { rank } | Word::Gathered { rank } => {
                let found = stored.range((word, value)..).next().filter(|((found, _), _)| *found == word);
                let Some((_, &(departed, visible))) = found else { return };
                let arrived = visible[usize::from(is_far)];
                trace.flights.push(Flight { from: rank, to: by, bytes: 0, departed, arrived, received: at });
            }
            Word::Readers { .. } | Word::Open { .. } => {}
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
        trace.flights.sort_by_key(|flight| flight.departed);
        trace.calls.sort_by_key(|call| (call.rank, call.from));
        Some(trace)
    }
}
