//! Rules of the window method that a campaign sets in place of the usual ones, in the notation of flags.

use super::WindowSettings;
use models::quantity::Millionths;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Rule by which the measurement stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum StopRule {
    /// Stops after more than a number of starts in all, or more than a number of valid ones (MPIPerf, variant 1).
    Counts {
        /// Number of starts in all.
        starts: u32,
        /// Number of valid starts.
        valid: u32,
    },
    /// Stops when the relative standard error of the mean is small enough and there are enough valid starts (MPIPerf,
    /// variant 2), and after [`StopRule::MOST_OF_PRECISION`] starts in any case.
    Precision {
        /// Largest relative standard error of the mean.
        relative_error: Millionths,
        /// Smallest number of valid starts.
        valid: u32,
    },
}

/// Largest number of starts. Larger numbers are taken for typing errors, because every start is kept with its stamps.
const MOST_STARTS: u32 = 1_000_000;

impl StopRule {
    /// Number of starts after which a measurement stops whose error does not become small enough.
    pub const MOST_OF_PRECISION: u32 = 1_000;

    /// Reads a rule: `counts:STARTS/VALID` or `precision:SHARE/VALID`.
    ///
    /// # Errors
    /// States the expected form, or the range of the number that is outside of it.
    pub fn parse(text: &str) -> Result<StopRule, String> {
        let form = || {
            format!(
                "expected counts:STARTS/VALID, like counts:100/30, or precision:ERROR/VALID, like precision:5%/10, found '{text}'"
            )
        };
        let (kind, numbers) = text.split_once(':').ok_or_else(form)?;
        let (first, valid) = numbers.split_once('/').ok_or_else(form)?;
        let valid: u32 = valid.trim().parse().map_err(|_| form())?;
        match kind.trim() {
            "counts" => StopRule::by_counts(first.trim().parse().map_err(|_| form())?, valid),
            "precision" => StopRule::by_precision(Millionths::parse_share(first)?, valid),
            _ => Err(form()),
        }
    }

    fn by_counts(starts: u32, valid: u32) -> Result<StopRule, String> {
        if !(1..=MOST_STARTS).contains(&starts) {
            return Err(format!("expected 1 to {MOST_STARTS} starts, found {starts}"));
        }
        if !(1..=starts).contains(&valid) {
            return Err(format!("expected 1 to {starts} valid starts, no more than starts in all, found {valid}"));
        }
        Ok(StopRule::Counts { starts, valid })
    }

    fn by_precision(relative_error: Millionths, valid: u32) -> Result<StopRule, String> {
        if !(1..1_000_000).contains(&relative_error.0) {
            let found = relative_error.percent();
            return Err(format!("expected a relative error of more than 0 and less than 100 %, found {found} %"));
        }
        // A standard error needs two values.
        if !(2..=StopRule::MOST_OF_PRECISION).contains(&valid) {
            let most = StopRule::MOST_OF_PRECISION;
            return Err(format!("expected 2 to {most} valid starts, as a standard error needs, found {valid}"));
        }
        Ok(StopRule::Precision { relative_error, valid })
    }

    /// Returns the rule in words for readers.
    fn words(self) -> String {
        match self {
            StopRule::Counts { starts, valid } => format!("stop: more than {valid} valid starts or {starts} in all"),
            StopRule::Precision { relative_error, valid } => {
                let (percent, most) = (relative_error.percent(), StopRule::MOST_OF_PRECISION);
                format!("stop: standard error of {percent} % and {valid} valid starts, or {most} starts in all")
            }
        }
    }
}

/// Writes the rule as [`StopRule::parse`] reads it.
impl fmt::Display for StopRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopRule::Counts { starts, valid } => write!(f, "counts:{starts}/{valid}"),
            StopRule::Precision { relative_error, valid } => {
                write!(f, "precision:{}%/{valid}", relative_error.percent())
            }
        }
    }
}

/// Rules of windows that replace the usual ones, each `None` for the usual one. Their display form is that of flags:
/// `stop=counts:100/30,stage=8`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WindowRules {
    /// Rule by which the measurement stops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopRule>,
    /// Number k of starts in each stage after stage 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stage: Option<u32>,
    /// Number k' of calls in stage 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// Factor ε by which a window exceeds what it must hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slack: Option<Millionths>,
    /// Share of invalid starts in a stage above which the window grows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid: Option<Millionths>,
    /// Share of the window by which a start may be late.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<Millionths>,
}

