//! Conditions under which a comparison fails, for scripts that must stop where something became slower.

use super::quantity::Better;
use super::{Contrast, Effect, Pair, Verdict};
use models::names::find;
use render::groups::{counted, distinct};
use std::str::FromStr;

/// One condition under which a comparison fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gate {
    /// Kind of finding that must not occur.
    pub kind: GateKind,
    /// Smallest effect that fails, as a share of 1; `None` stands for the smallest effect of interest.
    pub at_least: Option<f64>,
}

models::named! {
    /// Kind of finding that makes a comparison fail.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum GateKind {
        /// A case, or a parameter, that is worse than on side A: it takes longer, or its rate is lower.
        Slower => "slower",
        /// A case, or a parameter, that is better than on side A.
        Faster => "faster",
        /// A case, or a parameter, whose number differs in either direction.
        Differs => "differs",
        /// A case that A has and another side lacks.
        Missing => "missing",
        /// A guideline that is violated on another side and not on side A.
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
        let kind = find("reason", name, &GateKind::ALL, GateKind::name)?;
        let at_least = share.map(parse_share).transpose()?;
        match kind {
            GateKind::Missing | GateKind::Guideline if at_least.is_some() => {
                Err(format!("{name} takes no share, found '{text}'"))
            }
            GateKind::Missing | GateKind::Guideline | GateKind::Slower | GateKind::Faster | GateKind::Differs => {
                Ok(Gate { kind, at_least })
            }
        }
    }
}

/// Reads a share of time: `5%` or `0.05`.
///
/// # Errors
/// States the expected form, from 0 to 1000 %.
pub fn parse_share(text: &str) -> Result<f64, String> {
    let (number, over) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share = number.trim().parse::<f64>().ok().map(|number| number / over);
    share
        .filter(|share| (0.0..=10.0).contains(share))
        .ok_or_else(|| format!("expected a share from 0 to 1000 %, like 2% or 0.02, found '{text}'"))
}

/// Returns one line for every row that makes the comparison fail. Violated guidelines are judged elsewhere.
pub fn failures(contrast: &Contrast, gates: &[Gate]) -> Vec<String> {
    let mut failures = Vec::new();
    for gate in gates {
        for pair in &contrast.pairs {
            let at_least = gate.at_least.unwrap_or(contrast.at_least);
            let tell = |what: String, effect: &Effect| {
                let words = effect.ratio.map_or_else(
                    || {
                        let unit = effect.quantity.unit();
                        format!("{} − A is {:.3} {unit}", pair.letter, effect.difference.value)
                    },
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
            if gate.kind == GateKind::Missing {
                let missing = pair.only_a.iter().map(ToString::to_string).chain(pair.parameters.only_a.clone());
                failures.extend(missing.map(|case| format!("missing: {} has no {case}", pair.letter)));
            }
        }
        failures.extend(contrast.pairs.iter().filter_map(|pair| shows_nothing(pair, gate)));
    }
    failures
}

/// Message that nothing has passed where nothing was tested: `nothing could be tested, so nothing has passed: one
/// launch …`.
pub fn untested(why: &str) -> String {
    format!("nothing could be tested, so nothing has passed: {why}")
}

/// Message that a gate has not been passed because no case and no parameter of a side could have failed it.
fn shows_nothing(pair: &Pair, gate: &Gate) -> Option<String> {
    let effects = || {
        let parameters = pair.parameters.rows.iter().map(|row| &row.effect);
        pair.rows.iter().map(|row| &row.effect).chain(parameters)
    };
    if !gate.kind.is_about_numbers() || effects().any(|effect| gate.kind.blind(effect).is_none()) {
        return None;
    }
    let why = distinct(effects().filter_map(|effect| gate.kind.blind(effect))).join("; ");
    Some(format!("{}: {}: {}", gate.kind.name(), pair.letter, untested(&why)))
}

/// Returns a sentence for each reason why some cases cannot fail, where others can.
pub fn cannot_fail(contrast: &Contrast, gates: &[Gate]) -> Vec<String> {
    let mut told = Vec::new();
    for gate in gates.iter().filter(|gate| gate.kind.is_about_numbers()) {
        for pair in contrast.pairs.iter().filter(|pair| shows_nothing(pair, gate).is_none()) {
            let all = pair.rows.len();
            let reasons = counted(pair.rows.iter().filter_map(|row| gate.kind.blind(&row.effect)));
            let words = |(why, cases): &(String, usize)| {
                format!("{}: {cases} of {all} cases of {} cannot fail: {why}", gate.kind.name(), pair.letter)
            };
            told.extend(reasons.iter().map(words));
        }
    }
    told
}

impl GateKind {
    /// Whether the gate is about numbers, which tests compare with each other.
    fn is_about_numbers(self) -> bool {
        matches!(self, GateKind::Slower | GateKind::Faster | GateKind::Differs)
    }

    /// Reason why these numbers could not have failed the gate, whatever they are; `None` where they could have.
    fn blind(self, effect: &Effect) -> Option<String> {
        let is_directed = matches!(self, GateKind::Slower | GateKind::Faster);
        if is_directed && effect.quantity.better() == Better::Neither {
            let unit = effect.quantity.unit();
            return Some(format!("of {unit} neither way is better; use --fail-if differs"));
        }
        (!effect.can_show()).then(|| effect.note.clone())
    }

    fn fails(self, effect: &Effect, at_least: f64, confidence: f64) -> bool {
        let shown = match effect.adjusted_p {
            Some(p) => p <= 1.0 - confidence,
            None => !matches!(effect.verdict, Verdict::Same | Verdict::Undecided),
        };
        let (larger, smaller) = effect.beyond(at_least);
        let (worse, better) = effect.worse_or_better(at_least);
        match self {
            GateKind::Slower => shown && worse,
            GateKind::Faster => shown && better,
            GateKind::Differs => shown && (larger || smaller),
            GateKind::Missing | GateKind::Guideline => false,
        }
    }
}
