//! Small form of a file: limits for a run with little time, such as a test.

use programs::observation::World;
use serde::Deserialize;

/// Limits of the small form. Absent limits leave the file's values as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Small {
    /// Largest number of repeats of each loop.
    pub samples: Option<u32>,
    /// Largest number of valid windows of each case, where a count ends them.
    pub valid: Option<u32>,
    /// Largest number of launches.
    pub launches: Option<u32>,
    /// Largest number of calls per loop. Cases with more are left out.
    pub most_calls: Option<u32>,
    /// Largest number of ranks. Cases and points with more are left out.
    pub most_ranks: Option<u32>,
    /// Worlds that are kept. Cases in others are left out.
    pub worlds: Option<Vec<World>>,
    /// Largest number of noise realisations.
    pub realisations: Option<u32>,
}

impl Small {
    /// Returns a value reduced to a limit, if there is one.
    pub(crate) fn least(limit: Option<u32>, value: u32) -> u32 {
        limit.map_or(value, |limit| value.min(limit))
    }

    /// Whether a value is within a limit, if there is one.
    pub(crate) fn keeps(limit: Option<u32>, value: u32) -> bool {
        limit.is_none_or(|limit| value <= limit)
    }
}
