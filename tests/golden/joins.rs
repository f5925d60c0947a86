//! The tables that different commands print as CSV join on their shared columns, in SQLite: a case has one name in all.

use crate::tables::printed;
use rusqlite::Connection;
use scenario::axis::Axis;

/// Tables of the same library's broadcast of 8 B, and the commands that print them.
const TABLES: [(&str, &[&str]); 5] = [
    ("measure", &["measure --out measure --resume --format csv -q"]),
    ("budget", &["budget --out budget --resume --format csv -q"]),
    ("validate", &["validate --out validate-mpi --resume --format csv"]),
    ("compare", &["compare measure measure --format csv"]),
    ("export", &["store add measure", "store export 1 --format csv"]),
];

/// A table of SQLite with the columns and rows of a CSV file; empty cells are null.
fn import(into: &Connection, name: &str, text: &str) {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads: Vec<String> = reader.headers().expect("heads").iter().map(|head| format!("\"{head}\"")).collect();
    into.execute(&format!("CREATE TABLE \"{name}\" ({})", heads.join(", ")), []).expect("a table");
    let places = vec!["?"; heads.len()].join(", ");
    let mut insert = into.prepare(&format!("INSERT INTO \"{name}\" VALUES ({places})")).expect("as many places");
    for record in reader.records() {
        let record = record.expect("as many cells as heads");
        let cells = record.iter().map(|cell| (!cell.is_empty()).then_some(cell));
        insert.execute(rusqlite::params_from_iter(cells)).expect("inserted");
    }
}

#[test]
fn tables_of_different_commands_join_on_their_shared_columns() {
    let store = Connection::open_in_memory().expect("SQLite");
    for (name, commands) in TABLES {
        let commands: Vec<String> = commands.iter().map(|command| (*command).to_owned()).collect();
        import(&store, name, &printed(&commands));
    }
    for (index, (left, _)) in TABLES.iter().enumerate() {
        for (right, _) in &TABLES[index + 1..] {
            let same: Vec<String> = Axis::SHARED.iter().map(|axis| format!("a.{axis} IS b.{axis}")).collect();
            let query = format!("SELECT count(*) FROM \"{left}\" a JOIN \"{right}\" b ON {}", same.join(" AND "));
            let pairs: i64 =
                store.query_row(&query, [], |row| row.get(0)).unwrap_or_else(|error| panic!("{query}: {error}"));
            assert!(pairs > 0, "{left} and {right} have no case in common");
        }
    }
    let flags = "SELECT count(*) FROM measure WHERE oversubscribed NOT IN ('true', 'false')";
    let others: i64 = store.query_row(flags, [], |row| row.get(0)).expect("counted");
    assert_eq!(others, 0, "booleans are true and false");
}
