//! The timeline as SVG: one lane for each CPU of each rank, time to the right.
//!
//! The parts on the time axis lie in an inner `svg` whose view the page's script changes to zoom. Texts, ticks and
//! marks lie outside and are moved by their `data-x`, so that they are never stretched.

use super::choice;
use super::lanes::{Lanes, exits};
use super::svg::{Unit, centred, fitted, px};
use super::{Within, in_time, legend, said};
use models::time::{Span, Time};
use programs::trace::Trace;
use render::plots::Paper;
use render::plots::axis::Axis;
use render::plots::canvas::text_width;
use render::plots::svg::description;
use render::words::escaped;
use std::fmt::Write;
use std::ops::Range;

/// Width of the whole picture, in px, where the paper asks for no other.
const WIDTH: f64 = 960.0;
/// Room at the left of texts that span the picture, in px.
pub(super) const EDGE: f64 = 20.0;
/// Smallest distance between ticks, in px.
const TICK: f64 = 70.0;
/// Room at the right of the last instant, in px.
const RIGHT: f64 = 34.0;
/// Size of letters, in px.
pub(super) const TEXT: f64 = 14.0;
/// Height of a line of text, in px.
pub(super) const LINE: f64 = 19.0;
/// Room for the bracket of the exit skew, above the lanes, in px.
pub(super) const BRACKET: f64 = 16.0;
/// Ink of text and marks.
pub(super) const INK: &str = "#22262b";
/// Ink of less important text.
pub(super) const FAINT: &str = "#5c646e";

/// A picture, laid out.
pub(super) struct Picture<'a> {
    pub lanes: &'a Lanes<'a>,
    /// Indices of the lanes that are drawn.
    pub shown: Vec<usize>,
    /// The messages that are drawn.
    pub flights: choice::Flights<'a>,
    /// Caption, including omissions, one sentence each.
    pub caption: Vec<String>,
    /// Caption that the report prints; the picture itself then prints only its omissions.
    told_elsewhere: Option<&'a str>,
    /// The rank that the caption is about.
    pub told: Option<u32>,
    /// Headings of the method's number and of the number that it is compared with.
    pub heads: [&'static str; 2],
    /// The root of all calls, where there is one.
    root: Option<u32>,
    /// The first rank of each run.
    runs: Vec<u32>,
    /// The first and the last instant.
    pub time: (Time, Time),
    paper: &'a Paper,
    /// Width of the whole picture, in px.
    pub whole: f64,
    /// Left end of the time axis, in px; its width follows.
    pub left: f64,
    pub width: f64,
    /// Height of one lane with the room around it, in px.
    pub pitch: f64,
    unit: Unit,
}

