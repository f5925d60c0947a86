//! What grains of work take on independent ranks whose delays have a known distribution: as computed, and drawn.

use models::closed_form::noise::{Slowest, slowest};
use models::names::counted;
use models::noise::Delays;
use models::stable::draws;
use models::time::Span;
use render::plots::numbers::significant;
use render::table::{Cell, Table};
use serde_json::{Value, json};
use std::fmt::Write;

/// Drawn delays.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    mean_us: f64,
    /// Standard error of the mean.
    error_us: f64,
}

/// On several numbers of ranks.
pub struct OfDensity {
    delays: Delays,
    grains: usize,
    alone: Span,
    drawn: Option<(u32, u64)>,
    rows: Vec<(u64, Slowest, Option<Drawn>)>,
}

/// No more delays are drawn for a row.
const MOST_DRAWN: u64 = 1_000_000_000;

impl OfDensity {
    /// Predicts a program of these grains on each number of ranks. With `drawn`, times and a seed, the largest delay is also
    /// simulated: drawn for all ranks so many times.
    pub fn of(delays: Delays, grains: &[Span], ranks: &[u64], drawn: Option<(u32, u64)>) -> OfDensity {
        let row = |&ranks: &u64| {
            let largest = drawn.filter(|&(times, _)| ranks * u64::from(times) <= MOST_DRAWN);
            (ranks, slowest(ranks, &delays), largest.map(|(times, seed)| draw(&delays, ranks, times, seed)))
        };
        let rows = ranks.iter().map(row).collect();
        OfDensity { grains: grains.len(), alone: grains.iter().copied().sum(), drawn, rows, delays }
    }

    /// Mean time of the program, µs, and the standard deviation of one run of it.
    fn took_us(&self, slowest: &Slowest) -> (f64, f64) {
        let grains = self.grains as f64;
        (self.alone.as_us() + grains * slowest.mean_ps / 1e6, (grains * slowest.variance_ps2).sqrt() / 1e6)
    }

    /// For people.
    pub fn text(&self) -> String {
        let grains = counted(self.grains, "grain");
        let mut text = format!("{grains}, {} without noise; delays of a grain: {}\n", self.alone, self.delays);
        let head = ["ranks n", "largest delay, µs", "time, µs", "± of one run", "efficiency, %"].map(str::to_owned);
        let head = head.into_iter().chain(self.drawn.map(|_| "drawn, µs".to_owned()));
        let row = |(ranks, slowest, drawn): &(u64, Slowest, Option<Drawn>)| {
            let (took, spread) = self.took_us(slowest);
            let efficiency = format!("{:.4}", self.alone.as_us() / took * 100.0);
            let bounded = |us: f64| if spread.is_finite() { significant(us) } else { "unbounded".to_owned() };
            let numbers = [ranks.to_string(), digits(slowest.mean_ps / 1e6), digits(took), bounded(spread), efficiency];
            let drawn = self.drawn.map(|_| match drawn {
                Some(drawn) => format!("{} ± {}", digits(drawn.mean_us), bounded(drawn.error_us)),
                None => "–".to_owned(),
            });
            numbers.into_iter().chain(drawn).map(|text| Cell::number(text, "")).collect()
        };
        text.push_str(&Table::new("", head, self.rows.iter().map(row)).text());
        text.push_str(
            "  Ranks are independent; all wait for the slowest after each grain. Mean M = ∫ (1 − H(z)^n) dz.\n",
        );
        if let Some((times, seed)) = self.drawn {
            let _ = writeln!(text, "  Drawn: mean of the largest of n delays, {times} times, seed {seed}.");
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let row = |(ranks, slowest, drawn): &(u64, Slowest, Option<Drawn>)| {
            let (took, spread) = self.took_us(slowest);
            json!({
                "ranks": ranks, "largest_us": slowest.mean_ps / 1e6,
                "variance_us2": Some(slowest.variance_ps2 / 1e12).filter(|variance| variance.is_finite()),
                "mean_us": took, "deviation_us": Some(spread).filter(|spread| spread.is_finite()),
                "efficiency": self.alone.as_us() / took,
                "drawn_us": drawn.map(|drawn| drawn.mean_us),
                "drawn_error_us": drawn.filter(|_| spread.is_finite()).map(|drawn| drawn.error_us),
            })
        };
        json!({
            "grains": self.grains, "without_noise_us": self.alone.as_us(), "density": self.delays.to_string(),
            "rows": self.rows.iter().map(row).collect::<Vec<Value>>(),
        })
    }
}

/// Six significant digits.
fn digits(us: f64) -> String {
    let whole = us.abs().max(1e-6).log10().floor() as i32;
    format!("{us:.digits$}", digits = (5 - whole).clamp(0, 9) as usize)
}

/// The mean of the largest of so many delays.
fn draw(delays: &Delays, ranks: u64, times: u32, seed: u64) -> Drawn {
    let mut random = draws(seed, &format!("largest of {ranks}"));
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..times {
        let largest = (0..ranks).map(|_| delays.draw(&mut random)).max().unwrap_or_default().as_us();
        (sum, squares) = (sum + largest, squares + largest * largest);
    }
    let n = f64::from(times);
    let mean_us = sum / n;
    Drawn { mean_us, error_us: ((squares / n - mean_us * mean_us).max(0.0) / (n - 1.0)).sqrt() }
}
