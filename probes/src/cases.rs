//! Answers of real ranks as cases, which are compared and stored.

use crate::steps;
use models::time::Span;
use programs::aggregation::{OverRanks, over_ranks_us};
use programs::detours::{Collection, Recorded};
use programs::method::Method;
use programs::observation::{ClockCheck, RankRecord};
use programs::point_to_point::{Buffers, Exchanges, Record, Test};
use programs::sync::{Trial, TrialRank};
use render::groups::grouped;
use render::plots::numbers::significant;
use scenario::axis::{Axis, Key};
use scenario::store::{Proof, TaskResult, Tested};

/// Operation of cases whose numbers are in KiB.
pub const MEMORY: &str = "memory";

/// Name of the operation of cases of recorded noise.
pub const NOISE: &str = "noise";

/// Operation of cases of trials of synchronisations.
pub const SYNCHRONISATION: &str = "synchronisation";
/// Forms of a trial's numbers besides its duration: the bound of a clock's error, and the error.
pub const OF_CLOCKS: [&str; 2] = ["bound", "error"];

/// Returns the cases of an answer with their numbers, in the quantity of its test.
pub fn cases(tested: &Tested) -> Vec<(Key, Vec<f64>)> {
    match &tested.found {
        TaskResult::Exchanged { test, record } => exchanged(tested, test, record),
        TaskResult::Memory { test, ranks } => {
            let resident = ranks.iter().flatten().filter_map(|probe| {
                let key = tested.key(MEMORY, &probe.moment.to_string()).counted(Axis::Bytes, Some(test.bytes));
                Some((key, probe.resident?.rss_kib as f64))
            });
            grouped(resident)
        }
        TaskResult::Synchronised { trials, .. } => synchronised(tested, trials),
        TaskResult::Clock(card) => {
            vec![(tested.key("clock", &format!("{}, read", card.name)), vec![card.read_ns / 1e3])]
        }
        TaskResult::Waits(check) => waits(tested, check),
        TaskResult::Checked { .. } | TaskResult::Worked { .. } => Vec::new(),
        TaskResult::Proved { points } => proved(tested, points),
        TaskResult::Noise { collection, ranks } => collected(tested, collection, ranks),
        TaskResult::Metered { ranks, .. } => steps::cases(tested, ranks),
        TaskResult::Lines { looks, .. } => grouped(looks.iter().map(|look| {
            let [one, other] = look.cores;
            (tested.key("cache line", &format!("cores {one} and {other}")), look.line_ns / 1e3)
        })),
    }
}

/// Returns the exchanges as cases. The way of the messages is the operation; ranks other than 0 and 1 are named.
fn exchanged(tested: &Tested, test: &Test, record: &Record) -> Vec<(Key, Vec<f64>)> {
    let buffers = test.buffers();
    let of = |of: &Exchanges| {
        let pair = if (of.from, of.to) == (0, 1) { String::new() } else { format!("ranks {} and {}", of.from, of.to) };
        let key = tested.key(of.way.name(), &pair).counted(Axis::Bytes, Some(of.bytes));
        (key.named(Axis::Buffer, if buffers == Buffers::Same { "" } else { buffers.name() }), of.times_us())
    };
    record.exchanges.iter().filter(|of| !of.round_trips.is_empty()).map(of).collect()
}

/// Returns for each algorithm its duration, its bound and, where it is known, its error, each of the worst rank.
fn synchronised(tested: &Tested, trials: &[Trial]) -> Vec<(Key, Vec<f64>)> {
    let worst = |trial: &Trial, of: fn(&TrialRank) -> Option<Span>| trial.ranks.iter().filter_map(of).max();
    let each = trials.iter().flat_map(|trial| {
        let key = |form| tested.key(SYNCHRONISATION, form).named(Axis::Sync, trial.sync.name());
        let [bound, error] = OF_CLOCKS;
        let numbers = [
            ("time", worst(trial, |rank| Some(rank.took))),
            (bound, worst(trial, |rank| Some(rank.clock.bound))),
            (error, worst(trial, |rank| Some(Span(rank.error_ps?.unsigned_abs())))),
        ];
        numbers.map(|(form, span)| Some((key(form), span?.as_us())))
    });
    grouped(each.flatten())
}

/// Returns the waits of known duration, as windows timed them.
fn waits(tested: &Tested, check: &ClockCheck) -> Vec<(Key, Vec<f64>)> {
    let clock = check.conditions.clock;
    let all: [(&str, &[RankRecord]); 3] = [("null", &check.null), ("up", &check.up), ("down", &check.down)];
    let key = |wait| tested.key("wait", &format!("{clock}, {wait}")).named(Axis::Sync, check.conditions.sync.name());
    let all = all.map(|(wait, records)| (key(wait), over_ranks_us(Method::Window, records, OverRanks::Max)));
    all.into_iter().filter(|(_, times)| !times.is_empty()).collect()
}

/// Returns the time lost in a second and the longest detour of each rank as cases, in µs.
fn collected(tested: &Tested, collection: &Collection, ranks: &[Recorded]) -> Vec<(Key, Vec<f64>)> {
    let key = |what: &str| tested.key(NOISE, &format!("{}, {what}", collection.method));
    let lost = ranks.iter().map(|rank| (key("lost in a second"), rank.lost() * 1e6));
    let longest = ranks.iter().filter(|rank| rank.work.is_none());
    let longest = longest.map(|rank| (key("longest detour"), rank.collected.watched.longest.as_us()));
    grouped(lost.chain(longest))
}

/// Returns the measured mean of each length of grain as a case.
fn proved(tested: &Tested, points: &[Proof]) -> Vec<(Key, Vec<f64>)> {
    let of = |point: &Proof| {
        let form = format!("{} grains of {} µs", point.count, significant(point.grain_us));
        let key = tested.key("work under noise", &form).named(Axis::World, tested.world.name());
        (key, vec![point.measured.value])
    };
    points.iter().map(of).collect()
}
