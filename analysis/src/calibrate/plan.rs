//! The tasks that a calibration gives to ranks, and their repetitions: within seconds, or within minutes.

use super::rehearse::Rehearsals;
use crate::p2p::RankPlace;
use measure::job::Task;
use models::network::Network;
use models::time::Span;
use programs::calibration::{CalibrationSettings, Connecting, Exploration, Idling, Leaving};
use programs::detours::Watching;
use programs::observation::{Implementation, World};

/// Amount of time that a calibration spends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A calibration within seconds.
    Quick,
    /// A calibration within minutes.
    Thorough,
}

/// All tasks of a calibration.
pub(super) struct CalibrationPlan {
    /// Number of fresh launches, each of which shows one first message of each pair.
    pub launches: u32,
    /// Task of each of those fresh launches.
    pub connect: Task,
    /// Tasks of the first launch, one after the other.
    pub whole: Vec<Task>,
    /// Rehearsals in the first launch and in further ones; `None` where there are none.
    pub rehearsals: Option<Rehearsals>,
    /// Tasks of each further launch, before its rehearsal.
    pub again: Vec<Task>,
}

/// Number of detours that are kept per rank.
const MOST_DETOURS: u32 = 1 << 16;
/// Work between two readings of a simulated clock, which take no time themselves.
const SIMULATED_WORK: Span = Span::from_us(5);

impl CalibrationPlan {
    /// Returns the tasks of ranks at a place. `network` is the model of simulated ranks and of threads; `crowded` ranks
    /// share cores.
    pub(super) fn new(
        effort: Effort,
        place: RankPlace,
        network: Option<&Network>,
        longest: u64,
        crowded: bool,
    ) -> CalibrationPlan {
        let quick = effort == Effort::Quick;
        let of = |few: u32, many: u32| if quick { few } else { many };
        let barrier = match place {
            RankPlace::Real(World::Threads) => Implementation::Own("dissemination".to_owned()),
            RankPlace::Real(_) | RankPlace::Simulated => Implementation::Library,
        };
        let idling = Idling { idle: Idling::ladder(), samples: of(41, 401), busy: 20 };
        let leaving = Some(Leaving::new(barrier, of(1_000, 10_000)));
        let messages =
            |effort| CalibrationSettings { leaving: leaving.clone(), ..messages(effort, place, network, longest) };
        let watching = Watching {
            time: Span::from_ms(if quick { 1_000 } else { 10_000 }),
            work: if place == RankPlace::Simulated { SIMULATED_WORK } else { Span::ZERO },
            most: MOST_DETOURS,
        };
        let mut whole = vec![Task::Calibrate(messages(effort))];
        whole.extend((place != RankPlace::Simulated).then_some(Task::ReportCard));
        whole.push(Task::Explore(Exploration::Idle(idling)));
        // Ranks that share a core are each other's noise.
        whole.extend((!crowded).then_some(Task::Explore(Exploration::Noise(watching))));
        let connecting = Connecting { later: of(50, 200), head_start: Span::from_ms(20) };
        CalibrationPlan {
            launches: of(3, 10),
            connect: Task::Explore(Exploration::Connect(connecting)),
            whole,
            rehearsals: None,
            again: vec![Task::Calibrate(messages(Effort::Quick))],
        }
    }

    /// Returns the default number of launches with rehearsals.
    pub(super) fn usual_rehearsals(effort: Effort) -> u32 {
        match effort {
            Effort::Quick => 4,
            Effort::Thorough => 10,
        }
    }

    /// Returns all tasks of real ranks, launch by launch: the main launch and the rehearsals first, fresh ones for
    /// first messages last.
    pub(super) fn launches(&self) -> Vec<Vec<Task>> {
        let rehearsal = |launch| self.rehearsals.as_ref().map_or(Vec::new(), |all| all.tasks(launch));
        let again = self.rehearsals.as_ref().map_or(1, Rehearsals::launches);
        let mut launches = vec![[self.whole.clone(), rehearsal(0)].concat()];
        launches.extend((1..again).map(|launch| [self.again.clone(), rehearsal(launch)].concat()));
        launches.extend((0..self.launches).map(|_| vec![self.connect.clone()]));
        launches
    }
}

/// Returns the exchanges of ranks 0 and 1 from which networks are fitted: ranks that play Hockney's model have no other
/// parameters.
fn messages(effort: Effort, place: RankPlace, network: Option<&Network>, longest: u64) -> CalibrationSettings {
    let settings = match effort {
        Effort::Quick => CalibrationSettings::quick(longest),
        Effort::Thorough => CalibrationSettings::thorough(longest),
    };
    let plays_hockney = place == RankPlace::Real(World::Threads) || matches!(network, Some(Network::Hockney(_)));
    if plays_hockney { CalibrationSettings::ping_pongs(settings.bytes, 41, 3) } else { settings }
}
