//! Exercises: expectations whose number or place is an answer, which students write into the file. Simulated or
//! measured numbers determine the right answer. A file for students contains no answer.

use super::read::{ToldTable, table};
use super::{Answer, Told};
use crate::axis::{Axis, AxisValue};
use crate::sweep::{Numbers, whole};
use crate::{ScenarioError, Source};
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// Placeholder of an answer that is still to be written.
const OPEN: &str = "?";
/// Largest number of values in an answer.
const MOST_VALUES: u64 = 10_000;

/// Answer to an exercise, or an open question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// Answer in the file. `None` while there is none.
    pub given: Option<String>,
    /// Right answer according to the numbers. Empty while there are no numbers.
    pub right: String,
}

/// Whether a file asks questions whose answers are written into it. False for a file that cannot be read.
pub fn is_exercise(text: &str) -> bool {
    toml::from_str::<ToldTable>(text).is_ok_and(|table| table.asks())
}

/// Returns the form of an exercise for students: without its answers, and without its expectation and findings in
/// words.
///
/// # Errors
/// Fails for a file that cannot be read, or that asks nothing.
pub fn for_students(file: &str, text: &str) -> Result<String, ScenarioError> {
    let source = Source { file, text };
    let question = source.question("exercise")?;
    let table = table(source)?;
    if !table.asks() {
        let message = "expected a key 'answer' in an [[expect]], like answer = 6.4 or answer = { barrier = \"tree\" }";
        return Err(source.error(0..0, message));
    }
    let mut changes = Vec::new();
    for answer in table.expect.iter().filter_map(|expect| expect.answer.as_ref()) {
        let open = match source.read_answer(answer)? {
            Answer::Number(_) => format!("\"{OPEN}\""),
            Answer::At(axis, _) => format!("{{ {} = \"{OPEN}\" }}", axis.name()),
        };
        changes.push((answer.span(), open));
    }
    for words in [&table.expectation, &table.found].into_iter().flatten() {
        let span = words.span();
        let begin = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
        let end = text[span.end..].find('\n').map_or(text.len(), |end| span.end + end + 1);
        changes.push((begin..end, String::new()));
    }
    changes.sort_by_key(|(span, _)| span.start);
    let mut form = text.to_owned();
    for (span, new) in changes.into_iter().rev() {
        form.replace_range(span, &new);
    }
    let name = file.rsplit('/').next().unwrap_or(file);
    let rest = form.split_once('\n').map_or("", |(_, rest)| rest);
    Ok(format!("# {question}\n# Write your answer in place of \"{OPEN}\", then check it: parallax run {name}\n{rest}"))
}

impl Told {
    /// Whether the file asks questions whose answers are written into it.
    pub fn is_exercise(&self) -> bool {
        self.expects.iter().any(|expect| expect.answer.is_some())
    }
}

impl Answer {
    /// Returns the answer in the file's notation. `None` while it is open.
    pub(super) fn given(&self) -> Option<String> {
        match self {
            Answer::Number(number) => number.as_ref().map(f64::to_string),
            Answer::At(_, values) => values.as_deref().map(listed),
        }
    }
}

/// Writes values as a file lists them, with consecutive ones as a range: `15, 21..40+1`.
pub(super) fn listed(values: &[AxisValue]) -> String {
    let mut runs: Vec<(String, Option<(u64, u64)>)> = Vec::new();
    for value in values {
        match (runs.last_mut(), value) {
            (Some((_, Some((_, last)))), AxisValue::Number(number)) if *number == *last + 1 => *last = *number,
            (_, AxisValue::Number(number)) => runs.push((value.to_string(), Some((*number, *number)))),
            _ => runs.push((value.to_string(), None)),
        }
    }
    let words = |(word, run): (String, Option<(u64, u64)>)| match run {
        Some((first, last)) if last == first + 1 => format!("{first}, {last}"),
        Some((first, last)) if last > first => format!("{first}..{last}+1"),
        _ => word,
    };
    if runs.is_empty() { "none".to_owned() } else { runs.into_iter().map(words).collect::<Vec<_>>().join(", ") }
}

impl Source<'_> {
    /// Reads an answer in the file's notation.
    pub(super) fn read_answer(&self, written: &Spanned<toml::Value>) -> Result<Answer, ScenarioError> {
        let wrong = |message: String| self.error(written.span(), message);
        match written.get_ref() {
            toml::Value::Float(number) => Ok(Answer::Number(Some(*number))),
            toml::Value::Integer(number) => Ok(Answer::Number(Some(*number as f64))),
            toml::Value::String(text) if text == OPEN => Ok(Answer::Number(None)),
            // A number written over the mark keeps the mark's quotation marks, and may have a decimal comma.
            toml::Value::String(text) if number(text).is_some() => Ok(Answer::Number(number(text))),
            toml::Value::Table(table) if table.len() == 1 => {
                let (name, value) = table.iter().next().expect("one");
                let axis = Axis::find(name).map_err(wrong)?;
                let values = places(axis, value).map_err(|message| wrong(format!("{name}: {message}")))?;
                Ok(Answer::At(axis, values))
            }
            other => {
                let forms = "\"?\" while there is none, or where it is, like { barrier = \"tree\" }";
                Err(wrong(format!("expected a number as the answer, {forms}; found {other}")))
            }
        }
    }
}

/// Reads a number as people write it, with a decimal point or comma.
fn number(text: &str) -> Option<f64> {
    text.trim().replacen(',', ".", 1).parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns the values of an axis that an answer names. `None` while it is open.
fn places(axis: Axis, value: &toml::Value) -> Result<Option<Vec<AxisValue>>, String> {
    match value {
        toml::Value::String(text) if text == OPEN => Ok(None),
        toml::Value::Array(all) => all.iter().map(|one| axis.read(one)).collect::<Result<_, _>>().map(Some),
        toml::Value::String(text) => match axis.read(value) {
            Ok(one) => Ok(Some(vec![one])),
            Err(message) => {
                if let Some(part) = text.split(',').find(|part| part.contains("..") && !part.contains(['+', '*', '/']))
                {
                    let part = part.trim();
                    return Err(format!("{part} doubles from number to number; expected {part}+1 for every number"));
                }
                let numbers = Numbers::listed(text, |part| whole(part).ok_or_else(|| message.clone()))?;
                Ok(Some(numbers.all(MOST_VALUES)?.into_iter().map(AxisValue::Number).collect()))
            }
        },
        one => axis.read(one).map(|value| Some(vec![value])),
    }
}
