//! One simulated rank: the actions of methods and synchronisations through it happen in the engine at virtual time.

use crate::channel::Channel;
use crate::engine::Engine;
use crate::known::ClockKnowledge;
use crate::state::Standing;
use crate::world::SimWorld;
use models::clock::{GlobalClock, Ticks, Timescale};
use models::collective::decision::ThroughCells;
use models::collective::{Algorithm, Collective, Part, Shape, Step};
use models::footprint::Footprint;
use models::platform::{BarrierTimes, Buffer};
use models::shared_broadcast::{Broadcast, Scheme};
use models::time::{Span, Time};
use programs::rank::{Phase, Rank, answer_by_messages, ask_by_messages};
use programs::trace::Moment;
use std::cell::{Cell, RefCell, RefMut};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

#[derive(Clone)]
pub(crate) struct Shared(pub(crate) Rc<RefCell<Engine>>);

impl From<Engine> for Shared {
    fn from(engine: Engine) -> Shared {
        Shared(Rc::new(RefCell::new(engine)))
    }
}

/// Rank of a simulated world.
pub struct SimRank<'w> {
    world: &'w SimWorld,
    shared: Shared,
    id: u32,
    /// State in which calls find the rank's memory, and the memory that they send and receive.
    buffer: Cell<Buffer>,
    footprint: RefCell<Option<Box<Footprint>>>,
    /// Whether it has gone on from where a synchronisation left it.
    knows: Cell<bool>,
    /// State of the library's calls through cells, between calls.
    through_cells: RefCell<Option<Box<Broadcast>>>,
}

impl<'w> SimRank<'w> {
    pub(crate) fn new(world: &'w SimWorld, shared: &Shared, id: u32) -> SimRank<'w> {
        let (buffer, footprint, knows, through_cells) = Default::default();
        SimRank { world, shared: shared.clone(), id, buffer, footprint, knows, through_cells }
    }
}

impl SimRank<'_> {
    /// Returns this rank's true time, which no benchmark can see.
    pub fn true_time(&self) -> Time {
        *self.engine().cpu(self.id)
    }

    /// Returns the state of this rank, which has nothing open.
    pub(crate) fn standing(&self) -> Standing {
        self.engine().rank(self.id).standing()
    }

    /// Returns the engine of all ranks.
    pub(crate) fn engine(&self) -> RefMut<'_, Engine> {
        self.shared.0.borrow_mut()
    }

    /// Takes the state of calls through cells, which go on by this scheme.
    pub(crate) fn calls_through_cells(&self, scheme: Scheme) -> Broadcast {
        self.through_cells.take().map_or_else(|| Broadcast::new(scheme), |calls| calls.by(scheme))
    }

    /// Keeps the state for the next call.
    pub(crate) fn keep_calls(&self, calls: Broadcast) {
        self.through_cells.replace(Some(Box::new(calls)));
    }

    /// Waits until it is this rank's turn to act at its own time.
    pub(crate) async fn turn(&self) {
        if !self.engine().goes_on(self.id) {
            suspend().await;
        }
    }

    /// Carries out a blocking operation: issues requests in its turn, and sleeps until those are complete.
    async fn block(&self, issue: impl FnOnce(&mut Engine)) {
        self.turn().await;
        let goes_on = {
            let mut engine = self.engine();
            let first = engine.rank(self.id).requests.len() as u32;
            issue(&mut engine);
            engine.wait(self.id, first)
        };
        if !goes_on {
            suspend().await;
        }
    }

    /// Passes a library's barrier whose times are known: every rank's entry lets every rank go after a while.
    async fn pass_barrier(&self, times: &BarrierTimes) {
        let others = || (0..self.size()).filter(|&other| other != self.id);
        for other in others() {
            self.block(|engine| engine.release(self.id, other, times.until(self.id, other))).await;
        }
        self.engine().compute(self.id, times.until(self.id, self.id));
        for other in others() {
            self.block(|engine| engine.post(self.id, Channel::Release, other, None)).await;
        }
    }
}

