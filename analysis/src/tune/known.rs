//! Tunings without ranks: from measured or published numbers that exist already, and from simulated ranks.

use super::plan::{BY_PRINT, TUNED, TunePlan, split};
use super::{Numbers, files, keep_reference};
use crate::choice::{Memory, ModelChoice, Pairs};
use crate::compare::{InputChoice, read_side};
use crate::measuring::orders::order;
use crate::measuring::several::fits;
use crate::printed::{Choice, CorrectedNumber, CorrectedNumbers, corrected};
use anyhow::Context;
use campaign::RecordedCampaign;
use campaign::launch::Site;
use formats::tuning::Target;
use models::call::{Call, Element, LengthForm};
use models::collective::Collective;
use models::platform::Platform;
use programs::machine::{Arithmetic, Bound, Estimate, Machine};
use programs::method::Preset;
use programs::observation::{Barrier, Case, Implementation, World};
use programs::played::as_played;
use rayon::prelude::*;
use render::results::{Look, Results};
use scenario::BadInput;
use scenario::axis::{Axis, Key};
use sim::Predictor;
use std::path::{Path, PathBuf};
use study::contrast::{Demand, Side};
use study::tuning::{By, Timed, Tuned, Tuning, Way, called, of_times, tuning};

/// Request of a tuning from numbers that exist already.
pub struct FromNumbers<'a> {
    /// The numbers, as a side of a comparison.
    pub source: &'a str,
    /// Settings by which they are read.
    pub input: InputChoice,
    /// World of the library, where the numbers have several.
    pub world: Option<World>,
    /// Confidence of a choice, and the least gain that is worth a change.
    pub demand: Demand,
    /// Whether all operators of reductions commute.
    pub commuting: bool,
}

impl FromNumbers<'_> {
    /// Chooses by the numbers, writes tables and page into a folder, and returns the results with the folder.
    ///
    /// # Errors
    /// Fails on numbers from which nothing can be chosen, and on files that cannot be written.
    pub fn keep(&self, out: Option<&Path>, site: &Site) -> anyhow::Result<(Tuned, PathBuf)> {
        let title = |world: World| format!("Which algorithms should {} choose, by {}?", world.title(), self.source);
        let folder = Path::new(self.source);
        if RecordedCampaign::is_in(folder) {
            let campaign = RecordedCampaign::read(folder)?;
            // Launches of a proof are none of the choice.
            if let Some(plan) = campaign.plan::<TunePlan>()? {
                let Demand { confidence, at_least } = self.demand;
                let plan = TunePlan { confidence, at_least, ..plan };
                let found = Numbers::of(&plan, &campaign).tuning()?;
                return write(vec![(TUNED, found)], title(plan.world()), plan.target(), (out, site));
            }
        }
        if is_published(folder) {
            let message =
                "published numbers are corrected before they choose; give the machine: --machine FILE or NAME";
            return Err(BadInput(format!("{}: {message} (`parallax calibrate --from` makes one)", self.source)).into());
        }
        let mut side = read_side(self.source, &self.input)?;
        let world = self.world_of(&mut side)?;
        keep_reference(&mut side);
        let target = Target { world, hosts: site.host_count(), commuting: self.commuting };
        side.cases.retain(|case| match case.key.text(Axis::Algorithm).strip_prefix(Implementation::FORCED) {
            Some(name) => called(&case.key).is_ok_and(|(collective, call)| target.can_hold(collective, &call, name)),
            None => true,
        });
        let found = tuning(&side, By::Reference, self.demand, &|at| split(target, at)).map_err(BadInput)?;
        write(vec![(TUNED, found)], title(world), target, (out, site))
    }

    /// Leaves the cases of one world in a side, and returns it.
    fn world_of(&self, side: &mut Side) -> Result<World, BadInput> {
        let named: Vec<String> = side.values(Axis::World).iter().map(|value| value.to_string()).collect();
        let wanted = match (self.world, &named[..]) {
            (Some(world), _) => world.name().to_owned(),
            (None, [one]) => one.clone(),
            (None, []) => return Err(BadInput(format!("{}: it does not say which library it is of", self.source))),
            (None, several) => {
                let known = several.join(", ");
                return Err(BadInput(format!(
                    "{}: it is of several worlds ({known}); choose one by --world",
                    self.source
                )));
            }
        };
        side.choose(Axis::World, &wanted).map_err(BadInput)?;
        World::find(&wanted, World::real()).map_err(BadInput)
    }
}

/// Whether a file or folder holds published numbers.
fn is_published(path: &Path) -> bool {
    let is_run = published::is_run(path) && !RecordedCampaign::is_in(path);
    is_run || std::fs::read_to_string(path).is_ok_and(|text| published::is_published(&text))
}

