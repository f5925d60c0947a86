//! Numbers with their units until the last moment: results of a command, as tables of typed cells.
//!
//! A [`Table`] is long: one quantity to a column, columns in the order of the CSV. A [`View`] of it is its form for
//! readers: some of its columns, in the order and with the digits in which they read best. CSV and JSON never look at
//! views.

mod cell;
mod column;
mod json;
mod view;

pub use cell::Cell;
pub use column::{Column, Kind, Known, Style};
pub use json::Object;
pub use view::{Row, Show, View};

use crate::table::csv_text;
use crate::whence::{HEADS, Whence};

/// A column, with the function that returns its cell for the subject of a row.
pub type Filled<'a, T> = (Column, &'a dyn Fn(&T) -> Cell);

/// Rows of typed cells under columns that describe them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Name of the member of the JSON object that holds the rows.
    pub name: &'static str,
    /// Columns of the table, in the order of the CSV.
    pub columns: Vec<Column>,
    /// Rows of the table, with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Returns a table of these columns.
    ///
    /// # Panics
    /// Panics if a row has another number of cells than there are columns.
    pub fn new(
        name: &'static str,
        columns: impl IntoIterator<Item = Column>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Table {
        let (columns, rows): (Vec<Column>, Vec<Vec<Cell>>) =
            (columns.into_iter().collect(), rows.into_iter().collect());
        assert!(rows.iter().all(|row| row.len() == columns.len()), "{name}: a cell for each column");
        Table { name, columns, rows }
    }

    /// Returns a table with a row for each of these things; each column comes with the function that returns its cell.
    pub fn from_rows<'a, T: 'a>(
        name: &'static str,
        rows: impl IntoIterator<Item = &'a T>,
        columns: &[Filled<'_, T>],
    ) -> Table {
        let row = |thing: &T| columns.iter().map(|(_, cell)| cell(thing)).collect();
        Table::new(name, columns.iter().map(|(column, _)| column.clone()), rows.into_iter().map(row))
    }

    /// Returns the table with further columns inserted at this place, or at the end; for each row there is a list of
    /// their cells.
    ///
    /// # Panics
    /// Panics if there are more or fewer lists than rows, or if a list has another number of cells than there are
    /// columns.
    #[must_use]
    pub fn with_columns(
        mut self,
        place: usize,
        columns: impl IntoIterator<Item = Column>,
        cells: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Table {
        let (before, cells) = (self.columns.len(), cells.into_iter().collect::<Vec<_>>());
        self.columns.splice(place..place, columns);
        let count = self.columns.len() - before;
        assert!(cells.len() == self.rows.len() && cells.iter().all(|list| list.len() == count), "{}", self.name);
        for (row, cells) in self.rows.iter_mut().zip(cells) {
            row.reserve_exact(count);
            row.splice(place..place, cells);
        }
        self
    }

    /// Returns the place of a column.
    ///
    /// # Panics
    /// Panics if there is no column of this name.
    pub fn place(&self, name: &str) -> usize {
        let place = self.columns.iter().position(|column| column.name == name);
        place.unwrap_or_else(|| panic!("the table {} has no column {name}", self.name))
    }

    /// Returns the cells of a row's origin.
    fn origin(&self, row: &[Cell], whence: &Whence) -> [String; HEADS.len()] {
        let world = self.columns.iter().position(|column| column.name == "world");
        whence.cells(world.map(|place| row[place].text()))
    }

    /// Returns a row under these columns as a line of CSV, without its end, for rows that are written one by one.
    pub fn csv_line(&self, row: &[Cell]) -> String {
        let fields = row.iter().zip(&self.columns).flat_map(|(cell, column)| cell.fields(column));
        csv_text([fields.collect()]).trim_end_matches('\n').to_owned()
    }

    /// Returns a row under these columns as a JSON object.
    pub fn json_line(&self, row: &[Cell]) -> String {
        serde_json::to_string(&json::JsonRow { table: self, cells: row, whence: None }).expect("cells are JSON")
    }

    /// Returns the line of heads of the table as CSV, with those of the origin of its rows where there is one.
    fn csv_heads(&self, whence: Option<&Whence>) -> String {
        let heads = self.columns.iter().flat_map(Column::heads);
        csv_text([heads.chain(whence.into_iter().flat_map(|_| HEADS.map(str::to_owned))).collect()])
    }

    /// Returns the rows of the table as CSV, without the line of heads.
    pub fn csv_rows(&self, whence: Option<&Whence>) -> String {
        csv_text(self.rows.iter().map(|row| {
            let fields = row.iter().zip(&self.columns).flat_map(|(cell, column)| cell.fields(column));
            fields.chain(whence.into_iter().flat_map(|whence| self.origin(row, whence))).collect::<Vec<String>>()
        }))
    }

    /// Returns the table as CSV: a line of heads with units, then the rows, followed by the columns of their origin
    /// where there is one.
    pub fn csv(&self, whence: Option<&Whence>) -> String {
        self.csv_heads(whence) + &self.csv_rows(whence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Page;
    use crate::results::Results;
    use programs::machine::Estimate;

    const NAME: Known = Known::text("name", "what it is called", "a");
    const TIME: Known = Known::interval("time_us", "µs", "how long it takes", "1.5");
    const SHARE: Known = Known::number("share", "", "its part of the whole", "0.5");
    const COUNT: Known = Known::integer("count", "", "how many there are", "3");
    const FITS: Known = Known::flag("fits", "true if it fits");

    fn table() -> Table {
        let columns = [
            NAME.column(),
            TIME.headed("T"),
            SHARE.headed("part").shown(Style::Percent(1)),
            COUNT.column(),
            FITS.column(),
        ];
        let rows = [
            vec![
                "a, b".into(),
                Estimate { value: 20_000.0, low: 19_000.0, high: 21_000.0 }.into(),
                0.5.into(),
                3_u64.into(),
                true.into(),
            ],
            vec!["c".into(), 10_000.0.into(), Cell::None, Cell::None, false.into()],
            vec!["d".into(), Cell::None, f64::NAN.into(), 0_u64.into(), Cell::None],
        ];
        Table::new("rows", columns, rows)
    }

    struct Found;

    impl Results for Found {
        fn answer(&self) -> String {
            "all is well".to_owned()
        }

        fn page(&self) -> Page {
            Page::default()
        }

        fn rows(&self) -> Table {
            table()
        }

        fn facts(&self) -> Vec<(&'static str, Cell)> {
            vec![("grains", 3_u64.into())]
        }
    }

    #[test]
    fn csv_has_limits_beside_values_and_nothing_for_what_is_none() {
        let expected = "name,time_us,time_low_us,time_high_us,share,count,fits\n\
                        \"a, b\",20000,19000,21000,0.5,3,true\nc,10000,,,,,false\nd,,,,,0,\n";
        assert_eq!(table().csv(None), expected);
        let places = Table::new("places", [SHARE.column().written(3)], [vec![0.5.into()], vec![Cell::None]]);
        assert_eq!(places.csv(None), "share\n0.500\n\"\"\n");
        let stamped = table().csv(Some(&Whence::default()));
        assert!(
            stamped.starts_with("name,time_us,time_low_us,time_high_us,share,count,fits,campaign,date,host,library\n")
        );
    }

    #[test]
    fn json_has_the_same_names_and_null_for_what_is_none() {
        let found = serde_json::to_string(&Object(&Found)).expect("cells are written");
        let expected = "{\"answer\":\"all is well\",\"notes\":[],\"grains\":3,\"rows\":[\
            {\"name\":\"a, b\",\"time_us\":20000.0,\"time_low_us\":19000.0,\"time_high_us\":21000.0,\"share\":0.5,\"count\":3,\"fits\":true},\
            {\"name\":\"c\",\"time_us\":10000.0,\"time_low_us\":null,\"time_high_us\":null,\"share\":null,\"count\":null,\"fits\":false},\
            {\"name\":\"d\",\"time_us\":null,\"time_low_us\":null,\"time_high_us\":null,\"share\":null,\"count\":0,\"fits\":null}]}";
        assert_eq!(found, expected);
    }

    #[test]
    fn people_see_one_unit_of_time_shares_in_percent_and_a_dash_for_what_is_none() {
        let table = table();
        let said = Show::made("all", |row| crate::table::Cell::text(format!("{}!", row.cell("name").text())));
        let view = View::new(&table).show([
            Show::one("name"),
            Show::one("time_us"),
            Show::one("share"),
            Show::one("fits"),
            said,
        ]);
        let expected = [
            "  name              T, ms  part, %  fits  all",
            "  a, b  20.0 [19.0, 21.0]     50.0  yes   a, b!",
            "  c                  10.0        –  no    c!",
            "  d                     –        –        d!",
        ];
        assert_eq!(view.laid_out().lines(), expected);
        let across = View::new(&table).rows([0, 1]).show([Show::one("fits")]).across(
            |row| row.cell("name").text().to_owned(),
            |row| crate::table::Cell::number(format!("{:?}", row.cell("count").number()), ""),
        );
        assert_eq!(across.lines(), ["  fits       a, b     c", "  yes   Some(3.0)     –", "  no            –  None"]);
        let second = View::new(&table).rows([1]).show([Show::one("time_us"), Show::one("count")]).laid_out();
        assert_eq!(second.lines(), ["  T, ms  count", "   10.0      –"]);
    }
}
