//! Quantities that numbers measure, with their unit and the direction that is better.

use super::Verdict;
use probes::cases::{MEMORY, NOISE, OF_CLOCKS, SYNCHRONISATION};
use scenario::axis::{Axis, Key};

models::named! {
    /// Quantity that the numbers of a case, of a column or of a parameter measure. Two numbers are compared only where
    /// their quantity is the same.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Quantity {
        /// Duration of an operation.
        Time => "µs",
        /// Duration for each byte.
        TimePerByte => "ns/B",
        /// Amount by which times vary, clocks are wrong, or ranks are disturbed. An operation is not slower by this
        /// amount.
        Spread => "µs",
        /// Bytes per second, in units of 10⁶.
        Megabytes => "MB/s",
        /// Bytes per second, in units of 10⁹.
        Gigabytes => "GB/s",
        /// Bytes per second, in units of 2²⁰.
        Mebibytes => "MiB/s",
        /// Bytes per second, in units of 10⁶ or of 2²⁰: the text does not say which.
        SomeMegabytes => "Mbytes/s",
        /// Bits per second, in units of 10⁶.
        Megabits => "Mbit/s",
        /// Bits per second, in units of 2²⁰.
        Mebibits => "Mibit/s",
        /// Number of messages sent per second.
        Messages => "messages/s",
        /// Share of the communication that is hidden behind computation.
        Overlap => "%",
        /// A share of unknown meaning.
        Percent => "%",
        /// Amount by which a number varies, divided by the number.
        RelativeSpread => "of 1",
        /// Number of results that were wrong.
        Defects => "defects",
        /// Number of calls or samples that the benchmark took.
        Count => "calls",
        /// Memory used by a process.
        Memory => "KiB",
        /// Length of a message or of a limit, in bytes.
        Bytes => "B",
    }
    /// The unit, as it stands in tables.
    fn unit;
}

models::named! {
    /// Direction in which a number is better.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Better {
        /// The smaller number is better.
        Less => "less", "smaller is better",
        /// The larger number is better.
        More => "more", "larger is better",
        /// Neither: numbers may differ, but none is better.
        Neither => "neither", "neither way is better",
    }
    /// The name used in files.
    fn name;
    /// The direction in words.
    fn words;
}

impl Quantity {
    /// Returns the quantity of a column of a benchmark's text, judged by the end of the column's name; `None` where the
    /// name says nothing that can be compared: marks, ranks, sizes, and unknown heads.
    pub fn of_column(name: &str) -> Option<Quantity> {
        let named = match name {
            "standard_error_us" | "error_us" => Some(Quantity::Spread),
            "relative_standard_error" | "relative_error" => Some(Quantity::RelativeSpread),
            "overlap_percent" => Some(Quantity::Overlap),
            "defects" => Some(Quantity::Defects),
            "valid_samples" | "correct_runs" | "kept_runs" | "unsettled_calls" => Some(Quantity::Count),
            _ => None,
        };
        let ends = [
            ("mb_per_s", Quantity::Megabytes),
            ("gb_per_s", Quantity::Gigabytes),
            ("mib_per_s", Quantity::Mebibytes),
            ("mbytes_per_s", Quantity::SomeMegabytes),
            ("mbit_per_s", Quantity::Megabits),
            ("mibit_per_s", Quantity::Mebibits),
            ("messages_per_s", Quantity::Messages),
            ("_us", Quantity::Time),
            ("_per_byte_ns", Quantity::TimePerByte),
            ("_percent", Quantity::Percent),
        ];
        named.or_else(|| ends.into_iter().find(|(end, _)| name.ends_with(end)).map(|(_, quantity)| quantity))
    }

    /// The unit as it stands in files, in plain letters: `us` for µs.
    pub fn plain_unit(self) -> String {
        self.unit().replace('µ', "u")
    }

