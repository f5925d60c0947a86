//! Scenario files: a question, and the cases that answer it. The crate also reads sweep files, the expectations of
//! both, the coordinates of a case, and the lines of a campaign's file. It has the types and macros with which every
//! crate addresses users: their mistakes ([`BadInput`]), notes on standard error ([`note!`]), and printed output
//! ([`say!`]).
//!
//! # Start here
//!
//! [`Scenario::parse`] reads the files that `parallax run` takes, [`sweep::Sweep::parse`] those of sweeps;
//! [`store::read`] reads the `campaign.jsonl` that every campaign leaves.
//!
//! ```
//! use parallax_scenario::Scenario;
//! use parallax_scenario::store::{self, Line};
//!
//! let text = r#"# By how much does an unsynchronised loop misreport a linear broadcast?
//! methods = ["loop", "window"]
//! calls = 4
//!
//! [simulated]
//! model = "hockney"
//! parameters = "alpha=1ms,beta=10ns/B"
//!
//! [[case]]
//! world = "simulated"
//! ranks = [4, 8]
//! operation = "bcast"
//! algorithms = ["linear", "binomial"]
//! bytes = "1 KiB"
//! "#;
//! let scenario = Scenario::parse("loop.toml", text)?;
//! let cases: Vec<String> = scenario.groups.iter().flat_map(|group| &group.cases).map(ToString::to_string).collect();
//! assert_eq!(cases.len(), 2 * 2 * 3); // ranks, algorithms, methods; loops are traced, too, for a picture
//!
//! # let folder = "../tests/golden/campaigns/run";
//! let campaign = store::read(format!("{folder}/campaign.jsonl"))?;
//! let measured = campaign.lines.iter().filter(|line| matches!(line, Line::Measured(_)));
//! assert!(campaign.finished() && measured.count() > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Stability
//!
//! 0.x: no promise yet. Names, types and fields may change in every release.

#![warn(unreachable_pub)]

pub mod axis;
mod bad_input;
pub mod expect;
pub mod files;
#[cfg(test)]
mod fixture;
mod note;
mod read;
pub mod shipped;
mod simulated;
mod small;
mod source;
pub mod store;
pub mod sweep;
mod timing;
pub mod words;

pub use bad_input::BadInput;
pub use note::{Output, say_on_standard_error};
pub use simulated::SimulatedMachine;
pub use source::ScenarioError;
pub(crate) use source::Source;

use crate::expect::Told;
use models::clock::ClockSpread;
use models::collective::Algorithm;
use models::network::Hockney;
use programs::method::{Factors, Method, RoundTimeSettings, WindowSettings};
use programs::observation::{Barrier, Carrier, Case, CasePlace, Conditions, Implementation, Occasion, World};

/// A scenario as it is run: all values resolved, all cases listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Question of the scenario: the first line of the file, without its `#`.
    pub question: String,
    /// Name of the file without folder and ending.
    pub name: String,
    /// Seed of every random draw.
    pub seed: u64,
    /// Methods to compare, in the file's order.
    pub methods: Vec<Method>,
    /// Numbers of calls per loop, k: one or several.
    pub calls: Vec<u32>,
    /// Number of independent repeats of each loop.
    pub samples: u32,
    /// Number of launches of the ranks.
    pub launches: u32,
    /// Number of calls before timing, after the cold first one. `None`: as many as the network needs.
    pub warmup: Option<u32>,
    /// Barriers inside the methods. With several, every method that calls a barrier has a case for each.
    pub barriers: Vec<Barrier>,
    /// Settings of the method `window`.
    pub window: WindowSettings,
    /// Settings of the method `round-time`.
    pub round_time: RoundTimeSettings,
    /// Factors in which benchmarks differ, whatever the method.
    pub factors: Factors,
    /// Network that emulated worlds imitate.
    pub emulated: Hockney,
    /// Largest offsets, skews and other errors of the simulated ranks' clocks.
    pub clocks: ClockSpread,
    /// Machines of simulated ranks, as the table `[simulated]` lists them. Empty without that table.
    pub machines: Vec<SimulatedMachine>,
    /// Expectations, findings and small form that the file gives.
    pub told: Told,
    /// Groups of cases that are launched together, one launch after the other.
    pub groups: Vec<Group>,
}

