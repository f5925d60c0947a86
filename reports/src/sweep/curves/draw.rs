//! The plot of cost curves: both axes logarithmic, the legend at the right or below, the cheapest curve of each stretch
//! under the axis.

use super::super::legend::{Legend, name, name_width};
use super::looks::{Look, dashes};
use super::{Chart, Crossover, Curve, Stretch, print, words};
use plotters::style::WHITE;
use render::plots::Paper;
use render::plots::axis::Axis;
use render::plots::canvas::{Align, Canvas, FAINT, INK, Point, described, text_width};
use render::plots::layout::{EDGE, Room, Words};
use render::plots::numbers::TimeUnit;
use scenario::axis::Axis as Place;

/// Width of the lines' field, in px.
const FIELD: f64 = 600.0;
/// Height of the lines' field in px where the legend is not higher; a narrow field has the same ratio of height to
/// width.
const LINES: f64 = 380.0;
const LEAST_LINES: f64 = 220.0;
/// Room of a tick's label on the axis of places, in px.
const TICK: f64 = 64.0;
const LEFT: f64 = 92.0;
/// Room above the lines' field, in px: title, words of the time axis, numbers of crossovers.
const TOP: f64 = 76.0;
/// Room below the lines' field, in px: the axis of places with its words, and the band of the cheapest curves.
const BOTTOM: f64 = 112.0;
/// Part of [`BOTTOM`] that the band of the cheapest curves takes, in px.
const BAND: f64 = 50.0;
const TEXT: f64 = 15.0;
const NOTE: f64 = 13.0;
/// Least distance between two markers of a curve, in px: in denser data not every point has one.
const MARKS: f64 = 14.0;
/// Factor between the largest and the smallest time of queues below which their axis is linear and begins below the
/// smallest.
const CLOSE: f64 = 3.0;
/// Position on the logarithmic axis at which a place of 0 is drawn.
const ZERO: f64 = 0.5;

/// Draws a chart as SVG. Each crossover has a ring and its number in the table. Times of zero, which have no place on a
/// logarithmic axis, are not drawn, and the axis says so.
pub(super) fn render_chart(chart: &Chart, paper: &Paper) -> String {
    let last = |curve: &Curve| curve.clean().last().map_or(f64::NEG_INFINITY, |point| point.1);
    let curves = chart.curves.iter().enumerate();
    let legend = Legend::from_curves(curves.map(|(nth, curve)| (curve.name.as_str(), chart.look(nth), last(curve))));
    let names = chart.curves.iter().map(|curve| name_width(&curve.name));
    let room = Room::new(paper, LEFT, FIELD, names.fold(120.0, f64::max) + 60.0);
    let title = Words::title(paper, &chart.title, room.width, 17.0);
    let words_up = Words::wrap(&chart.words_up(), room.width - 2.0 * EDGE, TEXT);
    let top = TOP + title.more() + words_up.more();
    let lines = ((room.right - LEFT) * LINES / FIELD).clamp(LEAST_LINES, LINES);
    let bottom = top + if room.beside { lines.max(legend.height()) } else { lines };
    let pen = Pen::for_chart(chart, (LEFT, room.right), (top, bottom));
    let more = pen.places.more_below(words(chart.over), room.width, TEXT);
    let below = more + if chart.compares() { BOTTOM } else { BOTTOM - BAND };
    let height = bottom + below + if room.beside { 0.0 } else { legend.height_below(room.width) };
    let label = format!("{}: time over {} for {} algorithms", chart.title, words(chart.over), chart.curves.len());
    described(paper, (room.width, height), &label, &chart.notes, |canvas| {
        title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
        words_up.draw(canvas, (EDGE, top - 26.0 - words_up.more()), Align::Left, FAINT);
        pen.axes(canvas, chart);
        let (stretches, found) = chart.compared();
        let found = chart.merge_unnamed(&found);
        if chart.compares() {
            pen.strip(canvas, chart, &stretches);
        }
        pen.guides(canvas, &found);
        for (nth, curve) in chart.curves.iter().enumerate() {
            let drawable: Vec<(f64, f64)> = curve.clean().into_iter().filter(|point| point.1 > 0.0).collect();
            let drawn = chart.through(&curve.name, &drawable, &found);
            chart.look(nth).line(canvas, &drawn.into_iter().map(|point| pen.at(point)).collect::<Vec<_>>());
            let mut last = f64::NEG_INFINITY;
            for (x, y) in drawable.into_iter().map(|point| pen.at(point)) {
                if x - last >= MARKS {
                    chart.look(nth).mark(canvas, (x, y));
                    last = x;
                }
            }
        }
        pen.rings(canvas, &found);
        if room.beside {
            legend.draw_beside(canvas, (room.right, top));
        } else {
            legend.draw_below(canvas, bottom + below);
        }
    })
}

