//! Draws a trace: one lane for each rank, one hue for each call, time to the right.

use super::trace::{Activity, Bar, Call, Message, Trace};
use crate::plots::axis::{Axis, wanted};
use crate::plots::canvas::{Align, Canvas, FAINT, HUES, INK, Point, picture, text_width, tint};
use crate::plots::layout::{EDGE, Words, flow, more_rows};
use crate::plots::numbers::TimeUnit;
use crate::plots::{Drawing, Paper};
use plotters::style::{RGBColor, WHITE};

/// Width of the whole picture, in px.
const WIDTH: f64 = 960.0;
/// Room for the ranks' names.
const LEFT: f64 = 104.0;
/// Room for the two columns of numbers.
const RIGHT: f64 = 150.0;
/// Room for the title and the columns' headings.
const TOP: f64 = 66.0;
/// Room for axis and legend.
const BOTTOM: f64 = 128.0;
/// From one line of the legend to the next.
const ENTRY: f64 = 30.0;
/// Size of the letters.
const TEXT: f64 = 15.0;

/// What is written at the right of each lane.
pub(super) struct Columns {
    /// Headings of the two columns.
    pub heads: [&'static str; 2],
    /// Two numbers for each rank, in µs.
    pub us: Vec<[f64; 2]>,
}

/// A picture to be drawn.
pub(super) struct Picture {
    pub trace: Trace,
    pub title: String,
    pub label: String,
    /// Time at the right edge, in µs: shared by pictures that are to be compared.
    pub until_us: f64,
    pub root: u32,
    /// The rank whose waits are spelled out.
    pub told: Option<u32>,
    pub columns: Option<Columns>,
}

impl Picture {
    /// The picture, to be drawn.
    pub(super) fn drawing(self) -> Drawing {
        Drawing::new(move |paper| self.draw(paper))
    }

    fn draw(&self, paper: &Paper) -> String {
        let width = paper.width_px(WIDTH);
        // In a narrow picture, title and legend take all of it.
        let left = if width < WIDTH { EDGE } else { LEFT };
        let title = Words::title(paper, &self.title, width - left + EDGE, 17.0);
        let legend = Legend::of(self.trace.calls(), left, width);
        let lanes = Lanes::new(self.trace.ranks(), TOP + title.more());
        let height = lanes.bottom() + BOTTOM + legend.more();
        let unit = TimeUnit::fitting([self.until_us]);
        let axis = Axis::linear(0.0, unit.of(self.until_us), (LEFT, width - RIGHT), wanted(width - RIGHT - LEFT, 8));
        let pen = Pen { lanes, axis, unit };
        picture(paper, (width, height.ceil()), &self.label, |canvas| {
            title.draw(canvas, (left, 20.0), Align::Left, INK);
            pen.axis(canvas);
            for rank in 0..self.trace.ranks() {
                let name = if rank == self.root { format!("rank {rank}, root") } else { format!("rank {rank}") };
                canvas.text(&name, (LEFT - 8.0, pen.lanes.middle(rank)), TEXT, Align::Right, INK);
            }
            self.calls(canvas, &pen);
            pen.messages(canvas, &self.trace.messages);
            self.trace.bars.iter().for_each(|bar| self.wait_told(canvas, &pen, bar));
            self.numbers(canvas, &pen);
            legend.draw(canvas, pen.lanes.bottom() + 76.0);
        })
    }

    fn calls(&self, canvas: &Canvas, pen: &Pen) {
        // Neighbours of one look take less room in the file.
        let mut calls: Vec<&Call> = self.trace.calls.iter().collect();
        calls.sort_by_key(|call| call.call % HUES.len());
        for call in &calls {
            let (from, to) = pen.corners(call.rank, call.from.as_us(), call.to.as_us());
            canvas.bar(from, to, tint(hue(call.call), 0.08));
        }
        let mut bars: Vec<&Bar> = self.trace.bars.iter().collect();
        bars.sort_by_key(|bar| (bar.activity as u8, bar.call % HUES.len()));
        for bar in bars {
            let (from, to) = pen.corners(bar.rank, bar.from.as_us(), bar.to.as_us());
            activity(canvas, from, to, bar.activity, hue(bar.call));
        }
        for call in &calls {
            let (from, to) = pen.corners(call.rank, call.from.as_us(), call.to.as_us());
            canvas.frame(from, to, hue(call.call));
        }
        self.call_numbers(canvas, pen);
    }

    /// The number of each call, in the first of its bars that has room.
    fn call_numbers(&self, canvas: &Canvas, pen: &Pen) {
        for call in &self.trace.calls {
            let own = |bar: &&Bar| (bar.rank, bar.call) == (call.rank, call.call);
            let busy = self.trace.bars.iter().filter(own).filter(|bar| bar.activity != Activity::Waiting);
            if let Some((bar, number)) = busy
                .map(|bar| (bar, (bar.call + 1).to_string()))
                .find(|(bar, number)| pen.width(bar) >= text_width(number, TEXT) + 5.0)
            {
                pen.number(canvas, bar, &number);
            }
        }
    }

