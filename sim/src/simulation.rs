//! One simulation: an algorithm called k times back to back, by an engine that can.

use crate::engine::SimError;
use crate::entry::Entry;
use crate::fast;
use crate::world::SimWorld;
use models::collective::{Algorithm, Shape};
use models::engine::Engine;
use models::footprint::Footprint;
use models::noise::Noise;
use models::platform::{Buffer, Held, Platform};
use models::spread::Spread;
use models::time::{Span, Time};
use programs::operation::{Operation, Own};
use programs::rank::Rank;
use programs::trace::Trace;
use rayon::prelude::*;
use std::cell::RefCell;
use std::ops::Range;

/// Simulation of one algorithm's calls, with its circumstances.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Algorithm that ranks carry out.
    pub algorithm: &'static Algorithm,
    /// Number of ranks, root and bytes of the call.
    pub shape: Shape,
    /// Network with its refinements, which give the cost of messages.
    pub platform: Platform,
    /// Noise that disturbs the ranks.
    pub noise: Noise,
    /// Times at which ranks enter the first call.
    pub entry: Entry,
    /// Number of calls back to back, k ≥ 1.
    pub repeat: u32,
    /// Grain: the time for which each rank computes before each call.
    pub compute: Span,
    /// State in which the first call finds the buffers. It is then the call that a benchmark's number is held against,
    /// which ranks enter from a wait on their clocks. `None`: a first call ever, in memory that nobody has touched.
    pub buffer: Option<Buffer>,
}

/// Times at which ranks finish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// One time for all ranks, with their number.
    Same(Time, u32),
    /// Time of each rank, in rank order.
    Each(Vec<Time>),
}

impl Finish {
    /// Returns the time at which a rank finishes.
    pub fn time(&self, rank: u32) -> Time {
        match self {
            Finish::Same(time, _) => *time,
            Finish::Each(times) => times[rank as usize],
        }
    }

    /// Returns the times of all ranks, in rank order.
    pub fn to_vec(&self) -> Vec<Time> {
        match self {
            Finish::Same(time, ranks) => vec![*time; *ranks as usize],
            Finish::Each(times) => times.clone(),
        }
    }

    /// Returns the spread of the ranks' finish times. It needs no room of its own.
    pub fn into_spread(self) -> Spread {
        match self {
            Finish::Same(time, ranks) => Spread::same(time, ranks as usize),
            Finish::Each(mut times) => Spread::from_times(&mut times),
        }
    }

    /// Returns the first of the ranks that finish last.
    pub fn latest_rank(&self) -> u32 {
        match self {
            Finish::Same(..) => 0,
            Finish::Each(times) => {
                let last = times.iter().copied().max().unwrap_or_default();
                times.iter().position(|&time| time == last).unwrap_or(0) as u32
            }
        }
    }

    /// Returns the first and the last finish of any rank.
    pub fn range(&self) -> (Time, Time) {
        match self {
            Finish::Same(time, _) => (*time, *time),
            Finish::Each(times) => {
                times.iter().fold((Time::END, Time::ZERO), |(first, last), &time| (first.min(time), last.max(time)))
            }
        }
    }
}

/// Outcome of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulationOutcome {
    /// Times at which ranks finish the last call.
    pub finish: Finish,
    /// First and last finish of any rank after each call.
    pub calls: Vec<(Time, Time)>,
    /// Number of messages that were sent.
    pub messages: u64,
    /// Engine that carried it out, and its way.
    pub engine: Played,
}

models::named! {
    /// Way in which a simulation was carried out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Played {
        /// Played by the event engine.
        Event => "event",
        /// Played by rounds over arrays.
        Rounds => "fast (rounds)",
        /// Played by rounds over one array of times.
        Flat => "fast (flat)",
        /// Played with one number for all ranks, which stayed together.
        Together => "fast (all ranks together)",
    }
    /// The name used in output.
    fn name;
    Display(name);
}

/// Memory that the event engine needs for a rank: its program, its future, its requests.
const EVENT_BYTES: u64 = 1_500;