/// Request of a tuning by simulated ranks.
pub struct BySimulation {
    /// Calls and algorithms, in one world.
    pub plan: TunePlan,
    /// Machine or network of the ranks.
    pub model: ModelChoice,
}

impl BySimulation {
    /// Simulates every algorithm that simulated ranks know, writes tables and page into a folder, and returns the results
    /// with the folder.
    ///
    /// # Errors
    /// Fails on calls that cannot be simulated, and on files that cannot be written.
    pub fn keep(&self, out: Option<&Path>, site: &Site) -> anyhow::Result<(Tuned, PathBuf)> {
        let BySimulation { plan, model } = self;
        let machine = model.machine()?;
        let name = match &machine {
            Some(machine) => machine.name.clone(),
            None => model.network.set.clone().unwrap_or_else(|| model.network.name().to_owned()),
        };
        let mut cases = Vec::new();
        for &ranks in &plan.calls.ranks {
            let all = plan.calls.subjects(plan.world(), ranks).map_err(BadInput)?;
            cases.extend(all.into_iter().filter(fits));
        }
        let sets = machine.as_ref().map(Machine::sets);
        let timed = cases.par_iter().map(|case| self.timed(case, sets.as_deref()));
        let timed = timed.collect::<anyhow::Result<Vec<Timed>>>()?;
        let by = By::Predicted(name.clone());
        let found = of_times(&name, by, timed, plan.demand(), &|at| split(plan.target(), at));
        let question = campaign::planned::CommandPlan::question(plan);
        write(vec![(TUNED, found.map_err(BadInput)?)], question, plan.target(), (out, site))
    }

    /// Returns the slowest rank's time in one call that all ranks enter together.
    fn timed(&self, case: &Case, sets: Option<&[(Machine, Bound)]>) -> anyhow::Result<Timed> {
        let alone = self.model.pairs.is_none() && self.model.platform.is_none();
        let us = match sets.filter(|_| alone) {
            Some(sets) => sets.iter().map(|set| self.us(case, of_set(set, case)?)).collect::<anyhow::Result<_>>()?,
            None => vec![self.us(case, self.model.platform_with(Memory::Counts, Pairs::Connected, case.place.ranks)?)?],
        };
        let way = match &case.subject.implementation {
            Implementation::Forced(name) => {
                Some(Way { algorithm: name.clone(), segment_bytes: case.subject.segment_bytes })
            }
            Implementation::Own(_) | Implementation::Library | Implementation::Tuned(_) | Implementation::Shared(_) => {
                None
            }
        };
        // Simulated ranks measure nothing.
        let told = |axis| ![Axis::Method, Axis::Sync, Axis::Buffer, Axis::Transport].contains(&axis);
        Ok(Timed { at: Key::from_case(case).within(told), way, us })
    }

    /// Returns the time of a call on a platform, in µs.
    fn us(&self, case: &Case, platform: Platform) -> anyhow::Result<Estimate> {
        let order = as_played(case, &order(&self.plan.calls, case, false), &platform);
        let network = platform.network;
        let predictor = Predictor { network: platform, ..Predictor::perfect(network) };
        Ok(Estimate::exactly(predictor.truth(&order)?.into_iter().max().unwrap_or_default().as_us()))
    }
}

/// Returns the platform of a machine's set of parameters. Reductions take the library's own time.
fn of_set((machine, bound): &(Machine, Bound), case: &Case) -> anyhow::Result<Platform> {
    let model = *machine.models().last().context("a machine has a model")?;
    machine.platform_with_memory(model, *bound, Arithmetic::from_case(case)).map_err(anyhow::Error::msg)
}

/// Request of a tuning from numbers that were published.
pub struct FromPublished<'a> {
    /// The numbers.
    pub choice: Choice,
    /// Barrier between the calls, where the files do not state it.
    pub barrier: Option<Barrier>,
    /// Machine by which the numbers are corrected, by its file or name.
    pub machine: &'a str,
    /// World of the library that reads the table; `None` for that of the published version.
    pub world: Option<World>,
    /// The least gain that is worth a change.
    pub demand: Demand,
    /// Whether all operators of reductions commute.
    pub commuting: bool,
}

