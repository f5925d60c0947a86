//! The handle through which methods and clock synchronisation act for one rank, in every world.
//!
//! For simulated ranks an async call suspends until its virtual time; for real ranks (threads,
//! MPI) the same code never suspends and compiles to direct calls.

use crate::call::{Call, Element};
use crate::clock::{GlobalClock, Ticks, Timescale};
use crate::collective::{Algorithm, Collective, Part, Shape, Step};
use crate::footprint::Footprint;
use crate::observation::{Look, Placement, Usage};
use crate::platform::Buffer;
use crate::shared_broadcast::Queued;
use crate::time::Span;

/// One rank of a world.
///
/// Two kinds of messages exist. *Steps* belong to a collective: they move parts of the rank's
/// benchmark buffer over the network under study. *Control messages* carry the method's own few
/// bytes (clock readings, start times, results), like a management network.
#[allow(async_fn_in_trait)] // ranks are single-threaded: no Send bound is wanted
pub trait Rank {
    /// True if there is a message library whose own collectives can be called.
    const HAS_LIBRARY: bool;

    /// True if every method is compiled for each operation: calls can take a fraction of a microsecond, and the clock is read
    /// in less. Elsewhere one branch more per call is lost in the network's time, or in the clock's, and methods are
    /// compiled once for all operations ([`Any`](crate::operation::Any)).
    const SPECIALISED: bool = false;

    /// True if what is called is worked out before anything is timed. Where working out takes no time that the clock shows,
    /// as on simulated ranks, it waits until the first call needs it: most roots never have their turn.
    const WORKS_AHEAD: bool = true;

    /// This rank's number, 0 ≤ id < size.
    fn id(&self) -> u32;

    /// The number of ranks in this world.
    fn size(&self) -> u32;

    /// One read of this rank's own clock.
    fn read_clock(&self) -> Ticks;

    /// What the ticks of this rank's clock mean.
    fn timescale(&self) -> Timescale;

    /// Whose clock this rank reads: ranks of equal numbers read one clock, with one timescale. Either all ranks of a world
    /// say so or none: where none does, no two ranks share a clock.
    fn clock_domain(&self) -> Option<u64> {
        None
    }

    /// The global clock, where this rank knows it already, as simulated ranks may, so that there is nothing to synchronise.
    /// Either all ranks of a world do or none.
    fn global_clock(&self) -> Option<GlobalClock> {
        None
    }

    /// Whether anybody asks how clocks have moved while ranks were timed. Where nobody does, as in simulations of which numbers
    /// alone are wanted, clocks are not synchronised once more behind the last call, which changes none of the numbers.
    fn tells_drift(&self) -> bool {
        true
    }

    /// This rank has lost its CPU for so long: whoever watches may be told.
    fn lost(&self, _duration: Span) {}

    /// Returns once this rank's own clock reads `due` or later.
    async fn wait_until(&self, due: Ticks);

    /// Occupies the CPU for `work`.
    async fn compute(&self, work: Span);

    /// Occupies the CPU of one rank, called by all ranks together.
    async fn occupy(&self, who: u32, lasts: Lasts) {
        if self.id() == who {
            let work = match lasts {
                Lasts::For(work) => work,
                Lasts::AsBetween(before, after) => self.timescale().span(before, after),
            };
            self.compute(work).await;
        }
    }

    /// Does a fixed amount of work in registers alone: so many multiply-adds, each of which waits for the one before.
    /// Simulated ranks take a nanosecond for each.
    async fn multiply_add(&self, steps: u64);

    /// One step of a collective, on the rank's benchmark buffer.
    async fn step(&self, step: &Step);

    /// A collective call begins, whoever's algorithm it is: what a call takes before its first step. On real ranks it takes
    /// that by itself.
    #[inline(always)]
    fn begin_call(&self) {}

    /// Works out what [`Rank::library`] with these arguments needs, so that nothing but the call is timed.
    fn prepare(&self, _collective: Collective, _shape: &Shape) {}

    /// Plays a call of an algorithm by all ranks at once, where this handle stands for all of them. False, and nothing done,
    /// where it stands for one rank, whose steps come one by one.
    fn play(&self, _algorithm: &'static Algorithm, _shape: &Shape) -> bool {
        false
    }

    /// The message library's own collective, on the rank's benchmark buffer.
    async fn library(&self, collective: Collective, shape: &Shape);

    /// Works out all that a call of the library's in any form needs (types, counts, a communicator made anew), so that
    /// nothing but the call is timed. Called by all ranks together; its number is what the four functions below take.
    /// `forced` names the algorithm that the library is made to use.
    ///
    /// # Errors
    /// Says what this world, this library or this call cannot do; the same on every rank.
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

    /// Works out what a broadcast through memory that all ranks share needs: the memory. Called by all ranks together; its number
    /// is what [`Rank::call_prepared`] takes.
    ///
    /// # Errors
    /// These ranks share no memory, or not as much; the same on every rank.
    fn prepare_shared(&self, queued: &Queued, _call: &Call, _shape: &Shape) -> Result<usize, String> {
        Err(format!("{queued} needs ranks that share memory: expected world openmpi or mpich on one host, or threads"))
    }

    /// Makes a prepared call; a non-blocking one is waited for at once.
    async fn call_prepared(&self, call: usize) {
        unreachable!("call {call} was not prepared");
    }

    /// Issues a prepared non-blocking call.
    async fn begin_prepared(&self, call: usize) {
        unreachable!("call {call} was not prepared");
    }

    /// Asks whether the call that was issued last is done, which lets the library go on with it.
    async fn test_prepared(&self) {}

