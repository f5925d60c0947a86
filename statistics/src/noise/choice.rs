//! Choice of a part of a recording: some of its time, and its ranks in another order.

use super::recording::{Rank, Recording, Stretch};
use models::stable::draws;
use models::time::Span;
use rand::seq::SliceRandom;

/// Ranks that come first where only some are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subset {
    /// Ranks with the lowest numbers.
    #[default]
    First,
    /// Ranks drawn by this seed.
    Random(u64),
    /// Ranks that lose most of their time.
    Noisiest,
}

impl Recording {
    /// Returns the recording from one instant to another, counted from the begin of the recording, or to its end
    /// without the second. Detours that reach over either are cut. Their class stays that of the whole.
    ///
    /// # Errors
    ///
    /// Fails if nothing was recorded then.
    pub fn between(self, from: Span, to: Option<Span>) -> Result<Recording, String> {
        let (from, to) = (from.0, to.map_or(self.length, |to| to.0.min(self.length)));
        if from >= to {
            let length = Span(self.length);
            return Err(format!("expected times within the recording of {length}, the first before the second"));
        }
        let cut = |detour: &Stretch| {
            let (start, end) = (detour.start.max(from), detour.end.min(to));
            (start < end).then(|| Stretch { start: start - from, end: end - from, whole: detour.whole })
        };
        let rank = |rank: Rank| Rank { detours: rank.detours.iter().filter_map(cut).collect(), ..rank };
        Ok(Recording { length: to - from, ranks: self.ranks.into_iter().map(rank).collect() })
    }

    /// Returns the recording with the ranks of a subset first.
    pub fn ordered(mut self, subset: Subset) -> Recording {
        match subset {
            Subset::First => {}
            Subset::Random(seed) => self.ranks.shuffle(&mut draws(seed, "noise/subset")),
            Subset::Noisiest => self.ranks.sort_by_key(|rank| (std::cmp::Reverse(rank.taken()), rank.number)),
        }
        self
    }
}
