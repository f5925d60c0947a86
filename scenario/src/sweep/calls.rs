//! Calls of a sweep, its barriers and its benchmarks, read from the keys of its file.

use super::numbers::Numbers;
use super::queues::{self, queues};
use super::values::{Texts, Values};
use crate::ScenarioError;
use crate::axis::Axis;
use models::call::Call;
use models::collective::decision::{Called, Library};
use models::collective::{Algorithm, Collective};
use models::names::suggestion;
use models::shared_broadcast::Queued;
use programs::budget::Configuration;

/// Whether a name stands for an algorithm, too.
type Keeps = fn(&Algorithm) -> bool;

/// Names that stand for several algorithms, each with the algorithms for which it stands: all, and those that a library
/// has.
const WHOLE_LISTS: [(&str, Keeps); 3] = [
    ("all", |_| true),
    ("all:openmpi", |algorithm| algorithm.openmpi.is_some()),
    ("all:mpich", |algorithm| algorithm.mpich.is_some()),
];

/// Entry in the list of a sweep's calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Algorithm or queue that is called.
    pub called: Called,
    /// Rule for the number of buffers, `4MiB` or `f/2`. `None` where a number is given, or for anything but a queue in
    /// shared memory.
    pub rule: Option<String>,
}

impl Listed {
    /// Whether the entry is a queue in shared memory.
    pub fn is_queue(&self) -> bool {
        matches!(self.called, Called::Shared(_))
    }

    /// Returns the name of its curve in a picture over an axis: the algorithm's name, without the property on that
    /// axis.
    pub fn curve(&self, over: Axis) -> String {
        let of_queue = match &self.called {
            Called::Shared(queued) => queues::curve(queued, self.rule.as_deref(), over),
            Called::Ours(_) | Called::Table(..) => None,
        };
        of_queue.unwrap_or_else(|| self.called.name().to_owned())
    }
}

/// Returns every collective with its algorithms from the list. `all` stands for all that it has for these numbers of
/// ranks, `all:openmpi` and `all:mpich` for those that the library has. A library supplies one for every collective.
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
                    Err(_) if WHOLE_LISTS.iter().any(|(of_all, _)| of_all == name) => continue,
                    is_for => is_for.map_err(|message| values.source.error_at(span.clone(), "algorithm", message))?,
                }
                if !calls[before..].contains(&listed) {
                    calls.push(listed);
                }
            }
        }
        // With several collectives each must have something to call. With one, the unknown name is reported below.
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
        let whole = WHOLE_LISTS.map(|(of_all, _)| of_all);
        let names: Vec<&str> = known.iter().filter_map(|known| known.split(' ').next()).chain(whole).collect();
        let (suggestion, known) = (suggestion(name, &names), known.join(", "));
        let message = format!("unknown algorithm '{name}'; known: {}, {known}{suggestion}", whole.join(", "));
        return Err(values.source.error_at(span.clone(), "algorithm", message));
    }
    Ok(calls)
}

/// Returns the entries that a name in the list stands for, for a collective. Empty if it has none of this name.
///
/// # Errors
/// Fails for a name that is meant to be a queue in shared memory, and is none.
fn listed(collective: Collective, name: &str) -> Result<Vec<Listed>, String> {
    if Queued::is_meant(name) {
        let queues =
            queues(name)?.into_iter().filter(|(queued, _)| queued.accepts(collective, &Call::default()).is_ok());
        return Ok(queues.map(|(queued, rule)| Listed { called: Called::Shared(queued), rule }).collect());
    }
    let listed = |called| Listed { called, rule: None };
    Ok(named(collective, name).into_iter().map(listed).collect())
}

/// Checks that an algorithm is defined for all of these numbers of ranks.
///
/// # Errors
/// Names the first number of ranks for which it is not, and nearby ones for which it is.
fn is_for(called: &Called, ranks: &Numbers) -> Result<(), String> {
    let Called::Ours(algorithm) = called else { return Ok(()) };
    (0..ranks.count()).try_for_each(|index| algorithm.for_ranks(ranks.get(index) as u32))
}

/// Returns the reason why a queue carries no operation of a list. `None` if the name is not a queue's.
fn of_bcast(name: &str, collectives: &Texts<'_>) -> Option<String> {
    let (queued, _) = queues(name).ok()?.into_iter().next()?;
    let collectives = collectives.iter().filter_map(|(name, _)| Collective::find(name).ok());
    collectives.map(|collective| queued.accepts(collective, &Call::default())).find_map(Result::err)
}

/// Returns the algorithms that a name stands for, for a collective. Empty if it has none of this name.
fn named(collective: Collective, name: &str) -> Vec<Called> {
    let Some((_, keeps)) = WHOLE_LISTS.iter().find(|(of_all, _)| *of_all == name) else {
        return Called::find(collective, name).into_iter().collect();
    };
    Algorithm::for_collective(collective).filter(|algorithm| keeps(algorithm)).map(Called::Ours).collect()
}

/// Returns the known names with their collectives, such as `linear (barrier)`, for messages.
fn known(collectives: &Texts<'_>) -> Vec<String> {
    let named = |collective: &Collective| collectives.iter().any(|(name, _)| *name == collective.name());
    let all = Collective::ALL.into_iter().filter(named).flat_map(Algorithm::for_collective);
    let ours = all.map(|algorithm| format!("{} ({})", algorithm.name, algorithm.collective));
    ours.chain(Library::ALL.map(|library| format!("{} (the library's choice)", library.name()))).collect()
}

/// Returns the barriers that benchmarks call.
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

/// Returns benchmarks, their columns and methods, written like the ends of a bias budget. `none` stands for no
/// benchmark.
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
