//! Methods on the fast engine: one handle stands for all ranks, and each call is played for all of them at once.
//!
//! A method without synchronised clocks does the same on all ranks: barriers, calls and readings in one order. So its
//! own function runs once, over a handle whose reading of the clock notes the time of every rank, and its one record
//! becomes a record of each. It equals the event engine bit for bit.

use super::again::Again;
use super::kernel::{Disturbed, Kernel, Modelled, Undisturbed};
use super::rounds::Rounds;
use super::{ForModel, MOST_IN_A_BURST, first_starts, for_model, in_a_burst};
use crate::engine::SimError;
use crate::known::ClockKnowledge;
use crate::rank::stand_in;
use crate::world::SimWorld;
use models::clock::{ClockModel, GlobalClock, Ticks, Timescale};
use models::collective::{Algorithm, Collective, Shape, Step};
use models::immediate::immediately;
use models::network::NetworkModel;
use models::time::{Span, Time};
use programs::method::{Buffer, Method, Order, Subject, run_order};
use programs::observation::{Implementation, RankRecord, Stamp};
use programs::rank::{Lasts, Phase, Rank};
use std::cell::RefCell;

/// Returns whether ranks of a world may carry out an order in this way: nothing depends on the order of their messages,
/// they read one clock, and the method has no messages of its own.
pub(crate) fn serves(world: &SimWorld, order: &Order) -> bool {
    let one_clock = matches!(world.known, ClockKnowledge::OneClock)
        && world.clocks.iter().all(|clock| *clock == ClockModel::PERFECT);
    let plain = order.copies_as.is_none() && order.call.is_plain() && !world.record && !world.waited;
    let platform = &world.network;
    let without_order = !platform.needs_order() && !platform.minds_waits() && platform.page_fault() == Span::ZERO;
    one_clock && plain && without_order && has_no_messages(order.settings.method) && are_played(order)
}

/// Returns whether ranks say nothing to each other between the calls of a method.
fn has_no_messages(method: Method) -> bool {
    match method {
        Method::Loop
        | Method::BarrierLoop
        | Method::BarrierSubtract
        | Method::RootRotation
        | Method::BarrierOwn
        | Method::BarrierInside => true,
        Method::Window | Method::RoundTime | Method::LoopTrace => false,
    }
}

/// Returns whether barrier and operation are algorithms whose rounds have room.
fn are_played(order: &Order) -> bool {
    let fits = |collective, by: &Implementation| {
        let algorithm = match by {
            Implementation::Own(name) => Algorithm::find(collective, name).ok(),
            Implementation::Library => Some(stand_in(collective)),
            Implementation::Forced(_) | Implementation::Tuned(_) | Implementation::Shared(_) => None,
        };
        let ranks = u64::from(order.shape.ranks);
        algorithm.is_some_and(|one| in_a_burst(one, &order.shape).saturating_mul(ranks) <= MOST_IN_A_BURST)
    };
    match &order.subject {
        Subject::Collective(collective, by) => {
            fits(*collective, by) && fits(Collective::Barrier, &order.settings.barrier)
        }
        Subject::Wait(_) => false,
    }
}

/// Returns the record of every rank for an order that [`serves`] takes.
///
/// # Errors
///
/// Fails where the order's method fails, and if times are out of range.
pub(crate) fn record(world: &SimWorld, order: &Order) -> Result<Vec<RankRecord>, SimError> {
    for_model(&world.network, Recording { world, order })
}

struct Recording<'a> {
    world: &'a SimWorld,
    order: &'a Order,
}

impl ForModel for Recording<'_> {
    type Output = Result<Vec<RankRecord>, SimError>;

    fn run<M: NetworkModel + Copy + Sync>(self, model: M) -> Self::Output {
        let noise = &self.world.noise;
        if noise.is_none() {
            return self.on(&Modelled { model, cpus: Undisturbed }, Some(Again::default()));
        }
        let starts = first_starts(noise, self.world.clocks.len() as u32, noise.index(), 1);
        self.on(&Modelled { model, cpus: Disturbed { noise, starts: &starts, stride: 1 } }, None)
    }
}