impl WindowRules {
    /// Returns true if no rule is replaced.
    pub fn are_usual(&self) -> bool {
        *self == WindowRules::default()
    }

    /// Replaces the rules in the settings of windows.
    pub fn replace_in(&self, settings: &mut WindowSettings) {
        settings.stop = self.stop.unwrap_or(settings.stop);
        settings.stage_starts = self.stage.unwrap_or(settings.stage_starts);
        settings.first_starts = self.first.unwrap_or(settings.first_starts);
        settings.slack = self.slack.map_or(settings.slack, Millionths::as_f64);
        settings.invalid_share = self.invalid.map_or(settings.invalid_share, Millionths::as_f64);
        settings.late_share = self.late.unwrap_or(settings.late_share);
    }

    /// Returns the replaced rules in words for readers; an empty text if there are none.
    pub fn words(&self) -> String {
        let words = [
            self.stop.map(StopRule::words),
            self.stage.map(|starts| format!("{starts} starts per stage")),
            self.first.map(|calls| format!("{calls} initial calls")),
            self.slack.map(|slack| format!("slack {slack}")),
            self.invalid.map(|share| format!("windows grow above {} % invalid starts", share.percent())),
            self.late.map(|share| match share {
                Millionths(0) => "late starts: ranks that come after the due time".to_owned(),
                share => format!("late starts: delays above {} % of the window", share.percent()),
            }),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for WindowRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |share: Millionths| format!("{}%", share.percent());
        let rules = [
            ("stop", self.stop.map(|stop| stop.to_string())),
            ("stage", self.stage.map(|starts| starts.to_string())),
            ("first", self.first.map(|calls| calls.to_string())),
            ("slack", self.slack.map(|slack| slack.to_string())),
            ("invalid", self.invalid.map(share)),
            ("late", self.late.map(share)),
        ];
        let set = rules.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?)));
        f.write_str(&set.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_rules_are_read_as_they_are_written() {
        let precise = StopRule::Precision { relative_error: Millionths(50_000), valid: 10 };
        for (text, rule) in
            [("counts:100/30", StopRule::Counts { starts: 100, valid: 30 }), ("precision:5%/10", precise)]
        {
            assert_eq!(StopRule::parse(text), Ok(rule));
            assert_eq!(rule.to_string(), text);
        }
        assert_eq!(StopRule::parse("precision:0.05/10"), Ok(precise));
    }

    #[test]
    fn malformed_stop_rules_are_refused_with_what_is_expected() {
        let wrong = [
            "counts:30/100",
            "counts:0/0",
            "counts:100",
            "counts:2000000/3",
            "precision:5%",
            "precision:5%/1",
            "precision:0%/10",
            "precision:100%/10",
            "precision:5%/2000",
            "time:5",
            "30",
        ];
        let said = wrong.map(|text| StopRule::parse(text).expect_err(text));
        insta::assert_snapshot!(said.join("\n"));
    }

    #[test]
    fn rules_replace_only_what_they_set_and_are_told_in_words() {
        let mut settings = WindowSettings::default();
        WindowRules::default().replace_in(&mut settings);
        assert_eq!(settings, WindowSettings::default());
        assert_eq!(WindowRules::default().words() + &WindowRules::default().to_string(), "");
        let rules = WindowRules {
            stop: Some(StopRule::Counts { starts: 50, valid: 20 }),
            stage: Some(16),
            first: Some(2),
            slack: Some(Millionths(1_250_000)),
            invalid: Some(Millionths(500_000)),
            late: Some(Millionths(0)),
        };
        rules.replace_in(&mut settings);
        let WindowSettings { first_starts, stage_starts, slack, invalid_share, late_share, floor, cap, stop } =
            settings;
        assert_eq!((first_starts, stage_starts, slack, invalid_share), (2, 16, 1.25, 0.5));
        assert_eq!((late_share, Some(stop)), (Millionths(0), rules.stop));
        assert_eq!((floor, cap), (WindowSettings::default().floor, WindowSettings::default().cap));
        insta::assert_snapshot!(format!("{rules}\n{}", rules.words()));
        let written = serde_json::to_string(&rules).expect("plain values");
        assert_eq!(serde_json::from_str::<WindowRules>(&written).expect("what was written"), rules);
        let late = WindowRules { late: Some(Millionths(15_000)), ..WindowRules::default() };
        assert!(late.words().contains("1.5 %") && late.to_string() == "late=1.5%", "{late}: {}", late.words());
    }
}
