//! Factors: what benchmarks do differently whatever their method. Each is a switch of its own.

use super::{OneDelay, Order};
use crate::aggregation::Aggregation;
use crate::footprint::Footprint;
use crate::operation::Operation;
use crate::platform::Buffer;
use crate::rank::Rank;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, OnceCell};

/// The switches. The defaults are those of a careful benchmark.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Factors {
    /// What becomes of the first call (E1).
    pub first_call: FirstCall,
    /// How ranks and samples become one number (E2).
    pub aggregation: Aggregation,
    /// Whether the root changes, under any method (E3).
    pub root: RootChoice,
    /// How method `root-rotation` times its calls.
    pub rotation: Rotation,
    /// Whether the buffer is in cache (E4).
    pub buffer: Buffer,
    /// Whether every call is followed by a barrier inside the timed region, under any method (E9).
    pub barrier_inside: bool,
    /// A delay of one rank, once, after the warm-up and before the first timed call (E10).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay: Option<OneDelay>,
}

/// What becomes of the first call, which sets up connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstCall {
    /// Recorded apart, and followed by the warm-up.
    #[default]
    Apart,
    /// The method's own first call; there is no warm-up. (The window method's stage 0 swallows it all the same.)
    Included,
}

/// Whether the root changes from call to call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootChoice {
    /// Always the same root.
    #[default]
    Fixed,
    /// The root of sample l is rank l mod P.
    Rotating,
}

/// How method `root-rotation` times its calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rotation {
    /// As method `loop` (mpptest).
    #[default]
    Loop,
    /// As method `barrier-loop` (IMB with `-root_shift 1`).
    BarrierLoop,
}

/// What a rank's calls from the roots of an order send and receive.
pub(super) struct Footprints<'a> {
    order: &'a Order,
    rank: u32,
    known: Vec<(u32, OnceCell<Footprint>)>,
}

impl<'a> Footprints<'a> {
    /// Of a rank, known before anything is timed where it works ahead.
    pub(super) fn of<R: Rank>(order: &'a Order, rank: &R) -> Footprints<'a> {
        let known = order.roots().map(|root| (root, OnceCell::new())).collect();
        let footprints = Footprints { order, rank: rank.id(), known };
        if R::WORKS_AHEAD {
            (0..footprints.known.len()).for_each(|turn| _ = footprints.of_turn(turn));
        }
        footprints
    }

    /// Of the call from the root whose turn it is.
    pub(super) fn of_turn(&self, turn: usize) -> &Footprint {
        let (root, footprint) = &self.known[turn];
        footprint.get_or_init(|| self.order.footprint(*root, self.rank))
    }
}

/// A call under factors that change what is called: the next root, a barrier behind it.
pub(super) struct Factored<'a, O, B> {
    /// The operation of every root; of one, where the root is fixed.
    pub operations: Vec<O>,
    /// What each of them sends and receives.
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
