//! Clock synchronisation of simulated ranks, against the truth that the simulator knows.

use crate::engine::SimError;
use crate::rank::SimRank;
use crate::world::SimWorld;
use models::clock::{ClockModel, GlobalClock, Ticks, Timescale};
use models::collective::{Collective, Shape, Step};
use models::time::{Span, Time};
use programs::rank::{Phase, Rank};
use programs::sync::Sync;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;

/// Delays of the control messages of a synchronisation on top of the world's network.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Delays {
    /// Time by which a message to a rank of higher number takes longer than one back.
    pub asymmetry: Span,
    /// Mean of the exponentially distributed time by which every message takes longer.
    pub jitter: Span,
    /// Seed of the draws of jitter.
    pub seed: u64,
}

/// Result of a synchronisation on one rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Synchronised {
    /// The rank's view of the global clock.
    pub clock: GlobalClock,
    /// Global clock's value less that of rank 0's clock, at the moment the synchronisation returned, in ps.
    pub error_ps: i64,
    /// True time at which it returned.
    pub at: Time,
    /// Time from this rank's entry to its return.
    pub took: Span,
}

impl Synchronised {
    /// Returns true if the bound contains the truth.
    pub fn is_contained(&self) -> bool {
        self.error_ps.unsigned_abs() <= self.clock.bound.0
    }
}

/// Synchronises the clocks of a world.
///
/// # Errors
///
/// Fails in a deadlock, or if times are out of range.
pub fn synchronise(world: &SimWorld, sync: Sync, delays: &Delays) -> Result<Vec<Synchronised>, SimError> {
    synchronise_sharing(world, sync, delays, &[])
}

/// Synchronises the clocks of ranks that say whose clock they read: ranks of equal numbers the same one, whether that
/// is true or not.
///
/// # Errors
///
/// Fails where [`synchronise`] fails.
pub fn synchronise_sharing(
    world: &SimWorld,
    sync: Sync,
    delays: &Delays,
    domains: &[u64],
) -> Result<Vec<Synchronised>, SimError> {
    let run = world.run(async |rank| {
        let before = rank.true_time();
        let domain = domains.get(rank.id() as usize).copied();
        let rank = Delayed::new(rank, delays, domain);
        let clock = sync.synchronise(&rank).await;
        let at = rank.inner.true_time();
        (clock, before, at)
    })?;
    let judge = |(rank, (clock, before, at)): (usize, (GlobalClock, Time, Time))| {
        let seen = clock.global(Time(counted(&world.clocks[rank], at)));
        let error = i128::from(seen.0) - i128::from(counted(&world.clocks[0], at));
        Synchronised { clock, error_ps: error as i64, at, took: at.since(before) }
    };
    Ok(run.results.into_iter().enumerate().map(judge).collect())
}

/// Returns the count of a clock at a true time, finer than the clock shows.
fn counted(clock: &ClockModel, at: Time) -> u64 {
    ClockModel { granularity: Span::ZERO, ..clock.clone() }.reading(at).0
}

/// Simulated rank whose control messages are held back.
struct Delayed<'w> {
    inner: SimRank<'w>,
    delays: Delays,
    domain: Option<u64>,
    random: RefCell<ChaCha8Rng>,
}

impl<'w> Delayed<'w> {
    fn new(inner: SimRank<'w>, delays: &Delays, domain: Option<u64>) -> Delayed<'w> {
        let mut random = ChaCha8Rng::seed_from_u64(delays.seed);
        random.set_stream(u64::from(inner.id()));
        Delayed { inner, delays: *delays, domain, random: RefCell::new(random) }
    }

    /// Returns the time for which the next message is held back before it leaves.
    fn held_back(&self, to: u32) -> Span {
        let asymmetry = if to > self.inner.id() { self.delays.asymmetry } else { Span::ZERO };
        if self.delays.jitter == Span::ZERO {
            return asymmetry;
        }
        let uniform: f64 = self.random.borrow_mut().random_range(f64::EPSILON..=1.0);
        asymmetry + Span((-uniform.ln() * self.delays.jitter.0 as f64).round() as u64)
    }
}

impl Rank for Delayed<'_> {
    const HAS_LIBRARY: bool = false;

    fn id(&self) -> u32 {
        self.inner.id()
    }

    fn size(&self) -> u32 {
        self.inner.size()
    }

    fn read_clock(&self) -> Ticks {
        self.inner.read_clock()
    }

    fn timescale(&self) -> Timescale {
        self.inner.timescale()
    }

    fn clock_domain(&self) -> Option<u64> {
        self.domain
    }

    async fn wait_until(&self, due: Ticks) {
        self.inner.wait_until(due).await;
    }

    async fn compute(&self, work: Span) {
        self.inner.compute(work).await;
    }

    async fn multiply_add(&self, steps: u64) {
        self.inner.multiply_add(steps).await;
    }

    async fn step(&self, step: &Step) {
        self.inner.step(step).await;
    }

    async fn library(&self, collective: Collective, shape: &Shape) {
        self.inner.library(collective, shape).await;
    }

    async fn send(&self, to: u32, message: &[u8]) {
        let span = self.held_back(to);
        if span > Span::ZERO {
            self.inner.compute(span).await;
        }
        self.inner.send(to, message).await;
    }

    async fn receive(&self, from: u32, message: &mut [u8]) {
        self.inner.receive(from, message).await;
    }

    fn enter_phase(&self, phase: Phase) {
        self.inner.enter_phase(phase);
    }
}
