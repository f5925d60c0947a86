//! The proof as a typed table and as a page.

use super::{CONFIDENCE, Count, DEMANDED, ProofRow, ProofRows, Source, count};
use crate::cells::percent;
use programs::machine::Estimate;
use render::columns;
use render::data::{Cell, Filled, Row, Show, Table, View};
use render::groups::{distinct, together};
use render::page::{Page, Section};
use render::results::Results;
use render::table;
use render::whence::Whence;

/// Explanation of the columns that every table has.
const READING: &str = "medians of the odd rounds; corrections come from the even rounds and the calibration. ✓: \
    the corrected number is closer to the reference than the printed one; ✗: it is not; ~: the bias is not above noise \
    (the 95 % interval of printed minus reference contains 0, or the reference varies more from round to round), and \
    the row does not count; rounds: number of single odd rounds in which the number corrected by the even ones is \
    closer.";

/// The sources of corrections that a proof has.
const SOURCES: [Source; 2] = [Source::Predicted, Source::Measured];

impl ProofRow {
    /// The number corrected from one source.
    fn corrected(&self, source: Source) -> Option<Estimate> {
        self.by(source).ok().map(|done| done.us)
    }
}

impl ProofRows {
    fn table(&self) -> Table {
        let columns: [Filled<ProofRow>; 14] = [
            (columns::BENCHMARK.column(), &|row| row.benchmark.to_lowercase().into()),
            (columns::COLUMN.column(), &|row| row.head.into()),
            (columns::PRINTED.headed("printed"), &|row| row.printed_us.into()),
            (columns::REFERENCE.headed("reference"), &|row| row.reference_us.into()),
            (columns::BIAS.headed("bias"), &|row| row.bias_us.into()),
            (columns::CONFIDENCE.column(), &|_| CONFIDENCE.into()),
            (columns::REFERENCE_NOISE.column(), &|row| row.noise_us.into()),
            (columns::ABOVE_NOISE.column(), &|row| row.is_above_noise().into()),
            (columns::PREDICTED.headed("predicted"), &|row| row.corrected(Source::Predicted).into()),
            (columns::PREDICTED_CLOSER.column(), &|row| row.is_closer(Source::Predicted).into()),
            (columns::MEASURED.headed("measured"), &|row| row.corrected(Source::Measured).into()),
            (columns::MEASURED_CLOSER.column(), &|row| row.is_closer(Source::Measured).into()),
            (columns::ROUNDS_CLOSER.column(), &|row| row.rounds.0.into()),
            (columns::ROUNDS.column(), &|row| row.rounds.1.into()),
        ];
        columns::of_cases(Table::from_rows("rows", &self.rows, &columns), self.rows.iter().map(|row| row.key.clone()))
    }

    /// Table of the rows of one subject, for readers.
    fn seen(&self, table: &Table, rows: &[usize]) -> table::Table {
        let mark = |source: Source| {
            move |row: Row| {
                let row = &self.rows[row.place()];
                table::Cell::text(match row.is_closer(source) {
                    None => "–",
                    Some(_) if !row.is_above_noise() => "~",
                    Some(true) => "✓",
                    Some(false) => "✗",
                })
            }
        };
        let rounds = |row: Row| {
            let (closer, of) = self.rows[row.place()].rounds;
            table::Cell::number(format!("{closer}/{of}"), "")
        };
        let view = View::new(table).captioned(self.rows[rows[0]].subject.clone()).rows(rows.iter().copied());
        let view = view.show(Show::all(["bytes", "benchmark", "column"]));
        let view = view.show(["printed_us", "reference_us", "bias_us", "predicted_us"].map(Show::value));
        let view = view.show([Show::made("", mark(Source::Predicted)), Show::value("measured_us")]);
        view.show([Show::made("", mark(Source::Measured)), Show::made("rounds", rounds)]).laid_out()
    }

    /// Counts of the rows and rounds that came closer, in sentences.
    fn counts(&self) -> Vec<String> {
        let above = || self.rows.iter().filter(|row| row.is_above_noise());
        let all = format!("{} of {} rows have a bias above noise.", above().count(), self.rows.len());
        let by =
            SOURCES.map(|source| format!("{} corrections: {}.", source.name(), counted(count(&self.rows, source))));
        let (closer, of) = above().fold((0, 0), |sum, row| (sum.0 + row.rounds.0, sum.1 + row.rounds.1));
        let rounds = format!("Single rounds of these rows, with measured corrections: {closer} of {of} closer.");
        [all].into_iter().chain(by).chain([rounds]).collect()
    }
}

impl Results for ProofRows {
    fn answer(&self) -> String {
        let (count, demanded) = (count(&self.rows, self.by), percent(DEMANDED));
        let (name, Count { closer, of, .. }) = (self.by.name(), count);
        let word = if count.passes() { "proved" } else { "not proved" };
        match count.share().map(percent) {
            None => format!("verdict: not proved: no row with a bias above noise has a {name} correction"),
            Some(share) => format!(
                "verdict: {word}: {closer} of {of} rows ({share}) closer to the reference with {name} corrections; \
                 required {demanded}"
            ),
        }
    }

    fn notes(&self) -> Vec<String> {
        self.counts()
    }

    fn page(&self) -> Page {
        let table = self.table();
        let subjects = together(self.rows.iter().enumerate().map(|(place, row)| (&row.subject, place)));
        let failures = distinct(self.rows.iter().flat_map(|row| SOURCES.into_iter().filter_map(|of| row.by(of).err())));
        let rows = Section::new("All rows").with_tables(subjects.iter().map(|rows| self.seen(&table, rows)));
        let not_corrected = Section::new("Not corrected").with_list(failures);
        let sections = [rows, Section::new("How to read it").with_paragraphs([READING]), not_corrected];
        Page {
            question: "Are corrected numbers closer to the reference than printed ones?".to_owned(),
            answer: self.answer(),
            details: self.notes(),
            sections: sections.into_iter().filter(|section| !section.is_empty()).collect(),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        let Count { closer, of, held, refused } = count(&self.rows, self.by);
        let counts = [("closer", closer), ("above_noise", of), ("held", held), ("not_corrected", refused)];
        let by = [("by", self.by.name().into()), ("passes", count(&self.rows, self.by).passes().into())];
        by.into_iter().chain(counts.map(|(name, count)| (name, count.into()))).collect()
    }

    fn whence(&self) -> Option<Whence> {
        Some(self.whence.clone())
    }
}

fn counted(count: Count) -> String {
    let Count { closer, of, held, refused } = count;
    let refused = format!("{refused} not corrected");
    match count.share() {
        None => refused,
        Some(share) => {
            format!("{closer} of {of} closer ({}), reference within the interval in {held}; {refused}", percent(share))
        }
    }
}
