//! Where a number was taken: keys and their values.

use models::quantity::{Bytes, parse};
use models::time::Span;
use std::fmt;

models::named! {
    /// What tells numbers of one quantity from each other.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Key {
        /// `simulated`, `threads`, `openmpi`, `mpich`.
        World => "world",
        /// How many ranks.
        Ranks => "ranks",
        /// The collective.
        Collective => "collective",
        /// The algorithm, or `library`, or `library:NAME`.
        Algorithm => "algorithm",
        /// Bytes.
        Bytes => "bytes",
        /// The root.
        Root => "root",
        /// The method.
        Method => "method",
        /// Calls per loop, k.
        Repetitions => "repetitions",
        /// One rank by its number; or `slowest`, `fastest`, `mean` over all. Where nothing is said, each rank by
        /// itself.
        Rank => "rank",
        /// The buffer that calls are given.
        Buffer => "buffer",
        /// The length of windows that do not adapt, in µs; adapting ones have none.
        Window => "window",
        /// The clock.
        Clock => "clock",
        /// The simulated machine.
        Machine => "machine",
        /// Which of several launches, from 1.
        Launch => "launch",
        /// The network model of a sweep's point.
        Model => "model",
        /// The noise of a sweep's point, as the file writes it.
        Noise => "noise",
        /// The refinements of a sweep's point, as the file writes them.
        Platform => "platform",
    }
    /// The name used in files.
    fn name;
}

impl Key {
    /// A value as a file writes it.
    ///
    /// # Errors
    /// What the key takes.
    pub(super) fn read(self, value: &toml::Value) -> Result<Coordinate, String> {
        let number = || match value {
            toml::Value::Integer(number) => Ok(Coordinate::Number(*number as f64)),
            _ => Err(format!("expected a whole number, found {value}")),
        };
        let text = || match value {
            toml::Value::String(text) => Ok(text.as_str()),
            _ => Err(format!("expected text in quotes, found {value}")),
        };
        match self {
            Key::Ranks | Key::Root | Key::Repetitions | Key::Launch => number(),
            Key::Rank => number().or_else(|_| match text()? {
                one @ ("slowest" | "fastest" | "mean") => Ok(Coordinate::Text(one.to_owned())),
                other => Err(format!("expected a rank's number, slowest, fastest or mean, found '{other}'")),
            }),
            Key::Bytes => number().or_else(|_| Ok(Coordinate::Number(parse::<Bytes>(text()?)?.0 as f64))),
            Key::Window => Ok(Coordinate::Number(parse::<Span>(text()?)?.as_us())),
            Key::World
            | Key::Collective
            | Key::Algorithm
            | Key::Method
            | Key::Buffer
            | Key::Clock
            | Key::Machine
            | Key::Model
            | Key::Noise
            | Key::Platform => Ok(Coordinate::Text(text()?.to_owned())),
        }
    }
}

/// A value of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Coordinate {
    /// A name.
    Text(String),
    /// A count, a length, or a time in µs.
    Number(f64),
}

impl Coordinate {
    /// A name.
    pub fn text(text: impl Into<String>) -> Coordinate {
        Coordinate::Text(text.into())
    }

    /// A count.
    pub fn count(count: impl Into<f64>) -> Coordinate {
        Coordinate::Number(count.into())
    }
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Coordinate::Text(text) => f.write_str(text),
            Coordinate::Number(number) => write!(f, "{number}"),
        }
    }
}
