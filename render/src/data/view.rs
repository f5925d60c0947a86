//! How people see a table: which of its columns, which rows, and with which digits.

use super::{Cell, Column, Kind, Style, Table};
use crate::groups::distinct;
use crate::plots::numbers::{TimeUnit, bytes, percent, probability, significant, with_limits, with_minus};
use crate::table as laid_out;
use models::machine::Estimate;

/// What stands where there is no number.
const NOTHING: &str = "–";

/// A column that people see.
pub enum Show<'a> {
    /// A column of the table, with the limits of its intervals.
    One(&'a str),
    /// The values of a column of intervals, without their limits.
    Value(&'a str),
    /// A column that is made of others: its heading, and its cell in each row.
    Made(String, Box<dyn Fn(Row<'_>) -> laid_out::Cell + 'a>),
}

/// A row as a column sees it that is made of others.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    table: &'a Table,
    place: usize,
}

/// Some columns and rows of a table, as people see them.
pub struct View<'a> {
    table: &'a Table,
    caption: String,
    notes: Vec<String>,
    unit: Option<TimeUnit>,
    rows: Vec<usize>,
    show: Vec<Show<'a>>,
}

impl<'a> Show<'a> {
    /// A column of the table.
    pub fn one(name: &'a str) -> Show<'a> {
        Show::One(name)
    }

    /// Columns of the table.
    pub fn all(names: impl IntoIterator<Item = &'a str>) -> Vec<Show<'a>> {
        names.into_iter().map(Show::One).collect()
    }

    /// A column of the table, without limits.
    pub fn value(name: &'a str) -> Show<'a> {
        Show::Value(name)
    }

    /// A column that is made of others.
    pub fn made(heading: impl Into<String>, cell: impl Fn(Row<'_>) -> laid_out::Cell + 'a) -> Show<'a> {
        Show::Made(heading.into(), Box::new(cell))
    }

    /// The column of the table, if it is one.
    fn column(&self, table: &'a Table) -> Option<(usize, &'a Column)> {
        match self {
            Show::One(name) | Show::Value(name) => {
                let place = table.place(name);
                Some((place, &table.columns[place]))
            }
            Show::Made(..) => None,
        }
    }
}

impl Row<'_> {
    /// The place of the row in its table.
    pub fn place(&self) -> usize {
        self.place
    }

    /// The cell of a column.
    pub fn cell(&self, name: &str) -> &Cell {
        &self.table.rows[self.place][self.table.place(name)]
    }

    /// The words of a column's cell.
    pub fn text(&self, name: &str) -> &str {
        self.cell(name).text()
    }
}

impl<'a> View<'a> {
    /// A view of all rows, without any column yet.
    pub fn of(table: &'a Table) -> View<'a> {
        View {
            table,
            caption: String::new(),
            notes: Vec::new(),
            unit: None,
            rows: (0..table.rows.len()).collect(),
            show: Vec::new(),
        }
    }

    /// This view under a caption.
    #[must_use]
    pub fn captioned(self, caption: impl Into<String>) -> View<'a> {
        View { caption: caption.into(), ..self }
    }

    /// This view with these sentences below it.
    #[must_use]
    pub fn noting(self, notes: Vec<String>) -> View<'a> {
        View { notes, ..self }
    }

    /// This view with its times in this unit; without one, that which fits them.
    #[must_use]
    pub fn in_unit(self, unit: TimeUnit) -> View<'a> {
        View { unit: Some(unit), ..self }
    }

