//! Columns: what a quantity is called, what it means, and how people see it.

use std::borrow::Cow;

/// The values that a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Counts and other whole numbers.
    Integer,
    /// Numbers.
    Number,
    /// Numbers with the limits of their intervals, which stand in columns of their own.
    Interval,
    /// Words.
    Text,
    /// Yes and no.
    Flag,
}

/// A quantity as every file of the program calls it: one line of the data dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The name in CSV and JSON, with the unit at its end.
    pub name: &'static str,
    /// The values.
    pub kind: Kind,
    /// The unit; empty where there is none.
    pub unit: &'static str,
    /// The meaning, as the dictionary has it.
    pub meaning: &'static str,
    /// A value that it may have.
    pub example: &'static str,
}

/// How people see a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// With three significant digits; a value with limits with as many as they allow; times in the unit of their table.
    #[default]
    Significant,
    /// With three significant digits, in the unit of the column.
    Own,
    /// With six significant digits, in the unit of the column.
    Exact,
    /// With at most four decimal places and no zeros at their end, in the unit of the column.
    Plain,
    /// A time to the nanosecond, in the unit of its table.
    Nanosecond,
    /// A length in the largest binary unit that divides it.
    Bytes,
    /// With so many decimal places.
    Fixed(u8),
    /// A share as percent, with so many decimal places.
    Percent(u8),
    /// A share as percent, with its sign and as many digits as its size asks for.
    Change,
    /// A share as percent, without its sign and with as many digits as its size asks for.
    Magnitude,
    /// A share as percent, with three significant digits.
    Share,
    /// As the probability of a test.
    Probability,
}

/// A column of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name in CSV and JSON, with the unit at its end.
    pub name: Cow<'static, str>,
    /// The values.
    pub kind: Kind,
    /// The unit; empty where there is none.
    pub unit: &'static str,
    /// The heading for people, without the unit.
    pub heading: Cow<'static, str>,
    /// The digits for people.
    pub style: Style,
    /// Decimal places in CSV; as many as [`crate::table::rounded`] writes where none are said.
    pub places: Option<usize>,
    /// True where people see the column.
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

    /// Words.
    pub const fn text(name: &'static str, meaning: &'static str, example: &'static str) -> Known {
        Known { name, kind: Kind::Text, unit: "", meaning, example }
    }

    /// Yes and no.
    pub const fn flag(name: &'static str, meaning: &'static str) -> Known {
        Known { name, kind: Kind::Flag, unit: "", meaning, example: "true" }
    }

    /// A column of it, headed by its name.
    pub fn column(&self) -> Column {
        self.headed(self.name)
    }

    /// A column of it under a heading.
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
    /// The same column with other digits.
    #[must_use]
    pub fn shown(self, style: Style) -> Column {
        Column { style, ..self }
    }

    /// The same column with so many decimal places in CSV.
    #[must_use]
    pub fn written(self, places: usize) -> Column {
        Column { places: Some(places), ..self }
    }

    /// The same column of values that have no limits.
    #[must_use]
    pub fn without_limits(self) -> Column {
        Column { kind: Kind::Number, ..self }
    }

    /// The same column under another heading.
    #[must_use]
    pub fn headed(self, heading: impl Into<Cow<'static, str>>) -> Column {
        Column { heading: heading.into(), ..self }
    }

    /// The same column of values with the limits of their intervals.
    #[must_use]
    pub fn with_limits(self) -> Column {
        Column { kind: Kind::Interval, ..self }
    }

    /// The same column, which people see only where a view names it.
    #[must_use]
    pub fn unseen(self) -> Column {
        Column { is_seen: false, ..self }
    }

    /// The heads in CSV and JSON: `time_us`, or `time_us`, `time_low_us` and `time_high_us`.
    pub fn heads(&self) -> Vec<String> {
        match self.kind {
            Kind::Interval => ["", "_low", "_high"].map(|limit| self.limit(limit)).to_vec(),
            _ => vec![self.name.clone().into_owned()],
        }
    }

    /// The name with `_low` or `_high` before the unit at its end.
    fn limit(&self, limit: &str) -> String {
        let unit = ["_us", "_ns", "_ps", "_s", "_bytes", "_percent"].into_iter().find(|unit| self.name.ends_with(unit));
        let (name, unit) = unit.map_or((&*self.name, ""), |unit| (&self.name[..self.name.len() - unit.len()], unit));
        format!("{name}{limit}{unit}")
    }

    /// Whether people see numbers in it.
    pub(super) fn is_number(&self) -> bool {
        matches!(self.kind, Kind::Integer | Kind::Number | Kind::Interval)
    }
}
