//! Adds a campaign to the store: all of it, or nothing.

use super::{Database, DatabaseError, database_error};
use crate::contrast::case_of_row;
use formats::import::Imported;
use models::clock::Ticks;
use models::stable::fnv1a;
use models::time::Time;
use programs::observation::{RankRecord, Stamp};
use rusqlite::types::Value as Column;
use rusqlite::{Statement, Transaction, TransactionBehavior, params, params_from_iter};
use scenario::axis::{Axis, AxisValue, Key};
use scenario::store::Line;

/// Result of adding a campaign, with the run's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// The campaign was not in the store before.
    New(i64),
    /// The campaign was in the store and has gone on since: the run holds all of it.
    GoneOn(i64),
    /// The campaign was in the store, and nothing is new.
    Known(i64),
}

impl Added {
    /// Number of the run in the store.
    pub fn run(self) -> i64 {
        match self {
            Added::New(run) | Added::GoneOn(run) | Added::Known(run) => run,
        }
    }
}

impl Database {
    /// Adds a campaign's lines. `recorded_at` is the time, in UTC, that is noted where the lines do not state it.
    ///
    /// A campaign's file only ever grows: a run whose lines are the beginning of this campaign's is an earlier state of
    /// it, and is replaced.
    ///
    /// # Errors
    /// [`DatabaseError::NoCampaign`], [`DatabaseError::Busy`], [`DatabaseError::Sql`]; nothing is changed then.
    pub fn add(&mut self, lines: &[Line], recorded_at: &str) -> Result<Added, DatabaseError> {
        if !matches!(lines.first(), Some(Line::Campaign { .. })) {
            return Err(DatabaseError::NoCampaign);
        }
        let texts: Vec<String> = lines
            .iter()
            .map(|line| serde_json::to_string(line).expect("what was read from JSON can be written"))
            .collect();
        let (path, patience) = (self.path.clone(), self.patience);
        add(&mut self.connection, lines, &texts, recorded_at).map_err(|error| database_error(&path, patience, error))
    }
}

fn add(
    connection: &mut rusqlite::Connection,
    lines: &[Line],
    texts: &[String],
    recorded_at: &str,
) -> rusqlite::Result<Added> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let hashes: Vec<u8> = texts.iter().flat_map(|text| fnv1a(text.as_bytes()).to_le_bytes()).collect();
    let known = known(&transaction, &hashes)?;
    if let Some((run, length)) = known
        && length >= hashes.len()
    {
        return Ok(Added::Known(run));
    }
    if let Some((run, _)) = known {
        transaction.execute("DELETE FROM runs WHERE id = ?1", [run])?;
    }
    let run = insert_run(&transaction, known.map(|(run, _)| run), &lines[0], recorded_at, lines, &hashes)?;
    let mut statement = transaction.prepare("INSERT INTO lines VALUES (?1, ?2, ?3)")?;
    for (index, text) in texts.iter().enumerate() {
        statement.execute(params![run, index as i64 + 1, text])?;
    }
    drop(statement);
    insert_cases(&transaction, run, lines)?;
    transaction.commit()?;
    Ok(if known.is_some() { Added::GoneOn(run) } else { Added::New(run) })
}

/// Returns the run of the same campaign, and the number of bytes of its hashes.
fn known(transaction: &Transaction, hashes: &[u8]) -> rusqlite::Result<Option<(i64, usize)>> {
    let mut statement = transaction.prepare("SELECT id, line_hashes FROM runs WHERE substr(line_hashes, 1, 8) = ?1")?;
    let runs = statement.query_map([&hashes[..8]], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)))?;
    for run in runs {
        let (run, there) = run?;
        let common = there.len().min(hashes.len());
        if there[..common] == hashes[..common] {
            return Ok(Some((run, there.len())));
        }
    }
    Ok(None)
}

fn insert_run(
    transaction: &Transaction,
    id: Option<i64>,
    first: &Line,
    recorded_at: &str,
    lines: &[Line],
    hashes: &[u8],
) -> rusqlite::Result<i64> {
    let Line::Campaign { question, name, seed, environment, reproduce, .. } = first else {
        unreachable!("checked before the transaction began")
    };
    let said = |labels: &[&str]| {
        let found = environment.iter().find(|(label, _)| labels.contains(&label.to_ascii_lowercase().as_str()));
        found.map(|(_, value)| value.as_str())
    };
    transaction.execute(
        "INSERT INTO runs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            id,
            said(&["started", "date"]).or_else(|| calibrated_at(lines)).unwrap_or(recorded_at),
            name,
            question,
            reproduce.join("\n"),
            seed.to_string(),
            said(&["commit"]),
            lines.last() == Some(&Line::Finished {}),
            hashes
        ],
    )?;
    let run = transaction.last_insert_rowid();
    let mut statement = transaction.prepare("INSERT INTO environment VALUES (?1, ?2, ?3, ?4)")?;
    for (position, (label, value)) in environment.iter().enumerate() {
        statement.execute(params![run, position as i64, label, value])?;
    }
    Ok(run)
}

