//! Text of a file that users write, and errors in it: file, line, key.

use std::ops::Range;

/// Error in a scenario or a sweep, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file} line {line}{}: {message}", key.as_ref().map(|key| format!(", key '{key}'")).unwrap_or_default())]
pub struct ScenarioError {
    /// Name of the scenario's or sweep's file.
    pub file: String,
    /// Number of the line, counted from 1.
    pub line: usize,
    /// Key on that line, where there is one.
    pub key: Option<String>,
    /// Text that was found and text that was expected.
    pub message: String,
}

/// Text of a file that users write, for errors that name their place.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub file: &'a str,
    /// Whole text of the file.
    pub text: &'a str,
}

impl Source<'_> {
    /// Returns the question in the first line. `kind` is the kind of file in messages.
    pub(crate) fn question(&self, kind: &str) -> Result<String, ScenarioError> {
        let first = self.text.lines().next().unwrap_or_default();
        match first.strip_prefix('#').map(str::trim) {
            Some(question) if !question.is_empty() => Ok(question.to_owned()),
            _ => Err(self.error(0..0, format!("expected the {kind}'s question as the first line: # By how much …?"))),
        }
    }

    /// Returns the file's name without folder and ending.
    pub(crate) fn stem(&self) -> String {
        self.file.rsplit('/').next().unwrap_or(self.file).trim_end_matches(".toml").to_owned()
    }

    /// Returns the error of the TOML reader, in clearer words where the value's intended form is recognised.
    pub(crate) fn syntax_error(&self, error: &toml::de::Error) -> ScenarioError {
        let mut error = self.error(error.span().unwrap_or(0..0), error.message().trim());
        let line = self.text.lines().nth(error.line - 1).unwrap_or_default();
        let value = line.rsplit_once('=').map_or("", |(_, value)| value).split('#').next().unwrap_or_default();
        if let Some(message) = meant(value.trim().trim_end_matches('}').trim()) {
            error.message = message;
        }
        error
    }

    /// Returns an error at a place. Its key is the one assigned on the place's line.
    pub(crate) fn error(&self, span: Range<usize>, message: impl Into<String>) -> ScenarioError {
        let line = self.line(span);
        let key = self.text.lines().nth(line - 1).and_then(key_of);
        ScenarioError { file: self.file.to_owned(), line, key, message: message.into() }
    }

    /// Returns an error about a key's value, which may span several lines.
    pub(crate) fn error_at(&self, span: Range<usize>, key: &str, message: impl Into<String>) -> ScenarioError {
        let (file, key) = (self.file.to_owned(), Some(key.to_owned()));
        ScenarioError { file, line: self.line(span), key, message: message.into() }
    }

    /// Returns the number of a span's first line, counted from 1.
    fn line(&self, span: Range<usize>) -> usize {
        self.text.as_bytes()[..span.start.min(self.text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
    }
}

/// Returns a message for values that are not TOML but resemble it: a decimal comma, or a word or a list without
/// quotation marks.
fn meant(value: &str) -> Option<String> {
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((whole, rest)) = value.split_once(',')
        && is_number(whole.trim_start_matches(['-', '+']))
        && is_number(rest)
    {
        return Some(format!("expected a decimal point: {whole}.{rest}"));
    }
    let is_word = value.starts_with(|letter: char| letter.is_alphabetic())
        && !["true", "false", "inf", "nan"].contains(&value)
        && value.chars().all(|letter| letter.is_alphanumeric() || "-_:".contains(letter));
    let is_list =
        value.starts_with(|digit: char| digit.is_ascii_digit()) && (value.contains("..") || value.contains(','));
    (is_word || is_list).then(|| format!("expected quotation marks: \"{value}\""))
}

/// Returns the key that a line assigns to, if it does.
pub(super) fn key_of(line: &str) -> Option<String> {
    let (key, _) = line.split_once('=')?;
    let key = key.trim();
    (!key.starts_with('#') && !key.is_empty()).then(|| key.to_owned())
}
