//! Progress of a campaign on standard error: a bar on a terminal, else a line for each case.

use crate::RecordedCampaign;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use programs::observation::{Case, Observation, Occasion};
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Display of the measured and planned cases.
pub struct Cases {
    bar: ProgressBar,
    lines: bool,
    /// End of the first case, before which ranks had to start.
    first: OnceLock<Instant>,
    kept: u64,
}

impl Cases {
    fn new(cases: u64, kept: u64, quiet: bool) -> Cases {
        let on_terminal = std::io::stderr().is_terminal();
        let target = if quiet || !on_terminal { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(cases), target).with_position(kept);
        let style = ProgressStyle::with_template("{bar:24} {pos:>6} of {len} cases, {eta:>4} left  {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.reset_eta();
        Cases { bar, lines: !quiet && !on_terminal, first: OnceLock::new(), kept }
    }

    /// Begins with the cases of several occasions, of which the campaign already holds some.
    pub fn from_planned<'a>(
        planned: impl Iterator<Item = (Occasion, &'a [Case])>,
        campaign: &RecordedCampaign,
        quiet: bool,
    ) -> Cases {
        let (mut all, mut kept) = (0, 0);
        for (occasion, cases) in planned {
            all += cases.len() as u64;
            kept += cases.iter().filter(|case| campaign.has_measured(case, occasion)).count() as u64;
        }
        Cases::new(all, kept, quiet)
    }

    /// Whether the campaign held none of the cases at the begin.
    pub fn is_new(&self) -> bool {
        self.kept == 0
    }

    /// Sets the number of planned cases.
    pub fn expect(&self, cases: u64) {
        self.bar.set_length(cases);
    }

    /// Counts one more measured case.
    pub fn measured(&self, observation: &Observation) {
        let (case, name) = (&observation.case, observation.name());
        self.bar.inc(1);
        self.bar.set_message(format!("{} {} B {}", case.subject.collective, case.subject.bytes, case.timing.method));
        if self.lines {
            let (done, cases) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let took = self.first.get_or_init(Instant::now).elapsed();
            note!("measured   {name}  ({done} of {cases}{})", left(done, cases, self.kept, took));
        }
    }

    /// Removes the bar from the terminal.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Returns the remaining time, extrapolated from the cases measured since the first one. Empty before the second.
fn left(done: u64, cases: u64, kept: u64, took: Duration) -> String {
    match done.saturating_sub(kept + 1) {
        0 => String::new(),
        since => format!(", {:.0} s left", took.as_secs_f64() / since as f64 * cases.saturating_sub(done) as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_before_is_no_measure_of_speed() {
        assert_eq!(left(61, 100, 50, Duration::from_secs(5)), ", 20 s left");
        assert_eq!(left(51, 100, 50, Duration::from_secs(1)), "");
        assert_eq!(left(100, 100, 0, Duration::from_secs(9)), ", 0 s left");
    }
}
