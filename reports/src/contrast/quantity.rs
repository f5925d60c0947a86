//! What numbers are: their unit, and which way is better.

use super::Verdict;

models::named! {
    /// What the numbers of a case, of a column or of a parameter are. Two of them are compared only where they are the same.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Quantity {
        /// How long something takes.
        Time => "µs",
        /// How long it takes for each byte.
        TimePerByte => "ns/B",
        /// By how much times vary, clocks are wrong, or ranks are disturbed: nothing is slower for it by as much.
        Spread => "µs",
        /// Bytes per second, in 10⁶.
        Megabytes => "MB/s",
        /// The same in 10⁹.
        Gigabytes => "GB/s",
        /// The same in 2²⁰.
        Mebibytes => "MiB/s",
        /// The same where the text does not say whether in 10⁶ or in 2²⁰.
        SomeMegabytes => "Mbytes/s",
        /// Bits per second, in 10⁶.
        Megabits => "Mbit/s",
        /// The same in 2²⁰.
        Mebibits => "Mibit/s",
        /// Messages per second.
        Messages => "messages/s",
        /// How much of communication lies behind computation.
        Overlap => "%",
        /// A share of which it is not known what it says.
        Percent => "%",
        /// By how much a number varies, over the number.
        RelativeSpread => "of 1",
        /// Results that were wrong.
        Defects => "defects",
        /// Calls or samples, which are as many as the benchmark took.
        Count => "calls",
        /// Memory of a process.
        Memory => "KiB",
        /// A length.
        Bytes => "B",
    }
    /// The unit, as it stands in tables.
    fn unit;
}

models::named! {
    /// Which way is better.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Better {
        /// The smaller number.
        Less => "less", "smaller is better",
        /// The larger number.
        More => "more", "larger is better",
        /// Neither: numbers may differ, but none is better.
        Neither => "neither", "neither way is better",
    }
    /// The name used in files.
    fn name;
    /// In words.
    fn words;
}

impl Quantity {
    /// What stands in a column of a benchmark's text, by the end of the column's name; `None` where that says nothing that
    /// can be compared: marks, ranks, sizes, and heads that are not known.
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

    /// The unit as files have it, in plain letters.
    pub fn plain_unit(self) -> String {
        self.unit().replace('µ', "u")
    }

    /// Which way is better.
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

    /// Whether a difference makes something slower or faster: of times and rates. Of all else one number is larger than
    /// another.
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

    /// What B is where its number is the larger one, and where it is the smaller one.
    pub fn verdicts(self) -> [Verdict; 2] {
        match (self.is_speed(), self.better()) {
            (true, Better::More) => [Verdict::Faster, Verdict::Slower],
            (true, Better::Less | Better::Neither) => [Verdict::Slower, Verdict::Faster],
            (false, Better::Less | Better::More | Better::Neither) => [Verdict::Larger, Verdict::Smaller],
        }
    }

    /// Whether a larger number is worse; `None` where neither way is.
    pub fn larger_is_worse(self) -> Option<bool> {
        match self.better() {
            Better::Less => Some(true),
            Better::More => Some(false),
            Better::Neither => None,
        }
    }

    /// `MB/s: larger is better`, where the words slower and faster do not say it by themselves; else nothing.
    pub(super) fn direction(self) -> Option<String> {
        (self != Quantity::Time).then(|| format!("{}: {}", self.unit(), self.better().words()))
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
