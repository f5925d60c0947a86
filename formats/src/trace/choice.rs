//! Choice of the parts of a large trace that are drawn: a picture stays of bounded size, and states its omissions.

use super::lanes::Lanes;
use models::time::{Span, Time};
use programs::trace::{Activity, Flight, Interval};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Largest number of lanes in one picture.
pub(super) const MAX_LANES: usize = 64;
/// Largest number of separate bars; where there would be more, each pixel of a lane shows the activity that fills most
/// of it.
pub(super) const MAX_BARS: usize = 6_000;
/// Largest number of messages in one picture.
pub(super) const MAX_FLIGHTS: usize = 1_000;

/// The lanes that are drawn, and the way in which they were chosen.
pub(super) struct ShownLanes {
    /// Indices of lanes, from the top.
    pub lanes: Vec<usize>,
    /// `Showing 64 of 1024 ranks: …`; `None` where all are shown.
    pub said: Option<String>,
}

/// Chooses lanes: all where there is room, else those of the most informative ranks.
pub(super) fn lanes(all: &Lanes) -> ShownLanes {
    if all.lanes.len() <= MAX_LANES {
        return ShownLanes { lanes: (0..all.lanes.len()).collect(), said: None };
    }
    let ranks = all.ranks();
    let widest = (0..ranks).map(|rank| all.of_rank(rank).len()).max().unwrap_or(1);
    let room = (MAX_LANES / widest).max(1);
    if ranks as usize <= room {
        let said = format!("Showing {MAX_LANES} of {} CPUs: the first.", all.lanes.len());
        return ShownLanes { lanes: (0..MAX_LANES).collect(), said: Some(said) };
    }
    let (chosen, how) = telling(all, ranks, room);
    let mut lanes: Vec<usize> = chosen.iter().flat_map(|&rank| all.of_rank(rank)).collect();
    lanes.truncate(MAX_LANES);
    ShownLanes { lanes, said: Some(format!("Showing {} of {ranks} ranks: {how}.", chosen.len())) }
}

/// The `room` most informative ranks, with a description of them.
fn telling(all: &Lanes, ranks: u32, room: usize) -> (BTreeSet<u32>, String) {
    let mut chosen = BTreeSet::new();
    let mut how = Vec::new();
    let finish = &all.trace.finish;
    let mut by_finish: Vec<u32> = (0..ranks).filter(|&rank| (rank as usize) < finish.len()).collect();
    by_finish.sort_by_key(|&rank| (Reverse(finish[rank as usize]), rank));
    let slot = Activity::ALL.iter().position(|&activity| activity == Activity::Noise).unwrap_or_default();
    let mut noisy: Vec<(Reverse<Span>, u32)> =
        (0..ranks).map(|rank| (Reverse(all.sums(rank).spans[slot]), rank)).filter(|(Reverse(s), _)| s.0 > 0).collect();
    noisy.sort_unstable();
    let mut take = |wanted: usize, from: &mut dyn Iterator<Item = u32>, words: [&str; 2]| {
        let wanted = wanted.max(1).min(room - chosen.len());
        let taken: Vec<u32> = from.take(wanted).collect();
        match taken.len() {
            0 => {}
            1 => how.push(words[0].to_owned()),
            count => how.push(words[1].replace('#', &count.to_string())),
        }
        chosen.extend(taken);
    };
    take(room / 4, &mut by_finish.iter().copied(), ["the one that finishes last", "the # that finish last"]);
    take(room / 8, &mut by_finish.iter().rev().copied(), ["the one that finishes first", "the # that finish first"]);
    take(room / 4, &mut (0..ranks), ["the first", "the first #"]);
    take(room / 8, &mut (0..ranks).rev(), ["the last", "the last #"]);
    take(room / 8, &mut noisy.iter().map(|&(_, rank)| rank), ["the one with most noise", "the # with most noise"]);
    let rest: Vec<u32> = (0..ranks).filter(|rank| !chosen.contains(rank)).collect();
    let wanted = room - chosen.len();
    if wanted > 0 {
        chosen.extend((0..wanted).map(|nth| rest[(2 * nth + 1) * rest.len() / (2 * wanted)]));
        how.push("others evenly spread".to_owned());
    }
    (chosen, listed(&how))
}

