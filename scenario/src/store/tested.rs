//! What ranks answered to a test, as a line of a campaign.

use crate::axis::{Axis, Key};
use models::clock::{ClockKind, ReportCard};
use models::detours::{Collection, Recorded, Worked, Working};
use models::machine::{Estimate, PairLook};
use models::memory::{MemoryTest, Probe};
use models::meters::{Meter, Metered};
use models::observation::{Carrier, ClockCheck, World};
use models::point_to_point::{Record, Test};
use models::sync::{Sharing, Trial};
use serde::{Deserialize, Serialize};

/// What the ranks of a launch answered to one of the things that they were asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// Which launch of the campaign, counted from 0.
    pub number: u32,
    /// Where.
    pub world: World,
    /// Over what.
    pub carrier: Carrier,
    /// How many ranks there were; 0: threads of the command itself.
    pub ranks: u32,
    /// Cores that they could use.
    pub cores: u32,
    /// Library and version, host and clock, where ranks said so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ran_by: String,
    /// When, UTC.
    pub date: String,
    /// The line that started the ranks, where a launcher did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<String>,
    /// What readers must know: crowded cores, other programs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The answer.
    pub found: Found,
}

/// A result, with the task that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Found {
    /// What two ranks at a time exchanged.
    Exchanged {
        /// The task.
        test: Test,
        /// What was recorded.
        record: Record,
    },
    /// What was in the memory of each rank's process.
    Memory {
        /// What was used.
        test: MemoryTest,
        /// One list for each rank, in the order of time.
        ranks: Vec<Vec<Probe>>,
    },
    /// What came of clock synchronisations.
    Synchronised {
        /// The clock that ranks read.
        clock: ClockKind,
        /// What was done about ranks that share it.
        sharing: Sharing,
        /// Each synchronisation.
        trials: Vec<Trial>,
    },
    /// What a clock is worth.
    Clock(ReportCard),
    /// Waits of known duration by a clock.
    Waits(ClockCheck),
    /// Calls whose every byte was right.
    Checked {
        /// Of these operations; of all algorithms, where none is named.
        operations: Vec<String>,
        /// How many, on every rank.
        calls: u32,
    },
    /// Detours, which are in files of the campaign's folder.
    Noise {
        /// How they were found.
        collection: Collection,
        /// What each rank recorded.
        ranks: Vec<Recorded>,
    },
    /// What work between synchronisations took.
    Worked {
        /// What was worked.
        working: Working,
        /// What each rank's clock says.
        ranks: Vec<Worked>,
    },
    /// What such work took beside what recorded noise says of it.
    Proved {
        /// Length of grain by length of grain.
        points: Vec<Proof>,
    },
    /// What programs' doings took, again and again.
    Metered {
        /// What was done.
        meter: Meter,
        /// What each rank timed.
        ranks: Vec<Metered>,
    },
    /// How long a cache line takes from core to core.
    Lines {
        /// Between all pairs of these.
        cores: Vec<usize>,
        /// For how long they looked again and again, in s; none if each pair did so a few times at once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        for_s: Option<f64>,
        /// All looks, in the order of time.
        looks: Vec<PairLook>,
    },
}

/// Work between synchronisations under noise: launches of a program of equal grains, in µs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proof {
    /// How long a grain takes where nothing disturbs it.
    pub grain_us: f64,
    /// How many there are in a launch.
    pub count: u32,
    /// The barrier after each.
    pub barrier_us: f64,
    /// How many launches were timed.
    pub launches: u32,
    /// Their mean, with its interval.
    pub measured: Estimate,
    /// What playing the noise says that was recorded before and behind, with the interval in which such a mean is expected.
    pub played: Estimate,
    /// What each of the two recordings says alone.
    pub recordings: [f64; 2],
    /// What the closed form says, with the simultaneity of all ranks; none where a grain has more than one detour of a class.
    pub closed: Option<f64>,
    /// What independent ranks would take.
    pub independent: f64,
}

impl Proof {
    /// Whether the mean that was measured lies where it is expected.
    pub fn is_met(&self) -> bool {
        (self.played.low..=self.played.high).contains(&self.measured.value)
    }

    /// What it takes without noise.
    pub fn alone_us(&self) -> f64 {
        (self.grain_us + self.barrier_us) * f64::from(self.count)
    }
}

impl Tested {
    /// An answer of this process alone, on so many cores.
    pub fn here(cores: u32, date: String, found: Found) -> Tested {
        let (world, carrier) = (World::Threads, Carrier::Native);
        let (ran_by, launch, notes) = (String::new(), None, Vec::new());
        Tested { number: 0, world, carrier, ranks: 0, cores, ran_by, date, launch, notes, found }
    }

    /// Where a number of it lies.
    pub fn key(&self, operation: &str, form: &str) -> Key {
        Key::default()
            .named(Axis::Operation, operation)
            .named(Axis::Form, form)
            .counted(Axis::Ranks, (self.ranks > 0).then_some(self.ranks))
            .named(Axis::World, self.world.name())
            .named(Axis::Transport, self.carrier.name())
    }

    /// True if there were more ranks than cores.
    pub fn oversubscribed(&self) -> bool {
        self.ranks > self.cores
    }
}
