//! Short names that are copied like numbers: of a scenario's machines.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Length of the longest label, in bytes.
const LONGEST: usize = 23;

/// A name of 1 to 23 lower-case letters, digits and hyphens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label([u8; LONGEST]);

impl Label {
    /// Returns the label of this text.
    ///
    /// # Errors
    /// Describes the form of a label.
    pub fn new(text: &str) -> Result<Label, String> {
        let fits = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-';
        if text.is_empty() || text.len() > LONGEST || !text.bytes().all(fits) {
            return Err(format!("expected 1 to {LONGEST} lower-case letters, digits and hyphens, found '{text}'"));
        }
        let mut letters = [0; LONGEST];
        letters[..text.len()].copy_from_slice(text.as_bytes());
        Ok(Label(letters))
    }

    /// Returns the text of the label.
    pub fn as_str(&self) -> &str {
        let length = self.0.iter().position(|&letter| letter == 0).unwrap_or(LONGEST);
        std::str::from_utf8(&self.0[..length]).unwrap_or_default()
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl Serialize for Label {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Label, D::Error> {
        Label::new(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short_and_plain_and_read_back() {
        for text in ["a", "noisy", "loggp-64", "abcdefghijklmnopqrstuvw"] {
            let label = Label::new(text).unwrap();
            assert_eq!((label.as_str(), label.to_string().as_str()), (text, text));
            assert_eq!(serde_json::from_str::<Label>(&serde_json::to_string(&label).unwrap()).unwrap(), label);
        }
        for wrong in ["", "Noisy", "a b", "ä", "abcdefghijklmnopqrstuvwx"] {
            assert!(Label::new(wrong).unwrap_err().contains(&format!("found '{wrong}'")));
        }
    }
}
