//! The MPI world. Every MPI call of the project is in this module.

use anyhow::{Context, bail};
use measure::board::{Board, host_name};
use measure::buffer::Buffer;
use measure::check::RealRank;
use measure::clock::{ClockSource, Counter, Monotonic, timescale};
use measure::emulated::{Emulated, Lane, Transport};
use measure::immediate::immediately;
use measure::job::{Job, Outcome, clock_sentence, serve};
use measure::waiting::{Patience, sleep, wake_exactly};
use models::clock::{Ticks, Timescale};
use models::collective::{Collective, Shape, Step, Then};
use models::network::Network;
use models::observation::Carrier;
use models::rank::{Phase, Rank};
use models::time::Span;
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::ffi;
use mpi::point_to_point as p2p;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use mpi::{Tag, Threading};
use serde::Serialize;
use std::cell::RefCell;

/// Which library this program is linked with.
#[derive(Serialize)]
pub struct Identity {
    library: &'static str,
    version: String,
    standard: String,
}

/// One rank's place in the world.
#[derive(Serialize)]
pub struct Hello {
    rank: i32,
    size: i32,
    host: String,
    /// How many ranks the launcher says it started.
    expected: Option<u32>,
}

/// The library's name and version; needs no initialised MPI.
pub fn identify() -> anyhow::Result<Identity> {
    let text = mpi::environment::library_version().context("the MPI library does not say its version")?;
    let (major, minor) = mpi::environment::version();
    let (library, version) = library_and_version(text.trim_end_matches('\0'));
    Ok(Identity { library, version, standard: format!("{major}.{minor}") })
}

/// `Open MPI v4.1.4, package: …` and `MPICH Version:\t4.0.2\n…` are the two forms known here.
fn library_and_version(text: &str) -> (&'static str, String) {
    let first = |rest: &str| rest.split([',', '\n', ' ']).next().unwrap_or_default().to_owned();
    if let Some(rest) = text.strip_prefix("Open MPI v") {
        ("Open MPI", first(rest))
    } else if let Some((_, rest)) = text.split_once("MPICH Version:") {
        ("MPICH", first(rest.trim_start()))
    } else {
        ("unknown", text.lines().next().unwrap_or_default().to_owned())
    }
}

/// An initialised MPI.
pub struct World {
    communicator: SimpleCommunicator,
    _universe: Universe,
}

/// Initialises MPI. A second thread (the heartbeat) makes no MPI calls.
pub fn join() -> anyhow::Result<World> {
    let (universe, provided) =
        mpi::initialize_with_threading(Threading::Funneled).context("MPI is initialised already")?;
    if provided < Threading::Funneled {
        bail!("this MPI library does not allow a program with a second thread (MPI_THREAD_FUNNELED)");
    }
    Ok(World { communicator: universe.world(), _universe: universe })
}

/// How many ranks the launcher says it started; each library's launcher says it differently.
fn ranks_by_launcher() -> Option<u32> {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "SLURM_NTASKS"]
        .iter()
        .find_map(|name| std::env::var(name).ok()?.parse().ok())
}

impl World {
    pub fn rank(&self) -> u32 {
        self.communicator.rank() as u32
    }

    pub fn hello(&self) -> Hello {
        let (rank, size) = (self.communicator.rank(), self.communicator.size());
        Hello { rank, size, host: host_name(), expected: ranks_by_launcher() }
    }

    /// Refuses a world of the wrong size: mostly a launcher that belongs to another library.
    pub fn expect_size(&self, ranks: u32) -> anyhow::Result<()> {
        let size = self.communicator.size();
        if size as u32 == ranks {
            return Ok(());
        }
        let Identity { library, version, .. } = identify()?;
        bail!(
            "{ranks} ranks were to be started, but this rank's world has size {size}: the launcher does not belong to \
             {library} {version}, which this program is linked with; run `parallax doctor`"
        );
    }

    /// Carries out this rank's part of a job.
    pub fn serve(&self, job: &Job, board: &Board, tell: impl FnMut(Outcome)) -> anyhow::Result<()> {
        wake_exactly();
        match Counter::trusted() {
            Ok(()) => self.serve_on::<Counter>(job, board, tell),
            Err(_) => self.serve_on::<Monotonic>(job, board, tell),
        }
    }

    fn serve_on<C: ClockSource>(&self, job: &Job, board: &Board, tell: impl FnMut(Outcome)) -> anyhow::Result<()> {
        let Identity { library, version, .. } = identify()?;
        let scale = self.node_timescale::<C>();
        let own = Own {
            communicator: &self.communicator,
            id: self.rank(),
            board,
            buffer: Buffer::new(job.buffer_bytes, self.rank() as u8),
            scale,
            patience: Patience::for_ranks(job.ranks, job.cores),
        };
        let begin = |task| board.begin_task(own.id, task);
        let ran_by = format!("{library} {version} on {}, {}", host_name(), clock_sentence::<C>());
        match job.carrier {
            Carrier::Native => {
                let rank: NativeRank<C> = NativeRank { own: &own, clock: std::marker::PhantomData };
                immediately(serve(&rank, job, &ran_by, begin, tell));
            }
            Carrier::Emulated => {
                let ran_by = format!("{ran_by}, emulating {}", Network::Hockney(job.emulated));
                let transport = Post { communicator: &self.communicator, outgoing: RefCell::new(Vec::new()) };
                let network: Emulated<C, Post> = Emulated::new(transport, job.emulated, scale);
                immediately(serve(&EmulatedRank { own: &own, network }, job, &ran_by, begin, tell));
            }
        }
        Ok(())
    }