impl Recording<'_> {
    fn on<K: Kernel<Time = Time>>(&self, kernel: &K, again: Option<Again>) -> Result<Vec<RankRecord>, SimError> {
        let ranks = self.world.clocks.len();
        let entry = |rank: usize| self.world.entries.get(rank).map_or(0, |time| time.0);
        let entries: Vec<u64> = (0..ranks).map(entry).collect();
        let mut rounds = Rounds::new(kernel, &self.world.network, &entries);
        rounds.again = again;
        let all = AllRanks { rounds: RefCell::new(rounds), readings: RefCell::default(), size: ranks as u32 };
        let record = immediately(run_order(&all, self.order)).map_err(SimError::Order)?;
        let overflown = all.rounds.borrow().by_rank().position(|state| K::cpu(state) == Time::END);
        if let Some(rank) = overflown {
            return Err(SimError::Overflow { rank: rank as u32 });
        }
        let readings = all.readings.into_inner();
        Ok((0..ranks).map(|rank| of_rank(&record, &readings, rank)).collect())
    }
}

/// Returns a rank's record: places in the table of readings become the times that this rank read.
fn of_rank(record: &RankRecord, readings: &[Box<[Time]>], rank: usize) -> RankRecord {
    let read = |place: Ticks| readings.get(place.0 as usize).map_or(place, |times| Ticks(times[rank].0));
    let stamp = |stamp: &Stamp| Stamp { start: read(stamp.start), end: read(stamp.end), ..*stamp };
    let stamps = |stamps: &[Stamp]| stamps.iter().map(stamp).collect();
    RankRecord {
        rank: rank as u32,
        cold: stamp(&record.cold),
        stamps: stamps(&record.stamps),
        subtracted: stamps(&record.subtracted),
        ..record.clone()
    }
}

/// Handle that stands for all ranks of a world.
struct AllRanks<'a, K: Kernel<Time = Time>> {
    rounds: RefCell<Rounds<'a, K>>,
    /// Times at which each rank read its clock, by reading.
    readings: RefCell<Vec<Box<[Time]>>>,
    size: u32,
}

impl<K: Kernel<Time = Time>> Rank for AllRanks<'_, K> {
    const HAS_LIBRARY: bool = false;
    const WORKS_AHEAD: bool = false;

    fn id(&self) -> u32 {
        0
    }

    fn size(&self) -> u32 {
        self.size
    }

    /// Returns the reading's place in the table of readings.
    fn read_clock(&self) -> Ticks {
        let mut readings = self.readings.borrow_mut();
        readings.push(self.rounds.borrow().by_rank().map(K::cpu).collect());
        Ticks(readings.len() as u64 - 1)
    }

    fn timescale(&self) -> Timescale {
        Timescale::PICOSECONDS
    }

    fn global_clock(&self) -> Option<GlobalClock> {
        Some(GlobalClock::reference(self.timescale()))
    }

    async fn wait_until(&self, _due: Ticks) {
        unreachable!("methods without synchronised clocks wait for no time");
    }

    async fn compute(&self, work: Span) {
        self.rounds.borrow_mut().compute(work);
    }

    async fn occupy(&self, who: u32, lasts: Lasts) {
        let work = match lasts {
            Lasts::For(work) => work,
            Lasts::AsBetween(before, after) => {
                let readings = self.readings.borrow();
                let at = |place: Ticks| readings[place.0 as usize][who as usize];
                at(after).since(at(before))
            }
        };
        self.rounds.borrow_mut().occupy(who, work);
    }

    async fn multiply_add(&self, steps: u64) {
        self.compute(Span::from_ns(steps)).await;
    }

    async fn step(&self, _step: &Step) {
        unreachable!("calls are played for all ranks at once");
    }

    fn play(&self, algorithm: &'static Algorithm, shape: &Shape) -> bool {
        self.rounds.borrow_mut().call(algorithm, shape);
        true
    }

    async fn library(&self, collective: Collective, shape: &Shape) {
        self.play(stand_in(collective), shape);
    }

    async fn send(&self, _to: u32, _message: &[u8]) {
        unreachable!("methods without synchronised clocks send nothing of their own");
    }

    async fn receive(&self, _from: u32, _message: &mut [u8]) {
        unreachable!("methods without synchronised clocks receive nothing of their own");
    }

    fn use_buffers(&self, buffer: Buffer) -> bool {
        buffer != Buffer::Misaligned
    }

    fn enter_phase(&self, _phase: Phase) {}
}
