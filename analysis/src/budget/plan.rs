//! What a campaign of budgets consists of: which launches run which configurations in which rounds.

use crate::choice::{ModelChoice, NetworkChoice};
use crate::measuring::plan::Plan as Calls;
use campaign::launch::Site;
use campaign::planned::Planned;
use campaign::progress::Expected;
use models::budget::{Configuration, Design};
use models::call::Element;
use models::clock::ClockKind;
use models::clock::ClockSpread;
use models::machine::Machine;
use models::observation::{Carrier, Case, Conditions, Implementation, Occasion, World};
use scenario::BadInput;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Everything that was asked; kept in the campaign, so that it can be gone on with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Where every budget begins.
    pub from: Configuration,
    /// Where it ends.
    pub to: Configuration,
    /// What is called, where, how often.
    pub calls: Calls,
    /// Whether simulated ranks alone are asked, too.
    pub simulated: bool,
    /// How often each configuration is run.
    pub rounds: u32,
    /// What ranks read whose clocks are as they are; none: what the world's benchmarks read.
    pub benchmark_clock: Option<ClockKind>,
    /// The text of a machine file; none: machines are calibrated.
    pub machine: Option<String>,
    /// The network of simulated ranks, where there is no machine file.
    pub modelled: Modelled,
}

/// What simulated ranks are told beside a machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Modelled {
    /// Which network model; of a machine, the richest that was calibrated if none is named.
    pub model: Option<String>,
    /// Its parameters.
    pub set: Option<String>,
    /// Hockney's send rule.
    pub send_rule: Option<String>,
    /// Refinements.
    pub platform: Option<String>,
    /// Sources of noise.
    pub noise: Vec<String>,
    /// How wrong clocks are.
    pub clocks: Option<String>,
}

impl Modelled {
    /// The choice that says so.
    pub(super) fn choice(&self) -> ModelChoice {
        let (model, set, send_rule) = (self.model.clone(), self.set.clone(), self.send_rule.clone());
        ModelChoice {
            network: NetworkChoice { model, send_rule, set },
            machine: None,
            pairs: None,
            platform: self.platform.clone(),
        }
    }

    /// The sources of noise; `machine` is those of a machine.
    pub(crate) fn sources(&self, machine: Option<&Machine>) -> Vec<String> {
        let of_machine = || machine.and_then(|machine| machine.noise.as_ref()).map(|sample| sample.sources.clone());
        let sources = self.noise.iter().flat_map(|source| match source.as_str() {
            "machine" => of_machine().unwrap_or_default(),
            other => vec![other.to_owned()],
        });
        sources.collect()
    }

    /// How wrong clocks are, where it is said; a reading of those that are not wrong takes `good.read_cost`, and that of the
    /// wrong ones no less, unless it is said what it takes.
    pub fn clocks(&self, good: ClockSpread) -> Result<Option<ClockSpread>, BadInput> {
        let clocks = self.clocks.as_deref().map(|text| ClockSpread::parse_over(good, text)).transpose();
        clocks.map_err(|message| BadInput(format!("--clocks: {message}")))
    }
}

/// Ranks that are started together.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// Where.
    pub world: World,
    /// How many.
    pub ranks: u32,
    /// When.
    pub occasion: Occasion,
    /// What they read.
    pub clock: ClockKind,
    /// Which rounds; none in the launch that judges the benchmarks' clock.
    pub rounds: Range<u32>,
}

impl Launch {
    /// True if it judges the clock that benchmarks read, and does nothing else.
    pub(crate) fn judges_clock(&self) -> bool {
        self.rounds.is_empty()
    }
}

impl Plan {
    /// The clock that benchmarks read in a world: `MPI_Wtime`, which most libraries make of the monotonic clock.
    pub(crate) fn clock_of_benchmarks(&self, world: World) -> ClockKind {
        self.benchmark_clock.unwrap_or(match world {
            World::Threads | World::Simulated => ClockKind::ClockMonotonic,
            World::Mpi(_) => ClockKind::MpiWtime,
        })
    }

    /// Both ends for what is called: a root that is not there does not change.
    pub(crate) fn ends(&self, case: &Case) -> (Configuration, Configuration) {
        let rooted = case.subject.collective.is_rooted();
        (self.from.rooted(rooted), self.to.rooted(rooted))
    }

