//! Tables of a scenario for the timing of calls: `[window]`, `[round_time]`, `[factors]`.

use super::{ScenarioError, Source};
use models::time::Span;
use programs::aggregation::OverSamples;
use programs::method::{Factors, RoundTimeSettings, WindowSettings};
use toml::Spanned;

/// Largest number of starts. Larger numbers are taken for typing errors, because every start is kept with its stamps.
const MOST_STARTS: u32 = 1_000_000;

impl Source<'_> {
    pub(super) fn window(&self, window: Spanned<WindowSettings>) -> Result<WindowSettings, ScenarioError> {
        let span = window.span();
        let settings = window.into_inner();
        let wrong = if !(1..=64).contains(&settings.stage_starts) {
            "stage_starts must be 1 to 64"
        } else if !(1.0..=2.0).contains(&settings.slack) {
            "slack must be 1.0 to 2.0 (a factor; MPIPerf uses 1.1)"
        } else if !(0.0..=1.0).contains(&settings.invalid_share) {
            "invalid_share must be 0.0 to 1.0 (a share of a stage's starts)"
        } else if settings.late_share.0 > 1_000_000 {
            "late_share must be 0.0 to 1.0 (a share of the window)"
        } else if settings.first_starts == 0 {
            "first_starts must be at least 1"
        } else if settings.cap == Span::ZERO || settings.cap < settings.floor {
            "cap must be longer than 0, and no shorter than floor"
        } else {
            return Ok(settings);
        };
        Err(self.error(span, wrong))
    }

    pub(super) fn round_time(&self, table: Spanned<RoundTimeSettings>) -> Result<RoundTimeSettings, ScenarioError> {
        let start = table.span().start;
        let settings = table.into_inner();
        let (key, wrong) = if !(1..=MOST_STARTS).contains(&settings.starts) {
            ("starts", format!("expected 1 to {MOST_STARTS} starts, found {}", settings.starts))
        } else if settings.budget == Span::ZERO {
            ("budget", "expected a duration longer than 0, like \"1 s\"".to_owned())
        } else if !(1.0..=100.0).contains(&settings.slack) {
            ("slack", format!("expected a factor of 1.0 to 100.0, found {}", settings.slack))
        } else if !(1..=1_000).contains(&settings.announcements) {
            ("announcements", format!("expected 1 to 1000, found {}", settings.announcements))
        } else {
            return Ok(settings);
        };
        Err(self.error_at_key(start, key, wrong))
    }

    pub(super) fn factors(&self, table: Spanned<Factors>) -> Result<Factors, ScenarioError> {
        let start = table.span().start;
        let factors = table.into_inner();
        match factors.aggregation.samples {
            OverSamples::TrimmedMean { share } if !(0.0..0.5).contains(&share) => {
                let message = format!("expected a share of 0.0 to less than 0.5 at each end, found {share}");
                Err(self.error_at_key(start, "aggregation", message))
            }
            OverSamples::TrimmedMean { .. }
            | OverSamples::Mean
            | OverSamples::Median
            | OverSamples::Min
            | OverSamples::Max => Ok(factors),
        }
    }
}
