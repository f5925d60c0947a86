//! Rank 0's side of the window method: validity of starts, length of the next windows, and end of the measurement.

use super::super::control::stretched;
use super::{Announcement, StartReport, StopRule, WindowSettings};
use models::quantity::Millionths;
use models::time::{Span, Time};

/// Largest delay of a start that is not late, unless no delay at all is allowed, in ps.
const LEAST_TOLERANCE_PS: u64 = 200_000;

/// Largest delay after its due time at which a start is not late: a share of the window, at least 200 ns; nothing where
/// the share is 0.
pub(super) fn late_tolerance(delta: Span, share: Millionths) -> Span {
    if share == Millionths(0) {
        return Span::ZERO;
    }
    let ps = u128::from(delta.0) * u128::from(share.0) / 1_000_000;
    Span((ps as u64).max(LEAST_TOLERANCE_PS))
}

/// Rank 0's judgement of stages and its choice of the next window.
pub(super) struct Director<'a> {
    settings: &'a WindowSettings,
    delta: Span,
    capped: bool,
    /// Whether the announcement came too late for the first start of the stage.
    pub(super) first_start_was_late: bool,
    starts: u32,
    /// Durations of the valid starts on the slowest rank, in µs.
    valid_us: Vec<f64>,
}

impl<'a> Director<'a> {
    pub(super) fn new(settings: &'a WindowSettings, per_call: Span) -> Director<'a> {
        let mut director = Director {
            settings,
            delta: Span::ZERO,
            capped: false,
            first_start_was_late: false,
            starts: 0,
            valid_us: Vec::new(),
        };
        director.set_delta(stretched(per_call, settings.slack));
        director
    }

    pub(super) fn announcement(&self, valid: u64, start: Time) -> Announcement {
        let start = if self.enough() { Time::ZERO } else { start };
        Announcement { valid, start, delta: self.delta, capped: self.capped }
    }

    /// Returns the starts that were valid on all ranks, one bit each, and adapts δ.
    pub(super) fn judge(&mut self, all: &[StartReport], announced: &Announcement) -> u64 {
        let tolerance = late_tolerance(announced.delta, self.settings.late_share);
        let starts = self.settings.stage_starts;
        let (mut valid, mut longest, mut last_end) = (0u64, Span::ZERO, announced.start);
        for l in 0..starts as usize {
            let due = announced.start + announced.delta * l as u64;
            let of_ranks = || all.iter().skip(l).step_by(starts as usize);
            let latest_start = of_ranks().map(|outcome| outcome.0).max().unwrap_or(due);
            let latest_end = of_ranks().map(|outcome| outcome.1).max().unwrap_or(due);
            let punctual = latest_start <= due + tolerance;
            if punctual && latest_end <= due + announced.delta {
                valid |= 1 << l;
                self.valid_us.push(latest_end.since(due).as_us());
            }
            if l == 0 {
                self.first_start_was_late = !punctual;
            }
            longest = longest.max(latest_end.since(due));
            last_end = last_end.max(latest_end);
        }
        self.starts += starts;
        self.adapt(starts - valid.count_ones(), longest, last_end.since(announced.start));
        valid
    }

    /// Grows δ to the stage's time per start where too many starts were invalid. Halves it towards the longest call
    /// seen where all were valid and windows stood mostly empty.
    fn adapt(&mut self, invalid: u32, longest: Span, stage: Span) {
        let starts = self.settings.stage_starts;
        if f64::from(invalid) > self.settings.invalid_share * f64::from(starts) {
            let taken = stretched(Span(stage.0 / u64::from(starts)), self.settings.slack);
            self.set_delta(taken.max(stretched(self.delta, self.settings.slack)));
        } else if invalid == 0 && stretched(longest, self.settings.slack * self.settings.slack) < self.delta {
            self.set_delta(stretched(longest, self.settings.slack).max(Span(self.delta.0 / 2)));
        }
    }

    fn set_delta(&mut self, wanted: Span) {
        self.capped |= wanted > self.settings.cap;
        self.delta = wanted.max(self.settings.floor).min(self.settings.cap);
    }

    fn enough(&self) -> bool {
        let valid = self.valid_us.len() as u32;
        match self.settings.stop {
            StopRule::Counts { starts, valid: wanted } => self.starts > starts || valid > wanted,
            StopRule::Precision { relative_error, valid: wanted } => {
                self.starts > StopRule::MOST_OF_PRECISION
                    || (valid >= wanted && relative_standard_error(&self.valid_us) <= relative_error.as_f64())
            }
        }
    }
}

fn relative_standard_error(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (variance / n).sqrt() / mean
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays one stage on two ranks whose calls take `micros` µs each, started punctually.
    fn play(director: &mut Director, micros: [u64; 8]) -> (Span, u64) {
        let announced = director.announcement(0, Time(1_000_000_000));
        let (mut free, mut outcomes) = (Time::ZERO, Vec::new());
        for (l, call) in micros.into_iter().enumerate() {
            let start = free.max(announced.start + announced.delta * l as u64);
            free = start + Span::from_us(call);
            outcomes.push((start, free));
        }
        let valid = director.judge(&outcomes.repeat(2), &announced);
        (director.delta, valid)
    }

    fn with_stage_zero(micros: u64) -> Director<'static> {
        let settings = WindowSettings { cap: Span::from_ms(2), ..WindowSettings::default() };
        Director::new(Box::leak(Box::new(settings)), Span::from_us(micros))
    }

