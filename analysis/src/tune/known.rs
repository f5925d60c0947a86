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
use models::library::Release;
use models::platform::Platform;
use programs::machine::{Arithmetic, Bound, Estimate, Machine};
use programs::method::Preset;
use programs::observation::{Barrier, Case, Implementation, World};
use programs::played::as_played;
use rayon::prelude::*;
use render::groups::{counted, distinct};
use render::results::{Look, Results};
use scenario::BadInput;
use scenario::axis::{Axis, Key};
use sim::Predictor;
use std::path::{Path, PathBuf};
use study::contrast::{Demand, Side};
use study::printed::LeftOut;
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
                self.check_plan(&plan)?;
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

    /// Refuses what a campaign of tuning has decided already.
    fn check_plan(&self, plan: &TunePlan) -> Result<(), BadInput> {
        if self.world.is_some_and(|world| world != plan.world()) {
            let (source, title) = (self.source, plan.world().title());
            return Err(BadInput(format!("--world: {source} is a campaign of {title}; leave it out")));
        }
        if self.commuting && !plan.commuting {
            let message =
                "was not measured with it, so that algorithms for operators that commute are missing; tune anew";
            return Err(BadInput(format!("--commuting: {} {message}", self.source)));
        }
        Ok(())
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
            Some(sets) => {
                sets.iter().map(|set| self.us(case, self.of_set(set, case)?)).collect::<anyhow::Result<_>>()?
            }
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

    /// Returns the platform of a machine's set of parameters. Reductions take the library's own time.
    fn of_set(&self, (machine, bound): &(Machine, Bound), case: &Case) -> anyhow::Result<Platform> {
        let richest = machine.models().last().copied().context("a machine has a model")?;
        let model = self.model.network.model.as_deref().unwrap_or(richest);
        machine.platform_with_memory(model, *bound, Arithmetic::from_case(case)).map_err(|error| BadInput(error).into())
    }

    /// Returns the time of a call on a platform, in µs.
    fn us(&self, case: &Case, platform: Platform) -> anyhow::Result<Estimate> {
        let order = as_played(case, &order(&self.plan.calls, case, false), &platform);
        let network = platform.network;
        let predictor = Predictor { network: platform, ..Predictor::perfect(network) };
        Ok(Estimate::exactly(predictor.truth(&order)?.into_iter().max().unwrap_or_default().as_us()))
    }
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
        if RecordedCampaign::is_in(&self.choice.file) {
            let name = self.choice.file.display();
            return Err(
                BadInput(format!("{name}: a campaign needs no --machine, which corrects published numbers")).into()
            );
        }
        let machine = crate::machine::find(self.machine)?;
        let mut found = corrected(&self.choice, self.barrier, &machine)?;
        let world = self.world_of(&found)?;
        // Where nothing is said about nodes, supercomputers have more than one.
        let target = Target { world, hosts: found.nodes.unwrap_or(2), commuting: self.commuting };
        let mut refused = Vec::new();
        found.numbers.retain(|number| {
            let reason = refusal(number, target);
            refused.extend(reason.clone());
            reason.is_none()
        });
        let reasons = counted(refused).into_iter().map(|(reason, rows)| LeftOut { reason, rows });
        found.left_out.extend(reasons);
        let (name, title) = (self.choice.file.display().to_string(), world.title());
        let tuning = |by: By, us: &dyn Fn(&CorrectedNumber) -> Vec<Estimate>| {
            let timed = found.numbers.iter().map(|number| timed_of(number, us(number), target));
            let timed: Vec<Timed> = timed.filter(|timed| !timed.us.is_empty()).collect();
            of_times(&name, by, timed, self.demand, &|at| split(target, at)).map_err(|_| self.nothing(&found))
        };
        let mut tuned = tuning(By::Corrected(machine.name.clone()), &|number| number.true_us.clone())?;
        let printed = tuning(By::Published(Preset::Pico.title().to_owned()), &|number| {
            vec![Estimate::exactly(number.printed_us)]
        })?;
        tuned.notes.push(grounds(&found, &machine));
        tuned.notes.extend(found.left_out.iter().map(|out| format!("Left out: {out}.")));
        let calls = distinct(found.numbers.iter().map(|one| (one.collective, one.ranks, one.bytes))).len();
        if calls > tuned.calls.len() {
            let missing = calls - tuned.calls.len();
            tuned.notes.push(format!(
                "Left out: {}: a corrected number of the library's own choice (default_ompi) and one of an algorithm are not both \
                 there.",
                models::names::counted(missing, "call")
            ));
        }
        let question = format!("Which algorithms should {title} choose on {}, by published numbers?", found.system);
        write(vec![(TUNED, tuned), (BY_PRINT, printed)], question, target, (out, site))
    }

    /// Returns the error of numbers from which nothing can be chosen.
    fn nothing(&self, found: &CorrectedNumbers) -> BadInput {
        let reasons: String = found.left_out.iter().map(|out| format!("\n  {out}")).collect();
        BadInput(format!(
            "{}: no call has both a number of the library's own choice (default_ompi) and one of an algorithm that its table can \
             have (NAME_ompi){}{reasons}",
            self.choice.file.display(),
            if reasons.is_empty() { "" } else { "; left out:" },
        ))
    }

    /// Returns the world of the library that reads the table.
    ///
    /// # Errors
    /// Fails where its version is not known, or its own choice is that of another component.
    fn world_of(&self, found: &CorrectedNumbers) -> Result<World, BadInput> {
        let (openmpi, name) = (World::OPENMPI, self.choice.file.display());
        let named = |version: &String| World::find(&format!("{}@{version}", openmpi.name()), World::real()).ok();
        let published = found.version.as_ref().and_then(named);
        let world = match (self.world, published) {
            (Some(world), _) if world.library() != openmpi.library() => {
                let title = world.title();
                let message = "published numbers are read of Open MPI's algorithms; expected openmpi";
                return Err(BadInput(format!("--world: {message}, found {title}")));
            }
            (Some(world), published) if world.release().is_some_and(|release| release.version().is_none()) => {
                published.unwrap_or(world)
            }
            (Some(world), _) => world,
            (None, published) => published.unwrap_or(openmpi),
        };
        let Some(version) = world.release().and_then(Release::version) else {
            let message = "the version of the library is not published";
            return Err(BadInput(format!("{name}: {message}; give it: --world openmpi@VERSION, like openmpi@4.1.6")));
        };
        // The model of its own choice is the table of coll/tuned.
        if found.nodes != Some(1) && version.split('.').next().is_some_and(|major| major != "4") {
            let message = "between nodes its own choice is that of coll/han, which is not simulated; expected numbers of 4.0 or 4.1";
            return Err(BadInput(format!("{name}: Open MPI {version}: {message}")));
        }
        Ok(world)
    }
}