impl FromPublished<'_> {
    /// Chooses by the corrected numbers, and by the numbers as they are; writes tables and page into a folder, and returns
    /// the results with the folder.
    ///
    /// # Errors
    /// Fails on numbers from which nothing can be chosen, and on files that cannot be written.
    pub fn keep(&self, out: Option<&Path>, site: &Site) -> anyhow::Result<(Tuned, PathBuf)> {
        let machine = crate::machine::find(self.machine)?;
        let found = corrected(&self.choice, self.barrier, &machine)?;
        let world = self.world_of(&found)?;
        let target = Target { world, hosts: found.nodes.unwrap_or(2), commuting: self.commuting };
        let (name, title) = (self.choice.file.display().to_string(), world.title());
        let mut tunings = Vec::new();
        for (table, by) in
            [(TUNED, By::Corrected(machine.name.clone())), (BY_PRINT, By::Published(PICO.title().to_owned()))]
        {
            let timed = found.numbers.iter().filter_map(|number| {
                let us = match table {
                    TUNED => number.true_us.clone(),
                    _ => vec![Estimate::exactly(number.printed_us)],
                };
                timed_of(number, us, target)
            });
            let mut tuning =
                of_times(&name, by, timed.collect(), self.demand, &|at| split(target, at)).map_err(BadInput)?;
            if table == TUNED {
                tuning.notes.extend(found.left_out.iter().map(|out| format!("Left out: {out}.")));
            }
            tunings.push((table, tuning));
        }
        let question = format!("Which algorithms should {title} choose on {}, by published numbers?", found.system);
        write(tunings, question, target, (out, site))
    }

    /// Returns the world of the library that reads the table.
    fn world_of(&self, found: &CorrectedNumbers) -> Result<World, BadInput> {
        let openmpi = World::OPENMPI;
        match (self.world, &found.version) {
            (Some(world), _) if world.library() == openmpi.library() => Ok(world),
            (Some(world), _) => {
                let title = world.title();
                let message = "published numbers are read of Open MPI's algorithms; expected openmpi";
                Err(BadInput(format!("--world: {message}, found {title}")))
            }
            (None, Some(version)) => {
                Ok(World::find(&format!("{}@{version}", openmpi.name()), World::real()).unwrap_or(openmpi))
            }
            (None, None) => Ok(openmpi),
        }
    }
}

/// Framework whose published numbers are read.
const PICO: Preset = Preset::Pico;

/// Returns a published number as that of a call; `None` for an algorithm that a table of the library cannot have.
fn timed_of(number: &CorrectedNumber, us: Vec<Estimate>, target: Target) -> Option<Timed> {
    let collective = number.collective;
    // The framework calls MPI_Reduce_scatter.
    let form = if collective == Collective::ReduceScatter { LengthForm::Vector } else { LengthForm::Regular };
    let element = if collective.combines() { Element::Int } else { Element::default() };
    let call = Call { form, element, ..Call::default() };
    let way = number.algorithm.clone().map(|algorithm| Way { algorithm, segment_bytes: None });
    let is_held = |way: &Way| target.can_hold(collective, &call, &way.algorithm);
    if !way.as_ref().is_none_or(is_held) {
        return None;
    }
    let at = Key::default()
        .named(Axis::World, target.world.name())
        .named(Axis::Operation, collective.name())
        .counted(Axis::Ranks, Some(number.ranks))
        .named(Axis::Form, &scenario::axis::form(collective, &call))
        .counted(Axis::Bytes, Some(number.bytes));
    Some(Timed { at, way, us })
}

/// Writes tables and page of a tuning into a folder, and those of a second one by printed numbers.
fn write(
    tunings: Vec<(&'static str, Tuning)>,
    question: String,
    target: Target,
    (out, site): (Option<&Path>, &Site),
) -> anyhow::Result<(Tuned, PathBuf)> {
    let folder = match out {
        Some(folder) => {
            crate::files::make_page_folder(folder)?;
            folder.to_owned()
        }
        None => campaign::next_free("tune")?,
    };
    files::clear(&folder);
    let own = files::own_table(target.world, site);
    for (name, tuning) in &tunings {
        let written = files::table(target, tuning, &folder, (name, own.as_deref()))?;
        campaign::results::write(&folder, &written.files)?;
    }
    let mut tunings = tunings.into_iter().map(|(name, tuning)| (name.to_owned(), tuning));
    let tuned = Tuned {
        question,
        reference: tunings.next().context("a tuning has a table")?,
        printed: tunings.next(),
        is_to_be_proved: false,
        proof: None,
        files: files::listed(&folder),
        environment: Vec::new(),
        reproduce: vec![campaign::planned::command()],
    };
    let texts = [("summary.txt", tuned.terminal(Look { width: 100, ..Look::IN_FILES })), ("tuning.csv", tuned.csv())];
    let texts = texts.map(|(name, text)| (name.to_owned(), text));
    campaign::results::write(&folder, &texts)?;
    tuned.page().write(&folder)?;
    Ok((tuned, folder))
}