    #[test]
    fn calm_calls_are_all_valid_and_leave_the_window_alone() {
        let mut director = with_stage_zero(100);
        assert_eq!(director.delta, Span::from_us(110));
        assert_eq!(play(&mut director, [100; 8]), (Span::from_us(110), 0xff));
    }

    #[test]
    fn an_overrun_spoils_itself_and_the_start_after_it() {
        let mut director = with_stage_zero(100);
        let (delta, valid) = play(&mut director, [100, 100, 125, 90, 90, 90, 90, 90]);
        assert_eq!(valid, 0b1111_0011, "start 2 overran, start 3 began 15 µs late");
        assert_eq!(delta, Span::from_us(110), "a quarter invalid is not more than a quarter");
    }

    #[test]
    fn the_window_grows_to_what_a_disturbed_stage_took_and_comes_back() {
        let mut director = with_stage_zero(100);
        let (grown, valid) = play(&mut director, [1_000, 100, 100, 100, 100, 100, 100, 100]);
        assert!(valid.count_ones() < 6 && grown > Span::from_us(180), "{grown}, valid {valid:08b}");
        let (halved, _) = play(&mut director, [100; 8]);
        let (settled, _) = play(&mut director, [100; 8]);
        assert!(halved < grown && settled <= Span::from_us(121), "{grown} → {halved} → {settled}");
    }

    #[test]
    fn the_cap_holds_and_is_reported() {
        let mut director = with_stage_zero(1_900);
        assert!(director.capped && director.delta == Span::from_ms(2));
        let (delta, valid) = play(&mut director, [5_000; 8]);
        assert_eq!((delta, valid), (Span::from_ms(2), 0));
    }

    #[test]
    fn a_start_is_late_after_a_share_of_the_window_or_at_once() {
        let of = |delta_us, share| late_tolerance(Span::from_us(delta_us), Millionths(share));
        let usual = WindowSettings::default().late_share.0;
        assert_eq!([of(100, usual), of(1, usual), of(100, 500_000)], [2_000, 200, 50_000].map(Span::from_ns));
        assert_eq!(of(100, 0), Span::ZERO);
    }

    #[test]
    fn a_start_that_is_a_little_late_is_valid_unless_the_rule_is_strict() {
        let valid = |late_share| {
            let settings = WindowSettings { late_share, ..WindowSettings::default() };
            let mut director = Director::new(&settings, Span::from_us(100));
            // Start 3 begins 50 ns late and ends in time.
            let announced = director.announcement(0, Time(1_000_000_000));
            let due = |l: u64| announced.start + announced.delta * l;
            let mut outcomes: Vec<StartReport> = (0..8).map(|l| (due(l), due(l) + Span::from_us(90))).collect();
            outcomes[3].0 += Span::from_ns(50);
            director.judge(&outcomes, &announced)
        };
        assert_eq!(valid(WindowSettings::default().late_share), 0xff);
        assert_eq!(valid(Millionths(0)), 0b1111_0111);
    }

    #[test]
    fn both_stop_rules_stop() {
        let mut director = with_stage_zero(100);
        for stage in 0..4 {
            assert!(!director.enough(), "after {stage} stages");
            play(&mut director, [100; 8]);
        }
        assert!(director.enough(), "32 valid starts are more than 30");
        let precise = StopRule::Precision { relative_error: Millionths(50_000), valid: 10 };
        let settings = WindowSettings { stop: precise, ..WindowSettings::default() };
        let mut director = Director::new(&settings, Span::from_us(100));
        play(&mut director, [100, 98, 102, 100, 99, 101, 100, 100]);
        assert!(!director.enough(), "8 valid starts are fewer than 10");
        play(&mut director, [100; 8]);
        assert!(director.enough());
    }
}
