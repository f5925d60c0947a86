use super::super::choice::{MAX_BARS, MAX_FLIGHTS, MAX_LANES, Merged, flights, has_room_for_bars, lanes, merged};
use super::super::lanes::Lanes;
use super::fixture;
use models::time::{Span, Time};
use programs::trace::{Activity, Interval, Trace};
use std::collections::BTreeSet;

fn interval(activity: Activity, start: u64, end: u64) -> Interval {
    Interval { rank: 0, cpu: 0, activity, start: Time(start), end: Time(end) }
}

fn ranks_shown(all: &Lanes) -> BTreeSet<u32> {
    lanes(all).lanes.iter().map(|&lane| all.lanes[lane].rank).collect()
}

#[test]
fn all_ranks_are_shown_where_there_is_room() {
    let trace = fixture::barrier(MAX_LANES as u32);
    let all = Lanes::from_trace(&trace);
    let shown = lanes(&all);
    assert_eq!((shown.lanes.len(), shown.said), (MAX_LANES, None));
    assert!(flights(&all, &lanes(&all).lanes).said.is_none());
}

#[test]
fn of_many_ranks_the_telling_ones_are_shown() {
    let mut trace = fixture::broadcast(1_000);
    trace.finish[500] = Time(0);
    trace.finish[600] = trace.finish[999] + Span::from_us(1);
    trace.intervals.push(Interval { rank: 700, ..interval(Activity::Noise, 0, 5) });
    let all = Lanes::from_trace(&trace);
    let shown = ranks_shown(&all);
    assert_eq!(shown.len(), MAX_LANES);
    for rank in [0, 1, 15, 999, 992, 500, 600, 700] {
        assert!(shown.contains(&rank), "rank {rank} of {shown:?}");
    }
    let said = lanes(&all).said.expect("said");
    insta::assert_snapshot!(said);
    assert_eq!(shown, ranks_shown(&all), "no chance is at work");
}

#[test]
fn several_cpus_for_each_rank_share_the_room() {
    let mut trace = fixture::broadcast(100);
    for rank in 0..100 {
        trace.intervals.extend((1..8).map(|cpu| Interval { rank, cpu, ..interval(Activity::Computing, 0, 9) }));
    }
    let all = Lanes::from_trace(&trace);
    let shown = lanes(&all);
    assert_eq!((shown.lanes.len(), ranks_shown(&all).len()), (MAX_LANES, 8));
    let of_ranks = shown.said.expect("said");
    let one = Trace {
        intervals: (0..100).map(|cpu| Interval { cpu, ..interval(Activity::Computing, 0, 9) }).collect(),
        ..Trace::default()
    };
    let shown = lanes(&Lanes::from_trace(&one));
    assert_eq!(shown.lanes.len(), MAX_LANES);
    insta::assert_snapshot!([of_ranks, shown.said.expect("said")].join("\n"));
}

#[test]
fn messages_are_thinned_evenly_and_counted() {
    let trace = fixture::barrier(300);
    let all = Lanes::from_trace(&trace);
    let every: Vec<usize> = (0..300).collect();
    let chosen = flights(&all, &every);
    assert_eq!(chosen.drawn.len(), MAX_FLIGHTS);
    assert_eq!((chosen.drawn[0], chosen.drawn[500]), (&trace.flights[0], &trace.flights[1_350]));
    let few = flights(&all, &[0, 1, 2]);
    assert_eq!(few.drawn.len(), 3);
    assert!(few.drawn.iter().all(|flight| flight.from < 3 && flight.to < 3));
    let half = flights(&all, &(0..150).collect::<Vec<_>>()).said.expect("said");
    insta::assert_snapshot!([chosen.said.expect("said"), few.said.expect("said"), half].join("\n"));
}

#[test]
fn a_slot_shows_what_fills_most_of_it() {
    let run = |activity, from, to| Merged { activity, from, to };
    let intervals = [
        interval(Activity::Sending, 0, 6),
        interval(Activity::Gap, 6, 6),
        interval(Activity::Noise, 6, 25),
        interval(Activity::Waiting, 36, 39),
        interval(Activity::Receiving, 40, 45),
        interval(Activity::Computing, 45, 50),
    ];
    let time = (Time(0), Time(50));
    let expected = [run(Activity::Sending, 0, 1), run(Activity::Noise, 1, 3), run(Activity::Receiving, 4, 5)];
    assert_eq!(merged(&intervals, time, 5), expected);
    assert_eq!(merged(&intervals, (Time(0), Time(0)), 5), []);
    assert_eq!(merged(&[], time, 5), []);
    // The longest times that there are.
    let long = [interval(Activity::Waiting, 0, u64::MAX)];
    assert_eq!(merged(&long, (Time::ZERO, Time::END), 900), [run(Activity::Waiting, 0, 900)]);
}

#[test]
fn bars_are_merged_only_where_there_are_too_many() {
    let many = |count: u64| Trace {
        intervals: (0..count).map(|nth| interval(Activity::Sending, nth, nth + 1)).collect(),
        ..Trace::default()
    };
    for (count, room) in [(MAX_BARS as u64, true), (MAX_BARS as u64 + 1, false)] {
        let trace = many(count);
        assert_eq!(has_room_for_bars(&Lanes::from_trace(&trace), &[0]), room);
    }
}
