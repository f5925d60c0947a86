//! The simulated world: every rank runs the same async program over a [`SimRank`], behind its own
//! imperfect clock, and suspends at virtual time.

use crate::channel::Channel;
use crate::engine::{Engine, SimError};
use crate::known::Known;
use crate::state::Standing;
use models::clock::{ClockModel, GlobalClock, Ticks, Timescale};
use models::collective::{Algorithm, Collective, Part, Shape, Step};
use models::footprint::Footprint;
use models::network::Network;
use models::noise::Noise;
use models::platform::{BarrierTimes, Buffer, Held, Platform};
use models::rank::{Phase, Rank};
use models::time::{Span, Time};
use models::trace::{Moment, Trace};
use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Simulated ranks joined by a modelled network.
#[derive(Clone, Debug)]
pub struct SimWorld {
    /// The network under study, and what refines it.
    pub network: Platform,
    /// The network of the method's own messages.
    pub control: Network,
    /// One clock for each rank; their number is the number of ranks.
    pub clocks: Vec<ClockModel>,
    /// When each rank enters; empty means that all enter at time zero.
    pub entries: Vec<Time>,
    /// What disturbs the ranks' CPUs.
    pub noise: Noise,
    /// Who holds which memory when they enter.
    pub memory: Held,
    /// Whether they waited on their clocks for their entry, so that what comes first takes longer.
    pub waited: bool,
    /// What ranks know of the global clock when they enter.
    pub known: Known,
    /// Whether how clocks drifted is asked for, behind what ranks are timed in.
    pub drift: bool,
    /// Whether to write down what every rank does.
    pub record: bool,
}

/// What a run of a simulated world yields.
#[derive(Clone, Debug, PartialEq)]
pub struct Run<T> {
    /// What each rank's program returned.
    pub results: Vec<T>,
    /// When each rank finished, true time.
    pub finish: Vec<Time>,
    /// Messages sent, control messages included.
    pub messages: u64,
    /// Whether any rank waited on its clock: if not, what idling costs had no part in it.
    pub idled: bool,
    /// Who holds which memory now.
    pub memory: Held,
    /// What every rank did, if it was to be written down.
    pub trace: Option<Trace>,
}

impl SimWorld {
    /// Ranks with perfect clocks that enter together; control messages use the same network.
    pub fn ideal(network: Network, ranks: u32) -> SimWorld {
        let clocks = vec![ClockModel::PERFECT; ranks as usize];
        SimWorld {
            network: network.into(),
            control: network,
            clocks,
            entries: Vec::new(),
            noise: Noise::none(),
            memory: Held::default(),
            waited: false,
            known: Known::Nothing,
            drift: true,
            record: false,
        }
    }

    /// Runs one program on every rank until all have finished.
    ///
    /// # Errors
    /// A deadlock, naming who waits for whom; times out of range.
    pub fn run<'w, P, F, T>(&'w self, program: P) -> Result<Run<T>, SimError>
    where
        P: Fn(SimRank<'w>) -> F,
        F: Future<Output = T>,
    {
        let ranks = self.clocks.len() as u32;
        let entry = |rank: u32| self.entries.get(rank as usize).copied().unwrap_or(Time::ZERO);
        let shared = Shared(std::rc::Rc::new(RefCell::new(Engine::new(
            self.network.clone(),
            self.control,
            self.noise.clone(),
            (0..ranks).map(entry),
        ))));
        self.memory.clone_into(shared.0.borrow_mut().held());
        if self.waited {
            shared.0.borrow_mut().waited();
        }
        if self.record {
            shared.0.borrow_mut().record();
        }
        let mut programs: Vec<Option<Pin<Box<F>>>> = Vec::with_capacity(ranks as usize);
        for id in 0..ranks {
            let (buffer, footprint, knows) = Default::default();
            let rank = SimRank { world: self, shared: shared.clone(), id, buffer, footprint, knows };
            programs.push(Some(Box::pin(program(rank))));
        }
        self.known.order(ranks).for_each(|id| shared.0.borrow_mut().resume_at_cpu(id));
        let mut results: Vec<Option<T>> = (0..ranks).map(|_| None).collect();
        let mut context = Context::from_waker(Waker::noop());
        loop {
            let Some(rank) = shared.0.borrow_mut().next() else { break };
            let slot = &mut programs[rank as usize];
            if let Some(running) = slot
                && let Poll::Ready(result) = running.as_mut().poll(&mut context)
            {
                *slot = None;
                results[rank as usize] = Some(result);
            }
        }
        let mut engine = shared.0.borrow_mut();
        if results.iter().any(Option::is_none) {
            return Err(engine.deadlock((0..ranks).filter(|&rank| results[rank as usize].is_none())));
        }
        engine.overflow()?;
        Ok(Run {
            results: results.into_iter().flatten().collect(),
            finish: (0..ranks).map(|rank| *engine.cpu(rank)).collect(),
            messages: engine.messages(),
            idled: engine.has_idled() || self.known.has_idled(),
            memory: std::mem::take(engine.held()),
            trace: self.record.then(|| engine.take_trace()),
        })
    }
}

