//! A row of a sweep's results, and its two forms.

use crate::table;
use models::time::{Span, Time};
use scenario::axis::{Axis, Value};
use scenario::sweep::Point;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// The quantiles that a row holds, in percent.
pub const QUANTILES: [u8; 7] = [1, 5, 25, 50, 75, 95, 99];

/// Names of the columns with what was found, behind those of the point.
const RESULT_COUNT: usize = 15;
const RESULTS: &str = "engine,messages,finish_over,finish_min_ps,finish_mean_ps,finish_max_ps,finish_p01_ps,finish_p05_ps,\
    finish_p25_ps,finish_p50_ps,finish_p75_ps,finish_p95_ps,finish_p99_ps,exit_skew_ps,error";

/// How a file of results is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One JSON object per line.
    JsonLines,
    /// Comma-separated values (RFC 4180) below one comment line.
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
}

/// What a simulation found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which engine, and how.
    pub engine: String,
    /// Messages of one realisation.
    pub messages: u64,
    /// What the finish times are taken over.
    pub over: Over,
    /// Least, mean and greatest finish.
    pub finish: [Time; 3],
    /// [`QUANTILES`] of the finish.
    pub quantiles: [Time; 7],
    /// Between the first and the last rank's finish; the mean over realisations.
    pub exit_skew: Span,
}

/// One point and what came of it; an error is one too.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<'a> {
    /// The point.
    pub point: Point<'a>,
    /// What was found, or why nothing.
    pub found: Result<Found, String>,
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Cell<'a> {
    Number(u64),
    Text(&'a str),
    Nothing,
}

impl Form {
    /// The form that a file's name asks for.
    ///
    /// # Errors
    /// Another ending than `.jsonl` or `.csv`.
    pub fn of(path: &Path) -> Result<Form, String> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl") => Ok(Form::JsonLines),
            Some("csv") => Ok(Form::Csv),
            _ => Err(format!("{}: expected a name that ends in .jsonl or .csv", path.display())),
        }
    }

    /// The line of names above the rows, where there is one.
    pub(super) fn columns(self) -> String {
        match self {
            Form::JsonLines => String::new(),
            Form::Csv => format!("point,{},{RESULTS}\n", Axis::POINTS.map(Axis::name).join(",")),
        }
    }

    /// How the row of a point begins: its inputs, by which it is recognised.
    pub fn key(self, point: &Point<'_>) -> String {
        let key = point.key();
        let mut text = String::from(if self == Form::JsonLines { "{" } else { "" });
        self.put(&mut text, "point", &Cell::Number(point.index));
        for axis in Axis::POINTS {
            text.push(',');
            let cell = match key.get(axis) {
                Some(Value::Number(number)) => Cell::Number(*number),
                Some(Value::Text(name)) => Cell::Text(name),
                None => Cell::Text(""),
            };
            self.put(&mut text, axis.name(), &cell);
        }
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
            Form::JsonLines => !line.ends_with("\"error\":null}\n"),
            Form::Csv => !line.ends_with(",\n"),
        }
    }

    fn put(self, text: &mut String, name: &str, cell: &Cell<'_>) {
        match (self, cell) {
            (Form::JsonLines, cell) => {
                let value = serde_json::to_string(cell).expect("numbers and text are JSON");
                let _ = write!(text, "\"{name}\":{value}");
            }
            (Form::Csv, Cell::Number(number)) => {
                let _ = write!(text, "{number}");
            }
            (Form::Csv, Cell::Text(field)) => text.push_str(&table::line(field.replace(['\n', '\r'], " "))),
            (Form::Csv, Cell::Nothing) => {}
        }
    }
}

impl Row<'_> {
    fn results(&self) -> [Cell<'_>; RESULT_COUNT] {
        let mut cells = [const { Cell::Nothing }; RESULT_COUNT];
        match &self.found {
            // Of an error there is always something to read.
            Err(message) if message.is_empty() => cells[RESULT_COUNT - 1] = Cell::Text("failed"),
            Err(message) => cells[RESULT_COUNT - 1] = Cell::Text(message),
            Ok(found) => {
                cells[0] = Cell::Text(&found.engine);
                cells[1] = Cell::Number(found.messages);
                cells[2] = Cell::Text(found.over.name());
                let times = found.finish.iter().chain(&found.quantiles);
                cells[3..].iter_mut().zip(times).for_each(|(cell, time)| *cell = Cell::Number(time.0));
                cells[13] = Cell::Number(found.exit_skew.0);
            }
        }
        cells
    }
}