    /// Waits for the call that was issued last.
    async fn finish_prepared(&self) {}

    /// What is known of how the library was made to use an algorithm: for the record of what ran.
    fn proof(&self, _call: usize) -> Option<String> {
        None
    }

    /// Where the rank's queue lies that a prepared call takes; none where it takes none, or the host has one NUMA node.
    fn placement(&self, _call: usize) -> Option<Placement> {
        None
    }

    /// Gives back everything that was prepared. Called by all ranks together.
    fn forget_calls(&self) {}

    /// Combines a part of the rank's memory, taken as such elements, into another one as long, as the library does in its
    /// reductions (`MPI_Reduce_local`). False, and nothing done, in a world without a library.
    fn combine(&self, _from: Part, _to: Part, _element: Element) -> bool {
        false
    }

    /// Sends a control message.
    async fn send(&self, to: u32, message: &[u8]);

    /// Receives a control message of exactly this length from a named rank.
    async fn receive(&self, from: u32, message: &mut [u8]);

    /// Asks another rank, which [answers](Rank::answer), what its clock reads.
    async fn ask(&self, other: u32, question: &[u8; 8]) -> Ticks {
        ask_by_messages(self, other, question).await
    }

    /// Answers another rank's questions with readings of this rank's clock, until it says that it is done.
    async fn answer(&self, other: u32, done: &[u8; 8]) {
        answer_by_messages(self, other, done).await;
    }

    /// From now on calls find their buffers in this state; the first buffer of a pool is in use. False, and nothing done,
    /// in a world that cannot bring them into it.
    fn use_buffers(&self, buffer: Buffer) -> bool {
        buffer == Buffer::Same
    }

    /// From now on these are the bytes that calls send and receive.
    fn work_on(&self, _footprint: &Footprint) {}

    /// Brings the buffers into the chosen state before a call: goes on to the next one of a pool, rewrites what is sent
    /// and reads what was received, or flushes both from all caches. Takes no part in what is timed.
    fn ready_buffers(&self) {}

    /// How near the caches of this rank and its neighbour on the host are, and how fast this rank's core works: a look that
    /// takes some tens of µs. Called by a rank and its neighbour together, and all ranks get an answer or none: none where
    /// ranks share cores, or where messages take too long for it to matter.
    fn look_around(&self) -> Option<Look> {
        None
    }

    /// With whom this rank looks around; none without another rank on its host, or where nobody looks.
    fn neighbour(&self) -> Option<u32> {
        None
    }

    /// What the operating system has counted for this rank so far; none in a world without one.
    fn usage(&self) -> Option<Usage> {
        None
    }

    /// Pages that the operating system has given this rank so far; none in a world without one.
    fn page_faults(&self) -> Option<u64> {
        None
    }

    /// Writes to so many bytes of pages that the operating system gives anew for it, and gives them back. How many pages they
    /// are; none, and nothing done, in a world where a page costs nothing, or ranks share their process.
    fn renew_pages(&self, _bytes: u64) -> u32 {
        0
    }

    /// Says what this rank is about to do, for whoever watches over dead and hung ranks.
    fn enter_phase(&self, phase: Phase);
}

/// How long a rank is occupied.
#[derive(Clone, Copy, Debug)]
pub enum Lasts {
    /// For so long.
    For(Span),
    /// For as long as there is between two readings of its clock.
    AsBetween(Ticks, Ticks),
}

/// [`Rank::ask`] by a control message each way.
pub async fn ask_by_messages(rank: &(impl Rank + ?Sized), other: u32, question: &[u8; 8]) -> Ticks {
    rank.send(other, question).await;
    let mut answer = [0; 8];
    rank.receive(other, &mut answer).await;
    Ticks(u64::from_le_bytes(answer))
}

/// [`Rank::answer`] by control messages.
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

crate::named! {
    /// What a rank is about, in the order of the numbers; shown when it dies or hangs.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u32)]
    pub enum Phase {
        /// Joining the world, setting up the clock.
        Starting => "starting",
        /// Measuring the clocks' offsets.
        ClockSynchronisation => "clock synchronisation",
        /// Ping-pongs and trains.
        Calibration => "calibration",
        /// The cold first call and the warm-up.
        FirstCall => "first call and warm-up",
        /// Method `loop`.
        Loop => "loop",
        /// Method `barrier-loop`.
        BarrierLoop => "barrier-loop",
        /// Method `barrier-subtract`.
        BarrierSubtract => "barrier-subtract",
        /// Method `root-rotation`.
        RootRotation => "root-rotation",
        /// Method `window`.
        Window => "window",
        /// Method `round-time`.
        RoundTime => "round-time",
        /// Method `barrier-own`.
        BarrierOwn => "barrier-own",
        /// Method `barrier-inside`.
        BarrierInside => "barrier-inside",
        /// Exit times of a barrier.
        BarrierSkew => "barrier exits",
        /// Method `loop-trace`.
        LoopTrace => "loop-trace",
        /// Messages between two ranks.
        PointToPoint => "point to point",
        /// Looking at memory before and after operations.
        Memory => "memory",
        /// Recording detours.
        Detours => "recording detours",
        /// Grains of work, with a barrier after each.
        Working => "working",
        /// Something that programs do, again and again.
        Metering => "metering",
        /// The calls of a program that is watched.
        Watched => "the watched program's own calls",
        /// Sending its record to rank 0.
        Collecting => "collecting results",
        /// Done.
        Finished => "finished",
    }
    /// The words used in output.
    fn name;
    Display(name);
}
