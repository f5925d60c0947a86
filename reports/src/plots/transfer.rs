//! Transfer time over message length: the points of a calibration and the line fitted to them.

use super::axis::Axis;
use super::canvas::{Align, Canvas, HUES, INK, Point, picture};
use super::numbers::TimeUnit;
use models::machine::{Machine, TransferPoint};

const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 350.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 88.0;
const BOTTOM: f64 = 58.0;
const TEXT: f64 = 15.0;

/// Draws a machine that has points.
pub(super) fn draw(machine: &Machine) -> String {
    let points = &machine.transfer;
    let times = || points.iter().flat_map(|point| [point.half_round_trip_us.value, point.fitted_us]);
    let unit = TimeUnit::fitting(times());
    let mut heights: Vec<f64> = times().map(|us| unit.of(us)).collect();
    heights.extend(points.iter().flat_map(|p| [unit.of(p.half_round_trip_us.low), unit.of(p.half_round_trip_us.high)]));
    let time_axis = Axis::fitting(&heights, (HEIGHT - BOTTOM, TOP), 5);
    let lengths = points.iter().map(|point| point.bytes as f64).collect();
    let bytes_axis = Axis::lengths(lengths, (LEFT, WIDTH - RIGHT));
    let title = format!("Transfer time, {}", machine.name);
    picture((WIDTH as u32, HEIGHT as u32), &title, |canvas| {
        canvas.bold(&title, (14.0, 20.0), TEXT, Align::Left, INK);
        axes(canvas, &time_axis, &bytes_axis, unit);
        let at = |point: &TransferPoint, us: f64| (bytes_axis.at(point.bytes.max(1) as f64), time_axis.at(unit.of(us)));
        let fit: Vec<(f64, f64)> = points.iter().map(|point| (point.bytes as f64, point.fitted_us)).collect();
        let fit = bytes_axis.bent(&fit, 1.0).into_iter();
        let fit: Vec<Point> =
            fit.map(|(bytes, us)| (bytes_axis.at(bytes.max(1.0)), time_axis.at(unit.of(us)))).collect();
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

fn axes(canvas: &Canvas, times: &Axis, lengths: &Axis, unit: TimeUnit) {
    times.draw_up(canvas, lengths.pixels(), &format!("time of one message, {}", unit.symbol()), TEXT);
    lengths.draw_across(canvas, times.pixels().0, "message length", TEXT);
    canvas.circle((22.0, 48.0), 5, HUES[0], true);
    canvas.text("half a round trip, with its interval", (34.0, 48.0), TEXT, Align::Left, INK);
    canvas.line(&[(330.0, 48.0), (356.0, 48.0)], INK, 1);
    canvas.text("fitted α + mβ", (364.0, 48.0), TEXT, Align::Left, INK);
}
