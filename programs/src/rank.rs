//! Handle through which methods and clock synchronisation act for one rank, in every world.
//!
//! For simulated ranks an async call suspends until its virtual time. For real ranks (threads, MPI) the same code never
//! suspends and compiles to direct calls.

use crate::observation::{MachineLook, Placement, Usage};
use models::call::{Call, Element};
use models::clock::{GlobalClock, Ticks, Timescale};
use models::collective::{Algorithm, Collective, Part, Shape, Step};
use models::footprint::Footprint;
use models::platform::Buffer;
use models::shared_broadcast::Queued;
use models::time::Span;

/// One rank of a world.
///
/// Two kinds of messages exist. *Steps* belong to a collective: they move parts of the rank's
/// benchmark buffer over the network under study. *Control messages* carry the method's own few
/// bytes (clock readings, start times, results), like a management network.
#[allow(async_fn_in_trait)] // ranks are single-threaded: no Send bound is wanted
pub trait Rank {
    /// Whether there is a message library whose own collectives can be called.
    const HAS_LIBRARY: bool;

    /// Whether every method is compiled for each operation, because calls can take a fraction of a microsecond, and a
    /// clock reading less. Elsewhere one branch more per call is negligible against the network's or the clock's time,
    /// and methods are compiled once for all operations ([`Any`](crate::operation::Any)).
    const SPECIALISED: bool = false;

    /// Whether calls are prepared before anything is timed. Where preparation takes no time on the clock, as on
    /// simulated ranks, it is put off until the first call needs it: most roots never have their turn.
    const WORKS_AHEAD: bool = true;

    /// Number of this rank, 0 ≤ id < size.
    fn id(&self) -> u32;

    /// Number of ranks in this world.
    fn size(&self) -> u32;

    /// Reads this rank's own clock.
    fn read_clock(&self) -> Ticks;

    /// Meaning of the ticks of this rank's clock.
    fn timescale(&self) -> Timescale;

    /// Identifies the clock that this rank reads: ranks of equal numbers read one clock, with one timescale. Either all
    /// ranks of a world return a number or none: where none does, no two ranks share a clock.
    fn clock_domain(&self) -> Option<u64> {
        None
    }

    /// The global clock, where this rank already knows it, as simulated ranks may, so that there is nothing to
    /// synchronise. Either all ranks of a world return it or none.
    fn global_clock(&self) -> Option<GlobalClock> {
        None
    }

    /// Whether the clocks' drift during the timed calls is wanted. Where it is not, as in simulations of which only
    /// numbers are used, clocks are not synchronised once more after the last call, which changes none of the numbers.
    fn tells_drift(&self) -> bool {
        true
    }

    /// Notes that this rank has lost its CPU for a duration, for an observer.
    fn lost(&self, _duration: Span) {}

    /// Returns once this rank's own clock reads `due` or later.
    async fn wait_until(&self, due: Ticks);

    /// Occupies the CPU for `work`.
    async fn compute(&self, work: Span);

    /// Occupies the CPU of rank `who`. Called by all ranks together.
    async fn occupy(&self, who: u32, lasts: Lasts) {
        if self.id() == who {
            let work = match lasts {
                Lasts::For(work) => work,
                Lasts::AsBetween(before, after) => self.timescale().span(before, after),
            };
            self.compute(work).await;
        }
    }

    /// Does a fixed amount of work in registers alone: `steps` multiply-adds, each of which waits for the one before.
    /// Simulated ranks take a nanosecond for each.
    async fn multiply_add(&self, steps: u64);

    /// Performs one step of a collective, on the rank's benchmark buffer.
    async fn step(&self, step: &Step);

    /// Begins a collective call of any algorithm: simulated ranks spend the call's time before its first step. On real
    /// ranks it takes that time by itself.
    #[inline(always)]
    fn begin_call(&self) {}

    /// Prepares what [`Rank::library`] with these arguments needs, so that nothing but the call is timed.
    fn prepare(&self, _collective: Collective, _shape: &Shape) {}

    /// Plays a call of an algorithm by all ranks at once, where this handle stands for all of them. Returns false, and
    /// does nothing, where it stands for one rank, whose steps come one by one.
    fn play(&self, _algorithm: &'static Algorithm, _shape: &Shape) -> bool {
        false
    }