    /// What is run for a case.
    pub(crate) fn runs(&self, case: &Case) -> Vec<Configuration> {
        let (from, to) = self.ends(case);
        Configuration::runs(&Design::of(&from, &to).cells, case.place.carrier)
    }

    /// The cases of the ranks of a world.
    ///
    /// # Errors
    /// The flag that asks for what cannot be, and why.
    pub(crate) fn cases(&self, world: World, ranks: u32) -> Result<Vec<Case>, String> {
        let mut cases = self.calls.subjects(world, ranks)?;
        let reduces = |case: &&mut Case| {
            case.subject.collective.combines() && case.subject.implementation == Implementation::Library
        };
        if let Some(element) = self.element() {
            for case in cases.iter_mut().filter(reduces) {
                case.subject.call.element = element;
                case.subject.call.accepts(case.subject.collective, &case.shape()).map_err(|message| {
                    format!("--bytes: {} of {}: {message}", case.subject.collective, element.name())
                })?;
            }
        }
        Ok(cases)
    }

    /// Of which elements reductions are, where an end says so.
    pub(crate) fn element(&self) -> Option<Element> {
        self.to.element.or(self.from.element)
    }

    /// The cases of simulated ranks alone; their world is of no account.
    ///
    /// # Errors
    /// The flag that asks for what cannot be, and why.
    pub fn simulated_cases(&self, ranks: u32) -> Result<Vec<Case>, String> {
        let mut cases = self.calls.subjects(World::Threads, ranks)?;
        cases.iter_mut().for_each(|case| case.place.carrier = Carrier::Native);
        Ok(cases)
    }

    /// All launches, one after the other: the rounds are dealt out to as many as were asked for; where benchmarks read another
    /// clock than the best, that is judged in a launch of its own.
    ///
    /// # Errors
    /// The flag that asks for what cannot be, and why.
    pub fn launches(&self, cores: u32) -> Result<Vec<Launch>, String> {
        let mut launches = Vec::new();
        for launch in 0..self.calls.launches {
            for &world in &self.calls.worlds {
                for &ranks in &self.calls.ranks {
                    crate::measuring::plan::check_ranks(world, ranks, cores)?;
                    self.cases(world, ranks)?;
                    let benchmarks = self.clock_of_benchmarks(world);
                    if world == World::Threads && [benchmarks, self.calls.clock].contains(&ClockKind::MpiWtime) {
                        return Err(
                            "threads have no MPI_Wtime; expected another --clock and --benchmark-clock".to_owned()
                        );
                    }
                    let share = |launch: u32| self.rounds * launch / self.calls.launches;
                    let rounds = share(launch)..share(launch + 1);
                    if !rounds.is_empty() {
                        let occasion = Occasion { launch };
                        launches.push(Launch { world, ranks, occasion, clock: self.calls.clock, rounds });
                    }
                    let computed = self.from.clocks != self.to.clocks && benchmarks != self.calls.clock;
                    if launch == 0 && computed {
                        let occasion = Occasion { launch: self.calls.launches };
                        launches.push(Launch { world, ranks, occasion, clock: benchmarks, rounds: 0..0 });
                    }
                }
            }
        }
        Ok(launches)
    }
}

impl Planned for Plan {
    const NAME: &'static str = "budget";
    const ABOUT: &'static str = "operations";

    fn question(&self) -> String {
        let names: Vec<String> =
            self.calls.operations.iter().map(|operation| operation.call.name_of(operation.collective)).collect();
        let (from, to) = (&self.from.name, &self.to.name);
        let from =
            if from == "reference" { "the reference".to_owned() } else { format!("the number that {from} prints") };
        format!("Which errors lead from {from} to the number that {to} prints for {}?", names.join(", "))
    }

    fn seed(&self) -> u64 {
        self.calls.seed
    }

    fn worlds(&self) -> &[World] {
        &self.calls.worlds
    }

    fn ranks(&self) -> Vec<u32> {
        self.calls.ranks.clone()
    }

    fn expected(&self, site: &Site) -> anyhow::Result<Expected> {
        super::real::expected(self, site)
    }
}

/// A case as a run of it is recorded.
pub(crate) fn recorded(case: &Case, run: &Configuration, plan: &Plan) -> Case {
    let conditions =
        Conditions { sync: plan.calls.sync, buffer: run.buffer, window: run.gap.window, ..Conditions::default() };
    case.by(run.method()).under(conditions)
}