/// Gives control back to the engine once. It polls again when the rank's event comes up.
pub(crate) fn suspend() -> Suspend {
    Suspend { was_polled: false }
}

pub(crate) struct Suspend {
    was_polled: bool,
}

impl Future for Suspend {
    type Output = ();

    #[inline(always)]
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.was_polled, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl Rank for SimRank<'_> {
    const HAS_LIBRARY: bool = false;
    const WORKS_AHEAD: bool = false;

    fn id(&self) -> u32 {
        self.id
    }

    fn size(&self) -> u32 {
        self.world.clocks.len() as u32
    }

    fn read_clock(&self) -> Ticks {
        let clock = &self.world.clocks[self.id as usize];
        let mut engine = self.engine();
        let cpu = engine.cpu(self.id);
        *cpu += clock.read_cost;
        let reading = clock.reading(*cpu);
        engine.come_to(self.id, Moment::Reading(reading));
        reading
    }

    fn timescale(&self) -> Timescale {
        let granularity = self.world.clocks[self.id as usize].granularity;
        Timescale { granularity_ticks: granularity.0.max(1), ..Timescale::PICOSECONDS }
    }

    fn global_clock(&self) -> Option<GlobalClock> {
        match &self.world.known {
            ClockKnowledge::Nothing => None,
            ClockKnowledge::OneClock => Some(GlobalClock::reference(self.timescale())),
            ClockKnowledge::Synchronised(left) => {
                let (clock, standing) = left.clock_and_standing(self.id);
                let is_first = !self.knows.replace(true);
                is_first.then(|| self.engine().rank(self.id).stand(standing));
                is_first.then_some(*clock)
            }
        }
    }

    fn tells_drift(&self) -> bool {
        self.world.drift
    }

    async fn wait_until(&self, due: Ticks) {
        let at = self.world.clocks[self.id as usize].true_time(due);
        self.engine().idle(self.id, at);
    }

    async fn compute(&self, work: Span) {
        self.engine().compute(self.id, work);
    }

    async fn multiply_add(&self, steps: u64) {
        self.compute(Span::from_ns(steps)).await;
    }

    async fn step(&self, step: &Step) {
        let id = self.id;
        match *step {
            // The operation stays in the step: ranks by the thousand wait here.
            Step::Send { .. } | Step::Receive { .. } | Step::Exchange { .. } => {
                self.block(|engine| engine.act(id, step)).await;
            }
            Step::Post { .. } | Step::Start { .. } => {
                self.turn().await;
                self.engine().act(id, step);
            }
            Step::WaitAll => {
                self.turn().await;
                if !self.engine().wait(id, 0) {
                    suspend().await;
                }
            }
            Step::Local { from, to, then } => {
                // The holder of a line depends on what others did before.
                if self.world.network.has_lines() {
                    self.turn().await;
                }
                self.engine().local(id, [from, to].map(|part| (id, part)), then);
            }
        }
    }

    fn renew_pages(&self, bytes: u64) -> u32 {
        let one = self.world.network.page_fault();
        if one == Span::ZERO {
            return 0;
        }
        let pages = bytes.div_ceil(PAGE_BYTES);
        self.engine().compute(self.id, one * pages);
        pages as u32
    }

    fn begin_call(&self) {
        self.engine().come_to(self.id, Moment::Call);
        let cost = self.world.network.call_cost(self.id);
        if cost > Span::ZERO {
            self.engine().compute(self.id, cost);
        }
    }

    /// Simulates a library's call as the algorithm that both MPI libraries use for short messages on few ranks: a
    /// binomial tree, or a dissemination barrier. Calls that pass through cells are simulated as such.
    async fn library(&self, collective: Collective, shape: &Shape) {
        if collective == Collective::Barrier
            && let Some(times) = self.world.network.barrier(self.size())
        {
            self.engine().come_to(self.id, Moment::Call);
            return self.pass_barrier(times).await;
        }
        let cells = self.world.network.cells(self.size());
        if let Some(through) = cells.and_then(|_| ThroughCells::for_call(collective, shape)) {
            return self.pass_cells(collective, shape, through).await;
        }
        self.begin_call();
        for step in stand_in(collective).steps(shape, self.id) {
            self.step(&step).await;
        }
    }

