//! Where a number was taken: keys and their values.

use models::quantity::{Bytes, parse};
use models::time::Span;
use std::fmt;

/// What tells numbers of one quantity from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// `simulated`, `threads`, `openmpi`, `mpich`.
    World,
    /// How many ranks.
    Ranks,
    /// The collective.
    Collective,
    /// The algorithm, or `library`, or `library:NAME`.
    Algorithm,
    /// Bytes.
    Bytes,
    /// The root.
    Root,
    /// The method.
    Method,
    /// Calls per loop, k.
    Repetitions,
    /// One rank by its number; or `slowest`, `fastest`, `mean` over all. Where nothing is said, each rank by itself.
    Rank,
    /// The buffer that calls are given.
    Buffer,
    /// The length of windows that do not adapt, in µs; adapting ones have none.
    Window,
    /// The clock.
    Clock,
    /// The simulated machine.
    Machine,
    /// Which of several launches, from 1.
    Launch,
    /// The network model of a sweep's point.
    Model,
    /// The noise of a sweep's point, as the file writes it.
    Noise,
    /// The refinements of a sweep's point, as the file writes them.
    Platform,
}

impl Key {
    /// All of them.
    pub const ALL: [Key; 17] = [
        Key::World,
        Key::Ranks,
        Key::Collective,
        Key::Algorithm,
        Key::Bytes,
        Key::Root,
        Key::Method,
        Key::Repetitions,
        Key::Rank,
        Key::Buffer,
        Key::Window,
        Key::Clock,
        Key::Machine,
        Key::Launch,
        Key::Model,
        Key::Noise,
        Key::Platform,
    ];

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Key::World => "world",
            Key::Ranks => "ranks",
            Key::Collective => "collective",
            Key::Algorithm => "algorithm",
            Key::Bytes => "bytes",
            Key::Root => "root",
            Key::Method => "method",
            Key::Repetitions => "repetitions",
            Key::Rank => "rank",
            Key::Buffer => "buffer",
            Key::Window => "window",
            Key::Clock => "clock",
            Key::Machine => "machine",
            Key::Launch => "launch",
            Key::Model => "model",
            Key::Noise => "noise",
            Key::Platform => "platform",
        }
    }

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
