//! Random detours that all ranks share, kept once so that each rank can look them up by time where
//! they overlap with detours of its own.

use super::renewal::Renewal;
use crate::time::Time;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Number of kept detours above which other realisations are forgotten; they can be drawn again.
const MOST_KEPT: usize = 1 << 22;

/// Co-scheduled process with the detours that have been drawn, as start and end.
#[derive(Clone, Debug)]
pub(super) struct Common {
    /// Process that draws the detours.
    pub renewal: Renewal,
    drawn: Arc<Mutex<BTreeMap<u32, SampledDetours>>>,
}

#[derive(Debug, Default)]
struct SampledDetours {
    detours: Vec<(Time, Time)>,
    next_start: Time,
}

impl Common {
    /// Process of which no detour has been drawn.
    pub(super) fn new(renewal: Renewal) -> Common {
        Common { renewal, drawn: Arc::default() }
    }

    /// Start and end of the first detour that ends after `at`.
    pub(super) fn find(&self, realisation: u32, at: Time) -> (Time, Time) {
        let mut all = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() > 1 && all.values().map(|drawn| drawn.detours.len()).sum::<usize>() > MOST_KEPT {
            all.retain(|&kept, _| kept == realisation);
        }
        let drawn = all.entry(realisation).or_default();
        if drawn.detours.is_empty() {
            drawn.next_start = self.renewal.first(0, realisation);
        }
        while drawn.detours.last().is_none_or(|&(_, end)| end <= at) && drawn.next_start < Time::END {
            let (duration, gap) = self.renewal.detour(0, realisation, drawn.detours.len() as u64);
            let end = drawn.next_start + duration;
            drawn.detours.push((drawn.next_start, end));
            drawn.next_start = end + gap;
        }
        let found = drawn.detours.partition_point(|&(_, end)| end <= at);
        drawn.detours.get(found).copied().unwrap_or((Time::END, Time::END))
    }
}
