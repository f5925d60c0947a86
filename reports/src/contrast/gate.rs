//! What makes a comparison fail: for scripts that must stop where something became slower.

use super::{Contrast, Effect, Requirement, Verdict};
use models::names::find;
use std::str::FromStr;

/// One reason to fail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// What must not be.
    pub kind: Kind,
    /// By how much at least, as a share; none for the smallest effect of interest.
    pub at_least: Option<f64>,
}

models::named! {
    /// What must not be.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Kind {
        /// A case, or a parameter, that takes longer than on side A.
        Slower => "slower",
        /// One that takes less time.
        Faster => "faster",
        /// Either.
        Differs => "differs",
        /// A case that A has and another side has not.
        Missing => "missing",
        /// A guideline that is violated and is not on side A.
        Guideline => "guideline",
    }
    /// The name used in flags.
    fn name;
}

impl FromStr for Gate {
    type Err = String;

    /// Reads `slower`, `slower:5%` or `slower:0.05`.
    fn from_str(text: &str) -> Result<Gate, String> {
        let (name, share) = text.split_once(':').map_or((text, None), |(name, share)| (name, Some(share)));
        let kind = find("reason", name, &Kind::ALL, Kind::name)?;
        let at_least = share.map(parse_share).transpose()?;
        match kind {
            Kind::Missing | Kind::Guideline if at_least.is_some() => {
                Err(format!("{name} takes no share, found '{text}'"))
            }
            Kind::Missing | Kind::Guideline | Kind::Slower | Kind::Faster | Kind::Differs => {
                Ok(Gate { kind, at_least })
            }
        }
    }
}

/// A share of time: `5%` or `0.05`.
///
/// # Errors
/// Says what is expected.
pub fn parse_share(text: &str) -> Result<f64, String> {
    let (number, over) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share = number.trim().parse::<f64>().ok().map(|number| number / over);
    share
        .filter(|share| (0.0..=10.0).contains(share))
        .ok_or_else(|| format!("expected a share from 0 to 1000 %, like 2% or 0.02, found '{text}'"))
}

/// Every row that makes the comparison fail, in words; guidelines are judged elsewhere.
pub fn failures(contrast: &Contrast, gates: &[Gate]) -> Vec<String> {
    let mut failures = Vec::new();
    for gate in gates {
        for pair in &contrast.pairs {
            let at_least = gate.at_least.unwrap_or(contrast.at_least);
            let tell = |what: String, effect: &Effect| {
                let words = effect.ratio.map_or_else(
                    || format!("{} − A is {:.3} µs", pair.letter, effect.difference_us.value),
                    |ratio| {
                        let interval = match effect.reached > 0.0 {
                            true => format!(" [{:.3}, {:.3}]", ratio.low, ratio.high),
                            false => String::new(),
                        };
                        format!("{} / A is {:.3}{interval}", pair.letter, ratio.value)
                    },
                );
                format!("{}: {what}: {words}", gate.kind.name())
            };
            let fails = |effect: &Effect| gate.kind.fails(effect, at_least, contrast.confidence);
            let rows = pair.rows.iter().filter(|row| fails(&row.effect));
            failures.extend(rows.map(|row| tell(row.case.to_string(), &row.effect)));
            let parameters = pair.parameters.rows.iter().filter(|row| fails(&row.effect));
            failures.extend(parameters.map(|row| tell(row.parameter.clone(), &row.effect)));
            if gate.kind == Kind::Missing {
                let missing = pair.only_a.iter().map(ToString::to_string).chain(pair.parameters.only_a.clone());
                failures.extend(missing.map(|case| format!("missing: {} has no {case}", pair.letter)));
            }
        }
        failures.extend(shows_nothing(contrast, gate));
    }
    failures
}

/// A gate that nothing could close has not been passed: every comparison has too few launches to show anything.
fn shows_nothing(contrast: &Contrast, gate: &Gate) -> Option<String> {
    let compares = contrast.pairs.iter().any(|pair| !pair.rows.is_empty());
    let of_machines = contrast.pairs.iter().any(|pair| !pair.parameters.rows.is_empty());
    (gate.kind.is_about_time() && compares && !contrast.can_show_any() && !of_machines).then(|| {
        let why = contrast.requirements.iter().map(Requirement::words).collect::<Vec<_>>().join("; ");
        format!("{}: nothing could be tested, so nothing has passed: {why}", gate.kind.name())
    })
}

impl Kind {
    /// Whether it looks at times, which tests hold against each other.
    pub fn is_about_time(self) -> bool {
        matches!(self, Kind::Slower | Kind::Faster | Kind::Differs)
    }

    fn fails(self, effect: &Effect, at_least: f64, confidence: f64) -> bool {
        let shown = match effect.adjusted_p {
            Some(p) => p <= 1.0 - confidence,
            None => matches!(effect.verdict, Verdict::Slower | Verdict::Faster),
        };
        let (up, down) = effect.beyond(at_least);
        match self {
            Kind::Slower => shown && up,
            Kind::Faster => shown && down,
            Kind::Differs => shown && (up || down),
            Kind::Missing | Kind::Guideline => false,
        }
    }
}
