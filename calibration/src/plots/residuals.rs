//! Errors of each calibrated model against the half round trips that it was fitted to, over their length: (predicted −
//! measured) / measured, a panel for each model, changes of protocol as dotted lines.

use models::network::Network;
use programs::machine::{Bound, Estimate, Machine, ProtocolChange, TransferPoint};
use render::columns;
use render::data::{Filled, Table};
use render::plots::Drawing;
use render::plots::Paper;
use render::plots::axis::Axis;
use render::plots::canvas::{Align, Canvas, FAINT, GRID, HUES, INK, picture};
use render::plots::layout::{EDGE, Words};
use render::plots::numbers::bytes as print_bytes;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 82.0;
const PANEL: f64 = 120.0;
const BETWEEN: f64 = 44.0;
const BOTTOM: f64 = 64.0;
const TEXT: f64 = 15.0;
const NOTE: f64 = 13.0;
/// Largest error that panels show, as a share; a point beyond it is a ring at the edge.
const FURTHEST: f64 = 1.0;
/// Least error that panels reach, as a share, so that rounding does not look like a misfit.
const NEAREST: f64 = 0.05;

const WHAT: &str =
    "(predicted − measured) ÷ measured, with the interval of the measured median; below 0 the model is too fast";
const DOTTED: &str = "; dotted: the library changes its protocol, S: senders wait beyond";

/// Errors of one model at the points.
struct Panel {
    /// Name of the model in files.
    model: &'static str,
    /// Name of the model in words.
    name: String,
    /// Errors in the points' order, as shares of the measured time.
    errors: Vec<Estimate>,
    /// Predictions of the model, in µs.
    says_us: Vec<f64>,
}

/// Returns the picture and its numbers; `None` where the machine file has no points.
pub(super) fn plot_residuals(machine: &Machine) -> Option<(Drawing, Table)> {
    if machine.transfer.is_empty() {
        return None;
    }
    let panels: Vec<Panel> = machine.models().into_iter().filter_map(|model| Panel::new(machine, model)).collect();
    let numbers = numbers(machine, &panels);
    let machine = machine.clone();
    Some((Drawing::new(move |paper| on(paper, &machine, &panels)), numbers))
}

fn on(paper: &Paper, machine: &Machine, panels: &[Panel]) -> String {
    let points = &machine.transfer;
    let width = paper.width_px(WIDTH);
    let most = panels.iter().flat_map(|panel| &panel.errors).map(|error| error.value.abs());
    let reach = (most.fold(NEAREST, f64::max) * 1.15).min(FURTHEST);
    let title = format!("Errors of models of one message's time, {}", machine.name);
    let head = Words::title(paper, &title, width, TEXT);
    let what = Words::wrap(WHAT, width - 2.0 * EDGE, NOTE);
    let top = TOP + head.more() + what.more();
    let bottom = top + panels.len() as f64 * (PANEL + BETWEEN) - BETWEEN;
    let lengths = Axis::lengths(points.iter().map(|point| point.bytes as f64).collect(), (LEFT, width - RIGHT));
    let dotted = if machine.protocol.is_empty() { "" } else { DOTTED };
    let below = format!("message length{dotted}");
    let height = bottom + BOTTOM + lengths.more_below(&below, width, NOTE);
    picture(paper, (width, height), &title, |canvas| {
        head.draw(canvas, (EDGE, 20.0), Align::Left, INK);
        what.draw(canvas, (EDGE, 42.0 + head.more()), Align::Left, FAINT);
        let tops = (0..panels.len()).map(|nth| top + nth as f64 * (PANEL + BETWEEN));
        for (panel, top) in panels.iter().zip(tops) {
            let shares = Axis::linear(-reach, reach, (top + PANEL, top), 4);
            panel.paint_panel(canvas, points, &lengths, &shares);
            machine.protocol.iter().for_each(|change| mark(canvas, change, &lengths, (top, top + PANEL)));
        }
        lengths.draw_across(canvas, bottom, &below, NOTE);
    })
}

impl Panel {
    fn new(machine: &Machine, model: &'static str) -> Option<Panel> {
        let network = machine.network(model, Bound::Best).ok()?;
        let says_us: Vec<f64> = machine.transfer.iter().map(|point| says_us(&network, point)).collect();
        let error = |(point, says_us): (&TransferPoint, &f64)| {
            let of = |us: f64| if us > 0.0 { says_us / us - 1.0 } else { 0.0 };
            let half = &point.half_round_trip_us;
            Estimate { value: of(half.value), low: of(half.high), high: of(half.low) }
        };
        let errors = machine.transfer.iter().zip(&says_us).map(error).collect();
        let words = network.to_string();
        let name = words.split(',').next().unwrap_or(model).to_owned();
        Some(Panel { model, name, errors, says_us })
    }