    async fn send(&self, to: u32, message: &[u8]) {
        if !self.engine().send_control(self.id, to, message) {
            suspend().await;
        }
    }

    async fn receive(&self, from: u32, message: &mut [u8]) {
        if !self.engine().receive(self.id, from) {
            suspend().await;
        }
        let engine = self.shared.0.borrow();
        let data = engine.inbox(self.id);
        assert_eq!(data.len(), message.len(), "a control message of unexpected length");
        message.copy_from_slice(data);
    }

    async fn ask(&self, other: u32, question: &[u8; 8]) -> Ticks {
        let answer = self.engine().ask(self.id, other, &self.world.clocks[other as usize]);
        match answer {
            Some(answer) => answer,
            None => ask_by_messages(self, other, question).await,
        }
    }

    async fn answer_clock_reads(&self, other: u32, done: &[u8; 8]) {
        self.engine().rank(self.id).answers = true;
        answer_by_messages(self, other, done).await;
        self.engine().rank(self.id).answers = false;
    }

    /// Notes the state of buffers. The platform gives the cost of bytes in each state. Simulated buffers have no
    /// address.
    fn use_buffers(&self, buffer: Buffer) -> bool {
        self.buffer.set(buffer);
        buffer != Buffer::Misaligned
    }

    fn work_on(&self, footprint: &Footprint) {
        if !self.world.network.has_lines() {
            return;
        }
        let mut own = self.footprint.borrow_mut();
        match own.as_mut() {
            Some(own) => {
                own.sent.clone_from(&footprint.sent);
                own.received.clone_from(&footprint.received);
            }
            None => *own = Some(Box::new(footprint.clone())),
        }
    }

    /// Changes the holders of the memory, which takes no time.
    fn ready_buffers(&self) {
        let buffer = self.buffer.get();
        if matches!(buffer, Buffer::Same | Buffer::Misaligned) || !self.world.network.has_lines() {
            return;
        }
        let mut engine = self.engine();
        let (held, id) = (engine.held(), self.id);
        let footprint = self.footprint.borrow();
        let Some(Footprint { sent, received }) = footprint.as_deref() else { return };
        match buffer {
            Buffer::Touched => {
                received.iter().for_each(|run| _ = held.read(id, Part::from(*run), id));
                sent.iter().for_each(|run| _ = held.write(id, Part::from(*run), id));
            }
            Buffer::Cold => sent.iter().chain(received).for_each(|run| held.flush(id, Part::from(*run))),
            // The next buffer of a pool so large that no rank holds it any more.
            Buffer::Pool => held.flush(id, Part::range(0, u64::MAX)),
            Buffer::Same | Buffer::Misaligned => {}
        }
    }

    fn enter_phase(&self, _phase: Phase) {}
}

/// Length of a page of simulated memory: the smallest of every machine that MPI runs on today but POWER's and some of
/// ARM's.
const PAGE_BYTES: u64 = 4 << 10;

/// Returns the algorithm that stands for the library's own call in simulations.
pub(crate) fn stand_in(collective: Collective) -> &'static Algorithm {
    let name = match collective {
        Collective::Bcast | Collective::Reduce | Collective::Gather | Collective::Scatter => "binomial",
        Collective::Barrier => "dissemination",
        Collective::Allreduce | Collective::Scan | Collective::Exscan => "recursive-doubling",
        Collective::Allgather | Collective::Alltoall => "bruck",
        Collective::ReduceScatter => "recursive-halving",
    };
    Algorithm::find(collective, name).expect("the table has the stand-ins")
}
