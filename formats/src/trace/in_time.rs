//! The part of the timeline that lies on the time axis, and is stretched when the page zooms: bars, messages, the exit
//! skew.

use super::choice::{Merged, has_room_for_bars, merged};
use super::lanes::{Lane, exits};
use super::look::{Look, hex};
use super::picture::{BRACKET, INK, Picture};
use super::svg::px;
use models::time::Time;
use programs::trace::{Activity, Flight, Interval};
use render::plots::canvas::HUES;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lines keep their width however far time is stretched.
const STEADY: &str = "vector-effect=\"non-scaling-stroke\"";

/// Width of a bar from which on a pattern is visible, in px; the patterns of thinner ones would run together.
const PATTERNED: f64 = 1.5;

/// Draws the part on the time axis, in px from its own upper left corner.
pub(super) fn write_timeline(svg: &mut String, picture: &Picture) {
    bands(svg, picture);
    let _ = write!(svg, "<path stroke=\"#c9ced5\" {STEADY} d=\"");
    for nth in 0..picture.shown.len() {
        let _ = write!(svg, "M0,{}h{}", px(picture.middle(nth)), px(picture.width));
    }
    svg.push_str("\"/>\n");
    calls(svg, picture);
    if has_room_for_bars(picture.lanes, &picture.shown) {
        Activity::ALL.into_iter().for_each(|activity| bars(svg, picture, activity));
    } else {
        merged_bars(svg, picture);
    }
    flights(svg, picture);
}

/// The stay of each rank in each call, in the hue of the call; barriers of a method are grey. A bracket above them
/// marks the time that a method measured.
fn calls(svg: &mut String, picture: &Picture) {
    let half = picture.pitch * 0.44;
    for (nth, rank) in picture.rows() {
        let (middle, who) = (picture.middle(nth), picture.lanes.trace.name(rank));
        for call in picture.lanes.calls(rank) {
            let (x, width) = (picture.x(call.from), picture.x(call.to) - picture.x(call.from));
            let fill = call.number.map_or("#7d8690".to_owned(), |number| hue(number as usize));
            let name = call.number.map_or("barrier".to_owned(), |number| format!("call {}", number + 1));
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" fill-opacity=\"0.3\" stroke=\"{fill}\" \
                 {STEADY}><title>{who} in {name}: {}, from {} to {}</title></rect>",
                px(x),
                px(middle - half),
                fine(width),
                px(2.0 * half),
                call.to.since(call.from),
                call.from.since(picture.time.0),
                call.to.since(picture.time.0)
            );
        }
        let _ = picture.lanes.samples(rank).iter().try_for_each(|sample| {
            let (from, to) = (px(picture.x(sample.from)), px(picture.x(sample.to)));
            let (top, low) = (px(middle - half - 2.0), px(middle - half + 3.0));
            writeln!(svg, "<path fill=\"none\" stroke=\"{INK}\" stroke-width=\"2\" {STEADY} d=\"M{from},{low}V{top}H{to}V{low}\"/>")
        });
    }
}

/// The hue of a call in the notation of SVG.
pub(super) fn hue(number: usize) -> String {
    hex(HUES[number % HUES.len()])
}

/// The exit skew of each run: a band behind its lanes and a bracket above them, from the first exit to the last.
fn bands(svg: &mut String, picture: &Picture) {
    let trace = picture.lanes.trace;
    // A method's ranks leave when their last sample is over, which is no skew of theirs.
    if !trace.samples.is_empty() {
        return;
    }
    for (_, ranks) in trace.parts() {
        let of_run = |&&lane: &&usize| ranks.contains(&picture.lanes.lanes[lane].rank);
        let (first_lane, lanes) = (
            picture.shown.iter().take_while(|lane| !of_run(lane)).count(),
            picture.shown.iter().filter(of_run).count(),
        );
        if let Some(exits) = exits(trace, &ranks).filter(|_| lanes > 0) {
            band(svg, picture, exits, (first_lane, lanes));
        }
    }
}

fn band(svg: &mut String, picture: &Picture, (first, last): (Time, Time), (first_lane, lanes): (usize, usize)) {
    let (from, to) = (picture.x(first), picture.x(last));
    let top = picture.top(first_lane);
    let height = px(lanes as f64 * picture.pitch);
    let (left, right, width, y) = (px(from), px(to), px(to - from), px(top));
    let _ = writeln!(svg, "<path fill=\"#fbeec2\" d=\"M{left},{y}h{width}v{height}h-{width}z\"/>");
    let sides = format!("M{left},{y}v{height}M{right},{y}v{height}");
    let _ = writeln!(svg, "<path fill=\"none\" stroke=\"{INK}\" stroke-dasharray=\"2 3\" {STEADY} d=\"{sides}\"/>");
    let (above, below) = (px(top - BRACKET * 0.7), px(top - BRACKET * 0.1));
    let _ = writeln!(
        svg,
        "<path fill=\"none\" stroke=\"{INK}\" stroke-width=\"2\" {STEADY} d=\"M{left},{below}V{above}H{right}V{below}\"/>"
    );
}

