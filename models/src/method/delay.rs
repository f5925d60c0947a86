//! One delay of one rank, once: what a detour, a page fault or a connection does to a benchmark that has begun.
//!
//! A barrier and an operation that keep the times between their ranks' entries carry it on from call to call (E10).

use crate::operation::Operation;
use crate::quantity;
use crate::rank::{Lasts, Rank};
use crate::time::Span;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Barriers that last as long as a delay that nobody has given: whatever was between the ranks when the first of them began,
/// two take no less than one of ranks that enter together, so that no longer delay leaves more behind a barrier of
/// ⌈log₂ P⌉ messages one after the other.
const BARRIERS: u32 = 2;

/// One delay of one rank, once; written as `12us@5`, `12us` (on the last rank), `auto@5` or `auto`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct OneDelay {
    /// How long the rank is busy, at least; none: as long as two of the method's barriers take it.
    pub duration: Option<Span>,
    /// Which rank; none: the last one.
    pub rank: Option<u32>,
}

impl OneDelay {
    /// Reads a delay.
    ///
    /// # Errors
    /// What is expected.
    pub fn parse(text: &str) -> Result<OneDelay, String> {
        let (duration, rank) = text.split_once('@').map_or((text, None), |(duration, rank)| (duration, Some(rank)));
        let duration = match duration.trim() {
            "auto" => None,
            given => Some(quantity::parse::<Span>(given)?),
        };
        let number = |rank: &str| {
            rank.trim()
                .parse()
                .map_err(|_| format!("expected the number of a rank after @, like 12us@5, found \"{rank}\""))
        };
        Ok(OneDelay { duration, rank: rank.map(number).transpose()? })
    }

    /// As [`OneDelay::parse`], or none, written `none`.
    ///
    /// # Errors
    /// What is expected.
    pub fn parse_or_none(text: &str) -> Result<Option<OneDelay>, String> {
        if text.trim() == "none" { Ok(None) } else { OneDelay::parse(text).map(Some) }
    }

    /// Refuses a rank that is not there.
    ///
    /// # Errors
    /// Which ranks there are.
    pub fn accepts(&self, ranks: u32) -> Result<(), String> {
        match self.rank {
            Some(rank) if rank >= ranks => Err(format!("delay: expected a rank of 0 to {}, found {rank}", ranks - 1)),
            Some(_) | None => Ok(()),
        }
    }

    /// Delays the rank; called by all ranks together.
    pub(super) async fn strike<R: Rank, B: Operation>(self, rank: &R, barrier: &B) {
        let lasts = match self.duration {
            Some(duration) => Lasts::For(duration),
            None => {
                let before = rank.read_clock();
                for _ in 0..BARRIERS {
                    barrier.call(rank).await;
                }
                Lasts::AsBetween(before, rank.read_clock())
            }
        };
        rank.occupy(self.rank.unwrap_or(rank.size() - 1), lasts).await;
    }
}

impl fmt::Display for OneDelay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.duration {
            Some(duration) => write!(f, "{}us", duration.as_us())?,
            None => f.write_str("auto")?,
        }
        self.rank.map_or(Ok(()), |rank| write!(f, "@{rank}"))
    }
}

impl From<OneDelay> for String {
    fn from(delay: OneDelay) -> String {
        delay.to_string()
    }
}

impl TryFrom<String> for OneDelay {
    type Error = String;

    fn try_from(text: String) -> Result<OneDelay, String> {
        OneDelay::parse(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_read_as_it_is_written() {
        for text in ["12us@5", "0.25us", "auto@0", "auto"] {
            assert_eq!(OneDelay::parse(text).unwrap().to_string(), text);
        }
        let given = OneDelay { duration: Some(Span::from_us(12)), rank: Some(5) };
        assert_eq!(OneDelay::parse_or_none("12 us@ 5"), Ok(Some(given)));
        assert_eq!(OneDelay::parse_or_none("none"), Ok(None));
        let told = ["12", "12us@", "12us@x", "soon", ""].map(|text| OneDelay::parse(text).unwrap_err());
        let refused = given.accepts(5).unwrap_err();
        insta::assert_snapshot!([&told[..], &[refused]].concat().join("\n"));
        assert_eq!(given.accepts(6), Ok(()));
    }
}
