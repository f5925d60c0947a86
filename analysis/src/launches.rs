//! Values of `--launches`: a number, or as many as the ratios need.

use scenario::BadInput;
use statistics::{AutoLaunches, LaunchDecision};
use std::time::{Duration, Instant};
use study::contrast::parse_share;
use study::enough::{Deciding, decide};
use study::measured::CONFIDENCE;

/// Default half width of a ratio's interval that suffices, as a share.
const WITHIN: f64 = 0.10;
/// Default upper limit of launches, whatever the ratios need.
const AT_MOST: u32 = 20;
/// Largest number of launches, as more are a typing error.
const MOST: u32 = 1_000;

/// Number of launches of every measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launches {
    /// A fixed number of launches.
    Number(u32),
    /// As many launches as the ratios need.
    Auto,
}

/// Reads `7` or `auto`.
///
/// # Errors
/// Names the expected values.
pub fn launches(text: &str) -> Result<Launches, String> {
    if text == "auto" {
        return Ok(Launches::Auto);
    }
    let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
    number.map(Launches::Number).ok_or_else(|| format!("expected auto, or 1 to {MOST} launches"))
}

/// Reads a share above 0, like `5%`.
///
/// # Errors
/// Names the expected values.
pub fn within(text: &str) -> Result<f64, String> {
    let share = parse_share(text)?;
    Some(share).filter(|share| *share > 0.0).ok_or_else(|| "expected a share above 0, like 5%".to_owned())
}

/// Settings of `--launches auto`, each `None` for its default.
#[derive(Clone, Copy, Debug, Default)]
pub struct AutoChoice {
    /// Half width of every ratio's interval that suffices, as a share.
    pub within: Option<f64>,
    /// Upper limit of launches.
    pub launches_at_most: Option<u32>,
}

impl AutoChoice {
    /// Returns the largest number of launches, and the rule that determines their number.
    ///
    /// # Errors
    /// Fails on a setting that has no meaning with a fixed number of launches.
    pub fn planned(&self, launches: Launches) -> Result<(u32, Option<AutoLaunches>), BadInput> {
        if let Launches::Number(number) = launches {
            let flags = [("--within", self.within.is_some()), ("--launches-at-most", self.launches_at_most.is_some())];
            return match flags.into_iter().find(|(_, given)| *given) {
                Some((flag, _)) => Err(BadInput(format!("{flag} needs --launches auto; found --launches {number}"))),
                None => Ok((number, None)),
            };
        }
        let most = self.launches_at_most.unwrap_or(AT_MOST);
        let half_width = self.within.unwrap_or(WITHIN);
        Ok((most, Some(AutoLaunches { half_width, confidence: CONFIDENCE, most: most as usize })))
    }
}

/// Decides whether another round of launches begins.
pub struct Rounds {
    auto: Option<AutoLaunches>,
    most: u32,
    until: Option<Instant>,
    /// Number of rounds that are already decided, after which the next decision is due.
    planned: u32,
}

impl Rounds {
    /// Rounds of a plan. A plan that chooses its launches by itself begins no round after this time.
    ///
    /// # Errors
    /// Fails on a time for a plan with a fixed number of launches.
    pub fn new(auto: Option<AutoLaunches>, most: u32, time: Option<Duration>) -> Result<Rounds, BadInput> {
        if time.is_some() && auto.is_none() {
            let message = "--time-at-most needs --launches auto: a fixed number of launches has no time limit";
            return Err(BadInput(message.to_owned()));
        }
        Ok(Rounds { auto, most, until: time.and_then(|time| Instant::now().checked_add(time)), planned: 0 })
    }

    /// Returns the planned number of rounds in all, or `None` if no round follows after `done` of them. `deciding`
    /// gives the ratios of these rounds alone, and is called only where all planned rounds are done. That is three
    /// times at most, so that the work grows as the launches do, and a resumed campaign decides the same.
    pub(crate) fn planned(
        &mut self,
        done: u32,
        deciding: impl FnOnce() -> anyhow::Result<Vec<Deciding>>,
    ) -> anyhow::Result<Option<u32>> {
        let Some(auto) = &self.auto else { return Ok(Some(self.most)) };
        if done > 0 && self.until.is_some_and(|until| Instant::now() >= until) {
            return Ok(None);
        }
        if done < self.planned {
            return Ok(Some(self.planned));
        }
        let ratios = if done == 0 { Vec::new() } else { deciding()? };
        Ok(match decide(auto, &ratios, done) {
            LaunchDecision::Until(planned) => {
                self.planned = u32::try_from(planned).unwrap_or(self.most);
                Some(self.planned)
            }
            LaunchDecision::Enough | LaunchDecision::Most { .. } => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use study::over::OverReference;

    #[test]
    fn a_number_or_auto_and_what_goes_with_it() {
        assert_eq!((launches("7"), launches("auto")), (Ok(Launches::Number(7)), Ok(Launches::Auto)));
        assert!(launches("0").is_err() && launches("many").is_err() && within("0").is_err());
        let none = AutoChoice { within: None, launches_at_most: None };
        assert_eq!(none.planned(Launches::Number(7)).unwrap(), (7, None));
        let (most, auto) = none.planned(Launches::Auto).unwrap();
        assert_eq!((most, auto.map(|auto| (auto.half_width, auto.most))), (20, Some((0.10, 20))));
        let five = AutoChoice { within: Some(0.05), launches_at_most: None };
        assert!(five.planned(Launches::Number(7)).unwrap_err().to_string().contains("--within needs --launches auto"));
    }

    #[test]
    fn time_ends_rounds_but_not_before_the_first() {
        let auto = AutoLaunches { half_width: 0.1, confidence: 0.95, most: 20 };
        let none = || Ok(Vec::new());
        let mut rounds = Rounds::new(Some(auto), 20, Some(Duration::ZERO)).unwrap();
        assert_eq!((rounds.planned(0, none).unwrap(), rounds.planned(1, none).unwrap()), (Some(5), None));
        let mut rounds = Rounds::new(Some(auto), 20, None).unwrap();
        assert_eq!((rounds.planned(4, none).unwrap(), rounds.planned(5, none).unwrap()), (Some(5), None));
        let mut fixed = Rounds::new(None, 3, None).unwrap();
        assert_eq!(fixed.planned(2, none).unwrap(), Some(3));
        assert!(Rounds::new(None, 3, Some(Duration::ZERO)).is_err());
    }

    #[test]
    fn ratios_are_worked_out_twice_however_many_launches_follow() {
        for most in [20, 200, 1_000] {
            let auto = AutoLaunches { half_width: 1e-3, confidence: 0.95, most: most as usize };
            let mut rounds = Rounds::new(Some(auto), most, None).unwrap();
            let mut worked_out = Vec::new();
            let mut done = 0;
            loop {
                let wide = |launch: u32| (launch, f64::from(launch * 7 % 5) / 10.0);
                let ratio = || {
                    OverReference::from_logs((0..done).map(wide).collect(), CONFIDENCE)
                        .map(|over| ("loop".to_owned(), over))
                };
                let deciding = || {
                    worked_out.push(done);
                    Ok(ratio().into_iter().collect())
                };
                match rounds.planned(done, deciding).unwrap() {
                    Some(_) => done += 1,
                    None => break,
                }
            }
            assert_eq!((worked_out, done), (vec![5, most], most));
        }
    }
}
