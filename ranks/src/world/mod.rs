//! The MPI world. Every MPI call of the project is in this module and its files, except the calls that are passed on by
//! the library that is loaded beside other programs.

mod control;
mod dealing;
mod emulated;
mod native;
mod wtime;

pub use control::Control;

use control::look_for;
use emulated::Post;
use native::Native;
use wtime::MpiWtime;

use anyhow::{Context, bail};
use measure::board::{Board, host_name};
use measure::buffer::Buffer;
use measure::clock::{
    ClockMonotonicRaw, ClockSource, Rate, RealClock, beside, chosen, counter_will_do, domain, imperfect, node,
    of_system, timescale_at,
};
use measure::emulated::Emulated;
use measure::immediate::immediately;
use measure::job::{Job, Outcome, clock_sentence, serve};
use measure::neighbour::{Lookout, Neighbour};
use measure::rank::{Carriage, Counted, RealRank};
use measure::waiting::{Patience, wake_exactly};
use measure::with_clock;
use models::clock::{Beside, ClockKind, DrawnClocks, Ticks, Timescale};
use models::library::Library;
use models::limits::LONGEST_BUFFER;
use models::network::Network;
use mpi::Tag;
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::topology::{Color, SimpleCommunicator};
use mpi::traits::*;
use programs::observation::Carrier;
use serde::Serialize;
use std::time::Duration;

/// Library that this program is linked with.
#[derive(Serialize)]
pub struct Identity {
    library: &'static str,
    version: String,
    standard: String,
    /// Carrier of the library's messages, where it says so and others of its version have another (MPICH's `ch4:ucx`).
    #[serde(skip)]
    device: Option<String>,
}

/// One rank's place in the world.
#[derive(Serialize)]
pub struct Hello {
    rank: i32,
    size: i32,
    host: String,
    /// Number of ranks that share memory, and a clock scale, with this one, itself included.
    of_node: i32,
    /// Number of ranks that the launcher says it started.
    expected: Option<u32>,
    /// Looks at `MPI_Wtime` beside the system's clocks, and whether the library says that all ranks read the same.
    wtime: Beside,
    says_global: bool,
}

/// Returns the library's name and version. It needs no initialised MPI.
pub fn identify() -> anyhow::Result<Identity> {
    let text = mpi::environment::library_version().context("the MPI library does not report its version")?;
    let (major, minor) = mpi::environment::version();
    let text = text.trim_end_matches('\0');
    let unknown = || ("unknown", text.lines().next().unwrap_or_default().to_owned());
    let known = Library::of_version(text).map(|(library, version)| (library.title, version));
    let (library, version) = known.unwrap_or_else(unknown);
    let device = text.lines().find_map(|line| line.strip_prefix("MPICH Device:"));
    let device = device.map(|device| device.trim().to_owned());
    Ok(Identity { library, version, standard: format!("{major}.{minor}"), device })
}

/// Clock `MPI_Wtime`, which counts for each process alone, and the clock by which an emulated network then keeps time.
const WTIME: &dyn RealClock = &MpiWtime;
const RAW: &dyn RealClock = &ClockMonotonicRaw;

/// World of an initialised MPI.
pub struct World {
    communicator: SimpleCommunicator,
    /// Guard that ends MPI when it is dropped, `None` where that is the program's own affair.
    _universe: Option<Universe>,
}

/// Value of `MPI_IN_PLACE`, which is a macro with a cast in every `mpi.h` and so in no binding: 1 where handles are
/// pointers (Open MPI, and the standard ABI of MPI-5), −1 where they are integers (MPICH and its kin).
pub const IN_PLACE: usize =
    if size_of::<mpi::ffi::MPI_Comm>() == size_of::<*mut std::ffi::c_void>() { 1 } else { usize::MAX };

const STEP_TAG: Tag = 1;
/// Time between two looks at a clock: looks that are certain to 50 ns tell rates to half a ppm.
const LOOKS_APART: Duration = Duration::from_millis(200);

/// Initialises MPI as benchmarks and most applications do, for one thread. A second thread (the heartbeat) makes no MPI
/// calls. To say so (MPI_THREAD_FUNNELED) makes Open MPI 4.1 take 0.08 to 0.15 µs more for every short call.
pub fn join() -> anyhow::Result<World> {
    let universe = mpi::initialize().context("MPI is initialised already")?;
    Ok(World { communicator: universe.world(), _universe: Some(universe) })
}

/// Joins a world that the program itself has initialised, and will end: messages go over a communicator of their own.
/// Called by all ranks together.
pub fn join_initialised() -> World {
    World { communicator: SimpleCommunicator::world().duplicate(), _universe: None }
}

