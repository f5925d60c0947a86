//! The simulated world: every rank runs the same async program over a [`SimRank`], behind its own imperfect clock, and
//! suspends at virtual time.

use crate::engine::{Engine, SimError};
use crate::known::ClockKnowledge;
use crate::rank::{Shared, SimRank};
use models::clock::ClockModel;
use models::network::Network;
use models::noise::Noise;
use models::platform::{Held, Platform};
use models::time::Time;
use programs::trace::Trace;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Simulated ranks joined by a modelled network.
#[derive(Clone, Debug)]
pub struct SimWorld {
    /// The network under study with its refinements.
    pub network: Platform,
    /// Network of the method's own messages.
    pub control: Network,
    /// Clocks of the ranks. Their number is the number of ranks.
    pub clocks: Vec<ClockModel>,
    /// Times at which ranks enter. If empty, all enter at time zero.
    pub entries: Vec<Time>,
    /// Noise that disturbs the ranks' CPUs.
    pub noise: Noise,
    /// Holders of the ranks' memory when they enter.
    pub memory: Held,
    /// Whether ranks waited on their clocks for their entry, so that their first operations take longer.
    pub waited: bool,
    /// Knowledge of ranks about the global clock when they enter.
    pub known: ClockKnowledge,
    /// Whether the drift of clocks is asked for, behind the calls in which ranks are timed.
    pub drift: bool,
    /// Whether to record what every rank does.
    pub record: bool,
}

/// Result of a run of a simulated world.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulatedRun<T> {
    /// Value that each rank's program returned.
    pub results: Vec<T>,
    /// True time at which each rank finished.
    pub finish: Vec<Time>,
    /// Number of messages sent, control messages included.
    pub messages: u64,
    /// Whether any rank waited on its clock: if not, the cost of idling had no part in it.
    pub idled: bool,
    /// Holders of the ranks' memory at the end.
    pub memory: Held,
    /// Trace of every rank, if it was to be recorded.
    pub trace: Option<Trace>,
}

impl SimWorld {
    /// Makes a world of ranks with perfect clocks that enter together. Control messages use the same network.
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
            known: ClockKnowledge::Nothing,
            drift: true,
            record: false,
        }
    }

    /// Runs one program on every rank until all have finished.
    ///
    /// # Errors
    ///
    /// Fails in a deadlock, whose error names who waits for whom, or if times are out of range.
    pub fn run<'w, P, F, T>(&'w self, program: P) -> Result<SimulatedRun<T>, SimError>
    where
        P: Fn(SimRank<'w>) -> F,
        F: Future<Output = T>,
    {
        let ranks = self.clocks.len() as u32;
        let entry = |rank: u32| self.entries.get(rank as usize).copied().unwrap_or(Time::ZERO);
        let noise = self.noise.clone();
        let shared = Shared::from(Engine::new(self.network.clone(), self.control, noise, (0..ranks).map(entry)));
        self.memory.clone_into(shared.0.borrow_mut().held());
        if self.waited {
            shared.0.borrow_mut().waited();
        }
        if self.record {
            shared.0.borrow_mut().record();
        }
        let mut programs: Vec<Option<Pin<Box<F>>>> = Vec::with_capacity(ranks as usize);
        for id in 0..ranks {
            programs.push(Some(Box::pin(program(SimRank::new(self, &shared, id)))));
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
        Ok(SimulatedRun {
            results: results.into_iter().flatten().collect(),
            finish: (0..ranks).map(|rank| *engine.cpu(rank)).collect(),
            messages: engine.messages(),
            idled: engine.has_idled() || self.known.has_idled(),
            memory: std::mem::take(engine.held()),
            trace: self.record.then(|| engine.take_trace()),
        })
    }
}
