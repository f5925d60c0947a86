//! Views of tables for readers: a choice of columns, rows, and digits.

use super::{Cell, Column, Kind, Style, Table};
use crate::groups::distinct;
use crate::plots::numbers::{TimeUnit, bytes, percent, probability, significant, with_limits, with_minus};
use crate::table as laid_out;
use programs::machine::Estimate;

/// Sign in the place of a missing number.
const NOTHING: &str = "–";

/// A column that readers see.
pub enum Show<'a> {
    /// A column of the table, with the limits of its intervals.
    One(&'a str),
    /// A column of the table with another heading or with other digits, or without the limits of its intervals.
    Changed(&'a str, Box<dyn Fn(Column) -> Column + 'a>),
    /// A column that is made of others: its heading, and its cell in each row.
    Made(String, Box<Made<'a>>),
}

/// Function that makes the cell of a row.
type Made<'a> = dyn Fn(Row<'_>) -> laid_out::Cell + 'a;

/// A row, as the function of a made column receives it.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    table: &'a Table,
    place: usize,
}

/// Some columns and rows of a table, as readers see them.
pub struct View<'a> {
    table: &'a Table,
    caption: String,
    notes: Vec<String>,
    unit: Option<TimeUnit>,
    rows: Vec<usize>,
    seen: Vec<Seen<'a>>,
}

/// A column of a view: a column of the table with its place and its form, or one that is made of others.
enum Seen<'a> {
    Column(usize, Column),
    Made(String, Box<Made<'a>>),
}

impl<'a> Show<'a> {
    /// Shows a column of the table.
    pub fn one(name: &'a str) -> Show<'a> {
        Show::One(name)
    }

    /// Shows several columns of the table.
    pub fn all(names: impl IntoIterator<Item = &'a str>) -> Vec<Show<'a>> {
        names.into_iter().map(Show::One).collect()
    }

    /// Shows a column of the table with this change.
    pub fn changed(name: &'a str, change: impl Fn(Column) -> Column + 'a) -> Show<'a> {
        Show::Changed(name, Box::new(change))
    }

    /// Shows a column of the table without the limits of its intervals.
    pub fn value(name: &'a str) -> Show<'a> {
        Show::changed(name, Column::without_limits)
    }

    /// Shows a column that is made of others.
    pub fn made(heading: impl Into<String>, cell: impl Fn(Row<'_>) -> laid_out::Cell + 'a) -> Show<'a> {
        Show::Made(heading.into(), Box::new(cell))
    }
}

impl Row<'_> {
    /// Returns the place of the row in its table.
    pub fn place(&self) -> usize {
        self.place
    }

    /// Returns the cell of a column.
    pub fn cell(&self, name: &str) -> &Cell {
        &self.table.rows[self.place][self.table.place(name)]
    }

    /// Returns the cell of a column in its form for readers, times in µs.
    pub fn laid_out(&self, name: &str) -> laid_out::Cell {
        self.table.columns[self.table.place(name)].laid_out(self.cell(name), TimeUnit::Us)
    }
}

impl<'a> View<'a> {
    /// Returns a view of all rows, without any column yet.
    pub fn new(table: &'a Table) -> View<'a> {
        View {
            table,
            caption: String::new(),
            notes: Vec::new(),
            unit: None,
            rows: (0..table.rows.len()).collect(),
            seen: Vec::new(),
        }
    }

    /// Returns the view under a caption.
    #[must_use]
    pub fn captioned(self, caption: impl Into<String>) -> View<'a> {
        View { caption: caption.into(), ..self }
    }

    /// Returns the view with these sentences below it.
    #[must_use]
    pub fn noting(self, notes: Vec<String>) -> View<'a> {
        View { notes, ..self }
    }

