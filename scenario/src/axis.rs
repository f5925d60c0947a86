//! The coordinates of a case: one enumeration, with one name, one unit and one spelling of each, for keys and tables.

mod key;

pub use key::{Key, Value};

use models::method::OneDelay;
use models::observation::Barrier;
use models::quantity::{Bytes, parse};
use models::shared_broadcast::Queued;
use serde::Serialize;

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
        /// The barrier that the method calls, where cases differ in it, or a benchmark at a sweep's point.
        Barrier => "barrier",
        /// One delay of one rank before the timed calls, `12us@5`, where there is one.
        Delay => "delay",
        /// Where: threads, openmpi, mpich.
        World => "world",
        /// Over what: native, emulated, modelled.
        Transport => "transport",
        /// Which of several launches, from 1. [`Axis::CASES`] ends here: no key of a case has this or what follows.
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
        /// How long the ranks of a sweep's point compute before each call, as the file writes it.
        Compute => "compute",
        /// The seed of a sweep's point.
        Seed => "seed",
        /// Over how many realisations of noise a sweep's point is taken.
        Realisations => "realisations",
        /// How many samples a benchmark takes at a sweep's point.
        Samples => "samples",
        /// What prints a number: of a case a benchmark or a column of it; at a sweep's point also a method, or `none`.
        Benchmark => "benchmark",
        /// Bytes of a fragment, where what is expected of a case, or a sweep's point, is a broadcast through a queue in shared
        /// memory; its algorithm's name has them, too, as it has what follows here.
        #[serde(rename = "fragment_bytes")]
        Fragment => "fragment_bytes",
        /// Buffers of that queue.
        Buffers => "buffers",
        /// Sets of these buffers.
        Sets => "sets",
        /// Bytes of all buffers.
        #[serde(rename = "queue_bytes")]
        Queue => "queue_bytes",
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
    pub const POINTS: [Axis; 20] = [
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
        Axis::Compute,
        Axis::Seed,
        Axis::Realisations,
        Axis::Calls,
        Axis::Samples,
        Axis::Barrier,
        Axis::Benchmark,
    ];

    /// What the names of queues in shared memory say: columns behind those of [`Axis::POINTS`].
    pub const QUEUES: [Axis; 4] = [Axis::Fragment, Axis::Buffers, Axis::Sets, Axis::Queue];

    /// What its values are.
    pub fn holds(self) -> Holds {
        match self {
            Axis::Ranks
            | Axis::Root
            | Axis::Fanout
            | Axis::Calls
            | Axis::Samples
            | Axis::Launch
            | Axis::Seed
            | Axis::Realisations
            | Axis::Buffers
            | Axis::Sets => Holds::Count,
            Axis::Bytes | Axis::Segment | Axis::Fragment | Axis::Queue => Holds::Length,
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
            | Axis::Entry
            | Axis::Compute
            | Axis::Barrier
            | Axis::Delay
            | Axis::Benchmark => Holds::Name,
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
            // A library's algorithm may be written in two ways.
            Holds::Name if self == Axis::Delay => Ok(Value::Text(OneDelay::parse(text()?)?.to_string())),
            Holds::Name if self == Axis::Barrier => Ok(Value::Text(Barrier::find(text()?)?.to_string())),
            // So may a queue's name.
            Holds::Name if self == Axis::Algorithm && Queued::is_meant(text()?) => {
                Ok(Value::Text(Queued::parse(text()?)?.to_string()))
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::case;
    use models::collective::Collective;
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
        let barrier = |text: &str| Axis::Barrier.read(&toml::Value::String(text.to_owned()));
        assert_eq!(barrier("library:double-ring"), Ok(Value::Text("library:double_ring".to_owned())));
        assert!(barrier("star").is_err());
        let algorithm = |text: &str| Axis::Algorithm.read(&toml::Value::String(text.to_owned()));
        assert_eq!(algorithm("shared:8192:32"), Ok(Value::Text("shared:8KiB:32:1:flat".to_owned())));
        assert!(algorithm("shared:8KiB").is_err());
        assert!(Axis::Ranks.read(&toml::Value::Integer(-1)).unwrap_err().contains("a whole number"));
    }

    #[test]
    fn an_algorithm_of_ours_and_one_of_the_same_name_that_a_library_is_made_to_use_are_two() {
        let ours = Implementation::Own("ring".to_owned());
        let (world, carrier, collective) = (World::OPENMPI, Carrier::Native, Collective::Allreduce);
        let own = case().with(|case| {
            case.place.world = world;
            case.place.carrier = carrier;
            case.subject.collective = collective;
            case.subject.implementation = ours;
        });
        let forced = own.clone().with(|case| case.subject.implementation = Implementation::Forced("ring".to_owned()));
        assert_eq!(Axis::shared_heads(), "world,transport,ranks,operation,algorithm,root,bytes");
        assert_eq!(Key::of(&own).shared_cells(), ["openmpi", "native", "2", "allreduce", "ring", "", "8"]);
        assert_eq!(Key::of(&forced).shared_cells(), ["openmpi", "native", "2", "allreduce", "library:ring", "", "8"]);
    }
}
