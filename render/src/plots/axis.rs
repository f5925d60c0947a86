//! An axis of a picture: the map from values to pixels, and the places of its labelled ticks.

use super::canvas::{Align, Canvas, FAINT, GRID, text_width};
use super::layout::{EDGE, Words};
use super::numbers::bytes;

/// Length of the straight pieces of a bent line, at least, in px: corners lie on whole px, and nearer ones make a line
/// jagged.
const STRAIGHT: f64 = 16.0;

/// Smallest distance of the ticks of a linear axis, in px.
const TICK: f64 = 40.0;
/// Smallest gap between the labels of two ticks, in px.
const APART: f64 = 3.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Linear,
    Log,
}

/// Maps values to pixels along one direction.
#[derive(Clone, Debug)]
pub struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    pixels: (f64, f64),
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// Returns a linear axis from `low` to `high` with about `wanted` round ticks; `pixels` are the ends of the axis.
    pub fn linear(low: f64, high: f64, pixels: (f64, f64), wanted: u32) -> Axis {
        let high = if high > low { high } else { low + 1.0 };
        let step = round_step((high - low) / f64::from(wanted.max(1)));
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let first = (low / step).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let ticks = (first..=last)
            .map(|index| {
                let value = index as f64 * step;
                (value, format!("{value:.digits$}").replace('-', "−"))
            })
            .collect();
        Axis { scale: Scale::Linear, low, high, pixels, ticks }
    }

    /// Returns a logarithmic axis from a little below `low` to a little above `high`, both positive, with ticks at
    /// decades, and between them where there are few.
    pub fn log(low: f64, high: f64, pixels: (f64, f64)) -> Axis {
        let (low, high) = (low.max(1e-9) / 1.3, high.max(1e-9) * 1.3);
        let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let between: &[f64] = if (high / low).log10() > 3.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let ticks = decades
            .flat_map(|decade| between.iter().map(move |factor| (factor * 10f64.powi(decade), decade)))
            .filter(|(value, _)| (low..=high).contains(value))
            .map(|(value, decade)| (value, format!("{value:.*}", (-decade).max(0) as usize)))
            .collect();
        Axis { scale: Scale::Log, low, high, pixels, ticks }
    }

    /// Returns a linear axis from 0 where the values lie within a factor of 30, else a logarithmic one.
    pub fn fitting(values: &[f64], pixels: (f64, f64), wanted: u32) -> Axis {
        let usable = || values.iter().copied().filter(|value| value.is_finite());
        let largest = usable().fold(0.0, f64::max);
        let smallest = usable().filter(|&value| value > 0.0).fold(f64::INFINITY, f64::min);
        if smallest.is_finite() && largest / smallest > 30.0 {
            Axis::log(smallest, largest, pixels)
        } else {
            Axis::linear(0.0, largest * 1.08, pixels, wanted)
        }
    }

    /// Returns the axis with other ticks.
    pub fn with_ticks(mut self, ticks: impl IntoIterator<Item = (f64, String)>) -> Axis {
        self.ticks = ticks.into_iter().collect();
        self
    }

    /// Returns the pixel of a value; values beyond the axis are placed at its ends.
    pub fn at(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value.max(self.low) / self.low).ln() / (self.high / self.low).ln(),
        };
        self.pixels.0 + share.clamp(0.0, 1.0) * (self.pixels.1 - self.pixels.0)
    }

    /// Returns values and labels of the ticks, in order.
    pub fn ticks(&self) -> &[(f64, String)] {
        &self.ticks
    }

    /// Returns the pixels of both ends.
    pub fn pixels(&self) -> (f64, f64) {
        self.pixels
    }

    /// Returns the title of the axis: these words, and a note where the axis is logarithmic.
    pub fn titled(&self, words: &str) -> String {
        let from_zero = self.ticks.iter().any(|(_, label)| label.split(' ').next() == Some("0"));
        match (self.is_log(), from_zero) {
            (true, true) => format!("{words} (0 set apart)"),
            (true, false) => format!("{words} (logarithmic)"),
            (false, _) => words.to_owned(),
        }
    }

    /// Draws the axis at the left of a field: lines through the field, numbers in letters of this size, and above them
    /// the words, if there are any.
    pub fn draw_up(&self, canvas: &Canvas, (left, right): (f64, f64), words: &str, size: f64) {
        for (value, label) in &self.ticks {
            let y = self.at(*value);
            canvas.line(&[(left, y), (right, y)], GRID, 1);
            canvas.text(label, (left - 8.0, y), size, Align::Right, FAINT);
        }
        if !words.is_empty() {
            let words = self.words_up(words, canvas.width(), size);
            words.draw(canvas, (EDGE, self.pixels.1 - 18.0 - words.more()), Align::Left, FAINT);
        }
    }

    /// Returns the height beyond one line of the words above a field, in a picture of this width in px.
    pub fn more_above(&self, words: &str, width: f64, size: f64) -> f64 {
        self.words_up(words, width, size).more()
    }

    fn words_up(&self, words: &str, width: f64, size: f64) -> Words {
        Words::wrap(&self.titled(words), width - 2.0 * EDGE, size)
    }

    /// Draws the axis below a field: a line with marks, numbers, words.
    pub fn draw_across(&self, canvas: &Canvas, bottom: f64, words: &str, size: f64) {
        let (left, right) = self.pixels;
        self.draw_down(canvas, (bottom, bottom + 5.0), size);
        canvas.line(&[(left, bottom), (right, bottom)], FAINT, 1);
        let middle = (f64::midpoint(left, right), bottom + 40.0);
        self.words_across(words, canvas.width(), size).draw(canvas, middle, Align::Centre, FAINT);
    }

    /// Returns the height beyond one line of the words below a field, in a picture of this width in px.
    pub fn more_below(&self, words: &str, width: f64, size: f64) -> f64 {
        self.words_across(words, width, size).more()
    }

    fn words_across(&self, words: &str, width: f64, size: f64) -> Words {
        let middle = f64::midpoint(self.pixels.0, self.pixels.1);
        Words::wrap(&self.titled(words), 2.0 * middle.min(width - middle) - 12.0, size)
    }

    /// Draws lines down through a field, and below it the numbers that have room.
    pub fn draw_down(&self, canvas: &Canvas, (top, bottom): (f64, f64), size: f64) {
        let mut last = f64::NEG_INFINITY;
        for (value, label) in &self.ticks {
            let (x, half) = (self.at(*value), text_width(label, size) / 2.0);
            canvas.line(&[(x, top), (x, bottom)], GRID, 1);
            if x - half > last + APART {
                canvas.text(label, (x, bottom + 13.0), size, Align::Centre, FAINT);
                last = x + half;
            }
        }
    }

    /// True for a logarithmic axis.
    pub fn is_log(&self) -> bool {
        self.scale == Scale::Log
    }

    /// Returns a logarithmic axis over lengths from 1 byte on, with a tick at each of these that has room.
    pub fn lengths(mut lengths: Vec<f64>, pixels: (f64, f64)) -> Axis {
        lengths.sort_unstable_by(f64::total_cmp);
        let ends = [lengths.first(), lengths.last()].map(|end| end.map_or(1.0, |&length| length.max(1.0)));
        let axis = Axis::log(ends[0], ends[1], pixels);
        let mut ticks: Vec<(f64, String)> = Vec::new();
        for length in lengths {
            let value = length.max(1.0);
            if ticks.last().is_none_or(|(last, _)| axis.at(value) - axis.at(*last) > 64.0) {
                ticks.push((value, bytes(length as u64)));
            }
        }
        axis.with_ticks(ticks)
    }

    /// Returns points of this axis with their values, and points between them: a straight line is bent on a logarithmic
    /// axis, which places values below `least` at `least`.
    pub fn bent(&self, points: &[(f64, f64)], least: f64) -> Vec<(f64, f64)> {
        let mut all: Vec<(f64, f64)> = points.iter().take(1).copied().collect();
        for pair in points.windows(2) {
            let ((from, start), (to, end)) = (pair[0], pair[1]);
            let (first, ratio) = (from.max(least), to.max(least) / from.max(least));
            let steps = ((self.at(to.max(least)) - self.at(first)) / STRAIGHT).clamp(1.0, 12.0) as u32;
            all.extend((1..=steps).map(|step| {
                let share = f64::from(step) / f64::from(steps);
                let place = if step == steps { to } else { first * ratio.powf(share) };
                (place, start + (end - start) * ((place - from) / (to - from)).clamp(0.0, 1.0))
            }));
        }
        all
    }
}

