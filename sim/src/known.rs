//! Knowledge of ranks about the global clock when they enter.
//!
//! A synchronisation comes before everything else that a method does, crosses a network of its own, and meets neither
//! the network under study nor anybody's memory: the calls in which ranks are timed change nothing of it. Where several
//! methods are simulated on the same clocks, one synchronisation serves all of them, and they go on from where it left
//! the ranks, in the order in which it let them go: bit for bit as if each had synchronised.

use crate::engine::SimError;
use crate::state::Standing;
use crate::world::SimWorld;
use models::clock::GlobalClock;
use programs::rank::Rank;
use programs::sync::Sync;
use std::cell::RefCell;
use std::sync::Arc;

/// Knowledge of ranks about the global clock when they enter.
#[derive(Clone, Debug)]
pub enum ClockKnowledge {
    /// No knowledge: ranks synchronise their clocks.
    Nothing,
    /// Knowledge that all of them read the global clock, so that there is nothing to synchronise. Their clocks must be
    /// perfect.
    OneClock,
    /// Result of a synchronisation of the same clocks, behind which ranks go on.
    Synchronised(Arc<Left>),
}

/// State in which a synchronisation left the ranks.
#[derive(Debug)]
pub struct Left {
    ranks: Vec<(GlobalClock, Standing)>,
    /// Ranks in the order in which it let them go.
    order: Vec<u32>,
    /// Whether any rank was idle meanwhile.
    idled: bool,
}

impl Left {
    /// Synchronises the ranks of a world, and nothing else.
    ///
    /// # Errors
    ///
    /// Fails in a deadlock, or if times are out of range.
    pub fn by(sync: Sync, world: &SimWorld) -> Result<Left, SimError> {
        let order = RefCell::new(Vec::with_capacity(world.clocks.len()));
        let run = world.run(async |rank| {
            let clock = sync.synchronise(&rank).await;
            order.borrow_mut().push(rank.id());
            (clock, rank.standing())
        })?;
        Ok(Left { ranks: run.results, order: order.into_inner(), idled: run.idled })
    }

    /// Returns a rank's clock after the synchronisation, and its state.
    pub(crate) fn clock_and_standing(&self, rank: u32) -> &(GlobalClock, Standing) {
        &self.ranks[rank as usize]
    }
}

impl ClockKnowledge {
    /// Returns whether ranks have been idle: then the cost of idling has its part in how they were left.
    pub(crate) fn has_idled(&self) -> bool {
        match self {
            ClockKnowledge::Nothing | ClockKnowledge::OneClock => false,
            ClockKnowledge::Synchronised(left) => left.idled,
        }
    }

    /// Returns the ranks in the order in which they act at first.
    pub(crate) fn order(&self, ranks: u32) -> impl Iterator<Item = u32> {
        let left = match self {
            ClockKnowledge::Nothing | ClockKnowledge::OneClock => None,
            ClockKnowledge::Synchronised(left) => Some(left),
        };
        (0..ranks).map(move |place| left.map_or(place, |left| left.order[place as usize]))
    }
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
