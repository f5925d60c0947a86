//! The coordinates of a case: one enumeration, with one name, one unit and one spelling of each, for keys and tables.

use models::call::{Call, Form};
use models::collective::Collective;
use models::observation::Case;
use models::platform::Buffer;
use models::quantity::{Bytes, parse};
use models::time::Span;
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
        /// Which of several launches, from 1. This and what follows tells no cases apart: [`Axis::CASES`] ends here.
        Launch => "launch",
        /// One rank by its number; or `slowest`, `fastest`, `mean` over all.
        Rank => "rank",
        /// The clock.
        Clock => "clock",
        /// The simulated machine.
        Machine => "machine",
        /// The network model of a sweep's point.
        Model => "model",
        /// What its senders wait for, where the model has such a rule.
        SendRule => "send_rule",
        /// Its parameters, `L=2us,G=1ns/B`.
        Parameters => "parameters",
        /// The refinements of a sweep's point, as the file writes them, or `none`.
        Platform => "platform",
        /// The noise of a sweep's point, as the file writes it, or `none`.
        Noise => "noise",
        /// When the ranks of a sweep's point enter.
        Entry => "entry",
        /// The seed of a sweep's point.
        Seed => "seed",
        /// Over how many realisations of noise a sweep's point is taken.
        Realisations => "realisations",
    }
    /// The name used in flags, heads and files.
    fn name;
    find("axis"); Display(name);
}

impl Axis {
    /// The columns that every table of cases has: by them the tables of one program join.
    pub const SHARED: [Axis; 7] =
        [Axis::World, Axis::Transport, Axis::Ranks, Axis::Operation, Axis::Algorithm, Axis::Root, Axis::Bytes];

    /// What tells the cases of a campaign apart, and the state of the machine in which they were met.
    pub const CASES: [Axis; Axis::Launch as usize] = Axis::from(Axis::State);

    /// What tells apart what was measured of a campaign, as it is stored: cases and launches.
    pub const STORED: [Axis; Axis::Launch as usize] = Axis::from(Axis::Operation);

    /// So many axes from one on.
    const fn from<const COUNT: usize>(first: Axis) -> [Axis; COUNT] {
        let mut axes = [first; COUNT];
        let mut place = 0;
        while place < COUNT {
            axes[place] = Axis::ALL[first as usize + place];
            place += 1;
        }
        axes
    }

    /// What tells the points of a sweep apart, in the order of its columns.
    pub const POINTS: [Axis; 16] = [
        Axis::Operation,
        Axis::Algorithm,
        Axis::Ranks,
        Axis::Bytes,
        Axis::Root,
        Axis::Segment,
        Axis::Fanout,
        Axis::Model,
        Axis::SendRule,
        Axis::Parameters,
        Axis::Platform,
        Axis::Noise,
        Axis::Entry,
        Axis::Seed,
        Axis::Realisations,
        Axis::Calls,
    ];

    /// What its values are.
    pub fn holds(self) -> Holds {
        match self {
            Axis::Ranks | Axis::Root | Axis::Fanout | Axis::Calls | Axis::Launch | Axis::Seed | Axis::Realisations => {
                Holds::Count
            }
            Axis::Bytes | Axis::Segment => Holds::Length,
            Axis::Window => Holds::Time,
            Axis::Rank => Holds::Rank,
            Axis::State
            | Axis::Operation
            | Axis::Form
            | Axis::Algorithm
            | Axis::Counts
            | Axis::Method
            | Axis::Buffer
            | Axis::Sync
            | Axis::World
            | Axis::Transport
            | Axis::Clock
            | Axis::Machine
            | Axis::Model
            | Axis::SendRule
            | Axis::Parameters
            | Axis::Platform
            | Axis::Noise
            | Axis::Entry => Holds::Name,
        }
    }

    /// Whether all its values are numbers.
    pub fn is_number(self) -> bool {
        matches!(self.holds(), Holds::Count | Holds::Length)
    }

    /// A value as a file writes it.
    ///
    /// # Errors
    /// What values the axis has.
    pub(crate) fn read(self, value: &toml::Value) -> Result<Value, String> {
        let number = || match value {
            toml::Value::Integer(number) if *number >= 0 => Ok(Value::Number(number.unsigned_abs())),
            _ => Err(format!("expected a whole number, found {value}")),
        };
        let text = || match value {
            toml::Value::String(text) => Ok(text.as_str()),
            _ => Err(format!("expected text in quotes, found {value}")),
        };
        match self.holds() {
            Holds::Count => number(),
            Holds::Length => number().or_else(|_| Ok(Value::Number(parse::<Bytes>(text()?)?.0))),
            Holds::Time => Ok(Value::time(parse(text()?)?)),
            Holds::Rank => number().or_else(|_| match text()? {
                one @ ("slowest" | "fastest" | "mean") => Ok(Value::Text(one.to_owned())),
                other => Err(format!("expected a rank's number, slowest, fastest or mean, found '{other}'")),
            }),
            Holds::Name => Ok(Value::Text(text()?.to_owned())),
        }
    }

