//! The MPI world. Every MPI call of the project is in this module and its files.

mod dealing;
mod emulated;
mod native;
mod wtime;

use emulated::Post;
use native::Native;
use wtime::MpiWtime;

use anyhow::{Context, bail};
use measure::board::{Board, host_name};
use measure::buffer::Buffer;
use measure::clock::{ClockMonotonicRaw, ClockSource, Rate, chosen, counter_will_do, domain, node, timescale_at};
use measure::emulated::Emulated;
use measure::immediate::immediately;
use measure::job::{Job, Outcome, clock_sentence, serve};
use measure::neighbour::{Lookout, Neighbour};
use measure::rank::{Carriage, Counted, RealRank};
use measure::waiting::{Patience, sleep, wake_exactly};
use measure::with_clock;
use models::clock::{ClockKind, Ticks, Timescale};
use models::limits::LONGEST_BUFFER;
use models::network::Network;
use models::observation::Carrier;
use models::time::Span;
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::topology::{Color, SimpleCommunicator};
use mpi::traits::*;
use mpi::{Tag, Threading};
use serde::Serialize;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

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
    /// Ranks that share memory, and a clock scale, with it; itself among them.
    of_node: i32,
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
        let of_node = self.communicator.split_shared(0).size();
        Hello { rank, size, host: host_name(), of_node, expected: ranks_by_launcher() }
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
        // All ranks read the same clock: the counter only where every node vouches for it.
        let automatic = job.clock == ClockKind::Automatic;
        // Ranks that may not exchange anything yet cannot agree on that: they take the raw clock.
        let everywhere = automatic && !job.wants_fresh_world() && self.on_every_node(counter_will_do);
        with_clock!(chosen(job.clock, everywhere), |Clock| self.serve_on::<Clock, Clock>(job, board, tell),
            mpi_wtime => self.serve_on::<MpiWtime, ClockMonotonicRaw>(job, board, tell))
    }

    /// Carries out a job by the clock `C`; an emulated network keeps time by the clock `N`, which all ranks of a node share.
    fn serve_on<C: ClockSource, N: ClockSource>(
        &self,
        job: &Job,
        board: &Board,
        tell: impl FnMut(Outcome),
    ) -> anyhow::Result<()> {
        if job.longest_buffer() > LONGEST_BUFFER {
            bail!("{} B are more than one MPI call of this program can carry (2 GiB)", job.longest_buffer());
        }
        let Identity { library, version, .. } = identify()?;
        C::trusted().map_err(anyhow::Error::msg).with_context(|| format!("{} cannot be used", C::NAME))?;
        let (rate, scale) = self.node_timescale::<C>(job.wants_fresh_world());
        rate.agreed().map_err(anyhow::Error::msg).with_context(|| format!("{} cannot be used", C::NAME))?;
        let patience = Patience::for_ranks(job.ranks, job.cores);
        let control = Control { communicator: &self.communicator, patience };
        let ran_by = format!("{library} {version} on {}, {}", host_name(), clock_sentence::<C>(&rate));
        match job.carrier {
            Carrier::Native => {
                let rank = self.rank_on::<C, _>(job, board, scale, patience, Native::new(control));
                carry_out(&rank, job, &ran_by, tell);
            }
            Carrier::Emulated | Carrier::Modelled => {
                let ran_by = format!("{ran_by}, emulating {}", Network::Hockney(job.emulated));
                let keeps_time = if C::KIND == N::KIND { scale } else { self.node_timescale::<N>(false).1 };
                let network: Emulated<N, Post> = Emulated::new(Post::new(control), job.emulated, keeps_time);
                let rank = self.rank_on::<C, _>(job, board, scale, Patience::SleepThenYield, network);
                carry_out(&rank, job, &ran_by, tell);
            }
        }
        Ok(())
    }

    fn rank_on<'a, C: ClockSource, N>(
        &self,
        job: &Job,
        board: &'a Board,
        scale: Timescale,
        patience: Patience,
        carriage: N,
    ) -> RealRank<'a, C, N> {
        let (id, clock) = (self.rank(), PhantomData);
        let buffer = Buffer::pool(job.longest_buffer(), id as u8, job.pool_bytes());
        // A clock of its own is shared with nobody.
        let clock_domain = if C::SHARED { domain::<C>(&scale) } else { u64::from(id) };
        let alone = job.wants_fresh_world();
        let (first, neighbour) = if alone { (false, None) } else { self.neighbours(board) };
        let looks = job.carrier == Carrier::Native && patience == Patience::Spin && !alone;
        let lookout = looks.then(|| Lookout::new(neighbour));
        let counted = Counted::new(true, first);
        RealRank {
            id,
            size: job.ranks,
            board,
            scale,
            clock_domain,
            patience,
            buffer,
            lookout,
            counted,
            carriage,
            clock,
        }
    }

    /// Whether this rank is the first of its host, and whom it looks at the machine's state with: the first with the second,
    /// the third with the fourth, …
    fn neighbours<'a>(&self, board: &'a Board) -> (bool, Option<Neighbour<'a>>) {
        let host = self.communicator.split_shared(0);
        let mut ranks = vec![0u32; host.size() as usize];
        host.all_gather_into(&self.rank(), &mut ranks[..]);
        let own = host.rank() as usize;
        let leads = own.is_multiple_of(2);
        let there = if leads { ranks.get(own + 1) } else { ranks.get(own - 1) };
        let leader = if leads { Some(&ranks[own]) } else { there };
        let neighbour = there.and(leader).map(|&leader| Neighbour::new(board.lines(leader), leads));
        (own == 0, neighbour)
    }

    /// One rate and one origin for all processes that read one clock: the first of them measures. A node's processes in
    /// another time namespace read another. Where processes keep time `alone`, nothing is exchanged.
    fn node_timescale<C: ClockSource>(&self, alone: bool) -> (Rate, Timescale) {
        if alone || !C::SHARED {
            let rate = C::rate();
            return (rate, timescale_at::<C>(rate));
        }
        let machine = self.communicator.split_shared(0);
        let node = machine
            .split_by_color(Color::with_value((node::<C>() & 0x3fff_ffff) as i32))
            .expect("every process has a colour");
        let mut values = [0u64; 4];
        if node.rank() == 0 {
            let rate = C::rate();
            let scale = timescale_at::<C>(rate);
            let bits = [rate.ticks_per_second, rate.repeated_ppm].map(f64::to_bits);
            values = [bits[0], bits[1], scale.origin.0, scale.granularity_ticks];
        }
        node.process_at_rank(0).broadcast_into(&mut values[..]);
        let [ticks_per_second, repeated_ppm] = [values[0], values[1]].map(f64::from_bits);
        let scale = Timescale { ticks_per_second, origin: Ticks(values[2]), granularity_ticks: values[3] };
        (Rate { ticks_per_second, repeated_ppm }, scale)
    }

    /// Whether something holds on all nodes; each node's first process looks.
    fn on_every_node(&self, holds: impl Fn() -> bool) -> bool {
        let node = self.communicator.split_shared(0);
        let own = i32::from(node.rank() != 0 || holds());
        let mut all = 0;
        self.communicator.all_reduce_into(&own, &mut all, SystemOperation::min());
        all == 1
    }
}

