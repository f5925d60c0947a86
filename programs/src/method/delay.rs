//! A single delay of one rank, like that by a detour, a page fault or a connection during a benchmark.
//!
//! A barrier and an operation that preserve the time differences between their ranks' entries carry it on from call to
//! call (E10).

use crate::operation::Operation;
use crate::rank::{Lasts, Rank};
use models::quantity;
use models::time::Span;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Number of barriers that last as long as a delay without a given duration. Whatever the time differences between
/// ranks at the first of them, two take no less time than one of ranks that enter together. No longer delay leaves more
/// behind a barrier of ⌈log₂ P⌉ messages one after the other.
const BARRIERS: u32 = 2;

/// Single delay of one rank, in the notation `12us@5`, `12us` (on the last rank), `auto@5` or `auto`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct OneDelay {
    /// Shortest time for which the rank is busy; `None` for the duration of two of the method's barriers.
    pub duration: Option<Span>,
    /// Number of the rank; `None` for the last one.
    pub rank: Option<u32>,
}

impl OneDelay {
    /// Reads a delay from text.
    ///
    /// # Errors
    /// Names the expected form.
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

    /// Reads a delay as [`OneDelay::parse`] does, or `none` as no delay.
    ///
    /// # Errors
    /// Names the expected form.
    pub fn parse_or_none(text: &str) -> Result<Option<OneDelay>, String> {
        if text.trim() == "none" { Ok(None) } else { OneDelay::parse(text).map(Some) }
    }

    /// Checks that the rank exists.
    ///
    /// # Errors
    /// Names the range of ranks.
    pub fn accepts(&self, ranks: u32) -> Result<(), String> {
        match self.rank {
            Some(rank) if rank >= ranks => Err(format!("delay: expected a rank of 0 to {}, found {rank}", ranks - 1)),
            Some(_) | None => Ok(()),
        }
    }

    /// Delays the rank. Called by all ranks together.
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
