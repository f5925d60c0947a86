//! A library's calls through cells that the ranks of a node share (MPICH's release and gather), among those of
//! simulated ranks: the protocol is that of [`Broadcast`](models::shared_broadcast::Broadcast), words are the engine's
//! flags, and copies are of memory whose lines ranks take from each other.
//!
//! Another root than rank 0 sends its message there first, and a reduction's result comes from there by a message, as
//! in MPICH.

use crate::engine::Engine;
use crate::rank::{SimRank, suspend};
use models::collective::decision::{Steps, ThroughCells};
use models::collective::{Collective, Part, Shape, Step, Then};
use models::footprint::Footprint;
use models::shared_broadcast::{Combining, SharedMemory, Word};
use models::time::Span;
use programs::rank::Rank;

/// Offsets, in parts of a rank's memory, of its cells, and of the bytes that a call without a message works on.
const CELLS: u64 = 1 << 50;
const BESIDE_CELLS: u64 = 1 << 51;
/// Distance from one cell to the next one.
const CELL_BYTES: u64 = 8 << 10;

/// Cells as one rank sees them in a call, with the places of its own bytes.
struct Cells<'r, 'w> {
    rank: &'r SimRank<'w>,
    /// First byte of the rank's contribution, and of its result.
    sent: u64,
    received: u64,
}

impl SimRank<'_> {
    /// Carries out one of the library's own calls, which passes through cells. Looking at flags needs no start: the
    /// cost of a wait before the call is part of the call's time beyond its cells.
    pub(crate) async fn pass_cells(&self, collective: Collective, shape: &Shape, through: ThroughCells) {
        let id = self.id();
        self.engine().rank(id).waking = Span::ZERO;
        self.begin_call();
        let footprint = Footprint::plain(collective, shape, id);
        let first = |runs: &[models::footprint::ByteRun]| runs.first().map(|run| Part::from(*run).offset);
        let sent = first(&footprint.sent).or(first(&footprint.received)).unwrap_or(BESIDE_CELLS);
        // Rank 0 combines into memory of its own where another rank is the root.
        let beside = if through.steps == Steps::Reduction { BESIDE_CELLS } else { sent };
        let received = first(&footprint.received).unwrap_or(beside);
        let memory = Cells { rank: self, sent, received };
        let mut calls = self.calls_through_cells(through.scheme);
        let part = |offset| Part::range(offset, shape.bytes);
        match through.steps {
            Steps::Barrier => calls.barrier(&memory).await,
            Steps::Reduction => {
                calls.reduce(&memory, through.up, shape.bytes).await;
                self.hand_over(0, shape.root, part(received)).await;
            }
            Steps::Allreduce => calls.allreduce(&memory, through.up, shape.bytes).await,
            Steps::Broadcast => {
                self.hand_over(shape.root, 0, part(sent)).await;
                calls.call(&memory, 0, shape.bytes).await;
            }
        }
        self.keep_calls(calls);
    }

    /// Sends a message from one rank to another, if they are two.
    async fn hand_over(&self, from: u32, to: u32, part: Part) {
        match self.id() {
            _ if from == to => {}
            id if id == from => self.step(&Step::Send { to, part }).await,
            id if id == to => self.step(&Step::Receive { from, part, then: Then::Store }).await,
            _ => {}
        }
    }
}

impl Cells<'_, '_> {
    /// Returns a cell of a rank, by its number.
    fn cell(&self, owner: u32, buffer: u64, bytes: u64) -> (u32, Part) {
        (owner, Part::range(CELLS + buffer * CELL_BYTES, bytes))
    }

    /// Returns bytes of this rank's own memory, from a place on.
    fn own(&self, first: u64, offset: u64, bytes: u64) -> (u32, Part) {
        (self.rank.id(), Part::range(first + offset, bytes))
    }

    /// Copies a rank's cell into this rank's, or combines it there.
    async fn between(&self, owner: u32, buffer: u64, bytes: u64, then: Then) {
        self.moved([owner, self.rank.id()].map(|owner| self.cell(owner, buffer, bytes)), then).await;
    }

    /// Copies a rank's cell into this rank's result, or combines it there.
    async fn out(&self, owner: u32, buffer: u64, (offset, bytes): (u64, u64), then: Then) {
        self.moved([self.cell(owner, buffer, bytes), self.own(self.received, offset, bytes)], then).await;
    }

    /// Copies or combines at the rank's turn: the holder of a line depends on what others did before.
    async fn moved(&self, parts: [(u32, Part); 2], then: Then) {
        self.act(|engine, rank| engine.local(rank, parts, then)).await;
    }

    async fn act(&self, act: impl FnOnce(&mut Engine, u32)) {
        self.rank.turn().await;
        act(&mut self.rank.engine(), self.rank.id());
    }
}

impl SharedMemory for Cells<'_, '_> {
    fn rank(&self) -> u32 {
        self.rank.id()
    }

    fn ranks(&self) -> u32 {
        self.rank.size()
    }

    async fn store(&self, word: Word, value: u64) {
        self.act(|engine, rank| engine.store(rank, word, value)).await;
    }

    async fn wait_for(&self, word: Word, value: u64) {
        self.wait_above(word, value - 1).await;
    }

    async fn wait_above(&self, word: Word, value: u64) -> u64 {
        self.rank.turn().await;
        if !self.rank.engine().await_above(self.rank.id(), word, value) {
            suspend().await;
        }
        self.rank.engine().shown(self.rank.id(), word)
    }

    async fn decrement(&self, word: Word) {
        unreachable!("calls through cells take nothing off {word:?}");
    }

    async fn copy_in(&self, buffer: u64, offset: u64, bytes: u64) {
        let to = self.cell(self.rank.id(), buffer, bytes);
        self.moved([self.own(self.sent, offset, bytes), to], Then::Store).await;
    }

    async fn copy_out(&self, owner: u32, buffer: u64, offset: u64, bytes: u64) {
        self.out(owner, buffer, (offset, bytes), Then::Store).await;
    }

    async fn copy_between(&self, owner: u32, buffer: u64, bytes: u64) {
        self.between(owner, buffer, bytes, Then::Store).await;
    }
}

impl Combining for Cells<'_, '_> {
    async fn keep(&self, offset: u64, bytes: u64) {
        let parts = [self.sent, self.received].map(|first| self.own(first, offset, bytes));
        self.moved(parts, Then::Store).await;
    }

    async fn combine_between(&self, owner: u32, buffer: u64, bytes: u64) {
        self.between(owner, buffer, bytes, Then::Combine).await;
    }

    async fn combine_out(&self, owner: u32, buffer: u64, offset: u64, bytes: u64) {
        self.out(owner, buffer, (offset, bytes), Then::Combine).await;
    }
}
