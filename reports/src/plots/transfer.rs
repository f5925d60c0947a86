//! Transfer time over message length: the points of a calibration and the line fitted to them.

use super::axis::Axis;
use super::canvas::{Align, Canvas, FAINT, GRID, HUES, INK, Point, picture};
use super::numbers::{TimeUnit, bytes};
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
    let bytes_axis = bytes_axis(points);
    let title = format!("Transfer time, {}", machine.name);
    picture((WIDTH as u32, HEIGHT as u32), &title, |canvas| {
        canvas.bold(&title, (14.0, 20.0), TEXT, Align::Left, INK);
        axes(canvas, &time_axis, &bytes_axis, unit);
        let at = |point: &TransferPoint, us: f64| (bytes_axis.at(point.bytes.max(1) as f64), time_axis.at(unit.of(us)));
        let fit: Vec<Point> = fitted(points)
            .into_iter()
            .map(|(bytes, us)| (bytes_axis.at(bytes.max(1.0)), time_axis.at(unit.of(us))))
            .collect();
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

/// Lengths and fitted times at the points and between them: a line in bytes is a curve on a logarithmic axis.
fn fitted(points: &[TransferPoint]) -> Vec<(f64, f64)> {
    let between = |pair: &[TransferPoint]| {
        let (from, to) = (pair[0].bytes as f64, pair[1].bytes as f64);
        let (low, high) = (pair[0].fitted_us, pair[1].fitted_us);
        (1..=16)
            .map(|part| {
                let bytes = from.max(1.0) * (to.max(1.0) / from.max(1.0)).powf(f64::from(part) / 16.0);
                let share = if to > from { (bytes - from) / (to - from) } else { 1.0 };
                (bytes, low + share * (high - low))
            })
            .collect::<Vec<_>>()
    };
    let first = points.iter().take(1).map(|point| (point.bytes as f64, point.fitted_us));
    first.chain(points.windows(2).flat_map(between)).collect()
}

/// Logarithmic, with a tick at each of the points' lengths that has room.
fn bytes_axis(points: &[TransferPoint]) -> Axis {
    let lengths = || points.iter().map(|point| point.bytes.max(1) as f64);
    let low = lengths().fold(f64::INFINITY, f64::min);
    let axis = Axis::log(low, lengths().fold(low, f64::max), (LEFT, WIDTH - RIGHT));
    let mut ticks: Vec<(f64, String)> = Vec::new();
    for point in points {
        let value = point.bytes.max(1) as f64;
        let roomy = ticks.last().is_none_or(|(last, _)| axis.at(value) - axis.at(*last) > 64.0);
        if roomy {
            ticks.push((value, bytes(point.bytes)));
        }
    }
    axis.with_ticks(ticks)
}

fn axes(canvas: &Canvas, times: &Axis, lengths: &Axis, unit: TimeUnit) {
    let ((left, right), (bottom, top)) = (lengths.pixels(), times.pixels());
    for (value, _) in times.ticks() {
        let y = times.at(*value);
        canvas.line(&[(left, y), (right, y)], GRID, 1);
    }
    for (value, _) in lengths.ticks() {
        let x = lengths.at(*value);
        canvas.line(&[(x, bottom), (x, bottom + 5.0)], FAINT, 1);
    }
    for (value, label) in times.ticks() {
        canvas.text(label, (left - 8.0, times.at(*value)), TEXT, Align::Right, FAINT);
    }
    for (value, label) in lengths.ticks() {
        canvas.text(label, (lengths.at(*value), bottom + 17.0), TEXT, Align::Centre, FAINT);
    }
    canvas.line(&[(left, bottom), (right, bottom)], FAINT, 1);
    canvas.text("message length (logarithmic)", ((left + right) / 2.0, bottom + 40.0), TEXT, Align::Centre, FAINT);
    let scale = if times.is_log() { " (logarithmic)" } else { "" };
    canvas.text(
        &format!("time of one message, {}{scale}", unit.symbol()),
        (14.0, top - 18.0),
        TEXT,
        Align::Left,
        FAINT,
    );
    canvas.circle((22.0, 48.0), 5, HUES[0], true);
    canvas.text("half a round trip, with its interval", (34.0, 48.0), TEXT, Align::Left, INK);
    canvas.line(&[(330.0, 48.0), (356.0, 48.0)], INK, 1);
    canvas.text("fitted α + mβ", (364.0, 48.0), TEXT, Align::Left, INK);
}
