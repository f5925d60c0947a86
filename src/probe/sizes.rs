//! Message lengths, and numbers of exchanges, as flags.

use analysis::measuring::words::list;
use analysis::values::bytes;
use programs::point_to_point::Repeats;
use std::str::FromStr;

/// Message lengths in bytes, each once, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(pub Vec<u64>);

/// Largest number of lengths. Longer lists are taken for mistakes.
const MOST: u64 = 4096;

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Sizes, String> {
        list(MOST, text, bytes).map(Sizes)
    }
}

/// How often messages of a length are exchanged.
#[derive(clap::Args)]
pub struct RepeatFlags {
    /// Timed exchanges of small messages [default: 10000; for bandwidths 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    iterations: Option<u32>,
    /// Warm-up exchanges of small messages [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    skip: Option<u32>,
    /// Timed exchanges of large messages [default: 1000; for bandwidths 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    iterations_large: Option<u32>,
    /// Warm-up exchanges of large messages [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    skip_large: Option<u32>,
    /// Messages longer than this are large
    #[arg(long, value_name = "BYTES", default_value = "8192", value_parser = bytes)]
    large_above: u64,
}

impl RepeatFlags {
    /// Returns the repeats that the flags set. `small` and `large` are the default numbers of exchanges.
    pub fn repeats(&self, small: u32, large: u32) -> Repeats {
        Repeats {
            large_above: self.large_above,
            small: (self.skip.unwrap_or(100), self.iterations.unwrap_or(small)),
            large: (self.skip_large.unwrap_or(10), self.iterations_large.unwrap_or(large)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_double_or_are_listed() {
        let read = |text: &str| text.parse::<Sizes>().map(|sizes| sizes.0);
        assert_eq!(read("1..8"), Ok(vec![1, 2, 4, 8]));
        assert_eq!(read("0,1..4MiB").map(|sizes| sizes.len()), Ok(24));
        assert_eq!(read("0, 8,64KiB"), Ok(vec![0, 8, 65_536]));
        for wrong in ["", "8..1", "1..", "..", "x", "1,,2", "8 parsecs", "-1", "1..2..3"] {
            assert!(read(wrong).is_err(), "{wrong:?} was read as sizes");
        }
    }
}
