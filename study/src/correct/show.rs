//! Corrected numbers as typed tables, and as a page: a table for each operation, ranks and column, remarks below.

use super::reading::CONFIDENCE;
use super::rows::{Legend, ShownColumns, tables};
use super::{Answer, Corrected, CorrectedRow, Tally};
use models::network::Network;
use programs::budget::SystematicError;
use programs::machine::Machine;
use programs::observation::World;
use render::columns;
use render::data::{Cell, Column, Filled, Show, Style, Table, View};
use render::page::{Page, Section};
use render::plots::numbers::TimeUnit;
use render::results::Results;
use render::table;
use scenario::axis::{Axis, Key};

/// Explanation of the columns that every table has.
const READING: &str = "printed = corrected + E… + remainder. corrected: what the call took, with its 95 % \
    interval. E…: what each systematic error added to the printed number. remainder: the rest of the difference: \
    the interaction of three switches, errors that a budget could not measure and, with rehearsals, the error of the \
    prediction. ×: the printed number over the expected number.";

/// Explanation of the column of sources, for tables that have one.
const SOURCES: &str = " by: predicted (simulated on the machine file), \
    rehearsed (the prediction less its error in the calibration, which timed this benchmark beside the reference; the \
    interval is a prediction interval for one more launch), measured or interpolated (a budget, --budget).";

impl CorrectedRow {
    /// A cell of the correction, where there is one.
    fn cell<T: Into<Cell>>(&self, cell: impl Fn(&Corrected) -> T) -> Cell {
        self.corrected.as_ref().ok().map(cell).into()
    }

    /// Key of the call, as far as it is known.
    fn key(&self) -> Key {
        let reading = &self.reading;
        let asked = reading.asked.as_ref().ok();
        Key::default()
            .named(Axis::World, reading.world.map_or("", World::name))
            .counted(Axis::Ranks, self.ranks)
            .named(Axis::Operation, &self.operation())
            .named(Axis::Algorithm, self.algorithm.as_deref().unwrap_or_default())
            .counted(Axis::Root, asked.filter(|asked| asked.collective.is_rooted()).map(|_| reading.root))
            .counted(Axis::Bytes, self.bytes)
    }

    /// Confidence of the intervals in its row.
    fn confidence(&self) -> Cell {
        (self.corrected.is_ok() || self.reading.printed.is_some()).then_some(CONFIDENCE).into()
    }
}

impl Answer<'_> {
    /// Table of all numbers, with a row for each.
    fn table(&self) -> Table {
        let Machine { name, provenance, .. } = self.machine;
        let columns: [Filled<CorrectedRow>; 18] = [
            (columns::FILE.column(), &|row| row.reading.file.clone().into()),
            (columns::TEXT_LINE.column(), &|row| row.reading.line.into()),
            (columns::BENCHMARK.column(), &|row| row.reading.tool.name().into()),
            (columns::COLUMN.column(), &|row| row.reading.head.clone().into()),
            (columns::RANKS_FROM.column(), &|row| row.ranks_from.map(|from| from.name()).into()),
            (to_the_nanosecond(columns::PRINTED.headed("printed")), &|row| row.reading.printed.into()),
            (columns::CONFIDENCE.column(), &CorrectedRow::confidence),
            (columns::SOURCE.headed("by"), &|row| row.cell(|done| done.source.name())),
            (columns::SCALE.headed("×").shown(Style::Fixed(2)), &|row| row.cell(|done| done.scale)),
            (to_the_nanosecond(columns::REMAINDER.headed("remainder")), &|row| row.cell(|done| done.remainder_us)),
            (columns::BIAS.column().without_limits(), &|row| row.cell(|done| done.bias_us.value)),
            (to_the_nanosecond(columns::CORRECTED.headed("corrected")), &|row| row.cell(|done| done.us)),
            (columns::VERDICT.column(), &|row| row.verdict().name().into()),
            (columns::REMARKS.column(), &|row| row.remarks().join("; ").into()),
            (columns::MACHINE.column(), &|_| name.clone().into()),
            (columns::MACHINE_HOST.column(), &|_| provenance.host.clone().into()),
            (columns::words("machine_date"), &|_| provenance.date.clone().into()),
            (columns::MACHINE_ORIGIN.column(), &|_| self.origin.name().into()),
        ];
        let table = Table::from_rows("numbers", &self.rows, &columns);
        let bars = self.rows.iter().map(|row| {
            let bar = |error| row.cell(|_| row.bar(error).unwrap_or(0.0));
            SystematicError::ALL.map(bar).to_vec()
        });
        let heads = SystematicError::ALL.map(|error| to_the_nanosecond(columns::contribution(error).column()));
        let place = table.place("remainder_us");
        columns::of_cases(table.with_columns(place, heads, bars), self.rows.iter().map(CorrectedRow::key))
    }

    /// Table of the rows of one operation, number of ranks and column, for readers.
    fn seen(&self, table: &Table, rows: &[usize], letters: &[String]) -> table::Table {
        let shown = ShownColumns::for_rows(rows.iter().map(|&row| &self.rows[row]));
        let bytes = Show::made("bytes", |row| {
            let bytes = self.rows[row.place()].reading.printed_bytes;
            table::Cell::number(bytes.map(|bytes| bytes.to_string()).unwrap_or_default(), "")
        });
        let errors = shown.errors.iter().map(|&error| {
            let heading = match error {
                SystematicError::OneRank if shown.rooted => "E2 by definition",
                error => error.label(),
            };
            Show::changed(columns::contribution(error).name, move |column| column.headed(heading))
        });
        let view = View::new(table)
            .captioned(title(&self.rows[rows[0]], &shown))
            .rows(rows.iter().copied())
            .in_unit(TimeUnit::Us);
        let view = view.show([bytes]).show(shown.algorithm.then(|| Show::one("algorithm")));
        let view = view.show([Show::value("printed_us")]).show(errors);
        let view = view.show(shown.remainder.then(|| Show::one("remainder_us")));
        let view = view.show(Show::all(["corrected_us", "scale"])).show(shown.source.then(|| Show::one("source")));
        view.show([Show::made("remarks", |row| table::Cell::text(&*letters[row.place()]))]).laid_out()
    }

    /// Section on how to read the tables.
    fn reading(&self) -> Section {
        let shown = ShownColumns::for_rows(&self.rows);
        let named = shown.errors.iter().map(|error| {
            let by_definition = match error {
                SystematicError::OneRank => {
                    " (by definition where the operation has a root: its ranks end at different times)"
                }
                _ => "",
            };
            format!("{} {}{by_definition}", error.label(), error.name())
        });
        let sources = if shown.source { SOURCES } else { "" };
        let errors = Some(named.collect::<Vec<_>>().join(", ")).filter(|errors| !errors.is_empty());
        let words = [format!("{READING}{sources} Reference: {}", self.reference)].into_iter().chain(errors);
        Section::new("How to read it").with_paragraphs(words)
    }

    /// The machine's notes, without those on network models that no correction here uses.
    fn notes_of_machine(&self) -> impl Iterator<Item = &String> {
        let best = self.machine.model_of_calls();
        let of_other = move |note: &String| {
            let model = note.split_once(':').map_or("", |(model, _)| model).to_lowercase();
            Network::MODELS.contains(&model.as_str()) && model != best
        };
        self.machine.notes.iter().filter(move |note| !of_other(note))
    }
}