impl<'a> Picture<'a> {
    /// Lays out a picture. Within a report, the report prints its caption.
    pub(super) fn lay_out(lanes: &'a Lanes<'a>, paper: &'a Paper, within: Option<&'a Within>) -> Picture<'a> {
        let trace = lanes.trace;
        let choice::ShownLanes { lanes: shown, said } = choice::lanes(lanes);
        let flights = choice::flights(lanes, &shown);
        let merged = "There are too many intervals for a bar each: every pixel shows what fills most of it.";
        let merged = (!choice::has_room_for_bars(lanes, &shown)).then(|| merged.to_owned());
        let telling = || said::caption(trace).or_else(|| skew_said(trace));
        let caption = [within.is_none().then(telling).flatten(), said, flights.said.clone(), merged];
        let names = shown.iter().map(|&lane| text_width(&lanes.name(&lanes.lanes[lane]), TEXT));
        let names = if within.is_some() { text_width("rank 000, root", TEXT) } else { names.fold(50.0, f64::max) };
        let (left, whole) = (names + 16.0, paper.width_px(WIDTH));
        let heads = within.map_or(said::HEADS, |within| within.heads);
        let time = (lanes.begin, within.map_or(lanes.end, |within| within.until.max(lanes.end)));
        Picture {
            lanes,
            paper,
            whole,
            flights,
            caption: caption.into_iter().flatten().collect(),
            told_elsewhere: within.map(|within| within.caption.as_str()),
            told: within.map_or_else(|| said::most_misreported(trace), |within| within.told),
            heads,
            root: within.and_then(|within| within.root),
            runs: trace.parts().into_iter().map(|(_, ranks)| ranks.start).collect(),
            time,
            left,
            width: whole - RIGHT - left - said::room(trace, heads),
            pitch: match shown.len() {
                0..=12 => 36.0,
                13..=24 => 26.0,
                25..=40 => 20.0,
                _ => 16.0,
            },
            unit: Unit::fitting(time.1.since(time.0)),
            shown,
        }
    }

    /// Time from the first instant to the last.
    pub(super) fn span(&self) -> Span {
        self.time.1.since(self.time.0)
    }

    /// Position of an instant, in px from the left end of the time axis.
    pub(super) fn x(&self, at: Time) -> f64 {
        let span = self.span().0.max(1) as f64;
        at.since(self.time.0).0 as f64 / span * self.width
    }

    /// The middle of the n-th lane shown, in px from the top of the part on the time axis.
    pub(super) fn middle(&self, nth: usize) -> f64 {
        self.top(nth) + 0.5 * self.pitch
    }

    /// The upper edge of the n-th lane shown: above the first of each run there is room for a bracket and its name.
    pub(super) fn top(&self, nth: usize) -> f64 {
        let run = |lane: usize| self.runs.partition_point(|&first| first <= self.lanes.lanes[lane].rank);
        let before = self.shown.get(nth).map_or(self.runs.len(), |&lane| run(lane)).max(1) - 1;
        BRACKET + nth as f64 * self.pitch + before as f64 * (BRACKET + LINE)
    }

    /// Height of the part on the time axis, in px.
    pub(super) fn height(&self) -> f64 {
        self.top(self.shown.len())
    }

    /// The first lane of each rank that is shown.
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, u32)> {
        let lanes = self.shown.iter().map(|&lane| &self.lanes.lanes[lane]).enumerate();
        lanes.filter(|(_, lane)| lane.cpu == 0).map(|(nth, lane)| (nth, lane.rank))
    }

    /// Half the height of a bar of full height, in px.
    pub(super) fn half(&self) -> f64 {
        self.pitch * 0.3
    }

    /// Returns the picture; `alone` with title and caption, for a file whose paper wants a title.
    pub(super) fn svg(&self, alone: bool) -> String {
        let trace = self.lanes.trace;
        let said = alone && self.paper.title;
        let lines = |words: &str, size, most| {
            if said { fitted(words, self.whole - 2.0 * EDGE, size, most) } else { Vec::new() }
        };
        let (titles, captions) = (lines(&trace.title, TEXT * 1.2, 3), lines(&self.caption.join(" "), TEXT, 8));
        let top = 14.0 + titles.len() as f64 * LINE * 1.2 + LINE;
        let (legend, under) =
            legend::render_legend(top + self.height() + 66.0, self.whole, self.lanes, self.told_elsewhere.is_some());
        let height = (under + captions.len() as f64 * LINE + 8.0).ceil();
        let mut svg = self.head(height, alone);
        let mut text = |line: &str, y: f64, look: &str| {
            let _ = writeln!(svg, "<text x=\"{EDGE}\" y=\"{}\" {look}>{}</text>", px(y), escaped(line));
        };
        for (nth, line) in titles.iter().enumerate() {
            let look = format!("font-size=\"{}\" font-weight=\"bold\" fill=\"{INK}\"", px(TEXT * 1.2));
            text(line, 26.0 + nth as f64 * LINE * 1.2, &look);
        }
        for (nth, line) in captions.iter().enumerate() {
            text(line, under + LINE * 0.7 + nth as f64 * LINE, &format!("fill=\"{FAINT}\""));
        }
        self.ticks(&mut svg, top);
        let (x, y, width, height) = (px(self.left), px(top), px(self.width), px(self.height()));
        let view = format!("viewBox=\"0 0 {width} {height}\" preserveAspectRatio=\"none\"");
        let _ = writeln!(svg, "<svg class=\"plot\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {view}>");
        in_time::write_timeline(&mut svg, self);
        svg.push_str("</svg>\n");
        self.names(&mut svg, top);
        self.marks(&mut svg, top);
        said::write_columns(&mut svg, self, top);
        svg.push_str(&legend);
        svg.push_str("</svg>\n");
        svg
    }

    /// The outermost element with the white card; `alone`, it also has the descriptions of the picture, whether drawn
    /// or not.
    fn head(&self, height: f64, alone: bool) -> String {
        let width = self.whole;
        let caption: Vec<&str> =
            self.told_elsewhere.into_iter().chain(self.caption.iter().map(String::as_str)).collect();
        let caption = caption.join(" ");
        let label = escaped(&format!("Timeline. {}. {caption}", self.lanes.trace.title));
        // A picture among others in a page has a title like theirs.
        let title = self.told_elsewhere.map_or_else(String::new, |_| format!("<title>{label}</title>\n"));
        let (wide, high) = self.paper.size((width as u32, height as u32));
        let about =
            self.lanes.trace.about.iter().chain(&self.caption).filter(|_| alone).cloned().collect::<Vec<String>>();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {width} \
             {height}\" font-family=\"sans-serif\" font-size=\"{TEXT}\" role=\"img\" aria-label=\"{label}\" \
             data-left=\"{}\" data-width=\"{}\" data-until=\"{}\">\n{title}{}\
             <path fill=\"#fff\" d=\"M0,0h{width}v{height}h-{width}z\"/>\n",
            px(self.left),
            px(self.width),
            self.unit.convert(self.span()),
            description(&about)
        )
    }

    /// Grid lines and their times; the page's script draws others when it zooms.
    fn ticks(&self, svg: &mut String, top: f64) {
        let until = self.unit.convert(self.span());
        let wanted = (self.width / TICK).clamp(2.0, 8.0) as u32;
        let axis = Axis::linear(0.0, until, (self.left, self.left + self.width), wanted);
        let bottom = top + self.height() + 3.0;
        let _ = writeln!(
            svg,
            "<g class=\"ticks\" text-anchor=\"middle\" fill=\"{FAINT}\" stroke=\"#dde1e6\" data-y=\"{}\">",
            px(bottom)
        );
        for (value, label) in axis.ticks().iter().filter(|(value, _)| *value <= until || until == 0.0) {
            let x = px(axis.at(*value));
            let _ = writeln!(
                svg,
                "<path d=\"M{x},{}V{}\"/><text x=\"{x}\" y=\"{}\" stroke=\"none\">{label}</text>",
                px(top + BRACKET - 4.0),
                px(bottom),
                px(bottom + 16.0)
            );
        }
        let (right, middle) = (px(self.left + self.width), px(self.left + self.width / 2.0));
        let _ = writeln!(svg, "</g>\n<path stroke=\"{FAINT}\" d=\"M{},{1}H{right}\"/>", px(self.left), px(bottom));
        let y = px(bottom + 36.0);
        let words = format!("time since the first entry, {}", self.unit.symbol);
        let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{FAINT}\">{words}</text>");
    }

    fn names(&self, svg: &mut String, top: f64) {
        let size = px(TEXT.min(self.pitch * 0.8));
        let _ = writeln!(svg, "<g text-anchor=\"end\" font-size=\"{size}\" fill=\"{INK}\">");
        for (nth, &lane) in self.shown.iter().enumerate() {
            let (x, y) = (px(self.left - 9.0), px(top + self.middle(nth) + TEXT.min(self.pitch * 0.8) * 0.35));
            let lane = &self.lanes.lanes[lane];
            let root = if Some(lane.rank) == self.root { ", root" } else { "" };
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{}{root}</text>", escaped(&self.lanes.name(lane)));
        }
        svg.push_str("</g>\n");
    }

    /// Entry and exit of each rank, and the name of the bracket.
    fn marks(&self, svg: &mut String, top: f64) {
        let trace = self.lanes.trace;
        let half = px(self.pitch * 0.44);
        let _ = writeln!(svg, "<g class=\"marks\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.6\">");
        for (nth, &lane) in self.shown.iter().enumerate() {
            let rank = self.lanes.lanes[lane].rank;
            for (times, serif, word) in [(&trace.entry, 3.5, "enters"), (&trace.finish, -3.5, "leaves")] {
                let Some(&at) = times.get(rank as usize) else { continue };
                let (x, y) = (self.x(at), px(top + self.middle(nth)));
                let _ = writeln!(
                    svg,
                    "<path data-x=\"{}\" transform=\"translate({},{y})\" d=\"M{serif},-{half}H0V{half}H{serif}\"><title>{} \
                     {word} at {}</title></path>",
                    px(x),
                    px(self.left + x),
                    trace.name(rank),
                    at.since(self.time.0)
                );
            }
        }
        for (_, ranks) in trace.parts().into_iter().filter(|_| trace.samples.is_empty()) {
            let first_lane = self.shown.iter().position(|&lane| ranks.contains(&self.lanes.lanes[lane].rank));
            if let (Some(first_lane), Some(exits)) = (first_lane, exits(trace, &ranks)) {
                self.skew(svg, exits, top + self.top(first_lane) - BRACKET);
            }
        }
        svg.push_str("</g>\n");
    }

    /// The name of the bracket of an exit skew.
    fn skew(&self, svg: &mut String, (first, last): (Time, Time), top: f64) {
        let middle = (self.x(first) + self.x(last)) / 2.0;
        let words = format!("exit skew {}", last.since(first));
        let half = text_width(&words, TEXT) / 2.0;
        let x = middle.clamp(half, (self.width + RIGHT - half - 4.0).max(half));
        let place = centred(middle, half, (self.left + x, top - 4.0));
        let look = format!("text-anchor=\"middle\" font-weight=\"bold\" fill=\"{INK}\" stroke=\"none\"");
        let _ = writeln!(svg, "<text {place} {look}>{words}</text>");
    }
}

/// Sentences on the ranks that leave first and last, and on the time between them, run by run.
fn skew_said(trace: &Trace) -> Option<String> {
    let of_run = |(run, ranks): (Option<&str>, Range<u32>)| {
        let (first, last) = exits(trace, &ranks)?;
        let finish = &trace.finish[ranks.start as usize..ranks.end as usize];
        let rank = |at: Time| finish.iter().position(|&finish| finish == at).unwrap_or_default();
        let begin = run.map_or_else(String::new, |run| format!("{run} ends after {}. ", last.since(Time::ZERO)));
        Some(if first == last {
            format!("{begin}All ranks leave at the same instant: no exit skew.")
        } else {
            let skew = last.since(first);
            format!(
                "{begin}Rank {} leaves first and rank {} last, {skew} later: the exit skew.",
                rank(first),
                rank(last)
            )
        })
    };
    let all: Vec<String> = trace.parts().into_iter().filter_map(of_run).collect();
    (!all.is_empty()).then(|| all.join(" "))
}