/// Date at which the first machine of a campaign was calibrated, which is at its beginning.
fn calibrated_at(lines: &[Line]) -> Option<&str> {
    lines.iter().find_map(|line| match line {
        Line::Machine(machine) => Some(machine.provenance.date.as_str()),
        _ => None,
    })
}

fn insert_cases(transaction: &Transaction, run: i64, lines: &[Line]) -> rusqlite::Result<()> {
    let values = vec!["?"; Axis::STORED.len() + 5].join(", ");
    let mut cases = transaction.prepare(&format!("INSERT INTO cases VALUES (NULL, {values})"))?;
    let mut samples = transaction.prepare("INSERT INTO samples VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?;
    let mut clocks = transaction.prepare("INSERT INTO clocks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
    for (index, line) in lines.iter().enumerate() {
        let number = index as i64 + 1;
        if let Line::Tested(tested) = line {
            // Numbers of tests are no instants on a clock, and stay in the line.
            for (key, _) in probes::cases::cases(tested) {
                let key = key.counted(Axis::Launch, Some(tested.number + 1));
                let place = (tested.oversubscribed(), tested.ran_by.as_str());
                insert_case(&mut cases, (run, number), &key, place, &serde_json::to_string(&key))?;
            }
        }
        if let Some(text) = Imported::of_lines(std::slice::from_ref(line)).first() {
            let row = &text.rows[0];
            let place = (false, row.word("library"));
            insert_case(&mut cases, (run, number), &case_of_row(text, row).0, place, &serde_json::to_string(row))?;
        }
        let Line::Measured(observation) = line else { continue };
        let key = Key::from_case(&observation.case).counted(Axis::Launch, Some(observation.occasion.launch + 1));
        let place = (observation.oversubscribed, observation.ran_by.as_str());
        insert_case(&mut cases, (run, number), &key, place, &serde_json::to_string(&observation.case))?;
        let case = transaction.last_insert_rowid();
        for record in &observation.ranks {
            let (before, after) = (record.clock, record.clock_after);
            clocks.execute(params![
                case,
                record.rank,
                before.scale.ticks_per_second,
                before.offset_ps,
                signed(before.bound.0),
                after.offset_ps,
                signed(after.bound.0)
            ])?;
            insert_samples(&mut samples, case, record)?;
        }
    }
    Ok(())
}

/// Inserts a case of a run that a line holds, given its key; `json` has the whole case.
fn insert_case(
    statement: &mut Statement,
    (run, line): (i64, i64),
    key: &Key,
    (oversubscribed, ran_by): (bool, &str),
    json: &serde_json::Result<String>,
) -> rusqlite::Result<()> {
    let at = |axis| match key.get(axis) {
        Some(AxisValue::Number(number)) => Column::Integer(signed(*number)),
        Some(AxisValue::Text(text)) => Column::Text(text.clone()),
        None => Column::Null,
    };
    let json = json.as_ref().expect("a case is plain data").clone();
    let rest = [oversubscribed.into(), ran_by.to_owned().into(), json.into()];
    let values = [Column::Integer(run), Column::Integer(line)].into_iter().chain(Axis::STORED.map(at)).chain(rest);
    statement.execute(params_from_iter(values)).map(drop)
}

fn insert_samples(statement: &mut Statement, case: i64, record: &RankRecord) -> rusqlite::Result<()> {
    let time = |ticks: Ticks| {
        let Time(ps) = record.clock.time(ticks);
        signed(ps)
    };
    let mut insert = |kind: &str, index: usize, stamp: &Stamp| {
        let (start, end) = (time(stamp.start), time(stamp.end));
        let (due, sample) = (stamp.due.map(time), index as i64);
        let values = params![case, kind, record.rank, sample, stamp.block, stamp.calls, due, start, end, stamp.valid];
        statement.execute(values).map(drop)
    };
    insert("cold", 0, &record.cold)?;
    record.stamps.iter().enumerate().try_for_each(|(index, stamp)| insert("timed", index, stamp))?;
    record.subtracted.iter().enumerate().try_for_each(|(index, stamp)| insert("subtracted", index, stamp))
}

/// A number as SQLite holds it; numbers beyond its range, 106 days of ps, stay at its end.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
