//! Samples of a run, one by one, and the columns of their exports.

use super::{Database, DatabaseError};
use rusqlite::Row;

/// What tells cases of a run apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseKey {
    /// The case's number in the store.
    pub id: i64,
    /// Where it ran.
    pub world: String,
    /// Over what.
    pub transport: String,
    /// How many ranks.
    pub ranks: i64,
    /// Which collective.
    pub collective: String,
    /// The name of the call.
    pub operation: String,
    /// By whose algorithm.
    pub algorithm: String,
    /// The root, where the operation has one.
    pub root: Option<i64>,
    /// Bytes, as a case has them.
    pub bytes: i64,
    /// Length of segments.
    pub segment_bytes: Option<i64>,
    /// Fanout.
    pub fanout: Option<i64>,
    /// Segments, call and conditions in words, where they are not the usual ones.
    pub variant: String,
    /// In which launch of the ranks, counted from 1.
    pub launch: i64,
    /// How the time was obtained.
    pub method: String,
    /// Calls per loop.
    pub repetitions: i64,
    /// Whether more ranks than cores shared the machine.
    pub oversubscribed: bool,
}

/// One stamp of one rank; times in ps on the global clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleRow {
    /// `cold`, `timed`, or `subtracted`: the loop of barriers that is taken from the timed one.
    pub kind: String,
    /// The rank.
    pub rank: i64,
    /// Counted from 0.
    pub repetition: i64,
    /// Repeat of the method, or stage of windows.
    pub block: i64,
    /// Calls between start and end.
    pub calls: i64,
    /// When it was to start.
    pub due_ps: Option<i64>,
    /// When it started.
    pub start_ps: i64,
    /// When it ended.
    pub end_ps: i64,
    /// False where it started late or ended too late.
    pub valid: bool,
}

/// What a column of an export holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Whole,
    /// May be missing.
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

/// Columns of every export of samples; units are in their names.
pub(super) const COLUMNS: [(&str, Kind); 27] = [
    ("run", Kind::Whole),
    ("case", Kind::Whole),
    ("world", Kind::Text),
    ("transport", Kind::Text),
    ("ranks", Kind::Whole),
    ("collective", Kind::Text),
    ("operation", Kind::Text),
    ("algorithm", Kind::Text),
    ("root", Kind::Perhaps),
    ("bytes", Kind::Whole),
    ("segment_bytes", Kind::Perhaps),
    ("fanout", Kind::Perhaps),
    ("variant", Kind::Text),
    ("launch", Kind::Whole),
    ("method", Kind::Text),
    ("repetitions", Kind::Whole),
    ("oversubscribed", Kind::Flag),
    ("kind", Kind::Text),
    ("rank", Kind::Whole),
    ("repetition", Kind::Whole),
    ("block", Kind::Whole),
    ("calls", Kind::Whole),
    ("due_ps", Kind::Perhaps),
    ("start_ps", Kind::Whole),
    ("end_ps", Kind::Whole),
    ("time_per_call_us", Kind::Number),
    ("valid", Kind::Flag),
];

impl SampleRow {
    /// The row's values, in the order of [`COLUMNS`].
    pub(super) fn cells<'a>(&'a self, run: i64, case: &'a CaseKey) -> [Cell<'a>; COLUMNS.len()] {
        let lasted_ps = self.end_ps.saturating_sub(self.start_ps);
        [
            Cell::Whole(run),
            Cell::Whole(case.id),
            Cell::Text(&case.world),
            Cell::Text(&case.transport),
            Cell::Whole(case.ranks),
            Cell::Text(&case.collective),
            Cell::Text(&case.operation),
            Cell::Text(&case.algorithm),
            Cell::Perhaps(case.root),
            Cell::Whole(case.bytes),
            Cell::Perhaps(case.segment_bytes),
            Cell::Perhaps(case.fanout),
            Cell::Text(&case.variant),
            Cell::Whole(case.launch),
            Cell::Text(&case.method),
            Cell::Whole(case.repetitions),
            Cell::Flag(case.oversubscribed),
            Cell::Text(&self.kind),
            Cell::Whole(self.rank),
            Cell::Whole(self.repetition),
            Cell::Whole(self.block),
            Cell::Whole(self.calls),
            Cell::Perhaps(self.due_ps),
            Cell::Whole(self.start_ps),
            Cell::Whole(self.end_ps),
            Cell::Number(lasted_ps as f64 / self.calls.max(1) as f64 / 1e6),
            Cell::Flag(self.valid),
        ]
    }
}

fn case(row: &Row) -> rusqlite::Result<CaseKey> {
    Ok(CaseKey {
        id: row.get(0)?,
        world: row.get(1)?,
        transport: row.get(2)?,
        ranks: row.get(3)?,
        collective: row.get(4)?,
        operation: row.get(5)?,
        algorithm: row.get(6)?,
        root: row.get(7)?,
        bytes: row.get(8)?,
        segment_bytes: row.get(9)?,
        fanout: row.get(10)?,
        variant: row.get(11)?,
        launch: row.get(12)?,
        method: row.get(13)?,
        repetitions: row.get(14)?,
        oversubscribed: row.get(15)?,
    })
}

fn sample(row: &Row) -> rusqlite::Result<SampleRow> {
    Ok(SampleRow {
        kind: row.get(0)?,
        rank: row.get(1)?,
        repetition: row.get(2)?,
        block: row.get(3)?,
        calls: row.get(4)?,
        due_ps: row.get(5)?,
        start_ps: row.get(6)?,
        end_ps: row.get(7)?,
        valid: row.get(8)?,
    })
}

impl Database {
    /// The cases of a run.
    ///
    /// # Errors
    /// [`DatabaseError::Busy`], [`DatabaseError::Sql`].
    pub fn cases(&self, run: i64) -> Result<Vec<CaseKey>, DatabaseError> {
        self.ask(|connection| {
            let mut statement = connection.prepare(
                "SELECT id, world, transport, ranks, collective, operation, algorithm, root, bytes, segment_bytes, fanout,
                    variant, launch, method, repetitions, oversubscribed FROM cases WHERE run = ?1 ORDER BY id",
            )?;
            statement.query_map([run], case)?.collect()
        })
    }

    /// Hands every sample of a run to `take`, by case, kind, rank and repetition.
    ///
    /// # Errors
    /// [`DatabaseError::Busy`], [`DatabaseError::Sql`], and what `take` says.
    pub fn samples(
        &self,
        run: i64,
        mut take: impl FnMut(&CaseKey, &SampleRow) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        for case in self.cases(run)? {
            let mut taken = Ok(());
            self.ask(|connection| {
                let mut statement = connection.prepare(
                    "SELECT kind, rank, repetition, block, calls, due_ps, start_ps, end_ps, valid FROM samples
                        WHERE case_id = ?1 ORDER BY kind, rank, repetition",
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
