//! Reader of a file's expectations, findings and small form.

use super::{Answer, ClosedForm, Condition, Expect, FOUND, Over, Quantity, Small, Told, Wanted};
use crate::axis::Axis;
use crate::{ScenarioError, Source};
use programs::budget::SystematicError;
use programs::method::Preset;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// Keys that are read here. Others are the file's own.
#[derive(Deserialize)]
pub(super) struct ToldTable {
    #[serde(default)]
    errors: Vec<Spanned<String>>,
    pub(super) expectation: Option<Spanned<String>>,
    pub(super) found: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) expect: Vec<ExpectTable>,
    #[serde(default)]
    small: Option<Small>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectTable {
    says: Spanned<String>,
    quantity: Spanned<String>,
    #[serde(default)]
    of: Selector,
    over: Option<Selector>,
    within: Option<Spanned<[f64; 2]>>,
    at_least: Option<f64>,
    at_most: Option<f64>,
    closed_form: Option<Spanned<String>>,
    tolerance: Option<Spanned<f64>>,
    pub(super) answer: Option<Spanned<toml::Value>>,
    answers: Option<Spanned<String>>,
}

impl ToldTable {
    /// Whether answers are written into the file.
    pub(super) fn asks(&self) -> bool {
        self.expect.iter().any(|expect| expect.answer.is_some())
    }
}

type Selector = BTreeMap<String, Spanned<toml::Value>>;

/// Keys that [`read`] understands. A file that refuses unknown keys must accept these.
pub(crate) const KEYS: [&str; 5] = ["errors", "expectation", "found", "expect", "small"];

/// Tolerance of a closed form, which is met exactly except for the rounding of a division.
const ROUNDING: f64 = 1e-6;
/// Relative tolerance of an answer, as in the lessons.
const ANSWER: f64 = 0.01;

/// Kind of a file's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExpectationKind {
    /// Numbers of cases, by methods.
    Cases,
    /// Numbers of a sweep's points.
    Points,
}

/// Returns the systematic errors that a file claims to show. Empty for a file that cannot be read.
pub fn shown_errors(text: &str) -> Vec<SystematicError> {
    let table: Result<ToldTable, _> = toml::from_str(text);
    let labels = table.map(|table| table.errors).unwrap_or_default();
    labels.iter().filter_map(|label| SystematicError::find(label.get_ref()).ok()).collect()
}

/// Reads expectations and the small form. The file's own keys are ignored.
pub(crate) fn read(source: Source<'_>, kind: ExpectationKind) -> Result<Told, ScenarioError> {
    let table = table(source)?;
    let words =
        |words: &Option<Spanned<String>>| words.as_ref().map(|words| one_line(words.get_ref())).unwrap_or_default();
    Ok(Told {
        errors: table.errors.iter().map(|label| source.systematic_error(label)).collect::<Result<_, _>>()?,
        expectation: words(&table.expectation),
        found: words(&table.found),
        expects: table.expect.iter().map(|expect| source.expect(expect, kind)).collect::<Result<_, _>>()?,
        small: table.small.unwrap_or_default(),
    })
}

pub(super) fn table(source: Source<'_>) -> Result<ToldTable, ScenarioError> {
    toml::from_str(source.text).map_err(|error| source.syntax_error(&error))
}

