//! Columns: the name of a quantity, its meaning, and its form for readers.

use std::borrow::Cow;

/// Kind of the values that a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Counts and other whole numbers.
    Integer,
    /// Numbers with decimal places.
    Number,
    /// Numbers with the limits of their intervals, which have columns of their own.
    Interval,
    /// Texts made of words.
    Text,
    /// Values of yes and no.
    Flag,
}

/// A quantity as every file of the program calls it: one line of the data dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Name in CSV and JSON, with the unit at its end.
    pub name: &'static str,
    /// Kind of the values.
    pub kind: Kind,
    /// Unit of the values; empty where there is none.
    pub unit: &'static str,
    /// Meaning, as the dictionary has it.
    pub meaning: &'static str,
    /// Example of a value.
    pub example: &'static str,
}

/// Form of a number for readers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Three significant digits; a value with limits has as many as they allow; times are in the unit of their table.
    #[default]
    Significant,
    /// Three significant digits, in the unit of the column.
    Own,
    /// Six significant digits, in the unit of the column.
    Exact,
    /// At most four decimal places without zeros at their end, in the unit of the column.
    Plain,
    /// A time to the nanosecond, in the unit of its table.
    Nanosecond,
    /// A length in the largest binary unit that divides it.
    Bytes,
    /// A fixed number of decimal places.
    Fixed(u8),
    /// A share as percent, with a fixed number of decimal places.
    Percent(u8),
    /// A share as percent, with its sign and a number of digits that depends on its size.
    Change,
    /// A share as percent, without its sign and with a number of digits that depends on its size.
    Magnitude,
    /// A share as percent, with three significant digits.
    Share,
    /// The probability of a test.
    Probability,
}

/// A column of a single table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name in CSV and JSON, with the unit at its end.
    pub name: Cow<'static, str>,
    /// Kind of the values.
    pub kind: Kind,
    /// Unit of the values; empty where there is none.
    pub unit: &'static str,
    /// Heading for readers, without the unit.
    pub heading: Cow<'static, str>,
    /// Form of the numbers for readers.
    pub style: Style,
    /// Decimal places in CSV; `None` for as many as [`crate::table::rounded`] writes.
    pub places: Option<usize>,
    /// True if readers see the column.
    pub is_seen: bool,
}

impl Known {
    /// A quantity of whole numbers.
    pub const fn integer(
        name: &'static str,
        unit: &'static str,
        meaning: &'static str,
        example: &'static str,
    ) -> Known {
        Known { name, kind: Kind::Integer, unit, meaning, example }
    }

    /// A quantity of numbers.
    pub const fn number(name: &'static str, unit: &'static str, meaning: &'static str, example: &'static str) -> Known {
        Known { name, kind: Kind::Number, unit, meaning, example }
    }

    /// A quantity of numbers with intervals.
    pub const fn interval(
        name: &'static str,
        unit: &'static str,
        meaning: &'static str,
        example: &'static str,
    ) -> Known {
        Known { name, kind: Kind::Interval, unit, meaning, example }
    }

    /// A quantity of words.
    pub const fn text(name: &'static str, meaning: &'static str, example: &'static str) -> Known {
        Known { name, kind: Kind::Text, unit: "", meaning, example }
    }

    /// A quantity of yes and no.
    pub const fn flag(name: &'static str, meaning: &'static str) -> Known {
        Known { name, kind: Kind::Flag, unit: "", meaning, example: "true" }
    }

    /// Returns a column of the quantity, headed by its name.
    pub fn column(&self) -> Column {
        self.headed(self.name)
    }

    /// Returns a column of the quantity under a heading.
    pub fn headed(&self, heading: impl Into<Cow<'static, str>>) -> Column {
        let Known { name, kind, unit, .. } = *self;
        Column {
            name: name.into(),
            kind,
            unit,
            heading: heading.into(),
            style: Style::default(),
            places: None,
            is_seen: true,
        }
    }
}

impl Column {
    /// Returns the column with another form of numbers.
    #[must_use]
    pub fn shown(self, style: Style) -> Column {
        Column { style, ..self }
    }

    /// Returns the column with this number of decimal places in CSV.
    #[must_use]
    pub fn written(self, places: usize) -> Column {
        Column { places: Some(places), ..self }
    }

    /// Returns the column with values that have no limits.
    #[must_use]
    pub fn without_limits(self) -> Column {
        Column { kind: Kind::Number, ..self }
    }

    /// Returns the column under another heading.
    #[must_use]
    pub fn headed(self, heading: impl Into<Cow<'static, str>>) -> Column {
        Column { heading: heading.into(), ..self }
    }

    /// Returns the column with values that have the limits of their intervals.
    #[must_use]
    pub fn with_limits(self) -> Column {
        Column { kind: Kind::Interval, ..self }
    }

    /// Returns the column hidden: readers see it only where a view names it.
    #[must_use]
    pub fn unseen(self) -> Column {
        Column { is_seen: false, ..self }
    }

    /// Returns the heads in CSV and JSON: `time_us`, or `time_us`, `time_low_us` and `time_high_us`.
    pub fn heads(&self) -> Vec<String> {
        match self.kind {
            Kind::Interval => ["", "_low", "_high"].map(|limit| self.limit(limit)).to_vec(),
            _ => vec![self.name.clone().into_owned()],
        }
    }

    /// Returns the name with `_low` or `_high` before the unit at its end.
    fn limit(&self, limit: &str) -> String {
        let unit = ["_us", "_ns", "_ps", "_s", "_bytes", "_percent"].into_iter().find(|unit| self.name.ends_with(unit));
        let (name, unit) = unit.map_or((&*self.name, ""), |unit| (&self.name[..self.name.len() - unit.len()], unit));
        format!("{name}{limit}{unit}")
    }

    /// Whether readers see numbers in the column.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Integer | Kind::Number | Kind::Interval)
    }
}
