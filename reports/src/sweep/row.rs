//! A row of a sweep's results, and its two forms.

use models::medium::Medium;
use models::observation::{Carrier, World};
use models::spread::{QUANTILES, Spread};
use models::time::{Span, Time};
use render::ending::ending;
use render::table;
use scenario::axis::Axis;
use scenario::sweep::Point;
use serde_json::{Number, Value, json};
use std::fmt::Write;
use std::path::Path;

/// Names of the columns with what was found, behind those of the point.
const RESULT_COUNT: usize = 17;
const RESULTS: &str = "engine,messages,finish_over,finish_min_ps,finish_mean_ps,finish_max_ps,finish_p01_ps,finish_p05_ps,\
    finish_p25_ps,finish_p50_ps,finish_p75_ps,finish_p95_ps,finish_p99_ps,exit_skew_ps,printed_us,reference_us,failure";

/// How a file of results is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One JSON object per line.
    JsonLines,
    /// Comma-separated values (RFC 4180).
    Csv,
}

models::named! {
    /// What the finish times of a row are taken over.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Over {
        /// The ranks of the one realisation.
        Ranks => "ranks",
        /// The last rank's finish in every realisation.
        Realisations => "realisations",
    }
    /// The name used in files.
    fn name;
    find("finish_over");
}

/// What a simulation found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Which engine, and how.
    pub engine: String,
    /// Messages of one realisation.
    pub messages: u64,
    /// What the finish times are taken over.
    pub over: Over,
    /// How the finish times spread.
    pub finish: Spread,
    /// Between the first and the last rank's finish; the mean over realisations.
    pub exit_skew: Span,
    /// What the point's benchmark prints.
    pub printed: Option<Printed>,
}

/// A benchmark's number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// What it prints, in µs; the mean over realisations of noise.
    pub printed_us: f64,
    /// How long the slowest rank takes for one call that all enter together, without noise, in µs.
    pub truth_us: f64,
}

/// One point and what came of it; an error is one too.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    /// The point.
    pub point: Point<'a>,
    /// What was found, or why nothing.
    pub found: Result<Found, String>,
}

impl Form {
    /// The form that a file's name asks for.
    ///
    /// # Errors
    /// Another ending than `.jsonl` or `.csv`.
    pub fn of(path: &Path) -> Result<Form, String> {
        ending(path, &[("jsonl", "JSON lines", Form::JsonLines), ("csv", "comma-separated values", Form::Csv)])
    }

    /// The line of names above the rows, where there is one.
    pub fn columns(self) -> String {
        match self {
            Form::JsonLines => String::new(),
            Form::Csv => {
                let axes = Axis::POINTS.into_iter().chain(Axis::QUEUES).map(Axis::name);
                let inputs = axes.chain(Medium::numbers()).collect::<Vec<_>>().join(",");
                format!("point,{},{},{inputs},{RESULTS}\n", Axis::World, Axis::Transport)
            }
        }
    }

    /// How the row of a point begins: its inputs, by which it is recognised.
    pub fn key(self, point: &Point<'_>) -> String {
        let key = point.key();
        let mut text = String::from(if self == Form::JsonLines { "{" } else { "" });
        self.put(&mut text, "point", &json!(point.index));
        let mut put = |name: &str, cell: Value| {
            text.push(',');
            self.put(&mut text, name, &cell);
        };
        put(Axis::World.name(), json!(World::Simulated.name()));
        put(Axis::Transport.name(), json!(Carrier::Modelled.name()));
        Axis::POINTS.into_iter().chain(Axis::QUEUES).for_each(|axis| put(axis.name(), json!(key.get(axis))));
        let medium = point.medium().ok();
        let number = |name: &str| number(medium.as_ref()?.number(name)?);
        Medium::numbers().for_each(|name| put(name, json!(number(name))));
        text.push(',');
        text
    }

