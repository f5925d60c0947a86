//! Samples of a run, one by one, and the columns of their exports.

use super::add::signed;
use super::{Database, DatabaseError};
use render::whence::{HEADS, Whence};
use rusqlite::Row;
use scenario::axis::{Axis, AxisValue, Key};

/// A case of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCase {
    /// The case's number in the store.
    pub id: i64,
    /// Place of the case on every axis of [`Axis::STORED`].
    pub key: Key,
    /// Whether more ranks than cores shared the machine.
    pub oversubscribed: bool,
    /// Origin of the case: campaign, date, host, library.
    pub whence: [String; HEADS.len()],
}

/// One stamp of one rank; times are in ps on the global clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleRow {
    /// Kind of the stamp: `cold`, `timed`, or `subtracted` for the loop of barriers that is subtracted from the timed
    /// one.
    pub kind: String,
    /// Number of the rank.
    pub rank: i64,
    /// Number of the sample, counted from 0.
    pub sample: i64,
    /// Repeat of the method, or stage of windows.
    pub block: i64,
    /// Number of calls between start and end.
    pub calls: i64,
    /// Planned time of the start; `None` where none was planned.
    pub due_ps: Option<i64>,
    /// Time of the start.
    pub start_ps: i64,
    /// Time of the end.
    pub end_ps: i64,
    /// False where the sample started late or ended too late.
    pub valid: bool,
}

/// Type of the values in a column of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Whole,
    /// Whole numbers that may be missing.
    Perhaps,
    Number,
    Flag,
}

/// One value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    Text(&'a str),
    Whole(i64),
    Perhaps(Option<i64>),
    Number(f64),
    Flag(bool),
}

/// Columns of every export of samples, with units in their names.
pub(super) fn columns() -> Vec<(&'static str, Kind)> {
    let of_axis = |axis: Axis| (axis.name(), if axis.is_number() { Kind::Perhaps } else { Kind::Text });
    let before = [("run", Kind::Whole), ("case", Kind::Whole)];
    let after = [
        ("oversubscribed", Kind::Flag),
        ("kind", Kind::Text),
        ("rank", Kind::Whole),
        ("sample", Kind::Whole),
        ("block", Kind::Whole),
        ("calls_in_sample", Kind::Whole),
        ("due_ps", Kind::Perhaps),
        ("start_ps", Kind::Whole),
        ("end_ps", Kind::Whole),
        ("duration_per_call_us", Kind::Number),
        ("valid", Kind::Flag),
    ];
    let after = after.into_iter().chain(HEADS.map(|head| (head, Kind::Text)));
    before.into_iter().chain(Axis::STORED.map(of_axis)).chain(after).collect()
}

impl SampleRow {
    /// The row's values, in the order of [`columns`].
    pub(super) fn cells<'a>(&'a self, run: i64, case: &'a StoredCase) -> impl Iterator<Item = Cell<'a>> {
        let of_axis = |axis: Axis| match (axis.is_number(), case.key.get(axis)) {
            (true, value) => Cell::Perhaps(value.and_then(AxisValue::number).map(signed)),
            (false, Some(AxisValue::Text(text))) => Cell::Text(text),
            (false, _) => Cell::Text(""),
        };
        let lasted_ps = self.end_ps.saturating_sub(self.start_ps);
        let after = [
            Cell::Flag(case.oversubscribed),
            Cell::Text(&self.kind),
            Cell::Whole(self.rank),
            Cell::Whole(self.sample),
            Cell::Whole(self.block),
            Cell::Whole(self.calls),
            Cell::Perhaps(self.due_ps),
            Cell::Whole(self.start_ps),
            Cell::Whole(self.end_ps),
            Cell::Number(lasted_ps as f64 / self.calls.max(1) as f64 / 1e6),
            Cell::Flag(self.valid),
        ];
        let after = after.into_iter().chain(case.whence.iter().map(|text| Cell::Text(text)));
        [Cell::Whole(run), Cell::Whole(case.id)].into_iter().chain(Axis::STORED.map(of_axis)).chain(after)
    }
}

fn case(row: &Row) -> rusqlite::Result<StoredCase> {
    let mut key = Key::default();
    for (place, axis) in (2..).zip(Axis::STORED) {
        key = match axis.is_number() {
            true => key.counted(axis, row.get::<_, Option<i64>>(place)?.map(i64::unsigned_abs)),
            false => key.named(axis, &row.get::<_, Option<String>>(place)?.unwrap_or_default()),
        };
    }
    Ok(StoredCase { id: row.get(0)?, oversubscribed: row.get(1)?, key, whence: Default::default() })
}

fn sample(row: &Row) -> rusqlite::Result<SampleRow> {
    Ok(SampleRow {
        kind: row.get(0)?,
        rank: row.get(1)?,
        sample: row.get(2)?,
        block: row.get(3)?,
        calls: row.get(4)?,
        due_ps: row.get(5)?,
        start_ps: row.get(6)?,
        end_ps: row.get(7)?,
        valid: row.get(8)?,
    })
}

impl Database {
    /// The cases of a run, in the order of their numbers.
    ///
    /// # Errors
    /// [`DatabaseError::Busy`], [`DatabaseError::Sql`].
    pub fn cases(&self, run: i64) -> Result<Vec<StoredCase>, DatabaseError> {
        let whence = Whence::from_facts(&self.facts(run)?);
        let mut cases: Vec<StoredCase> = self.ask(|connection| {
            let axes = Axis::STORED.map(Axis::name).join(", ");
            let query = format!("SELECT id, oversubscribed, {axes} FROM cases WHERE run = ?1 ORDER BY id");
            let mut statement = connection.prepare(&query)?;
            statement.query_map([run], case)?.collect()
        })?;
        cases.iter_mut().for_each(|case| case.whence = whence.cells(Some(&case.key.text(Axis::World))));
        Ok(cases)
    }

    /// Hands every sample of a run to `take`, by case, kind, rank and sample.
    ///
    /// # Errors
    /// [`DatabaseError::Busy`], [`DatabaseError::Sql`], and the errors of `take`.
    pub fn samples(
        &self,
        run: i64,
        mut take: impl FnMut(&StoredCase, &SampleRow) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        for case in self.cases(run)? {
            let mut taken = Ok(());
            self.ask(|connection| {
                let mut statement = connection.prepare(
                    "SELECT kind, rank, sample, block, calls_in_sample, due_ps, start_ps, end_ps, valid FROM samples
                        WHERE case_id = ?1 ORDER BY kind, rank, sample",
                )?;
                for row in statement.query_map([case.id], sample)? {
                    taken = take(&case, &row?);
                    if taken.is_err() {
                        break;
                    }
                }
                Ok(())
            })?;
            taken?;
        }
        Ok(())
    }
}
