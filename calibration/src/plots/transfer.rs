//! Transfer time over message length: the points of a calibration and the line fitted to them.

use programs::machine::{Machine, TransferPoint};
use render::plots::Paper;
use render::plots::axis::Axis;
use render::plots::canvas::{Align, Canvas, HUES, INK, Point, picture};
use render::plots::layout::{EDGE, Words, flow, more_rows};
use render::plots::numbers::TimeUnit;

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 350.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 88.0;
const BOTTOM: f64 = 58.0;
const TEXT: f64 = 15.0;
/// Distance from one line of the legend to the next, in px.
const ENTRY: f64 = 22.0;
const POINTS: &str = "half a round trip, with its interval";

/// Draws a machine that has points.
pub(super) fn render_transfer(machine: &Machine, paper: &Paper) -> String {
    let width = paper.width_px(WIDTH);
    let points = &machine.transfer;
    let times = || points.iter().flat_map(|point| [point.half_round_trip_us.value, point.fitted_us]);
    let unit = TimeUnit::fitting(times());
    let mut heights: Vec<f64> = times().map(|us| unit.convert(us)).collect();
    heights.extend(
        points.iter().flat_map(|p| [unit.convert(p.half_round_trip_us.low), unit.convert(p.half_round_trip_us.high)]),
    );
    let words = format!("Transfer time, {}", machine.name);
    let title = Words::title(paper, &words, width, TEXT);
    let legend = flow([308.0, 150.0], width - 22.0);
    let above = Axis::fitting(&heights, (1.0, 0.0), 5).more_above(&words_up(unit), width, TEXT);
    let top = TOP + title.more() + more_rows(&legend, ENTRY) + above;
    let bottom = top + HEIGHT - TOP - BOTTOM;
    let time_axis = Axis::fitting(&heights, (bottom, top), 5);
    let lengths = points.iter().map(|point| point.bytes as f64).collect();
    let bytes_axis = Axis::lengths(lengths, (LEFT, width - RIGHT));
    picture(paper, (width, bottom + BOTTOM), &words, |canvas| {
        title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
        axes(canvas, &time_axis, &bytes_axis, unit);
        entries(canvas, &legend, 48.0 + title.more());
        let at =
            |point: &TransferPoint, us: f64| (bytes_axis.at(point.bytes.max(1) as f64), time_axis.at(unit.convert(us)));
        let fit: Vec<(f64, f64)> = points.iter().map(|point| (point.bytes as f64, point.fitted_us)).collect();
        let fit = bytes_axis.bent(&fit, 1.0).into_iter();
        let fit: Vec<Point> =
            fit.map(|(bytes, us)| (bytes_axis.at(bytes.max(1.0)), time_axis.at(unit.convert(us)))).collect();
        canvas.line(&fit, INK, 1);
        for point in points {
            let half = &point.half_round_trip_us;
            let (low, high) = (at(point, half.low), at(point, half.high));
            canvas.line(&[low, high], HUES[0], 1);
            [low, high].iter().for_each(|&(x, y)| canvas.line(&[(x - 4.0, y), (x + 4.0, y)], HUES[0], 1));
            canvas.circle(at(point, half.value), 5, HUES[0], true);
        }
    })
}

fn words_up(unit: TimeUnit) -> String {
    format!("time of one message, {}", unit.symbol())
}

fn axes(canvas: &Canvas, times: &Axis, lengths: &Axis, unit: TimeUnit) {
    times.draw_up(canvas, lengths.pixels(), &words_up(unit), TEXT);
    lengths.draw_across(canvas, times.pixels().0, "message length", TEXT);
}

/// Draws the legend of dots and line at these two places.
fn entries(canvas: &Canvas, places: &[(f64, usize)], top: f64) {
    let at = |(x, row): (f64, usize)| (22.0 + x, top + row as f64 * ENTRY);
    let [dots, line] = [places[0], places[1]].map(at);
    canvas.circle(dots, 5, HUES[0], true);
    canvas.text(POINTS, (dots.0 + 12.0, dots.1), TEXT, Align::Left, INK);
    canvas.line(&[line, (line.0 + 26.0, line.1)], INK, 1);
    canvas.text("fitted α + mβ", (line.0 + 34.0, line.1), TEXT, Align::Left, INK);
}