/// Axes of places and of times, and the field between them.
struct Pen {
    places: Axis,
    times: Axis,
    unit: TimeUnit,
    top: f64,
    bottom: f64,
}

impl Pen {
    fn for_chart(chart: &Chart, (left, right): (f64, f64), (top, bottom): (f64, f64)) -> Pen {
        let (points, unit) = (chart.points(), chart.unit());
        let is_close = chart.is_close();
        let range = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)))
        };
        let (low, high) =
            range(&mut points.iter().map(|point| point.1).filter(|&us| us > 0.0).map(|us| unit.convert(us)));
        let times = if low.is_finite() { (low, high) } else { (0.1, 10.0) };
        let (low, high) = range(&mut points.iter().map(|point| point.0.max(ZERO)));
        let places = if low.is_finite() { (low, high) } else { (1.0, 1024.0) };
        let axis = Axis::log(places.0, places.1, (left, right));
        let most = ((right - left) / TICK) as i32;
        Pen {
            places: axis.with_ticks(ticks(chart.over, &points, places, most)),
            times: if is_close {
                let more = ((times.1 - times.0) / 10.0).max(times.0 / 1e3);
                Axis::linear(times.0 - more, times.1 + more, (bottom, top), 6)
            } else {
                Axis::log(times.0, times.1, (bottom, top))
            },
            unit,
            top,
            bottom,
        }
    }

    fn x(&self, place: f64) -> f64 {
        self.places.at(place.max(ZERO))
    }

    fn at(&self, (place, us): (f64, f64)) -> Point {
        (self.x(place), self.times.at(self.unit.convert(us)))
    }

    fn axes(&self, canvas: &Canvas, chart: &Chart) {
        self.times.draw_up(canvas, self.places.pixels(), "", TEXT);
        self.places.draw_across(canvas, self.bottom, words(chart.over), TEXT);
    }

    /// Draws the cheapest curve of each stretch as a band below the axis.
    fn strip(&self, canvas: &Canvas, chart: &Chart, stretches: &[Stretch]) {
        let (top, bottom) = (self.bottom + 68.0, self.bottom + 92.0);
        canvas.text("cheapest", (LEFT - 8.0, (top + bottom) / 2.0), TEXT, Align::Right, FAINT);
        for stretch in stretches {
            let (from, to) = (self.x(stretch.from), self.x(stretch.to));
            let nth = chart.curves.iter().position(|curve| curve.name == stretch.name).unwrap_or_default();
            canvas.bar((from, top), (to, bottom), Look::nth(nth).hue);
            canvas.frame((from, top), (to, bottom), WHITE);
            let (name, middle) = (name(&stretch.name), ((from + to) / 2.0, (top + bottom) / 2.0));
            match [TEXT, NOTE].into_iter().find(|size| text_width(&name, *size) + 8.0 <= to - from) {
                Some(size) => canvas.bold(&name, middle, size, Align::Centre, WHITE),
                // Two curves may have the same hue: their markers differ.
                None if to - from >= 14.0 => Look::nth(nth).in_hue(WHITE).mark(canvas, middle),
                None => {}
            }
        }
    }

    /// Draws a dotted line through each crossover, down to the band.
    fn guides(&self, canvas: &Canvas, crossovers: &[Crossover]) {
        for crossover in crossovers {
            let x = self.x(crossover.x);
            let down = dashes(&[(x, self.top), (x, self.bottom + 68.0)], (1.0, 3.0));
            down.iter().for_each(|dash| canvas.line(dash, INK, 1));
        }
    }

    /// Draws a ring around each crossover and, where there is room, its number above the field.
    fn rings(&self, canvas: &Canvas, crossovers: &[Crossover]) {
        let mut last = f64::NEG_INFINITY;
        for (nth, crossover) in crossovers.iter().enumerate() {
            let (x, y) = self.at((crossover.x, crossover.us));
            canvas.circle((x, y), 8, INK, false);
            let number = (nth + 1).to_string();
            if x - last > text_width(&number, TEXT) + 6.0 {
                canvas.bold(&number, (x, self.top - 9.0), TEXT, Align::Centre, INK);
                last = x;
            }
        }
    }
}

