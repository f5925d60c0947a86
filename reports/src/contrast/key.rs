//! By what cases of different campaigns are recognised as the same.

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// One thing that tells cases apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dimension {
    /// In which state of the machine, where ranks looked: how long a cache line takes between neighbours.
    State,
    /// The name of the call.
    Operation,
    /// What is unusual about the call: elements, layout, communicator, in place.
    Form,
    /// Whose algorithm: `library`, or a name.
    Algorithm,
    /// How many ranks.
    Ranks,
    /// Bytes of one rank's buffer, or of one block where a block per rank is moved.
    Bytes,
    /// Lengths of uneven blocks.
    Counts,
    /// The root, where the operation has one.
    Root,
    /// Length of segments, where messages are cut.
    Segment,
    /// Fanout, where it is not the algorithm's own.
    Fanout,
    /// How the time is obtained.
    Method,
    /// Calls between two readings of the clock, where the method loops.
    Calls,
    /// Which buffers, where they are not the usual ones.
    Buffer,
    /// Length of windows, where it does not adapt.
    Window,
    /// How clocks are synchronised, where the method needs it.
    Sync,
    /// Where: threads, openmpi, mpich.
    World,
    /// Over what: native, emulated.
    Network,
}

impl Dimension {
    /// All of them, in the order of columns.
    pub const ALL: [Dimension; 17] = [
        Dimension::State,
        Dimension::Operation,
        Dimension::Form,
        Dimension::Algorithm,
        Dimension::Ranks,
        Dimension::Bytes,
        Dimension::Counts,
        Dimension::Root,
        Dimension::Segment,
        Dimension::Fanout,
        Dimension::Method,
        Dimension::Calls,
        Dimension::Buffer,
        Dimension::Window,
        Dimension::Sync,
        Dimension::World,
        Dimension::Network,
    ];

    /// The name used in flags, heads and files.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::State => "state",
            Dimension::Operation => "operation",
            Dimension::Form => "form",
            Dimension::Algorithm => "algorithm",
            Dimension::Ranks => "ranks",
            Dimension::Bytes => "bytes",
            Dimension::Counts => "counts",
            Dimension::Root => "root",
            Dimension::Segment => "segment",
            Dimension::Fanout => "fanout",
            Dimension::Method => "method",
            Dimension::Calls => "calls",
            Dimension::Buffer => "buffer",
            Dimension::Window => "window",
            Dimension::Sync => "sync",
            Dimension::World => "world",
            Dimension::Network => "network",
        }
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a case lies in one dimension.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A count.
    Number(u64),
    /// A name.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
        }
    }
}

/// A case in all dimensions; what is usual, or means nothing for it, is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Key(pub BTreeMap<Dimension, Value>);

impl Key {
    /// The same with a name, unless that is empty.
    #[must_use]
    pub fn named(mut self, dimension: Dimension, text: &str) -> Key {
        if !text.is_empty() {
            self.0.insert(dimension, Value::Text(text.to_owned()));
        }
        self
    }

    /// The same with a number, if there is one.
    #[must_use]
    pub fn counted(mut self, dimension: Dimension, number: Option<u64>) -> Key {
        if let Some(number) = number {
            self.0.insert(dimension, Value::Number(number));
        }
        self
    }

    /// Where it lies in a dimension.
    pub fn get(&self, dimension: Dimension) -> Option<&Value> {
        self.0.get(&dimension)
    }

    /// The same in words; empty where it is not there.
    pub fn text(&self, dimension: Dimension) -> String {
        self.get(dimension).map(Value::to_string).unwrap_or_default()
    }

    /// The number there.
    pub fn number(&self, dimension: Dimension) -> Option<u64> {
        match self.get(dimension)? {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
        }
    }

    /// Only these dimensions of it.
    #[must_use]
    pub fn within(&self, keeps: impl Fn(Dimension) -> bool) -> Key {
        let kept = self.0.iter().filter(|(dimension, _)| keeps(**dimension));
        Key(kept.map(|(dimension, value)| (*dimension, value.clone())).collect())
    }
}

/// `bcast, library, 4 ranks, 1024 bytes, root 0, window`: numbers with what they count.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |(dimension, value): (&Dimension, &Value)| match (dimension, value) {
            (Dimension::Ranks | Dimension::Bytes, value) => format!("{value} {dimension}"),
            (Dimension::Calls, value) => format!("{value} calls a loop"),
            (_, Value::Number(_)) => format!("{dimension} {value}"),
            (Dimension::State, value) => format!("cache line {value}"),
            (Dimension::Sync, value) => format!("{value} synchronisation"),
            (Dimension::Buffer | Dimension::Window | Dimension::Counts, value) => format!("{dimension} {value}"),
            (_, Value::Text(text)) => text.clone(),
        };
        f.write_str(&self.0.iter().map(word).collect::<Vec<_>>().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_says_what_its_numbers_count_and_sorts_by_them() {
        let key = |bytes| {
            let key = Key::default().named(Dimension::Operation, "bcast").named(Dimension::Form, "");
            key.counted(Dimension::Bytes, Some(bytes)).counted(Dimension::Root, None)
        };
        assert_eq!(key(8).to_string(), "bcast, 8 bytes");
        assert!(key(8) < key(16) && key(16) < key(1024), "by number, not by letter");
        assert_eq!(key(8).within(|dimension| dimension == Dimension::Bytes).to_string(), "8 bytes");
        assert_eq!(serde_json::to_string(&key(8)).unwrap(), r#"{"operation":"bcast","bytes":8}"#);
    }
}
