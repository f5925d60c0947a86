//! Traces for pictures in a browser: numbers in flat lists, times in ps.

use programs::trace::{Activity, Trace};
use serde::Serialize;

/// Trace of a run in the form that pages read.
#[derive(Debug, Serialize)]
pub(crate) struct Traced {
    /// Names of activities, which `lanes` give by their place here.
    activities: Vec<&'static str>,
    /// Times at which each rank entered.
    entry_ps: Vec<u64>,
    /// Times at which each rank finished.
    finish_ps: Vec<u64>,
    /// Activities of each rank in order: activity, start, end, activity, start, end, …
    lanes: Vec<Vec<u64>>,
    /// Messages, each as from, to, bytes, departed, arrived, received.
    flights: Vec<[u64; 6]>,
    /// Calls of each rank: number (from 0, or -1 for a barrier of the method), entry, exit, number, entry, exit, …
    calls: Vec<Vec<i64>>,
    /// Samples that each rank's method timed: number of calls, true times of the two readings, the time of a call by
    /// them, …
    samples: Vec<Vec<i64>>,
}

pub(crate) fn traced(trace: &Trace) -> Traced {
    let ranks = trace.finish.len();
    let mut lanes = vec![Vec::new(); ranks];
    for interval in &trace.intervals {
        let activity = Activity::ALL.iter().position(|&one| one == interval.activity);
        let activity = activity.expect("all activities are listed") as u64;
        lanes[interval.rank as usize].extend([activity, interval.start.0, interval.end.0]);
    }
    let flights = trace.flights.iter().map(|flight| {
        let (from, to) = (u64::from(flight.from), u64::from(flight.to));
        [from, to, flight.bytes, flight.departed.0, flight.arrived.0, flight.received.0]
    });
    let (mut calls, mut samples) = (vec![Vec::new(); ranks], vec![Vec::new(); ranks]);
    for call in &trace.calls {
        let number = call.number.map_or(-1, i64::from);
        calls[call.rank as usize].extend([number, call.from.0 as i64, call.to.0 as i64]);
    }
    for sample in &trace.samples {
        let times = [i64::from(sample.calls), sample.from.0 as i64, sample.to.0 as i64, sample.says_ps];
        samples[sample.rank as usize].extend(times);
    }
    Traced {
        activities: Activity::ALL.map(|activity| trace.exchange.name(activity)).to_vec(),
        entry_ps: trace.entry.iter().map(|time| time.0).collect(),
        finish_ps: trace.finish.iter().map(|time| time.0).collect(),
        lanes,
        flights: flights.collect(),
        calls,
        samples,
    }
}
