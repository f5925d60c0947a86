use super::{fixture, written};
use models::time::{Span, Time};
use programs::trace::{Activity, Flight, Interval, Trace};
use serde_json::Value;
use std::collections::BTreeMap;

fn events(trace: &Trace) -> Vec<Value> {
    let whole: Value = serde_json::from_str(&written("a.json", trace)).expect("JSON");
    assert_eq!(whole["displayTimeUnit"], "ns");
    whole["traceEvents"].as_array().expect("events").clone()
}

fn with_phase<'a>(events: &'a [Value], phase: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["ph"] == phase).collect()
}

/// A time in ps.
fn ps(event: &Value, field: &str) -> u64 {
    let us = event[field].as_f64().expect("a number");
    assert!(us >= 0.0, "{event}");
    (us * 1e6).round() as u64
}

/// What Perfetto keeps of a time, in ns.
fn ns(event: &Value, field: &str) -> u64 {
    ps(event, field) / 1_000
}

#[test]
fn every_event_has_what_its_phase_demands() {
    let events = events(&fixture::barrier(6));
    for event in &events {
        let fields: &[&str] = match event["ph"].as_str().expect("a phase") {
            "X" => &["pid", "tid", "ts", "dur", "name", "cat"],
            "i" => &["pid", "tid", "ts", "name", "s"],
            "s" | "f" => &["pid", "tid", "ts", "id", "name", "cat"],
            "M" => &["pid", "name", "args"],
            other => panic!("phase {other} is not used"),
        };
        fields.iter().for_each(|field| assert!(!event[field].is_null(), "{field} of {event}"));
    }
    let names: Vec<&Value> =
        with_phase(&events, "M").into_iter().filter(|event| event["name"] == "thread_name").collect();
    assert_eq!(names.len(), 6);
    assert_eq!(names[5]["args"]["name"], "rank 5");
    assert_eq!(with_phase(&events, "i").len(), 12);
}

#[test]
fn every_arrow_has_both_ends_within_slices_of_its_ranks() {
    let trace = fixture::barrier(11);
    let events = events(&trace);
    let slices = with_phase(&events, "X");
    let within = |event: &Value, name: &str| {
        slices.iter().any(|slice| {
            let (start, length) = (ns(slice, "ts"), ns(slice, "dur"));
            slice["tid"] == event["tid"] && slice["name"] == name && (start..start + length).contains(&ns(event, "ts"))
        })
    };
    let starts: BTreeMap<u64, &Value> =
        with_phase(&events, "s").iter().map(|e| (e["id"].as_u64().expect("id"), *e)).collect();
    let ends: BTreeMap<u64, &Value> =
        with_phase(&events, "f").iter().map(|e| (e["id"].as_u64().expect("id"), *e)).collect();
    assert_eq!(starts.len(), trace.flights.len());
    assert!(starts.keys().eq(ends.keys()));
    for (id, start) in &starts {
        let (end, flight) = (ends[id], &trace.flights[*id as usize]);
        assert!(ps(start, "ts") <= ps(end, "ts"), "{start} {end}");
        assert_eq!((&start["name"], &start["cat"], &end["bp"]), (&end["name"], &end["cat"], &Value::from("e")));
        assert_eq!(
            (start["tid"].as_u64(), end["tid"].as_u64()),
            (Some(flight.from as u64 + 1), Some(flight.to as u64 + 1))
        );
        assert!(within(start, "sending") && within(end, "receiving"), "{start} {end}");
        assert_eq!(ps(&start["args"], "departed_us"), flight.departed.0);
        assert_eq!(ps(&end["args"], "received_us"), flight.received.0);
    }
}

#[test]
fn lengths_sum_up_to_the_picosecond_and_slices_do_not_overlap() {
    let mut trace = fixture::barrier(7);
    trace.intervals.iter_mut().for_each(|interval| {
        // Odd picoseconds, still without overlap.
        interval.start = Time(interval.start.0 * 3 + 1);
        interval.end = Time(interval.end.0 * 3 - 1);
    });
    let events = events(&trace);
    for rank in 0..7u32 {
        let own = trace.intervals.iter().filter(|interval| interval.rank == rank);
        let expected: Span = own.map(|interval| interval.end.since(interval.start)).sum();
        let slices: Vec<&Value> = with_phase(&events, "X").into_iter().filter(|e| e["tid"] == rank + 1).collect();
        assert_eq!(slices.iter().map(|slice| ps(slice, "dur")).sum::<u64>(), expected.0);
        for pair in slices.windows(2) {
            assert!(ns(pair[0], "ts") + ns(pair[0], "dur") <= ns(pair[1], "ts"), "{pair:?}");
        }
    }
}

#[test]
fn arrows_without_slices_and_several_cpus_are_told_too() {
    let at = |us: u64| Time::ZERO + Span::from_us(us);
    let interval = |cpu, activity, start, end| Interval { rank: 1, cpu, activity, start: at(start), end: at(end) };
    let trace = Trace {
        title: "a \"b\"\\\n".to_owned(),
        entry: vec![at(0); 2],
        finish: vec![at(9); 2],
        intervals: vec![
            interval(0, Activity::Waiting, 0, 2),
            interval(2, Activity::Receiving, 4, 4),
            interval(2, Activity::Receiving, 4, 6),
        ],
        flights: vec![Flight { from: 0, to: 1, bytes: 0, departed: at(1), arrived: at(5), received: at(6) }],
        ..Trace::default()
    };
    let events = events(&trace);
    let [start, end] = ["s", "f"].map(|phase| with_phase(&events, phase)[0].clone());
    assert_eq!((ps(&start, "ts"), ps(&end, "ts")), (1_000_000, 5_000_000));
    let name = |tid: &Value| {
        with_phase(&events, "M").into_iter().find(|e| e["tid"] == *tid).expect("named")["args"]["name"].clone()
    };
    assert_eq!((name(&start["tid"]), name(&end["tid"])), (Value::from("rank 0"), Value::from("rank 1 cpu 2")));
    assert!(with_phase(&events, "M").iter().any(|event| event["args"]["name"] == "a \"b\"\\\n"));
}
