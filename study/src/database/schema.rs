//! Tables of the store, and the check that a file has them.
//!
//! Times are whole picoseconds on the global clock (rank 0's). A seed is text: SQLite's integers have a sign.

use super::{Database, DatabaseError, database_error};
use rusqlite::TransactionBehavior;
use scenario::axis::Axis;
use std::cmp::Ordering;

/// Version of the schema that this program writes.
pub const VERSION: i64 = 7;

/// Application number that marks a SQLite file as a store of Parallax: "Plax".
const APPLICATION: i64 = 0x506c_6178;

/// SQL of the tables, without the columns of the cases' axes.
const TABLES: &str = "
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    recorded_at TEXT NOT NULL,      -- UTC
    name TEXT NOT NULL,
    question TEXT NOT NULL,
    command_line TEXT NOT NULL,
    seed TEXT NOT NULL,
    commit_id TEXT,
    finished INTEGER NOT NULL CHECK (finished IN (0, 1)),
    line_hashes BLOB NOT NULL       -- 8 bytes for each line: by them a campaign is recognised
) STRICT;
CREATE TABLE environment (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    label TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE lines (                -- the campaign's own lines
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,        -- counted from 1
    json TEXT NOT NULL,
    PRIMARY KEY (run, number)
) STRICT;
CREATE TABLE cases (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
AXES    oversubscribed INTEGER NOT NULL CHECK (oversubscribed IN (0, 1)),
    ran_by TEXT NOT NULL,
    json TEXT NOT NULL              -- the case, whole
) STRICT;
CREATE INDEX cases_of_run ON cases (run);
CREATE TABLE samples (
    case_id INTEGER NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('cold', 'timed', 'subtracted')),
    rank INTEGER NOT NULL,
    sample INTEGER NOT NULL,        -- counted from 0
    block INTEGER NOT NULL,
    calls_in_sample INTEGER NOT NULL,   -- between start and end
    due_ps INTEGER,
    start_ps INTEGER NOT NULL,
    end_ps INTEGER NOT NULL,
    valid INTEGER NOT NULL CHECK (valid IN (0, 1)),
    PRIMARY KEY (case_id, kind, rank, sample)
) STRICT, WITHOUT ROWID;
CREATE TABLE clocks (
    case_id INTEGER NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
    rank INTEGER NOT NULL,
    ticks_per_second REAL NOT NULL,
    offset_ps INTEGER NOT NULL,     -- global minus local, before the first call
    bound_ps INTEGER NOT NULL,
    offset_after_ps INTEGER NOT NULL,
    bound_after_ps INTEGER NOT NULL,
    PRIMARY KEY (case_id, rank)
) STRICT, WITHOUT ROWID;
";

/// SQL of the tables. A case has a column for each axis of [`Axis::STORED`], NULL where the case has no value on it.
fn tables() -> String {
    let column = |axis: Axis| {
        let kind = if axis.is_number() { "INTEGER" } else { "TEXT" };
        format!("    {axis} {kind},\n")
    };
    TABLES.replace("AXES", &Axis::STORED.map(column).concat())
}

impl Database {
    /// Creates the tables in an empty file.
    pub(super) fn begin(&mut self) -> Result<(), DatabaseError> {
        let begun = |connection: &mut rusqlite::Connection| {
            // Two commands may begin the same file: the second one sees the first one's tables.
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let found: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            let version: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
            if found == 0 && version == 0 {
                transaction.execute_batch(&tables())?;
                transaction.pragma_update(None, "application_id", APPLICATION)?;
                transaction.pragma_update(None, "user_version", VERSION)?;
            }
            transaction.commit()
        };
        begun(&mut self.connection).map_err(|error| database_error(&self.path, self.patience, error))
    }

    /// Checks that the file is a store that this version can read.
    pub(super) fn check(&self) -> Result<(), DatabaseError> {
        let number = |pragma: &str| {
            self.ask(|connection| connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0)))
        };
        let (path, found) = (self.path.clone(), number("user_version")?);
        if number("application_id")? != APPLICATION {
            return Err(DatabaseError::Foreign {
                path,
                what: "another program's SQLite file, or an empty one".to_owned(),
            });
        }
        match found.cmp(&VERSION) {
            Ordering::Equal => Ok(()),
            Ordering::Greater => Err(DatabaseError::Newer { path, found }),
            Ordering::Less => Err(DatabaseError::Older { path, found }),
        }
    }
}
