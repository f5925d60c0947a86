//! Comparison of every algorithm of a call with the library's own choice.

use super::{By, Call, Pieces, Tried, Tuning, Way};
use crate::contrast::{Choice, ContrastRow, Demand, Sampled, Side, Verdict, contrast};
use formats::tuning::Split;
use programs::machine::Estimate;
use render::groups::{distinct, grouped};
use render::whence::Whence;
use scenario::axis::{Axis, Key};
use statistics::{Design, least_launches};

/// Axes on which the ways of one call differ.
const WAYS: [Axis; 2] = [Axis::Algorithm, Axis::Segment];
/// Value of the algorithm that is the library's own choice, and the beginnings of forced ones and of tunings.
const OWN: &str = "library";
const FORCED: &str = "library:";
pub(super) const TUNED: &str = "tuned:";

/// Returns the launches that a choice among this many algorithms needs, whatever the numbers are, if all are compared
/// with the library's own choice in pairs.
pub fn least_launches_of(algorithms: usize, demand: Demand) -> usize {
    least_launches(Design::Paired, algorithms.max(1), 1.0 - demand.confidence)
}

/// Returns the tuning that follows from the numbers of a side: for each call the library's own choice and forced
/// algorithms, all by one method. `split` says where a table of the library can
/// change the algorithm of an operation.
///
/// # Errors
/// Fails where no call has both, and on sides that cannot be compared.
pub fn tuning(side: &Side, by: By, demand: Demand, split: &dyn Fn(&Key) -> Split) -> Result<Tuning, String> {
    let calls = calls(side, demand, |algorithm| algorithm.strip_prefix(FORCED).map(str::to_owned))?;
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

/// Returns the calls of a side with every way that was compared with the library's own choice. `name` returns the name of
/// the way that an algorithm is; `None` for algorithms that are left out.
pub(super) fn calls(side: &Side, demand: Demand, name: impl Fn(&str) -> Option<String>) -> Result<Vec<Call>, String> {
    let at = |case: &Sampled| case.key.within(|axis| !WAYS.contains(&axis) && axis != Axis::State);
    let way = |case: &Sampled| {
        let algorithm = case.key.text(Axis::Algorithm);
        let named = name(&algorithm).map(|algorithm| Way { algorithm, segment_bytes: case.key.number(Axis::Segment) });
        (named.is_some() || algorithm == OWN).then_some(named)
    };
    let among = side.cases.iter().filter_map(|case| Some((at(case), (way(case)?, case))));
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
        let name = wanted.map_or(OWN.to_owned(), |way| way.algorithm.clone());
        let cases = cases.iter().filter(|(way, _)| way.as_ref() == wanted).map(|(_, case)| (*case).clone()).collect();
        Side { name, cases, rounds: side.rounds.clone(), states: side.states.clone(), ..Side::new("", side.kind) }
    };
    let own = of(None);
    if own.cases.is_empty() || ways.is_empty() {
        return Ok(None);
    }
    let choice = Choice { ignore: WAYS.to_vec(), ..Choice::default() };
    // Of ways that met no state of the machine in which the library's own choice was measured nothing is known.
    let mut sides = vec![own];
    ways.retain(|way| {
        let other = of(Some(way));
        let is_known = contrast(&[sides[0].clone(), other.clone()], &choice, demand).is_ok();
        if is_known {
            sides.push(other);
        }
        is_known
    });
    if ways.is_empty() {
        return Ok(None);
    }
    let found = contrast(&sides, &choice, demand).map_err(|apart| apart.to_string())?;
    let tried: Vec<Tried> =
        ways.into_iter().zip(&found.pairs).filter_map(|(way, pair)| tried(way, &pair.rows, demand)).collect();
    let bytes = at.number(Axis::Bytes).unwrap_or(0);
    Ok((!tried.is_empty()).then_some(Call { at, bytes, tried, chosen: None }))
}

/// Returns a way with its verdict over all states of the machine. `None` where it has no ratio.
fn tried(way: Way, rows: &[ContrastRow], demand: Demand) -> Option<Tried> {
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
    // The numbers are those of the state that decided, else of the one that was met most often.
    let decided = rows.iter().find(|row| row.effect.verdict == verdict && row.effect.ratio.is_some());
    let effect = &decided.or_else(|| rows.iter().find(|row| row.effect.ratio.is_some()))?.effect;
    Some(Tried { way, own_us: effect.a, us: effect.b, ratio: effect.ratio?, verdict })
}

/// Time of a call without variation, as simulations give it.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// Position of the call on all axes.
    pub at: Key,
    /// Algorithm that carries it out; `None` for the library's own choice.
    pub way: Option<Way>,
    /// Time of the call, in µs.
    pub us: f64,
}

/// Returns the tuning that follows from times without variation: what is faster by the least gain that is worth a change
/// is faster.
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
    let at = |key: &Key| key.within(|axis| !WAYS.contains(&axis) && axis != Axis::State);
    let mut calls = Vec::new();
    for (at, all) in grouped(timed.into_iter().map(|one| (at(&one.at), (one.way, one.us)))) {
        let Some(default_us) = all.iter().find(|(way, _)| way.is_none()).map(|(_, us)| *us) else { continue };
        let tried = all.into_iter().filter_map(|(way, us)| {
            let value = us / default_us;
            let verdict = match value {
                value if value * (1.0 + demand.at_least) <= 1.0 => Verdict::Faster,
                value if value >= 1.0 + demand.at_least => Verdict::Slower,
                _ => Verdict::Same,
            };
            Some(Tried {
                way: way?,
                own_us: default_us,
                us,
                ratio: Estimate { value, low: value, high: value },
                verdict,
            })
        });
        let mut tried: Vec<Tried> = tried.filter(|tried| tried.ratio.value.is_finite()).collect();
        tried.sort_by(|one, other| one.way.cmp(&other.way));
        let bytes = at.number(Axis::Bytes).unwrap_or(0);
        if !tried.is_empty() {
            calls.push(Call { at, bytes, tried, chosen: None });
        }
    }
    table_of((name, Whence::default(), Vec::new()), by, calls, demand, split)
}
