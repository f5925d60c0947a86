//! Finds the cases of a campaign that guidelines compare with each other.

use super::Kind;
use super::rules::{MOCK_UPS, MockUp, Size};
use crate::contrast::{Sampled, Side};
use scenario::axis::{Axis, Key};
use std::collections::{BTreeMap, BTreeSet};

/// A call, and the calls that should not take less time.
pub(super) struct Pair<'a> {
    pub guideline: String,
    pub kind: Kind,
    pub call: &'a Sampled,
    /// The other calls, each with its number of repetitions.
    pub others: Vec<(u64, &'a Sampled)>,
    /// Advice for the case of a violation.
    pub advice: String,
}

/// Largest number of parts into which a call is split by a guideline.
const MOST_PARTS: u64 = 16;
/// Forms of a call with a count for each rank.
const REGULAR: [(&str, &str); 6] = [
    ("gather", "gatherv"),
    ("scatter", "scatterv"),
    ("allgather", "allgatherv"),
    ("alltoall", "alltoallv"),
    ("alltoall", "alltoallw"),
    ("alltoallv", "alltoallw"),
];

/// Calls that were measured alike: by operation, then by bytes.
type Group<'a> = BTreeMap<String, BTreeMap<u64, &'a Sampled>>;

/// Returns all pairs, and notes on cases that could not be paired.
pub(super) fn pairs(side: &Side) -> (Vec<Pair<'_>>, Vec<String>) {
    let (groups, notes) = groups(side);
    let mut pairs = Vec::new();
    for (key, group) in &groups {
        let ranks = key.number(Axis::Ranks);
        if let Some(ranks) = ranks {
            pairs.extend(MOCK_UPS.iter().flat_map(|rule| mock_ups(rule, group, ranks)));
        }
        for (regular, counted) in REGULAR {
            pairs.extend(forms(group, regular, counted));
        }
        for (operation, by_bytes) in group {
            let sizes: Vec<(u64, &Sampled)> = by_bytes.iter().map(|(bytes, case)| (*bytes, *case)).collect();
            for pair in sizes.windows(2) {
                pairs.extend(in_bytes(operation, pair[0], pair[1]));
            }
        }
    }
    pairs.extend(in_ranks(&groups));
    (pairs, notes)
}

/// Groups cases by the axes that all parts of a guideline share.
fn groups(side: &Side) -> (BTreeMap<Key, Group<'_>>, Vec<String>) {
    let apart = [Axis::Operation, Axis::Algorithm, Axis::Bytes, Axis::Root];
    let mut algorithms: BTreeMap<(Key, String), BTreeSet<String>> = BTreeMap::new();
    let even = || side.cases.iter().filter(|case| case.key.get(Axis::Counts).is_none());
    let group_of = |case: &Sampled| case.key.within(|axis| !apart.contains(&axis));
    for case in even() {
        let operation = case.key.text(Axis::Operation);
        algorithms.entry((group_of(case), operation)).or_default().insert(case.key.text(Axis::Algorithm));
    }
    let (mut groups, mut notes): (BTreeMap<Key, Group>, BTreeSet<String>) = Default::default();
    for case in even() {
        let (group, operation) = (group_of(case), case.key.text(Axis::Operation));
        let known = &algorithms[&(group.clone(), operation.clone())];
        // Guidelines are about the library's own choice; without it, about the only algorithm that was measured.
        let wanted = if known.contains("library") || known.len() > 1 {
            "library"
        } else {
            known.first().map_or("", String::as_str)
        };
        if !known.contains(wanted) {
            notes.insert(format!(
                "{operation} by several algorithms ({}): it is not known to which one the guidelines apply; choose \
                 one, algorithm=…",
                known.iter().cloned().collect::<Vec<_>>().join(", ")
            ));
            continue;
        }
        if case.key.text(Axis::Algorithm) != wanted {
            continue;
        }
        let bytes = case.key.number(Axis::Bytes).unwrap_or(0);
        let by_bytes = groups.entry(group).or_default().entry(operation).or_default();
        // The lowest of several roots is taken.
        let root = |case: &Sampled| case.key.number(Axis::Root);
        match by_bytes.get(&bytes) {
            Some(known) if root(known) <= root(case) => {}
            _ => {
                by_bytes.insert(bytes, case);
            }
        }
    }
    (groups, notes.into_iter().collect())
}

