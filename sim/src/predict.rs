//! Predictions: an order carried out by simulated ranks, with the truth beside it.

use crate::engine::SimError;
use crate::entry::Entry;
use crate::fast::all_ranks;
use crate::known::ClockKnowledge;
use crate::simulation::Simulation;
use crate::world::SimWorld;
use models::clock::ClockSpread;
use models::collective::{Algorithm, Collective, Shape};
use models::engine::Engine;
use models::network::Network;
use models::noise::Noise;
use models::platform::{Buffer, Platform, Refinements};
use models::shared_broadcast::Queued;
use models::time::{Span, Time};
use programs::aggregation::{Aggregation, reported_us};
use programs::method::{Order, Subject, run_order};
use programs::observation::{Implementation, RankRecord, World};
use programs::operation::{Library, Operation, Own};
use programs::rank::Rank;
use programs::trace::Trace;

/// Modelled machine on which orders are carried out.
///
/// Further properties of a machine go into `world` (the run of the method), into `still_world` (the truth) and, where a
/// configuration switches them, into `with_features` (`budget.rs`).
#[derive(Clone, Debug)]
pub struct Predictor {
    /// The network under study with its refinements. The order says which of its two costs per byte applies.
    pub network: Platform,
    /// Network of the method's own messages.
    pub control: Network,
    /// Errors of the ranks' clocks.
    pub clocks: ClockSpread,
    /// Errors of clocks for configurations without errors of clocks.
    pub good_clocks: ClockSpread,
    /// Noise on the ranks' CPUs while a method runs. The truth is without noise.
    pub noise: Noise,
    /// Seed of the clocks' draws.
    pub seed: u64,
    /// Engine that carries out methods and single calls without costs of memory.
    pub engine: Engine,
}

/// Observations of simulated ranks, with the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// True time of each rank in one call that all ranks enter at the same instant, from the order's own root.
    pub truth: Vec<Span>,
    /// Records of the method on all ranks.
    pub ranks: Vec<RankRecord>,
}

/// True times of the calls from one root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootTruth {
    /// Root of the call.
    pub root: u32,
    /// True time of each rank.
    pub ranks: Vec<Span>,
}

/// A method's number against the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misreport {
    /// Number that the method prints, in µs.
    pub reported_us: f64,
    /// True time of the collective, which is that of its slowest rank, in µs.
    pub truth_us: f64,
}

impl Misreport {
    /// Returns the reported time over the true one, which is not finite where the truth is 0.
    pub fn ratio(&self) -> f64 {
        self.reported_us / self.truth_us
    }

    /// Returns the reported time less the true one, in µs.
    pub fn difference_us(&self) -> f64 {
        self.reported_us - self.truth_us
    }
}

impl Prediction {
    /// Returns the number that a benchmark with this aggregation prints, against the collective's true time.
    ///
    /// # Errors
    ///
    /// Fails if there is no valid time on every rank.
    pub fn misreport(&self, aggregation: &Aggregation) -> Result<Misreport, SimError> {
        let reported_us = printed_us(&self.ranks, aggregation)?;
        Ok(Misreport { reported_us, truth_us: slowest_us(&self.truth) })
    }
}

/// Returns the time of the slowest rank, in µs.
pub(crate) fn slowest_us(ranks: &[Span]) -> f64 {
    ranks.iter().max().map_or(0.0, |slowest| slowest.as_us())
}

/// Returns the number that a benchmark with this aggregation prints, in µs.
pub(crate) fn printed_us(ranks: &[RankRecord], aggregation: &Aggregation) -> Result<f64, SimError> {
    reported_us(ranks, aggregation).ok_or_else(|| {
        SimError::Order("no start was valid on all ranks; give the method longer windows or more slack".to_owned())
    })
}

/// Records of an order by simulated ranks.
pub(crate) struct Recorded {
    pub ranks: Vec<RankRecord>,
    /// Whether any rank waited on its clock.
    pub idled: bool,
    pub trace: Trace,
}

