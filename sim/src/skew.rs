//! Exit skew of barriers on simulated ranks (E5), on the true time.

use crate::engine::SimError;
use crate::world::SimWorld;
use models::collective::{Algorithm, Shape};
use models::time::Span;
use programs::method::{barrier_exits, exit_skews};
use programs::operation::Own;
use programs::rank::Rank;

/// Returns the last exit less the first exit of each of `calls` barriers in a row, for a barrier algorithm in a world
/// with its own network, noise and entry times.
///
/// # Errors
///
/// Fails in a deadlock, or if times are out of range.
pub fn barrier_skews(world: &SimWorld, algorithm: &Algorithm, calls: u32) -> Result<Vec<Span>, SimError> {
    let shape = Shape::new(world.clocks.len() as u32, 0, 0);
    let run = world.run(async |rank| {
        let barrier = Own::new(algorithm, &shape, rank.id());
        barrier_exits(&rank, &barrier, calls, |rank| rank.true_time()).await
    })?;
    Ok(exit_skews(&run.results))
}
