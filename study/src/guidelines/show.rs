//! Guidelines as a table and a page.

use super::{Check, Guidelines, Kind, Verdict};
use crate::contrast::spread;
use render::columns;
use render::data::{Cell, Filled, Show, Style, Table, View};
use render::groups::{counted, grouped};
use render::page::{Page, Section};
use render::results::Results;
use render::whence::Whence;
use render::{page, table};
use scenario::axis::{Axis, Key};

/// Largest number of suspected checks that are not folded.
const SUSPECTED: usize = 10;

impl Guidelines {
    /// Table of all checks, with a row for each, whatever their verdict.
    fn table(&self) -> Table {
        let columns: [Filled<Check>; 10] = [
            (columns::GUIDELINE.column(), &|check| check.guideline.clone().into()),
            (columns::AGAINST.column(), &|check| check.other.clone().into()),
            (columns::TIME.headed("call"), &|check| check.call_us.into()),
            (columns::AGAINST_TIME.headed("the other"), &|check| check.other_us.into()),
            (columns::RATIO.headed("factor").shown(Style::Fixed(3)), &|check| check.factor.into()),
            (columns::CONFIDENCE.column(), &|check| check.factor.map(|_| self.confidence).into()),
            (columns::ADJUSTED_P.headed("p").shown(Style::Probability), &|check| check.adjusted_p.into()),
            (columns::VERDICT.column(), &|check| check.verdict.name().into()),
            (columns::ADVICE.column(), &|check| check.advice.clone().into()),
            (columns::KIND.column(), &|check| check.kind.name().into()),
        ];
        let cases = self.checks.iter().map(|check| columns::at(&check.case, Axis::CASES).collect());
        Table::from_rows("checks", &self.checks, &columns).with_columns(1, columns::axes(Axis::CASES), cases)
    }

    /// Table of these checks for readers, without the axes that all cases share.
    fn seen(&self, table: &Table, rows: impl IntoIterator<Item = usize>) -> table::Table {
        let (varying, _) = self.axes();
        let case = Show::made("case", |row| {
            table::Cell::text(self.checks[row.place()].case.within(|axis| varying.contains(&axis)).to_string())
        });
        let confidence = format!("Intervals have {} % confidence.", (self.confidence * 1e4).round() / 100.0);
        let view = View::new(table).captioned("Calls against equivalent sequences").rows(rows).noting(vec![confidence]);
        let view = view.show([Show::one("guideline"), case]);
        view.show(Show::all(["time_us", "against", "against_us", "ratio", "adjusted_p", "verdict"])).laid_out()
    }

    /// Axes in which the checks' cases differ, and the values that they share. The operation is part of the guideline,
    /// and each has the one root and the one algorithm that were measured.
    fn axes(&self) -> (Vec<Axis>, Key) {
        let told = |axis: &Axis| ![Axis::Operation, Axis::Root, Axis::Algorithm].contains(axis);
        let among: Vec<Axis> = Axis::CASES.into_iter().filter(told).collect();
        let (mut varying, constant) = spread(&among, self.checks.iter().map(|check| &check.case));
        if !varying.contains(&Axis::Bytes) {
            varying.push(Axis::Bytes);
        }
        (varying, constant.within(|axis| axis != Axis::Bytes))
    }

    fn places(&self, verdict: Verdict) -> impl Iterator<Item = usize> {
        (0..self.checks.len()).filter(move |&place| self.checks[place].verdict == verdict)
    }

    fn with_verdict(&self, verdict: Verdict) -> impl Iterator<Item = &Check> {
        self.places(verdict).map(|place| &self.checks[place])
    }

    /// Reasons why suspected violations are not shown, each once with the number of checks.
    fn doubts(&self) -> impl Iterator<Item = String> {
        let doubts = counted(self.with_verdict(Verdict::Suspected).map(|check| check.advice.as_str()));
        doubts.into_iter().map(|(doubt, count)| format!("{count} suspected: {doubt}."))
    }

    /// Advice on each violated guideline, once, for the first of its lengths.
    fn advice(&self) -> Vec<Vec<page::Cell>> {
        let name = |check: &Check| match check.kind {
            Kind::MockUp | Kind::Regular => check.guideline.clone(),
            Kind::MonotoneInBytes | Kind::SplitRobust | Kind::MonotoneInRanks => {
                format!("{} at {} bytes", check.guideline, check.case.text(Axis::Bytes))
            }
        };
        let told = grouped(self.with_verdict(Verdict::Violated).map(|check| (name(check), check.advice.as_str())));
        told.into_iter().map(|(name, advice)| vec![page::Cell::text(name), page::Cell::text(advice[0])]).collect()
    }

    fn sections(&self, table: &Table) -> Vec<Section> {
        let kept = self.with_verdict(Verdict::Kept).count();
        let found = self.checks.len() - kept;
        let mut sections = Vec::new();
        if found > 0 {
            let advice = page::Table::new("What to do", ["guideline", "cure"], self.advice());
            let advice = Some(advice).filter(|advice| !advice.rows.is_empty());
            let checks =
                self.seen(table, self.places(Verdict::Violated).chain(self.places(Verdict::Suspected).take(SUSPECTED)));
            let section = Section::new("Violated and suspected").with_paragraphs(self.doubts());
            sections.push(section.with_tables(advice.into_iter().chain([checks])));
        }
        if self.with_verdict(Verdict::Suspected).count() > SUSPECTED {
            let more = self.seen(table, self.places(Verdict::Suspected).skip(SUSPECTED));
            sections.push(Section::new("More suspected").with_tables([more]).folded());
        }
        if kept > 0 {
            let words = format!("Kept: {kept} without any sign of a violation");
            sections.push(Section::new(words).with_tables([self.seen(table, self.places(Verdict::Kept))]).folded());
        }
        let percent = 100.0 * self.at_least;
        let how = format!(
            "A call of a library should not take longer than an equivalent sequence of its other calls, than the same \
             call with more data or on more ranks, or than several calls with a part of the data each (Träff, Gropp \
             and Thakur 2010; mock-ups as in PGMPI, Hunold and others 2016). Each of a mock-up's calls is timed on its \
             own, so that what they gain by overlapping counts for the call. Violated: the one-sided rank test is \
             significant, adjusted for all checks (Holm 1979), and the factor is at least {percent} % above 1. \
             Suspected: the factor is as large, but may be due to chance."
        );
        sections.push(Section::new("How it was judged").with_paragraphs([how]).folded());
        sections
    }
}

impl Results for Guidelines {
    fn notes(&self) -> Vec<String> {
        let (_, common) = self.axes();
        let common = if common.0.is_empty() { String::new() } else { format!("; all cases: {common}") };
        [format!("{}{common}", self.name)].into_iter().chain(self.notes.iter().cloned()).collect()
    }

    fn page(&self) -> Page {
        Page {
            question: format!("Does {} keep the performance guidelines?", self.name),
            answer: self.sentence.clone(),
            details: self.notes(),
            origin: self.name.clone(),
            sections: self.sections(&self.table()),
            ..Page::default()
        }
    }

    fn rows(&self) -> Table {
        self.table()
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        let Guidelines { name, confidence, at_least, .. } = self;
        vec![("name", name.clone().into()), ("confidence", (*confidence).into()), ("at_least", (*at_least).into())]
    }

    fn whence(&self) -> Option<Whence> {
        Some(self.whence.clone())
    }
}
