//! The plan of a campaign of budgets: its launches, and the configurations and rounds that each of them runs.

use crate::choice::{ModelChoice, NetworkChoice};
use crate::measuring::plan::MeasurementPlan;
use campaign::launch::Site;
use campaign::planned::CommandPlan;
use campaign::progress::Expected;
use models::call::Element;
use models::clock::ClockKind;
use models::clock::ClockSpread;
use programs::budget::{Configuration, Design};
use programs::machine::Machine;
use programs::observation::{Carrier, Case, Conditions, Implementation, Occasion, World};
use scenario::BadInput;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Complete request of a campaign of budgets, kept in the campaign so that it can be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BudgetPlan {
    /// Configuration at which every budget begins.
    pub from: Configuration,
    /// Configuration at which every budget ends.
    pub to: Configuration,
    /// Operations, worlds, ranks, lengths, and numbers of calls.
    pub calls: MeasurementPlan,
    /// Whether simulated ranks alone are asked, too.
    pub simulated: bool,
    /// Number of runs of each configuration.
    pub rounds: u32,
    /// Clock of the configurations that take clocks as they are; `None` for the one that benchmarks read in that world.
    pub benchmark_clock: Option<ClockKind>,
    /// Text of a machine file; `None` if machines are calibrated.
    pub machine: Option<String>,
    /// Network of simulated ranks, where there is no machine file.
    pub modelled: Modelled,
}

/// Settings of simulated ranks beside a machine, as the flags give them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Modelled {
    /// Name of the network model; `None` for the richest that was calibrated, where there is a machine.
    pub model: Option<String>,
    /// Parameters of the network model, as `--set` has them.
    pub set: Option<String>,
    /// Send rule of Hockney's model.
    pub send_rule: Option<String>,
    /// Refinements of the platform, as `--platform` has them.
    pub platform: Option<String>,
    /// Sources of noise, as `--noise` has them.
    pub noise: Vec<String>,
    /// Errors of the clocks, as `--clocks` has them.
    pub clocks: Option<String>,
}

impl Modelled {
    /// Returns these settings as a choice of a network model.
    pub(super) fn choice(&self) -> ModelChoice {
        let (model, set, send_rule) = (self.model.clone(), self.set.clone(), self.send_rule.clone());
        ModelChoice {
            network: NetworkChoice { model, send_rule, set },
            machine: None,
            pairs: None,
            platform: self.platform.clone(),
        }
    }

    /// Returns the sources of noise, with `machine` replaced by those of the machine.
    pub(crate) fn sources(&self, machine: Option<&Machine>) -> Vec<String> {
        let of_machine = || machine.and_then(|machine| machine.noise.as_ref()).map(|sample| sample.sources.clone());
        let sources = self.noise.iter().flat_map(|source| match source.as_str() {
            "machine" => of_machine().unwrap_or_default(),
            other => vec![other.to_owned()],
        });
        sources.collect()
    }

    /// Returns the errors of clocks, or `None` where no flag gives them. A reading takes `good.read_cost`, as that of a
    /// good clock does, unless the flag states its cost.
    pub fn clocks(&self, good: ClockSpread) -> Result<Option<ClockSpread>, BadInput> {
        let clocks = self.clocks.as_deref().map(|text| ClockSpread::parse_over(good, text)).transpose();
        clocks.map_err(|message| BadInput(format!("--clocks: {message}")))
    }
}

/// Ranks that are started together, and their share of the rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    /// World in which the ranks run.
    pub world: World,
    /// Number of ranks that are started.
    pub ranks: u32,
    /// Number of the launch.
    pub occasion: Occasion,
    /// Clock that the ranks read.
    pub clock: ClockKind,
    /// Rounds that it runs; empty in the launch that judges the benchmarks' clock.
    pub rounds: Range<u32>,
}

impl Launch {
    /// True if it judges the clock that benchmarks read, and does nothing else.
    pub(crate) fn judges_clock(&self) -> bool {
        self.rounds.is_empty()
    }
}

impl BudgetPlan {
    /// Returns the clock that benchmarks read in a world: `MPI_Wtime`, which most libraries derive from the monotonic
    /// clock.
    pub(crate) fn clock_of_benchmarks(&self, world: World) -> ClockKind {
        self.benchmark_clock.unwrap_or(match world {
            World::Threads | World::Simulated => ClockKind::ClockMonotonic,
            World::Mpi(_) => ClockKind::MpiWtime,
        })
    }

    /// Returns both ends of the budget of a case: an operation without a root has none that changes.
    pub(crate) fn ends(&self, case: &Case) -> (Configuration, Configuration) {
        let rooted = case.subject.collective.is_rooted();
        (self.from.rooted(rooted), self.to.rooted(rooted))
    }

    /// Returns the configurations that are run for a case.
    pub(crate) fn runs(&self, case: &Case) -> Vec<Configuration> {
        let (from, to) = self.ends(case);
        Configuration::runs(&Design::between(&from, &to).cells, case.place.carrier)
    }

    /// Returns the cases of the ranks of a world.
    ///
    /// # Errors
    /// Names the flag whose request is impossible, and the reason.
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

    /// Returns the type of elements in reductions, where either end names one.
    pub(crate) fn element(&self) -> Option<Element> {
        self.to.element.or(self.from.element)
    }

    /// Returns the cases of simulated ranks alone; the world that they name has no meaning.
    ///
    /// # Errors
    /// Names the flag whose request is impossible, and the reason.
    pub fn simulated_cases(&self, ranks: u32) -> Result<Vec<Case>, String> {
        let mut cases = self.calls.subjects(World::Threads, ranks)?;
        cases.iter_mut().for_each(|case| case.place.carrier = Carrier::Native);
        Ok(cases)
    }

    /// Returns all launches in order. The rounds are spread over the requested number of launches, and where benchmarks
    /// read another clock than the best, a launch of its own judges that clock.
    ///
    /// # Errors
    /// Names the flag whose request is impossible, and the reason.
    pub fn launches(&self, cores: u32) -> Result<Vec<Launch>, String> {
        let mut launches = Vec::new();
        for launch in 0..self.calls.launches {
            for &world in &self.calls.worlds {
                for &ranks in &self.calls.ranks {
                    crate::measuring::check::check_ranks(world, ranks, cores)?;
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

impl CommandPlan for BudgetPlan {
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

/// Returns a case as the record of one of its runs names it.
pub(crate) fn recorded(case: &Case, run: &Configuration, plan: &BudgetPlan) -> Case {
    let conditions =
        Conditions { sync: plan.calls.sync, buffer: run.buffer, window: run.gap.window, ..Conditions::default() };
    case.by(run.method()).under(conditions)
}