    /// Returns the view with its times in this unit; without one, the unit fits the times.
    #[must_use]
    pub fn in_unit(self, unit: TimeUnit) -> View<'a> {
        View { unit: Some(unit), ..self }
    }

    /// Returns the view of these rows alone.
    #[must_use]
    pub fn rows(self, rows: impl IntoIterator<Item = usize>) -> View<'a> {
        View { rows: rows.into_iter().collect(), ..self }
    }

    /// Returns the view with all visible columns of the table appended.
    #[must_use]
    pub fn whole(self) -> View<'a> {
        let seen = self.table.columns.iter().filter(|column| column.is_seen);
        self.show(Show::all(seen.map(|column| &*column.name)))
    }

    /// Returns the view with these columns appended.
    ///
    /// # Panics
    /// Panics if the table has no column of a name.
    #[must_use]
    pub fn show(mut self, columns: impl IntoIterator<Item = Show<'a>>) -> View<'a> {
        let table = self.table;
        let column = |name: &str| (table.place(name), table.columns[table.place(name)].clone());
        self.seen.extend(columns.into_iter().map(|show| match show {
            Show::One(name) => {
                let (place, column) = column(name);
                Seen::Column(place, column)
            }
            Show::Changed(name, change) => {
                let (place, column) = column(name);
                Seen::Column(place, change(column))
            }
            Show::Made(heading, cell) => Seen::Made(heading, cell),
        }));
        self
    }

    /// Returns a table of texts with a row for each different row of these columns, followed by a column for each
    /// different heading, with the cell of the row that has both.
    pub fn across(
        &self,
        heading: impl Fn(Row<'_>) -> String,
        cell: impl Fn(Row<'_>) -> laid_out::Cell,
    ) -> laid_out::Table {
        let mut whole = self.laid_out();
        let at = |place: usize| Row { table: self.table, place };
        let headed: Vec<String> = self.rows.iter().map(|&row| heading(at(row))).collect();
        let headings = distinct(headed.iter());
        let mut rows: Vec<(Vec<laid_out::Cell>, Vec<laid_out::Cell>)> = Vec::new();
        for (key, (&place, heading)) in whole.rows.drain(..).zip(self.rows.iter().zip(&headed)) {
            let found = rows.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
                rows.push((key, vec![laid_out::Cell::number(NOTHING, ""); headings.len()]));
                rows.len() - 1
            });
            let across = headings.iter().position(|known| *known == heading);
            rows[found].1[across.expect("it is one of them")] = cell(at(place));
        }
        let rows = rows.into_iter().map(|(key, cells)| [key, cells].concat());
        laid_out::Table {
            rows: rows.collect(),
            head: whole.head.into_iter().chain(headings.into_iter().cloned()).collect(),
            ..whole
        }
    }

    /// Returns the table of texts that a terminal and a page show.
    pub fn laid_out(&self) -> laid_out::Table {
        let times = self.seen.iter().filter_map(|seen| match seen {
            Seen::Column(place, column) if column.is_time() => Some(*place),
            Seen::Column(..) | Seen::Made(..) => None,
        });
        let values = times.flat_map(|place| self.rows.iter().map(move |&row| &self.table.rows[row][place]));
        let unit = self.unit.unwrap_or_else(|| TimeUnit::fitting(values.filter_map(Cell::number)));
        let head = self.seen.iter().map(|seen| match seen {
            Seen::Column(_, column) => column.head(unit),
            Seen::Made(heading, _) => heading.clone(),
        });
        let cell = |seen: &Seen, row: usize| match seen {
            Seen::Column(place, column) => column.laid_out(&self.table.rows[row][*place], unit),
            Seen::Made(_, made) => made(Row { table: self.table, place: row }),
        };
        let rows = self.rows.iter().map(|&row| self.seen.iter().map(|seen| cell(seen, row)).collect());
        let (head, rows): (Vec<String>, Vec<Vec<_>>) = (head.collect(), rows.collect());
        laid_out::Table { notes: self.notes.clone(), ..laid_out::Table::new(self.caption.clone(), head, rows) }
    }
}

