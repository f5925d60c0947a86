//! Looks of ranks at one moment, and the state that most of several moments agree on.

use programs::machine::CoreState;
use programs::observation::{MachineLook, Observation, RankSurroundings, Surrounded};
use statistics::median;

/// Least share of all moments in a state for it to be the state of an observation.
const CLEAR: f64 = 0.75;

/// Error: the state of the machine changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed;

/// Returns the looks of all ranks, each with its rank, one moment after the other.
pub(super) fn moments(ranks: &[RankSurroundings<'_>]) -> Vec<Vec<(u32, MachineLook)>> {
    let count = ranks.iter().map(|one| one.looks.len()).min().unwrap_or(0);
    (0..count).map(|moment| ranks.iter().map(|one| (one.rank, one.looks[moment].look)).collect()).collect()
}

/// Returns the time of the slowest rank's core for the work of a look, in ns.
pub(super) fn slowest_ns(looks: &[(u32, MachineLook)]) -> f64 {
    looks.iter().map(|(_, look)| look.work.as_ns()).fold(0.0, f64::max)
}

/// Returns the state of the machine in an observation, if at least three quarters of the moments at which ranks looked
/// agree; `None` where no rank could look.
///
/// # Errors
/// Fails where the state changed meanwhile.
pub fn seen(observation: &Observation) -> Result<Option<CoreState>, Changed> {
    let moments: Vec<CoreState> = moments(&observation.surroundings())
        .iter()
        .filter_map(|looks| {
            let lines: Vec<f64> = looks.iter().filter_map(|(_, look)| Some(look.line?.as_ns())).collect();
            Some(CoreState { line_ns: median(&lines)?, work_ns: Some(slowest_ns(looks)) })
        })
        .collect();
    match commonest(&moments) {
        Some((_, share)) if share < CLEAR => Err(Changed),
        found => Ok(found.map(|(state, _)| state)),
    }
}

/// Returns the state that most of these moments are like, and their share.
pub fn commonest(moments: &[CoreState]) -> Option<(CoreState, f64)> {
    let alike = |one: &CoreState| moments.iter().copied().filter(|other| other.is_like(one)).collect::<Vec<_>>();
    let most = moments.iter().map(alike).reduce(|most, other| if other.len() > most.len() { other } else { most })?;
    Some((together(&most)?, most.len() as f64 / moments.len() as f64))
}

/// Returns the medians of several looks at one state.
fn together(states: &[CoreState]) -> Option<CoreState> {
    let lines: Vec<f64> = states.iter().map(|state| state.line_ns).collect();
    let works: Vec<f64> = states.iter().filter_map(|state| state.work_ns).collect();
    Some(CoreState { line_ns: median(&lines)?, work_ns: median(&works) })
}