const STEP_TAG: Tag = 1;
const CONTROL_TAG: Tag = 2;

/// The methods' own messages.
#[derive(Clone, Copy)]
struct Control<'a> {
    communicator: &'a SimpleCommunicator,
    patience: Patience,
}

impl Control<'_> {
    fn send(&self, to: u32, message: &[u8]) {
        self.communicator.process_at_rank(to as i32).send_with_tag(message, CONTROL_TAG);
    }

    fn receive(&self, from: u32, message: &mut [u8]) {
        let source = self.communicator.process_at_rank(from as i32);
        if self.patience == Patience::SleepThenYield {
            look_for(|| source.immediate_probe_with_tag(CONTROL_TAG).is_some(), Span::from_us(500));
        }
        source.receive_into_with_tag(message, CONTROL_TAG);
    }
}

fn carry_out<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    job: &Job,
    ran_by: &str,
    tell: impl FnMut(Outcome),
) {
    immediately(serve(rank, job, ran_by, |task| rank.board.begin_task(rank.id, task), tell));
}

/// An answer of a running rank comes within this time: two that talk to each other need not sleep.
const LOOK_FIRST: Duration = Duration::from_micros(200);
/// Naps while an answer may come any moment: shorter than `LOOK_FIRST`, so that of two ranks that have
/// fallen asleep over each other one finds the other awake, and both are fast again.
const SHORT_NAP: Span = Span::from_us(60);
/// Naps grow only after so many short ones.
const SHORT_NAPS: u32 = 50;

/// Looks until something is there: often at first, then with naps that grow up to `longest`.
fn look_for(is_there: impl Fn() -> bool, longest: Span) {
    let since = Instant::now();
    while since.elapsed() < LOOK_FIRST {
        if is_there() {
            return;
        }
        Patience::SleepThenYield.breathe();
    }
    let mut naps = 0;
    while !is_there() {
        naps += 1;
        let growth = 1 << (naps / SHORT_NAPS).min(10);
        sleep((SHORT_NAP * growth).min(longest));
    }
}