/// Every bar of one activity; those without length show nothing.
fn bars(svg: &mut String, picture: &Picture, activity: Activity) {
    let look = Look::in_calls(activity, picture.lanes.has_calls());
    let name = picture.lanes.trace.exchange.name(activity);
    let half = picture.half() * look.height;
    let (mut all, mut places) = (String::new(), Vec::new());
    for (nth, &lane) in picture.shown.iter().enumerate() {
        let lane = &picture.lanes.lanes[lane];
        let own = |interval: &&Interval| interval.activity == activity && interval.end > interval.start;
        for interval in picture.lanes.intervals(lane).iter().filter(own) {
            let (x, middle) = (picture.x(interval.start), picture.middle(nth));
            let width = picture.x(interval.end) - x;
            let _ = writeln!(
                all,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}: {} {} from {} to {}</title></rect>",
                px(x),
                px(middle - half),
                fine(width),
                px(2.0 * half),
                picture.lanes.name(lane),
                name,
                interval.end.since(interval.start),
                interval.start.since(picture.time.0),
                interval.end.since(picture.time.0)
            );
            if width >= PATTERNED {
                places.push((x, middle, width));
            }
        }
    }
    if !all.is_empty() {
        let _ = write!(svg, "<g {}>\n{all}</g>\n{}", look.fill(), look.over(&places, half));
    }
}

/// Text of a width. Short bars in long runs need more digits than positions do.
fn fine(width: f64) -> String {
    if width < 0.01 { format!("{width:.3e}") } else { px(width) }
}

/// One path for each activity and lane, cut at pixels.
fn merged_bars(svg: &mut String, picture: &Picture) {
    let slots = picture.width.floor() as usize;
    let slot = picture.width / slots as f64;
    let lanes: Vec<&Lane> = picture.shown.iter().map(|&lane| &picture.lanes.lanes[lane]).collect();
    let runs: Vec<Vec<Merged>> =
        lanes.iter().map(|lane| merged(picture.lanes.intervals(lane), picture.time, slots)).collect();
    for activity in Activity::ALL {
        let look = Look::in_calls(activity, picture.lanes.has_calls());
        let name = picture.lanes.trace.exchange.name(activity);
        let half = picture.half() * look.height;
        let mut places = Vec::new();
        let _ = writeln!(svg, "<g {}>", look.fill());
        for (nth, (lane, runs)) in lanes.iter().zip(&runs).enumerate() {
            let middle = picture.middle(nth);
            let own = runs.iter().filter(|run| run.activity == activity);
            let bars = own.map(|run| (run.from as f64 * slot, middle, (run.to - run.from) as f64 * slot));
            let bars: Vec<(f64, f64, f64)> = bars.collect();
            if bars.is_empty() {
                continue;
            }
            svg.push_str("<path d=\"");
            for (x, middle, width) in &bars {
                let (x, y, width, height) = (px(*x), px(middle - half), px(*width), px(2.0 * half));
                let _ = write!(svg, "M{x},{y}h{width}v{height}h-{width}z");
            }
            let _ = writeln!(svg, "\"><title>{}: mostly {name}</title></path>", picture.lanes.name(lane));
            places.extend(bars.into_iter().filter(|bar| bar.2 >= PATTERNED));
        }
        let _ = write!(svg, "</g>\n{}", look.over(&places, half));
    }
}

/// Thin lines from departure to arrival.
fn flights(svg: &mut String, picture: &Picture) {
    if picture.flights.drawn.is_empty() {
        return;
    }
    let mut rows = BTreeMap::new();
    for (nth, &lane) in picture.shown.iter().enumerate() {
        rows.entry(picture.lanes.lanes[lane].rank).or_insert(nth);
    }
    // Many lines must not hide the bars.
    let opacity = match picture.flights.drawn.len() {
        0..=60 => 0.75,
        61..=250 => 0.45,
        _ => 0.25,
    };
    let _ = writeln!(svg, "<g fill=\"none\" stroke=\"{INK}\" stroke-opacity=\"{opacity}\">");
    for flight in &picture.flights.drawn {
        if let (Some(&from), Some(&to)) = (rows.get(&flight.from), rows.get(&flight.to)) {
            line(svg, picture, flight, (from, to));
        }
    }
    svg.push_str("</g>\n");
}

fn line(svg: &mut String, picture: &Picture, flight: &Flight, (from, to): (usize, usize)) {
    let since = |at: Time| at.since(picture.time.0);
    let down = if to > from { 1.0 } else { -1.0 };
    let start = picture.middle(from) + down * picture.half();
    let end = picture.middle(to) - if to == from { -down } else { down } * picture.half();
    let _ = writeln!(
        svg,
        "<path {STEADY} d=\"M{},{}L{},{}\"><title>{} B from {} to {}: departs {}, arrives {}, received \
         {}</title></path>",
        px(picture.x(flight.departed)),
        px(start),
        px(picture.x(flight.arrived)),
        px(end),
        flight.bytes,
        picture.lanes.trace.name(flight.from),
        picture.lanes.trace.name(flight.to),
        since(flight.departed),
        since(flight.arrived),
        since(flight.received)
    );
}
