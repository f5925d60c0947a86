//! Progress of a sweep, or of other work with many points: a bar on a terminal, a line every ten seconds elsewhere,
//! both on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Interval between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Words that describe points and their work.
#[derive(Clone, Copy, Debug)]
pub struct PointWords {
    /// Name of the work, at the begin of each line.
    pub doing: &'static str,
    /// Noun for the points, in the plural.
    pub what: &'static str,
}

/// Display of the finished and planned points.
pub struct Points {
    counted: PointWords,
    bar: ProgressBar,
    lines: bool,
    told: Instant,
    began: Instant,
    kept: u64,
}

impl Points {
    /// Begins with a number of points, of which `kept` exist already.
    pub fn new(counted: PointWords, points: u64, kept: u64, quiet: bool) -> Points {
        let on_terminal = std::io::stderr().is_terminal();
        let target = if quiet || !on_terminal { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(points), target).with_position(kept);
        let what = counted.what;
        let template = format!("{{bar:24}} {{pos:>10}} of {{len}} {what}, {{per_sec:>14}}, {{eta:>4}} left");
        let style = ProgressStyle::with_template(&template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_eta();
        let now = Instant::now();
        Points { counted, bar, lines: !quiet && !on_terminal, told: now, began: now, kept }
    }

    /// Counts one more finished point.
    pub fn step(&mut self) {
        self.bar.inc(1);
    }

    /// Counts further finished points, and prints a line if one is due.
    pub fn steps(&mut self, points: u64) {
        self.bar.inc(points);
        self.tick();
    }

    /// Prints a line if one is due.
    pub fn tick(&mut self) {
        if self.lines && self.told.elapsed() >= LINE_EVERY {
            self.told = Instant::now();
            let (done, points) = (self.bar.position(), self.bar.length().unwrap_or(0));
            note!("{}", line(self.counted, (done, points, done - self.kept), self.began.elapsed()));
        }
    }

    /// Removes the bar from the terminal.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Returns the text of a line. `new` points were finished within `took`.
fn line(PointWords { doing, what }: PointWords, (done, points, new): (u64, u64, u64), took: Duration) -> String {
    let percent = done as f64 * 100.0 / points.max(1) as f64;
    let rate = new as f64 / took.as_secs_f64().max(1e-9);
    let left = if new == 0 { "?".to_owned() } else { format!("{:.0} s", (points - done) as f64 / rate) };
    format!("{doing}: {done} of {points} {what} ({percent:.1} %), {rate:.1} {what}/s, {left} left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_counts_what_was_there_as_done_but_not_as_work() {
        let sweep = PointWords { doing: "sweep", what: "points" };
        let text = line(sweep, (600, 1000, 100), Duration::from_secs(10));
        assert_eq!(text, "sweep: 600 of 1000 points (60.0 %), 10.0 points/s, 40 s left");
        assert!(line(sweep, (0, 10, 0), Duration::from_secs(10)).ends_with("? left"));
    }
}
