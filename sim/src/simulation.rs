//! One simulation: an algorithm called k times back to back, by whichever engine can.

use crate::engine::SimError;
use crate::entry::Entry;
use crate::fast;
use crate::world::SimWorld;
use models::collective::{Algorithm, Shape};
use models::engine::Engine;
use models::footprint::Footprint;
use models::noise::Noise;
use models::operation::{Operation, Own};
use models::platform::{Buffer, Held, Platform};
use models::rank::Rank;
use models::spread::Spread;
use models::time::{Span, Time};
use models::trace::Trace;
use rayon::prelude::*;
use std::cell::RefCell;
use std::ops::Range;

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// Ranks, root, bytes.
    pub shape: Shape,
    /// What messages cost.
    pub platform: Platform,
    /// What disturbs the ranks.
    pub noise: Noise,
    /// When they enter.
    pub entry: Entry,
    /// Calls back to back, k ≥ 1.
    pub repeat: u32,
    /// A grain: how long each rank computes before each call.
    pub compute: Span,
    /// In which state the first call finds the buffers: it is then the call that a benchmark's number is held against, which
    /// ranks enter from a wait on their clocks. `None`: a first call ever, in memory that nobody has touched.
    pub buffer: Option<Buffer>,
}

/// When ranks finish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// All at the same time.
    Same(Time, u32),
    /// In rank order.
    Each(Vec<Time>),
}

impl Finish {
    /// When a rank finishes.
    pub fn of(&self, rank: u32) -> Time {
        match self {
            Finish::Same(time, _) => *time,
            Finish::Each(times) => times[rank as usize],
        }
    }

    /// In rank order.
    pub fn to_vec(&self) -> Vec<Time> {
        match self {
            Finish::Same(time, ranks) => vec![*time; *ranks as usize],
            Finish::Each(times) => times.clone(),
        }
    }

    /// How the ranks' finish times spread; needs no room of its own.
    pub fn into_spread(self) -> Spread {
        match self {
            Finish::Same(time, ranks) => Spread::same(time, ranks as usize),
            Finish::Each(mut times) => Spread::of(&mut times),
        }
    }

    /// The first of the ranks that finish last.
    pub fn latest_rank(&self) -> u32 {
        match self {
            Finish::Same(..) => 0,
            Finish::Each(times) => {
                let last = times.iter().copied().max().unwrap_or_default();
                times.iter().position(|&time| time == last).unwrap_or(0) as u32
            }
        }
    }

    /// The first and the last finish of any rank.
    pub fn range(&self) -> (Time, Time) {
        match self {
            Finish::Same(time, _) => (*time, *time),
            Finish::Each(times) => {
                times.iter().fold((Time::END, Time::ZERO), |(first, last), &time| (first.min(time), last.max(time)))
            }
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// After the last call.
    pub finish: Finish,
    /// First and last finish of any rank after each call.
    pub calls: Vec<(Time, Time)>,
    /// Messages sent.
    pub messages: u64,
    /// Which engine did it, and how.
    pub engine: Played,
}

models::named! {
    /// How a simulation was carried out.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Played {
        /// By the event engine.
        Event => "event",
        /// By rounds over arrays.
        Rounds => "fast (rounds)",
        /// By rounds over one array of times.
        Flat => "fast (flat)",
        /// One number stood for all ranks, which stayed together.
        Together => "fast (all ranks together)",
    }
    /// The name used in output.
    fn name;
    Display(name);
}

/// What the event engine keeps of a rank: its program, its future, its requests.
const EVENT_BYTES: u64 = 1_500;

impl Simulation {
    /// Carries it out.
    ///
    /// # Errors
    /// A deadlock, times out of range, or what the engine asked for cannot do.
    pub fn run(&self, engine: Engine) -> Result<Outcome, SimError> {
        match engine {
            Engine::Event => self.outcome(),
            Engine::Fast => fast::run(self),
            Engine::Auto => match fast::refusal(self) {
                None => fast::run(self),
                Some(_) => self.outcome(),
            },
        }
    }

    /// About how much memory the engine needs, in bytes.
    pub fn memory_bytes(&self, engine: Engine) -> u64 {
        let ranks = u64::from(self.shape.ranks);
        match engine {
            Engine::Auto | Engine::Fast if fast::refusal(self).is_none() => fast::memory_bytes(self),
            Engine::Auto | Engine::Event | Engine::Fast => ranks.saturating_mul(EVENT_BYTES),
        }
    }

    /// Carries it out under realisations `range` of its noise, on all cores; `keep` says what to keep of each outcome.
    /// The results come in the order of the realisations and do not depend on the number of threads.
    ///
    /// # Errors
    /// As [`Simulation::run`].
    pub fn realise<T: Send>(
        &self,
        engine: Engine,
        range: Range<u32>,
        keep: impl Fn(Outcome) -> T + Sync,
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

    /// Carries it out on the event engine and writes down what every rank did.
    ///
    /// # Errors
    /// A deadlock, or times out of range.
    pub fn traced(&self) -> Result<(Outcome, Trace), SimError> {
        self.by_events(&self.memory()?, true).map(|(outcome, trace)| (outcome, trace.unwrap_or_default()))
    }

    fn outcome(&self) -> Result<Outcome, SimError> {
        self.by_events(&self.memory()?, false).map(|(outcome, _)| outcome)
    }

    fn ideal(&self) -> SimWorld {
        let network = self.platform.clone();
        SimWorld { network, ..SimWorld::ideal(self.platform.network, self.shape.ranks) }
    }

    /// Who holds which memory when the first call begins.
    fn memory(&self) -> Result<Held, SimError> {
        let Some(buffer) = self.buffer else { return Ok(Held::default()) };
        let footprint = |rank| Footprint::own(self.algorithm.collective, &self.shape, rank);
        self.ideal().memory_before(buffer, footprint, |rank| Own::new(self.algorithm, &self.shape, rank))
    }

    fn by_events(&self, memory: &Held, record: bool) -> Result<(Outcome, Option<Trace>), SimError> {
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
        let outcome = Outcome {
            finish: Finish::Each(run.finish),
            calls: ends.into_inner(),
            messages: run.messages,
            engine: Played::Event,
        };
        Ok((outcome, run.trace))
    }
}