impl Column {
    /// Whether the column's numbers are times that share one unit with those of other columns.
    fn is_time(&self) -> bool {
        self.unit == "µs" && matches!(self.style, Style::Significant | Style::Nanosecond)
    }

    /// Returns the heading with the unit.
    fn head(&self, unit: TimeUnit) -> String {
        let unit = match self.style {
            Style::Percent(_) | Style::Share => "%",
            Style::Bytes => "",
            // The heading states the unit already.
            _ if self.heading == "bytes" => "",
            _ if self.is_time() => unit.symbol(),
            _ => self.unit,
        };
        if unit.is_empty() { self.heading.clone().into_owned() } else { format!("{}, {unit}", self.heading) }
    }

    /// Returns a cell of this column as text.
    fn laid_out(&self, cell: &Cell, unit: TimeUnit) -> laid_out::Cell {
        match (self.kind, cell) {
            (Kind::Flag, Cell::Flag(flag)) => laid_out::Cell::text(if *flag { "yes" } else { "no" }),
            (_, Cell::Count(count)) if self.style == Style::Bytes => laid_out::Cell::number(bytes(*count), ""),
            (Kind::Integer, Cell::Count(count)) => laid_out::Cell::number(count.to_string(), ""),
            (Kind::Text, Cell::Count(count)) => laid_out::Cell::text(count.to_string()),
            (_, Cell::Text(text)) => laid_out::Cell { number: self.is_number(), ..laid_out::Cell::text(text) },
            (Kind::Interval, Cell::Interval(estimate)) => self.interval(estimate, unit),
            (_, Cell::Number(number)) if *number == f64::INFINITY => laid_out::Cell::number("∞", ""),
            (_, cell) => match cell.number() {
                Some(number) => laid_out::Cell::number(self.digits(number, unit), ""),
                None if self.is_number() => laid_out::Cell::number(NOTHING, ""),
                None => laid_out::Cell::default(),
            },
        }
    }

    /// Returns a number with the digits of this column.
    fn digits(&self, number: f64, unit: TimeUnit) -> String {
        match self.style {
            Style::Significant if self.is_time() => significant(unit.convert(number)),
            Style::Significant | Style::Own => significant(number),
            Style::Exact | Style::Bytes => six_digits(number),
            Style::Plain => with_minus(format!("{number:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()),
            Style::Nanosecond => unit.exactly(number),
            Style::Fixed(places) => with_minus(format!("{number:.0$}", usize::from(places))),
            Style::Percent(places) => with_minus(format!("{:.1$}", number * 100.0, usize::from(places))),
            Style::Share => significant(number * 100.0),
            Style::Change => percent(number),
            Style::Magnitude => percent(number).trim_start_matches('+').to_owned(),
            Style::Probability => probability(number),
        }
    }

    /// Returns a number with its limits below it.
    fn interval(&self, estimate: &Estimate, unit: TimeUnit) -> laid_out::Cell {
        let Estimate { value, low, high } = *estimate;
        match (value.is_finite(), low.is_finite() || high.is_finite()) {
            (false, _) => return laid_out::Cell::number(NOTHING, ""),
            (true, false) => return laid_out::Cell::number(self.digits(value, unit), ""),
            (true, true) => {}
        }
        match self.style {
            Style::Significant => {
                let estimate = if self.is_time() { unit.of_estimate(*estimate) } else { *estimate };
                let (value, limits) = with_limits(&estimate);
                laid_out::Cell::number(value, limits.unwrap_or_default())
            }
            _ => {
                let [value, low, high] = [value, low, high].map(|number| self.digits(number, unit));
                laid_out::Cell::number(value, format!("[{low}, {high}]"))
            }
        }
    }
}

/// Returns a number with six significant digits, at most nine of them decimal places.
fn six_digits(number: f64) -> String {
    let whole = number.abs().max(1e-6).log10().floor() as i32;
    with_minus(format!("{number:.0$}", (5 - whole).clamp(0, 9) as usize))
}
