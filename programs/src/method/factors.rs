//! Factors: differences between benchmarks that are independent of their method. Each has a setting of its own.

use super::{OneDelay, Order};
use crate::aggregation::Aggregation;
use crate::operation::Operation;
use crate::rank::Rank;
use models::footprint::Footprint;
use models::platform::Buffer;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, OnceCell};

/// Settings of all factors. The defaults are those of a careful benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Factors {
    /// Treatment of the first call (E1).
    pub first_call: FirstCall,
    /// Aggregation of ranks and samples to one number (E2).
    pub aggregation: Aggregation,
    /// Whether the root changes, under any method (E3).
    pub root: RootChoice,
    /// Way in which method `root-rotation` times its calls.
    pub rotation: Rotation,
    /// State of the buffer, such as in the cache or not (E4).
    pub buffer: Buffer,
    /// Whether every call is followed by a barrier inside the timed region, under any method (E9).
    pub barrier_inside: bool,
    /// Single delay of one rank, after the warm-up and before the first timed call (E10).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<OneDelay>,
}

/// Treatment of the first call, which sets up connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstCall {
    /// The first call is recorded separately, and the warm-up follows it.
    #[default]
    Apart,
    /// The first call is the method's own, without a warm-up. (The window method's stage 0 contains it all the same.)
    Included,
}

/// Choice of a fixed or a changing root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootChoice {
    /// Every call has the same root.
    #[default]
    Fixed,
    /// The root of sample l is rank l mod P.
    Rotating,
}

/// Way in which method `root-rotation` times its calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rotation {
    /// Calls are timed as by method `loop` (mpptest).
    #[default]
    Loop,
    /// Calls are timed as by method `barrier-loop` (IMB with `-root_shift 1`).
    BarrierLoop,
}

/// Footprints of a rank's calls from the roots of an order: what they send and receive.
pub(super) struct Footprints<'a> {
    order: &'a Order,
    rank: u32,
    known: Vec<(u32, OnceCell<Footprint>)>,
}

impl<'a> Footprints<'a> {
    /// Footprints of a rank. They are computed before the timing where the rank works ahead.
    pub(super) fn new<R: Rank>(order: &'a Order, rank: &R) -> Footprints<'a> {
        let known = order.roots().map(|root| (root, OnceCell::new())).collect();
        let footprints = Footprints { order, rank: rank.id(), known };
        if R::WORKS_AHEAD {
            (0..footprints.known.len()).for_each(|turn| _ = footprints.of_turn(turn));
        }
        footprints
    }

    /// Footprint of the call from the root of this turn.
    pub(super) fn of_turn(&self, turn: usize) -> &Footprint {
        let (root, footprint) = &self.known[turn];
        footprint.get_or_init(|| self.order.footprint(*root, self.rank))
    }
}

/// Call under factors that change what is called: the next root, or a barrier behind the call.
pub(super) struct Factored<'a, O, B> {
    /// Operations of all roots, or of the one fixed root.
    pub operations: Vec<O>,
    /// Footprints of the operations.
    pub footprints: Footprints<'a>,
    pub next: Cell<usize>,
    pub barrier: Option<&'a B>,
}

impl<O: Operation, B: Operation> Operation for Factored<'_, O, B> {
    fn prepare<R: Rank>(&self, rank: &R) {
        self.operations.iter().for_each(|operation| operation.prepare(rank));
    }

    fn ready<R: Rank>(&self, rank: &R) {
        if self.operations.len() > 1 {
            rank.work_on(self.footprints.of_turn(self.next.get()));
        }
        rank.ready_buffers();
    }

    #[inline(always)]
    async fn call<R: Rank>(&self, rank: &R) {
        let turn = self.next.get();
        self.operations[turn].call(rank).await;
        self.next.set(if turn + 1 < self.operations.len() { turn + 1 } else { 0 });
        if let Some(barrier) = self.barrier {
            barrier.call(rank).await;
        }
    }

    fn rewind(&self) {
        self.next.set(0);
    }
}
