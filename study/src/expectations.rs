//! The numbers that a campaign's expectations are held against: those that every method reports, rank by rank and
//! together, their errors, first calls, the skews of starts and exits, and the apparent durations of waits of known
//! length.

use crate::compare::{CONFIDENCE, clock_bound_us, waits_us};
use crate::measured::would_print;
use models::shared_broadcast::Queued;
use models::time::Span;
use programs::aggregation::OverRanks;
use programs::aggregation::{over_ranks_us, samples_us};
use programs::machine::Bound;
use programs::method::{Column, Factors, Method, Preset};
use programs::observation::{CaseKey, ClockCheck, Conditions, Observation, Occasion, RankRecord, World};
use render::groups::{distinct, grouped, latest};
use scenario::axis::{Axis, AxisValue, Key};
use scenario::expect::{Expect, ExpectedNumber, Quantity};
use scenario::store::{CampaignLines, Observed};
use statistics::{mean_with_interval, median};
use std::collections::BTreeMap;

/// Names of the statistics over all ranks.
const TOGETHER: [(&str, OverRanks); 3] =
    [("slowest", OverRanks::Max), ("fastest", OverRanks::Min), ("mean", OverRanks::Mean)];

/// Returns every number of a campaign's lines that was measured under these factors: of simulated worlds the simulated
/// numbers, of real ones the measured numbers, and the printed numbers of the benchmarks that the expectations name.
pub fn numbers(lines: CampaignLines<'_>, factors: &Factors, expects: &[Expect]) -> Vec<ExpectedNumber> {
    let observations = observations(lines);
    let truths = Truths::from_observations(&observations, lines);
    let benchmarks = named(expects);
    let of = |seen: &&Observation| {
        let truth = truths.of_us(seen);
        let slowest = truth.iter().copied().fold(0.0, f64::max);
        let printed = printed(seen, factors, &benchmarks, slowest);
        of_case(seen, &truth, slowest).into_iter().chain(printed).collect::<Vec<_>>()
    };
    let mut numbers: Vec<ExpectedNumber> = observations.iter().flat_map(of).collect();
    numbers.extend(lines.clock_checks().flat_map(of_waits));
    numbers.extend(over_launches(&numbers));
    numbers
}

/// Returns the observations of every case; of a case that was run again, the last one.
fn observations(lines: CampaignLines<'_>) -> Vec<&Observation> {
    let all = lines.observations(Observed::MeasuredOrSimulated);
    latest(all.filter(|seen| seen.case.timing.method != Method::LoopTrace).map(|seen| (seen.key(), seen)))
}

/// Returns the benchmarks, and columns of them, that expectations name.
fn named(expects: &[Expect]) -> Vec<(String, Preset, Column)> {
    let over = |expect: &'_ Expect| expect.over.iter().flat_map(|over| over.at.clone()).collect::<Vec<_>>();
    let conditions = expects.iter().flat_map(|expect| expect.of.iter().cloned().chain(over(expect)));
    let values =
        conditions.filter(|condition| condition.axis == Axis::Benchmark).flat_map(|condition| condition.values);
    let names = distinct(values.map(|value| value.to_string()));
    let found = |name: String| Preset::printing(&name).ok().map(|(preset, column)| (name, preset, column));
    names.into_iter().filter_map(found).collect()
}

/// Returns the numbers that benchmarks would print for a case that was timed as they time theirs, and their ratios to
/// the slowest rank's reference.
fn printed(
    seen: &Observation,
    factors: &Factors,
    benchmarks: &[(String, Preset, Column)],
    slowest: f64,
) -> Vec<ExpectedNumber> {
    let of = |(name, preset, column): &(String, Preset, Column)| {
        let us = would_print((*preset, column), seen, factors)?;
        let at = place(seen).named(Axis::Benchmark, name);
        let misreport = (slowest > 0.0).then_some((Quantity::Misreport, us / slowest));
        let both = [Some((Quantity::Printed, us)), misreport].into_iter().flatten();
        Some(both.map(move |(quantity, value)| ExpectedNumber { quantity, at: at.clone(), value }))
    };
    benchmarks.iter().filter_map(of).flatten().collect()
}

fn of_case(seen: &Observation, truth: &[f64], slowest: f64) -> Vec<ExpectedNumber> {
    let (case, ranks) = (&seen.case, &seen.ranks);
    let mut numbers = Vec::new();
    let place = place(seen);
    let mut put = |quantity, rank: Option<AxisValue>, value: f64| {
        numbers.push(ExpectedNumber { quantity, at: place.clone().at(Axis::Rank, rank), value });
    };
    let together = |name: &str| Some(AxisValue::Text(name.to_owned()));
    for (rank, record) in ranks.iter().enumerate() {
        let here = || Some(AxisValue::Number(record.rank.into()));
        if let Some(time) = median(&samples_us(case.timing.method, ranks, rank)) {
            put(Quantity::Time, here(), time);
            if let Some(&truth) = truth.get(rank).filter(|&&truth| truth > 0.0) {
                put(Quantity::Ratio, here(), time / truth);
            }
            if slowest > 0.0 {
                put(Quantity::Misreport, here(), time / slowest);
            }
        }
        put(Quantity::FirstCall, here(), first_us(record));
    }
    for (name, ranks_as) in TOGETHER {
        let Some(time) = median(&over_ranks_us(case.timing.method, ranks, ranks_as)) else { continue };
        put(Quantity::Time, together(name), time);
        if slowest > 0.0 {
            put(Quantity::Misreport, together(name), time / slowest);
        }
    }
    let first = ranks.iter().map(first_us).fold(f64::NAN, f64::max);
    put(Quantity::FirstCall, together("slowest"), first);
    if case.timing.method.is_synchronised() {
        for (quantity, end) in [(Quantity::StartSkew, false), (Quantity::ExitSkew, true)] {
            if let Some(skew) = skew_us(ranks, end) {
                put(quantity, None, skew);
            }
        }
    }
    numbers
}

