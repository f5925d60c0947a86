//! Recording of what simulated ranks do. It costs nothing where it is off.

use models::network::{Departure, Matched, Message};
use models::noise::{Advance, Cursor, Noise};
use models::time::{Span, Time};
use programs::trace::{Activity, Flight, Interval, Mark, Moment, Trace};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Recording under way, if there is one.
#[derive(Default)]
pub(crate) struct Recorder(Option<Box<Recording>>);

#[derive(Default)]
struct Recording {
    trace: Trace,
    /// Times until which each rank's time is accounted for.
    until: Vec<Time>,
    /// Times until which each rank's last send alone keeps it.
    sending_until: Vec<Time>,
    /// Flights that have not been received yet.
    under_way: FxHashMap<(u32, u32), VecDeque<usize>>,
}

/// CPU of a rank: its work is disturbed by noise, and recorded.
pub(crate) struct RecordedCpu<'a> {
    rank: u32,
    activity: Activity,
    noise: &'a Noise,
    cursor: &'a mut Cursor,
    recording: Option<&'a mut Recording>,
}

impl Advance for RecordedCpu<'_> {
    #[inline]
    fn advance(&mut self, at: Time, work: Span) -> Time {
        let RecordedCpu { rank, activity, noise, cursor, recording } = self;
        match recording {
            None => noise.advance(*rank, cursor, at, work),
            Some(recording) => recording.advance(*rank, *activity, noise, cursor, at, work),
        }
    }

    #[inline]
    fn connecting(&mut self, from: Time, up: Time) {
        if let Some(recording) = &mut self.recording {
            recording.fill(self.rank, from, Activity::Gap);
            recording.fill(self.rank, up, Activity::Connecting);
        }
    }
}

impl Recording {
    /// Accounts for the rank's time since it was last accounted for.
    fn fill(&mut self, rank: u32, end: Time, activity: Activity) {
        let start = self.until[rank as usize];
        if end > start {
            self.until[rank as usize] = end;
            self.trace.intervals.push(Interval { rank, cpu: 0, activity, start, end });
        }
    }

    /// Records that the rank was busy with its last send, of which the part before `sent` counts, and waited from then
    /// until `end`.
    #[cold]
    fn sent_and_waited(&mut self, rank: u32, sent: Time, end: Time) {
        let sending = self.sending_until[rank as usize];
        self.fill(rank, sending.min(sent), Activity::Sending);
        self.fill(rank, end, Activity::Waiting);
    }

    #[cold]
    fn flew(&mut self, message: &Message, matched: &Matched) {
        let index = self.trace.flights.len();
        let Message { from, to, bytes } = *message;
        let Matched { begun: departed, arrival: arrived, .. } = *matched;
        self.trace.flights.push(Flight { from, to, bytes, departed, arrived, received: arrived });
        self.under_way.entry((from, to)).or_default().push_back(index);
    }

    #[cold]
    fn received(&mut self, message: &Message, at: Time) {
        if let Some(index) = self.under_way.get_mut(&(message.from, message.to)).and_then(VecDeque::pop_front) {
            self.trace.flights[index].received = at;
        }
    }

    /// Advances as [`Advance::advance`] does, and records it.
    #[cold]
    fn advance(
        &mut self,
        rank: u32,
        activity: Activity,
        noise: &Noise,
        cursor: &mut Cursor,
        at: Time,
        work: Span,
    ) -> Time {
        self.fill(rank, at, Activity::Gap);
        let end = noise.advance_traced(rank, cursor, at, work, &mut |start, end| {
            self.fill(rank, start, activity);
            self.fill(rank, end, Activity::Noise);
        });
        self.fill(rank, end, activity);
        end
    }
}

impl Recorder {
    /// Makes a recorder for ranks that enter at these times.
    pub(crate) fn recording(entries: impl Iterator<Item = Time>) -> Recorder {
        let entry: Vec<Time> = entries.collect();
        let (until, sending_until) = (entry.clone(), vec![Time::ZERO; entry.len()]);
        let trace = Trace { entry, ..Trace::default() };
        Recorder(Some(Box::new(Recording { trace, until, sending_until, under_way: FxHashMap::default() })))
    }

    /// Returns whether anything is recorded.
    pub(crate) fn is_recording(&self) -> bool {
        self.0.is_some()
    }

    /// Returns the CPU of a rank that is about to do something.
    #[inline(always)]
    pub(crate) fn cpu<'a>(
        &'a mut self,
        rank: u32,
        activity: Activity,
        noise: &'a Noise,
        cursor: &'a mut Cursor,
    ) -> RecordedCpu<'a> {
        RecordedCpu { rank, activity, noise, cursor, recording: self.0.as_deref_mut() }
    }

    /// Notes that the rank's time went by until `cpu` without work: it waited for a due time.
    #[inline(always)]
    pub(crate) fn idled(&mut self, rank: u32, cpu: Time) {
        if let Some(recording) = &mut self.0 {
            recording.fill(rank, cpu, Activity::Waiting);
        }
    }

    /// Notes that the rank's program has come to a moment.
    #[inline(always)]
    pub(crate) fn came_to(&mut self, rank: u32, at: Time, moment: Moment) {
        if let Some(recording) = &mut self.0 {
            recording.trace.marks.push(Mark { rank, at, moment });
        }
    }

    /// Notes that a send has been issued.
    #[inline(always)]
    pub(crate) fn sent(&mut self, rank: u32, departure: &Departure) {
        if let Some(recording) = &mut self.0 {
            recording.sending_until[rank as usize] = departure.released.unwrap_or(departure.ready);
        }
    }

    /// Notes that a message has met its receive: the time of its flight is known.
    #[inline(always)]
    pub(crate) fn flew(&mut self, message: &Message, matched: &Matched) {
        if let Some(recording) = &mut self.0 {
            recording.flew(message, matched);
        }
    }

    /// Notes that a rank whose CPU is at `cpu` turns to a message that is there at `arrival`.
    #[inline(always)]
    pub(crate) fn turned_to(&mut self, rank: u32, cpu: Time, arrival: Time) {
        if let Some(recording) = &mut self.0 {
            recording.sent_and_waited(rank, arrival, cpu.max(arrival));
        }
    }

    /// Notes that a message's receive is complete.
    #[inline(always)]
    pub(crate) fn received(&mut self, message: &Message, at: Time) {
        if let Some(recording) = &mut self.0 {
            recording.received(message, at);
        }
    }

    /// Notes that the rank goes on at `at`, released from its sends.
    #[inline(always)]
    pub(crate) fn released(&mut self, rank: u32, at: Time) {
        if let Some(recording) = &mut self.0 {
            recording.sent_and_waited(rank, at, at);
        }
    }

    /// Returns the trace of ranks that finish at these times.
    pub(crate) fn into_trace(self, finish: impl Iterator<Item = Time>) -> Trace {
        let mut trace = self.0.map(|recording| recording.trace).unwrap_or_default();
        trace.finish = finish.collect();
        trace.intervals.sort_by_key(|interval| (interval.rank, interval.start));
        trace.flights.sort_by_key(|flight| (flight.departed, flight.from, flight.to));
        trace
    }
}
