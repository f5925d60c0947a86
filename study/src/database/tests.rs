use super::*;
use crate::compare::fixture::{busy, lines as campaign};
use programs::method::Method;
use programs::observation::Carrier;
use scenario::axis::Axis;
use scenario::store::Line;
use std::path::PathBuf;

/// A campaign of two subjects under three methods and the trace.
fn lines() -> Vec<Line> {
    campaign(&[(Carrier::EMULATED, 2, "linear"), (Carrier::Native, 3, "chain")], &busy())
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store.sqlite");
    (folder, path)
}

/// What is said of a store, wherever that lies.
fn of_store(error: &str, path: &Path) -> String {
    error.replace(&path.display().to_string(), "STORE")
}

fn filled(path: &Path, lines: &[Line]) -> Database {
    let mut database = Database::create(path, PATIENCE).expect("a store");
    database.add(lines, "2026-11-21T00:00:00Z").expect("added");
    database
}

fn count(database: &Database, table: &str) -> i64 {
    database.ask(|sql| sql.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))).expect("a table")
}

fn counts(database: &Database) -> [i64; 6] {
    ["runs", "environment", "lines", "cases", "samples", "clocks"].map(|table| count(database, table))
}

#[test]
fn a_campaign_is_had_back_line_by_line() {
    let (_folder, path) = place();
    let lines = lines();
    drop(filled(&path, &lines));
    let database = Database::open(&path, PATIENCE).expect("a store");
    assert_eq!(database.lines(1).expect("lines"), lines);
    let run = database.find("unit").expect("by name");
    assert_eq!(run, database.find("1").expect("by number"));
    assert_eq!((run.seed.as_str(), run.finished, run.cases), ("7", true, 8));
    assert_eq!(
        (run.recorded_at.as_str(), run.command_line.as_str()),
        ("2026-11-21T00:00:00Z", "parallax run scenarios/unit.toml")
    );
    assert_eq!(database.environment(1).expect("facts"), [("Host".to_owned(), "unit".to_owned())]);
    assert_eq!(database.runs().expect("runs"), [run]);
    let measured: Vec<_> = lines.into_iter().filter(|line| matches!(line, Line::Measured(_))).collect();
    assert_eq!(observations(database.lines(1).expect("lines")).len(), measured.len());
}