    fn paint_panel(&self, canvas: &Canvas, points: &[TransferPoint], lengths: &Axis, shares: &Axis) {
        let ((left, right), (bottom, top)) = (lengths.pixels(), shares.pixels());
        for (value, _) in shares.ticks() {
            let y = shares.at(*value);
            let hue = if value.abs() < 1e-9 { FAINT } else { GRID };
            canvas.line(&[(left, y), (right, y)], hue, 1);
            canvas.text(&percent(*value), (left - 8.0, y), NOTE, Align::Right, FAINT);
        }
        canvas.line(&[(left, bottom), (right, bottom)], GRID, 1);
        canvas.bold(&self.name, (left, top - 13.0), TEXT, Align::Left, INK);
        canvas.text(&self.worst(points), (left + 96.0, top - 13.0), NOTE, Align::Left, FAINT);
        for (point, error) in points.iter().zip(&self.errors) {
            let x = lengths.at(point.bytes.max(1) as f64);
            let at = |share: f64| (x, shares.at(share));
            let (low, high) = (at(error.low), at(error.high));
            canvas.line(&[low, high], HUES[0], 1);
            [low, high].iter().for_each(|&(x, y)| canvas.line(&[(x - 3.0, y), (x + 3.0, y)], HUES[0], 1));
            canvas.circle(at(error.value), 4, HUES[0], error.value.abs() <= FURTHEST);
        }
    }

    fn worst(&self, points: &[TransferPoint]) -> String {
        let all = points.iter().zip(&self.errors);
        let worst = all.max_by(|a, b| a.1.value.abs().total_cmp(&b.1.value.abs()));
        worst.map_or_else(String::new, |(point, error)| {
            if error.value.abs() < 5e-4 {
                return "nothing".to_owned();
            }
            format!("at worst {} at {}", percent(error.value), print_bytes(point.bytes))
        })
    }
}

/// Returns a model's prediction of half a ping-pong, in µs.
fn says_us(network: &Network, point: &TransferPoint) -> f64 {
    network.one_message(point.bytes).as_us()
}

/// Prints a share with its sign, with one decimal below ten percent.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let digits = usize::from(percent.abs() < 9.95 && percent != percent.round());
    let text = format!("{percent:+.digits$} %").replace('-', "−");
    if percent.abs() < 0.05 { "0 %".to_owned() } else { text }
}

/// Draws a dotted line between the two lengths that a change lies between.
fn mark(canvas: &Canvas, change: &ProtocolChange, lengths: &Axis, (top, bottom): (f64, f64)) {
    let between = (change.last_bytes.max(1) as f64 * change.next_bytes.max(1) as f64).sqrt();
    let x = lengths.at(between);
    let mut y = top;
    while y < bottom {
        canvas.line(&[(x, y), (x, (y + 2.0).min(bottom))], INK, 1);
        y += 5.0;
    }
    if change.waits {
        canvas.bold("S", (x + 4.0, top + 8.0), NOTE, Align::Left, INK);
    }
}

/// Returns the numbers of all panels.
fn numbers(machine: &Machine, panels: &[Panel]) -> Table {
    type Point<'a> = (&'a Panel, &'a TransferPoint, Estimate, f64);
    let rows = panels.iter().flat_map(|panel| {
        let found = machine.transfer.iter().zip(&panel.errors).zip(&panel.says_us);
        found.map(move |((point, error), us)| (panel, point, *error, *us))
    });
    let columns: [Filled<Point>; 7] = [
        (columns::MACHINE.column(), &|_| machine.name.as_str().into()),
        (columns::MODEL.column(), &|(panel, ..)| panel.model.into()),
        (columns::BYTES.column(), &|(_, point, ..)| point.bytes.into()),
        (columns::MEASURED.column(), &|(_, point, ..)| point.half_round_trip_us.into()),
        (columns::CONFIDENCE.column(), &|_| machine.provenance.confidence.into()),
        (columns::PREDICTED.column().without_limits(), &|(.., us)| (*us).into()),
        (columns::ERROR.column(), &|(_, _, error, _)| (*error).into()),
    ];
    Table::from_rows("rows", &rows.collect::<Vec<Point>>(), &columns)
}
