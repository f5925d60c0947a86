//! What a sweep calls, the barriers beside it, and who prints a number: from the keys of its file.

use super::numbers::Numbers;
use super::queues::{self, queues};
use super::values::{Texts, Values};
use crate::ScenarioError;
use crate::axis::Axis;
use models::budget::Configuration;
use models::call::Call;
use models::collective::decision::{Called, Library};
use models::collective::{Algorithm, Collective};
use models::names::suggestion;
use models::shared_broadcast::Queued;

/// What a sweep calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// What that is.
    pub called: Called,
    /// Of a queue in shared memory whose list has no number of buffers, what says it: `4MiB` or `f/2`.
    pub rule: Option<String>,
}

impl Listed {
    /// Whether it is a queue in shared memory.
    pub fn is_queue(&self) -> bool {
        matches!(self.called, Called::Shared(_))
    }

    /// The name of its curve in a picture over an axis: the algorithm's, without what goes to the right.
    pub fn curve(&self, over: Axis) -> String {
        let of_queue = match &self.called {
            Called::Shared(queued) => queues::curve(queued, self.rule.as_deref(), over),
            Called::Ours(_) | Called::Table(..) => None,
        };
        of_queue.unwrap_or_else(|| self.called.name().to_owned())
    }
}

/// Every collective with those of the algorithms that it has; `all` are all that it has for these numbers of ranks; a library takes
/// one for every collective.
pub(super) fn calls(values: &Values<'_>, ranks: &Numbers) -> Result<Vec<Listed>, ScenarioError> {
    let missing =
        |key: &str, example: &str| values.source.error(0..0, format!("key '{key}' is missing, like {key} = {example}"));
    let collectives = values.texts("operation", "barrier")?.ok_or_else(|| missing("operation", "\"barrier\""))?;
    let names = values.texts("algorithm", "all")?.ok_or_else(|| missing("algorithm", "\"all\""))?;
    let mut calls: Vec<Listed> = Vec::new();
    let mut used = vec![false; names.len()];
    for (name, span) in &collectives {
        let collective =
            Collective::find(name).map_err(|message| values.source.error_at(span.clone(), "operation", message))?;
        let before = calls.len();
        for ((name, span), used) in names.iter().zip(&mut used) {
            let all = listed(collective, name);
            for listed in all.map_err(|message| values.source.error_at(span.clone(), "algorithm", message))? {
                *used = true;
                match is_for(&listed.called, ranks) {
                    Err(_) if *name == "all" => continue,
                    is_for => is_for.map_err(|message| values.source.error_at(span.clone(), "algorithm", message))?,
                }
                if !calls[before..].contains(&listed) {
                    calls.push(listed);
                }
            }
        }
        // Of several collectives each must have something to call; of one, the unknown name is told below.
        if calls.len() == before && collectives.len() > 1 {
            let message = format!("no algorithm of this list is one of {collective}");
            return Err(values.source.error_at(span.clone(), "operation", message));
        }
    }
    if let Some(unused) = used.iter().position(|used| !used) {
        let (name, span) = &names[unused];
        if let Some(other) = of_bcast(name, &collectives) {
            return Err(values.source.error_at(span.clone(), "algorithm", other));
        }
        let known = known(&collectives);
        let names: Vec<&str> = known.iter().filter_map(|known| known.split(' ').next()).chain(["all"]).collect();
        let (suggestion, known) = (suggestion(name, &names), known.join(", "));
        let message = format!("unknown algorithm '{name}'; known: all, {known}{suggestion}");
        return Err(values.source.error_at(span.clone(), "algorithm", message));
    }
    Ok(calls)
}

/// What a name in the list means for a collective.
///
/// # Errors
/// What is meant to be a queue in shared memory, and is none.
fn listed(collective: Collective, name: &str) -> Result<Vec<Listed>, String> {
    if Queued::is_meant(name) {
        let queues =
            queues(name)?.into_iter().filter(|(queued, _)| queued.accepts(collective, &Call::default()).is_ok());
        return Ok(queues.map(|(queued, rule)| Listed { called: Called::Shared(queued), rule }).collect());
    }
    let listed = |called| Listed { called, rule: None };
    Ok(named(collective, name).into_iter().map(listed).collect())
}

/// Whether an algorithm is for all of these numbers of ranks.
///
/// # Errors
/// Names the first for which it is not, and what is near.
fn is_for(called: &Called, ranks: &Numbers) -> Result<(), String> {
    let Called::Ours(algorithm) = called else { return Ok(()) };
    (0..ranks.count()).try_for_each(|index| algorithm.for_ranks(ranks.get(index) as u32))
}

/// Why a queue carries no operation of a list, where the name is a queue's.
fn of_bcast(name: &str, collectives: &Texts<'_>) -> Option<String> {
    let (queued, _) = queues(name).ok()?.into_iter().next()?;
    let collectives = collectives.iter().filter_map(|(name, _)| Collective::find(name).ok());
    collectives.map(|collective| queued.accepts(collective, &Call::default())).find_map(Result::err)
}

/// What a name means for a collective.
fn named(collective: Collective, name: &str) -> Vec<Called> {
    match name {
        "all" => Algorithm::of(collective).map(Called::Ours).collect(),
        name => Called::find(collective, name).into_iter().collect(),
    }
}

/// `linear (barrier)`, for messages.
fn known(collectives: &Texts<'_>) -> Vec<String> {
    let named = |collective: &Collective| collectives.iter().any(|(name, _)| *name == collective.name());
    let all = Collective::ALL.into_iter().filter(named).flat_map(Algorithm::of);
    let ours = all.map(|algorithm| format!("{} ({})", algorithm.name, algorithm.collective));
    ours.chain(Library::ALL.map(|library| format!("{} (the library's choice)", library.name()))).collect()
}

/// The barriers that benchmarks call.
pub(super) fn barriers(values: &Values<'_>) -> Result<Vec<Called>, ScenarioError> {
    let Some(names) = values.texts("barrier", "openmpi-4.1")? else {
        return Ok(named(Collective::Barrier, "dissemination"));
    };
    if let (Some((_, span)), None) = (names.first(), values.value("benchmark")) {
        let message = "a barrier has an effect only with a benchmark; expected benchmark = \"osu\" or the like beside \
                       it";
        return Err(values.source.error_at(span.clone(), "barrier", message));
    }
    let mut all = Vec::new();
    for (name, span) in names {
        let found = match name {
            "all" => named(Collective::Barrier, name),
            name => {
                let found = Called::find(Collective::Barrier, name);
                vec![found.map_err(|message| values.source.error_at(span, "barrier", message))?]
            }
        };
        let new: Vec<Called> = found.into_iter().filter(|called| !all.contains(called)).collect();
        all.extend(new);
    }
    Ok(all)
}

/// Benchmarks, their columns and methods, as the ends of a bias budget are written; `none`: no benchmark.
pub(super) fn benchmarks(values: &Values<'_>) -> Result<Vec<Option<Configuration>>, ScenarioError> {
    let read = |(text, span): (&str, _)| match text.trim() {
        "none" => Ok(None),
        text => {
            Configuration::parse(text).map(Some).map_err(|message| values.source.error_at(span, "benchmark", message))
        }
    };
    let Some(texts) = values.texts("benchmark", "osu:max")? else { return Ok(vec![None]) };
    texts.into_iter().map(read).collect()
}
