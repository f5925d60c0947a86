//! Single values, lists and ranges of a sweep's file.

use super::numbers::Numbers;
use crate::{ScenarioError, Source};
use models::names;
use models::quantity::{self, Bytes};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Value with its place in the file.
pub(super) type SpannedValue<'a> = Spanned<DeValue<'a>>;

/// Texts, each with its place in the file.
pub(super) type Texts<'a> = Vec<(&'a str, Range<usize>)>;

/// Range and unit of the numbers that a key takes.
#[derive(Clone, Copy)]
pub(super) struct KeyRange {
    pub low: u64,
    pub high: u64,
    /// Whether the numbers are lengths, which may have units.
    pub is_bytes: bool,
}

/// Keys of a file, or of a table inside it.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub source: Source<'a>,
    pub table: &'a DeTable<'a>,
}

impl<'a> Values<'a> {
    /// Refuses keys that are not in `known`.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), ScenarioError> {
        let unknown = self.table.iter().find(|(key, _)| !known.contains(&key.get_ref().as_ref()));
        unknown.map_or(Ok(()), |(key, _)| {
            let name = key.get_ref();
            let message = names::unknown("key", name, known);
            Err(self.source.error_at(key.span(), name, message))
        })
    }

    /// Returns the value of a key, if the key is present.
    pub(super) fn value(&self, key: &str) -> Option<&'a SpannedValue<'a>> {
        self.table.get(key)
    }

    /// Returns the place of a key's value, or the begin of the file where the key is absent.
    pub(super) fn place(&self, key: &str) -> Range<usize> {
        self.value(key).map_or(0..0, Spanned::span)
    }

    /// Returns the values of a key, those of a list or the single one. `None` where the key is absent.
    pub(super) fn list(&self, key: &str) -> Result<Option<Vec<&'a SpannedValue<'a>>>, ScenarioError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match value.get_ref() {
            DeValue::Array(all) if all.is_empty() => {
                Err(self.source.error_at(value.span(), key, "expected at least one value, found an empty list"))
            }
            DeValue::Array(all) => Ok(Some(all.iter().collect())),
            _ => Ok(Some(vec![value])),
        }
    }

    /// Returns a value's text. The error shows `example`.
    pub(super) fn text(&self, key: &str, value: &'a SpannedValue<'a>, example: &str) -> Result<&'a str, ScenarioError> {
        value.get_ref().as_str().ok_or_else(|| self.expected(key, value, &format!("text like \"{example}\"")))
    }

    /// Returns the texts of a key with their places. `None` where the key is absent.
    pub(super) fn texts(&self, key: &str, example: &str) -> Result<Option<Texts<'a>>, ScenarioError> {
        let Some(list) = self.list(key)? else { return Ok(None) };
        list.into_iter()
            .map(|value| Ok((self.text(key, value, example)?, value.span())))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Returns the numbers of a key, which are whole ones or texts that list them ([`Numbers::listed`]). `None` where
    /// the key is absent.
    pub(super) fn numbers(&self, key: &str, kind: KeyRange) -> Result<Option<Numbers>, ScenarioError> {
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

    /// Returns the error about a value of the wrong kind.
    pub(super) fn expected(&self, key: &str, value: &SpannedValue<'_>, what: &str) -> ScenarioError {
        let span = value.span();
        let found = self.source.text.get(span.clone()).unwrap_or_default().lines().next().unwrap_or_default();
        self.source.error_at(span, key, format!("expected {what}, found {found}"))
    }
}

impl KeyRange {
    /// Reads one number and checks its range.
    fn read(self, text: &str) -> Result<u64, String> {
        let KeyRange { low, high, is_bytes } = self;
        let with_unit = || quantity::parse::<Bytes>(text).ok().filter(|_| is_bytes).map(|bytes| bytes.0);
        let number = whole(text).or_else(with_unit).filter(|number| (low..=high).contains(number));
        let forms = if is_bytes { "like 64, 2^10 or 64 KiB" } else { "like 8 or 2^10" };
        number.ok_or_else(|| format!("expected a whole number from {low} to {high}, {forms}, found \"{text}\""))
    }
}

/// Reads a whole number such as `1024` or `2^10`.
pub fn whole(text: &str) -> Option<u64> {
    match text.trim().split_once('^') {
        Some((base, power)) => base.parse::<u64>().ok()?.checked_pow(power.parse().ok()?),
        None => text.trim().parse().ok(),
    }
}
