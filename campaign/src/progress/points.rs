//! How far a sweep is: a bar on a terminal, a line every ten seconds elsewhere, both on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Counts points.
pub struct Points {
    bar: ProgressBar,
    lines: bool,
    told: Instant,
    began: Instant,
    kept: u64,
}

impl Points {
    /// Of so many points some are there already.
    pub fn new(points: u64, kept: u64, quiet: bool) -> Points {
        let on_terminal = std::io::stderr().is_terminal();
        let target = if quiet || !on_terminal { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(points), target).with_position(kept);
        let style = ProgressStyle::with_template("{bar:24} {pos:>10} of {len} points, {per_sec:>14}, {eta:>4} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_eta();
        let now = Instant::now();
        Points { bar, lines: !quiet && !on_terminal, told: now, began: now, kept }
    }

    /// One more is done.
    pub fn step(&mut self) {
        self.bar.inc(1);
    }

    /// Looks whether something is to be told.
    pub fn tick(&mut self) {
        if self.lines && self.told.elapsed() >= LINE_EVERY {
            self.told = Instant::now();
            let (done, points) = (self.bar.position(), self.bar.length().unwrap_or(0));
            note!("{}", line(done, points, done - self.kept, self.began.elapsed()));
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// `new` points were done within `took`.
fn line(done: u64, points: u64, new: u64, took: Duration) -> String {
    let percent = done as f64 * 100.0 / points.max(1) as f64;
    let rate = new as f64 / took.as_secs_f64().max(1e-9);
    let left = if new == 0 { "?".to_owned() } else { format!("{:.0} s", (points - done) as f64 / rate) };
    format!("sweep: {done} of {points} points ({percent:.1} %), {rate:.1} points/s, {left} left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_counts_what_was_there_as_done_but_not_as_work() {
        let text = line(600, 1000, 100, Duration::from_secs(10));
        assert_eq!(text, "sweep: 600 of 1000 points (60.0 %), 10.0 points/s, 40 s left");
        assert!(line(0, 10, 0, Duration::from_secs(10)).ends_with("? left"));
    }
}