impl Chart {
    fn points(&self) -> Vec<(f64, f64)> {
        self.curves.iter().flat_map(Curve::clean).collect()
    }

    fn unit(&self) -> TimeUnit {
        TimeUnit::fitting(self.points().iter().map(|point| point.1))
    }

    /// Whether times of queues lie so close that a logarithmic axis would show little.
    fn is_close(&self) -> bool {
        let times = || self.points().into_iter().map(|point| point.1).filter(|&us| us > 0.0);
        let (low, high) = (times().fold(f64::INFINITY, f64::min), times().fold(0.0, f64::max));
        Place::QUEUES.contains(&self.over) && low.is_finite() && high < CLOSE * low
    }

    /// Returns the words of the time axis.
    fn words_up(&self) -> String {
        if self.is_close() {
            return format!("time, {} (not from 0)", self.unit().symbol());
        }
        let zero = self.points().iter().any(|point| point.1 <= 0.0);
        let zero = if zero { "; zero is not drawn" } else { "" };
        format!("time, {} (logarithmic{zero})", self.unit().symbol())
    }

    /// Returns the points of a curve and the crossovers that it passes: between these its line is straight in the
    /// picture.
    fn through(&self, name: &str, points: &[(f64, f64)], crossovers: &[Crossover]) -> Vec<(f64, f64)> {
        let passes = |one: &&Crossover| (one.from == name || one.to == name) && one.between.0 < one.between.1;
        let crossed = crossovers.iter().filter(passes).map(|one| (one.x, one.us));
        let mut all: Vec<(f64, f64)> = points.iter().copied().chain(crossed).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        all.dedup_by(|later, first| later.0 == first.0);
        all
    }

    /// Returns the look of a curve; the truth is black.
    fn look(&self, nth: usize) -> Look {
        match (self.cheapest, nth) {
            (true, nth) => Look::nth(nth),
            (false, 0) => Look::nth(0).in_hue(INK),
            (false, nth) => Look::nth(nth - 1),
        }
    }
}

/// Returns the ticks of the axis of places: powers of two, no more than `most`, so that their labels have room. Where
/// there are fewer than two such powers, the ticks are all places of queues if they have room, else the ends.
fn ticks(over: Place, points: &[(f64, f64)], (low, high): (f64, f64), most: i32) -> Vec<(f64, String)> {
    let (first, last) = (low.max(1.0).log2().ceil() as i32, high.max(1.0).log2().floor() as i32);
    let step = [1, 2, 5, 10, 20].into_iter().find(|step| (last - first) / step < most).unwrap_or(40);
    let powers = (first..=last).filter(|power| power % step == 0).map(|power| f64::from(power).exp2());
    let mut places: Vec<f64> = powers.collect();
    if places.len() < 2 {
        places = vec![low.max(1.0), high.max(1.0)];
        places.dedup();
        let mut all: Vec<f64> = points.iter().map(|point| point.0).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        if Place::QUEUES.contains(&over) && all.len() as i32 <= most {
            places = all;
        }
    }
    let zero = (low == ZERO).then(|| (ZERO, print(over, 0.0)));
    zero.into_iter().chain(places.into_iter().map(|place| (place, print(over, place)))).collect()
}