    /// What else tells apart what is measured; empty where it is as usual.
    pub const VARIANT: [Axis; 5] = [Axis::Form, Axis::Segment, Axis::Fanout, Axis::Buffer, Axis::Sync];

    /// The heads of [`Axis::SHARED`], with commas between.
    pub fn shared_heads() -> String {
        Axis::SHARED.map(Axis::name).join(",")
    }
}

/// What the values of an axis are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Counts.
    Count,
    /// Lengths in bytes.
    Length,
    /// Durations.
    Time,
    /// A rank, or all ranks together in one of three ways.
    Rank,
    /// Names.
    Name,
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

impl Value {
    /// The number, if it is one.
    pub fn number(&self) -> Option<u64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Text(_) => None,
        }
    }

    /// A duration: `10 µs`.
    pub fn time(span: Span) -> Value {
        Value::Text(format!("{} µs", span.as_us()))
    }
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
            .counted(Axis::Fanout, case.fanout)
            .named(Axis::Method, case.method.name())
            .counted(Axis::Calls, (!synchronised).then_some(case.repetitions))
            .named(Axis::Buffer, if usual(conditions.buffer) { "" } else { conditions.buffer.name() })
            .at(Axis::Window, conditions.window.map(Value::time))
            .named(Axis::Sync, if synchronised { conditions.sync.name() } else { "" })
    }

    /// A case on the axes of [`Axis::SHARED`].
    pub fn of_subject(case: &Case) -> Key {
        Key::default()
            .named(Axis::World, case.world.name())
            .named(Axis::Transport, case.carrier.name())
            .counted(Axis::Ranks, Some(case.ranks))
            .named(Axis::Operation, &case.call.name_of(case.collective))
            .named(Axis::Algorithm, &case.implementation.written())
            .counted(Axis::Root, case.collective.is_rooted().then_some(case.root))
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
    pub fn counted(self, axis: Axis, number: Option<impl Into<u64>>) -> Key {
        self.at(axis, number.map(|number| Value::Number(number.into())))
    }

    /// The same with a value, if there is one.
    #[must_use]
    pub fn at(mut self, axis: Axis, value: Option<Value>) -> Key {
        if let Some(value) = value {
            self.0.insert(axis, value);
        }
        self
    }

    /// Where it lies on an axis.
    pub fn get(&self, axis: Axis) -> Option<&Value> {
        self.0.get(&axis)
    }

    /// The same in words; empty where it is not there.
    pub fn text(&self, axis: Axis) -> String {
        self.get(axis).map(Value::to_string).unwrap_or_default()
    }

    /// The number there.
    pub fn number(&self, axis: Axis) -> Option<u64> {
        self.get(axis)?.number()
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
        let key = |bytes: u64| {
            let key = Key::default().named(Axis::Operation, "bcast").named(Axis::Form, "");
            key.counted(Axis::Bytes, Some(bytes)).counted(Axis::Root, None::<u64>)
        };
        assert_eq!(key(8).to_string(), "bcast, 8 bytes");
        assert!(key(8) < key(16) && key(16) < key(1024), "by number, not by letter");
        assert_eq!(key(8).within(|axis| axis == Axis::Bytes).to_string(), "8 bytes");
        assert_eq!(serde_json::to_string(&key(8)).unwrap(), r#"{"operation":"bcast","bytes":8}"#);
        let segments = key(8).counted(Axis::Segment, Some(4_u64));
        assert_eq!(segments.to_string(), "bcast, 8 bytes, segment 4");
        assert_eq!(serde_json::to_string(&segments).unwrap(), r#"{"operation":"bcast","bytes":8,"segment_bytes":4}"#);
    }

    #[test]
    fn cases_and_points_have_their_axes_and_values_are_read_as_they_are_written() {
        let window = |text: &str| Axis::Window.read(&toml::Value::String(text.to_owned()));
        assert_eq!((Axis::CASES[0], *Axis::CASES.last().unwrap()), (Axis::State, Axis::Transport));
        assert_eq!((Axis::STORED[0], *Axis::STORED.last().unwrap()), (Axis::Operation, Axis::Launch));
        assert_eq!(window("2 ms"), Ok(Value::time(models::time::Span::from_us(2_000))));
        assert_eq!(window("2 ms").unwrap().to_string(), "2000 µs");
        assert_eq!(Axis::Bytes.read(&toml::Value::String("1 KiB".to_owned())), Ok(Value::Number(1024)));
        assert_eq!(Axis::Rank.read(&toml::Value::Integer(3)), Ok(Value::Number(3)));
        assert!(Axis::Ranks.read(&toml::Value::Integer(-1)).unwrap_err().contains("a whole number"));
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
