//! Comparison of every algorithm of a call with the library's own choice.

use super::{By, Call, OwnChoice, Pieces, Tried, Tuning, Way};
use crate::contrast::{Apart, Choice, ContrastRow, Demand, Sampled, Side, Verdict, contrast};
use programs::machine::Estimate;
use render::groups::{distinct, grouped};
use render::whence::Whence;
use scenario::axis::{Axis, Key};
use statistics::{Design, least_launches};

/// Axes on which the ways of one call differ.
const WAYS: [Axis; 2] = [Axis::Algorithm, Axis::Segment];
/// Value of the algorithm that is the library's own choice, and the beginning of the forced ones.
const OWN: &str = "library";
const FORCED: &str = "library:";

/// Returns the launches that a choice among this many algorithms needs, whatever the numbers are, if all are compared
/// with the library's own choice in pairs.
pub fn least_launches_of(algorithms: usize, demand: Demand) -> usize {
    least_launches(Design::Paired, algorithms.max(1), 1.0 - demand.confidence)
}

/// Returns the tuning that follows from the numbers of a side: for each call the library's own choice and forced
/// algorithms, all by one method.
///
/// # Errors
/// Fails where no call has both, and on sides that cannot be compared.
pub fn tuning(side: &Side, by: By, demand: Demand, own: OwnChoice) -> Result<Tuning, String> {
    let mut calls = Vec::new();
    let among = side.cases.iter().filter(|case| {
        let algorithm = case.key.text(Axis::Algorithm);
        algorithm == OWN || algorithm.starts_with(FORCED)
    });
    let at = |case: &Sampled| case.key.within(|axis| !WAYS.contains(&axis) && axis != Axis::State);
    for (key, cases) in grouped(among.map(|case| (at(case), case))) {
        if let Some(call) = call(side, key, &cases, demand)? {
            calls.push(call);
        }
    }
    if calls.is_empty() {
        return Err(format!(
            "{} has no call that was carried out both by the library's own choice and by an algorithm that it was made to \
             use (library:NAME)",
            side.name
        ));
    }
    // The lengths of one operation on one number of ranks are one piece of the table.
    let line = |call: &Call| call.at.within(|axis| axis != Axis::Bytes);
    let lines = grouped(calls.into_iter().map(|call| (line(&call), call)));
    let (mut all, mut table) = (Vec::new(), Vec::new());
    for (at, mut calls) in lines {
        calls.sort_by_key(|call| call.bytes);
        table.push(Pieces::choose(at, &mut calls, demand.at_least, own));
        all.append(&mut calls);
    }
    Ok(Tuning {
        name: side.name.clone(),
        by,
        demand,
        calls: all,
        table,
        whence: Whence::from_facts(&side.facts),
        notes: side.notes.clone(),
    })
}

/// Returns a call with every way that was compared with the library's own choice. `None` where one of the two is missing.
fn call(side: &Side, at: Key, cases: &[&Sampled], demand: Demand) -> Result<Option<Call>, String> {
    let way = |case: &Sampled| Way {
        algorithm: case.key.text(Axis::Algorithm).strip_prefix(FORCED).unwrap_or_default().to_owned(),
        segment_bytes: case.key.number(Axis::Segment),
    };
    let of = |name: String, wanted: &dyn Fn(&Sampled) -> bool| {
        let cases = cases.iter().filter(|case| wanted(case)).map(|case| (*case).clone()).collect();
        Side { name, cases, rounds: side.rounds.clone(), states: side.states.clone(), ..Side::new("", side.kind) }
    };
    let is_own = |case: &Sampled| case.key.text(Axis::Algorithm) == OWN;
    let mut ways = distinct(cases.iter().filter(|case| !is_own(case)).map(|case| way(case)));
    ways.sort();
    let own = of(OWN.to_owned(), &is_own);
    if own.cases.is_empty() || ways.is_empty() {
        return Ok(None);
    }
    let others = ways.iter().map(|one| of(one.algorithm.clone(), &|case| !is_own(case) && way(case) == *one));
    let sides: Vec<Side> = std::iter::once(own).chain(others).collect();
    let choice = Choice { ignore: WAYS.to_vec(), ..Choice::default() };
    let found = match contrast(&sides, &choice, demand) {
        Ok(found) => found,
        // States of the machine that only one of them met.
        Err(Apart::Nothing(_)) => return Ok(None),
        Err(Apart::Mistake(why)) => return Err(why),
    };
    let first = found.pairs.iter().find_map(|pair| pair.rows.first());
    let Some(default_us) = first.map(|row| row.effect.a) else { return Ok(None) };
    let tried = ways.into_iter().zip(&found.pairs).filter_map(|(way, pair)| tried(way, &pair.rows, demand)).collect();
    let bytes = at.number(Axis::Bytes).unwrap_or(0);
    Ok(Some(Call { at, bytes, default_us, tried, chosen: None }))
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
    let first = ratios.first()?;
    let mean = ratios.iter().map(|ratio| ratio.value.ln()).sum::<f64>() / ratios.len() as f64;
    let ratio = ratios.iter().fold(*first, |all, one| Estimate {
        value: mean.exp(),
        low: all.low.min(one.low),
        high: all.high.max(one.high),
    });
    Some(Tried { way, us: rows.first()?.effect.b, ratio: if ratios.len() == 1 { *first } else { ratio }, verdict })
}
