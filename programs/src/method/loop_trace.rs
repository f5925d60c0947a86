//! Method `loop-trace`: the loop with a clock read around every call and every step.
//!
//! The extra reads cost a few percent of a sub-microsecond call, so its numbers are never reported. Its purpose is
//! drawing the activity of ranks.

use super::MethodSettings;
use crate::observation::{RankRecord, Stamp, TracedStep};
use crate::operation::Operation;
use crate::rank::{Phase, Rank};
use models::clock::{Ticks, Timescale};
use models::collective::{Collective, Shape, Step};
use models::footprint::Footprint;
use models::platform::Buffer;
use models::time::Span;
use std::cell::RefCell;

pub(super) async fn run<R: Rank, O: Operation, B: Operation>(
    rank: &R,
    settings: &MethodSettings,
    operation: &O,
    barrier: &B,
    record: &mut RankRecord,
) {
    for block in 0..settings.samples {
        rank.enter_phase(Phase::LoopTrace);
        operation.rewind();
        barrier.call(rank).await;
        let traced = Traced { rank, steps: RefCell::new(Vec::new()) };
        for _ in 0..settings.calls {
            operation.ready(rank);
            let start = rank.read_clock();
            operation.call(&traced).await;
            let end = rank.read_clock();
            record.stamps.push(Stamp { block, calls: 1, due: None, start, end, valid: true });
        }
        record.steps.extend(traced.steps.into_inner());
    }
}

/// Rank that records the begin and the end of each of its steps.
struct Traced<'a, R> {
    rank: &'a R,
    steps: RefCell<Vec<TracedStep>>,
}

impl<R: Rank> Rank for Traced<'_, R> {
    const HAS_LIBRARY: bool = R::HAS_LIBRARY;
    const SPECIALISED: bool = R::SPECIALISED;

    fn id(&self) -> u32 {
        self.rank.id()
    }
    fn size(&self) -> u32 {
        self.rank.size()
    }
    fn read_clock(&self) -> Ticks {
        self.rank.read_clock()
    }
    fn timescale(&self) -> Timescale {
        self.rank.timescale()
    }
    async fn wait_until(&self, due: Ticks) {
        self.rank.wait_until(due).await;
    }
    async fn compute(&self, work: Span) {
        self.rank.compute(work).await;
    }

    async fn multiply_add(&self, steps: u64) {
        self.rank.multiply_add(steps).await;
    }
    fn begin_call(&self) {
        self.rank.begin_call();
    }
    async fn step(&self, step: &Step) {
        let start = self.rank.read_clock();
        self.rank.step(step).await;
        let end = self.rank.read_clock();
        let (sent_to, received_from) = (step.sent().map(|(to, _)| to), step.received().map(|(from, ..)| from));
        self.steps.borrow_mut().push(TracedStep { start, end, sent_to, received_from });
    }
    async fn library(&self, collective: Collective, shape: &Shape) {
        self.rank.library(collective, shape).await;
    }
    async fn call_prepared(&self, call: usize) {
        self.rank.call_prepared(call).await;
    }
    async fn begin_prepared(&self, call: usize) {
        self.rank.begin_prepared(call).await;
    }
    async fn test_prepared(&self) {
        self.rank.test_prepared().await;
    }
    async fn finish_prepared(&self) {
        self.rank.finish_prepared().await;
    }
    async fn send(&self, to: u32, message: &[u8]) {
        self.rank.send(to, message).await;
    }
    async fn receive(&self, from: u32, message: &mut [u8]) {
        self.rank.receive(from, message).await;
    }
    fn use_buffers(&self, buffer: Buffer) -> bool {
        self.rank.use_buffers(buffer)
    }
    fn work_on(&self, footprint: &Footprint) {
        self.rank.work_on(footprint);
    }
    fn ready_buffers(&self) {
        self.rank.ready_buffers();
    }
    fn enter_phase(&self, phase: Phase) {
        self.rank.enter_phase(phase);
    }
}
