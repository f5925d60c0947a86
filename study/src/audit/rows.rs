//! Audits as typed tables, for all forms.

use super::answer::advice;
use super::{Audit, AuditRow, NOT_PAIRED, page};
use crate::over::OverReference;
use calibration::states::in_states;
use programs::observation::{Carrier, Implementation};
use render::columns;
use render::data::{Cell, Filled, Table};
use render::page::Page;
use render::results::{Look, Results};
use render::summary::environment_of;
use render::whence::Whence;
use scenario::axis::{Axis, Key};

impl AuditRow {
    /// Key of the case. It has no root, since roots may take turns, which the flags show.
    fn key(&self) -> Key {
        Key::default()
            .named(Axis::World, self.world.name())
            .named(Axis::Transport, Carrier::Native.name())
            .counted(Axis::Ranks, Some(self.ranks))
            .named(Axis::Operation, self.collective.name())
            .named(Axis::Algorithm, Implementation::Library.name())
            .counted(Axis::Bytes, Some(self.bytes))
    }
}

impl Audit {
    /// Table of all ratios, with a row for each.
    fn table(&self) -> Table {
        let factor = |log: Option<f64>| Cell::from(log.map(f64::exp));
        let confidence = |row: &AuditRow| row.over.ratio().1.map(|_| self.confidence).into();
        let columns: [Filled<AuditRow>; 18] = [
            (columns::BENCHMARK.column(), &|row| row.tool.to_lowercase().into()),
            (columns::FLAGS.column(), &|row| row.flags.clone().into()),
            (columns::COLUMN.column(), &|row| row.column.clone().into()),
            (columns::ELEMENT.column(), &|row| row.element.clone().into()),
            (columns::TEXT.column(), &|row| row.text.clone().into()),
            (columns::PAIRING.column(), &|row| if row.text.is_some() { NOT_PAIRED } else { "one launch" }.into()),
            (columns::REFERENCE_BUFFER.column(), &|_| self.reference.name().into()),
            (columns::PRINTED.column().without_limits(), &|row| row.printed_us.into()),
            (columns::REFERENCE.column().without_limits(), &|row| row.reference_us.into()),
            (columns::RATIO.column(), &|row| OverReference::cell(Some(&row.over))),
            (columns::CONFIDENCE.column(), &confidence),
            (columns::LOG_RATIO_ERROR.column(), &|row| row.over.log_ratio.standard_error.into()),
            (columns::LAUNCHES.column(), &|row| row.over.log_ratio.launches.into()),
            (columns::MODES.column(), &|row| row.over.groups_found().into()),
            (columns::NEVER_REWRITTEN.column(), &|row| factor(row.parts.never_rewritten)),
            (columns::RANKS_COUNTED.column(), &|row| factor(row.parts.ranks_counted)),
            (columns::REST.column(), &|row| factor(Some(row.parts.rest))),
            (columns::FIRM.column(), &|row| row.over.is_firm().into()),
        ];
        let table = in_states(Table::from_rows("rows", &self.rows, &columns), self.rows.iter().map(|row| row.state));
        columns::of_cases(table, self.rows.iter().map(AuditRow::key))
    }

    /// Table of the ratios of single launches.
    fn launches(&self) -> Table {
        let launches = self.rows.iter().flat_map(|row| row.over.of_launches.iter().map(move |of| (row, of)));
        let launches: Vec<(&AuditRow, &(u32, f64))> = launches.collect();
        let columns: [Filled<(&AuditRow, &(u32, f64))>; 5] = [
            (columns::BENCHMARK.column(), &|(row, _)| row.tool.to_lowercase().into()),
            (columns::FLAGS.column(), &|(row, _)| row.flags.clone().into()),
            (columns::COLUMN.column(), &|(row, _)| row.column.clone().into()),
            (columns::LAUNCH.column(), &|(_, (launch, _))| (launch + 1).into()),
            (columns::RATIO.column().without_limits(), &|(_, (_, log))| log.exp().into()),
        ];
        columns::of_cases(Table::from_rows("launches", &launches, &columns), launches.iter().map(|(row, _)| row.key()))
    }
}

impl Results for Audit {
    fn notes(&self) -> Vec<String> {
        let load = self.load.iter().map(|load| format!("{load}."));
        let texts = self.texts.iter().flat_map(|texts| texts.remarks.iter().cloned());
        let said = advice(self).into_iter().chain(self.launches.clone()).chain(load).chain(texts);
        said.chain(self.left_out.iter().cloned()).collect()
    }

    fn page(&self) -> Page {
        page::page(self)
    }

    fn rows(&self) -> Table {
        self.table()
    }

    fn others(&self) -> Vec<Table> {
        vec![self.launches(), self.states.table(), environment_of(&self.environment)]
    }

    fn facts(&self) -> Vec<(&'static str, Cell)> {
        let texts = self.texts.as_ref();
        vec![
            ("question", self.question.clone().into()),
            ("reference", self.reference.name().into()),
            ("confidence", self.confidence.into()),
            ("unpaired", self.unpaired.into()),
            ("references_host", texts.map(|texts| texts.host.clone()).into()),
            ("references_started", texts.map(|texts| texts.started.clone()).into()),
            ("reference_launches", texts.map(|texts| texts.launches).into()),
        ]
    }

    fn whence(&self) -> Option<Whence> {
        Some(Whence::from_facts(&self.environment))
    }

    fn terminal(&self, look: Look) -> String {
        page::terminal(self, look)
    }
}
