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

    /// Where its value stands; the begin of the file where it is not there.
    pub(super) fn place(&self, key: &str) -> Range<usize> {
        self.value(key).map_or(0..0, Spanned::span)
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

    /// Numbers of a key, where it is there: whole ones, and texts that list them ([`Numbers::listed`]).
    pub(super) fn numbers(&self, key: &str, kind: Kind) -> Result<Option<Numbers>, ScenarioError> {
        let Some(list) = self.list(key)? else { return Ok(None) };
        let mut numbers = Numbers::default();
        for value in list {
            let listed = match value.get_ref() {
                DeValue::Integer(digits) => {
                    let number = u64::from_str_radix(digits.as_str(), digits.radix());
                    number.map_or_else(|_| digits.as_str().to_owned(), |number| number.to_string())
                }
                DeValue::String(text) => text.clone().into_owned(),
                _ => return Err(self.expected(key, value, "a number, or text like \"8,64\" or \"2..1024*2\"")),
            };
            let read = numbers.push_listed(&listed, |text| kind.read(text));
            read.map_err(|message| self.source.error_at(value.span(), key, message))?;
        }
        Ok(Some(numbers))
    }

    /// What stands there is something else.
    pub(super) fn expected(&self, key: &str, value: &Value<'_>, what: &str) -> ScenarioError {
        let span = value.span();
        let found = self.source.text.get(span.clone()).unwrap_or_default().lines().next().unwrap_or_default();
        self.source.error_at(span, key, format!("expected {what}, found {found}"))
    }
}

impl Kind {
    /// One number.
    fn read(self, text: &str) -> Result<u64, String> {
        let Kind { low, high, is_bytes } = self;
        let with_unit = || quantity::parse::<Bytes>(text).ok().filter(|_| is_bytes).map(|bytes| bytes.0);
        let number = whole(text).or_else(with_unit).filter(|number| (low..=high).contains(number));
        let forms = if is_bytes { "like 64, 2^10 or 64 KiB" } else { "like 8 or 2^10" };
        number.ok_or_else(|| format!("expected a whole number from {low} to {high}, {forms}, found \"{text}\""))
    }
}

/// A whole number: `1024` or `2^10`.
pub fn whole(text: &str) -> Option<u64> {
    match text.trim().split_once('^') {
        Some((base, power)) => base.parse::<u64>().ok()?.checked_pow(power.parse().ok()?),
        None => text.trim().parse().ok(),
    }
}
