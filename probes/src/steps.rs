//! Steps of meters over all ranks, and their times as cases.

use programs::meters::{Meter, Metered, StepTimes};
use render::groups::grouped;
use scenario::axis::{Axis, Key};
use scenario::store::{TaskResult, Tested};

/// Repetitions of one step on all ranks.
pub(crate) struct Step<'a> {
    pub(crate) meter: &'a Meter,
    pub(crate) name: String,
    /// Ranks that did it, with their times.
    pub(crate) ranks: Vec<(u32, &'a StepTimes)>,
    /// Time of the slowest rank in each repetition, in µs.
    pub(crate) times: Vec<f64>,
}

impl<'a> Step<'a> {
    /// Returns every step of an answer that a rank timed.
    pub(crate) fn from_meter(meter: &'a Meter, metered: &'a [Metered]) -> Vec<Step<'a>> {
        let names = metered.first().map(|rank| rank.steps.iter().map(|step| step.name.as_str())).into_iter().flatten();
        let step = |(place, name): (usize, &str)| {
            let own = metered.iter().filter_map(|rank| Some((rank.rank, rank.steps.get(place)?)));
            let ranks: Vec<(u32, &StepTimes)> = own.filter(|(_, series)| !series.took.is_empty()).collect();
            let count = ranks.iter().map(|(_, series)| series.took.len()).min().unwrap_or(0);
            let slowest = |nth: usize| ranks.iter().map(|(_, series)| series.took[nth]).max().unwrap_or_default();
            let times = (0..count).map(|nth| slowest(nth).as_us()).collect();
            Step { meter, name: name.to_owned(), ranks, times }
        };
        names.enumerate().map(step).filter(|step| !step.times.is_empty()).collect()
    }

    pub(crate) fn disturbers(&self) -> u32 {
        if let Meter::Regions(regions) = self.meter { regions.disturbers } else { 0 }
    }

    /// Returns the name of the step, with its disturbers if it has any.
    pub(crate) fn named(&self) -> String {
        match self.disturbers() {
            0 => self.name.clone(),
            1 => format!("{}, 1 disturber", self.name),
            some => format!("{}, {some} disturbers", self.name),
        }
    }
}

/// Returns the times of the slowest rank as cases, step by step.
pub(crate) fn cases(tested: &Tested, ranks: &[Metered]) -> Vec<(Key, Vec<f64>)> {
    let TaskResult::Metered { meter, .. } = &tested.found else { return Vec::new() };
    let key = |step: &Step<'_>| {
        let bytes = step.ranks.first().map(|(_, series)| series.bytes);
        tested.key(&meter.to_string(), &step.named()).counted(Axis::Bytes, bytes)
    };
    let steps = Step::from_meter(meter, ranks);
    grouped(steps.iter().flat_map(|step| step.times.iter().map(|&us| (key(step), us)).collect::<Vec<_>>()))
}
