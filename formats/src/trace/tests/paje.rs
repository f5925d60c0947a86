//! Reads Paje by its published rules, as strictly as pajeng does.

use super::{fixture, written};
use models::time::{Span, Time};
use programs::trace::{Activity, Interval, Trace};
use std::collections::{BTreeMap, BTreeSet};

type Event = BTreeMap<String, String>;

/// The events of a file, each by its fields; `Event` is the name of its definition.
fn read(text: &str) -> Vec<Event> {
    let mut definitions: BTreeMap<String, (String, Vec<(String, String)>)> = BTreeMap::new();
    let mut open: Option<String> = None;
    let mut events = Vec::new();
    for line in text.lines() {
        let words = words(line);
        match (words[0].as_str(), &mut open) {
            ("%EventDef", None) => {
                let taken = definitions.insert(words[2].clone(), (words[1].clone(), Vec::new()));
                assert!(taken.is_none(), "{line}");
                open = Some(words[2].clone());
            }
            ("%EndEventDef", open @ Some(_)) => *open = None,
            ("%", Some(number)) => {
                let kinds = ["string", "float", "double", "int", "hex", "date", "color"];
                assert!(kinds.contains(&words[2].as_str()), "{line}");
                let definition = definitions.get_mut(number).expect("begun");
                definition.1.push((words[1].clone(), words[2].clone()));
            }
            (number, None) => {
                let (name, fields) = &definitions[number];
                assert_eq!(words.len(), fields.len() + 1, "{line}");
                let mut event = Event::from([("Event".to_owned(), name.clone())]);
                for ((field, kind), word) in fields.iter().zip(&words[1..]) {
                    check(kind, word);
                    event.insert(field.clone(), word.clone());
                }
                events.push(event);
            }
            _ => panic!("out of place: {line}"),
        }
    }
    assert_eq!(open, None);
    demanded(&definitions.into_values().collect());
    events
}

fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (nth, part) in line.split('"').enumerate() {
        if nth % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn check(kind: &str, word: &str) {
    let number = |word: &str| word.parse::<f64>().unwrap_or_else(|_| panic!("no number: {word}"));
    match kind {
        "date" => assert!(number(word) >= 0.0),
        "color" => {
            let parts: Vec<f64> = word.split(' ').map(number).collect();
            assert!(parts.len() == 3 && parts.iter().all(|part| (0.0..=1.0).contains(part)), "{word}");
        }
        _ => assert!(!word.is_empty()),
    }
}

/// The fields that each event cannot do without.
fn demanded(definitions: &Vec<(String, Vec<(String, String)>)>) {
    for (event, fields) in definitions {
        let needed: &[&str] = match event.as_str() {
            "PajeDefineLinkType" => &["Name", "Type", "StartContainerType", "EndContainerType"],
            "PajeCreateContainer" => &["Time", "Name", "Type", "Container"],
            "PajeDestroyContainer" => &["Time", "Name", "Type"],
            "PajeSetState" | "PajeNewEvent" => &["Time", "Type", "Container", "Value"],
            "PajeStartLink" => &["Time", "Type", "Container", "Value", "StartContainer", "Key"],
            "PajeEndLink" => &["Time", "Type", "Container", "Value", "EndContainer", "Key"],
            define if define.starts_with("PajeDefine") => &["Name", "Type"],
            other => panic!("{other} is not Paje"),
        };
        needed.iter().for_each(|need| assert!(fields.iter().any(|(field, _)| field == need), "{event}: {need}"));
    }
}

/// States by container, in ps: value, from, to.
type States = BTreeMap<String, Vec<(String, u64, u64)>>;

/// Follows a trace as a viewer would; every name must be known, every container and link begun and ended.
fn play(events: &[Event]) -> (States, usize) {
    let (mut types, mut values) = (BTreeSet::from(["0".to_owned()]), BTreeSet::new());
    let mut containers: BTreeMap<String, String> = BTreeMap::from([("0".to_owned(), "0".to_owned())]);
    let (mut links, mut done) = (BTreeMap::new(), 0);
    let (mut open, mut states) = (BTreeMap::<String, (String, u64)>::new(), States::new());
    let mut now = 0;
    for event in events {
        let field = |name: &str| event[name].clone();
        assert!(types.contains(&field("Type")), "{event:?}");
        if let Some(time) = event.get("Time") {
            let at = picoseconds(time);
            assert!(at >= now, "not in the order of time: {event:?}");
            now = at;
        }
        for name in ["Container", "StartContainer", "EndContainer"] {
            assert!(event.get(name).is_none_or(|container| containers.contains_key(container)), "{event:?}");
        }
        match event["Event"].as_str() {
            "PajeDefineEntityValue" => assert!(values.insert((field("Type"), field("Alias")))),
            "PajeCreateContainer" => assert!(containers.insert(field("Alias"), field("Name")).is_none()),
            "PajeDestroyContainer" => {
                containers.remove(&field("Name")).expect("created");
                if let Some((value, from)) = open.remove(&field("Name")) {
                    states.entry(field("Name")).or_default().push((value, from, now));
                }
            }
            "PajeSetState" => {
                assert!(values.contains(&(field("Type"), field("Value"))), "{event:?}");
                if let Some((value, from)) = open.insert(field("Container"), (field("Value"), now)) {
                    states.entry(field("Container")).or_default().push((value, from, now));
                }
            }
            "PajeNewEvent" => assert!(values.contains(&(field("Type"), field("Value"))), "{event:?}"),
            "PajeStartLink" => assert!(links.insert(field("Key"), field("Value")).is_none(), "{event:?}"),
            "PajeEndLink" => {
                assert_eq!(links.get(&field("Key")), Some(&field("Value")), "{event:?}");
                done += 1;
            }
            _ => assert!(types.insert(field("Alias")), "{event:?}"),
        }
    }
    assert_eq!((containers.len(), links.len()), (1, done), "all but the root are destroyed, all links ended");
    (states, done)
}

fn picoseconds(seconds: &str) -> u64 {
    let (whole, part) = seconds.split_once('.').expect("a point");
    assert_eq!(part.len(), 12);
    whole.parse::<u64>().expect("digits") * 1_000_000_000_000 + part.parse::<u64>().expect("digits")
}

fn total(states: &[(String, u64, u64)], wanted: &str) -> u64 {
    states.iter().filter(|(value, ..)| value == wanted).map(|(_, from, to)| to - from).sum()
}

#[test]
fn states_and_links_are_those_of_the_trace() {
    let trace = fixture::barrier(9);
    let (states, links) = play(&read(&written("a.trace", &trace)));
    assert_eq!((states.len(), links), (9, trace.flights.len()));
    for rank in 0..9 {
        for (activity, name) in
            [(Activity::Sending, "sending"), (Activity::Waiting, "waiting"), (Activity::Noise, "noise")]
        {
            let own = trace.intervals.iter().filter(|i| i.rank == rank && i.activity == activity);
            let expected: Span = own.map(|interval| interval.end.since(interval.start)).sum();
            assert_eq!(total(&states[&format!("l{rank}")], name), expected.0, "rank {rank} {name}");
        }
    }
}

#[test]
fn what_lies_between_intervals_is_idle_and_empty_intervals_do_no_harm() {
    let at = |ps: u64| Time(ps);
    let interval = |activity, start, end| Interval { rank: 0, cpu: 0, activity, start: at(start), end: at(end) };
    let trace = Trace {
        title: "quotes \" and\nlines".to_owned(),
        entry: vec![at(5)],
        finish: vec![at(100)],
        intervals: vec![
            interval(Activity::Sending, 10, 20),
            interval(Activity::Gap, 20, 20),
            interval(Activity::Computing, 20, 30),
            interval(Activity::Noise, 50, 50),
            interval(Activity::Waiting, 60, 90),
        ],
        ..Trace::default()
    };
    let (states, _) = play(&read(&written("a.paje", &trace)));
    let own = &states["l0"];
    assert_eq!([total(own, "sending"), total(own, "computing"), total(own, "waiting")], [10, 10, 30]);
    assert_eq!(total(own, "idle"), (10 - 5) + (60 - 30) + (100 - 90));
    assert_eq!(own.iter().filter(|(value, ..)| value == "gap" || value == "noise").count(), 2);
}
