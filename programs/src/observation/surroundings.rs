//! Surroundings of a rank while it measured: the distance of its neighbour's caches, the speed of its core, and the
//! time that the operating system took from it.
//!
//! A virtual machine's cores may be near each other or far, and change from one second to the next; a cache line that
//! two ranks hand to each other tells which. Numbers of one state repeat to a few per cent, numbers of different states
//! do not.

use super::{Case, Observation, Occasion, Placement, RankRecord};
use models::time::Span;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A look at the machine's state, by two ranks of a host together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineLook {
    /// Time that a cache line takes from one rank to the other: the median of groups of round trips through shared
    /// memory. `None` for a rank that has no neighbour on its host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<Span>,
    /// Time that this rank's core takes for a fixed amount of arithmetic, several operations at a time, in registers
    /// alone: the median of some.
    pub work: Span,
}

/// A look, with the number of stamps before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looked {
    /// Number of stamps that had been recorded before: stamps between two looks are a *stretch*.
    pub before_stamp: u32,
    /// Look that was taken then.
    pub look: MachineLook,
}

/// Surroundings of one rank in an observation.
#[derive(Clone, Debug, PartialEq)]
pub struct RankSurroundings<'a> {
    /// Number of the rank.
    pub rank: u32,
    /// Looks at the machine, in order; empty where the rank could not look.
    pub looks: Cow<'a, [Looked]>,
    /// Counts of the operating system.
    pub usage: Option<Usage>,
    /// Page faults in [`RankRecord::FAULT_CALLS`] calls.
    pub page_faults: Option<u64>,
    /// Place of the rank's queue.
    pub placement: Option<Placement>,
}

impl RankSurroundings<'_> {
    /// Least number of page faults in a call that is no chance: with fewer no library gave memory back.
    const FAULTS_BY_CHANCE: f64 = 8.0;

    /// Returns the number of pages that the operating system gave the rank in each call; 0 where it is no more than
    /// chance, or was not counted.
    pub fn page_faults_per_call(&self) -> f64 {
        let per_call = self.page_faults.map_or(0.0, |found| found as f64 / f64::from(RankRecord::FAULT_CALLS));
        if per_call >= Self::FAULTS_BY_CHANCE { per_call } else { 0.0 }
    }
}

/// Observation, or its head, whose stamps lie in a file.
pub trait Surrounded {
    /// Returns the case that was run.
    fn case(&self) -> &Case;

    /// Returns the launch in which it was run.
    fn occasion(&self) -> Occasion;

    /// Returns the surroundings of each rank, in rank order.
    fn surroundings(&self) -> Vec<RankSurroundings<'_>>;
}

impl Surrounded for Observation {
    fn case(&self) -> &Case {
        &self.case
    }

    fn occasion(&self) -> Occasion {
        self.occasion
    }

    fn surroundings(&self) -> Vec<RankSurroundings<'_>> {
        self.ranks.iter().map(RankRecord::surroundings).collect()
    }
}

impl RankRecord {
    /// Returns what surrounded the rank while it measured.
    pub fn surroundings(&self) -> RankSurroundings<'_> {
        let RankRecord { rank, usage, page_faults, placement, .. } = *self;
        RankSurroundings { rank, looks: Cow::Borrowed(&self.looks), usage, page_faults, placement }
    }
}

/// Counts of the operating system since the rank began, or between two such moments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Time on the clock on the wall.
    pub elapsed: Span,
    /// Time that the rank spent on a core.
    pub on_core: Span,
    /// Time that the rank was ready to run while another process had its core.
    pub waited_for_core: Span,
    /// Number of times that it lost its core though it wanted to go on.
    pub preempted: u64,
    /// Number of times that it was moved to another core, as far as it was noticed.
    pub moved: u64,
    /// Time that all cores of the host were busy for anybody, added up; on one rank of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_busy: Option<Span>,
    /// Time that a hypervisor gave to others while cores of the host had work, added up; on one rank of the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_stolen: Option<Span>,
}

impl Usage {
    /// Shortest time, in s, over which counts of a whole host say anything: they move in steps of 10 ms.
    pub const SHORTEST_SECONDS: f64 = 0.2;

    /// Returns the counts from `before` on.
    pub fn since(&self, before: &Usage) -> Usage {
        let less = |now: Span, then: Span| Span(now.0.saturating_sub(then.0));
        let both = |now: Option<Span>, then: Option<Span>| Some(less(now?, then?));
        Usage {
            elapsed: less(self.elapsed, before.elapsed),
            on_core: less(self.on_core, before.on_core),
            waited_for_core: less(self.waited_for_core, before.waited_for_core),
            preempted: self.preempted.saturating_sub(before.preempted),
            moved: self.moved.saturating_sub(before.moved),
            host_busy: both(self.host_busy, before.host_busy),
            host_stolen: both(self.host_stolen, before.host_stolen),
        }
    }
}
