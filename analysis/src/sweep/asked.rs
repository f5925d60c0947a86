//! A sweep as flags request it: the keys and values of the file that would request the same.

use super::drawing::{MOST_EXITS, Show};
use super::work::Disk;
use crate::choice::{ModelChoice, NoiseChoice};
use models::collective::{Algorithm, Collective, Ranks};
use models::medium::Medium;
use models::shared_broadcast::{NodeCosts, Queued};
use scenario::axis::Axis;
use scenario::sweep::{Numbers, Sweep, whole};
use scenario::{BadInput, ScenarioError};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Default number of realisations over which noise is averaged.
const REALISATIONS: u64 = 32;
/// Default number of realisations where exits are shown, whose tails need more.
const REALISATIONS_OF_EXITS: u64 = 256;

/// Returns the algorithms of operations that exist for every number of ranks, and names the others on standard error.
fn for_any_ranks(operations: &[String]) -> Value {
    let collectives = operations.iter().filter_map(|name| Collective::find(name).ok());
    let (any, others): (Vec<_>, Vec<_>) =
        collectives.flat_map(Algorithm::for_collective).partition(|algorithm| algorithm.ranks == Ranks::Any);
    if !others.is_empty() {
        let others: Vec<&str> = others.into_iter().map(|algorithm| algorithm.name).collect();
        note!("left out, because they are not for every number of ranks: {}", others.join(", "));
    }
    json!(any.into_iter().map(|algorithm| algorithm.name).collect::<Vec<_>>())
}

/// Values of the flags of a sweep.
pub struct SweepRequest {
    /// Names of the operations.
    pub operations: Vec<String>,
    /// Further keys of a sweep with their values as text; `None` without a value.
    pub values: Vec<(&'static str, Option<String>)>,
    /// Keys whose values are lists of names; an empty list without a value.
    pub names: Vec<(&'static str, Vec<String>)>,
    /// Choice of the network model.
    pub model: ModelChoice,
    /// Choice of the noise that disturbs ranks.
    pub noise: NoiseChoice,
}

impl SweepRequest {
    /// Returns the sweep, and whether messages are cut into the cheapest segments.
    ///
    /// # Errors
    /// Names the flag of the first fault, and the expected values.
    pub(super) fn sweep(&self, show: &Show, disk: &Disk) -> Result<(Sweep, bool), BadInput> {
        let said = self.values.iter().filter_map(|(key, text)| Some((*key, json!(text.as_ref()?))));
        let named = self.names.iter().filter(|(_, names)| !names.is_empty()).map(|(key, names)| (*key, json!(names)));
        let mut all: BTreeMap<&str, Value> = said.chain(named).collect();
        let over = show.over();
        // Curves over ranks include all numbers between two points, so that algorithms must exist for each.
        let every = if over == Some(Axis::Ranks) { for_any_ranks(&self.operations) } else { json!("all") };
        all.entry("algorithm").or_insert(every);
        match over {
            Some(Axis::Ranks) => drop(all.entry("ranks").or_insert(json!("2..1024"))),
            Some(Axis::Bytes) => drop(all.entry("bytes").or_insert(json!("8..1MiB"))),
            Some(_) | None => {}
        }
        let ranks = all.get("ranks").and_then(Value::as_str).ok_or_else(|| {
            BadInput("--ranks: expected a number of ranks, or several, like 64, 8,64 or 2..1024".to_owned())
        })?;
        let read = |text: &str| whole(text).ok_or_else(String::new);
        let least = Numbers::listed(ranks, read).map_or(1, |numbers| numbers.range().0).clamp(1, 1 << 30);
        self.noise(show, least, &mut all)?;
        let medium = self.medium(least as u32)?;
        let parameters: Vec<String> =
            medium.parameters().into_iter().map(|(key, value)| format!("{key}={value}")).collect();
        all.extend([("model", json!(medium.name())), ("parameters", json!(parameters.join(",")))]);
        all.extend(self.model.platform.iter().map(|platform| ("platform", json!(platform))));
        all.insert("operation", json!(self.operations));
        // A benchmark prints times of its own calls, so that no other segments are tried.
        let usual = if over.is_some() && !all.contains_key("benchmark") { "auto" } else { "0" };
        let segment = all.remove("segment_bytes").unwrap_or(json!(usual));
        let cheapest = segment == "auto";
        if over.is_none() && cheapest {
            return Err(BadInput("--segment auto: also give --over bytes or --over ranks".to_owned()));
        }
        all.insert("segment_bytes", if cheapest { json!(0) } else { segment });
        let sweep = disk.lend(|files| Sweep::from_values(&self.question(), &all, files)).map_err(at_flag)?;
        Ok((sweep, cheapest))
    }

    /// Returns the network, or, where the first algorithm is a queue, the costs of steps in shared memory, which
    /// `--set` gives.
    fn medium(&self, ranks: u32) -> Result<Medium, BadInput> {
        let mut names = self.names.iter().filter(|(key, _)| *key == "algorithm").flat_map(|(_, names)| names);
        if !names.next().is_some_and(|name| Queued::is_meant(name)) {
            return Ok(Medium::Network(self.model.messages_alone(ranks)?.network));
        }
        let ModelChoice { network, machine, pairs, .. } = &self.model;
        let said = [
            ("--model", network.model.is_some()),
            ("--send-rule", network.send_rule.is_some()),
            ("--machine", machine.is_some()),
            ("--pairs", pairs.is_some()),
        ];
        if let Some((flag, _)) = said.into_iter().find(|(_, said)| *said) {
            let expected = "queues in shared memory have no network; expected --set t=1ns/B,tW=50ns or the like";
            return Err(BadInput(format!("{flag}: {expected}")));
        }
        let costs = NodeCosts::parse(network.set.as_deref().unwrap_or_default());
        costs.map(Medium::Memory).map_err(|message| BadInput(format!("--set: {message}")))
    }

    /// Returns the question of the sweep, which alone names the machine.
    fn question(&self) -> String {
        let operations = self.operations.join(", ");
        let machine = self.model.machine.iter().map(|machine| format!(" on {machine}"));
        let pairs = self.model.pairs.iter().map(|pairs| format!(" with {}", pairs.display()));
        format!("What does {operations} take{}?", machine.chain(pairs).collect::<String>())
    }

    /// Adds the noise to the keys; exits are shown without noise, too.
    fn noise(&self, show: &Show, ranks: u64, all: &mut BTreeMap<&str, Value>) -> Result<(), BadInput> {
        all.insert("seed", json!(self.noise.seed));
        let sources = self.model.sources(&self.noise)?;
        if sources.is_empty() {
            return match all.get("realisations") {
                Some(count) if *count != "1" => {
                    Err(BadInput("--realisations: without --noise all of them are the same".to_owned()))
                }
                _ => Ok(()),
            };
        }
        let (noise, realisations) = match show {
            Show::Rows | Show::Parameters(_) => (json!([sources]), 1),
            Show::Curves { .. } => (json!([sources]), REALISATIONS),
            // The number of exits is limited.
            Show::Exits => (json!(["none", sources]), REALISATIONS_OF_EXITS.min((MOST_EXITS / ranks).max(1))),
        };
        all.insert("noise", noise);
        all.entry("realisations").or_insert(json!(realisations));
        Ok(())
    }
}

/// Turns the error on a key into one on the flag of that key.
fn at_flag(error: ScenarioError) -> BadInput {
    let flag = match error.key.as_deref() {
        None => return BadInput(error.message),
        Some("segment_bytes") => "segment",
        Some(key) => key,
    };
    BadInput(format!("--{flag}: {}", error.message))
}
