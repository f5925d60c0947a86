//! Reports of an engine about the operations that it carries out.

use crate::Schedule;
use models::time::Time;
use programs::trace::{Activity, Flight, Interval, Trace};

/// Receiver of an engine's reports. Every method is optional, and costs nothing where it is not wanted.
pub trait Record {
    /// Whether nobody wants reports: engines then spare themselves the work.
    const IS_SILENT: bool = false;

    /// Reports that a CPU did something from one time to another.
    fn interval(&mut self, _interval: Interval) {}

    /// Reports that a message has been received.
    fn flight(&mut self, _flight: Flight) {}

    /// Reports that an operation was ready, began to use its CPU (a receive: with its message there), and left it.
    fn served(&mut self, _rank: u32, _op: u32, _ready: Time, _begun: Time, _free: Time) {}

    /// Reports that an operation is complete.
    fn finished(&mut self, _op: u32, _at: Time) {}

    /// Reports that a message has found its receive, and is there then.
    fn matched(&mut self, _send: u32, _receive: u32, _arrival: Time) {}
}

/// Ignores all reports of an engine.
impl Record for () {
    const IS_SILENT: bool = true;
}

/// Keeps intervals and flights, and ignores all other reports.
impl Record for Trace {
    fn interval(&mut self, interval: Interval) {
        if interval.end > interval.start {
            self.intervals.push(interval);
        }
    }

    fn flight(&mut self, flight: Flight) {
        self.flights.push(flight);
    }
}

/// Brings a trace into the order that its readers expect.
pub(super) fn finish_trace(trace: &mut Trace, schedule: &Schedule, finish: &[Time]) {
    trace.entry = vec![Time::ZERO; schedule.ranks() as usize];
    trace.finish = finish.to_vec();
    trace.intervals.sort_by_key(|interval| (interval.rank, interval.cpu, interval.start, interval.end));
    trace.flights.sort_by_key(|flight| (flight.departed, flight.from, flight.to, flight.arrived));
}

/// Reports the stretch from `start` to `end`, of which the part after `quiet_end` was a detour.
pub(super) fn work(record: &mut impl Record, place: (u32, u8), activity: Activity, times: [Time; 3]) {
    let [start, quiet_end, end] = times;
    let interval = |activity, start, end| Interval { rank: place.0, cpu: place.1.into(), activity, start, end };
    record.interval(interval(activity, start, quiet_end.min(end)));
    record.interval(interval(Activity::Noise, quiet_end.min(end), end));
}