impl Results for Answer<'_> {
    fn notes(&self) -> Vec<String> {
        let sentences = self.warnings().into_iter().chain(self.states.iter().cloned());
        sentences.chain(self.machine.notes.iter().cloned()).collect()
    }

    fn page(&self) -> Page {
        let table = self.table();
        let mut legend = Legend::default();
        let tables = tables(&self.rows);
        let mut letters = vec![String::new(); self.rows.len()];
        tables.iter().flatten().for_each(|&row| letters[row] = legend.letters(&self.rows[row]));
        let numbers = Section::new("Times of the calls")
            .with_warnings(self.warnings())
            .with_paragraphs(self.states.iter().cloned())
            .with_tables(tables.iter().map(|rows| self.seen(&table, rows, &letters)));
        let remarks = legend.entries().map(|(letter, remark)| format!("{letter}: {remark}"));
        let remarks = Section::new("Remarks").with_list(remarks);
        let Machine { name, provenance, .. } = self.machine;
        let machine = format!("{}, {}, {}", provenance.ran_by, provenance.host, provenance.date);
        let machine = Section::new(format!("Machine {name}")).with_paragraphs([machine]);
        let sections = [numbers, remarks, self.reading(), machine.with_list(self.notes_of_machine().cloned())];
        Page {
            question: "How long did the calls take?".to_owned(),
            answer: self.tally(),
            sections: sections.into_iter().filter(|section| !section.is_empty()).collect(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        let tally = Tally::count(&self.rows);
        vec![
            ("reference", self.reference.clone().into()),
            ("ran_by", self.machine.provenance.ran_by.clone().into()),
            ("confident", tally.confident.into()),
            ("right_as_printed", tally.as_printed.into()),
            ("doubtful", tally.doubtful.into()),
            ("not_corrected", tally.refused.into()),
        ]
    }
}

/// A column whose times add up, shown to the nanosecond.
fn to_the_nanosecond(column: Column) -> Column {
    column.shown(Style::Nanosecond)
}

/// `osu.txt: OSU bcast, binomial, 2 ranks, Avg Latency(us)`.
fn title(row: &CorrectedRow, shown: &ShownColumns) -> String {
    let reading = &row.reading;
    let file = reading.file.rsplit('/').next().unwrap_or(&reading.file);
    let mut parts = vec![format!("{} {}", reading.tool, row.operation())];
    parts.extend(row.algorithm.clone().filter(|_| !shown.algorithm));
    parts.extend(row.ranks.map(|ranks| format!("{ranks} ranks")));
    if !reading.head.is_empty() {
        parts.push(reading.head.clone());
    }
    format!("{file}: {}", parts.join(", "))
}