/// Reason for which the fast engine does not carry out a method.
const NOT_FAST: &str = "the fast engine carries out loops, behind barriers or not, of algorithms of Parallax's on perfect clocks without \
                        costs of memory or waits; expected the engine auto or event here";

impl Predictor {
    /// Makes a machine of this network, with perfect clocks and nothing that disturbs.
    pub fn perfect(network: Network) -> Predictor {
        Predictor {
            network: network.into(),
            control: network,
            clocks: ClockSpread::default(),
            good_clocks: ClockSpread::default(),
            noise: Noise::none(),
            seed: 1,
            engine: Engine::Auto,
        }
    }

    /// Carries out an order on simulated ranks.
    ///
    /// # Errors
    ///
    /// Fails for an unknown algorithm, in a deadlock, or if times are out of range.
    pub fn predict(&self, order: &Order) -> Result<Prediction, SimError> {
        Ok(Prediction { ranks: self.record(order)?, truth: self.reference(order.settings.factors.buffer, order)? })
    }

    /// Carries out an order for the numbers alone, with the truth of calls whose buffers are in a state of their own:
    /// perfect clocks are not synchronised, and ranks record nothing of a synchronisation.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::predict`] fails.
    pub fn numbers_against(&self, reference: Buffer, order: &Order) -> Result<Prediction, SimError> {
        Ok(Prediction { ranks: self.record_for_number(order)?, truth: self.reference(reference, order)? })
    }

    /// Carries out an order as [`Predictor::numbers_against`] does, with a trace of the first samples as of
    /// [`Predictor::traced`]. The trace has the reference, too.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::traced`] fails.
    pub fn numbers_traced(
        &self,
        reference: Buffer,
        order: &Order,
        calls: u32,
    ) -> Result<(Prediction, Trace), SimError> {
        let (ranks, mut trace) = self.traced(order, calls)?;
        let truth = self.reference(reference, order)?;
        trace.reference.clone_from(&truth);
        Ok((Prediction { ranks, truth }, trace))
    }

    /// Returns the records of simulated ranks for an order.
    fn record(&self, order: &Order) -> Result<Vec<RankRecord>, SimError> {
        Ok(self.run_in(&self.world(order), order)?.ranks)
    }

    /// Returns the records for numbers alone: perfect clocks are not synchronised for them, which for many ranks takes
    /// longer than all their calls, and others not once more behind the last call, because nobody asks for their drift.
    pub(crate) fn record_for_number(&self, order: &Order) -> Result<Vec<RankRecord>, SimError> {
        Ok(self.record_knowing(self.known(), order)?.ranks)
    }

    /// Returns the records for numbers alone, of ranks with some knowledge of the global clock.
    pub(crate) fn record_knowing(&self, known: ClockKnowledge, order: &Order) -> Result<Recorded, SimError> {
        self.run_in(&SimWorld { known, drift: false, ..self.world(order) }, order)
    }

    /// Returns the records for numbers alone, with a trace of what every rank did.
    pub(crate) fn record_traced(&self, order: &Order) -> Result<(Vec<RankRecord>, Trace), SimError> {
        let world = SimWorld { record: true, known: self.known(), ..self.world(order) };
        let Recorded { ranks, trace, .. } = self.run_in(&world, order)?;
        Ok((ranks, trace))
    }

    /// Returns the ranks' knowledge of the global clock without synchronising: perfect clocks are it.
    pub(crate) fn known(&self) -> ClockKnowledge {
        if self.clocks == ClockSpread::default() { ClockKnowledge::OneClock } else { ClockKnowledge::Nothing }
    }

    /// Returns the engine that carries out an order for its numbers, which is never [`Engine::Auto`].
    pub fn engine_of_numbers(&self, order: &Order) -> Engine {
        let world = SimWorld { known: self.known(), drift: false, ..self.world(order) };
        let fast = self.engine != Engine::Event && all_ranks::serves(&world, order);
        if fast { Engine::Fast } else { Engine::Event }
    }