/// Joins words: `a, b and c`.
fn listed(parts: &[String]) -> String {
    match parts {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => parts.concat(),
    }
}

/// The messages that are drawn.
pub(super) struct Flights<'a> {
    pub drawn: Vec<&'a Flight>,
    /// Number of messages that are not drawn, with the reason, in words; `None` where all are drawn.
    pub said: Option<String>,
}

/// Chooses messages between the ranks that are shown, evenly in the order of their departures.
pub(super) fn flights<'a>(all: &Lanes<'a>, shown: &[usize]) -> Flights<'a> {
    let ranks: BTreeSet<u32> = shown.iter().map(|&lane| all.lanes[lane].rank).collect();
    let between: Vec<&Flight> =
        all.trace.flights.iter().filter(|flight| ranks.contains(&flight.from) && ranks.contains(&flight.to)).collect();
    let (total, candidates) = (all.trace.flights.len(), between.len());
    let drawn: Vec<&Flight> = if candidates <= MAX_FLIGHTS {
        between
    } else {
        (0..MAX_FLIGHTS).map(|nth| between[nth * candidates / MAX_FLIGHTS]).collect()
    };
    let said = match drawn.len() {
        all_drawn if all_drawn == total => None,
        count if count == candidates => Some(format!("Of {total} messages the {count} between ranks shown are drawn.")),
        count if candidates == total => Some(format!("Of {total} messages {count} are drawn, evenly chosen.")),
        count => Some(format!(
            "Of {total} messages {count} are drawn, evenly chosen among the {candidates} between ranks shown."
        )),
    };
    Flights { drawn, said }
}

/// True where each interval of the lanes shown can have a bar of its own.
pub(super) fn has_room_for_bars(all: &Lanes, shown: &[usize]) -> bool {
    let bars = |lane: &usize| all.intervals(&all.lanes[*lane]).iter().filter(|i| i.end > i.start).count();
    shown.iter().map(bars).sum::<usize>() <= MAX_BARS
}

/// A run of slots, each of which is mostly filled by the same activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Merged {
    pub activity: Activity,
    pub from: usize,
    pub to: usize,
}

/// Cuts the time from `begin` to `end` into equal slots. Each shows the activity that fills most of it, or nothing
/// where idleness does. Among equals the first of [`Activity::ALL`] is shown, idleness last.
pub(super) fn merged(intervals: &[Interval], (begin, end): (Time, Time), slots: usize) -> Vec<Merged> {
    let length = u128::from(end.since(begin).0);
    if length == 0 || slots == 0 {
        return Vec::new();
    }
    let edge = |slot: usize| (length * slot as u128 / slots as u128) as u64;
    let mut filled = vec![[0u64; Activity::ALL.len()]; slots];
    for interval in intervals {
        let (from, to) = (interval.start.since(begin).0, interval.end.since(begin).0);
        let kind = Activity::ALL.iter().position(|&activity| activity == interval.activity).unwrap_or_default();
        let mut slot = (u128::from(from) * slots as u128 / length) as usize;
        while slot < slots && edge(slot) < to {
            filled[slot][kind] += to.min(edge(slot + 1)).saturating_sub(from.max(edge(slot)));
            slot += 1;
        }
    }
    let mut runs: Vec<Merged> = Vec::new();
    for (slot, filled) in filled.iter().enumerate() {
        let idle = (edge(slot + 1) - edge(slot)).saturating_sub(filled.iter().sum());
        let most = filled.iter().copied().max().unwrap_or(0);
        let Some(kind) = filled.iter().position(|&span| span == most && span > 0 && span >= idle) else { continue };
        let activity = Activity::ALL[kind];
        match runs.last_mut() {
            Some(run) if run.activity == activity && run.to == slot => run.to = slot + 1,
            _ => runs.push(Merged { activity, from: slot, to: slot + 1 }),
        }
    }
    runs
}
