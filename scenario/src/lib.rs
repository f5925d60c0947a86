//! Scenario files: a question, and the cases that answer it. Beside them: sweep files, the expectations of both, the
//! coordinates of a case, and the lines of a campaign's file. And what every crate says to users: mistakes of theirs
//! ([`BadInput`]) and notes on standard error ([`note!`]), and what it prints ([`say!`]).
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
use models::method::{Factors, Method, RoundTimeSettings, WindowSettings};
use models::network::Hockney;
use models::observation::{Barrier, Carrier, Case, CasePlace, Conditions, Implementation, Occasion, World};

/// A scenario as it is run: all values resolved, all cases listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The first line of the file: what it asks.
    pub question: String,
    /// The file's name without folder and ending.
    pub name: String,
    /// The one seed of every random draw.
    pub seed: u64,
    /// The methods to compare, in the file's order.
    pub methods: Vec<Method>,
    /// Calls per loop, k: one number or several.
    pub calls: Vec<u32>,
    /// Independent repeats of each loop.
    pub samples: u32,
    /// How often ranks are started.
    pub launches: u32,
    /// Calls before timing, after the cold first one; as many as the network needs, if it is not said.
    pub warmup: Option<u32>,
    /// The barriers inside the methods. Of several, every case of a method that calls one has its own.
    pub barriers: Vec<Barrier>,
    /// The window method's settings.
    pub window: WindowSettings,
    /// The method `round-time`'s settings.
    pub round_time: RoundTimeSettings,
    /// What benchmarks do differently under any method.
    pub factors: Factors,
    /// The network that emulated worlds play.
    pub emulated: Hockney,
    /// How wrong the clocks of simulated ranks are.
    pub clocks: ClockSpread,
    /// The machines on which simulated ranks are, where cases ask for them.
    pub machines: Vec<SimulatedMachine>,
    /// What is expected, what was found, and the small form.
    pub told: Told,
    /// The subjects, each to be run by every method.
    pub groups: Vec<Group>,
}

/// Ranks that are started together: one launch serves all its subjects and methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Where.
    pub world: World,
    /// Over what.
    pub carrier: Carrier,
    /// How many ranks.
    pub ranks: u32,
    /// Which clock and simulated machine: what all its cases share.
    pub conditions: Conditions,
    /// Which launch.
    pub occasion: Occasion,
    /// Whether waits of known duration are timed; real ranks always time them.
    pub waits: bool,
    /// The cases, methods innermost, `loop-trace` last for each subject.
    pub cases: Vec<Case>,
}

impl Group {
    /// Ranks in a first launch, under usual conditions.
    pub fn new(world: World, carrier: Carrier, ranks: u32, cases: Vec<Case>) -> Group {
        let (conditions, occasion) = Default::default();
        Group { world, carrier, ranks, conditions, occasion, waits: false, cases }
    }

    /// The same in one of several launches; the first alone is traced for a picture.
    fn again(&self, launch: u32) -> Group {
        let mut group = Group { occasion: Occasion { launch }, ..self.clone() };
        group.cases.retain(|case| launch == 0 || case.timing.method != Method::LoopTrace);
        group
    }

    /// The place of all its cases.
    pub fn place(&self) -> CasePlace {
        CasePlace { world: self.world, carrier: self.carrier, ranks: self.ranks }
    }

    /// Name of the group's machine: cases of one group share calibrated parameters.
    pub fn machine_name(&self) -> String {
        machine_name(self.place())
    }

    /// About the longest message of any case, in bytes: that of the ranks at both ends and of the root. Of a library's
    /// call it is not known: half of all blocks at most, as in a binomial tree.
    pub fn longest_message(&self) -> u64 {
        self.cases.iter().map(longest_message).max().unwrap_or(0)
    }
}

/// Name of the machine that the ranks of a place are, in files and output.
pub fn machine_name(place: CasePlace) -> String {
    // Of an emulated network with a name, the name is enough.
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
    /// The first thing wrong: file, line, key, what was expected.
    pub fn parse(file: &str, text: &str) -> Result<Scenario, ScenarioError> {
        read::read(file, text)
    }

    /// The barrier that a case's method is given: the case's own, or the file's first; where a library is called and that is
    /// one of our algorithms, the library's own.
    pub fn barrier_of(&self, case: &Case) -> Barrier {
        let first = self.barriers[0];
        let usual =
            if case.subject.implementation.is_library() && !first.is_library() { Barrier::Library } else { first };
        case.timing.conditions.barrier.unwrap_or(usual)
    }
}
