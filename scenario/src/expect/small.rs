//! The small form of a file: how it is run where there is little time, by a test perhaps.

use models::observation::World;
use serde::Deserialize;

/// What is made smaller; what is not said stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Small {
    /// No more repeats of each loop than this.
    pub samples: Option<u32>,
    /// No more valid windows of each case than this, where a count ends them.
    pub valid: Option<u32>,
    /// No more launches than this.
    pub launches: Option<u32>,
    /// No more calls per loop than this: what asks for more is left out.
    pub most_calls: Option<u32>,
    /// What asks for more ranks is left out.
    pub most_ranks: Option<u32>,
    /// Worlds that are kept; what is in others is left out.
    pub worlds: Option<Vec<World>>,
    /// No more realisations of noise than this.
    pub realisations: Option<u32>,
}

impl Small {
    /// No more than a limit, if there is one.
    pub(crate) fn least(limit: Option<u32>, value: u32) -> u32 {
        limit.map_or(value, |limit| value.min(limit))
    }

    /// Whether a value is within a limit, if there is one.
    pub(crate) fn keeps(limit: Option<u32>, value: u32) -> bool {
        limit.is_none_or(|limit| value <= limit)
    }
}
