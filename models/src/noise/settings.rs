//! Settings of one noise source in the notation `name:key=value,key=value,flag`.

use crate::names::suggestion;
use crate::quantity;
use crate::time::Span;
use std::fmt;

/// Highest accepted rate: more than one detour in 100 ns is no noise any more.
const HIGHEST_RATE_HZ: f64 = 1e7;
/// Lowest accepted rate: one detour in 116 days.
const LOWEST_RATE_HZ: f64 = 1e-7;

/// Keys of one spec. Each is taken once, and a key that is left over is an error.
pub(super) struct Settings<'a> {
    left: Vec<(&'a str, Option<&'a str>)>,
    known: Vec<String>,
}

impl<'a> Settings<'a> {
    /// Reads the parts of a spec after its name.
    pub(super) fn new(parts: impl Iterator<Item = &'a str>) -> Result<Settings<'a>, String> {
        let mut left: Vec<(&str, Option<&str>)> = Vec::new();
        for part in parts {
            let (key, value) = match part.split_once('=') {
                Some((key, value)) => (key.trim(), Some(value.trim())),
                None => (part.trim(), None),
            };
            if key.is_empty() {
                return Err(format!("expected key=value between commas, found '{part}'"));
            }
            if left.iter().any(|&(other, _)| other == key) {
                return Err(format!("key '{key}' is given twice"));
            }
            left.push((key, value));
        }
        Ok(Settings { left, known: Vec::new() })
    }

    fn take(&mut self, key: &str) -> Option<Option<&'a str>> {
        self.known.push(key.to_owned());
        let place = self.left.iter().position(|&(other, _)| other == key)?;
        Some(self.left.remove(place).1)
    }

    /// Text of an optional key.
    pub(super) fn text(&mut self, key: &str) -> Result<Option<&'a str>, String> {
        match self.take(key) {
            None => Ok(None),
            Some(Some(value)) if !value.is_empty() => Ok(Some(value)),
            Some(_) => Err(format!("key '{key}' needs a value: {key}=…")),
        }
    }

    fn needed(&mut self, key: &str, example: &str) -> Result<&'a str, String> {
        self.text(key)?.ok_or_else(|| format!("key '{key}' is missing; expected {key}={example}"))
    }

    /// Whether a word without a value is present.
    pub(super) fn flag(&mut self, key: &str) -> Result<bool, String> {
        match self.take(key) {
            None => Ok(false),
            Some(None) => Ok(true),
            Some(Some(value)) => Err(format!("'{key}' takes no value, found {key}={value}")),
        }
    }

    /// Duration of an optional key.
    pub(super) fn optional_duration(&mut self, key: &str) -> Result<Option<Span>, String> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        quantity::parse(text).map(Some).map_err(|error| format!("key '{key}': {error}"))
    }

    /// Duration that may be zero, and is zero if left out.
    pub(super) fn duration_or_zero(&mut self, key: &str) -> Result<Span, String> {
        Ok(self.optional_duration(key)?.unwrap_or_default())
    }

    /// Duration of a required key, above zero.
    pub(super) fn duration(&mut self, key: &str) -> Result<Span, String> {
        let text = self.needed(key, "10us")?;
        match quantity::parse(text).map_err(|error| format!("key '{key}': {error}"))? {
            Span::ZERO => Err(format!("key '{key}': expected more than 0, found {text}")),
            span => Ok(span),
        }
    }

    /// Number without a unit from `low` to `high`.
    pub(super) fn number(&mut self, key: &str, low: f64, high: f64) -> Result<f64, String> {
        let text = self.needed(key, "1.5")?;
        text.parse()
            .ok()
            .filter(|number| (low..=high).contains(number))
            .ok_or_else(|| format!("key '{key}': expected a number from {low} to {high}, found '{text}'"))
    }

    /// Rate of detours, in Hz.
    pub(super) fn rate(&mut self, key: &str) -> Result<f64, String> {
        let text = self.needed(key, "100Hz")?;
        rate_hz(text).filter(|rate| (LOWEST_RATE_HZ..=HIGHEST_RATE_HZ).contains(rate)).ok_or_else(|| {
            format!(
                "key '{key}': expected a rate of {LOWEST_RATE_HZ} Hz to 10 MHz with its unit (Hz, kHz or MHz), \
                 like 100Hz, found '{text}'"
            )
        })
    }

    /// Ends the reading: keys that were not taken are unknown.
    pub(super) fn finish(self) -> Result<(), String> {
        match self.left.first() {
            None => Ok(()),
            Some((key, _)) => {
                let suggestion = suggestion(key, &self.known);
                Err(format!("unknown key '{key}'; known here: {}{suggestion}", self.known.join(", ")))
            }
        }
    }
}

fn rate_hz(text: &str) -> Option<f64> {
    let split = text.find(|c: char| c.is_ascii_alphabetic() && c != 'e')?;
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "Hz" => 1.0,
        "kHz" => 1e3,
        "MHz" => 1e6,
        _ => return None,
    };
    Some(number.trim().parse::<f64>().ok()? * factor)
}

/// Duration in the notation of specs: exact, in the largest unit that needs no fraction.
pub(super) struct ExactDuration(pub Span);

impl fmt::Display for ExactDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [("s", 1_000_000_000_000), ("ms", 1_000_000_000), ("us", 1_000_000), ("ns", 1_000)];
        match units.into_iter().find(|(_, ps)| self.0.0.is_multiple_of(*ps)) {
            _ if self.0 == Span::ZERO => f.write_str("0us"),
            Some((unit, ps)) => write!(f, "{}{unit}", self.0.0 / ps),
            None => write!(f, "{}ps", self.0.0),
        }
    }
}
