//! The picture: a field for each parameter, one below the other, both axes linear.

use super::super::curves::looks::{Look, dashes};
use super::super::legend::{Legend, name_width};
use super::{Line, Panel, Sensitivity, breakpoints};
use render::plots::Paper;
use render::plots::axis::{Axis, wanted};
use render::plots::canvas::{Align, Canvas, INK, described, text_width};
use render::plots::layout::{EDGE, Room, Words};
use render::plots::numbers::TimeUnit;

/// Width of a field, in px.
const FIELD: f64 = 600.0;
/// Height of a field, in px; a narrow field has the same ratio of height to width.
const LINES: f64 = 260.0;
const LEAST_LINES: f64 = 200.0;
const LEFT: f64 = 92.0;
/// Room above the first field for the title, in px.
const TOP: f64 = 34.0;
/// Room above each field for the words of the time axis, in px; [`BELOW`] is the room below it for the parameter's
/// axis.
const ABOVE: f64 = 44.0;
const BELOW: f64 = 66.0;
const TEXT: f64 = 15.0;
const NOTE: f64 = 13.0;

pub(super) fn render_sensitivity(all: &Sensitivity, paper: &Paper) -> String {
    let names = all.panels.iter().flat_map(|panel| &panel.lines).map(|line| name_width(&line.name));
    let room = Room::new(paper, LEFT, FIELD, names.fold(40.0, f64::max) + 70.0);
    let title = Words::title(paper, &all.title, room.width, 17.0);
    let top = TOP + title.more();
    let lines = ((room.right - LEFT) * LINES / FIELD).clamp(LEAST_LINES, LINES);
    let field = |panel: &Panel| if room.beside { lines.max(panel.legend().height()) } else { lines };
    let below = |panel: &Panel| BELOW + if room.beside { 0.0 } else { panel.legend().height_below(room.width) };
    let height = top + all.panels.iter().map(|panel| ABOVE + field(panel) + below(panel)).sum::<f64>();
    let parameters: Vec<&str> = all.panels.iter().map(|panel| panel.parameter.as_str()).collect();
    let label = format!("{}: finish over {}", all.title, parameters.join(", "));
    described(paper, (room.width, height), &label, &all.notes, |canvas| {
        title.draw(canvas, (EDGE, 20.0), Align::Left, INK);
        let mut y = top;
        for panel in &all.panels {
            let bottom = y + ABOVE + field(panel);
            panel.paint_panel(canvas, (LEFT, room.right), (y + ABOVE, bottom));
            if room.beside {
                panel.legend().draw_beside(canvas, (room.right, y + ABOVE));
            } else {
                panel.legend().draw_below(canvas, bottom + BELOW);
            }
            y = bottom + below(panel);
        }
    })
}

impl Panel {
    fn paint_panel(&self, canvas: &Canvas, (left, right): (f64, f64), (top, bottom): (f64, f64)) {
        let curves: Vec<Vec<(f64, f64)>> = self.lines.iter().map(|line| self.curve(line).clean()).collect();
        let all = || curves.iter().flatten();
        let unit = TimeUnit::fitting(all().map(|point| point.1));
        let greatest = all().map(|point| unit.convert(point.1)).fold(0.0, f64::max);
        let times = Axis::linear(0.0, greatest * 1.08, (bottom, top), 5);
        let (low, high) =
            all().fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), point| (low.min(point.0), high.max(point.0)));
        let places = Axis::linear(low, high, (left, right), wanted(right - left, 8));
        let at = |(x, us): (f64, f64)| (places.at(x), times.at(unit.convert(us)));
        times.draw_up(canvas, places.pixels(), &format!("last finish, {}", unit.symbol()), TEXT);
        places.draw_across(canvas, bottom, &format!("{}, {}", self.parameter, self.unit()), TEXT);
        let own = self.place(self.own);
        if (low..=high).contains(&own) {
            let x = places.at(own);
            dashes(&[(x, top), (x, bottom)], (1.0, 3.0)).iter().for_each(|dash| canvas.line(dash, INK, 1));
        }
        for (nth, (line, points)) in self.lines.iter().zip(&curves).enumerate() {
            let look = Look::nth(nth);
            // A jump is no line.
            for piece in &line.pieces.pieces {
                let [from, to] = [(piece.from, piece.at_from), (piece.to, piece.at_to())];
                let [from, to] = [from, to].map(|(x, time)| at((self.place(x as f64), time as f64 / 1e6)));
                look.line(canvas, &[from, to]);
                self.slope(canvas, piece.slope, (from, to), look);
            }
            for (x, time) in breakpoints(&line.pieces) {
                canvas.circle(at((self.place(x), time / 1e6)), 5, look.hue, false);
            }
            if let Some(&last) = points.last().filter(|_| !line.name.is_empty()) {
                look.mark(canvas, at(last));
            }
        }
    }

    /// Writes the slope of a piece beside it, where the piece is long enough and its line is alone.
    fn slope(&self, canvas: &Canvas, slope: i64, ((x0, y0), (x1, y1)): ((f64, f64), (f64, f64)), look: Look) {
        let text = format!("n = {slope}").replace('-', "−");
        if self.lines.len() == 1 && x1 - x0 > text_width(&text, NOTE) + 12.0 {
            let middle = (f64::midpoint(x0, x1), f64::midpoint(y0, y1) - 12.0);
            canvas.text(&text, middle, NOTE, Align::Right, look.hue);
        }
    }

    fn legend(&self) -> Legend<'_> {
        let last = |line: &Line| self.curve(line).clean().last().map_or(f64::NEG_INFINITY, |point| point.1);
        let lines = self.lines.iter().enumerate().filter(|(_, line)| !line.name.is_empty());
        Legend::from_curves(lines.map(|(nth, line)| (line.name.as_str(), Look::nth(nth), last(line))))
    }
}
