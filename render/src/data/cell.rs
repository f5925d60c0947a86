//! Typed cells, and their fields in CSV.

use super::{Column, Kind};
use crate::table::rounded;
use programs::machine::Estimate;
use scenario::axis::AxisValue;

/// A value of a column, or none.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// The value is unknown, or does not apply.
    #[default]
    None,
    /// A count or another whole number from 0.
    Count(u64),
    /// A whole number below 0, in the unit of its column.
    Negative(i64),
    /// A number, in the unit of its column.
    Number(f64),
    /// A number with the limits of its interval.
    Interval(Estimate),
    /// A text of words.
    Text(String),
    /// A yes or a no.
    Flag(bool),
}

impl Cell {
    /// An estimate, with its limits only where it has an interval.
    pub fn estimate(estimate: Estimate, has_interval: bool) -> Cell {
        if has_interval { Cell::Interval(estimate) } else { Cell::Number(estimate.value) }
    }

    /// Returns the number, if the cell holds one that is finite.
    pub fn number(&self) -> Option<f64> {
        let number = match self {
            Cell::Count(count) => *count as f64,
            Cell::Negative(number) => *number as f64,
            Cell::Number(number) => *number,
            Cell::Interval(estimate) => estimate.value,
            Cell::None | Cell::Text(_) | Cell::Flag(_) => return None,
        };
        number.is_finite().then_some(number)
    }

    /// Returns the words; empty for other cells.
    pub fn text(&self) -> &str {
        match self {
            Cell::Text(text) => text,
            _ => "",
        }
    }

    /// Returns the value and its limits, `None` where they are unknown.
    pub(super) fn limits(&self) -> [Option<f64>; 3] {
        let finite = |number: f64| number.is_finite().then_some(number);
        match self {
            Cell::Interval(Estimate { value, low, high }) => [*value, *low, *high].map(finite),
            _ => [self.number(), None, None],
        }
    }

    /// Returns the fields under the heads of its column in CSV.
    pub(super) fn fields(&self, column: &Column) -> Vec<String> {
        let digits = |number: f64| column.places.map_or_else(|| rounded(number), |places| format!("{number:.places$}"));
        if column.kind == Kind::Interval {
            return self.limits().map(|number| number.map(digits).unwrap_or_default()).to_vec();
        }
        vec![match self {
            Cell::None => String::new(),
            Cell::Count(count) => count.to_string(),
            Cell::Negative(number) => number.to_string(),
            Cell::Number(_) | Cell::Interval(_) => self.number().map(digits).unwrap_or_default(),
            Cell::Text(text) => text.clone(),
            Cell::Flag(flag) => flag.to_string(),
        }]
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Cell {
        Cell::Count(count as u64)
    }
}

impl From<u32> for Cell {
    fn from(count: u32) -> Cell {
        Cell::Count(count.into())
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Cell {
        u64::try_from(number).map_or(Cell::Negative(number), Cell::Count)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        Cell::Number(number)
    }
}

impl From<Estimate> for Cell {
    fn from(estimate: Estimate) -> Cell {
        Cell::Interval(estimate)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<bool> for Cell {
    fn from(flag: bool) -> Cell {
        Cell::Flag(flag)
    }
}

impl From<&AxisValue> for Cell {
    fn from(value: &AxisValue) -> Cell {
        match value {
            AxisValue::Number(number) => Cell::Count(*number),
            AxisValue::Text(text) => Cell::Text(text.clone()),
        }
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::None, Into::into)
    }
}