#[test]
fn every_stamp_is_a_sample_on_the_global_clock_and_every_rank_has_its_clock() {
    let (_folder, path) = place();
    let lines = lines();
    let database = filled(&path, &lines);
    let observations = observations(lines);
    let expected: Vec<_> = observations
        .iter()
        .flat_map(|observation| observation.ranks.iter().map(move |rank| (observation, rank)))
        .flat_map(|(observation, rank)| {
            let stamp = move |(index, stamp): (usize, &programs::observation::Stamp)| {
                let (start, end) = rank.global(stamp.start, stamp.end);
                let method = observation.case.timing.method.name().to_owned();
                (method, i64::from(rank.rank), index as i64, start.0 as i64, end.0 as i64, stamp.valid)
            };
            rank.stamps.iter().enumerate().map(stamp).collect::<Vec<_>>()
        })
        .collect();
    let (mut found, mut cold) = (Vec::new(), 0);
    let taken = database.samples(1, |case, row| {
        match row.kind.as_str() {
            "timed" => {
                found.push((case.key.text(Axis::Method), row.rank, row.sample, row.start_ps, row.end_ps, row.valid))
            }
            "cold" => cold += 1,
            other => panic!("a sample of kind {other}"),
        }
        Ok(())
    });
    taken.expect("samples");
    assert_eq!(found, expected);
    assert_eq!((cold, count(&database, "clocks")), (4 * 2 + 4 * 3, 4 * 2 + 4 * 3));
    let offsets: (i64, i64, i64) = database
        .ask(|sql| {
            let query = "SELECT offset_ps, bound_ps, offset_after_ps FROM clocks WHERE rank = 2 LIMIT 1";
            sql.query_row(query, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        })
        .expect("a clock");
    assert_eq!(offsets, (-2_000_000, 2_000, -2_005_000));
}

#[test]
fn adding_again_changes_nothing_and_going_on_replaces() {
    let (_folder, path) = place();
    let lines = lines();
    let mut database = Database::create(&path, PATIENCE).expect("a store");
    let mut add = |lines: &[Line]| {
        let added = database.add(lines, "now").expect("added");
        (added, counts(&database))
    };
    let (added, half) = add(&lines[..10]);
    assert_eq!(added, Added::New(1));
    assert_eq!(add(&lines[..10]), (Added::Known(1), half));
    let (added, whole) = add(&lines);
    assert_eq!((added, whole[0], whole[2]), (Added::GoneOn(1), 1, lines.len() as i64));
    assert_eq!(add(&lines), (Added::Known(1), whole));
    // An old copy takes nothing away.
    assert_eq!(add(&lines[..10]), (Added::Known(1), whole));
    let mut other = lines.clone();
    let Line::Campaign { seed, .. } = &mut other[0] else { panic!("the first line says what is asked") };
    *seed = u64::MAX;
    let (added, both) = add(&other);
    assert_eq!((added, both), (Added::New(2), whole.map(|count| 2 * count)));
    let error = database.find("unit").expect_err("two of them").to_string();
    insta::assert_snapshot!(of_store(&error, &path));
    assert_eq!(database.find("2").expect("by number").seed, u64::MAX.to_string());
}

#[test]
fn what_is_no_campaign_is_refused() {
    let (_folder, path) = place();
    let mut database = Database::create(&path, PATIENCE).expect("a store");
    assert!(matches!(database.add(&[], "now"), Err(DatabaseError::NoCampaign)));
    assert!(matches!(database.add(&lines()[1..], "now"), Err(DatabaseError::NoCampaign)));
    assert_eq!(counts(&database), [0; 6]);
}

#[test]
fn reading_makes_no_store() {
    let (folder, path) = place();
    let error = Database::open(&path, PATIENCE).expect_err("there is none").to_string();
    insta::assert_snapshot!(of_store(&error, &path));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn other_files_are_no_stores_and_stay_as_they_are() {
    let (folder, path) = place();
    let mut said = Vec::new();
    for content in ["", "{\"campaign\":{}}\n", "SQLite format 3\0 and then nothing that follows the format"] {
        std::fs::write(&path, content).expect("written");
        let error = Database::open(&path, PATIENCE).expect_err(content).to_string();
        said.push(format!("{content:?}\n  → {}", of_store(&error, &path)));
        if !content.is_empty() {
            assert!(Database::create(&path, PATIENCE).is_err());
            assert_eq!(std::fs::read_to_string(&path).expect("text"), content);
        }
    }
    let other = folder.path().join("other.sqlite");
    rusqlite::Connection::open(&other).expect("a file").execute_batch("CREATE TABLE t (a)").expect("a table");
    let error = Database::create(&other, PATIENCE).expect_err("another program's").to_string();
    said.push(format!("another program's\n  → {}", of_store(&error, &other)));
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_newer_schema_is_refused_and_an_older_one() {
    let (_folder, path) = place();
    let database = filled(&path, &lines());
    let mut said = Vec::new();
    for version in [VERSION + 1, VERSION - 1] {
        database.ask(|sql| sql.pragma_update(None, "user_version", version)).expect("a version");
        for error in [Database::open(&path, PATIENCE), Database::create(&path, PATIENCE)] {
            let error = error.expect_err("another schema").to_string();
            assert!(error.contains(&format!("schema {version}")), "{error}");
            said.push(of_store(&error, &path));
        }
    }
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn a_store_that_is_being_written_says_so() {
    let (_folder, path) = place();
    let other = filled(&path, &lines());
    other.ask(|sql| sql.execute_batch("BEGIN EXCLUSIVE")).expect("the lock");
    let patience = std::time::Duration::from_millis(10);
    for error in [Database::open(&path, patience), Database::create(&path, patience)] {
        let error = error.expect_err("busy").to_string();
        insta::assert_snapshot!("a_store_in_use", of_store(&error, &path));
    }
    other.ask(|sql| sql.execute_batch("ROLLBACK")).expect("the lock is gone");
    Database::open(&path, patience).expect("a store");
}

#[test]
fn csv_has_a_line_for_every_sample() {
    let (_folder, path) = place();
    let database = filled(&path, &lines());
    let mut text = Vec::new();
    csv(&database, 1, &mut text).expect("written");
    let mut reader = ::csv::Reader::from_reader(text.as_slice());
    let heads = reader.headers().expect("heads").clone();
    let column = |name: &str| heads.iter().position(|head| head == name).expect(name);
    let rows: Vec<::csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len() as i64, count(&database, "samples"));
    let row =
        rows.iter().find(|row| &row[column("method")] == "loop" && &row[column("kind")] == "timed").expect("a loop");
    let number = |name: &str| row[column(name)].parse::<f64>().expect(name);
    let duration_us = (number("end_ps") - number("start_ps")) / number("calls_in_sample") / 1e6;
    assert!((number("duration_per_call_us") - duration_us).abs() < 1e-6, "to the picosecond");
    let facts = database.facts(1).expect("facts");
    assert_eq!((facts[0].0.as_str(), &row[column("campaign")]), ("campaign", facts[0].1.as_str()));
    assert_eq!((&row[column("segment_bytes")], &row[column("world")]), ("", "threads"));
}

#[test]
fn people_see_runs_and_their_cases() {
    let (_folder, path) = place();
    let lines = lines();
    let database = filled(&path, &lines);
    let runs = list(&database.runs().expect("runs"));
    assert!(runs.lines().nth(2).expect("a run").contains("unit      8  yes"), "{runs}");
    let run = database.find("1").expect("a run");
    let text = show(&run, &database.environment(1).expect("facts"), &lines);
    assert!(text.contains("seed 7, finished") && text.contains("reproduce: parallax run"), "{text}");
    let windows = text.lines().filter(|line| line.contains(Method::Window.name())).collect::<Vec<_>>();
    assert_eq!(windows.len(), 2, "{text}");
    assert!(windows[0].contains("24   30"), "every fifth window is not valid: {text}");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_holds_what_csv_holds() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    let (folder, path) = place();
    let database = filled(&path, &lines());
    let file = folder.path().join("samples.parquet");
    parquet(&database, 1, std::fs::File::create(&file).expect("a file")).expect("written");
    let reader = SerializedFileReader::new(std::fs::File::open(&file).expect("a file")).expect("Parquet");
    let rows: Vec<Vec<String>> = reader
        .get_row_iter(None)
        .expect("rows")
        .map(|row| row.expect("a row").get_column_iter().map(|(_, field)| field.to_string()).collect())
        .collect();
    let mut text = Vec::new();
    csv(&database, 1, &mut text).expect("written");
    let mut csv = ::csv::Reader::from_reader(text.as_slice());
    let names: Vec<String> = csv.headers().expect("heads").iter().map(str::to_owned).collect();
    let columns = reader.metadata().file_metadata().schema().get_fields();
    assert_eq!(columns.iter().map(|column| column.name()).collect::<Vec<_>>(), names);
    let records: Vec<_> = csv.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), records.len());
    let as_csv = |cell: &str| match cell {
        "null" => String::new(),
        text => text.trim_matches('"').to_owned(),
    };
    for (row, record) in rows.iter().zip(records) {
        for ((cell, expected), name) in row.iter().zip(record.iter()).zip(&names) {
            let cell = as_csv(cell);
            let same = cell == expected
                || matches!((cell.parse::<f64>(), expected.parse::<f64>()), (Ok(a), Ok(b)) if (a - b).abs() < 1e-6);
            assert!(same, "{name}: {cell} {expected}");
        }
    }
}
