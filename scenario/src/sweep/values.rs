//! Single values, lists and ranges of a sweep's file.

use super::numbers::Numbers;
use crate::{ScenarioError, Source};
use models::names;
use models::quantity::{self, Bytes};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it is.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// Texts, each with its place.
pub(super) type Texts<'a> = Vec<(&'a str, Range<usize>)>;

/// What numbers a key takes.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub low: u64,
    pub high: u64,
    /// Lengths may have units.
    pub is_bytes: bool,
}

/// The keys of a file or of a table inside it.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub source: Source<'a>,
    pub table: &'a DeTable<'a>,
}

impl<'a> Values<'a> {
    /// Refuses keys that are not known.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), ScenarioError> {
        let unknown = self.table.iter().find(|(key, _)| !known.contains(&key.get_ref().as_ref()));
        unknown.map_or(Ok(()), |(key, _)| {
            let name = key.get_ref();
            let message = names::unknown("key", name, known);
            Err(self.source.error_at(key.span(), name, message))
        })
    }

    /// The value of a key as it is.
    pub(super) fn value(&self, key: &str) -> Option<&'a Value<'a>> {
        self.table.get(key)
    }

    /// The values of a key: those of a list, or the one.
    pub(super) fn list(&self, key: &str) -> Result<Option<Vec<&'a Value<'a>>>, ScenarioError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Array(all) if all.is_empty() => {
                Err(self.source.error_at(value.span(), key, "expected at least one value, found an empty list"))
            }
            DeValue::Array(all) => Ok(Some(all.iter().collect())),
            _ => Ok(Some(vec![value])),
        }
    }

    /// A text, with its place.
    pub(super) fn text(&self, key: &str, value: &'a Value<'a>, example: &str) -> Result<&'a str, ScenarioError> {
        value.get_ref().as_str().ok_or_else(|| self.expected(key, value, &format!("text like \"{example}\"")))
    }

    /// Texts of a key, where it is there.
    pub(super) fn texts(&self, key: &str, example: &str) -> Result<Option<Texts<'a>>, ScenarioError> {
        let Some(list) = self.list(key)? else { return Ok(None) };
        list.into_iter()
            .map(|value| Ok((self.text(key, value, example)?, value.span())))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Numbers of a key, where it is there.
    pub(super) fn numbers(&self, key: &str, kind: Kind) -> Result<Option<Numbers>, ScenarioError> {
        let Some(list) = self.list(key)? else { return Ok(None) };
        let mut numbers = Numbers::default();
        for value in list {
            match value.get_ref() {
                DeValue::Table(range) => {
                    Values { source: self.source, table: range }.range(key, value.span(), kind, &mut numbers)?;
                }
                _ => numbers.push(self.number(key, value, kind)?),
            }
        }
        Ok(Some(numbers))
    }

    /// `{ from = 2, to = 64, step = 2 }` or `factor = 2` instead.
    fn range(&self, key: &str, span: Range<usize>, kind: Kind, numbers: &mut Numbers) -> Result<(), ScenarioError> {
        self.only(&["from", "to", "step", "factor"])?;
        let wrong = |message: &str| Err(self.source.error_at(span.clone(), key, message));
        let (Some(from), Some(to)) = (self.value("from"), self.value("to")) else {
            return wrong("expected a range like { from = 2, to = 64, factor = 2 } or { from = 0, to = 64, step = 8 }");
        };
        let (from, to) = (self.number(key, from, kind)?, self.number(key, to, kind)?);
        if from > to {
            return wrong(&format!("expected from ≤ to, found {from} and {to}"));
        }
        match (self.value("step"), self.value("factor")) {
            (Some(step), None) => {
                let step = self.number(key, step, Kind { low: 1, high: i64::MAX as u64, ..kind })?;
                numbers.push_steps(from, to, step);
            }
            (None, Some(_)) if from == 0 => return wrong("expected from ≥ 1: no factor leads away from 0"),
            (None, Some(factor)) => {
                let factor = self.number(key, factor, Kind { low: 2, high: i64::MAX as u64, is_bytes: false })?;
                numbers.push_factors(from, to, factor);
            }
            _ => return wrong("expected either step or factor beside from and to"),
        }
        Ok(())
    }

    fn number(&self, key: &str, value: &'a Value<'a>, kind: Kind) -> Result<u64, ScenarioError> {
        let read = match value.get_ref() {
            DeValue::Integer(digits) => u64::from_str_radix(digits.as_str(), digits.radix()).ok(),
            DeValue::String(text) => plain(text)
                .or_else(|| kind.is_bytes.then(|| quantity::parse::<Bytes>(text).ok().map(|bytes| bytes.0)).flatten()),
            _ => None,
        };
        read.filter(|number| (kind.low..=kind.high).contains(number)).ok_or_else(|| {
            let Kind { low, high, .. } = kind;
            let forms = if kind.is_bytes { "like 64, \"2^10\" or \"64 KiB\"" } else { "like 8 or \"2^10\"" };
            self.expected(key, value, &format!("a whole number from {low} to {high}, {forms}"))
        })
    }

    /// What stands there is something else.
    pub(super) fn expected(&self, key: &str, value: &Value<'_>, what: &str) -> ScenarioError {
        let span = value.span();
        let found = self.source.text.get(span.clone()).unwrap_or_default().lines().next().unwrap_or_default();
        self.source.error_at(span, key, format!("expected {what}, found {found}"))
    }
}

/// `1024` or `2^10`.
fn plain(text: &str) -> Option<u64> {
    match text.trim().split_once('^') {
        Some((base, power)) => base.parse::<u64>().ok()?.checked_pow(power.parse().ok()?),
        None => text.trim().parse().ok(),
    }
}
