//! The coordinates of a case: one enumeration, with one name, one unit and one spelling of each, for keys and tables.

use models::call::{Call, Form};
use models::collective::Collective;
use models::observation::Case;
use models::platform::Buffer;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

models::named! {
    /// One thing that tells cases apart; in the order of columns.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Axis {
        /// In which state of the machine, where ranks looked: how long a cache line takes between neighbours.
        State => "state",
        /// The name of the call.
        Operation => "operation",
        /// What is unusual about the call: elements, layout, communicator, in place.
        Form => "form",
        /// Whose algorithm: `library`, or a name.
        Algorithm => "algorithm",
        /// How many ranks.
        Ranks => "ranks",
        /// Bytes of one rank's buffer, or of one block where a block per rank is moved.
        Bytes => "bytes",
        /// Lengths of uneven blocks.
        Counts => "counts",
        /// The root, where the operation has one.
        Root => "root",
        /// Length of segments, where messages are cut.
        #[serde(rename = "segment_bytes")]
        Segment => "segment_bytes",
        /// Fanout, where it is not the algorithm's own.
        Fanout => "fanout",
        /// How the time is obtained.
        Method => "method",
        /// Calls between two readings of the clock, where the method loops.
        Calls => "calls",
        /// Which buffers, where they are not the usual ones.
        Buffer => "buffer",
        /// Length of windows, where it does not adapt.
        Window => "window",
        /// How clocks are synchronised, where the method needs it.
        Sync => "sync",
        /// Where: threads, openmpi, mpich.
        World => "world",
        /// Over what: native, emulated, modelled.
        Transport => "transport",
    }
    /// The name used in flags, heads and files.
    fn name;
    Display(name);
}

impl Axis {
    /// The columns that every table of cases has: by them the tables of one program join.
    pub const SHARED: [Axis; 7] =
        [Axis::World, Axis::Transport, Axis::Ranks, Axis::Operation, Axis::Algorithm, Axis::Root, Axis::Bytes];

    /// The heads of [`Axis::SHARED`], with commas between.
    pub fn shared_heads() -> String {
        Axis::SHARED.map(Axis::name).join(",")
    }
}

/// Where a case lies on one axis.
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

/// A case in all axes; what is usual, or means nothing for it, is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Key(pub BTreeMap<Axis, Value>);

impl Key {
    /// A case on all axes; launches of one case have one key.
    pub fn of(case: &Case) -> Key {
        let usual = |buffer: Buffer| buffer == Buffer::default();
        let conditions = &case.conditions;
        let synchronised = case.method.is_synchronised();
        Key::of_subject(case)
            .named(Axis::Form, &form(case.collective, &case.call))
            .named(Axis::Counts, &case.counts.map(|counts| format!("{counts:?}")).unwrap_or_default())
            .counted(Axis::Segment, case.segment_bytes)
            .counted(Axis::Fanout, case.fanout.map(u64::from))
            .named(Axis::Method, case.method.name())
            .counted(Axis::Calls, (!synchronised).then_some(u64::from(case.repetitions)))
            .named(Axis::Buffer, if usual(conditions.buffer) { "" } else { conditions.buffer.name() })
            .named(Axis::Window, &conditions.window.map(|window| format!("{} µs", window.as_us())).unwrap_or_default())
            .named(Axis::Sync, if synchronised { conditions.sync.name() } else { "" })
    }

    /// A case on the axes of [`Axis::SHARED`].
    pub fn of_subject(case: &Case) -> Key {
        Key::default()
            .named(Axis::World, case.world.name())
            .named(Axis::Transport, case.carrier.name())
            .counted(Axis::Ranks, Some(u64::from(case.ranks)))
            .named(Axis::Operation, &case.call.name_of(case.collective))
            .named(Axis::Algorithm, &case.implementation.written())
            .counted(Axis::Root, case.collective.is_rooted().then_some(u64::from(case.root)))
            .counted(Axis::Bytes, Some(case.bytes))
    }

    /// The cells of [`Axis::SHARED`].
    pub fn shared_cells(&self) -> [String; Axis::SHARED.len()] {
        Axis::SHARED.map(|axis| self.text(axis))
    }