    /// One rate and one origin per node: its first rank measures them for all.
    fn node_timescale<C: ClockSource>(&self) -> Timescale {
        let node = self.communicator.split_shared(0);
        let mut values = [0u64; 2];
        if node.rank() == 0 {
            let scale = timescale::<C>();
            values = [scale.ticks_per_second.to_bits(), scale.origin.0];
        }
        node.process_at_rank(0).broadcast_into(&mut values[..]);
        Timescale { ticks_per_second: f64::from_bits(values[0]), origin: Ticks(values[1]), granularity_ticks: 1 }
    }
}

const STEP_TAG: Tag = 1;
const CONTROL_TAG: Tag = 2;

/// What a rank has in every carrier.
struct Own<'a> {
    communicator: &'a SimpleCommunicator,
    id: u32,
    board: &'a Board,
    buffer: Buffer,
    scale: Timescale,
    patience: Patience,
}

impl Own<'_> {
    fn send_control(&self, to: u32, message: &[u8]) {
        self.communicator.process_at_rank(to as i32).send_with_tag(message, CONTROL_TAG);
    }

    fn receive_control(&self, from: u32, message: &mut [u8]) {
        let source = self.communicator.process_at_rank(from as i32);
        if self.patience == Patience::SleepThenYield {
            look_for(|| source.immediate_probe_with_tag(CONTROL_TAG).is_some(), Span::from_us(500));
        }
        source.receive_into_with_tag(message, CONTROL_TAG);
    }

    fn compute<C: ClockSource>(&self, work: Span) {
        let due = self.scale.reading(self.scale.time(C::read()) + work);
        while C::read() < due {
            std::hint::spin_loop();
        }
    }
}

/// Looks until something is there: often at first, then with sleeps that double up to `longest`.
fn look_for(is_there: impl Fn() -> bool, longest: Span) {
    for _ in 0..100 {
        if is_there() {
            return;
        }
        Patience::SleepThenYield.breathe();
    }
    let mut nap = Span::from_us(20).min(longest);
    while !is_there() {
        sleep(nap);
        nap = Span(nap.0 * 2).min(longest);
    }
}

/// A rank whose steps are the library's own point-to-point calls.
struct NativeRank<'a, C> {
    own: &'a Own<'a>,
    clock: std::marker::PhantomData<C>,
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

/// A rank whose steps run over the emulated network; MPI only carries the bytes.
struct EmulatedRank<'a, C> {
    own: &'a Own<'a>,
    network: Emulated<C, Post<'a>>,
}

impl<C: ClockSource> Rank for EmulatedRank<'_, C> {
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
        let progress = || self.network.transport.progress();
        Patience::SleepThenYield.wait_until::<C>(&self.own.scale, due, progress);
    }

    async fn compute(&self, work: Span) {
        self.own.compute::<C>(work);
    }

    async fn step(&self, step: &Step) {
        self.network.step(step, &self.own.buffer);
    }

    async fn library(&self, collective: Collective, _shape: &Shape) {
        panic!("the library's own {collective} cannot run on an emulated network; name an algorithm");
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

impl<C: ClockSource> RealRank for EmulatedRank<'_, C> {
    fn buffer(&self) -> &Buffer {
        &self.own.buffer
    }

    fn has_library(&self) -> bool {
        false
    }
}

/// Stamped messages over MPI, sent without waiting for the receiver.
struct Post<'a> {
    communicator: &'a SimpleCommunicator,
    outgoing: RefCell<Vec<Outgoing>>,
}

/// A message that MPI may still be reading.
struct Outgoing {
    request: ffi::MPI_Request,
    _data: Box<[u8]>,
}

fn lane_tag(lane: Lane) -> Tag {
    10 + lane as Tag
}

impl Transport for Post<'_> {
    fn put(&self, to: u32, lane: Lane, stamp: Ticks, data: &[u8]) {
        let message: Box<[u8]> = [&stamp.0.to_le_bytes(), data].concat().into();
        // SAFETY: the message lives in `outgoing` until its request is complete; its length fits an i32,
        // since buffers beyond that are refused with the scenario.
        let request = unsafe {
            let mut request = ffi::RSMPI_REQUEST_NULL;
            ffi::MPI_Isend(
                message.as_ptr().cast(),
                message.len() as i32,
                ffi::RSMPI_UINT8_T,
                to as i32,
                lane_tag(lane),
                self.communicator.as_raw(),
                &raw mut request,
            );
            request
        };
        self.outgoing.borrow_mut().push(Outgoing { request, _data: message });
        self.progress();
    }

    fn take(&self, from: u32, lane: Lane, data: &mut [u8], nap: Span) -> Ticks {
        let source = self.communicator.process_at_rank(from as i32);
        look_for(
            || {
                self.progress();
                source.immediate_probe_with_tag(lane_tag(lane)).is_some()
            },
            nap,
        );
        let mut message = vec![0; data.len() + 8];
        source.receive_into_with_tag(&mut message[..], lane_tag(lane));
        let (stamp, content) = message.split_at(8);
        data.copy_from_slice(content);
        Ticks(u64::from_le_bytes(stamp.try_into().expect("eight bytes")))
    }

    /// Lets MPI work, and drops messages that have gone out.
    fn progress(&self) {
        self.outgoing.borrow_mut().retain_mut(|message| {
            let mut done = 0;
            // SAFETY: the request is live; MPI sets it to null when it is complete.
            unsafe { ffi::MPI_Test(&raw mut message.request, &raw mut done, ffi::RSMPI_STATUS_IGNORE) };
            done == 0
        });
    }
}

impl Drop for Post<'_> {
    /// Every message has been received by now: this only completes the bookkeeping.
    fn drop(&mut self) {
        while !self.outgoing.borrow().is_empty() {
            self.progress();
        }
    }
}
