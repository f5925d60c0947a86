//! Simulated ranks that know that they read one clock, as ranks on one host do, and have a library to be timed.

use models::clock::{Ticks, Timescale};
use models::collective::{Collective, Part, Shape, Step};
use models::footprint::Footprint;
use models::platform::Buffer;
use models::time::Span;
use programs::rank::{Phase, Rank};

pub struct OneClock<R>(pub R);

impl<R: Rank> Rank for OneClock<R> {
    const HAS_LIBRARY: bool = true;

    fn id(&self) -> u32 {
        self.0.id()
    }

    fn size(&self) -> u32 {
        self.0.size()
    }

    fn read_clock(&self) -> Ticks {
        self.0.read_clock()
    }

    fn timescale(&self) -> Timescale {
        self.0.timescale()
    }

    fn clock_domain(&self) -> Option<u64> {
        Some(0)
    }

    async fn wait_until(&self, due: Ticks) {
        self.0.wait_until(due).await;
    }

    async fn compute(&self, work: Span) {
        self.0.compute(work).await;
    }

    async fn multiply_add(&self, steps: u64) {
        self.0.multiply_add(steps).await;
    }

    async fn step(&self, step: &Step) {
        self.0.step(step).await;
    }

    async fn library(&self, collective: Collective, shape: &Shape) {
        self.0.library(collective, shape).await;
    }

    fn combine(&self, from: Part, to: Part, element: models::call::Element) -> bool {
        self.0.combine(from, to, element)
    }

    fn renew_pages(&self, bytes: u64) -> u32 {
        self.0.renew_pages(bytes)
    }

    async fn send(&self, to: u32, message: &[u8]) {
        self.0.send(to, message).await;
    }

    async fn receive(&self, from: u32, message: &mut [u8]) {
        self.0.receive(from, message).await;
    }

    fn use_buffers(&self, buffer: Buffer) -> bool {
        self.0.use_buffers(buffer)
    }

    fn work_on(&self, footprint: &Footprint) {
        self.0.work_on(footprint);
    }

    fn ready_buffers(&self) {
        self.0.ready_buffers();
    }

    fn enter_phase(&self, phase: Phase) {
        self.0.enter_phase(phase);
    }
}