/// Returns the number of ranks that the launcher says it started. Each library's launcher says it differently.
fn ranks_by_launcher() -> Option<u32> {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "SLURM_NTASKS"]
        .iter()
        .find_map(|name| std::env::var(name).ok()?.parse().ok())
}

impl World {
    /// Returns this rank's number in the world.
    pub fn rank(&self) -> u32 {
        self.communicator.rank() as u32
    }

    /// Returns this rank's place in the world.
    pub fn hello(&self) -> Hello {
        let (rank, size) = (self.communicator.rank(), self.communicator.size());
        let of_node = self.communicator.split_shared(0).size();
        // All ranks look, whenever they do: only their distance from the monotonic clock counts.
        let (wtime, says_global) = (beside(WTIME, LOOKS_APART), WTIME.says_global().unwrap_or(false));
        Hello { rank, size, host: host_name(), of_node, expected: ranks_by_launcher(), wtime, says_global }
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
        let everywhere = automatic && !job.wants_fresh_world() && self.trusts_counter();
        let kind = chosen(job.clock, everywhere);
        if let (Some(clocks), Some(base)) = (job.clocks, of_system(kind)) {
            let (_, scale) = self.node_timescale(base, job.wants_fresh_world());
            return self.serve_on(imperfect(base, scale, &clocks, self.rank()), base, job, board, tell);
        }
        with_clock!(kind, |clock| self.serve_on(clock, clock, job, board, tell),
            mpi_wtime => self.serve_on(WTIME, RAW, job, board, tell))
    }

    /// Carries out a job by one clock. An emulated network keeps time by another, which all ranks of a node share.
    fn serve_on<C: ClockSource>(
        &self,
        source: C,
        of_network: C,
        job: &Job,
        board: &Board,
        tell: impl FnMut(Outcome),
    ) -> anyhow::Result<()> {
        if job.longest_buffer() > LONGEST_BUFFER {
            bail!("{} B are more than one MPI call of this program can carry (2 GiB)", job.longest_buffer());
        }
        let (ran_by, scale) = self.clock(source.clock(), job.clocks.as_ref(), job.wants_fresh_world())?;
        let patience = Patience::for_ranks(job.ranks, job.cores);
        let control = self.control(patience);
        match job.carrier {
            Carrier::Native => {
                let rank = self.rank_on(job, board, (source, scale), patience, Native::new(control));
                serve_job(&rank, job, &ran_by, tell);
            }
            Carrier::Emulated(_) | Carrier::Modelled => {
                let ran_by = format!("{ran_by}, emulating {}", Network::Hockney(job.emulated));
                let (own, other) = (source.clock(), of_network.clock());
                let keeps_time = if own.is_shared() { scale } else { self.node_timescale(other, false).1 };
                let network = Emulated::new(Post::new(control), job.emulated, of_network, keeps_time);
                let rank = self.rank_on(job, board, (source, scale), Patience::SleepThenYield, network);
                serve_job(&rank, job, &ran_by, tell);
            }
        }
        Ok(())
    }

    /// Returns the sentence that names the library, host and clock, and the scale of the clock's ticks.
    fn clock(
        &self,
        clock: &dyn RealClock,
        drawn: Option<&DrawnClocks>,
        alone: bool,
    ) -> anyhow::Result<(String, Timescale)> {
        let Identity { library, version, device, .. } = identify()?;
        let device = device.map(|device| format!(" ({device})")).unwrap_or_default();
        clock.trusted().map_err(anyhow::Error::msg).with_context(|| format!("{} cannot be used", clock.name()))?;
        let (rate, scale) = self.node_timescale(clock, alone);
        rate.agreed().map_err(anyhow::Error::msg).with_context(|| format!("{} cannot be used", clock.name()))?;
        Ok((format!("{library} {version}{device} on {}, {}", host_name(), clock_sentence(clock, &rate, drawn)), scale))
    }

