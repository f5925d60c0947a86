//! What ranks did when, for pictures in a browser: numbers in flat lists, times in ps.

use models::trace::{Activity, Trace};
use serde::Serialize;

/// A trace.
#[derive(Debug, Serialize)]
pub(crate) struct Traced {
    /// Names of activities, which `lanes` give by their place here.
    activities: Vec<&'static str>,
    /// When each rank entered.
    entry_ps: Vec<u64>,
    /// When each rank finished.
    finish_ps: Vec<u64>,
    /// For each rank, what it did in order: activity, start, end, activity, start, end, …
    lanes: Vec<Vec<u64>>,
    /// Each message: from, to, bytes, departed, arrived, received.
    flights: Vec<[u64; 6]>,
}

pub(crate) fn traced(trace: &Trace) -> Traced {
    let mut lanes = vec![Vec::new(); trace.finish.len()];
    for interval in &trace.intervals {
        let activity = Activity::ALL.iter().position(|&one| one == interval.activity);
        let activity = activity.expect("all activities are listed") as u64;
        lanes[interval.rank as usize].extend([activity, interval.start.0, interval.end.0]);
    }
    let flights = trace.flights.iter().map(|flight| {
        let (from, to) = (u64::from(flight.from), u64::from(flight.to));
        [from, to, flight.bytes, flight.departed.0, flight.arrived.0, flight.received.0]
    });
    Traced {
        activities: Activity::ALL.map(Activity::name).to_vec(),
        entry_ps: trace.entry.iter().map(|time| time.0).collect(),
        finish_ps: trace.finish.iter().map(|time| time.0).collect(),
        lanes,
        flights: flights.collect(),
    }
}
