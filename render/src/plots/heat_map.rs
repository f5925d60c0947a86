//! A matrix of pairs as a picture: a square for each pair, the darker the larger its value, and the scale beside it.

use super::Pairs;
use crate::plots::canvas::{Align, Canvas, FAINT, GRID, INK, described, text_width};
use crate::plots::layout::{EDGE, Words};
use crate::plots::{Drawing, Paper};
use plotters::style::{RGBColor, WHITE};

/// Side of the whole field, in px, where squares need not be wider for their numbers.
const FIELD: f64 = 520.0;
/// Least width of squares in which numbers are written, in px.
const ROOMY: f64 = 44.0;
const LEFT: f64 = 58.0;
const SCALE: f64 = 118.0;
const TEXT: f64 = 15.0;
const NOTE: f64 = 13.0;
/// Room above the field for the title and the numbers of columns, in px.
const TOP: f64 = 62.0;
/// Number of steps of the scale.
const STEPS: u32 = 64;

/// Ends of the scale: lightness changes from light to dark in one hue, blue, which any colour vision distinguishes.
const LIGHT: RGBColor = RGBColor(0xec, 0xf3, 0xfa);
const DARK: RGBColor = RGBColor(0x05, 0x2f, 0x57);

/// Returns a matrix as a picture with its title. The sentences of `about` are kept in the picture and not drawn.
pub fn heat_map(matrix: &Pairs, title: &str, about: &[String]) -> Drawing {
    let (matrix, title, about) = (matrix.clone(), title.to_owned(), about.to_vec());
    Drawing::new(move |paper| render_heat_map(paper, &matrix, &title, &about))
}

fn render_heat_map(paper: &Paper, matrix: &Pairs, title: &str, about: &[String]) -> String {
    let ranks = matrix.rows().len().max(1) as f64;
    let side = (FIELD / ranks).clamp(1.0, 96.0);
    let width = (LEFT + side * ranks + SCALE).max(text_width(title, 17.0) + 2.0 * EDGE).max(420.0);
    let width = paper.width_px(width);
    let side = side.min((width - LEFT - SCALE) / ranks);
    let field = side * ranks;
    let head = Words::title(paper, title, width, 17.0);
    let top = TOP + head.more();
    let height = top + field.max(150.0) + 30.0;
    described(paper, (width, height), title, about, |canvas| {
        head.draw(canvas, (EDGE, 20.0), Align::Left, INK);
        squares(canvas, matrix, side, top);
        labels(canvas, matrix, side, top);
        if let Some(range) = matrix.range() {
            scale(canvas, matrix, range, (LEFT + field + 24.0, top), field.clamp(120.0, 300.0));
        }
    })
}

fn squares(canvas: &Canvas, matrix: &Pairs, side: f64, top: f64) {
    let field = side * matrix.rows().len() as f64;
    for (from, row) in matrix.rows().iter().enumerate() {
        for (to, &value) in row.iter().enumerate() {
            let (x, y) = (LEFT + to as f64 * side, top + from as f64 * side);
            // Each square reaches below the next one: on paper there would be seams.
            let end = ((x + side + 1.0).min(LEFT + field), (y + side + 1.0).min(top + field));
            if from == to {
                canvas.bar((x, y), end, GRID);
                continue;
            }
            let share = matrix.share(value);
            canvas.bar((x, y), end, shade(share));
            if side >= ROOMY {
                let ink = if share > 0.5 { WHITE } else { INK };
                canvas.text(&matrix.print(value), (x + side / 2.0, y + side / 2.0), NOTE, Align::Centre, ink);
            }
        }
    }
}

/// Draws numbers beside and above the field, as many as have room.
fn labels(canvas: &Canvas, matrix: &Pairs, side: f64, top: f64) {
    let numbers = &matrix.numbers;
    let widest = numbers.iter().max().map_or_else(String::new, usize::to_string);
    let room = text_width(&widest, TEXT) + 10.0;
    let all = numbers.len().max(1);
    let every = (1..=all).find(|&every| every as f64 * side >= room).unwrap_or(all);
    for (place, number) in numbers.iter().enumerate().step_by(every) {
        let middle = (place as f64 + 0.5) * side;
        canvas.text(&number.to_string(), (LEFT + middle, top - 12.0), TEXT, Align::Centre, FAINT);
        canvas.text(&number.to_string(), (LEFT - 8.0, top + middle), TEXT, Align::Right, FAINT);
    }
    canvas.text(matrix.of, (EDGE, top - 12.0), TEXT, Align::Left, FAINT);
}

fn scale(canvas: &Canvas, matrix: &Pairs, (low, high): (f64, f64), (x, top): (f64, f64), height: f64) {
    let step = height / f64::from(STEPS);
    for nth in 0..STEPS {
        let y = top + 20.0 + f64::from(nth) * step;
        let share = 1.0 - (f64::from(nth) + 0.5) / f64::from(STEPS);
        canvas.bar((x, y), (x + 18.0, y + step + 1.0), shade(share));
    }
    let unit = if matrix.is_log() { format!("{} (log.)", matrix.unit) } else { matrix.unit.to_owned() };
    canvas.text(&unit, (x, top + 4.0), TEXT, Align::Left, FAINT);
    let middle = if matrix.is_log() { (low * high).sqrt() } else { f64::midpoint(low, high) };
    for (value, share) in [(high, 0.0), (middle, 0.5), (low, 1.0)] {
        let at = (x + 26.0, top + 20.0 + share * height);
        canvas.text(&matrix.print(value), at, TEXT, Align::Left, INK);
    }
}

fn shade(share: f64) -> RGBColor {
    let mix = |light: u8, dark: u8| (f64::from(light) + (f64::from(dark) - f64::from(light)) * share).round() as u8;
    RGBColor(mix(LIGHT.0, DARK.0), mix(LIGHT.1, DARK.1), mix(LIGHT.2, DARK.2))
}