    fn run_in(&self, world: &SimWorld, order: &Order) -> Result<Recorded, SimError> {
        let order = &known(order)?;
        let serves = all_ranks::serves(world, order);
        if self.engine == Engine::Fast && !serves {
            return Err(SimError::Order(NOT_FAST.to_owned()));
        }
        if serves && self.engine != Engine::Event {
            let ranks = all_ranks::record(world, order)?;
            return Ok(Recorded { ranks, idled: world.known.has_idled(), trace: Trace::default() });
        }
        let run = world.run(async |rank| run_order(&rank, order).await)?;
        let ranks = run.results.into_iter().collect::<Result<_, _>>().map_err(SimError::Order)?;
        Ok(Recorded { ranks, idled: run.idled, trace: run.trace.unwrap_or_default() })
    }

    /// Returns the world that methods run in.
    pub(crate) fn world(&self, order: &Order) -> SimWorld {
        SimWorld {
            network: self.network.clone(),
            control: self.control,
            clocks: (0..order.shape.ranks).map(|rank| self.clocks.sample_clock(self.seed, rank)).collect(),
            entries: Vec::new(),
            noise: self.noise.clone(),
            memory: Default::default(),
            waited: false,
            known: ClockKnowledge::Nothing,
            drift: true,
            record: false,
        }
    }

    /// Returns the world that the truth is taken in: no clock, no noise, nobody idle.
    fn still_world(&self, network: Platform, ranks: u32) -> SimWorld {
        SimWorld { network, ..SimWorld::ideal(self.control, ranks) }
    }

    /// Returns the true time of each rank in one call that all ranks enter at the same instant, behind no clock,
    /// between connected ranks.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::predict`] fails.
    pub fn truth(&self, order: &Order) -> Result<Vec<Span>, SimError> {
        self.truth_from(order, order.shape.root)
    }

    /// Returns the truth with the buffers in a state, whatever the order says.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::predict`] fails.
    pub fn reference(&self, buffer: Buffer, order: &Order) -> Result<Vec<Span>, SimError> {
        let mut order = order.clone();
        order.settings.factors.buffer = buffer;
        self.truth(&order)
    }

    /// Returns the truth of the first call, in which pairs connect.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::predict`] fails.
    pub fn first_truth(&self, order: &Order) -> Result<Vec<Span>, SimError> {
        let order = &known(order)?;
        self.one_call(self.network.clone(), order, order.shape.root)
    }

    /// Returns the truth of every root that the order's calls take in turn.
    ///
    /// # Errors
    ///
    /// Fails where [`Predictor::predict`] fails.
    pub fn truths(&self, order: &Order) -> Result<Vec<RootTruth>, SimError> {
        order.roots().map(|root| Ok(RootTruth { root, ranks: self.truth_from(order, root)? })).collect()
    }

    fn truth_from(&self, order: &Order, root: u32) -> Result<Vec<Span>, SimError> {
        let order = &known(order)?;
        let connected = refined(&self.network, |refinements| refinements.connect = None);
        self.one_call(connected, order, root)
    }

    fn one_call(&self, network: Platform, order: &Order, root: u32) -> Result<Vec<Span>, SimError> {
        let shape = Shape { root, ..order.shape };
        match &order.subject {
            Subject::Wait(pattern) => Ok(vec![pattern.truth(shape.ranks); shape.ranks as usize]),
            Subject::Collective(collective, Implementation::Own(name)) => {
                let algorithm = Algorithm::find(*collective, name).map_err(SimError::Order)?;
                if order.copies_as.is_none() && !network.has_lines() {
                    return self.awake_call(network, algorithm, shape, order.settings.factors.buffer);
                }
                self.last_call(network, order, root, |rank| Own::from(order.program(algorithm, shape, rank)))
            }
            Subject::Collective(_, Implementation::Shared(queued)) => Err(SimError::Order(no_network(queued))),
            Subject::Collective(
                collective,
                Implementation::Library | Implementation::Forced(_) | Implementation::Tuned(_),
            ) => self.last_call(network, order, root, |_| Library(*collective, shape)),
        }
    }