    /// This view of these rows alone.
    #[must_use]
    pub fn rows(self, rows: impl IntoIterator<Item = usize>) -> View<'a> {
        View { rows: rows.into_iter().collect(), ..self }
    }

    /// This view with all columns that people see, behind those that it has.
    #[must_use]
    pub fn whole(self) -> View<'a> {
        let seen = self.table.columns.iter().filter(|column| column.is_seen);
        self.show(Show::all(seen.map(|column| &*column.name)))
    }

    /// This view with these columns behind those that it has.
    #[must_use]
    pub fn show(mut self, columns: impl IntoIterator<Item = Show<'a>>) -> View<'a> {
        self.show.extend(columns);
        self
    }

    /// The table of texts that has a row for each different row of these columns, and behind them a column for each different
    /// heading that rows have across, with the cell of the row that has both.
    pub fn across(
        &self,
        heading: impl Fn(Row<'_>) -> String,
        cell: impl Fn(Row<'_>) -> laid_out::Cell,
    ) -> laid_out::Table {
        let mut whole = self.laid_out();
        let at = |place: usize| Row { table: self.table, place };
        let headings = distinct(self.rows.iter().map(|&row| heading(at(row))));
        let mut rows: Vec<(Vec<laid_out::Cell>, Vec<Option<laid_out::Cell>>)> = Vec::new();
        for (key, &place) in whole.rows.drain(..).zip(&self.rows) {
            let found = rows.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
                rows.push((key, vec![None; headings.len()]));
                rows.len() - 1
            });
            let across = headings.iter().position(|known| *known == heading(at(place)));
            if let Some(across) = across {
                rows[found].1[across] = Some(cell(at(place)));
            }
        }
        let none = || laid_out::Cell::number(NOTHING, "");
        let rows = rows.into_iter().map(|(key, cells)| {
            key.into_iter().chain(cells.into_iter().map(|cell| cell.unwrap_or_else(none))).collect()
        });
        laid_out::Table { rows: rows.collect(), head: whole.head.into_iter().chain(headings).collect(), ..whole }
    }

    /// The table of texts that a terminal and a page show.
    pub fn laid_out(&self) -> laid_out::Table {
        let times = self.show.iter().filter_map(|show| show.column(self.table)).filter(|(_, column)| column.is_time());
        let values = times.flat_map(|(place, _)| self.rows.iter().map(move |&row| &self.table.rows[row][place]));
        let unit = self.unit.unwrap_or_else(|| TimeUnit::fitting(values.filter_map(Cell::number)));
        let head = self.show.iter().map(|show| match show {
            Show::Made(heading, _) => heading.clone(),
            _ => show.column(self.table).map(|(_, column)| column.head(unit)).unwrap_or_default(),
        });
        let cell = |show: &Show, row: usize| match (show, show.column(self.table)) {
            (Show::Made(_, made), _) => made(Row { table: self.table, place: row }),
            (_, None) => laid_out::Cell::default(),
            (show, Some((place, column))) => {
                let cell = column.laid_out(&self.table.rows[row][place], unit);
                if matches!(show, Show::Value(_)) { laid_out::Cell { note: String::new(), ..cell } } else { cell }
            }
        };
        let rows = self.rows.iter().map(|&row| self.show.iter().map(|show| cell(show, row)).collect());
        let (head, rows): (Vec<String>, Vec<Vec<_>>) = (head.collect(), rows.collect());
        laid_out::Table { notes: self.notes.clone(), ..laid_out::Table::new(self.caption.clone(), head, rows) }
    }
}

impl Column {
    /// Whether its numbers are times that stand in one unit with those of other columns.
    fn is_time(&self) -> bool {
        self.unit == "µs" && matches!(self.style, Style::Significant | Style::Nanosecond)
    }

    /// The heading with the unit.
    fn head(&self, unit: TimeUnit) -> String {
        let unit = match self.style {
            Style::Percent(_) | Style::Share => "%",
            Style::Bytes => "",
            _ if self.is_time() => unit.symbol(),
            _ => self.unit,
        };
        if unit.is_empty() { self.heading.clone().into_owned() } else { format!("{}, {unit}", self.heading) }
    }

    /// A cell of this column.
    fn laid_out(&self, cell: &Cell, unit: TimeUnit) -> laid_out::Cell {
        match (self.kind, cell) {
            (Kind::Flag, Cell::Flag(flag)) => laid_out::Cell::text(if *flag { "yes" } else { "no" }),
            (_, Cell::Count(count)) if self.style == Style::Bytes => laid_out::Cell::number(bytes(*count), ""),
            (Kind::Integer, Cell::Count(count)) => laid_out::Cell::number(count.to_string(), ""),
            (Kind::Text, Cell::Count(count)) => laid_out::Cell::text(count.to_string()),
            (_, Cell::Text(text)) => laid_out::Cell { number: self.is_number(), ..laid_out::Cell::text(text) },
            (_, Cell::Interval(estimate)) => self.interval(estimate, unit),
            (_, Cell::Number(number)) if *number == f64::INFINITY => laid_out::Cell::number("∞", ""),
            (_, cell) => match cell.number() {
                Some(number) => laid_out::Cell::number(self.digits(number, unit), ""),
                None if self.is_number() => laid_out::Cell::number(NOTHING, ""),
                None => laid_out::Cell::default(),
            },
        }
    }

    /// A number with the digits of this column.
    fn digits(&self, number: f64, unit: TimeUnit) -> String {
        match self.style {
            Style::Significant if self.is_time() => significant(unit.of(number)),
            Style::Significant | Style::Own => significant(number),
            Style::Exact | Style::Bytes => six_digits(number),
            Style::Nanosecond if unit == TimeUnit::Us => with_minus(format!("{number:.3}")),
            Style::Nanosecond => with_minus(format!("{:.6}", unit.of(number))),
            Style::Fixed(places) => with_minus(format!("{number:.0$}", usize::from(places))),
            Style::Percent(places) => with_minus(format!("{:.1$}", number * 100.0, usize::from(places))),
            Style::Share => significant(number * 100.0),
            Style::Change => percent(number),
            Style::Magnitude => percent(number).trim_start_matches('+').to_owned(),
            Style::Probability => probability(number),
        }
    }

    /// A number with its limits below it.
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

/// Six significant digits, at most nine of them decimal places.
fn six_digits(number: f64) -> String {
    let whole = number.abs().max(1e-6).log10().floor() as i32;
    with_minus(format!("{number:.0$}", (5 - whole).clamp(0, 9) as usize))
}