    /// Calls the message library's own collective, on the rank's benchmark buffer.
    async fn library(&self, collective: Collective, shape: &Shape);

    /// Prepares all that a call of the library in any form needs (types, counts, a new communicator), so that nothing
    /// but the call is timed. Called by all ranks together. Returns the call's number, which [`Rank::call_prepared`],
    /// [`Rank::begin_prepared`], [`Rank::proof`] and [`Rank::placement`] take. `forced` names the algorithm that the
    /// library is forced to use.
    ///
    /// # Errors
    /// Names the feature that this world, this library or this call does not have; the same on every rank.
    fn prepare_call(
        &self,
        collective: Collective,
        call: &Call,
        shape: &Shape,
        forced: Option<&str>,
    ) -> Result<usize, String> {
        let what = match forced {
            Some(name) => format!("the library's algorithm '{name}'"),
            None => call.name(collective),
        };
        let _ = shape;
        Err(format!("{what} needs a message library's own ranks: expected world openmpi or mpich, native network"))
    }

    /// Prepares the memory for a broadcast through memory that all ranks share. Called by all ranks together. Returns
    /// the call's number, which [`Rank::call_prepared`] takes.
    ///
    /// # Errors
    /// Fails if these ranks share no memory, or not enough; the same on every rank.
    fn prepare_shared(&self, queued: &Queued, _call: &Call, _shape: &Shape) -> Result<usize, String> {
        Err(format!("{queued} needs ranks that share memory: expected world openmpi or mpich on one host, or threads"))
    }

    /// Makes a prepared call. A non-blocking one is waited for at once.
    async fn call_prepared(&self, call: usize) {
        unreachable!("call {call} was not prepared");
    }

    /// Issues a prepared non-blocking call.
    async fn begin_prepared(&self, call: usize) {
        unreachable!("call {call} was not prepared");
    }

    /// Tests whether the call that was issued last is done, which lets the library make progress with it.
    async fn test_prepared(&self) {}

    /// Waits for the call that was issued last.
    async fn finish_prepared(&self) {}

    /// Evidence that the library was forced to use an algorithm, for the record of the run.
    fn proof(&self, _call: usize) -> Option<String> {
        None
    }

    /// Placement of the queue that a prepared call of this rank uses; `None` where it uses none, or where the host has
    /// one NUMA node.
    fn placement(&self, _call: usize) -> Option<Placement> {
        None
    }

    /// Releases everything that was prepared. Called by all ranks together.
    fn forget_calls(&self) {}

    /// Combines a part of the rank's memory, taken as these elements, into another part of the same length, as the
    /// library does in its reductions (`MPI_Reduce_local`). Returns false, and does nothing, in a world without a
    /// library.
    fn combine(&self, _from: Part, _to: Part, _element: Element) -> bool {
        false
    }

    /// Sends a control message to a rank.
    async fn send(&self, to: u32, message: &[u8]);

    /// Receives a control message of exactly this length from a named rank.
    async fn receive(&self, from: u32, message: &mut [u8]);

    /// Asks another rank, which [answers](Rank::answer_clock_reads), for a reading of its clock.
    async fn ask(&self, other: u32, question: &[u8; 8]) -> Ticks {
        ask_by_messages(self, other, question).await
    }

    /// Answers another rank's questions with readings of this rank's clock, until it receives `done`.
    async fn answer_clock_reads(&self, other: u32, done: &[u8; 8]) {
        answer_by_messages(self, other, done).await;
    }

    /// Sets the state in which calls find their buffers from then on. The first buffer of a pool is in use. Returns
    /// false, and does nothing, in a world that cannot bring them into it.
    fn use_buffers(&self, buffer: Buffer) -> bool {
        buffer == Buffer::Same
    }

    /// Sets the bytes that calls send and receive from then on.
    fn work_on(&self, _footprint: &Footprint) {}

    /// Brings the buffers into the chosen state before a call: goes on to the next one of a pool, rewrites what is sent
    /// and reads what was received, or flushes both from all caches. It is no part of the timed region.
    fn ready_buffers(&self) {}

