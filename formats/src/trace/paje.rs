//! Paje, the self-describing text format that ViTE and pajeng read.
//!
//! The head defines the events and their fields. Types, containers (the run, and in it one for each lane) and the
//! events in the order of time follow: a lane's state is set wherever it changes, entry and exit are events, messages
//! are links of the run. Times are seconds with all digits.
//!
//! Source: Schnorr, Kergommeaux, Stein de Oliveira, "Pajé trace file format" (version of 2013), and the checks of
//! pajeng: time order for each container and type, each key one link, both its ends of one value.

use super::lanes::Lanes;
use super::look::Look;
use models::time::Time;
use programs::trace::{Activity, Exchange, Trace};
use std::io::{self, Write};

/// A field of an event: its name and its kind.
type Field = (&'static str, &'static str);

/// The events that are used: number, name, fields.
const EVENTS: [(u32, &str, &[Field]); 11] = [
    (0, "PajeDefineContainerType", &[ALIAS, TYPE, NAME]),
    (1, "PajeDefineStateType", &[ALIAS, TYPE, NAME]),
    (2, "PajeDefineEventType", &[ALIAS, TYPE, NAME, COLOR]),
    (3, "PajeDefineLinkType", &[ALIAS, TYPE, START_TYPE, END_TYPE, NAME]),
    (4, "PajeDefineEntityValue", &[ALIAS, TYPE, NAME, COLOR]),
    (5, "PajeCreateContainer", &[TIME, ALIAS, TYPE, CONTAINER, NAME]),
    (6, "PajeDestroyContainer", &[TIME, TYPE, NAME]),
    (7, "PajeSetState", &[TIME, TYPE, CONTAINER, VALUE]),
    (8, "PajeNewEvent", &[TIME, TYPE, CONTAINER, VALUE]),
    (9, "PajeStartLink", &[TIME, TYPE, CONTAINER, VALUE, ("StartContainer", "string"), KEY]),
    (10, "PajeEndLink", &[TIME, TYPE, CONTAINER, VALUE, ("EndContainer", "string"), KEY]),
];
const ALIAS: Field = ("Alias", "string");
const TYPE: Field = ("Type", "string");
const NAME: Field = ("Name", "string");
const COLOR: Field = ("Color", "color");
const START_TYPE: Field = ("StartContainerType", "string");
const END_TYPE: Field = ("EndContainerType", "string");
const TIME: Field = ("Time", "date");
const CONTAINER: Field = ("Container", "string");
const VALUE: Field = ("Value", "string");
const KEY: Field = ("Key", "string");

/// An event at one instant; the variants are in the order in which they are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Happening {
    /// A rank enters the run.
    Entry(u32),
    /// The lane (first) begins its interval (second); `None` where it is idle.
    State(usize, Option<usize>),
    /// A message departs, given by its index.
    Departure(usize),
    /// A message arrives, given by its index.
    Arrival(usize),
    /// A rank leaves the run.
    Exit(u32),
}

/// Writes a trace in this format.
pub(super) fn write(trace: &Trace, out: &mut dyn Write) -> io::Result<()> {
    let lanes = Lanes::from_trace(trace);
    head(out)?;
    types(out, trace.exchange)?;
    let (begin, end) = (seconds(lanes.begin), seconds(lanes.end));
    writeln!(out, "5 {begin} run R 0 {}", quoted(&trace.title))?;
    for (index, lane) in lanes.lanes.iter().enumerate() {
        writeln!(out, "5 {begin} l{index} L run {}", quoted(&lanes.name(lane)))?;
        if lanes.intervals(lane).first().is_none_or(|interval| interval.start > lanes.begin) {
            writeln!(out, "7 {begin} S l{index} idle")?;
        }
    }
    for (at, happening) in happenings(&lanes) {
        tell(out, &lanes, &seconds(at), happening)?;
    }
    for index in 0..lanes.lanes.len() {
        writeln!(out, "6 {end} L l{index}")?;
    }
    writeln!(out, "6 {end} R run")
}