/// Returns the number of ticks over a length in px: no more than `most`, and each with room for its label.
pub fn wanted(pixels: f64, most: u32) -> u32 {
    ((pixels / TICK) as u32).clamp(2, most)
}

/// Returns the smallest of 1, 2, 5, 10, … that is at least `step`.
fn round_step(step: f64) -> f64 {
    let decade = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|factor| factor * decade)
        .find(|&round| round >= step * 0.999)
        .unwrap_or(10.0 * decade)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks().iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_numbers_within_the_axis() {
        assert_eq!(labels(&Axis::linear(0.0, 5.9, (0.0, 100.0), 6)), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(labels(&Axis::linear(0.0, 0.62, (0.0, 100.0), 4)), ["0.0", "0.2", "0.4", "0.6"]);
        assert_eq!(labels(&Axis::log(0.2, 30.0, (0.0, 100.0))), ["0.2", "0.5", "1", "2", "5", "10", "20"]);
    }

    #[test]
    fn values_map_to_pixels_and_stay_on_the_axis() {
        let axis = Axis::linear(0.0, 4.0, (100.0, 20.0), 4);
        assert_eq!([axis.at(0.0), axis.at(1.0), axis.at(9.0)], [100.0, 80.0, 20.0]);
        let log = Axis::log(1.3, 100.0 / 1.3, (0.0, 100.0));
        assert!((log.at(10.0) - 50.0).abs() < 1e-9, "{}", log.at(10.0));
    }

    #[test]
    fn only_wide_ranges_are_logarithmic() {
        assert!(!Axis::fitting(&[1.0, 29.0], (0.0, 1.0), 4).is_log());
        assert!(Axis::fitting(&[1.0, 31.0], (0.0, 1.0), 4).is_log());
        assert!(!Axis::fitting(&[0.0, 31.0, f64::NAN], (0.0, 1.0), 4).is_log());
        assert!(!Axis::fitting(&[], (0.0, 1.0), 4).is_log());
    }
}