impl Simulation {
    /// Carries out the simulation.
    ///
    /// # Errors
    ///
    /// Fails in a deadlock, if times are out of range, or if the engine that was asked for cannot do it.
    pub fn run(&self, engine: Engine) -> Result<SimulationOutcome, SimError> {
        match engine {
            Engine::Event => self.outcome(),
            Engine::Fast => fast::run(self),
            Engine::Auto => match fast::refusal(self) {
                None => fast::run(self),
                Some(_) => self.outcome(),
            },
        }
    }

    /// Returns about how much memory the engine needs, in bytes.
    pub fn memory_bytes(&self, engine: Engine) -> u64 {
        let ranks = u64::from(self.shape.ranks);
        match engine {
            Engine::Auto | Engine::Fast if fast::refusal(self).is_none() => fast::memory_bytes(self),
            Engine::Auto | Engine::Event | Engine::Fast => ranks.saturating_mul(EVENT_BYTES),
        }
    }

    /// Carries out the simulation under realisations `range` of its noise, on all cores. `keep` says what to keep of
    /// each outcome. The results come in the order of the realisations and do not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// Fails where [`Simulation::run`] fails.
    pub fn realise<T: Send>(
        &self,
        engine: Engine,
        range: Range<u32>,
        keep: impl Fn(SimulationOutcome) -> T + Sync,
    ) -> Result<Vec<T>, SimError> {
        if engine == Engine::Fast || engine == Engine::Auto && fast::refusal(self).is_none() {
            return fast::realise(self, range, &keep);
        }
        let memory = self.memory()?;
        let one = |index| {
            let noise = self.noise.realisation(index);
            Simulation { noise, ..self.clone() }.by_events(&memory, false).map(|(outcome, _)| keep(outcome))
        };
        range.into_par_iter().map(one).collect()
    }

    /// Carries out the simulation on the event engine and records what every rank did.
    ///
    /// # Errors
    ///
    /// Fails in a deadlock, or if times are out of range.
    pub fn traced(&self) -> Result<(SimulationOutcome, Trace), SimError> {
        self.by_events(&self.memory()?, true).map(|(outcome, trace)| (outcome, trace.unwrap_or_default()))
    }

    fn outcome(&self) -> Result<SimulationOutcome, SimError> {
        self.by_events(&self.memory()?, false).map(|(outcome, _)| outcome)
    }

    fn ideal(&self) -> SimWorld {
        let network = self.platform.clone();
        SimWorld { network, ..SimWorld::ideal(self.platform.network, self.shape.ranks) }
    }

    /// Returns the holders of memory when the first call begins.
    fn memory(&self) -> Result<Held, SimError> {
        let Some(buffer) = self.buffer else { return Ok(Held::default()) };
        let footprint = |rank| Footprint::own(self.algorithm.collective, &self.shape, rank);
        self.ideal().memory_before(buffer, footprint, |rank| Own::new(self.algorithm, &self.shape, rank))
    }

    fn by_events(&self, memory: &Held, record: bool) -> Result<(SimulationOutcome, Option<Trace>), SimError> {
        let entries = self.entry.all(self.shape.ranks).into_iter().map(Time).collect();
        let (noise, memory, waited) = (self.noise.clone(), memory.clone(), self.buffer.is_some());
        let world = SimWorld { entries, noise, memory, waited, record, ..self.ideal() };
        let ends = RefCell::new(vec![(Time::END, Time::ZERO); self.repeat as usize]);
        let run = world.run(async |rank| {
            let own = Own::new(self.algorithm, &self.shape, rank.id());
            for call in 0..self.repeat as usize {
                if self.compute > Span::ZERO {
                    rank.compute(self.compute).await;
                }
                own.call(&rank).await;
                let (now, end) = (rank.true_time(), &mut ends.borrow_mut()[call]);
                *end = (end.0.min(now), end.1.max(now));
            }
        })?;
        let outcome = SimulationOutcome {
            finish: Finish::Each(run.finish),
            calls: ends.into_inner(),
            messages: run.messages,
            engine: Played::Event,
        };
        Ok((outcome, run.trace))
    }
}
