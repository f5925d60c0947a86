//! A real rank: a thread or a process with a buffer, a clock, a place on the board, and a carrier of its messages.
//! Worlds differ in the carrier alone.

use crate::board::Board;
use crate::buffer::Buffer;
use crate::clock::ClockSource;
use crate::memory::renew_pages;
use crate::neighbour::Lookout;
use crate::usage::{core, page_faults, usage};
use crate::waiting::Patience;
use models::call::{Call, Element};
use models::clock::{Ticks, Timescale};
use models::collective::{Collective, Part, Shape, Step};
use models::footprint::Footprint;
use models::platform::Buffer as State;
use models::shared_broadcast::Queued;
use models::time::Span;
use programs::observation::{MachineLook, Placement, Usage};
use programs::rank::{Phase, Rank};
use std::cell::Cell;
use std::future::{Future, ready};
use std::hint::black_box;
use std::time::Instant;

/// Carrier of a real rank's messages. Every call has happened when it returns.
pub trait Carriage {
    /// Whether there is a message library whose own collectives can be called.
    const HAS_LIBRARY: bool;

    /// Whether methods are compiled for each operation: see [`Rank::SPECIALISED`].
    const SPECIALISED: bool = false;

    /// Carries out one step of a collective, on the rank's buffer.
    fn step(&self, step: &Step, buffer: &Buffer);

    /// Works out what [`Carriage::library`] with these arguments needs.
    fn prepare(&self, collective: Collective, shape: &Shape);

    /// Calls the message library's own collective, on the rank's buffer.
    fn library(&self, collective: Collective, shape: &Shape, buffer: &Buffer);

    /// Works out what a call in any form needs: see [`Rank::prepare_call`].
    ///
    /// # Errors
    ///
    /// Says what cannot be done, alike on every rank.
    fn prepare_call(
        &self,
        collective: Collective,
        call: &Call,
        shape: &Shape,
        forced: Option<&str>,
    ) -> Result<usize, String>;

    /// Works out what a broadcast through shared memory needs: see [`Rank::prepare_shared`].
    ///
    /// # Errors
    ///
    /// Says why these ranks share no memory, alike on every rank.
    fn prepare_shared(&self, queued: &Queued, call: &Call, shape: &Shape) -> Result<usize, String>;

    /// Makes a prepared call on the rank's buffer.
    fn call_prepared(&self, call: usize, buffer: &Buffer);

    /// Issues a prepared non-blocking call.
    fn begin_prepared(&self, call: usize, buffer: &Buffer);

    /// Asks whether the call issued last is done.
    fn test_prepared(&self);

    /// Waits for the call issued last.
    fn finish_prepared(&self);

    /// Returns how the library was made to use an algorithm, if it was.
    fn proof(&self, call: usize) -> Option<String>;

    /// Returns the memory in which the rank's queue lies: see [`Rank::placement`].
    fn placement(&self, _call: usize) -> Option<Placement> {
        None
    }

    /// Gives back everything that was prepared.
    fn forget_calls(&self);

    /// Combines one part of the rank's buffer into another by the message library's own reduction. Returns false if
    /// there is none.
    fn combine(&self, _from: Part, _to: Part, _element: Element, _buffer: &Buffer) -> bool {
        false
    }

    /// Sends a control message.
    fn send(&self, to: u32, message: &[u8]);

    /// Receives a control message of exactly this length.
    fn receive(&self, from: u32, message: &mut [u8]);

    /// Called now and then while the rank waits, for carriers that need attention.
    fn progress(&self);
}

/// Counts of a rank about itself, and its questions to the operating system.
pub struct Counted {
    begin: Instant,
    /// Whether the rank is a process: ranks that share one have one account together, which says nothing of either.
    is_process: bool,
    /// Whether the rank asks about all of its host, as one rank of each host does.
    asks_of_host: bool,
    core: Cell<i32>,
    moved: Cell<u64>,
}

impl Counted {
    /// Begins to count. `is_process`: the rank has a process of its own. `asks_of_host`: it asks about its whole host,
    /// too.
    pub fn new(is_process: bool, asks_of_host: bool) -> Counted {
        Counted { begin: Instant::now(), is_process, asks_of_host, core: Cell::new(core()), moved: Cell::new(0) }
    }

    fn look_at_core(&self) {
        let now = core();
        if self.core.replace(now) != now {
            self.moved.set(self.moved.get() + 1);
        }
    }

    fn usage(&self) -> Option<Usage> {
        self.look_at_core();
        self.is_process.then(|| usage(self.begin, self.asks_of_host, self.moved.get()))
    }

    fn page_faults(&self) -> Option<u64> {
        self.is_process.then(page_faults)
    }
}

/// Rank that is a thread or process of this machine.
pub struct RealRank<'a, C, N> {
    /// Number of the rank in its job.
    pub id: u32,
    /// Number of ranks in the job.
    pub size: u32,
    /// Board on which it shows its state.
    pub board: &'a Board,
    /// Scale of the ticks of its clock.
    pub scale: Timescale,
    /// Number that is equal for ranks that read one clock by one scale.
    pub clock_domain: u64,
    /// Way in which the rank waits.
    pub patience: Patience,
    /// Buffer that calls send from and receive into.
    pub buffer: Buffer,
    /// Lookout at the machine's state, `None` if the rank does not look.
    pub lookout: Option<Lookout<'a>>,
    /// Counts of the rank about itself.
    pub counted: Counted,
    /// Carrier of the rank's messages.
    pub carriage: N,
    /// Clock that the rank reads.
    pub clock: C,
}

