//! Message lengths and repetitions as flags: `1:4MiB` doubles, `0,8,64KiB` lists.

use analysis::values::bytes;
use models::point_to_point::{Repeats, doubling};
use std::str::FromStr;

/// Message lengths in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(pub Vec<u64>);

/// More lengths than these are a mistake.
const MOST: usize = 4096;

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Sizes, String> {
        let sizes = match text.split_once(':') {
            Some((first, last)) => {
                let (first, last) = (bytes(first.trim())?, bytes(last.trim())?);
                if first == 0 || first > last {
                    return Err(format!("expected FIRST:LAST with 1 ≤ FIRST ≤ LAST, like 1:4MiB, found '{text}'"));
                }
                doubling(first, last)
            }
            None => text.split(',').map(|size| bytes(size.trim())).collect::<Result<_, _>>()?,
        };
        if sizes.len() > MOST {
            return Err(format!("expected at most {MOST} sizes, found {}", sizes.len()));
        }
        Ok(Sizes(sizes))
    }
}

/// How often messages of a length are exchanged.
#[derive(clap::Args)]
pub struct RepeatFlags {
    /// Exchanges that are kept, of small messages [default: 10000; transfer 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    iterations: Option<u32>,
    /// Exchanges before those, of small messages [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    skip: Option<u32>,
    /// Exchanges that are kept, of large messages [default: 1000; transfer 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    iterations_large: Option<u32>,
    /// Exchanges before those, of large messages [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    skip_large: Option<u32>,
    /// Messages longer than this are large
    #[arg(long, value_name = "BYTES", default_value = "8192", value_parser = bytes)]
    large_above: u64,
}

impl RepeatFlags {
    /// What the flags say; else so many small and so many large messages are kept.
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
        assert_eq!(read("1:8"), Ok(vec![1, 2, 4, 8]));
        assert_eq!(read("1:4MiB").map(|sizes| sizes.len()), Ok(23));
        assert_eq!(read("0, 8,64KiB"), Ok(vec![0, 8, 65_536]));
        for wrong in ["", "0:8", "8:1", "1:", ":", "x", "1,,2", "8 parsecs", "-1", "1:2:3"] {
            assert!(read(wrong).is_err(), "{wrong:?} was read as sizes");
        }
    }
}
