//! Answers of ranks to tests, as lines of a campaign.

use crate::axis::{Axis, Key};
use models::clock::{ClockKind, ReportCard};
use programs::detours::{Collection, Recorded, Worked, Working};
use programs::machine::{Estimate, PairLook};
use programs::memory::{MemoryTest, Probe};
use programs::meters::{Meter, Metered};
use programs::observation::{Carrier, ClockCheck, World};
use programs::point_to_point::{Record, Test};
use programs::sync::{Sharing, Trial};
use serde::{Deserialize, Serialize};

/// Answer of a launch's ranks to one of the tasks that they were given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// Number of the launch in the campaign, counted from 0.
    pub number: u32,
    /// World in which the ranks ran.
    pub world: World,
    /// Carrier of their messages.
    pub carrier: Carrier,
    /// Number of ranks. 0 stands for threads of the command itself.
    pub ranks: u32,
    /// Number of cores that they could use.
    pub cores: u32,
    /// Library and version, host and clock, where ranks reported them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ran_by: String,
    /// Date and time of the answer, UTC.
    pub date: String,
    /// Command line that started the ranks, where a launcher did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<String>,
    /// Warnings for readers, such as crowded cores or other programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Result of the task.
    pub found: TaskResult,
}

/// Result of a task, with the task itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskResult {
    /// Messages exchanged by two ranks at a time.
    Exchanged {
        /// Test that the ranks were given.
        test: Test,
        /// Exchanges and cost of clock readings that were recorded.
        record: Record,
    },
    /// Memory of each rank's process over time.
    Memory {
        /// Test that used the memory.
        test: MemoryTest,
        /// Probes of each rank, in the order of time.
        ranks: Vec<Vec<Probe>>,
    },
    /// Results of clock synchronisations.
    Synchronised {
        /// Clock that the ranks read.
        clock: ClockKind,
        /// Treatment of ranks that share the clock.
        sharing: Sharing,
        /// Result of each synchronisation.
        trials: Vec<Trial>,
    },
    /// Quality of a clock, as a report card.
    Clock(ReportCard),
    /// Waits of known duration, timed by a clock.
    Waits(ClockCheck),
    /// Calls in which every byte was right.
    Checked {
        /// Names of the checked operations, or of a queue. Empty if every algorithm was checked.
        operations: Vec<String>,
        /// Number of calls on every rank.
        calls: u32,
    },
    /// Detours, which lie in files of the campaign's folder.
    Noise {
        /// Settings by which they were collected.
        collection: Collection,
        /// Summary of each rank's recording.
        ranks: Vec<Recorded>,
    },
    /// Durations of work between synchronisations.
    Worked {
        /// Lengths and durations of the work.
        working: Working,
        /// Durations by each rank's clock.
        ranks: Vec<Worked>,
    },
    /// Durations of such work, compared with predictions from recorded noise.
    Proved {
        /// Comparisons, one for each length of grain.
        points: Vec<Proof>,
    },
    /// Durations of repeated steps of messages, memory accesses or both.
    Metered {
        /// Pattern of steps that was timed.
        meter: Meter,
        /// Series of durations from each rank.
        ranks: Vec<Metered>,
    },
    /// Transfer times of a cache line from core to core.
    Lines {
        /// Numbers of the cores, all pairs of which were measured.
        cores: Vec<usize>,
        /// Duration of the repeated looks, in s. `None` if each pair looked only a few times in immediate succession.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        for_s: Option<f64>,
        /// All looks, in the order of time.
        looks: Vec<PairLook>,
    },
}

/// Comparison of work between synchronisations under noise with its predictions: launches of a program of equal grains,
/// in µs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// Duration of an undisturbed grain, in µs.
    pub grain_us: f64,
    /// Number of grains in a launch.
    pub count: u32,
    /// Duration of the barrier after each grain, in µs.
    pub barrier_us: f64,
    /// Number of launches that were timed.
    pub launches: u32,
    /// Measured mean of the launches, in µs, with its interval.
    pub measured: Estimate,
    /// Mean predicted by replaying the noise recorded before and after, in µs, with the interval in which the measured
    /// mean is expected.
    pub played: Estimate,
    /// Means predicted by replaying each of the two recordings alone, in µs.
    pub recordings: [f64; 2],
    /// Prediction of the closed form with the simultaneity of all ranks, in µs. `None` where a grain has more than one
    /// detour of a class.
    pub closed: Option<f64>,
    /// Prediction for ranks that are disturbed independently of each other, in µs.
    pub independent: f64,
}

impl Proof {
    /// Whether the measured mean lies in the expected interval.
    pub fn is_met(&self) -> bool {
        (self.played.low..=self.played.high).contains(&self.measured.value)
    }

    /// Returns the duration of a launch without noise, in µs.
    pub fn alone_us(&self) -> f64 {
        (self.grain_us + self.barrier_us) * f64::from(self.count)
    }
}

impl Tested {
    /// Returns an answer of this process alone, on a number of cores.
    pub fn here(cores: u32, date: String, found: TaskResult) -> Tested {
        let (world, carrier) = (World::Threads, Carrier::Native);
        let (ran_by, launch, notes) = (String::new(), None, Vec::new());
        Tested { number: 0, world, carrier, ranks: 0, cores, ran_by, date, launch, notes, found }
    }

    /// Returns the position of one of its numbers on the axes.
    pub fn key(&self, operation: &str, form: &str) -> Key {
        Key::default()
            .named(Axis::Operation, operation)
            .named(Axis::Form, form)
            .counted(Axis::Ranks, (self.ranks > 0).then_some(self.ranks))
            .named(Axis::World, self.world.name())
            .named(Axis::Transport, self.carrier.name())
    }

    /// Whether there were more ranks than cores.
    pub fn oversubscribed(&self) -> bool {
        self.ranks > self.cores
    }
}
