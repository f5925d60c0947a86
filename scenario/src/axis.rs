//! Coordinates of a case: one enumeration, with one name, one unit and one spelling of each, for keys and tables.

mod key;

pub use key::{AxisValue, Key, form};

use models::quantity::{Bytes, parse};
use models::shared_broadcast::Queued;
use programs::method::OneDelay;
use programs::observation::Barrier;
use serde::Serialize;

models::named! {
    /// Property in which cases differ, in the order of columns.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Axis {
        /// State of the machine, given by the duration of a cache line's transfer between neighbours, where ranks
        /// measured it.
        State => "state",
        /// Name of the collective operation.
        Operation => "operation",
        /// Unusual properties of the call: elements, layout, communicator, in place.
        Form => "form",
        /// Name of the algorithm: one of ours, `library` for the library's own choice, or `library:NAME`.
        Algorithm => "algorithm",
        /// Number of ranks in the case.
        Ranks => "ranks",
        /// Bytes of one rank's buffer, or of one block where a block per rank is moved.
        Bytes => "bytes",
        /// Lengths of uneven blocks, one for each rank.
        Counts => "counts",
        /// Root rank, where the operation has one.
        Root => "root",
        /// Length of segments in bytes, where messages are cut.
        #[serde(rename = "segment_bytes")]
        Segment => "segment_bytes",
        /// Fanout of the tree, where it is not the algorithm's own.
        Fanout => "fanout",
        /// Measurement method that obtains the time.
        Method => "method",
        /// Calls between two readings of the clock, where the method loops.
        Calls => "calls",
        /// Buffers that calls are given, where they are not the usual ones.
        Buffer => "buffer",
        /// Length of the method's windows, where they do not adapt, and their rules, where they are not the usual ones.
        Window => "window",
        /// Synchronisation of the clocks, where the method needs it.
        Sync => "sync",
        /// Barrier that the method calls, where cases differ in it, or that a benchmark calls at a sweep's point.
        Barrier => "barrier",
        /// Delay of one rank before the timed calls, as in `12us@5`, where there is one.
        Delay => "delay",
        /// World of the ranks: threads, openmpi, mpich, simulated.
        World => "world",
        /// Transport of the messages: native, emulated, modelled.
        Transport => "transport",
        /// Number of the launch, from 1. [`Axis::CASES`] ends here: no key of a case has this axis or a later one.
        Launch => "launch",
        /// Number of a single rank, or `slowest`, `fastest` or `mean` over all ranks.
        Rank => "rank",
        /// Clock that the ranks read.
        Clock => "clock",
        /// Machine of simulated ranks, by its name in the scenario.
        Machine => "machine",
        /// Network model of a sweep's point, by its name.
        Model => "model",
        /// Send rule of the network model, where the model has one: the event for which a sender waits.
        SendRule => "send_rule",
        /// Parameters of the model, as in `L=2us,G=1ns/B`.
        Parameters => "parameters",
        /// Refinements of a sweep's point, as the file writes them, or `none`.
        Platform => "platform",
        /// Noise of a sweep's point, as the file writes it, or `none`.
        Noise => "noise",
        /// Entry times of the ranks of a sweep's point, as the file writes them.
        Entry => "entry",
        /// Duration of the ranks' computation before each call of a sweep's point, as the file writes it.
        Compute => "compute",
        /// Seed of a sweep's point.
        Seed => "seed",
        /// Number of noise realisations over which a sweep's point is averaged.
        Realisations => "realisations",
        /// Number of samples that a benchmark takes at a sweep's point.
        Samples => "samples",
        /// Benchmark or column of it that prints a number. At a sweep's point it may also be a method, or `none`.
        Benchmark => "benchmark",
        /// Bytes of a fragment, where an expectation of a case, or a sweep's point, concerns a broadcast through a
        /// queue in shared memory. The algorithm's name contains this value and those of the axes below.
        #[serde(rename = "fragment_bytes")]
        Fragment => "fragment_bytes",
        /// Number of buffers of that queue.
        Buffers => "buffers",
        /// Number of sets of these buffers.
        Sets => "sets",
        /// Bytes of all buffers together.
        #[serde(rename = "queue_bytes")]
        Queue => "queue_bytes",
    }
    /// Returns the name used in flags, heads and files.
    fn name;
    find("axis"); Display(name);
}

impl Axis {
    /// Columns that every table of cases has, so that the tables of one program can be joined.
    pub const SHARED: [Axis; 7] =
        [Axis::World, Axis::Transport, Axis::Ranks, Axis::Operation, Axis::Algorithm, Axis::Root, Axis::Bytes];

    /// Axes on which the cases of a campaign differ, with the state of the machine in which they were measured.
    pub const CASES: [Axis; Axis::Launch as usize] = Axis::from(Axis::State);

    /// Axes on which the stored measurements of a campaign differ: those of cases, and the launch.
    pub const STORED: [Axis; Axis::Launch as usize] = Axis::from(Axis::Operation);

    /// Returns the `COUNT` axes that begin with `first`.
    const fn from<const COUNT: usize>(first: Axis) -> [Axis; COUNT] {
        let mut axes = [first; COUNT];
        let mut place = 0;
        while place < COUNT {
            axes[place] = Axis::ALL[first as usize + place];
            place += 1;
        }
        axes
    }

