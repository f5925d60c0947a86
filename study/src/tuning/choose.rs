//! Comparison of every algorithm of a call with the library's own choice.

use super::{By, Call, Pieces, Tried, Tuning, Way};
use crate::contrast::{Apart, Choice, ContrastRow, Demand, Sampled, Side, Verdict, contrast};
use formats::tuning::Split;
use programs::machine::Estimate;
use programs::observation::Implementation;
use render::groups::{distinct, grouped};
use render::whence::Whence;
use scenario::axis::{Axis, Key};
use statistics::{Design, least_launches};

/// Axes on which the ways of one call differ.
const WAYS: [Axis; 2] = [Axis::Algorithm, Axis::Segment];

/// Returns the position of a call on all axes but those on which its ways differ, and the state of the machine.
fn call_at(key: &Key) -> Key {
    key.within(|axis| !WAYS.contains(&axis) && axis != Axis::State)
}

/// Returns the launches that a choice among this many algorithms needs, whatever the numbers are, if all are compared
/// with the library's own choice in pairs.
pub fn least_launches_of(algorithms: usize, demand: Demand) -> usize {
    least_launches(Design::Paired, algorithms.max(1), 1.0 - demand.confidence)
}

/// Returns the tuning that follows from the numbers of a side: for each call the library's own choice and forced
/// algorithms, all by one method. `split` says where a table of the library can change the algorithm
/// of an operation.
///
/// # Errors
/// Fails where no call has both, and on sides that cannot be compared.
pub fn tuning(side: &Side, by: By, demand: Demand, split: &dyn Fn(&Key) -> Split) -> Result<Tuning, String> {
    let calls = calls(side, demand, Implementation::FORCED)?;
    let whence = Whence::from_facts(&side.facts);
    table_of((&side.name, whence, side.notes.clone()), by, calls, demand, split)
}

/// Returns calls with the table that follows from them.
fn table_of(
    (name, whence, notes): (&str, Whence, Vec<String>),
    by: By,
    calls: Vec<Call>,
    demand: Demand,
    split: &dyn Fn(&Key) -> Split,
) -> Result<Tuning, String> {
    if calls.is_empty() {
        return Err(format!(
            "{name} has no call that was carried out both by the library's own choice and by an algorithm that it was made to use \
             (library:NAME)"
        ));
    }
    // The lengths of one operation on one number of ranks are one piece of the table.
    let line = |call: &Call| call.at.within(|axis| axis != Axis::Bytes);
    let lines = grouped(calls.into_iter().map(|call| (line(&call), call)));
    let (mut all, mut table) = (Vec::new(), Vec::new());
    for (at, mut calls) in lines {
        calls.sort_by_key(|call| call.bytes);
        let split = split(&at);
        table.push(Pieces::choose(at, &mut calls, demand.at_least, split));
        all.append(&mut calls);
    }
    Ok(Tuning { name: name.to_owned(), by, demand, calls: all, table, whence, notes })
}

/// Returns the calls of a side with every way that was compared with the library's own choice. Ways are the algorithms whose
/// name, as it is asked for, begins so.
pub(super) fn calls(side: &Side, demand: Demand, begin: &str) -> Result<Vec<Call>, String> {
    let way = |case: &Sampled| {
        let algorithm = case.key.text(Axis::Algorithm);
        let segment_bytes = case.key.number(Axis::Segment);
        let named = algorithm.strip_prefix(begin).map(|name| Way { algorithm: name.to_owned(), segment_bytes });
        (named.is_some() || algorithm == Implementation::LIBRARY).then_some(named)
    };
    let among = side.cases.iter().filter_map(|case| Some((call_at(&case.key), (way(case)?, case))));
    let mut calls = Vec::new();
    for (at, cases) in grouped(among) {
        calls.extend(call(side, at, &cases, demand)?);
    }
    Ok(calls)
}

/// Returns a call with every way that was compared with the library's own choice, which is `None`. `None` where one of the
/// two is missing.
fn call(side: &Side, at: Key, cases: &[(Option<Way>, &Sampled)], demand: Demand) -> Result<Option<Call>, String> {
    let mut ways = distinct(cases.iter().filter_map(|(way, _)| way.clone()));
    ways.sort();
    let of = |wanted: Option<&Way>| {
        let name = wanted.map_or(Implementation::LIBRARY.to_owned(), |way| way.algorithm.clone());
        let cases = cases.iter().filter(|(way, _)| way.as_ref() == wanted).map(|(_, case)| (*case).clone()).collect();
        Side { name, cases, rounds: side.rounds.clone(), states: side.states.clone(), ..Side::new("", side.kind) }
    };
    let own = of(None);
    if own.cases.is_empty() || ways.is_empty() {
        return Ok(None);
    }
    let choice = Choice { ignore: WAYS.to_vec(), ..Choice::default() };
    let of_ways = |ways: &[Way]| {
        let others = ways.iter().map(|way| of(Some(way)));
        contrast(&std::iter::once(own.clone()).chain(others).collect::<Vec<Side>>(), &choice, demand)
    };
    let found = match of_ways(&ways) {
        Ok(found) => found,
        Err(Apart::Mistake(why)) => return Err(why),
        // Of ways that met no state of the machine in which the library's own choice was measured nothing is known.
        Err(Apart::Nothing(_)) => {
            ways.retain(|way| of_ways(std::slice::from_ref(way)).is_ok());
            if ways.is_empty() {
                return Ok(None);
            }
            of_ways(&ways).map_err(|apart| apart.to_string())?
        }
    };
    let tried: Vec<Tried> =
        ways.into_iter().zip(&found.pairs).filter_map(|(way, pair)| tried(way, &pair.rows, demand)).collect();
    let bytes = at.number(Axis::Bytes).unwrap_or(0);
    Ok((!tried.is_empty()).then_some(Call { at, bytes, tried, chosen: None }))
}