fn head(out: &mut dyn Write) -> io::Result<()> {
    for (number, event, fields) in EVENTS {
        writeln!(out, "%EventDef {event} {number}")?;
        for (field, kind) in fields {
            writeln!(out, "% {field} {kind}")?;
        }
        writeln!(out, "%EndEventDef")?;
    }
    Ok(())
}

fn types(out: &mut dyn Write, exchange: Exchange) -> io::Result<()> {
    writeln!(out, "0 R 0 Run\n0 L R Rank\n1 S L Activity\n2 E L Mark \"0 0 0\"\n3 M R L L Message")?;
    writeln!(out, "4 idle S idle \"1 1 1\"")?;
    for activity in Activity::ALL {
        let part = |part: u8| (f64::from(part) / 255.0 * 1000.0).round() / 1000.0;
        let hue = Look::for_activity(activity).hue;
        let name = exchange.name(activity);
        writeln!(out, "4 {name} S {name} \"{} {} {}\"", part(hue.0), part(hue.1), part(hue.2))?;
    }
    writeln!(out, "4 entry E entry \"0 0 0\"\n4 exit E exit \"0 0 0\"")
}

/// All events in the order of time.
fn happenings(lanes: &Lanes) -> Vec<(Time, Happening)> {
    let trace = lanes.trace;
    let mut all = Vec::new();
    for (index, lane) in lanes.lanes.iter().enumerate() {
        let own = lanes.intervals(lane);
        for (nth, interval) in own.iter().enumerate() {
            all.push((interval.start, Happening::State(index, Some(nth))));
            if own.get(nth + 1).is_none_or(|next| next.start > interval.end) {
                all.push((interval.end.max(interval.start), Happening::State(index, None)));
            }
        }
    }
    all.extend((0..).zip(&trace.entry).map(|(rank, &at)| (at, Happening::Entry(rank))));
    all.extend((0..).zip(&trace.finish).map(|(rank, &at)| (at, Happening::Exit(rank))));
    for (key, flight) in trace.flights.iter().enumerate() {
        all.push((flight.departed, Happening::Departure(key)));
        all.push((flight.arrived.max(flight.departed), Happening::Arrival(key)));
    }
    // The sort is stable: events of a lane within one instant keep their order.
    all.sort_by_key(|&(at, happening)| (at, rank_of(happening)));
    all
}

/// Order of the kinds of events within one instant.
fn rank_of(happening: Happening) -> u8 {
    match happening {
        Happening::Entry(_) => 0,
        Happening::State(..) => 1,
        Happening::Departure(_) => 2,
        Happening::Arrival(_) => 3,
        Happening::Exit(_) => 4,
    }
}

fn tell(out: &mut dyn Write, lanes: &Lanes, at: &str, happening: Happening) -> io::Result<()> {
    let lane = |rank: u32| lanes.of_rank(rank).start;
    match happening {
        Happening::Entry(rank) => writeln!(out, "8 {at} E l{} entry", lane(rank)),
        Happening::Exit(rank) => writeln!(out, "8 {at} E l{} exit", lane(rank)),
        Happening::State(index, nth) => {
            let name = |nth: usize| lanes.trace.exchange.name(lanes.intervals(&lanes.lanes[index])[nth].activity);
            let value = nth.map_or("idle", name);
            writeln!(out, "7 {at} S l{index} {value}")
        }
        Happening::Departure(key) => {
            let flight = &lanes.trace.flights[key];
            writeln!(out, "9 {at} M run \"{} B\" l{} m{key}", flight.bytes, lane(flight.from))
        }
        Happening::Arrival(key) => {
            let flight = &lanes.trace.flights[key];
            writeln!(out, "10 {at} M run \"{} B\" l{} m{key}", flight.bytes, lane(flight.to))
        }
    }
}

fn seconds(at: Time) -> String {
    format!("{}.{:012}", at.0 / 1_000_000_000_000, at.0 % 1_000_000_000_000)
}

/// A text in quotes. Paje has no way to write a quote within quotes, so they become apostrophes.
fn quoted(words: &str) -> String {
    let plain: String = words
        .chars()
        .map(|c| match c {
            '"' => '\'',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    format!("\"{plain}\"")
}