#[derive(Clone)]
struct Shared(std::rc::Rc<RefCell<Engine>>);

/// One simulated rank.
pub struct SimRank<'w> {
    world: &'w SimWorld,
    shared: Shared,
    id: u32,
    /// In which state calls find the rank's memory, and what they send and receive.
    buffer: Cell<Buffer>,
    footprint: RefCell<Option<Box<Footprint>>>,
    /// Has gone on from where a synchronisation left it.
    knows: Cell<bool>,
}

impl SimRank<'_> {
    /// This rank's true time, which no benchmark can see.
    pub fn true_time(&self) -> Time {
        *self.shared.0.borrow_mut().cpu(self.id)
    }

    /// Where this rank is, which has nothing open.
    pub(crate) fn standing(&self) -> Standing {
        self.shared.0.borrow_mut().rank(self.id).standing()
    }

    /// Waits until it is this rank's turn to act at its own time.
    async fn turn(&self) {
        if !self.shared.0.borrow_mut().goes_on(self.id) {
            suspend().await;
        }
    }

    /// Does something blocking: issues requests in its turn, sleeps until those are complete.
    async fn block(&self, issue: impl FnOnce(&mut Engine)) {
        self.turn().await;
        let goes_on = {
            let mut engine = self.shared.0.borrow_mut();
            let first = engine.rank(self.id).requests.len() as u32;
            issue(&mut engine);
            engine.wait(self.id, first)
        };
        if !goes_on {
            suspend().await;
        }
    }

    /// A library's barrier whose times are known: every rank's entry lets every rank go after a while.
    async fn pass_barrier(&self, times: &BarrierTimes) {
        let others = || (0..self.size()).filter(|&other| other != self.id);
        for other in others() {
            self.block(|engine| engine.release(self.id, other, times.until(self.id, other))).await;
        }
        self.shared.0.borrow_mut().compute(self.id, times.until(self.id, self.id));
        for other in others() {
            self.block(|engine| engine.post(self.id, Channel::Release, other, None)).await;
        }
    }
}

