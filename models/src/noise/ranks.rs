//! Ranks that a source disturbs: all, or those that a spec names.

use std::fmt;

/// Ranks by number, in the notation of specs: `0`, `3+7`, `0-15+32`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ranks {
    /// Every rank of the run.
    All,
    /// Ranges of ranks, both ends included, ascending and disjoint.
    Some(Vec<(u32, u32)>),
}

impl Ranks {
    /// Reads the value of `ranks=`.
    pub(super) fn parse(text: &str) -> Result<Ranks, String> {
        let wrong = || format!("key 'ranks': expected rank numbers like 0, 3+7 or 0-15+32, found '{text}'");
        let mut ranges = Vec::new();
        for part in text.split('+') {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let range = (from.trim().parse::<u32>(), to.trim().parse::<u32>());
            let (Ok(from), Ok(to)) = range else { return Err(wrong()) };
            if from > to {
                return Err(wrong());
            }
            ranges.push((from, to));
        }
        ranges.sort_unstable();
        let mut apart: Vec<(u32, u32)> = Vec::new();
        for (from, to) in ranges {
            match apart.last_mut() {
                Some(last) if from <= last.1.saturating_add(1) => last.1 = last.1.max(to),
                _ => apart.push((from, to)),
            }
        }
        Ok(Ranks::Some(apart))
    }

    /// Whether `rank` is one of the ranks.
    pub(super) fn contain(&self, rank: u32) -> bool {
        match self {
            Ranks::All => true,
            Ranks::Some(ranges) => ranges.iter().any(|&(from, to)| (from..=to).contains(&rank)),
        }
    }

    /// Ranks at which membership changes.
    pub(super) fn boundaries(&self) -> Vec<u32> {
        match self {
            Ranks::All => Vec::new(),
            Ranks::Some(ranges) => {
                ranges.iter().flat_map(|&(from, to)| [Some(from), to.checked_add(1)]).flatten().collect()
            }
        }
    }
}

impl fmt::Display for Ranks {
    /// Writes `,ranks=…`, or nothing for all ranks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ranks::Some(ranges) = self else { return Ok(()) };
        for (number, &(from, to)) in ranges.iter().enumerate() {
            f.write_str(if number == 0 { ",ranks=" } else { "+" })?;
            if from == to { write!(f, "{from}")? } else { write!(f, "{from}-{to}")? }
        }
        Ok(())
    }
}
