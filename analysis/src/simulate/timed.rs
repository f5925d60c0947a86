//! Calls that a method or a benchmark times: each number beside its reference.

use questions::method::{ComparedNumber, Timed};
use render::columns;
use render::data::{Cell, Filled, Known, Show, Style, Table, View};
use render::page::{Page, Section};
use render::results::Results;
use serde_json::Value;

/// Number of rows in a table for readers.
const SHOWN: usize = 32;

/// Facts on all numbers together that lessons use.
const FACTS: [&str; 12] = [
    "method",
    "benchmark",
    "engine",
    "reference_us",
    "reported_us",
    "ratio",
    "without_us",
    "after_one_delay_us",
    "symmetric_us",
    "steady_states",
    "reference_buffers",
    "reference_has_noise",
];

const STATE: Known = Known::text("state", "`after_one_delay` or `symmetric`", "symmetric");

/// Timed calls under their title.
pub struct TimedCalls<'a> {
    /// Description of the timed calls.
    pub title: String,
    /// Numbers that the timing gave.
    pub timed: &'a Timed,
}

impl Results for TimedCalls<'_> {
    fn notes(&self) -> Vec<String> {
        self.timed.sentences.clone()
    }

    fn page(&self) -> Page {
        let all = self.rows();
        let more = all.rows.len().saturating_sub(SHOWN);
        let more = (more > 0).then(|| format!("… {more} more: --format json prints all"));
        let notes = more.into_iter().chain(self.notes()).collect();
        let view = View::new(&all).rows(0..all.rows.len().min(SHOWN)).noting(notes);
        let view = view.show(Show::all(["name", "printed_us", "reference_us", "change_us", "ratio"]));
        Page {
            question: "What is printed, and how long does the call take?".to_owned(),
            answer: self.title.clone(),
            sections: vec![
                Section::default().with_facts(self.timed.said.clone()),
                Section::default().with_tables([view.laid_out().without_empty_columns()]),
            ],
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        let heading = if self.timed.kind == "error" { "error, those above on" } else { self.timed.kind };
        let number =
            |known: Known, heading: &'static str| known.headed(heading).without_limits().shown(Style::Fixed(4));
        let columns: [Filled<ComparedNumber>; 6] = [
            (columns::KIND.column(), &|_| self.timed.kind.into()),
            (columns::NAME.headed(heading), &|one| one.name.clone().into()),
            (number(columns::PRINTED, "printed"), &|one| one.printed_us.into()),
            (number(columns::REFERENCE, "reference"), &|one| one.reference_us.into()),
            (number(columns::CHANGE, "change"), &|one| one.change_us.into()),
            (number(columns::RATIO, "ratio"), &|one| one.ratio.into()),
        ];
        Table::from_rows("rows", &self.timed.numbers, &columns)
    }

    /// The numbers that a benchmark prints one after the other in a cycle.
    fn others(&self) -> Vec<Table> {
        let cycle = |state: &'static str| {
            let printed = self.timed.json[format!("{state}_cycle_us")].as_array().cloned().unwrap_or_default();
            printed.into_iter().map(move |us| vec![state.into(), us.as_f64().into()])
        };
        let rows = ["after_one_delay", "symmetric"].into_iter().flat_map(cycle);
        vec![Table::new("cycles", [STATE.column(), columns::PRINTED.column().without_limits()], rows)]
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        let cell = |value: &Value| match value {
            Value::Bool(flag) => (*flag).into(),
            Value::String(text) => text.as_str().into(),
            number => number.as_u64().map_or_else(|| number.as_f64().into(), Cell::from),
        };
        FACTS.into_iter().filter_map(|name| Some((name, cell(self.timed.json.get(name)?)))).collect()
    }
}