/// Returns a way with its verdict over all states of the machine. `None` where it has no ratio.
pub(super) fn tried(way: Way, rows: &[ContrastRow], demand: Demand) -> Option<Tried> {
    let ratios: Vec<Estimate> = rows.iter().filter_map(|row| row.effect.ratio).collect();
    let is = |verdict: Verdict| rows.iter().any(|row| row.effect.verdict == verdict);
    let verdict = if is(Verdict::Slower) {
        Verdict::Slower
    } else if is(Verdict::Faster) && ratios.iter().all(|ratio| ratio.value <= 1.0 + demand.at_least) {
        Verdict::Faster
    } else if rows.iter().all(|row| row.effect.verdict == Verdict::Same) {
        Verdict::Same
    } else {
        Verdict::Undecided
    };
    // The numbers are those of the state that decided, else of the one that was met most often, which is the first.
    let mut known = rows.iter().filter(|row| row.effect.ratio.is_some());
    let row = match verdict {
        Verdict::Slower | Verdict::Faster => known.find(|row| row.effect.verdict == verdict),
        Verdict::Same | Verdict::Undecided | Verdict::Larger | Verdict::Smaller => known.next(),
    };
    let effect = &row?.effect;
    Some(Tried { way, own_us: effect.a, us: effect.b, ratio: effect.ratio?, verdict })
}

/// Time of a call without launches, as simulations and corrections give it.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// Position of the call on all axes.
    pub at: Key,
    /// Algorithm that carries it out; `None` for the library's own choice.
    pub way: Option<Way>,
    /// Time of the call in µs, for each set of parameters that is possible, the best set first.
    pub us: Vec<Estimate>,
}

/// Returns the ratio of two times, set by set of parameters: that of the best set, with the range of all.
fn ratio(us: &[Estimate], own_us: &[Estimate]) -> Option<Estimate> {
    let each = us.iter().zip(own_us).map(|(us, own)| Estimate {
        value: us.value / own.value,
        low: us.low / own.high,
        high: us.high / own.low,
    });
    each.reduce(|all, one| all.including(one.low).including(one.high)).filter(|ratio| ratio.high.is_finite())
}

/// Returns the tuning that follows from times without launches. What is faster by the least gain that is worth a change,
/// for each set of parameters, is faster.
///
/// # Errors
/// Fails where no call has both the library's own choice and another algorithm.
pub fn of_times(
    name: &str,
    by: By,
    timed: Vec<Timed>,
    demand: Demand,
    split: &dyn Fn(&Key) -> Split,
) -> Result<Tuning, String> {
    let mut calls = Vec::new();
    let limit = 1.0 + demand.at_least;
    for (at, all) in grouped(timed.into_iter().map(|one| (call_at(&one.at), (one.way, one.us)))) {
        let Some(own) = all.iter().find(|(way, _)| way.is_none()).map(|(_, us)| us.clone()) else { continue };
        let tried = all.into_iter().filter_map(|(way, us)| {
            let ratio = ratio(&us, &own)?;
            let verdict = match ratio {
                Estimate { high, .. } if high * limit <= 1.0 => Verdict::Faster,
                Estimate { low, .. } if low >= limit => Verdict::Slower,
                Estimate { low, high, .. } if low * limit > 1.0 && high < limit => Verdict::Same,
                _ => Verdict::Undecided,
            };
            Some(Tried { way: way?, own_us: own.first()?.value, us: us.first()?.value, ratio, verdict })
        });
        let mut tried: Vec<Tried> = tried.collect();
        tried.sort_by(|one, other| one.way.cmp(&other.way));
        let bytes = at.number(Axis::Bytes).unwrap_or(0);
        if !tried.is_empty() {
            calls.push(Call { at, bytes, tried, chosen: None });
        }
    }
    table_of((name, Whence::default(), Vec::new()), by, calls, demand, split)
}