/// Keeps the core for the time of `work`.
#[inline(always)]
fn spin(clock: impl ClockSource, scale: &Timescale, work: Span) {
    let due = scale.reading(scale.time(clock.read()) + work);
    while clock.read() < due {
        std::hint::spin_loop();
    }
}

impl<C: ClockSource, N: Carriage> Rank for RealRank<'_, C, N> {
    const HAS_LIBRARY: bool = N::HAS_LIBRARY;
    const SPECIALISED: bool = N::SPECIALISED && C::SPECIALISED;

    fn id(&self) -> u32 {
        self.id
    }

    fn size(&self) -> u32 {
        self.size
    }

    #[inline(always)]
    fn read_clock(&self) -> Ticks {
        self.clock.read()
    }

    fn timescale(&self) -> Timescale {
        self.scale
    }

    fn clock_domain(&self) -> Option<u64> {
        Some(self.clock_domain)
    }

    async fn wait_until(&self, due: Ticks) {
        self.patience.wait_until(self.clock, &self.scale, due, || self.carriage.progress());
    }

    #[inline(always)]
    fn compute(&self, work: Span) -> impl Future<Output = ()> {
        match self.clock.true_time() {
            None => spin(self.clock, &self.scale, work),
            Some((clock, scale)) => spin(clock, &scale, work),
        }
        ready(())
    }

    #[inline(always)]
    fn multiply_add(&self, steps: u64) -> impl Future<Output = ()> {
        let mut number = black_box(steps);
        for _ in 0..steps {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        }
        black_box(number);
        ready(())
    }

    #[inline(always)]
    fn step(&self, step: &Step) -> impl Future<Output = ()> {
        self.carriage.step(step, &self.buffer);
        ready(())
    }

    fn prepare(&self, collective: Collective, shape: &Shape) {
        self.carriage.prepare(collective, shape);
    }

    #[inline(always)]
    fn library(&self, collective: Collective, shape: &Shape) -> impl Future<Output = ()> {
        self.carriage.library(collective, shape, &self.buffer);
        ready(())
    }

    fn prepare_call(
        &self,
        collective: Collective,
        call: &Call,
        shape: &Shape,
        forced: Option<&str>,
    ) -> Result<usize, String> {
        self.carriage.prepare_call(collective, call, shape, forced)
    }

    fn prepare_shared(&self, queued: &Queued, call: &Call, shape: &Shape) -> Result<usize, String> {
        self.carriage.prepare_shared(queued, call, shape)
    }

    #[inline(always)]
    fn call_prepared(&self, call: usize) -> impl Future<Output = ()> {
        self.carriage.call_prepared(call, &self.buffer);
        ready(())
    }

    #[inline(always)]
    fn begin_prepared(&self, call: usize) -> impl Future<Output = ()> {
        self.carriage.begin_prepared(call, &self.buffer);
        ready(())
    }

    #[inline(always)]
    fn test_prepared(&self) -> impl Future<Output = ()> {
        self.carriage.test_prepared();
        ready(())
    }

    #[inline(always)]
    fn finish_prepared(&self) -> impl Future<Output = ()> {
        self.carriage.finish_prepared();
        ready(())
    }

    fn proof(&self, call: usize) -> Option<String> {
        self.carriage.proof(call)
    }

    fn placement(&self, call: usize) -> Option<Placement> {
        self.carriage.placement(call)
    }

    fn forget_calls(&self) {
        self.carriage.forget_calls();
    }

    #[inline(always)]
    fn combine(&self, from: Part, to: Part, element: Element) -> bool {
        self.carriage.combine(from, to, element, &self.buffer)
    }

    async fn send(&self, to: u32, message: &[u8]) {
        self.carriage.send(to, message);
    }

    async fn receive(&self, from: u32, message: &mut [u8]) {
        self.carriage.receive(from, message);
    }

    fn use_buffers(&self, buffer: State) -> bool {
        self.buffer.keep(buffer)
    }

    fn work_on(&self, footprint: &Footprint) {
        self.buffer.work_on(footprint);
    }

    #[inline(always)]
    fn ready_buffers(&self) {
        self.buffer.ready();
    }

    fn look_around(&self) -> Option<MachineLook> {
        self.counted.look_at_core();
        self.lookout.as_ref().map(Lookout::look)
    }

    fn neighbour(&self) -> Option<u32> {
        self.lookout.as_ref()?.neighbour()
    }

    fn usage(&self) -> Option<Usage> {
        self.counted.usage()
    }

    fn page_faults(&self) -> Option<u64> {
        self.counted.page_faults()
    }

    fn renew_pages(&self, bytes: u64) -> u32 {
        if self.counted.is_process { renew_pages(bytes) } else { 0 }
    }

    fn enter_phase(&self, phase: Phase) {
        self.board.enter(self.id, phase);
    }

    fn lost(&self, duration: Span) {
        self.board.lose(self.id, duration);
    }
}