    /// Spells out a wait of the rank that the picture is about.
    fn wait_told(&self, canvas: &Canvas, pen: &Pen, bar: &Bar) {
        if Some(bar.rank) != self.told || bar.activity != Activity::Waiting {
            return;
        }
        let (from, to) = pen.corners(bar.rank, bar.from.as_us(), bar.to.as_us());
        let waited = pen.unit.print((bar.to - bar.from).as_us());
        let words = [format!("waits {waited}"), waited];
        let room = to.0 - from.0 - 12.0;
        if let Some(text) = words.iter().find(|text| text_width(text, TEXT) <= room) {
            let (middle, half) = ((from.0 + to.0) / 2.0, text_width(text, TEXT) / 2.0 + 3.0);
            canvas.bar((middle - half, from.1 + 3.0), (middle + half, to.1 - 3.0), WHITE);
            canvas.bold(text, (middle, (from.1 + to.1) / 2.0), TEXT, Align::Centre, hue(bar.call));
        }
    }

    fn numbers(&self, canvas: &Canvas, pen: &Pen) {
        let Some(columns) = &self.columns else { return };
        let unit = TimeUnit::fitting(columns.us.iter().flatten().copied());
        let ends = [canvas.width() - 78.0, canvas.width() - 8.0];
        for (head, end) in columns.heads.iter().zip(ends) {
            canvas.text(head, (end, pen.lanes.top - 26.0), TEXT, Align::Right, FAINT);
            canvas.text(unit.symbol(), (end, pen.lanes.top - 9.0), TEXT, Align::Right, FAINT);
        }
        for (rank, pair) in (0..self.trace.ranks()).zip(&columns.us) {
            for (&us, end) in pair.iter().zip(ends) {
                let (at, number) = ((end, pen.lanes.middle(rank)), crate::plots::numbers::significant(unit.of(us)));
                if Some(rank) == self.told {
                    canvas.bold(&number, at, TEXT, Align::Right, INK);
                } else {
                    canvas.text(&number, at, TEXT, Align::Right, INK);
                }
            }
        }
    }
}

fn hue(call: usize) -> RGBColor {
    HUES[call % HUES.len()]
}

/// Where the lanes lie.
struct Lanes {
    ranks: u32,
    pitch: f64,
    top: f64,
}

impl Lanes {
    fn new(ranks: u32, top: f64) -> Lanes {
        Lanes { ranks, pitch: if ranks <= 16 { 40.0 } else { 26.0 }, top }
    }

    fn middle(&self, rank: u32) -> f64 {
        self.top + (f64::from(rank) + 0.5) * self.pitch
    }

    fn half_height(&self) -> f64 {
        self.pitch * 0.32
    }

    fn bottom(&self) -> f64 {
        self.top + f64::from(self.ranks) * self.pitch
    }
}

/// Lanes and time axis: all that is needed to place something.
struct Pen {
    lanes: Lanes,
    axis: Axis,
    unit: TimeUnit,
}

impl Pen {
    fn x(&self, us: f64) -> f64 {
        self.axis.at(self.unit.of(us))
    }

    /// Upper left and lower right corner of a stretch of a rank's time.
    fn corners(&self, rank: u32, from_us: f64, to_us: f64) -> (Point, Point) {
        let (middle, half) = (self.lanes.middle(rank), self.lanes.half_height());
        ((self.x(from_us), middle - half), (self.x(to_us), middle + half))
    }

    fn axis(&self, canvas: &Canvas) {
        let bottom = self.lanes.bottom() + 4.0;
        self.axis.draw_down(canvas, (self.lanes.top - 4.0, bottom), TEXT);
        let (left, right) = self.axis.pixels();
        canvas.line(&[(left, bottom), (right, bottom)], FAINT, 1);
        let title = format!("time since the first rank entered, {}", self.unit.symbol());
        canvas.text(&title, ((left + right) / 2.0, bottom + 33.0), TEXT, Align::Centre, FAINT);
    }

    /// Arrows from the begin of the send to the end of the receive.
    fn messages(&self, canvas: &Canvas, messages: &[Message]) {
        // A thicket of arrows must not hide the bars.
        let opacity = if self.lanes.ranks <= 16 { 0.45 } else { 0.2 };
        let arrows: Vec<(Point, Point)> = messages.iter().map(|message| self.arrow(message)).collect();
        arrows.iter().for_each(|&(from, to)| canvas.thin_line(from, to, INK, opacity));
        arrows.iter().for_each(|&(from, to)| arrow_head(canvas, from, to));
    }

