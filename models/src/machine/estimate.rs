//! Values with intervals.

use serde::{Deserialize, Serialize};

/// A value with the interval that contains it at the stated confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Best value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Which end of every parameter's interval to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// The lower ends.
    Low,
    /// The best values.
    Best,
    /// The upper ends.
    High,
}

impl Estimate {
    /// 1, without doubt.
    pub fn exactly_one() -> Estimate {
        Estimate::exactly(1.0)
    }

    /// A value whose interval holds nothing else.
    pub fn exactly(value: f64) -> Estimate {
        Estimate { value, low: value, high: value }
    }

    /// So many times as much; of a negative factor the ends change places.
    #[must_use]
    pub fn times(self, factor: f64) -> Estimate {
        let (one, other) = (self.low * factor, self.high * factor);
        Estimate { value: self.value * factor, low: one.min(other), high: one.max(other) }
    }

    /// The same with an interval that holds this value, too.
    #[must_use]
    pub fn including(self, value: f64) -> Estimate {
        Estimate { low: self.low.min(value), high: self.high.max(value), ..self }
    }

    /// The value at one end.
    pub fn at(&self, bound: Bound) -> f64 {
        match bound {
            Bound::Low => self.low,
            Bound::Best => self.value,
            Bound::High => self.high,
        }
    }
}