/// Ranks that are started together: one launch serves all its subjects and methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// World in which the ranks run.
    pub world: World,
    /// Carrier of the messages between the ranks.
    pub carrier: Carrier,
    /// Number of ranks in the group.
    pub ranks: u32,
    /// Clock and simulated machine, which all cases of the group share.
    pub conditions: Conditions,
    /// Launch in which the group runs.
    pub occasion: Occasion,
    /// Whether waits of known duration are timed. Real ranks always time them.
    pub waits: bool,
    /// Cases of the group, methods innermost, `loop-trace` last for each subject.
    pub cases: Vec<Case>,
}

impl Group {
    /// Returns a group of ranks in a first launch, under usual conditions.
    pub fn new(world: World, carrier: Carrier, ranks: u32, cases: Vec<Case>) -> Group {
        let (conditions, occasion) = Default::default();
        Group { world, carrier, ranks, conditions, occasion, waits: false, cases }
    }

    /// Returns the group in another launch. Only the first launch is traced for a picture.
    fn again(&self, launch: u32) -> Group {
        let mut group = Group { occasion: Occasion { launch }, ..self.clone() };
        group.cases.retain(|case| launch == 0 || case.timing.method != Method::LoopTrace);
        group
    }

    /// Returns the place that all its cases share.
    pub fn place(&self) -> CasePlace {
        CasePlace { world: self.world, carrier: self.carrier, ranks: self.ranks }
    }

    /// Returns the name of the group's machine. Cases of one group share calibrated parameters.
    pub fn machine_name(&self) -> String {
        machine_name(self.place())
    }

    /// Returns the approximate length of the longest message of any case, in bytes: the longest that the first rank,
    /// the root or the last rank sends. The messages of a library's call are unknown: half of all blocks is assumed,
    /// the most that a binomial tree sends.
    pub fn longest_message(&self) -> u64 {
        self.cases.iter().map(longest_message).max().unwrap_or(0)
    }
}

/// Returns the name of the machine formed by the ranks of a place, for files and output.
pub fn machine_name(place: CasePlace) -> String {
    // An emulated network with a name needs no prefix.
    let carrier = place.carrier.name().trim_start_matches("emulated-");
    format!("{}-{carrier}-{}", place.world.name(), place.ranks)
}

fn longest_message(case: &Case) -> u64 {
    let shape = case.shape();
    let Implementation::Own(name) = &case.subject.implementation else {
        return if case.subject.collective.has_blocks() { shape.total() / 2 } else { shape.bytes };
    };
    let Ok(algorithm) = Algorithm::find(case.subject.collective, name) else { return shape.bytes };
    let ends = [0, shape.root, shape.ranks - 1];
    let sent = ends.into_iter().flat_map(|rank| algorithm.steps(&shape, rank).filter_map(|step| step.sent()));
    sent.map(|(_, part)| part.bytes).max().unwrap_or(0)
}

impl Scenario {
    /// Reads a scenario from its text. `file` is used in messages and for the name.
    ///
    /// # Errors
    /// Returns the first error, with file, line, key and what was expected.
    pub fn parse(file: &str, text: &str) -> Result<Scenario, ScenarioError> {
        read::read(file, text)
    }

    /// Returns the barrier of a case's method: the case's own, or else the file's first. Where a library is called and
    /// the file's first barrier is one of our algorithms, it is the library's own.
    pub fn barrier_of(&self, case: &Case) -> Barrier {
        let first = self.barriers[0];
        let usual =
            if case.subject.implementation.is_library() && !first.is_library() { Barrier::Library } else { first };
        case.timing.conditions.barrier.unwrap_or(usual)
    }
}
