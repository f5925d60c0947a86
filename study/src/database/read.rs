//! Reads the content of a store.

use super::{Database, DatabaseError};
use programs::observation::Observation;
use rusqlite::Row;
use scenario::store::{Line, id};

/// A campaign in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Number of the run in this store.
    pub id: i64,
    /// Time at which the run was recorded, in UTC.
    pub recorded_at: String,
    /// Name of the run's scenario.
    pub name: String,
    /// Question that the run answers.
    pub question: String,
    /// Commands that reproduce the run, one per line.
    pub command_line: String,
    /// Seed of all random draws.
    pub seed: String,
    /// The commit of Parallax, where the run noted it.
    pub commit: Option<String>,
    /// Whether it ran to its end.
    pub finished: bool,
    /// Number of measured cases.
    pub cases: i64,
}

const RUNS: &str = "SELECT id, recorded_at, name, question, command_line, seed, commit_id, finished,
    (SELECT count(*) FROM cases WHERE run = runs.id) FROM runs";

fn run(row: &Row) -> rusqlite::Result<Run> {
    Ok(Run {
        id: row.get(0)?,
        recorded_at: row.get(1)?,
        name: row.get(2)?,
        question: row.get(3)?,
        command_line: row.get(4)?,
        seed: row.get(5)?,
        commit: row.get(6)?,
        finished: row.get(7)?,
        cases: row.get(8)?,
    })
}

impl Database {
    /// All runs, in the order in which they were added.
    ///
    /// # Errors
    /// [`DatabaseError::Busy`], [`DatabaseError::Sql`].
    pub fn runs(&self) -> Result<Vec<Run>, DatabaseError> {
        self.ask(|connection| connection.prepare(&format!("{RUNS} ORDER BY id"))?.query_map([], run)?.collect())
    }

    /// Finds the run of a number, or the only one of a name.
    ///
    /// # Errors
    /// [`DatabaseError::NoRun`], also where several have the name; [`DatabaseError::Busy`], [`DatabaseError::Sql`].
    pub fn find(&self, wanted: &str) -> Result<Run, DatabaseError> {
        let mut found = self.ask(|connection| {
            let mut statement = connection.prepare(&format!("{RUNS} WHERE id = ?1 OR name = ?2 ORDER BY id"))?;
            statement.query_map((wanted.parse::<i64>().ok(), wanted), run)?.collect::<rusqlite::Result<Vec<Run>>>()
        })?;
        if let Some(at) = found.iter().position(|run| run.id.to_string() == wanted) {
            return Ok(found.swap_remove(at));
        }
        if found.len() == 1 {
            return Ok(found.swap_remove(0));
        }
        let numbers: Vec<String> = found.iter().map(|run| run.id.to_string()).collect();
        let known = if numbers.is_empty() {
            String::new()
        } else {
            format!("; of that name there are {}: give the number", numbers.join(", "))
        };
        Err(DatabaseError::NoRun { path: self.path.clone(), wanted: wanted.to_owned(), known })
    }

    /// Label and value of each fact that the run noted about its environment.
    ///
    /// # Errors
    /// [`DatabaseError::Busy`], [`DatabaseError::Sql`].
    pub fn environment(&self, run: i64) -> Result<Vec<(String, String)>, DatabaseError> {
        self.ask(|connection| {
            let mut statement =
                connection.prepare("SELECT label, value FROM environment WHERE run = ?1 ORDER BY position")?;
            statement.query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })
    }

    /// The facts of [`Database::environment`], preceded by the campaign's identifier, as [`scenario::store::facts`]
    /// returns them.
    ///
    /// # Errors
    /// [`DatabaseError::Busy`], [`DatabaseError::Sql`].
    pub fn facts(&self, run: i64) -> Result<Vec<(String, String)>, DatabaseError> {
        let first: Option<String> = self.ask(|connection| {
            let mut statement = connection.prepare("SELECT json FROM lines WHERE run = ?1 AND number = 1")?;
            statement.query_map([run], |row| row.get(0))?.next().transpose()
        })?;
        let first: Option<Line> = first.and_then(|text| serde_json::from_str(&text).ok());
        let id = first.as_ref().and_then(id).map(|id| ("campaign".to_owned(), id));
        Ok(id.into_iter().chain(self.environment(run)?).collect())
    }

    /// The campaign's own lines, as it wrote them, without line ends.
    ///
    /// # Errors
    /// [`DatabaseError::Busy`], [`DatabaseError::Sql`].
    pub fn texts(&self, run: i64) -> Result<Vec<String>, DatabaseError> {
        self.ask(|connection| {
            let mut statement = connection.prepare("SELECT json FROM lines WHERE run = ?1 ORDER BY number")?;
            statement.query_map([run], |row| row.get(0))?.collect()
        })
    }

    /// The campaign's lines, parsed.
    ///
    /// # Errors
    /// Fails where [`Database::texts`] fails, and with [`DatabaseError::Broken`].
    pub fn lines(&self, run: i64) -> Result<Vec<Line>, DatabaseError> {
        let line = |(text, line): (&String, i64)| {
            let path = self.path.clone();
            serde_json::from_str(text).map_err(|reason| DatabaseError::Broken { path, run, line, reason })
        };
        self.texts(run)?.iter().zip(1..).map(line).collect()
    }
}

/// Returns the measured observations, in the order of the lines.
pub fn observations(lines: Vec<Line>) -> Vec<Observation> {
    let measured = |line| match line {
        Line::Measured(observation) => Some(observation),
        _ => None,
    };
    lines.into_iter().filter_map(measured).collect()
}
