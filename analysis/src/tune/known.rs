//! Tunings without ranks: from measured or published numbers that exist already, and from simulated ranks.

use super::plan::{TUNED, TunePlan, split};
use super::{Numbers, files, keep_reference};
use crate::choice::{Memory, ModelChoice, Pairs};
use crate::compare::{InputChoice, read_side};
use crate::measuring::orders::order;
use crate::measuring::several::fits;
use anyhow::Context;
use campaign::RecordedCampaign;
use campaign::launch::Site;
use formats::tuning::Target;
use models::platform::Platform;
use programs::machine::{Arithmetic, Bound, Estimate, Machine};
use programs::observation::{Case, Implementation, World};
use programs::played::as_played;
use rayon::prelude::*;
use render::plots::numbers::bytes;
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
        let mut found = found.map_err(BadInput)?;
        found.notes.extend(machine.as_ref().and_then(|machine| extrapolated(&found, machine)));
        let question = campaign::planned::CommandPlan::question(plan);
        write(vec![(TUNED, found)], question, plan.target(), (out, site))
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
        let arithmetic = Arithmetic::from_case(case);
        let model = self.model.network.model.as_deref().unwrap_or(machine.model_of_calls());
        machine.platform_with_memory(model, *bound, arithmetic).map_err(|error| BadInput(error).into())
    }

    /// Returns the time of a call on a platform, in µs.
    fn us(&self, case: &Case, platform: Platform) -> anyhow::Result<Estimate> {
        let order = as_played(case, &order(&self.plan.calls, case, false), &platform);
        let network = platform.network;
        let predictor = Predictor { network: platform, ..Predictor::perfect(network) };
        Ok(Estimate::exactly(predictor.truth(&order)?.into_iter().max().unwrap_or_default().as_us()))
    }
}

/// Returns a sentence on calls that are longer than what a machine's parameters were fitted to.
pub(super) fn extrapolated(tuned: &Tuning, machine: &Machine) -> Option<String> {
    let longest = machine.longest_bytes()?;
    let beyond = tuned.calls.iter().filter(|call| call.at.number(Axis::Bytes).is_some_and(|bytes| bytes > longest));
    let calls = Some(beyond.count()).filter(|count| *count > 0)?;
    Some(format!(
        "Extrapolated: {} of buffers or blocks above {}, the longest to which the parameters of {} were fitted.",
        models::names::counted(calls, "call"),
        bytes(longest),
        machine.name,
    ))
}

/// Writes tables and page of a tuning into a folder, and those of a second one by printed numbers.
pub(super) fn write(
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