/// Joins the lines of a text, whose line breaks only serve readers of the file.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Source<'_> {
    fn systematic_error(&self, label: &Spanned<String>) -> Result<SystematicError, ScenarioError> {
        SystematicError::find(label.get_ref()).map_err(|message| self.error(label.span(), &message))
    }

    fn expect(&self, table: &ExpectTable, kind: ExpectationKind) -> Result<Expect, ScenarioError> {
        let quantity = self.quantity(&table.quantity)?;
        if table.says.get_ref().trim().is_empty() {
            return Err(self.error(table.says.span(), "expected a sentence that states the expectation"));
        }
        let over = table.over.as_ref().map(|over| self.over(over, quantity)).transpose()?;
        if kind == ExpectationKind::Cases {
            self.benchmarks(table, quantity)?;
        }
        let answer = table.answer.as_ref().map(|answer| self.read_answer(answer)).transpose()?;
        if let (Some(Answer::At(axis, _)), Some(written)) = (&answer, &table.answer)
            && table.of.contains_key(axis.name())
        {
            let message = format!("expected '{}' in the answer alone, found it in 'of', too", axis.name());
            return Err(self.error(written.span(), message));
        }
        Ok(Expect {
            says: one_line(table.says.get_ref()),
            quantity,
            of: self.selected(&table.of)?,
            over,
            wanted: match answer {
                Some(Answer::Number(number)) => self.wanted_as_answered(table, number)?,
                Some(Answer::At(..)) | None => self.wanted(table)?,
            },
            answer,
            answers: table.answers.as_ref().map_or(Ok(String::new()), |text| self.answers(text))?,
        })
    }

    /// Checks that expectations of printed times name their benchmark, and that each named benchmark exists.
    fn benchmarks(&self, table: &ExpectTable, quantity: Quantity) -> Result<(), ScenarioError> {
        let named = |selector: &Selector| selector.get(Axis::Benchmark.name()).cloned();
        if quantity == Quantity::Printed && named(&table.of).is_none() {
            let message = "expected the benchmark of this number, like of = { benchmark = \"osu\" }";
            return Err(self.error(table.quantity.span(), message));
        }
        for written in [named(&table.of), table.over.as_ref().and_then(named)].into_iter().flatten() {
            for value in self.condition(Axis::Benchmark.name(), &written)?.values {
                let found = Preset::printing(&value.to_string());
                found.map_err(|message| self.error(written.span(), message))?;
            }
        }
        Ok(())
    }

    /// Reads a sentence, in which [`FOUND`] may stand and nothing else in braces.
    fn answers(&self, text: &Spanned<String>) -> Result<String, ScenarioError> {
        let sentence = one_line(text.get_ref());
        if sentence.is_empty() || sentence.replace(FOUND, "").contains(['{', '}']) {
            let expected = format!("expected a sentence that answers the question, with {FOUND} for the numbers");
            return Err(self.error(text.span(), expected));
        }
        Ok(sentence)
    }

    fn quantity(&self, name: &Spanned<String>) -> Result<Quantity, ScenarioError> {
        Quantity::find(name.get_ref()).map_err(|message| self.error(name.span(), message))
    }

    fn over(&self, selector: &Selector, quantity: Quantity) -> Result<Over, ScenarioError> {
        let mut selector = selector.clone();
        let quantity = match selector.remove("quantity") {
            None => quantity,
            Some(value) => match value.get_ref() {
                toml::Value::String(name) => self.quantity(&Spanned::new(value.span(), name.clone()))?,
                other => return Err(self.error(value.span(), format!("expected a quantity's name, found {other}"))),
            },
        };
        Ok(Over { quantity, at: self.selected(&selector)? })
    }

    fn selected(&self, selector: &Selector) -> Result<Vec<Condition>, ScenarioError> {
        selector.iter().map(|(name, value)| self.condition(name, value)).collect()
    }

    fn condition(&self, name: &str, value: &Spanned<toml::Value>) -> Result<Condition, ScenarioError> {
        let axis = Axis::find(name).map_err(|message| self.error(value.span(), message))?;
        let all = match value.get_ref() {
            toml::Value::Array(values) => values.clone(),
            one => vec![one.clone()],
        };
        let values = all.iter().map(|one| axis.read(one)).collect::<Result<Vec<_>, _>>();
        let values = values.map_err(|message| self.error(value.span(), format!("{name}: {message}")))?;
        if values.is_empty() {
            return Err(self.error(value.span(), format!("{name}: expected at least one value")));
        }
        Ok(Condition { axis, values })
    }

    /// Returns the range of an answer that is a number: its relative tolerance around it. While it is open, the range
    /// is NaN.
    fn wanted_as_answered(&self, table: &ExpectTable, answer: Option<f64>) -> Result<Wanted, ScenarioError> {
        if table.within.is_some() || table.at_least.is_some() || table.at_most.is_some() || table.closed_form.is_some()
        {
            let message = "expected no limits beside an answer that is a number; a tolerance says how exact it must be";
            return Err(self.error(table.says.span(), message));
        }
        let share = self.share(table.tolerance.as_ref(), ANSWER)?;
        let number = answer.unwrap_or(f64::NAN);
        Ok(Wanted::Within(number - number.abs() * share, number + number.abs() * share))
    }

    fn wanted(&self, table: &ExpectTable) -> Result<Wanted, ScenarioError> {
        if let (Some(tolerance), None) = (&table.tolerance, &table.closed_form) {
            return Err(self.error(tolerance.span(), "a tolerance needs a closed_form or an answer; bounds have none"));
        }
        match (&table.within, table.at_least, table.at_most, &table.closed_form) {
            (Some(within), None, None, None) => {
                let [low, high] = *within.get_ref();
                if low <= high {
                    return Ok(Wanted::Within(low, high));
                }
                Err(self.error(within.span(), format!("expected the lower bound first, found {low} and {high}")))
            }
            (None, None, None, None) => {
                let message = "expected within = [1.5, 3.0], at_least, at_most or closed_form beside the quantity";
                Err(self.error(table.says.span(), message))
            }
            (None, low, high, None) => {
                Ok(Wanted::Within(low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)))
            }
            (None, None, None, Some(name)) => self.closed_form(name, table.tolerance.as_ref()),
            _ => {
                let message = "expected one of within, at_least with at_most, and closed_form, found several";
                Err(self.error(table.says.span(), message))
            }
        }
    }

    fn closed_form(&self, name: &Spanned<String>, tolerance: Option<&Spanned<f64>>) -> Result<Wanted, ScenarioError> {
        let form = ClosedForm::find(name.get_ref()).map_err(|message| self.error(name.span(), message))?;
        Ok(Wanted::ClosedForm { form, tolerance: self.share(tolerance, ROUNDING)? })
    }

    /// Returns a share, or its default.
    fn share(&self, written: Option<&Spanned<f64>>, usual: f64) -> Result<f64, ScenarioError> {
        let share = written.map_or(usual, |share| *share.get_ref());
        match written {
            Some(written) if !(0.0..=1.0).contains(&share) => {
                Err(self.error(written.span(), format!("expected a share of 0.0 to 1.0, found {share}")))
            }
            _ => Ok(share),
        }
    }
}