/// References of cases: of simulated ranks their exact times, of real ones their windows.
struct Truths<'a> {
    exact: BTreeMap<(CaseKey, Occasion), &'a [Span]>,
    windows: BTreeMap<(CaseKey, Occasion), &'a Observation>,
}

impl<'a> Truths<'a> {
    fn from_observations(observations: &[&'a Observation], lines: CampaignLines<'a>) -> Truths<'a> {
        let best = lines.truths().filter(|truth| truth.bound == Bound::Best);
        let exact = best.map(|truth| ((truth.case.without_method(), truth.occasion), truth.spans));
        let windows = observations.iter().filter(|seen| seen.case.timing.method == Method::Window);
        Truths {
            exact: exact.collect(),
            windows: windows.map(|&seen| ((seen.case.without_method(), seen.occasion), seen)).collect(),
        }
    }

    /// Returns each rank's reference, in µs; empty where there is none.
    fn of_us(&self, seen: &Observation) -> Vec<f64> {
        let (case, occasion) = seen.key();
        if case.place.world == World::Simulated {
            let exact = self.exact.get(&(case.without_method(), occasion)).copied().unwrap_or_default();
            return exact.iter().map(|span| span.as_us()).collect();
        }
        let windows = [case.reference(), case.reference().without_barrier()];
        let Some(windows) = windows.into_iter().find_map(|windows| self.windows.get(&(windows, occasion))) else {
            return Vec::new();
        };
        let of = |rank| median(&samples_us(Method::Window, &windows.ranks, rank));
        (0..windows.ranks.len()).map(of).collect::<Option<_>>().unwrap_or_default()
    }
}

fn first_us(record: &RankRecord) -> f64 {
    record.clock.scale.span(record.cold.start, record.cold.end).as_us()
}

/// Returns the median of last less first start, or end, over the starts that are valid on all ranks, on the global
/// clock.
fn skew_us(ranks: &[RankRecord], of_ends: bool) -> Option<f64> {
    let starts = ranks.iter().map(|record| record.stamps.len()).min()?;
    let valid = (0..starts).filter(|&start| ranks.iter().all(|record| record.stamps[start].valid));
    let skew = |start: usize| -> Option<Span> {
        let at = || {
            ranks.iter().map(|record| {
                let stamp = &record.stamps[start];
                record.clock.time(if of_ends { stamp.end } else { stamp.start })
            })
        };
        Some(at().max()?.since(at().min()?))
    };
    median(&valid.filter_map(skew).map(Span::as_us).collect::<Vec<_>>())
}

fn of_waits(check: &ClockCheck) -> Vec<ExpectedNumber> {
    let at = Key::default()
        .named(Axis::World, check.world.name())
        .named(Axis::Transport, check.carrier.name())
        .counted(Axis::Ranks, Some(check.null.len() as u64));
    let at = under(&check.conditions, check.occasion, at);
    let waits = [(Quantity::WaitNull, &check.null), (Quantity::WaitUp, &check.up), (Quantity::WaitDown, &check.down)];
    let bound = clock_bound_us(check.null.iter().chain(&check.up).chain(&check.down)).1;
    let timed = waits.into_iter().map(|(quantity, ranks)| (quantity, waits_us(ranks, CONFIDENCE).value));
    let timed = timed.chain([(Quantity::ClockBound, bound)]);
    timed
        .filter(|(_, value)| value.is_finite())
        .map(|(quantity, value)| ExpectedNumber { quantity, at: at.clone(), value })
        .collect()
}

/// Returns the relative standard error of the mean over launches, for every time of which there are several.
fn over_launches(numbers: &[ExpectedNumber]) -> Vec<ExpectedNumber> {
    let without = |number: &ExpectedNumber| number.at.within(|axis| axis != Axis::Launch);
    let times = numbers.iter().filter(|number| number.quantity == Quantity::Time);
    let groups = grouped(times.map(|number| (without(number), number.value)));
    let several = groups.into_iter().filter(|(_, values)| values.len() > 1);
    several
        .filter_map(|(at, values)| Some(ExpectedNumber { quantity: Quantity::Rse, at, value: rse(&values)? }))
        .collect()
}

/// Returns σ / (µ·√n), where σ is the sample's standard deviation.
fn rse(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    // Its value is the mean; any confidence will do.
    let mean = mean_with_interval(values, 0.95)?.value;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean > 0.0 && n > 1.0).then(|| (squares / (n - 1.0) / n).sqrt() / mean)
}

/// Returns the coordinates of a case's numbers without the rank: every axis has its value, the usual ones too.
fn place(seen: &Observation) -> Key {
    let (case, occasion) = seen.key();
    let at = Key::from_case(case)
        .counted(Axis::Root, Some(case.subject.root))
        .counted(Axis::Calls, Some(case.timing.calls))
        .named(Axis::Buffer, case.timing.conditions.buffer.name())
        .through(case.subject.implementation.queued().map(Queued::queue));
    under(&case.timing.conditions, occasion, at)
}

/// Adds the launch, the clock and the simulated machine to coordinates.
fn under(conditions: &Conditions, occasion: Occasion, at: Key) -> Key {
    let machine = conditions.machine.map(|machine| AxisValue::Text(machine.as_str().to_owned()));
    at.counted(Axis::Launch, Some(occasion.launch + 1))
        .named(Axis::Clock, conditions.clock.name())
        .at(Axis::Machine, machine)
}