    /// Axes of the network of a sweep's point.
    pub const NETWORK: [Axis; 4] = [Axis::Model, Axis::SendRule, Axis::Parameters, Axis::Platform];

    /// Axes on which the points of a sweep differ, in the order of its columns.
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

    /// Properties given by the names of queues in shared memory: columns behind those of [`Axis::POINTS`].
    pub const QUEUES: [Axis; 4] = [Axis::Fragment, Axis::Buffers, Axis::Sets, Axis::Queue];

    /// Returns the kind of the axis's values.
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

    /// Whether all values of the axis are numbers.
    pub fn is_number(self) -> bool {
        matches!(self.holds(), Holds::Count | Holds::Length)
    }

    /// Reads a value as a file writes it.
    ///
    /// # Errors
    /// Describes the values that the axis accepts.
    pub(crate) fn read(self, value: &toml::Value) -> Result<AxisValue, String> {
        let number = || match value {
            toml::Value::Integer(number) if *number >= 0 => Ok(AxisValue::Number(number.unsigned_abs())),
            _ => Err(format!("expected a whole number, found {value}")),
        };
        let text = || match value {
            toml::Value::String(text) => Ok(text.as_str()),
            _ => Err(format!("expected text in quotes, found {value}")),
        };
        match self.holds() {
            Holds::Count => number(),
            Holds::Length => number().or_else(|_| Ok(AxisValue::Number(parse::<Bytes>(text()?)?.0))),
            Holds::Time => Ok(AxisValue::time(parse(text()?)?)),
            Holds::Rank => number().or_else(|_| match text()? {
                one @ ("slowest" | "fastest" | "mean") => Ok(AxisValue::Text(one.to_owned())),
                other => Err(format!("expected a rank's number, slowest, fastest or mean, found '{other}'")),
            }),
            // A library's algorithm may be written in two ways.
            Holds::Name if self == Axis::Delay => Ok(AxisValue::Text(OneDelay::parse(text()?)?.to_string())),
            Holds::Name if self == Axis::Barrier => Ok(AxisValue::Text(Barrier::find(text()?)?.to_string())),
            // So may a queue's name.
            Holds::Name if self == Axis::Algorithm && Queued::is_meant(text()?) => {
                Ok(AxisValue::Text(Queued::parse(text()?)?.to_string()))
            }
            Holds::Name => Ok(AxisValue::Text(text()?.to_owned())),
        }
    }

    /// Further axes on which measurements differ. They are empty where everything is as usual.
    pub const VARIANT: [Axis; 5] = [Axis::Form, Axis::Segment, Axis::Fanout, Axis::Buffer, Axis::Sync];
}

/// Kind of the values of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Counts, as whole numbers.
    Count,
    /// Lengths, in bytes or with a unit.
    Length,
    /// Durations, as text with a unit.
    Time,
    /// Number of a rank, or all ranks together in one of three ways.
    Rank,
    /// Names and other texts.
    Name,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::case;
    use models::collective::Collective;
    use models::quantity::Millionths;
    use programs::method::{Method, WindowRules};
    use programs::observation::{Carrier, Conditions, Implementation, World};

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
        assert_eq!(window("2 ms"), Ok(AxisValue::time(models::time::Span::from_us(2_000))));
        assert_eq!(window("2 ms").unwrap().to_string(), "2000 µs");
        assert_eq!(Axis::Bytes.read(&toml::Value::String("1 KiB".to_owned())), Ok(AxisValue::Number(1024)));
        assert_eq!(Axis::Rank.read(&toml::Value::Integer(3)), Ok(AxisValue::Number(3)));
        let barrier = |text: &str| Axis::Barrier.read(&toml::Value::String(text.to_owned()));
        assert_eq!(barrier("library:double-ring"), Ok(AxisValue::Text("library:double_ring".to_owned())));
        assert!(barrier("star").is_err());
        let algorithm = |text: &str| Axis::Algorithm.read(&toml::Value::String(text.to_owned()));
        assert_eq!(algorithm("shared:8192:32"), Ok(AxisValue::Text("shared:8KiB:32:1:flat".to_owned())));
        assert!(algorithm("shared:8KiB").is_err());
        assert!(Axis::Ranks.read(&toml::Value::Integer(-1)).unwrap_err().contains("a whole number"));
    }

    #[test]
    fn rules_of_windows_tell_cases_by_windows_apart_and_no_others() {
        let strict = WindowRules { late: Some(Millionths(0)), ..WindowRules::default() };
        let key = |method, window, rules| {
            let conditions = Conditions { window, rules, ..Conditions::default() };
            Key::from_case(&case().by(method).under(conditions)).text(Axis::Window)
        };
        let (usual, length) = (WindowRules::default(), Some(models::time::Span::from_us(100)));
        assert_eq!(key(Method::Window, None, usual) + &key(Method::Loop, None, strict), "");
        assert_eq!(key(Method::Window, None, strict), "late=0%");
        assert_eq!(key(Method::Window, length, strict), "100 µs,late=0%");
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
        assert_eq!(
            Axis::SHARED.map(|axis| Key::from_case(&own).text(axis)),
            ["openmpi", "native", "2", "allreduce", "ring", "", "8"]
        );
        assert_eq!(
            Axis::SHARED.map(|axis| Key::from_case(&forced).text(axis)),
            ["openmpi", "native", "2", "allreduce", "library:ring", "", "8"]
        );
    }
}