/// Returns a sentence on what corrections rest on.
fn grounds(found: &CorrectedNumbers, machine: &Machine) -> String {
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let (median, most) = (percent(found.agreement.median_error), percent(found.agreement.p90_error));
    format!(
        "Barrier between the calls: {}. {} is simulated with {} of parameters; with the best one it predicts what was printed to \
         {median} (median), nine of ten numbers to {most}.",
        found.barriers.join(", "),
        machine.name,
        models::names::counted(machine.sets().len(), "set"),
    )
}

/// Returns the call of a published number.
fn call_of(number: &CorrectedNumber) -> Call {
    // The framework calls MPI_Reduce_scatter, and combines integers.
    let is_vector = number.collective == Collective::ReduceScatter;
    let form = if is_vector { LengthForm::Vector } else { LengthForm::Regular };
    let element = if number.collective.combines() { Element::Int } else { Element::default() };
    Call { form, element, ..Call::default() }
}

/// Returns the reason why a table of the library cannot have the algorithm of a number; `None` where it can.
fn refusal(number: &CorrectedNumber, target: Target) -> Option<String> {
    let (collective, call) = (number.collective, call_of(number));
    let algorithm = number.algorithm.as_deref()?;
    let holds = |commuting| Target { commuting, ..target }.can_hold(collective, &call, algorithm);
    match (holds(target.commuting), holds(true)) {
        (true, _) => None,
        (false, true) => Some(
            "combined in another order than that of the ranks, for operators that commute (--commuting)".to_owned(),
        ),
        (false, false) => Some("an algorithm that the library's table cannot have".to_owned()),
    }
}

/// Returns a published number as that of a call.
fn timed_of(number: &CorrectedNumber, us: Vec<Estimate>, target: Target) -> Timed {
    let way = number.algorithm.clone().map(|algorithm| Way { algorithm, segment_bytes: None });
    let at = Key::default()
        .named(Axis::World, target.world.name())
        .named(Axis::Operation, number.collective.name())
        .counted(Axis::Ranks, Some(number.ranks))
        .named(Axis::Form, &scenario::axis::form(number.collective, &call_of(number)))
        .counted(Axis::Bytes, Some(number.bytes));
    Timed { at, way, us }
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
