//! Content of one or more texts: a table for readers, rows for programs.

use super::first_calls::sentences;
use super::{Imported, LeftOut, PrintedRow, Tool, conditions, ours};
use render::columns;
use render::data::{Cell, Column, Filled, Kind, Known, Show, Style, Table, View};
use render::groups::distinct;
use render::page::{Page, Section};
use render::results::Results;
use render::table;

/// Largest number of columns of single processes in a table for readers.
const MOST_PROCESSES: usize = 4;

/// Words of published runs that a table for readers shows where there are any, like conditions: rows of one operation
/// and length differ in them.
const SHOWN: [&str; 9] = [
    "published_algorithm",
    "nodes",
    "barrier",
    "marks",
    ours::WORLD,
    ours::ALGORITHM,
    ours::ROOT,
    ours::VARIANT,
    ours::OVERSUBSCRIBED,
];
/// Numbers that this table leaves to CSV and JSON.
const LEFT: [&str; 8] =
    ["p10_us", "p25_us", "p75_us", "later_mean_us", "steady_us", "steady_low_us", "steady_high_us", "autocorrelation"];
/// Numbers that every table shows, if a tool prints them.
const ALWAYS: [&str; 5] = ["mean_us", "median_us", "time_us", "min_us", "max_us"];

const ROW: Known = Known::integer("row", "", "place of the sample's row among the rows, from 0", "0");
const INDEX: Known = Known::integer("index", "", "number of the sample, from 0", "0");
/// Starts and ends on the rank's own clock and on the synchronised one, since the earliest reading of the text.
const READINGS: [Known; 4] = [
    Known::number("local_start_us", "µs", "start on the rank's own clock", "0"),
    Known::number("local_end_us", "µs", "end on the same clock", "1"),
    Known::number("global_start_us", "µs", "start on the synchronised clock", "0"),
    Known::number("global_end_us", "µs", "end on the same clock", "1"),
];
const VALID: Known = Known::flag("valid", "true if the sample is valid");
const LABEL: Known =
    Known::text("label", "what a tool calls something that it says of the run whose rows begin in the line", "nodes");
const SAID: Known = Known::text("said", "what it says", "2");
const WHY: Known = Known::text("why", "why a line is left out; empty where it is not the tool's", "");

/// Runs of texts, each with the name of its file.
pub struct Texts(pub Vec<(String, Imported)>);

/// A row with its file and run.
struct Placed<'a> {
    file: &'a str,
    run: &'a Imported,
    row: &'a PrintedRow,
}

