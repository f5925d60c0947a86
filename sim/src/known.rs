//! What ranks know of the global clock when they enter.
//!
//! A synchronisation comes before everything else that a method does, crosses a network of its own, and meets neither the
//! network under study nor anybody's memory: what ranks are timed in changes nothing of it. Where several methods are
//! simulated on the same clocks, one synchronisation serves all of them, and they go on from where it left the ranks, in the
//! order in which it let them go: bit for bit as if each had synchronised.

use crate::engine::SimError;
use crate::state::Standing;
use crate::world::SimWorld;
use models::clock::GlobalClock;
use models::rank::Rank;
use models::sync::Sync;
use std::cell::RefCell;
use std::sync::Arc;

/// What ranks know of the global clock when they enter.
#[derive(Clone, Debug)]
pub enum Known {
    /// Nothing: they synchronise.
    Nothing,
    /// That all of them read it, so that there is nothing to synchronise. Their clocks must be perfect.
    OneClock,
    /// What a synchronisation of the same clocks told them, behind which they go on.
    Synchronised(Arc<Left>),
}

/// How a synchronisation left the ranks.
#[derive(Debug)]
pub struct Left {
    ranks: Vec<(GlobalClock, Standing)>,
    /// In which order it let them go.
    order: Vec<u32>,
    /// Whether any was idle meanwhile.
    idled: bool,
}

impl Left {
    /// Synchronises the ranks of a world, and nothing else.
    ///
    /// # Errors
    /// A deadlock, or times out of range.
    pub fn by(sync: Sync, world: &SimWorld) -> Result<Left, SimError> {
        let order = RefCell::new(Vec::with_capacity(world.clocks.len()));
        let run = world.run(async |rank| {
            let clock = sync.synchronise(&rank).await;
            order.borrow_mut().push(rank.id());
            (clock, rank.standing())
        })?;
        Ok(Left { ranks: run.results, order: order.into_inner(), idled: run.idled })
    }

    /// What a rank knows, and where it is.
    pub(crate) fn of(&self, rank: u32) -> &(GlobalClock, Standing) {
        &self.ranks[rank as usize]
    }
}

impl Known {
    /// Whether ranks have been idle: then what idling costs has its part in how they were left.
    pub(crate) fn has_idled(&self) -> bool {
        match self {
            Known::Nothing | Known::OneClock => false,
            Known::Synchronised(left) => left.idled,
        }
    }

    /// In which order ranks act at first.
    pub(crate) fn order(&self, ranks: u32) -> impl Iterator<Item = u32> {
        let left = match self {
            Known::Nothing | Known::OneClock => None,
            Known::Synchronised(left) => Some(left),
        };
        (0..ranks).map(move |place| left.map_or(place, |left| left.order[place as usize]))
    }
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
