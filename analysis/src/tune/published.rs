//! Tunings from numbers that were published.

use super::known::{extrapolated, write};
use super::plan::{BY_PRINT, TUNED, split};
use crate::printed::{Choice, CorrectedNumber, CorrectedNumbers, corrected};
use campaign::RecordedCampaign;
use campaign::launch::Site;
use formats::tuning::Target;
use models::call::{Call, Element, LengthForm};
use models::collective::Collective;
use models::library::Release;
use programs::machine::{Estimate, Machine};
use programs::method::Preset;
use programs::observation::{Barrier, World};
use render::groups::{counted, distinct};
use scenario::BadInput;
use scenario::axis::{Axis, Key};
use std::path::{Path, PathBuf};
use study::contrast::Demand;
use study::printed::LeftOut;
use study::tuning::{By, Timed, Tuned, Way, of_times};

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
        tuned.notes.extend(extrapolated(&tuned, &machine));
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
