//! How curves are told apart: hue, marker and dashes, so that one of them is enough.

use plotters::style::RGBColor;
use render::plots::canvas::{Canvas, HUES, Point};

/// Lengths of dash and space, in px; a full line has no space.
const DASHES: [(f64, f64); 3] = [(1.0, 0.0), (9.0, 5.0), (2.0, 4.0)];

/// The look of one curve.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct Look {
    pub hue: RGBColor,
    marker: usize,
    dash: (f64, f64),
}

impl Look {
    /// Returns the look of the n-th curve; the first twelve differ.
    pub(in crate::sweep) fn nth(nth: usize) -> Look {
        let round = nth / HUES.len();
        Look { hue: HUES[nth % HUES.len()], marker: (nth + round) % 4, dash: DASHES[round % DASHES.len()] }
    }

    /// Returns this look with another hue.
    pub(in crate::sweep) fn in_hue(self, hue: RGBColor) -> Look {
        Look { hue, ..self }
    }

    /// Draws a line through points.
    pub(in crate::sweep) fn line(self, canvas: &Canvas, points: &[Point]) {
        if self.dash.1 == 0.0 {
            canvas.line(points, self.hue, 2);
        } else {
            dashes(points, self.dash).iter().for_each(|dash| canvas.line(dash, self.hue, 2));
        }
    }

    /// Draws a marker at a point.
    pub(in crate::sweep) fn mark(self, canvas: &Canvas, (x, y): Point) {
        match self.marker {
            0 => canvas.circle((x, y), 4, self.hue, true),
            1 => canvas.bar((x - 4.0, y - 4.0), (x + 4.0, y + 4.0), self.hue),
            2 => canvas.polygon(&[(x, y - 5.0), (x + 5.0, y + 4.0), (x - 5.0, y + 4.0)], self.hue),
            _ => canvas.polygon(&[(x, y - 5.0), (x + 5.0, y), (x, y + 5.0), (x - 5.0, y)], self.hue),
        }
    }
}

/// Cuts a line into dashes, which continue around its corners.
pub(in crate::sweep) fn dashes(points: &[Point], (dash, space): (f64, f64)) -> Vec<Vec<Point>> {
    let mut all: Vec<Vec<Point>> = Vec::new();
    let (mut drawing, mut left) = (true, dash);
    let mut open: Vec<Point> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let ((x, y), (dx, dy)) = (pair[0], (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1));
        let length = dx.hypot(dy);
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            let here = (x + dx * gone / length, y + dy * gone / length);
            if drawing {
                open.push(here);
                all.push(std::mem::take(&mut open));
            } else {
                open = vec![here];
            }
            drawing = !drawing;
            left = if drawing { dash } else { space };
        }
        left -= length - gone;
        if drawing {
            open.push(pair[1]);
        }
    }
    if open.len() > 1 {
        all.push(open);
    }
    all
}
