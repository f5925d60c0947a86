//! Grains of work on independent ranks whose delays have a known distribution: times as computed, and as drawn.

use models::closed_form::noise::{Slowest, slowest};
use models::names::counted;
use models::noise::Delays;
use models::stable::draws;
use models::time::Span;
use render::columns;
use render::data::{Cell, Column, Filled, Known, Style, Table, View};
use render::page::{Page, Section};
use render::results::Results;

/// Largest delays as drawn at random.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    mean_us: f64,
    /// Standard error of the mean.
    error_us: f64,
}

/// Number of ranks, with their largest delay as computed and as drawn.
type DensityRow = (u64, Slowest, Option<Drawn>);

/// Times of a program of grains on several numbers of ranks.
pub struct OfDensity {
    delays: Delays,
    grains: usize,
    alone: Span,
    drawn: Option<(u32, u64)>,
    rows: Vec<DensityRow>,
}

/// Largest number of delays that are drawn for a row.
const MOST_DRAWN: u64 = 1_000_000_000;

impl OfDensity {
    /// Predicts a program of these grains on each number of ranks. With `drawn`, a number of times and a seed, the
    /// largest delay is also simulated: drawn that many times for all ranks.
    pub fn predict(delays: Delays, grains: &[Span], ranks: &[u64], drawn: Option<(u32, u64)>) -> OfDensity {
        let row = |&ranks: &u64| {
            let largest = drawn.filter(|&(times, _)| ranks * u64::from(times) <= MOST_DRAWN);
            (ranks, slowest(ranks, &delays), largest.map(|(times, seed)| sample_largest(&delays, ranks, times, seed)))
        };
        let rows = ranks.iter().map(row).collect();
        OfDensity { grains: grains.len(), alone: grains.iter().copied().sum(), drawn, rows, delays }
    }

    /// Returns the mean time of the program and the standard deviation of one run of it, in µs.
    fn took_us(&self, slowest: &Slowest) -> (f64, f64) {
        let grains = self.grains as f64;
        (self.alone.as_us() + grains * slowest.mean_ps / 1e6, (grains * slowest.variance_ps2).sqrt() / 1e6)
    }

    fn table(&self) -> Table {
        let column = |of: Known, heading: &'static str| of.headed(heading).shown(Style::Exact);
        let is_drawn = |column: Column| if self.drawn.is_some() { column } else { column.unseen() };
        let is_bounded = |row: &DensityRow| self.took_us(&row.1).1.is_finite();
        let error = |row: &DensityRow, drawn: Drawn| if is_bounded(row) { drawn.error_us } else { f64::INFINITY };
        let columns: [Filled<DensityRow>; 8] = [
            (columns::RANKS.headed("ranks n"), &|row| row.0.into()),
            (column(columns::LARGEST_DELAY, "largest delay"), &|row| (row.1.mean_ps / 1e6).into()),
            (columns::DELAY_VARIANCE.column().unseen(), &|row| (row.1.variance_ps2 / 1e12).into()),
            (column(columns::MEAN, "time"), &|row| self.took_us(&row.1).0.into()),
            (columns::DEVIATION.headed("± of one run").shown(Style::Own), &|row| self.took_us(&row.1).1.into()),
            (columns::EFFICIENCY.column().shown(Style::Percent(4)), &|row| {
                (self.alone.as_us() / self.took_us(&row.1).0).into()
            }),
            (is_drawn(column(columns::DRAWN, "drawn")), &|row| row.2.map(|drawn| drawn.mean_us).into()),
            (is_drawn(columns::DRAWN_ERROR.headed("± of that").shown(Style::Own)), &|row| {
                row.2.map(|drawn| error(row, drawn)).into()
            }),
        ];
        Table::from_rows("rows", &self.rows, &columns)
    }
}

impl Results for OfDensity {
    fn answer(&self) -> String {
        let grains = counted(self.grains, "grain");
        format!("{grains}, {} without noise; delays of a grain: {}", self.alone, self.delays)
    }

    fn page(&self) -> Page {
        let table = self.table();
        let mean = "Ranks are independent; all wait for the slowest after each grain. Mean M = ∫ (1 − H(z)^n) dz.";
        let drawn = self
            .drawn
            .map(|(times, seed)| format!("Drawn: mean of the largest of n delays, {times} times, seed {seed}."));
        let notes = [mean.to_owned()].into_iter().chain(drawn).collect();
        Page {
            question: "What do delays of this distribution do to grains of work?".to_owned(),
            answer: self.answer(),
            sections: vec![Section::default().with_tables([View::new(&table).whole().noting(notes).laid_out()])],
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        let density = ("density", self.delays.to_string().into());
        vec![("grains", self.grains.into()), ("without_noise_us", self.alone.as_us().into()), density]
    }
}

/// Draws the largest of the delays of `ranks` ranks `times` times, and returns its mean.
fn sample_largest(delays: &Delays, ranks: u64, times: u32, seed: u64) -> Drawn {
    let mut random = draws(seed, &format!("largest of {ranks}"));
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..times {
        let largest = (0..ranks).map(|_| delays.sample_delay(&mut random)).max().unwrap_or_default().as_us();
        (sum, squares) = (sum + largest, squares + largest * largest);
    }
    let n = f64::from(times);
    let mean_us = sum / n;
    Drawn { mean_us, error_us: ((squares / n - mean_us * mean_us).max(0.0) / (n - 1.0)).sqrt() }
}
