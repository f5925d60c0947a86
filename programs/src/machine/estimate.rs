//! Values with confidence intervals.

use serde::{Deserialize, Serialize};

/// A value with the interval that contains it at the stated confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Best value of the parameter.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Choice of one end of every parameter's interval, or of the best values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// Lower ends of all intervals.
    Low,
    /// Best values of all parameters.
    Best,
    /// Upper ends of all intervals.
    High,
}

impl Estimate {
    /// Estimate of a number that nothing is known of: not a number, in all three.
    pub const UNKNOWN: Estimate = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };

    /// The value 1 with an interval of width 0.
    pub fn exactly_one() -> Estimate {
        Estimate::exactly(1.0)
    }

    /// A value with an interval of width 0.
    pub fn exactly(value: f64) -> Estimate {
        Estimate { value, low: value, high: value }
    }

    /// Multiplies the value and its interval by a factor. A negative factor swaps the ends.
    #[must_use]
    pub fn times(self, factor: f64) -> Estimate {
        let (one, other) = (self.low * factor, self.high * factor);
        Estimate { value: self.value * factor, low: one.min(other), high: one.max(other) }
    }

    /// Widens the interval so that it contains `value`.
    #[must_use]
    pub fn including(self, value: f64) -> Estimate {
        Estimate { low: self.low.min(value), high: self.high.max(value), ..self }
    }

    /// The best value, or the value at one end of the interval.
    pub fn at(&self, bound: Bound) -> f64 {
        match bound {
            Bound::Low => self.low,
            Bound::Best => self.value,
            Bound::High => self.high,
        }
    }
}
