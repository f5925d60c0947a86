//! State from which the reference of a call begins: ranks that waited on their clocks for a common start, and memory as
//! earlier calls and the ranks' work on their buffers left it.

use crate::engine::SimError;
use crate::predict::refined;
use crate::world::SimWorld;
use models::footprint::Footprint;
use models::platform::{Buffer, Held};
use models::time::{Span, Time};
use programs::operation::Operation;
use programs::rank::Rank;

/// Number of calls before the one that counts: from the second on each finds what the one before it left.
const CALLS_BEFORE: u64 = 2;
/// Time between the begins of two calls: longer than any call takes.
const BETWEEN: Span = Span::from_ms(10_000_000);

impl SimWorld {
    /// Returns the memory that a call finds whose buffers are in this state: others came before it, each entered by all
    /// ranks together with nothing that disturbs, and ranks brought the memory that they send and receive into the
    /// state before every one.
    ///
    /// # Errors
    ///
    /// Fails in a deadlock, or if times are out of range.
    pub(crate) fn memory_before<O: Operation>(
        &self,
        buffer: Buffer,
        footprint: impl Fn(u32) -> Footprint,
        operation: impl Fn(u32) -> O,
    ) -> Result<Held, SimError> {
        if !self.network.has_lines() {
            return Ok(Held::default());
        }
        let platform = refined(&self.network, |refinements| refinements.idle = None);
        let still = SimWorld { network: platform, ..SimWorld::ideal(self.control, self.clocks.len() as u32) };
        let run = still.run(async |rank| {
            let operation = operation(rank.id());
            rank.use_buffers(buffer);
            rank.work_on(&footprint(rank.id()));
            for call in 1..=CALLS_BEFORE {
                rank.ready_buffers();
                rank.wait_until(rank.timescale().reading(Time::ZERO + BETWEEN * call)).await;
                operation.call(&rank).await;
            }
            rank.ready_buffers();
        })?;
        Ok(run.memory)
    }
}