    /// Observes the latency between the caches of this rank and of its neighbour on the host, and the speed of this
    /// rank's core, in some tens of µs. Called by a rank and its neighbour together. Either all ranks get a result or
    /// none: none where ranks share cores, or where messages take too long for it to matter.
    fn look_around(&self) -> Option<MachineLook> {
        None
    }

    /// Neighbour with which this rank observes the machine; `None` without another rank on its host, or where no rank
    /// observes.
    fn neighbour(&self) -> Option<u32> {
        None
    }

    /// Counts of the operating system for this rank so far; `None` in a world without one.
    fn usage(&self) -> Option<Usage> {
        None
    }

    /// Number of pages that the operating system has given this rank so far; `None` in a world without one.
    fn page_faults(&self) -> Option<u64> {
        None
    }

    /// Writes to `bytes` bytes of pages that the operating system gives anew for it, and gives them back. Returns the
    /// number of pages; 0, without any effect, in a world where a page costs nothing, or where ranks share their
    /// process.
    fn renew_pages(&self, _bytes: u64) -> u32 {
        0
    }

    /// Announces this rank's next phase, for the detection of dead and hung ranks.
    fn enter_phase(&self, phase: Phase);
}

/// Duration for which a rank is occupied.
#[derive(Clone, Copy, Debug)]
pub enum Lasts {
    /// A duration of this length.
    For(Span),
    /// The time between two readings of its clock.
    AsBetween(Ticks, Ticks),
}

/// Implements [`Rank::ask`] by a control message each way.
pub async fn ask_by_messages(rank: &(impl Rank + ?Sized), other: u32, question: &[u8; 8]) -> Ticks {
    rank.send(other, question).await;
    let mut answer = [0; 8];
    rank.receive(other, &mut answer).await;
    Ticks(u64::from_le_bytes(answer))
}

/// Implements [`Rank::answer_clock_reads`] by control messages.
pub async fn answer_by_messages(rank: &(impl Rank + ?Sized), other: u32, done: &[u8; 8]) {
    let mut question = [0; 8];
    loop {
        rank.receive(other, &mut question).await;
        if question == *done {
            return;
        }
        let now = rank.read_clock();
        rank.send(other, &now.0.to_le_bytes()).await;
    }
}

models::named! {
    /// Phase of a rank's work, in the order of the numbers; shown when it dies or hangs.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u32)]
    pub enum Phase {
        /// The rank joins the world and sets up its clock.
        Starting => "starting",
        /// Ranks measure the offsets of their clocks.
        ClockSynchronisation => "clock synchronisation",
        /// Ranks measure ping-pongs and trains for a calibration.
        Calibration => "calibration",
        /// The cold first call and the warm-up.
        FirstCall => "first call and warm-up",
        /// Timing by method `loop`.
        Loop => "loop",
        /// Timing by method `barrier-loop`.
        BarrierLoop => "barrier-loop",
        /// Timing by method `barrier-subtract`.
        BarrierSubtract => "barrier-subtract",
        /// Timing by method `root-rotation`.
        RootRotation => "root-rotation",
        /// Timing by method `window`.
        Window => "window",
        /// Timing by method `round-time`.
        RoundTime => "round-time",
        /// Timing by method `barrier-own`.
        BarrierOwn => "barrier-own",
        /// Timing by method `barrier-inside`.
        BarrierInside => "barrier-inside",
        /// Measurement of a barrier's exit times.
        BarrierSkew => "barrier exits",
        /// Timing by method `loop-trace`.
        LoopTrace => "loop-trace",
        /// Measurement of messages between two ranks.
        PointToPoint => "point to point",
        /// Observation of memory before and after operations.
        Memory => "memory",
        /// Recording of a rank's detours.
        Detours => "recording detours",
        /// Grains of work, with a barrier after each.
        Working => "working",
        /// Repetition of a program's typical action.
        Metering => "metering",
        /// Calls of a program that is observed.
        Watched => "the watched program's own calls",
        /// Sending of the rank's record to rank 0.
        Collecting => "collecting results",
        /// The rank has finished its work.
        Finished => "finished",
    }
    /// Words for the phase in output.
    fn name;
    Display(name);
}
