//! Ranks whose steps are the library's own point-to-point calls.

use super::{Own, STEP_TAG};
use measure::buffer::Buffer;
use measure::check::RealRank;
use measure::clock::ClockSource;
use models::clock::{Ticks, Timescale};
use models::collective::{Collective, Shape, Step, Then};
use models::rank::{Phase, Rank};
use models::time::Span;
use mpi::collective::SystemOperation;
use mpi::point_to_point as p2p;
use mpi::traits::*;
use std::marker::PhantomData;

/// A rank whose steps are the library's own point-to-point calls.
pub struct NativeRank<'a, C> {
    /// What it has in every carrier.
    pub own: &'a Own<'a>,
    /// The clock it reads.
    pub clock: PhantomData<C>,
}

impl<C: ClockSource> Rank for NativeRank<'_, C> {
    fn id(&self) -> u32 {
        self.own.id
    }

    fn size(&self) -> u32 {
        self.own.communicator.size() as u32
    }

    #[inline(always)]
    fn read_clock(&self) -> Ticks {
        C::read()
    }

    fn timescale(&self) -> Timescale {
        self.own.scale
    }

    async fn wait_until(&self, due: Ticks) {
        self.own.patience.wait_until::<C>(&self.own.scale, due, || {});
    }

    async fn compute(&self, work: Span) {
        self.own.compute::<C>(work);
    }

    #[inline(always)]
    async fn step(&self, step: &Step) {
        let at = |rank: u32| self.own.communicator.process_at_rank(rank as i32);
        let buffer = &self.own.buffer;
        match *step {
            Step::Send { to, part } => buffer.read(part, |data| at(to).send_with_tag(data, STEP_TAG)),
            Step::Receive { from, part, then } => {
                buffer.write(part, then, |room| at(from).receive_into_with_tag(room, STEP_TAG));
            }
            Step::Exchange { to, from, part, then } => {
                buffer.exchange(part, part, then, |data, room| {
                    p2p::send_receive_into_with_tags(data, &at(to), STEP_TAG, room, &at(from), STEP_TAG)
                });
            }
        }
    }

    #[inline(always)]
    async fn library(&self, collective: Collective, shape: &Shape) {
        let buffer = &self.own.buffer;
        let root = self.own.communicator.process_at_rank(shape.root as i32);
        match collective {
            Collective::Bcast => buffer.write(shape.whole(), Then::Store, |data| root.broadcast_into(data)),
            Collective::Reduce if self.own.id == shape.root => buffer.beside(shape.whole(), |data, room| {
                root.reduce_into_root(data, room, SystemOperation::sum());
            }),
            Collective::Reduce => buffer.read(shape.whole(), |data| root.reduce_into(data, SystemOperation::sum())),
            Collective::Barrier => self.own.communicator.barrier(),
        }
    }

    async fn send(&self, to: u32, message: &[u8]) {
        self.own.send_control(to, message);
    }

    async fn receive(&self, from: u32, message: &mut [u8]) {
        self.own.receive_control(from, message);
    }

    fn enter_phase(&self, phase: Phase) {
        self.own.board.enter(self.own.id, phase);
    }
}

impl<C: ClockSource> RealRank for NativeRank<'_, C> {
    fn buffer(&self) -> &Buffer {
        &self.own.buffer
    }

    fn has_library(&self) -> bool {
        true
    }
}