/// Returns the pairs of a mock-up for all sizes at which the call and all its parts were measured.
fn mock_ups<'a>(rule: &MockUp, group: &Group<'a>, ranks: u64) -> Vec<Pair<'a>> {
    let Some(calls) = group.get(rule.call.name()) else { return Vec::new() };
    let part = |&(part, size): &(models::collective::Collective, Size), n: u64| {
        let measured = group.get(part.name())?;
        match size {
            Size::Fewest => measured.iter().find(|(bytes, _)| **bytes > 0).map(|(_, case)| *case),
            _ => measured.get(&size.bytes(n, ranks)?).copied(),
        }
    };
    let pair = |(&n, &call): (&u64, &&'a Sampled)| {
        let others = rule.parts.iter().map(|one| Some((1, part(one, n)?))).collect::<Option<Vec<_>>>()?;
        let names: Vec<String> = rule.parts.iter().map(|(part, _)| format!("MPI_{}", capital(part.name()))).collect();
        let needs = if rule.needs.is_empty() { String::new() } else { format!("; needs {}", rule.needs) };
        Some(Pair {
            guideline: rule.name(),
            kind: Kind::MockUp,
            call,
            others,
            advice: format!(
                "call {} in its place{needs}; or make the library choose another algorithm",
                names.join(" and ")
            ),
        })
    };
    calls.iter().filter_map(pair).collect()
}

/// The operation's name as MPI writes it: `Reduce_scatter_block` for `reduce-scatter`.
fn capital(name: &str) -> String {
    let name = if name == "reduce-scatter" { "reduce_scatter_block" } else { name };
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn forms<'a>(group: &Group<'a>, regular: &str, counted: &str) -> Vec<Pair<'a>> {
    let (Some(calls), Some(others)) = (group.get(regular), group.get(counted)) else { return Vec::new() };
    let both = calls.iter().filter_map(|(bytes, &call)| Some((call, *others.get(bytes)?)));
    let pair = |(call, other)| Pair {
        guideline: format!("{regular} ≤ {counted}"),
        kind: Kind::Regular,
        call,
        others: vec![(1, other)],
        advice: format!("call MPI_{} with equal counts in its place", capital(counted)),
    };
    both.map(pair).collect()
}

/// Returns two guidelines: fewer bytes are not slower than more, and the more bytes are not slower than an equivalent
/// number of calls with the fewer.
fn in_bytes<'a>(operation: &str, (n, fewer): (u64, &'a Sampled), (m, more): (u64, &'a Sampled)) -> Vec<Pair<'a>> {
    let mut pairs = vec![Pair {
        guideline: format!("{operation} monotone in bytes"),
        kind: Kind::MonotoneInBytes,
        call: fewer,
        others: vec![(1, more)],
        advice: format!("pad to {m} bytes; or make the library choose there what it chooses at {m}"),
    }];
    if n > 0 && m.div_ceil(n) <= MOST_PARTS {
        let parts = m.div_ceil(n);
        pairs.push(Pair {
            guideline: format!("{operation} split-robust"),
            kind: Kind::SplitRobust,
            call: more,
            others: vec![(parts, fewer)],
            advice: format!(
                "call it {parts} times with {n} bytes; or make the library choose there what it chooses at {n}"
            ),
        });
    }
    pairs
}

/// Returns the guideline that fewer ranks are not slower than more, all else being equal.
fn in_ranks<'a>(groups: &BTreeMap<Key, Group<'a>>) -> Vec<Pair<'a>> {
    let mut by_ranks: BTreeMap<Key, BTreeMap<u64, &Group<'a>>> = BTreeMap::new();
    for (key, group) in groups {
        if let Some(ranks) = key.number(Axis::Ranks) {
            let rest = key.within(|axis| axis != Axis::Ranks);
            by_ranks.entry(rest).or_default().insert(ranks, group);
        }
    }
    let mut pairs = Vec::new();
    for sizes in by_ranks.values() {
        let sizes: Vec<(u64, &Group)> = sizes.iter().map(|(ranks, group)| (*ranks, *group)).collect();
        for pair in sizes.windows(2) {
            let ((_, fewer), (ranks, more)) = (pair[0], pair[1]);
            for (operation, by_bytes) in fewer {
                let others = more.get(operation);
                let both = by_bytes.iter().filter_map(|(bytes, &call)| Some((call, *others?.get(bytes)?)));
                pairs.extend(both.map(|(call, other)| Pair {
                    guideline: format!("{operation} monotone in ranks"),
                    kind: Kind::MonotoneInRanks,
                    call,
                    others: vec![(1, other)],
                    advice: format!("check what the library chooses on {ranks} ranks, and select that here too"),
                }));
            }
        }
    }
    pairs
}