impl Texts {
    fn placed(&self) -> Vec<Placed<'_>> {
        let all = self.0.iter().flat_map(|(file, run)| run.rows.iter().map(move |row| Placed { file, run, row }));
        all.collect()
    }

    /// Names of all words and of all numbers, in the order in which they first appear.
    fn names(&self) -> [Vec<&str>; 2] {
        let rows = || self.0.iter().flat_map(|(_, run)| &run.rows);
        let words = rows().flat_map(|row| &row.words).map(|word| word.name.as_str());
        let numbers = rows().flat_map(|row| &row.columns).map(|column| column.name.as_str());
        [distinct(words), distinct(numbers)]
    }

    fn table(&self) -> Table {
        let placed: [Filled<Placed>; 11] = [
            (columns::FILE.column(), &|placed| placed.file.into()),
            (columns::TEXT_LINE.column(), &|placed| placed.row.line.into()),
            (columns::BENCHMARK.column(), &|placed| placed.run.tool.name().into()),
            (columns::VERSION.column(), &|placed| placed.run.version.clone().into()),
            (columns::TEST.column(), &|placed| placed.row.benchmark.clone().into()),
            (columns::OPERATION.column(), &|placed| placed.row.collective.map(|known| known.name()).into()),
            (columns::ELEMENT.column(), &|placed| placed.row.datatype.clone().into()),
            (columns::RANKS.column(), &|placed| placed.row.ranks.into()),
            (columns::BYTES.column(), &|placed| placed.row.bytes.into()),
            (columns::ELEMENTS.column(), &|placed| placed.row.count.into()),
            (columns::CALLS.column(), &|placed| placed.row.calls.into()),
        ];
        let [words, numbers] = self.names();
        let rows = self.placed();
        let named_words = words.iter().map(|word| named(word, Kind::Text));
        let all_named = named_words.chain(numbers.iter().map(|number| named(number, Kind::Number)));
        let cells = rows.iter().map(|Placed { row, .. }| {
            let words = words.iter().map(|word| row.word(word).into());
            words.chain(numbers.iter().map(|number| row.value(number).into())).collect()
        });
        Table::from_rows("rows", &rows, &placed).with_columns(placed.len(), all_named, cells)
    }

    /// Returns the table for readers: tool and test, and the numbers. With several tools in it a column needs two that
    /// print it, or is a mean, median, minimum, maximum or plain time in µs; the other columns are named below.
    fn seen(&self, whole: &Table) -> table::Table {
        let [words, numbers] = self.names();
        let is_shown = |name: &&str| {
            let process = name.strip_prefix("process_").and_then(|rest| rest.strip_suffix("_us"));
            let process = process.and_then(|process| process.parse::<usize>().ok());
            !LEFT.contains(name) && process.is_none_or(|process| process < MOST_PROCESSES)
        };
        let alone = self.tools(|_| true) == 1;
        let is_shared = |name: &&str| {
            alone
                || ALWAYS.contains(name)
                || self.tools(|row| row.columns.iter().any(|column| column.name == *name)) > 1
        };
        let (numbers, left): (Vec<&str>, Vec<&str>) = numbers.into_iter().filter(is_shown).partition(is_shared);
        let file = Show::made("file", |row| table::Cell::text(base_name(row.cell("file").text())));
        let several = distinct(self.0.iter().map(|(file, _)| file)).len() > 1;
        let elements = distinct(self.placed().iter().map(|placed| &placed.row.datatype)).len() > 1;
        let words = SHOWN.into_iter().chain(conditions::names()).filter(|word| words.contains(word));
        let left = (!left.is_empty()).then(|| format!("one tool's alone, in CSV and JSON: {}", left.join(", ")));
        let view = View::new(whole).noting(left.into_iter().collect()).show(several.then_some(file));
        let view = view.show(Show::all(["benchmark", "test"])).show(elements.then(|| Show::one("element")));
        let view = view.show(Show::all(words)).show(Show::all(["ranks", "bytes", "calls"])).show(Show::all(numbers));
        view.laid_out().without_empty_columns()
    }

    /// Number of tools that print such rows.
    fn tools(&self, is_such: impl Fn(&PrintedRow) -> bool) -> usize {
        let prints = |tool: &Tool| self.0.iter().any(|(_, run)| run.tool == *tool && run.rows.iter().any(&is_such));
        Tool::ALL.iter().filter(|tool| prints(tool)).count()
    }

    fn first_calls(&self) -> Vec<String> {
        self.0.iter().flat_map(|(_, run)| sentences(run)).collect()
    }

    fn samples(&self) -> Table {
        let placed = self.placed().into_iter().enumerate();
        let samples = placed.flat_map(|(place, of)| of.row.samples.iter().map(move |sample| (place, sample)));
        let us = |ps: i64| ps as f64 / 1e6;
        let readings = |clock: Option<(i64, i64)>| [clock.map(|clock| us(clock.0)), clock.map(|clock| us(clock.1))];
        let rows = samples.map(|(place, sample)| {
            let which = [place.into(), sample.rank.into(), sample.index.into(), us(sample.time_ps).into()];
            let clocks = [sample.local_ps, sample.global_ps].into_iter().flat_map(readings).map(Cell::from);
            which.into_iter().chain([sample.valid.into()]).chain(clocks).collect()
        });
        let columns = [ROW, columns::RANK, INDEX, columns::TIME, VALID].into_iter().chain(READINGS);
        Table::new("samples", columns.map(|known| known.column()), rows)
    }

    /// Table of the facts that tools state about their runs.
    fn said(&self) -> Table {
        let said = self.0.iter().flat_map(|(file, run)| {
            let line = run.rows.first().map(|row| row.line);
            run.facts.iter().map(move |(label, value)| (file, line, label, value))
        });
        let rows = said.map(|(file, line, label, value)| {
            vec![file.as_str().into(), line.into(), label.as_str().into(), value.as_str().into()]
        });
        Table::new("facts", [columns::FILE, columns::TEXT_LINE, LABEL, SAID].map(|known| known.column()), rows)
    }

    fn left_out(&self) -> Table {
        let lines = self.0.iter().flat_map(|(file, run)| run.left_out.iter().map(move |line| (file, line)));
        let rows =
            lines.map(|(file, LeftOut { line, why })| vec![file.as_str().into(), (*line).into(), why.as_str().into()]);
        Table::new("left_out", [columns::FILE, columns::TEXT_LINE, WHY].map(|known| known.column()), rows)
    }
}

impl Results for Texts {
    fn notes(&self) -> Vec<String> {
        self.0.iter().flat_map(|(_, run)| &run.notes).cloned().chain(self.first_calls()).collect()
    }

    fn page(&self) -> Page {
        let first = self.first_calls();
        let first = (!first.is_empty()).then(|| Section::new("First calls (E1)").with_list(first));
        let numbers = Section::default().with_tables([self.seen(&self.table())]);
        Page {
            question: "What did the benchmarks print?".to_owned(),
            sections: [numbers].into_iter().chain(first).collect(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table()
    }

    fn others(&self) -> Vec<Table> {
        vec![self.samples(), self.said(), self.left_out()]
    }
}

/// The column of a word or number of texts.
fn named(name: &str, kind: Kind) -> Column {
    let heading = name.trim_start_matches("published_").to_owned().into();
    Column { heading, style: Style::Plain, ..columns::named(name.to_owned(), kind) }
}

/// A file's name without its folders, which distinguishes several files of one tool.
fn base_name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}