    /// A row as a line with its end.
    pub fn line(self, row: &Row<'_>) -> String {
        let mut text = self.key(&row.point);
        for (place, (name, cell)) in RESULTS.split(',').zip(row.results()).enumerate() {
            text.push_str(if place == 0 { "" } else { "," });
            self.put(&mut text, name, &cell);
        }
        text.push_str(if self == Form::JsonLines { "}\n" } else { "\n" });
        text
    }

    /// True if a whole line tells of an error.
    pub fn failed(self, line: &str) -> bool {
        match self {
            Form::JsonLines => !line.ends_with("\"failure\":null}\n"),
            Form::Csv => !line.ends_with(",\n"),
        }
    }

    /// What a line of JSON found at a point, read back.
    ///
    /// # Errors
    /// The key that is missing or wrong.
    pub fn read(line: &str, point: &Point<'_>) -> Result<Result<Found, String>, String> {
        let line: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        if let Some(error) = line["failure"].as_str() {
            return Ok(Err(error.to_owned()));
        }
        let number = |key: &str| line[key].as_u64().ok_or_else(|| format!("{key}: expected a number"));
        let time = |key: &str| number(key).map(Time);
        let words = |key: &str| line[key].as_str().ok_or_else(|| format!("{key}: expected text"));
        let over = Over::find(words("finish_over")?)?;
        let mut quantiles = [Time::ZERO; QUANTILES.len()];
        for (percent, quantile) in QUANTILES.iter().zip(&mut quantiles) {
            *quantile = time(&format!("finish_p{percent:02}_ps"))?;
        }
        let count = if over == Over::Ranks { point.shape.ranks } else { point.realisations } as usize;
        let [min, mean, max] = ["finish_min_ps", "finish_mean_ps", "finish_max_ps"].map(time);
        let printed = line["printed_us"].as_f64().zip(line["reference_us"].as_f64());
        Ok(Ok(Found {
            engine: words("engine")?.to_owned(),
            messages: number("messages")?,
            over,
            finish: Spread { count, min: min?, mean: mean?, max: max?, quantiles },
            exit_skew: Span(number("exit_skew_ps")?),
            printed: printed.map(|(printed_us, truth_us)| Printed { printed_us, truth_us }),
        }))
    }

    fn put(self, text: &mut String, name: &str, cell: &Value) {
        let _ = match (self, cell) {
            (Form::JsonLines, cell) => write!(text, "\"{name}\":{cell}"),
            (Form::Csv, Value::Null) => Ok(()),
            (Form::Csv, Value::String(field)) => text.write_str(&table::line(field.replace(['\n', '\r'], " "))),
            (Form::Csv, Value::Number(number)) if number.is_f64() => {
                text.write_str(&table::rounded(number.as_f64().unwrap_or_default()))
            }
            (Form::Csv, number) => write!(text, "{number}"),
        };
    }
}

/// A whole number without a point.
fn number(value: f64) -> Option<Number> {
    if value.fract() == 0.0 && (0.0..9e15).contains(&value) {
        Some((value as u64).into())
    } else {
        Number::from_f64(value)
    }
}

impl Row<'_> {
    fn results(&self) -> [Value; RESULT_COUNT] {
        let mut cells = [const { Value::Null }; RESULT_COUNT];
        match &self.found {
            // Of an error there is always something to read.
            Err(message) => cells[RESULT_COUNT - 1] = json!(if message.is_empty() { "failed" } else { message }),
            Ok(found) => {
                let Spread { min, mean, max, quantiles, .. } = found.finish;
                let words = [json!(found.engine), json!(found.messages), json!(found.over.name())];
                let times = [min, mean, max].into_iter().chain(quantiles).map(|time| json!(time));
                let printed = found
                    .printed
                    .map_or([Value::Null, Value::Null], |printed| [json!(printed.printed_us), json!(printed.truth_us)]);
                let all = words.into_iter().chain(times).chain([json!(found.exit_skew)]).chain(printed);
                cells.iter_mut().zip(all).for_each(|(cell, value)| *cell = value);
            }
        }
        cells
    }
}