    /// The direction in which numbers of this quantity are better.
    pub fn better(self) -> Better {
        match self {
            Quantity::Time
            | Quantity::TimePerByte
            | Quantity::Spread
            | Quantity::RelativeSpread
            | Quantity::Defects
            | Quantity::Memory => Better::Less,
            Quantity::Megabytes
            | Quantity::Gigabytes
            | Quantity::Mebibytes
            | Quantity::SomeMegabytes
            | Quantity::Megabits
            | Quantity::Mebibits
            | Quantity::Messages
            | Quantity::Overlap => Better::More,
            Quantity::Percent | Quantity::Count | Quantity::Bytes => Better::Neither,
        }
    }

    /// Whether a difference makes something slower or faster, which holds for times and rates. Of all other quantities
    /// one number is larger than another.
    fn is_speed(self) -> bool {
        match self {
            Quantity::Time
            | Quantity::TimePerByte
            | Quantity::Megabytes
            | Quantity::Gigabytes
            | Quantity::Mebibytes
            | Quantity::SomeMegabytes
            | Quantity::Megabits
            | Quantity::Mebibits
            | Quantity::Messages => true,
            Quantity::Spread
            | Quantity::Overlap
            | Quantity::Percent
            | Quantity::RelativeSpread
            | Quantity::Defects
            | Quantity::Count
            | Quantity::Memory
            | Quantity::Bytes => false,
        }
    }

    /// The verdict on B where its number is the larger one, and where it is the smaller one.
    pub fn verdicts(self) -> [Verdict; 2] {
        match (self.is_speed(), self.better()) {
            (true, Better::More) => [Verdict::Faster, Verdict::Slower],
            (true, Better::Less | Better::Neither) => [Verdict::Slower, Verdict::Faster],
            (false, Better::Less | Better::More | Better::Neither) => [Verdict::Larger, Verdict::Smaller],
        }
    }

    /// Whether a larger number is worse; `None` where neither direction is worse.
    pub fn larger_is_worse(self) -> Option<bool> {
        match self.better() {
            Better::Less => Some(true),
            Better::More => Some(false),
            Better::Neither => None,
        }
    }

    /// `MB/s: larger is better`, where the words slower and faster do not say it by themselves; `None` for times.
    pub(super) fn direction(self) -> Option<String> {
        (self != Quantity::Time).then(|| format!("{}: {}", self.unit(), self.better().words()))
    }
}

/// Returns the quantity of a case's numbers.
pub(crate) fn quantity_of_answer(key: &Key) -> Quantity {
    match key.text(Axis::Operation).as_str() {
        MEMORY => Quantity::Memory,
        NOISE => Quantity::Spread,
        SYNCHRONISATION if OF_CLOCKS.contains(&key.text(Axis::Form).as_str()) => Quantity::Spread,
        _ => Quantity::Time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_say_the_unit_and_the_direction() {
        let known = |name: &str| Quantity::of_column(name).map(|of| (of.unit(), of.better(), of.verdicts()[0]));
        let time = Some(("µs", Better::Less, Verdict::Slower));
        for (name, expected) in [
            ("mean_us", time),
            ("p90_us", time),
            ("process_3_us", time),
            ("standard_error_us", Some(("µs", Better::Less, Verdict::Larger))),
            ("p90_mb_per_s", Some(("MB/s", Better::More, Verdict::Faster))),
            ("mib_per_s", Some(("MiB/s", Better::More, Verdict::Faster))),
            ("mbytes_per_s", Some(("Mbytes/s", Better::More, Verdict::Faster))),
            ("messages_per_s", Some(("messages/s", Better::More, Verdict::Faster))),
            ("overlap_percent", Some(("%", Better::More, Verdict::Larger))),
            ("cpu_percent", Some(("%", Better::Neither, Verdict::Larger))),
            ("defects", Some(("defects", Better::Less, Verdict::Larger))),
            ("passed", None),
            ("rank", None),
            ("variance_us2", None),
        ] {
            assert_eq!(known(name), expected, "{name}");
        }
    }
}
