//! The further source of knowledge: campaigns of `parallax budget`.

use programs::budget::Configuration;
use programs::machine::Machine;
use programs::method::Buffer;
use programs::observation::{Carrier, World};
use scenario::BadInput;
use scenario::store::{CampaignLines, Line};
use serde_json::Value;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use study::budget::{Budgets, budgets};
use study::correct::budgeted::{Sought, expected, is_run_alike};
use study::correct::{Expected, Refusal};

/// Name of a campaign's file inside its folder.
const FILE: &str = "campaign.jsonl";

/// A campaign of measured budgets.
pub(super) struct MeasuredBudget {
    lines: Vec<Line>,
    from: Configuration,
    to: Configuration,
    carrier: Carrier,
    /// Budgets that were worked out already, one per configuration of a printed number, shared by all its rows.
    known: Mutex<Vec<(Configuration, Arc<Budgets>)>>,
}

impl MeasuredBudget {
    /// Reads the campaign of a folder; of several worlds, the measurements in the machine's.
    ///
    /// # Errors
    /// Fails on a campaign of another command, and on one without measurements.
    pub(super) fn read(folder: &Path, machine: &Machine) -> Result<MeasuredBudget, BadInput> {
        let name = folder.display();
        let none = |why: &str| BadInput(format!("--budget {name}: {why}; expected the folder of a `parallax budget`"));
        let file = folder.join(FILE);
        if !file.is_file() {
            return Err(none("holds no campaign"));
        }
        let mut contents = scenario::store::read(&file).map_err(|error| BadInput(format!("--budget: {error}")))?;
        let question = CampaignLines::from(&contents.lines).question();
        let plan: Value = question.and_then(|of| serde_json::from_str(of.text).ok()).unwrap_or_default();
        let end = |key: &str| serde_json::from_value::<Configuration>(plan[key].clone()).ok();
        let (Some(from), Some(to)) = (end("from"), end("to")) else {
            return Err(none("holds a campaign, but not one of `parallax budget`"));
        };
        let rounds = CampaignLines::from(&contents.lines).rounds();
        let mut worlds: Vec<_> = rounds.map(|round| round.observation.case.place.world).collect();
        worlds.sort_unstable();
        worlds.dedup();
        if worlds.len() > 1 {
            let of_machine = |world: &&World| machine.provenance.ran_by.starts_with(world.title());
            let world = *worlds.iter().find(of_machine).ok_or_else(|| {
                none("was measured in several worlds, none of which is the machine's; measure it in one (--world)")
            })?;
            contents
                .lines
                .retain(|line| !matches!(line, Line::Round(round) if round.observation.case.place.world != world));
        }
        let first = CampaignLines::from(&contents.lines).rounds().next();
        let carrier = first.map(|round| round.observation.case.place.carrier);
        let carrier = carrier.ok_or_else(|| none("nothing was measured in it"))?;
        Ok(MeasuredBudget { lines: contents.lines, from, to, carrier, known: Mutex::default() })
    }

    /// Returns the state of the buffers in the calls of its reference.
    pub(super) fn reference(&self) -> Buffer {
        self.from.buffer
    }

    /// Returns the expectation of a number that was printed by this configuration, against the campaign's own
    /// reference; `None` where the campaign has no such configuration.
    ///
    /// # Errors
    /// Fails where [`expected`] does.
    pub(super) fn expected(&self, printed: &Configuration, sought: &Sought) -> Result<Option<Expected>, Refusal> {
        let rooted = sought.collective.is_rooted();
        let (from, to) = (self.from.rooted(rooted), printed.rooted(rooted));
        if !is_run_alike(&to, &self.to.rooted(rooted), self.carrier) {
            return Ok(None);
        }
        expected(&self.budgets(from, to), sought)
    }

    fn budgets(&self, from: Configuration, to: Configuration) -> Arc<Budgets> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, budgets)) = known.iter().find(|(other, _)| other.is_like(&to)) {
            return Arc::clone(budgets);
        }
        let found = Arc::new(budgets(&self.lines, &from, &to));
        known.push((to, Arc::clone(&found)));
        found
    }
}