    /// Plays a call that all ranks enter at the same instant. Where the holder of a memory matters, others came before
    /// it, and ranks brought their buffers into the order's state before each.
    fn last_call<O: Operation>(
        &self,
        network: Platform,
        order: &Order,
        root: u32,
        operation: impl Fn(u32) -> O,
    ) -> Result<Vec<Span>, SimError> {
        let awake = refined(&network, |refinements| refinements.idle = None);
        let mut world = SimWorld { waited: true, ..self.still_world(awake, order.shape.ranks) };
        world.memory =
            world.memory_before(order.settings.factors.buffer, |rank| order.footprint(root, rank), &operation)?;
        let run = world.run(async |rank| operation(rank.id()).call(&rank).await)?;
        Ok(run.finish.iter().map(|end| end.since(Time::ZERO)).collect())
    }

    /// Returns the time of each rank in a call that all enter at the same instant, where the holder of a memory does
    /// not matter.
    fn awake_call(
        &self,
        network: Platform,
        algorithm: &'static Algorithm,
        shape: Shape,
        buffer: Buffer,
    ) -> Result<Vec<Span>, SimError> {
        let platform = refined(&network, |refinements| refinements.idle = None);
        let (noise, entry, compute) = (Noise::none(), Entry::Together, Span::ZERO);
        let call = Simulation { algorithm, shape, platform, noise, entry, repeat: 1, compute, buffer: Some(buffer) };
        // A call that the fast engine cannot take is no reason to refuse the method.
        let engine = if self.engine == Engine::Event { Engine::Event } else { Engine::Auto };
        let finish = call.run(engine)?.finish;
        Ok(finish.to_vec().into_iter().map(|end| end.since(Time::ZERO)).collect())
    }
}

/// Returns the reason for which a broadcast through shared memory is not simulated on a network.
fn no_network(queued: &Queued) -> String {
    format!("{}; see parallax shm simulate", queued.no_messages())
}

/// Returns the order as simulated ranks carry it out: an algorithm that a library is made to use becomes ours of that
/// name, where either library's is known to be ours, and else the library's call as ever.
fn known(order: &Order) -> Result<Order, SimError> {
    if let (false, Subject::Collective(collective, _)) = (order.call.is_plain(), &order.subject) {
        let (name, variant) = (order.call.name(*collective), order.call.variant());
        let variant = if variant.is_empty() { variant } else { format!(" ({variant})") };
        return Err(SimError::Order(format!(
            "simulated ranks know the plain call only, found {name}{variant}; measure it on openmpi or mpich"
        )));
    }
    let ours = |collective: Collective, by: &Implementation| match by {
        Implementation::Own(_) | Implementation::Library | Implementation::Tuned(_) | Implementation::Shared(_) => {
            by.clone()
        }
        Implementation::Forced(name) => {
            let found = World::real().find_map(|world| models::forced::own(world, collective, &order.call, name));
            found.map_or(Implementation::Library, |algorithm| Implementation::Own(algorithm.name.to_owned()))
        }
    };
    let mut order = order.clone();
    order.settings.barrier = ours(Collective::Barrier, &order.settings.barrier);
    if let Subject::Collective(collective, by) = &mut order.subject {
        *by = ours(*collective, by);
    }
    Ok(order)
}

/// Returns a platform with a change to its refinements.
pub(crate) fn refined(platform: &Platform, change: impl FnOnce(&mut Refinements)) -> Platform {
    let Some(refinements) = platform.refinements() else { return platform.clone() };
    let mut refinements = refinements.clone();
    change(&mut refinements);
    Platform::new(platform.network, refinements)
}