    fn arrow(&self, message: &Message) -> (Point, Point) {
        let down = if message.receiver > message.sender { 1.0 } else { -1.0 };
        let half = self.lanes.half_height();
        let from = (self.x(message.sent.as_us()), self.lanes.middle(message.sender) + down * half);
        let to = (self.x(message.received.as_us()), self.lanes.middle(message.receiver) - down * half);
        (from, to)
    }

    fn width(&self, bar: &Bar) -> f64 {
        self.x(bar.to.as_us()) - self.x(bar.from.as_us())
    }

    /// The number of a call, in one of its bars.
    fn number(&self, canvas: &Canvas, bar: &Bar, number: &str) {
        let (from, to) = self.corners(bar.rank, bar.from.as_us(), bar.to.as_us());
        let ink = if bar.activity == Activity::Sending { WHITE } else { INK };
        canvas.bold(number, ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0), TEXT, Align::Centre, ink);
    }
}

fn arrow_head(canvas: &Canvas, from: Point, to: Point) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let base = (to.0 - 8.0 * ux, to.1 - 8.0 * uy);
    let side = |sign: f64| (base.0 - sign * 3.5 * uy, base.1 + sign * 3.5 * ux);
    canvas.polygon(&[to, side(1.0), side(-1.0)], INK);
}

/// A bar in the manner of its activity: full, hatched, or pale.
fn activity(canvas: &Canvas, from: Point, to: Point, activity: Activity, hue: RGBColor) {
    match activity {
        Activity::Sending => {
            canvas.bar(from, to, tint(hue, 0.88));
            canvas.frame(from, to, WHITE);
        }
        Activity::Receiving => canvas.bar(from, to, tint(hue, 0.38)),
        Activity::Waiting => canvas.hatch(from, to, hue),
    }
}

/// What bars and arrows mean, and the numbers of calls.
struct Legend {
    calls: usize,
    left: f64,
    places: Vec<(f64, usize)>,
}

const ENTRIES: [&str; 4] = [
    "sending",
    "message, from its send to its arrival",
    "waiting: message not sent yet",
    "receiving: message on its way",
];

impl Legend {
    fn of(calls: usize, left: f64, width: f64) -> Legend {
        let room = width - left - 4.0;
        let entry = |nth: usize| text_width(ENTRIES[nth], TEXT) + if nth == 1 { 60.0 } else { 56.0 };
        let more = if calls > HUES.len() { 16.0 } else { 0.0 };
        let numbers = 60.0 + 32.0 * calls.min(HUES.len()) as f64 + more;
        let mut places = flow([numbers, entry(0), entry(1)], room);
        // Receives have a line of their own.
        let next = places.last().map_or(0, |(_, row)| row + 1);
        places.extend(flow([entry(2), entry(3)], room).into_iter().map(|(x, row)| (x, row + next)));
        Legend { calls, left, places }
    }

    /// Height beyond two lines.
    fn more(&self) -> f64 {
        more_rows(&self.places, ENTRY) - ENTRY
    }

    fn draw(&self, canvas: &Canvas, top: f64) {
        let at = |nth: usize| (self.left + self.places[nth].0, top + self.places[nth].1 as f64 * ENTRY);
        let sample = |(x, y): Point| ((x, y - 9.0), (x + 26.0, y + 9.0));
        self.calls(canvas, at(0));
        let kinds = [Some(Activity::Sending), None, Some(Activity::Waiting), Some(Activity::Receiving)];
        for (nth, kind) in kinds.into_iter().enumerate() {
            let (x, y) = at(nth + 1);
            let (from, to) = sample((x, y));
            if let Some(kind) = kind {
                activity(canvas, from, to, kind, INK);
            } else {
                canvas.thin_line((x, y), (x + 30.0, y), INK, 0.45);
                arrow_head(canvas, (x, y), (x + 30.0, y));
            }
            if kind == Some(Activity::Waiting) {
                canvas.frame(from, to, INK);
            }
            let words = if kind.is_some() { 34.0 } else { 38.0 };
            canvas.text(ENTRIES[nth], (x + words, y), TEXT, Align::Left, INK);
        }
    }

    /// The hue of each call.
    fn calls(&self, canvas: &Canvas, (left, y): Point) {
        canvas.text("call", (left, y), TEXT, Align::Left, INK);
        let shown = self.calls.min(HUES.len());
        for call in 0..shown {
            let x = left + 42.0 + 32.0 * call as f64;
            canvas.bar((x, y - 9.0), (x + 26.0, y + 9.0), hue(call));
            canvas.bold(&(call + 1).to_string(), (x + 13.0, y), TEXT, Align::Centre, WHITE);
        }
        if self.calls > shown {
            canvas.text("…", (left + 42.0 + 32.0 * shown as f64, y), TEXT, Align::Left, INK);
        }
    }
}