    /// The same with a name, unless that is empty.
    #[must_use]
    pub fn named(mut self, axis: Axis, text: &str) -> Key {
        if !text.is_empty() {
            self.0.insert(axis, Value::Text(text.to_owned()));
        }
        self
    }

    /// The same with a number, if there is one.
    #[must_use]
    pub fn counted(mut self, axis: Axis, number: Option<u64>) -> Key {
        if let Some(number) = number {
            self.0.insert(axis, Value::Number(number));
        }
        self
    }

    /// Where it lies in a axis.
    pub fn get(&self, axis: Axis) -> Option<&Value> {
        self.0.get(&axis)
    }

    /// The same in words; empty where it is not there.
    pub fn text(&self, axis: Axis) -> String {
        self.get(axis).map(Value::to_string).unwrap_or_default()
    }

    /// The number there.
    pub fn number(&self, axis: Axis) -> Option<u64> {
        match self.get(axis)? {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
        }
    }

    /// Only these axes of it.
    #[must_use]
    pub fn within(&self, keeps: impl Fn(Axis) -> bool) -> Key {
        let kept = self.0.iter().filter(|(axis, _)| keeps(**axis));
        Key(kept.map(|(axis, value)| (*axis, value.clone())).collect())
    }
}

/// `bcast, library, 4 ranks, 1024 bytes, root 0, window`: numbers with what they count.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |(axis, value): (&Axis, &Value)| match (axis, value) {
            (Axis::Ranks | Axis::Bytes, value) => format!("{value} {axis}"),
            (Axis::Segment, value) => format!("segment {value}"),
            (Axis::Calls, value) => format!("{value} calls a loop"),
            (_, Value::Number(_)) => format!("{axis} {value}"),
            (Axis::State, value) => format!("cache line {value}"),
            (Axis::Sync, value) => format!("{value} synchronisation"),
            (Axis::Buffer | Axis::Window | Axis::Counts, value) => format!("{axis} {value}"),
            (_, Value::Text(text)) => text.clone(),
        };
        f.write_str(&self.0.iter().map(word).collect::<Vec<_>>().join(", "))
    }
}

/// What the operation's name does not say of the call. Both forms of a reduce-scatter have one name.
fn form(collective: Collective, call: &Call) -> String {
    let counted = (collective == Collective::ReduceScatter && call.form != Form::Regular).then_some(call.form.name());
    let words = [counted.unwrap_or_default().to_owned(), call.variant()];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::case;
    use models::observation::{Carrier, Implementation, World};

    #[test]
    fn a_key_says_what_its_numbers_count_and_sorts_by_them() {
        let key = |bytes| {
            let key = Key::default().named(Axis::Operation, "bcast").named(Axis::Form, "");
            key.counted(Axis::Bytes, Some(bytes)).counted(Axis::Root, None)
        };
        assert_eq!(key(8).to_string(), "bcast, 8 bytes");
        assert!(key(8) < key(16) && key(16) < key(1024), "by number, not by letter");
        assert_eq!(key(8).within(|axis| axis == Axis::Bytes).to_string(), "8 bytes");
        assert_eq!(serde_json::to_string(&key(8)).unwrap(), r#"{"operation":"bcast","bytes":8}"#);
        let segments = key(8).counted(Axis::Segment, Some(4));
        assert_eq!(segments.to_string(), "bcast, 8 bytes, segment 4");
        assert_eq!(serde_json::to_string(&segments).unwrap(), r#"{"operation":"bcast","bytes":8,"segment_bytes":4}"#);
    }

    #[test]
    fn an_algorithm_of_ours_and_one_of_the_same_name_that_a_library_is_made_to_use_are_two() {
        let ours = Implementation::Own("ring".to_owned());
        let (world, carrier, collective) = (World::OPENMPI, Carrier::Native, Collective::Allreduce);
        let own = Case { world, carrier, collective, implementation: ours, ..case() };
        let forced = Case { implementation: Implementation::Forced("ring".to_owned()), ..own.clone() };
        assert_eq!(Axis::shared_heads(), "world,transport,ranks,operation,algorithm,root,bytes");
        assert_eq!(Key::of(&own).shared_cells(), ["openmpi", "native", "2", "allreduce", "ring", "", "8"]);
        assert_eq!(Key::of(&forced).shared_cells(), ["openmpi", "native", "2", "allreduce", "library:ring", "", "8"]);
    }
}
