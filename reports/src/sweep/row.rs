//! A row of a sweep's results, and its two forms.

use models::medium::Medium;
use models::spread::{QUANTILES, Spread};
use models::time::{Span, Time};
use programs::observation::{Carrier, World};
use render::columns;
use render::data::{Cell, Kind, Table};
use render::ending::ending;
use scenario::axis::Axis;
use scenario::sweep::SweepPoint;
use serde_json::Value;
use std::path::Path;
use std::sync::LazyLock;

/// Columns of a point's inputs.
static INPUTS: LazyLock<Table> = LazyLock::new(|| {
    let axes = [Axis::World, Axis::Transport].into_iter().chain(Axis::POINTS).chain(Axis::QUEUES);
    let numbers = Medium::numbers().map(|name| columns::named(name, Kind::Number));
    Table::new("rows", [columns::POINT.column()].into_iter().chain(columns::axes(axes)).chain(numbers), [])
});

/// Columns of inputs and results.
static COLUMNS: LazyLock<Table> = LazyLock::new(|| {
    let found = [columns::ENGINE, columns::MESSAGES, columns::FINISH_OVER].into_iter().chain(columns::FINISH);
    let last = [columns::EXIT_SKEW, columns::PRINTED, columns::REFERENCE, columns::FAILURE];
    let results = found.chain(last).map(|known| match known.kind {
        Kind::Interval => known.column().without_limits(),
        _ => known.column(),
    });
    Table::new("rows", INPUTS.columns.iter().cloned().chain(results), [])
});

/// Format of a file of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One JSON object per line.
    JsonLines,
    /// Comma-separated values (RFC 4180).
    Csv,
}

models::named! {
    /// Population that the finish times of a row are taken over.
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

/// Result of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Engine of the simulation, with its mode.
    pub engine: String,
    /// Number of messages of one realisation.
    pub messages: u64,
    /// Population that the finish times are taken over.
    pub over: Over,
    /// Spread of the finish times.
    pub finish: Spread,
    /// Time between the first and the last rank's finish; the mean over realisations.
    pub exit_skew: Span,
    /// Number that the point's benchmark prints; `None` for a point without a benchmark.
    pub printed: Option<Printed>,
}

/// Printed number of a benchmark, with the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// Printed number in µs; the mean over realisations of noise.
    pub printed_us: f64,
    /// Duration that the slowest rank needs for one call that all enter together, without noise, in µs.
    pub truth_us: f64,
}

/// One point and its result, which may be an error.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepRow<'a> {
    /// Inputs of the point.
    pub point: SweepPoint<'a>,
    /// Result of the simulation, or the reason of its failure.
    pub found: Result<Found, String>,
}

impl Form {
    /// Returns the form that a file's name asks for.
    ///
    /// # Errors
    /// Fails for any ending but `.jsonl` and `.csv`.
    pub fn from_path(path: &Path) -> Result<Form, String> {
        ending(path, &[("jsonl", "JSON lines", Form::JsonLines), ("csv", "comma-separated values", Form::Csv)])
    }

    /// Returns the line of names above the rows; empty for JSON lines.
    pub fn columns(self) -> String {
        match self {
            Form::JsonLines => String::new(),
            Form::Csv => COLUMNS.csv(None),
        }
    }

    /// Returns the beginning of a point's row: its inputs, by which it is recognised.
    pub fn key(self, point: &SweepPoint<'_>) -> String {
        let key = self.written(&INPUTS, inputs(point));
        key.strip_suffix('}').unwrap_or(&key).to_owned() + ","
    }

    /// Writes a row as a line with its end.
    pub fn line(self, row: &SweepRow<'_>) -> String {
        self.written(&COLUMNS, inputs(&row.point).into_iter().chain(row.results()).collect()) + "\n"
    }

    /// Writes cells below their columns; a line of CSV has no breaks in it.
    fn written(self, columns: &Table, cells: Vec<Cell>) -> String {
        let whole = |cell: Cell| match cell {
            Cell::Text(text) => Cell::Text(text.replace(['\n', '\r'], " ")),
            other => other,
        };
        match self {
            Form::JsonLines => columns.json_line(&cells),
            Form::Csv => columns.csv_line(&cells.into_iter().map(whole).collect::<Vec<_>>()),
        }
    }

    /// Whether a whole line holds an error.
    pub fn failed(self, line: &str) -> bool {
        match self {
            Form::JsonLines => !line.ends_with("\"failure\":null}\n"),
            Form::Csv => !line.ends_with(",\n"),
        }
    }

    /// Reads the result of a point from a line of JSON.
    ///
    /// # Errors
    /// Names the key that is missing or wrong.
    pub fn read(line: &str, point: &SweepPoint<'_>) -> Result<Result<Found, String>, String> {
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
}

/// Returns the cells of a point's inputs.
fn inputs(point: &SweepPoint<'_>) -> Vec<Cell> {
    let places = [point.index.into(), World::Simulated.name().into(), Carrier::Modelled.name().into()];
    let medium = point.medium().ok();
    let numbers = Medium::numbers().map(|name| medium.as_ref()?.number(name)).map(|number| number.map(columns::whole));
    let axes = columns::at(&point.key(), Axis::POINTS.into_iter().chain(Axis::QUEUES)).collect::<Vec<_>>();
    places.into_iter().chain(axes).chain(numbers.map(Option::unwrap_or_default)).collect()
}

impl SweepRow<'_> {
    /// Returns the cells of the result.
    fn results(&self) -> Vec<Cell> {
        let found = match &self.found {
            // The cell of an error is never empty.
            Err(message) => {
                let message = if message.is_empty() { "failed" } else { message };
                return [vec![Cell::None; COLUMNS.columns.len() - INPUTS.columns.len() - 1], vec![message.into()]]
                    .concat();
            }
            Ok(found) => found,
        };
        let words = [found.engine.clone().into(), found.messages.into(), found.over.name().into()];
        let printed = [found.printed.map(|one| one.printed_us), found.printed.map(|one| one.truth_us)].map(Cell::from);
        let last = [found.exit_skew.0.into()].into_iter().chain(printed).chain([Cell::None]);
        words.into_iter().chain(columns::finish(&found.finish)).chain(last).collect()
    }
}
