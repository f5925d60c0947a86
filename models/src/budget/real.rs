//! Configurations on real ranks: what is run for each, and which errors cannot be told apart there.
//!
//! How ranks and repetitions become one number is a matter of what was recorded, and so is the first call, which every
//! record keeps apart: configurations that differ in nothing else share their runs. Nobody can switch off what waiting
//! costs; where it is to be free the windows are as short as the calls allow.

use super::{Clocks, Configuration, Entry, Gap, Repeats, Starts, SystematicError};
use crate::aggregation::reported_us;
use crate::method::{FirstCall, RootChoice};
use crate::observation::{Carrier, Observation, RankRecord, Stamp};
use crate::sync::Sync;
use serde::{Deserialize, Serialize};

/// What real ranks stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ground {
    /// What carries their messages.
    pub carrier: Carrier,
    /// Whether they read another clock where clocks are as they are than where they are perfect.
    pub other_clock: bool,
}

/// One run of one configuration, among those of all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Which of [`Configuration::runs`].
    pub run: u32,
    /// On what the ranks stand.
    pub ground: Ground,
    /// Counted from 0 over all launches.
    pub round: u32,
    /// What the ranks recorded.
    pub observation: Observation,
}

impl Configuration {
    /// This configuration for a collective that has no root, if so.
    pub fn rooted(&self, rooted: bool) -> Configuration {
        let root = if rooted { self.root } else { RootChoice::Fixed };
        Configuration { root, ..self.clone() }
    }

    /// What real ranks do for this configuration.
    pub fn run(&self, ground: Ground) -> Configuration {
        let mut run = self.clone();
        run.first_call = FirstCall::Apart;
        run.aggregation = Configuration::truth().aggregation;
        // Ranks on an emulated network sleep; short windows would all be missed there.
        if !run.gap.costs && ground.carrier == Carrier::Native {
            run.gap = Gap { costs: true, starts: Starts::Window, rules: None, window: None };
        }
        if run.repeats != Repeats::Apart {
            run.entry = Entry::Announced;
        }
        if run.repeats != Repeats::Apart || run.entry != Entry::Announced {
            run.gap = Configuration::truth().gap;
        }
        if !ground.other_clock && sync(&run).is_none() {
            run.clocks = Clocks::Perfect;
        }
        run
    }

    /// What real ranks do for all of these, each thing once.
    pub fn runs(all: &[Configuration], ground: Ground) -> Vec<Configuration> {
        let mut runs: Vec<Configuration> = Vec::new();
        for run in all.iter().map(|configuration| configuration.run(ground)) {
            if !runs.iter().any(|known| known.is_like(&run)) {
                runs.push(run);
            }
        }
        runs
    }

    /// The number that this configuration prints of what the ranks of its run recorded, in µs. A first call that is
    /// counted takes the place of the first valid one, and lasts as long as the calls of `fresh`, one for each rank.
    /// `None` where nothing was valid on all ranks.
    pub fn number_us(&self, ranks: &[RankRecord], fresh: &[Stamp]) -> Option<f64> {
        match self.first_call {
            FirstCall::Apart => reported_us(ranks, &self.aggregation),
            FirstCall::Included => reported_us(&with_first_call(ranks, fresh)?, &self.aggregation),
        }
    }
}

/// The records with the first valid repetition begun by another call: where it is a loop, by its share.
fn with_first_call(ranks: &[RankRecord], fresh: &[Stamp]) -> Option<Vec<RankRecord>> {
    let repetitions = ranks.iter().map(|record| record.stamps.len()).min()?;
    let valid = |&index: &usize| ranks.iter().all(|record| record.stamps[index].valid);
    let first = (0..repetitions).find(valid)?;
    let mut ranks = ranks.to_vec();
    for (record, cold) in ranks.iter_mut().zip(fresh) {
        let stamp = &mut record.stamps[first];
        let ticks = |stamp: &Stamp| stamp.end.0.saturating_sub(stamp.start.0);
        let usual = ticks(stamp) / u64::from(stamp.calls.max(1));
        stamp.end.0 = stamp.end.0.saturating_add(ticks(cold)).saturating_sub(usual);
    }
    Some(ranks)
}

/// Why one error's bar between two configurations cannot be measured on real ranks; `None` where it can.
pub fn not_measurable(
    error: SystematicError,
    from: &Configuration,
    to: &Configuration,
    ground: Ground,
) -> Option<&'static str> {
    let alike = || from.run(ground).is_like(&from.with(error, to).run(ground));
    let emulated = ground.carrier == Carrier::Emulated;
    match error {
        SystematicError::BufferReuse => emulated.then_some("an emulated network takes bytes from any buffer alike"),
        SystematicError::BadClock => alike().then_some("ranks read the same clock in both"),
        SystematicError::IdleGap if emulated => Some("ranks on an emulated network sleep between calls"),
        SystematicError::IdleGap => alike().then_some("ranks wait alike in both"),
        SystematicError::LateInitialisation
        | SystematicError::OneRank
        | SystematicError::RootChanges
        | SystematicError::BarrierSkew
        | SystematicError::UnsynchronisedLoop
        | SystematicError::BarrierInside => None,
    }
}

/// How clocks are synchronised, where a configuration says so.
fn sync(of: &Configuration) -> Option<Sync> {
    match of.clocks {
        Clocks::Perfect => None,
        Clocks::AsTheyAre { sync } => sync,
    }
}
