//! Configurations on real ranks: the runs for each, and the errors that cannot be separated there.
//!
//! The aggregation of ranks and samples to one number needs recorded times only, and so does the first call, which
//! every record keeps apart: configurations that differ in nothing else share their runs. Nobody can switch off the
//! cost of waiting; where it is to be free the windows are as short as the calls allow.

use super::{Clocks, Configuration, Entry, Gap, Repeats, Starts, SystematicError};
use crate::aggregation::reported_us;
use crate::method::{FirstCall, RootChoice};
use crate::observation::{Carrier, Observation, RankRecord, Stamp};
use crate::sync::Sync;
use models::clock::{ReportCard, Ticks};
use serde::{Deserialize, Serialize};

/// A run of one configuration, among those of all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Number of the run among [`Configuration::runs`].
    pub run: u32,
    /// Number of the round, counted from 0 over all launches.
    pub round: u32,
    /// Records of all ranks in this round.
    pub observation: Observation,
}

/// Effect of another clock on recorded times (E7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockCost {
    /// Number of ns of which all its readings are multiples.
    pub granularity_ns: f64,
    /// Cost of a reading beyond that of the clock that recorded, in ns: half of it before and half behind the call.
    pub longer_read_ns: f64,
}

impl ClockCost {
    /// Returns the effect of the clock that benchmarks read, where the ranks read another one.
    pub fn from_report_cards(benchmarks: &ReportCard, recorded_by: &ReportCard) -> ClockCost {
        let longer_read_ns = benchmarks.read_in_calls_ns() - recorded_by.read_in_calls_ns();
        ClockCost { granularity_ns: benchmarks.granularity_ns, longer_read_ns }
    }

    /// Returns the records as that clock would have read them.
    fn read(&self, ranks: &[RankRecord]) -> Vec<RankRecord> {
        let mut ranks = ranks.to_vec();
        for record in &mut ranks {
            let per_ns = record.clock.scale.ticks_per_second / 1e9;
            let (grain, longer) = (self.granularity_ns * per_ns, self.longer_read_ns * per_ns);
            let read = |ticks: f64| if grain > 1.0 { (ticks / grain).floor() * grain } else { ticks };
            let origin = record.clock.scale.origin.0;
            for stamp in record.stamps.iter_mut().chain(&mut record.subtracted) {
                let since = |ticks: Ticks| ticks.0 as f64 - origin as f64;
                let (start, end) = (read(since(stamp.start)), read(since(stamp.end) + longer));
                stamp.end = Ticks(stamp.start.0.saturating_add((end - start).max(0.0).round() as u64));
            }
        }
        ranks
    }
}

impl Configuration {
    /// Returns this configuration with a fixed root where the collective has none.
    pub fn rooted(&self, rooted: bool) -> Configuration {
        let root = if rooted { self.root } else { RootChoice::Fixed };
        Configuration { root, ..self.clone() }
    }

    /// Returns the configuration that real ranks carry out for this one.
    pub fn run(&self, carrier: Carrier) -> Configuration {
        let mut run = self.clone();
        run.first_call = FirstCall::Apart;
        run.aggregation = Configuration::perfect().aggregation;
        // Ranks on an emulated network sleep; short windows would all be missed there.
        if !run.gap.costs && carrier == Carrier::Native {
            run.gap = Gap { costs: true, starts: Starts::Window, rules: None, window: None };
        }
        if run.repeats != Repeats::Apart {
            run.entry = Entry::Announced;
        }
        if run.repeats != Repeats::Apart || run.entry != Entry::Announced {
            run.gap = Configuration::perfect().gap;
        } else {
            // Announced starts forget a delay.
            run.delay = None;
        }
        // Another clock is computed, another synchronisation is run.
        if sync(&run).is_none() || run.repeats != Repeats::Apart || run.entry != Entry::Announced {
            run.clocks = Clocks::Perfect;
        }
        run
    }

    /// Returns the configurations that real ranks carry out for all of these, each once.
    pub fn runs(all: &[Configuration], carrier: Carrier) -> Vec<Configuration> {
        let mut runs: Vec<Configuration> = Vec::new();
        for run in all.iter().map(|configuration| configuration.run(carrier)) {
            if !runs.iter().any(|known| known.is_like(&run)) {
                runs.push(run);
            }
        }
        runs
    }

    /// Returns the number that this configuration prints from the records of the ranks of its run, in µs. A first call
    /// that is counted takes the place of the first valid one, and lasts as long as the calls of `fresh`, one for each
    /// rank. Where clocks are as they are, `clock` is the effect of the benchmarks' clock on the times, if it is
    /// another one. `None` where nothing was valid on all ranks.
    pub fn number_us(&self, ranks: &[RankRecord], fresh: &[Stamp], clock: Option<ClockCost>) -> Option<f64> {
        let first = match self.first_call {
            FirstCall::Apart => None,
            FirstCall::Included => Some(with_first_call(ranks, fresh)?),
        };
        let ranks = first.as_deref().unwrap_or(ranks);
        let read = clock.filter(|_| self.clocks != Clocks::Perfect).map(|clock| clock.read(ranks));
        reported_us(read.as_deref().unwrap_or(ranks), &self.aggregation)
    }
}

/// Returns the records with the first valid sample begun by another call: where it is a loop, by its share.
fn with_first_call(ranks: &[RankRecord], fresh: &[Stamp]) -> Option<Vec<RankRecord>> {
    let samples = ranks.iter().map(|record| record.stamps.len()).min()?;
    let valid = |&index: &usize| ranks.iter().all(|record| record.stamps[index].valid);
    let first = (0..samples).find(valid)?;
    let mut ranks = ranks.to_vec();
    for (record, cold) in ranks.iter_mut().zip(fresh) {
        let stamp = &mut record.stamps[first];
        let ticks = |stamp: &Stamp| stamp.end.0.saturating_sub(stamp.start.0);
        let usual = ticks(stamp) / u64::from(stamp.calls.max(1));
        stamp.end.0 = stamp.end.0.saturating_add(ticks(cold)).saturating_sub(usual);
    }
    Some(ranks)
}

/// Returns the reason why one bar between two configurations cannot be measured on real ranks; `None` where it can.
pub fn not_measurable(
    errors: &[SystematicError],
    from: &Configuration,
    to: &Configuration,
    carrier: Carrier,
) -> Option<&'static str> {
    let alike = || from.run(carrier).is_like(&from.with_all(errors, to).run(carrier));
    match errors {
        [SystematicError::BufferReuse] if carrier.is_emulated() => {
            Some("on an emulated network the state of a buffer has no effect")
        }
        [SystematicError::IdleGap] if carrier.is_emulated() => Some("ranks on an emulated network sleep between calls"),
        [SystematicError::IdleGap] => alike().then_some("ranks wait in the same way in both configurations"),
        _ => None,
    }
}

/// Returns the synchronisation of clocks, where a configuration names one.
fn sync(of: &Configuration) -> Option<Sync> {
    match of.clocks {
        Clocks::Perfect => None,
        Clocks::AsTheyAre { sync } => sync,
    }
}
