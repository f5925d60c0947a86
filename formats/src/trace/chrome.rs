//! Chrome trace events in JSON, as Perfetto and `chrome://tracing` read them.
//!
//! One process is the run, one thread each lane. Times are microseconds with all digits down to the picosecond;
//! Perfetto keeps whole nanoseconds of them, rounded down. A viewer ties the ends of a message's arrow to the slices
//! that hold them, ends excluded. So an arrow begins within the send, at the latest 2 ns before its end, and its exact
//! times are in its arguments.
//!
//! Source: Trace Event Format, Google 2016 (catapult); Perfetto's JSON importer for the parts that it keeps.

use super::lanes::{Lanes, exits};
use models::quantity::decimal;
use models::time::{Span, Time};
use programs::trace::{Activity, Flight, Interval, Trace};
use std::io::{self, Write};

/// Process of the whole run; process 0 has a meaning of its own in Perfetto.
const PID: u32 = 1;
/// Rounding start and length down moves a slice's end by less than this.
const WITHIN: Span = Span::from_ns(2);

/// Writes a trace, one event a line: names, then slices and marks lane by lane, then messages.
pub(super) fn write(trace: &Trace, out: &mut dyn Write) -> io::Result<()> {
    let lanes = Lanes::from_trace(trace);
    let title = text(&trace.title);
    let skews = trace.parts().into_iter().filter_map(|(_, ranks)| exits(trace, &ranks));
    let skew = skews.map(|(first, last)| last.since(first)).max().unwrap_or_default();
    writeln!(out, "{{\"displayTimeUnit\":\"ns\",")?;
    writeln!(out, "\"otherData\":{{\"title\":{title},\"exit_skew_us\":{}}},", us(skew))?;
    write!(
        out,
        "\"traceEvents\":[\n{{\"ph\":\"M\",\"pid\":{PID},\"name\":\"process_name\",\"args\":{{\"name\":{title}}}}}"
    )?;
    for (index, lane) in lanes.lanes.iter().enumerate() {
        let thread = format!(",\n{{\"ph\":\"M\",\"pid\":{PID},\"tid\":{}", tid(index));
        write!(out, "{thread},\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}}", text(&lanes.name(lane)))?;
        write!(out, "{thread},\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{index}}}}}")?;
    }
    for (index, lane) in lanes.lanes.iter().enumerate() {
        for interval in lanes.intervals(lane) {
            slice(out, index, trace.exchange.name(interval.activity), interval)?;
        }
    }
    for (times, mark) in [(&trace.entry, "entry"), (&trace.finish, "exit")] {
        for (rank, &at) in (0..).zip(times) {
            let (tid, at) = (tid(lanes.of_rank(rank).start), since_zero(at));
            write!(
                out,
                ",\n{{\"ph\":\"i\",\"pid\":{PID},\"tid\":{tid},\"ts\":{at},\"s\":\"t\",\"cat\":\"mark\",\"name\":\"{mark}\"}}"
            )?;
        }
    }
    for (id, flight) in trace.flights.iter().enumerate() {
        message(out, &lanes, id, flight)?;
    }
    writeln!(out, "\n]}}")
}

fn slice(out: &mut dyn Write, lane: usize, name: &str, interval: &Interval) -> io::Result<()> {
    let tid = tid(lane);
    let (at, length) = (since_zero(interval.start), us(interval.end.since(interval.start)));
    write!(
        out,
        ",\n{{\"ph\":\"X\",\"pid\":{PID},\"tid\":{tid},\"ts\":{at},\"dur\":{length},\"cat\":\"cpu\",\"name\":\"{name}\"}}"
    )
}

/// Writes both ends of an arrow, with the message as its arguments.
fn message(out: &mut dyn Write, lanes: &Lanes, id: usize, flight: &Flight) -> io::Result<()> {
    let from = end_of_arrow(lanes, flight.from, (flight.departed, flight.departed), Activity::Sending);
    let to = end_of_arrow(lanes, flight.to, (flight.received, flight.arrived), Activity::Receiving);
    let arguments = format!(
        "{{\"from\":{},\"to\":{},\"bytes\":{},\"departed_us\":{},\"arrived_us\":{},\"received_us\":{}}}",
        flight.from,
        flight.to,
        flight.bytes,
        since_zero(flight.departed),
        since_zero(flight.arrived),
        since_zero(flight.received)
    );
    for (phase, (lane, at)) in [("\"s\"", from), ("\"f\",\"bp\":\"e\"", (to.0, to.1.max(from.1)))] {
        let (tid, at) = (tid(lane), since_zero(at));
        write!(
            out,
            ",\n{{\"ph\":{phase},\"pid\":{PID},\"tid\":{tid},\"ts\":{at},\"id\":{id},\"cat\":\"message\",\"name\":\"message\",\
             \"args\":{arguments}}}"
        )?;
    }
    Ok(())
}

/// Lane and instant of one end of an arrow, within the slice that holds `at`, as near to `wanted` as the slice allows.
fn end_of_arrow(lanes: &Lanes, rank: u32, (at, wanted): (Time, Time), activity: Activity) -> (usize, Time) {
    match lanes.holding(rank, at, activity) {
        Some((lane, slice)) => {
            let last = Time(slice.end.0.saturating_sub(WITHIN.0)).max(slice.start);
            (lane, wanted.clamp(slice.start, last))
        }
        None => (lanes.of_rank(rank).start, at),
    }
}

/// Threads count from 1: thread 0 has a meaning of its own in Perfetto.
fn tid(lane: usize) -> usize {
    lane + 1
}

fn since_zero(at: Time) -> String {
    us(at.since(Time::ZERO))
}

/// Microseconds, with as many of the six digits after the point as are needed.
fn us(span: Span) -> String {
    decimal(span.0.into(), 6)
}

fn text(words: &str) -> String {
    serde_json::Value::from(words).to_string()
}