/// Gives control back to the engine once; it polls again when the rank's event comes up.
async fn suspend() {
    let mut suspended = false;
    let once = poll_fn(|_| if std::mem::replace(&mut suspended, true) { Poll::Ready(()) } else { Poll::Pending });
    pin!(once).await;
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
        let mut engine = self.shared.0.borrow_mut();
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
            Known::Nothing => None,
            Known::OneClock => Some(GlobalClock::reference(self.timescale())),
            Known::Synchronised(left) => {
                let (clock, standing) = left.of(self.id);
                let is_first = !self.knows.replace(true);
                is_first.then(|| self.shared.0.borrow_mut().rank(self.id).stand(standing));
                is_first.then_some(*clock)
            }
        }
    }

    fn tells_drift(&self) -> bool {
        self.world.drift
    }

    async fn wait_until(&self, due: Ticks) {
        let at = self.world.clocks[self.id as usize].true_time(due);
        self.shared.0.borrow_mut().idle(self.id, at);
    }

    async fn compute(&self, work: Span) {
        self.shared.0.borrow_mut().compute(self.id, work);
    }

    async fn multiply_add(&self, steps: u64) {
        self.compute(Span::from_ns(steps)).await;
    }

    async fn step(&self, step: &Step) {
        let id = self.id;
        match *step {
            // What is issued stays in the step: ranks by the thousand wait here.
            Step::Send { .. } | Step::Receive { .. } | Step::Exchange { .. } => {
                self.block(|engine| engine.act(id, step)).await;
            }
            Step::Post { .. } | Step::Start { .. } => {
                self.turn().await;
                self.shared.0.borrow_mut().act(id, step);
            }
            Step::WaitAll => {
                self.turn().await;
                if !self.shared.0.borrow_mut().wait(id, 0) {
                    suspend().await;
                }
            }
            Step::Local { from, to, then } => {
                // Who holds what depends on what others did before.
                if self.world.network.has_lines() {
                    self.turn().await;
                }
                self.shared.0.borrow_mut().local(id, [from, to], then);
            }
        }
    }

    fn renew_pages(&self, bytes: u64) -> u32 {
        let one = self.world.network.page_fault();
        if one == Span::ZERO {
            return 0;
        }
        let pages = bytes.div_ceil(PAGE_BYTES);
        self.shared.0.borrow_mut().compute(self.id, one * pages);
        pages as u32
    }

    fn begin_call(&self) {
        self.shared.0.borrow_mut().come_to(self.id, Moment::Call);
        let cost = self.world.network.call_cost(self.id);
        if cost > Span::ZERO {
            self.shared.0.borrow_mut().compute(self.id, cost);
        }
    }

    /// A library's call is simulated as the algorithm that both MPI libraries use for short
    /// messages on few ranks: a binomial tree, or a dissemination barrier.
    async fn library(&self, collective: Collective, shape: &Shape) {
        if collective == Collective::Barrier
            && let Some(times) = self.world.network.barrier(self.size())
        {
            self.shared.0.borrow_mut().come_to(self.id, Moment::Call);
            return self.pass_barrier(times).await;
        }
        self.begin_call();
        for step in stand_in(collective).steps(shape, self.id) {
            self.step(&step).await;
        }
    }

    async fn send(&self, to: u32, message: &[u8]) {
        self.block(|engine| engine.tell(self.id, to, message)).await;
    }

    async fn receive(&self, from: u32, message: &mut [u8]) {
        self.block(|engine| engine.post(self.id, Channel::Control, from, None)).await;
        let data = self.shared.0.borrow_mut().take_inbox(self.id);
        assert_eq!(data.len(), message.len(), "a control message of unexpected length");
        message.copy_from_slice(&data);
    }

    /// What bytes cost in each state is the platform's to say; simulated buffers have no address.
    fn use_buffers(&self, buffer: Buffer) -> bool {
        self.buffer.set(buffer);
        buffer != Buffer::Misaligned
    }

    fn work_on(&self, footprint: &Footprint) {
        if !self.world.network.has_lines() {
            return;
        }
        *self.footprint.borrow_mut() = Some(Box::new(footprint.clone()));
    }

    /// Who holds the memory changes; it takes no time.
    fn ready_buffers(&self) {
        let buffer = self.buffer.get();
        if matches!(buffer, Buffer::Same | Buffer::Misaligned) || !self.world.network.has_lines() {
            return;
        }
        let mut engine = self.shared.0.borrow_mut();
        let (held, id) = (engine.held(), self.id);
        let footprint = self.footprint.borrow();
        let Some(Footprint { sent, received }) = footprint.as_deref() else { return };
        match buffer {
            Buffer::Touched => {
                received.iter().for_each(|run| _ = held.read(id, Part::from(*run), id));
                sent.iter().for_each(|run| _ = held.write(id, Part::from(*run), id));
            }
            Buffer::Cold => sent.iter().chain(received).for_each(|run| held.flush(id, Part::from(*run))),
            // The next one of so many that nobody holds it any more.
            Buffer::Pool => held.flush(id, Part::range(0, u64::MAX)),
            Buffer::Same | Buffer::Misaligned => {}
        }
    }

    fn enter_phase(&self, _phase: Phase) {}
}

/// Of a page of simulated memory: the smallest of every machine that MPI runs on today but POWER's and some of ARM's.
const PAGE_BYTES: u64 = 4 << 10;

/// The algorithm that stands for the library's own call in simulations.
fn stand_in(collective: Collective) -> &'static Algorithm {
    let name = match collective {
        Collective::Bcast | Collective::Reduce | Collective::Gather | Collective::Scatter => "binomial",
        Collective::Barrier => "dissemination",
        Collective::Allreduce | Collective::Scan | Collective::Exscan => "recursive-doubling",
        Collective::Allgather | Collective::Alltoall => "bruck",
        Collective::ReduceScatter => "recursive-halving",
    };
    Algorithm::find(collective, name).expect("the table has the stand-ins")
}
