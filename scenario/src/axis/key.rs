//! The position of a case on all axes: one value on each.

use super::Axis;
use models::call::{Call, LengthForm};
use models::collective::Collective;
use models::platform::Buffer;
use models::shared_broadcast::Queue;
use models::time::Span;
use programs::method::Method;
use programs::observation::Case;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Position of a case on one axis.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum AxisValue {
    /// Count or length, as a number.
    Number(u64),
    /// Name or other text.
    Text(String),
}

impl AxisValue {
    /// Returns the number, or `None` for a text.
    pub fn number(&self) -> Option<u64> {
        match self {
            AxisValue::Number(number) => Some(*number),
            AxisValue::Text(_) => None,
        }
    }

    /// Returns the value of a duration, as in `10 µs`.
    pub fn time(span: Span) -> AxisValue {
        AxisValue::Text(format!("{} µs", span.as_us()))
    }
}

impl fmt::Display for AxisValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AxisValue::Number(number) => write!(f, "{number}"),
            AxisValue::Text(text) => f.write_str(text),
        }
    }
}

/// Position of a case on all axes. Axes on which it is usual, or which mean nothing for it, are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Key(pub BTreeMap<Axis, AxisValue>);

impl Key {
    /// Returns the position of a case on all axes. Launches of one case have one key.
    pub fn from_case(case: &Case) -> Key {
        let usual = |buffer: Buffer| buffer == Buffer::default();
        let conditions = &case.timing.conditions;
        let synchronised = case.timing.method.is_synchronised();
        Key::of_subject(case)
            .named(Axis::Form, &form(case.subject.collective, &case.subject.call))
            .named(Axis::Counts, &case.subject.counts.map(|counts| format!("{counts:?}")).unwrap_or_default())
            .counted(Axis::Segment, case.subject.segment_bytes)
            .counted(Axis::Fanout, case.subject.fanout)
            .named(Axis::Method, case.timing.method.name())
            .counted(Axis::Calls, (!synchronised).then_some(case.timing.calls))
            .named(Axis::Buffer, if usual(conditions.buffer) { "" } else { conditions.buffer.name() })
            .named(Axis::Window, &windows(case))
            .named(Axis::Sync, if synchronised { conditions.sync.name() } else { "" })
            .named(Axis::Barrier, &conditions.barrier.map(|barrier| barrier.to_string()).unwrap_or_default())
            .named(Axis::Delay, &conditions.delay.map(|delay| delay.to_string()).unwrap_or_default())
    }

    /// Returns the position of a case on the axes of [`Axis::SHARED`].
    pub fn of_subject(case: &Case) -> Key {
        Key::default()
            .named(Axis::World, case.place.world.name())
            .named(Axis::Transport, case.place.carrier.name())
            .counted(Axis::Ranks, Some(case.place.ranks))
            .named(Axis::Operation, &case.subject.call.name_of(case.subject.collective))
            .named(Axis::Algorithm, &case.subject.implementation.written())
            .counted(Axis::Root, case.subject.collective.is_rooted().then_some(case.subject.root))
            .counted(Axis::Bytes, Some(case.subject.bytes))
    }

    /// Adds a name on an axis, unless it is empty.
    #[must_use]
    pub fn named(mut self, axis: Axis, text: &str) -> Key {
        if !text.is_empty() {
            self.0.insert(axis, AxisValue::Text(text.to_owned()));
        }
        self
    }

    /// Adds a number on an axis, if there is one.
    #[must_use]
    pub fn counted(self, axis: Axis, number: Option<impl Into<u64>>) -> Key {
        self.at(axis, number.map(|number| AxisValue::Number(number.into())))
    }

    /// Adds the numbers of a queue in shared memory on the axes of [`Axis::QUEUES`], if there is one.
    #[must_use]
    pub fn through(self, queue: Option<Queue>) -> Key {
        let number = |of: fn(&Queue) -> u64| queue.as_ref().map(of);
        self.counted(Axis::Fragment, number(Queue::fragment_bytes))
            .counted(Axis::Buffers, number(Queue::buffers))
            .counted(Axis::Sets, number(Queue::sets))
            .counted(Axis::Queue, number(Queue::bytes))
    }

    /// Adds a value on an axis, if there is one.
    #[must_use]
    pub fn at(mut self, axis: Axis, value: Option<AxisValue>) -> Key {
        if let Some(value) = value {
            self.0.insert(axis, value);
        }
        self
    }

    /// Returns the value on an axis, or `None` where the axis is absent.
    pub fn get(&self, axis: Axis) -> Option<&AxisValue> {
        self.0.get(&axis)
    }

    /// Returns the value on an axis as text, empty where the axis is absent.
    pub fn text(&self, axis: Axis) -> String {
        self.get(axis).map(AxisValue::to_string).unwrap_or_default()
    }

    /// Returns the number on an axis, or `None` where the axis is absent or holds a text.
    pub fn number(&self, axis: Axis) -> Option<u64> {
        self.get(axis)?.number()
    }

    /// Returns the key with only the axes for which `keeps` is true.
    #[must_use]
    pub fn within(&self, keeps: impl Fn(Axis) -> bool) -> Key {
        let kept = self.0.iter().filter(|(axis, _)| keeps(**axis));
        Key(kept.map(|(axis, value)| (*axis, value.clone())).collect())
    }
}

/// Writes the values with their units, as in `bcast, library, 4 ranks, 1024 bytes, root 0, window`.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |(axis, value): (&Axis, &AxisValue)| match (axis, value) {
            (Axis::Ranks | Axis::Bytes, value) => format!("{value} {axis}"),
            (Axis::Segment, value) => format!("segment {value}"),
            (Axis::Calls, value) => format!("{value} calls a loop"),
            (_, AxisValue::Number(_)) => format!("{axis} {value}"),
            (Axis::State, value) => format!("cache line {value}"),
            (Axis::Sync, value) => format!("{value} synchronisation"),
            (Axis::Buffer | Axis::Window | Axis::Counts | Axis::Barrier | Axis::Delay, value) => {
                format!("{axis} {value}")
            }
            (_, AxisValue::Text(text)) => text.clone(),
        };
        // The algorithm's name already contains the queue's numbers.
        let told = self.0.iter().filter(|(axis, _)| !Axis::QUEUES.contains(axis));
        f.write_str(&told.map(word).collect::<Vec<_>>().join(", "))
    }
}

/// Returns the length of windows and their rules, where they are not the usual ones and the method has windows.
fn windows(case: &Case) -> String {
    let conditions = &case.timing.conditions;
    let has_windows = case.timing.method == Method::Window;
    let length = conditions.window.map(|window| AxisValue::time(window).to_string());
    let rules = (has_windows && !conditions.rules.are_usual()).then(|| conditions.rules.to_string());
    length.into_iter().chain(rules).collect::<Vec<_>>().join(",")
}

/// Returns the properties of the call that the operation's name does not contain. Both forms of a reduce-scatter have
/// one name.
pub fn form(collective: Collective, call: &Call) -> String {
    let counted =
        (collective == Collective::ReduceScatter && call.form != LengthForm::Regular).then_some(call.form.name());
    let words = [counted.unwrap_or_default().to_owned(), call.variant()];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
}