    fn control(&self, patience: Patience) -> Control<'_> {
        Control { communicator: &self.communicator, patience }
    }

    fn rank_on<'a, C: ClockSource, N>(
        &self,
        job: &Job,
        board: &'a Board,
        clock: (C, Timescale),
        patience: Patience,
        carriage: N,
    ) -> RealRank<'a, C, N> {
        let alone = job.wants_fresh_world();
        let buffer = Buffer::pool(job.longest_buffer(), self.rank() as u8, job.pool_bytes());
        let surroundings = if alone { (false, None) } else { self.neighbours(board) };
        let looks = job.carrier == Carrier::Native && patience == Patience::Spin && !alone;
        self.real_rank(board, clock, patience, (surroundings, looks), buffer, carriage)
    }

    /// Makes this rank beside a program of its own: on the clock `C`, among ranks that share `cores` cores, with a
    /// carriage that is made for the method's own messages. Returns the rank, whose buffer is empty, and the sentence
    /// that says who runs. Called by all ranks together.
    ///
    /// # Errors
    ///
    /// Says why this clock cannot be used.
    pub fn beside<'a, C: ClockSource, N>(
        &'a self,
        source: C,
        board: &'a Board,
        cores: u32,
        carriage: impl FnOnce(Control<'a>) -> N,
    ) -> anyhow::Result<(RealRank<'a, C, N>, String)> {
        let (ran_by, scale) = self.clock(source.clock(), None, false)?;
        let patience = Patience::for_ranks(self.size(), cores);
        let surroundings = (self.neighbours(board), patience == Patience::Spin);
        let carriage = carriage(self.control(patience));
        Ok((self.real_rank(board, (source, scale), patience, surroundings, Buffer::new(0, 0), carriage), ran_by))
    }

    /// Makes the rank. `surroundings`: whether this rank is the first of its host, its neighbour, and whether it looks
    /// at the machine's state.
    fn real_rank<'a, C: ClockSource, N>(
        &self,
        board: &'a Board,
        (clock, scale): (C, Timescale),
        patience: Patience,
        ((first, neighbour), looks): ((bool, Option<Neighbour<'a>>), bool),
        buffer: Buffer,
        carriage: N,
    ) -> RealRank<'a, C, N> {
        let id = self.rank();
        RealRank {
            id,
            size: self.size(),
            board,
            scale,
            // A clock of its own is shared with nobody.
            clock_domain: if clock.clock().is_shared() { domain(clock.clock(), &scale) } else { u64::from(id) },
            patience,
            buffer,
            lookout: looks.then(|| Lookout::new(neighbour)),
            counted: Counted::new(true, first),
            carriage,
            clock,
        }
    }

    /// Returns whether this rank is the first of its host, and the neighbour with whom it looks at the machine's state:
    /// the first with the second, the third with the fourth, …
    fn neighbours<'a>(&self, board: &'a Board) -> (bool, Option<Neighbour<'a>>) {
        let host = self.communicator.split_shared(0);
        let mut ranks = vec![0u32; host.size() as usize];
        host.all_gather_into(&self.rank(), &mut ranks[..]);
        let own = host.rank() as usize;
        let leads = own.is_multiple_of(2);
        let there = if leads { ranks.get(own + 1) } else { ranks.get(own - 1) };
        let neighbour = there.map(|&there| {
            let leader = if leads { ranks[own] } else { there };
            Neighbour::new(board.lines(leader), there, leads)
        });
        (own == 0, neighbour)
    }

    /// Returns one rate and one origin for all processes that read one clock: the first of them measures. A node's
    /// processes in another time namespace read another clock. Where processes keep time `alone`, nothing is exchanged.
    fn node_timescale(&self, clock: &dyn RealClock, alone: bool) -> (Rate, Timescale) {
        if alone || !clock.is_shared() {
            let rate = clock.rate();
            return (rate, timescale_at(clock, rate));
        }
        let machine = self.communicator.split_shared(0);
        let node = machine
            .split_by_color(Color::with_value((node(clock) & 0x3fff_ffff) as i32))
            .expect("every process has a colour");
        let mut values = [0u64; 4];
        if node.rank() == 0 {
            let rate = clock.rate();
            let scale = timescale_at(clock, rate);
            let bits = [rate.ticks_per_second, rate.repeated_ppm].map(f64::to_bits);
            values = [bits[0], bits[1], scale.origin.0, scale.granularity_ticks];
        }
        node.process_at_rank(0).broadcast_into(&mut values[..]);
        let [ticks_per_second, repeated_ppm] = [values[0], values[1]].map(f64::from_bits);
        let scale = Timescale { ticks_per_second, origin: Ticks(values[2]), granularity_ticks: values[3] };
        (Rate { ticks_per_second, repeated_ppm }, scale)
    }

    /// Returns whether all nodes trust the counter. Each node's first process looks.
    pub fn trusts_counter(&self) -> bool {
        let node = self.communicator.split_shared(0);
        self.everywhere(node.rank() != 0 || counter_will_do())
    }

    /// Returns whether something holds on all ranks.
    pub fn everywhere(&self, holds: bool) -> bool {
        let mut all = 0;
        self.communicator.all_reduce_into(&i32::from(holds), &mut all, SystemOperation::min());
        all == 1
    }
}

fn serve_job<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    job: &Job,
    ran_by: &str,
    tell: impl FnMut(Outcome),
) {
    immediately(serve(rank, job, ran_by, |task| rank.board.begin_task(rank.id, task), tell));
}
