//! The store of all campaigns: one SQLite file, for questions across runs that one campaign's file cannot answer.
//!
//! A campaign's own lines are kept unchanged, so that they can be restored byte for byte. Beside them are tables for
//! queries in SQL: runs, environment, cases, samples, clocks. Adding a campaign again changes nothing; adding it after
//! it has gone on replaces its run. Everything is one transaction: a run is never stored in part.

mod add;
mod csv;
#[cfg(feature = "parquet")]
mod parquet;
mod read;
mod samples;
mod schema;
mod show;

pub use add::Added;
pub use csv::csv;
#[cfg(feature = "parquet")]
pub use parquet::parquet;
pub use read::{Run, observations};
pub use samples::{SampleRow, StoredCase};
pub use schema::VERSION;
pub use show::{list, show};

use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Duration for which a command waits for another one that writes.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// An open store in a SQLite file.
#[derive(Debug)]
pub struct Database {
    connection: Connection,
    path: PathBuf,
    patience: Duration,
}

/// Reason why an operation on a store failed.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// There is no store, and reading creates none.
    #[error("{} is not there; `parallax store add CAMPAIGN.jsonl` makes a store, or name another with --db", .0.display())]
    Absent(PathBuf),
    /// Another process is writing the store.
    #[error("{} is being written by another process (waited {} s): wait for its end and try again, or name another store with --db", path.display(), patience.as_secs_f64())]
    Busy {
        /// Path of the store's file.
        path: PathBuf,
        /// Duration of the wait.
        patience: Duration,
    },
    /// The file is no store of Parallax.
    #[error("{} is no store of Parallax: {what}; name another file with --db", path.display())]
    Foreign {
        /// Path of the file.
        path: PathBuf,
        /// Kind of the file that was found, in words.
        what: String,
    },
    /// A later version of Parallax wrote the store.
    #[error("{} was written by a newer Parallax (schema {found}, this one knows up to {VERSION}): use that one, or name another store with --db", path.display())]
    Newer {
        /// Path of the store's file.
        path: PathBuf,
        /// Version of the file's schema.
        found: i64,
    },
    /// An earlier version of Parallax wrote the store.
    #[error("{} was written by an older Parallax (schema {found}, this one has {VERSION}): add its campaigns to a new store with --db", path.display())]
    Older {
        /// Path of the store's file.
        path: PathBuf,
        /// Version of the file's schema.
        found: i64,
    },
    /// The lines to be added are no campaign.
    #[error("the file does not begin with the first line of a campaign; give the campaign.jsonl of a run")]
    NoCampaign,
    /// The store has no such run.
    #[error("{} has no run '{wanted}'; `parallax store list` lists them{known}", path.display())]
    NoRun {
        /// Path of the store's file.
        path: PathBuf,
        /// Number or name of the requested run.
        wanted: String,
        /// The runs of that name, if there are several.
        known: String,
    },
    /// A line of a run cannot be read.
    #[error("{} run {run}: line {line}: {reason}; another version of Parallax may have written it", path.display())]
    Broken {
        /// Path of the store's file.
        path: PathBuf,
        /// Number of the run.
        run: i64,
        /// Number of the line, counted from 1.
        line: i64,
        /// Error in the line's JSON.
        reason: serde_json::Error,
    },
    /// An export could not be written.
    #[error("cannot be written: {0}")]
    Write(#[from] std::io::Error),
    /// Any other error of SQLite.
    #[error("{}: {reason}; check that the file may be read and written and that the disk has room", path.display())]
    Sql {
        /// Path of the store's file.
        path: PathBuf,
        /// Error as SQLite reports it.
        reason: rusqlite::Error,
    },
}

impl Database {
    /// Opens a store to read it.
    ///
    /// # Errors
    /// [`DatabaseError::Absent`], [`DatabaseError::Foreign`], [`DatabaseError::Newer`], [`DatabaseError::Older`],
    /// [`DatabaseError::Busy`], [`DatabaseError::Sql`].
    pub fn open(path: &Path, patience: Duration) -> Result<Database, DatabaseError> {
        if !path.exists() {
            return Err(DatabaseError::Absent(path.to_owned()));
        }
        let database = Database::connect(path, patience, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        database.check()?;
        Ok(database)
    }

    /// Opens a store to add to it; creates it, but no folder, if there is none.
    ///
    /// # Errors
    /// Fails where [`Database::open`] fails, except for an absent file.
    pub fn create(path: &Path, patience: Duration) -> Result<Database, DatabaseError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut database = Database::connect(path, patience, flags)?;
        database.begin()?;
        database.check()?;
        Ok(database)
    }

    fn connect(path: &Path, patience: Duration, flags: OpenFlags) -> Result<Database, DatabaseError> {
        let path = path.to_owned();
        let opened = Connection::open_with_flags(&path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
        let connection = opened.map_err(|error| database_error(&path, patience, error))?;
        let database = Database { connection, path, patience };
        database.ask(|connection| {
            connection.busy_timeout(patience)?;
            connection.pragma_update(None, "foreign_keys", true)
        })?;
        Ok(database)
    }

    /// Path of the store's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn ask<T>(&self, ask: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, DatabaseError> {
        ask(&self.connection).map_err(|error| database_error(&self.path, self.patience, error))
    }
}

/// Converts an error of SQLite.
fn database_error(path: &Path, patience: Duration, reason: rusqlite::Error) -> DatabaseError {
    let path = path.to_owned();
    match reason.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => DatabaseError::Busy { path, patience },
        Some(ErrorCode::NotADatabase) => DatabaseError::Foreign { path, what: "it is no SQLite file".to_owned() },
        _ => DatabaseError::Sql { path, reason },
    }
}

#[cfg(test)]
mod tests;
