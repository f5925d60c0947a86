//! The text under a reader's eye, and what is wrong with it: file, line, key.

use std::ops::Range;

/// What is wrong with a scenario or a sweep, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file} line {line}{}: {message}", key.as_ref().map(|key| format!(", key '{key}'")).unwrap_or_default())]
pub struct ScenarioError {
    /// The file.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// The key on that line, where there is one.
    pub key: Option<String>,
    /// What was found and what was expected.
    pub message: String,
}

/// The text of a file that people write, for saying where something is.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// Its name.
    pub file: &'a str,
    /// All of it.
    pub text: &'a str,
}

impl Source<'_> {
    /// The first line, which asks what the file is to answer; `kind` is what such files are called.
    pub(crate) fn question(&self, kind: &str) -> Result<String, ScenarioError> {
        let first = self.text.lines().next().unwrap_or_default();
        match first.strip_prefix('#').map(str::trim) {
            Some(question) if !question.is_empty() => Ok(question.to_owned()),
            _ => Err(self.error(0..0, format!("expected the {kind}'s question as the first line: # By how much …?"))),
        }
    }

    /// The file's name without folder and ending.
    pub(crate) fn stem(&self) -> String {
        self.file.rsplit('/').next().unwrap_or(self.file).trim_end_matches(".toml").to_owned()
    }

    /// What the TOML reader found.
    pub(crate) fn syntax_error(&self, error: &toml::de::Error) -> ScenarioError {
        let error = self.error(error.span().unwrap_or(0..0), error.message().trim());
        let value = self.text.lines().nth(error.line - 1).and_then(|line| Some(line.split_once('=')?.1));
        match value.and_then(decimal_comma) {
            Some(number) => ScenarioError { message: format!("expected a decimal point: {number}"), ..error },
            None => error,
        }
    }

    /// Something at a place; the key is the one that its line assigns to.
    pub(crate) fn error(&self, span: Range<usize>, message: impl Into<String>) -> ScenarioError {
        let line = self.line(span);
        let key = self.text.lines().nth(line - 1).and_then(key_of);
        ScenarioError { file: self.file.to_owned(), line, key, message: message.into() }
    }

    /// Something about a key's value, which may go over several lines.
    pub(crate) fn error_at(&self, span: Range<usize>, key: &str, message: impl Into<String>) -> ScenarioError {
        let (file, key) = (self.file.to_owned(), Some(key.to_owned()));
        ScenarioError { file, line: self.line(span), key, message: message.into() }
    }

    /// Counted from 1.
    fn line(&self, span: Range<usize>) -> usize {
        self.text.as_bytes()[..span.start.min(self.text.len())].iter().filter(|&&byte| byte == b'\n').count() + 1
    }
}

/// The number with a point that a value with a comma means, `6.4` of `6,4`.
fn decimal_comma(value: &str) -> Option<String> {
    let (whole, rest) = value.split('#').next()?.trim().split_once(',')?;
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(whole.trim_start_matches(['-', '+'])) && is_number(rest)).then(|| format!("{whole}.{rest}"))
}

/// The key that a line assigns to, if it does.
pub(super) fn key_of(line: &str) -> Option<String> {
    let (key, _) = line.split_once('=')?;
    let key = key.trim();
    (!key.starts_with('#') && !key.is_empty()).then(|| key.to_owned())
}
