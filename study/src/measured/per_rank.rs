//! Numbers of each rank in each launch, with the means that MPIPerf reports: of the samples without the lowest and the
//! highest share.

use super::Reading;
use super::numbers::{Number, placed};
use calibration::states::in_states;
use programs::aggregation::{samples_us, slowest_us};
use programs::machine::Estimate;
use programs::observation::Observation;
use render::columns;
use render::data::{Cell, Filled, Show, Table, View};
use render::table::{self, Table as LaidOut};
use scenario::axis::Axis;
use statistics::{TrimmedMean, median_with_interval, trimmed_mean};

/// Numbers of one rank in one launch, or of the slowest rank of each sample.
#[derive(Clone, Debug, PartialEq)]
pub struct OfRank {
    /// Number of the launch, from 1.
    pub launch: u32,
    /// Number of the rank; `None` for the slowest of each sample.
    pub rank: Option<u32>,
    /// Blocks or starts in all.
    pub starts: usize,
    /// Blocks or valid starts.
    pub samples: usize,
    /// Numbers of the samples, if there are any.
    pub times: Option<Times>,
}

/// Statistics of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// Trimmed mean, in µs.
    pub mean: TrimmedMean,
    /// Student's interval of the trimmed mean, in µs; `None` where fewer than two samples are left.
    pub interval: Option<Estimate>,
    /// Least of the samples that are left after trimming, in µs.
    pub least_us: f64,
    /// Largest of the samples that are left after trimming, in µs.
    pub most_us: f64,
    /// Median of all samples, in µs.
    pub median_us: f64,
    /// Order-statistic interval of the median, in µs; `None` where the samples are too few for its confidence.
    pub median_interval: Option<Estimate>,
}

impl Times {
    /// Computes the statistics of samples in µs. `None` without samples.
    fn from_samples(samples: &[f64], reading: &Reading) -> Option<Times> {
        let mean = trimmed_mean(samples, reading.trim().as_f64())?;
        let mut sorted = samples.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let median = median_with_interval(samples, reading.confidence())?;
        Some(Times {
            mean,
            interval: mean.interval(reading.confidence()),
            least_us: sorted[mean.dropped],
            most_us: sorted[mean.dropped + mean.kept - 1],
            median_us: median.estimate.value,
            median_interval: Some(median)
                .filter(|found| found.reached >= reading.confidence())
                .map(|found| found.estimate),
        })
    }

    fn mean(&self) -> Cell {
        self.interval.map_or(self.mean.value.into(), Cell::from)
    }

    fn median(&self) -> Cell {
        self.median_interval.map_or(self.median_us.into(), Cell::from)
    }
}

/// Returns the numbers of each rank in a launch, then those of the slowest rank of each sample.
pub(super) fn of_launch(observation: &Observation, reading: &Reading) -> Vec<OfRank> {
    let method = observation.case.timing.method;
    let of = |rank: Option<u32>, samples: Vec<f64>| {
        let starts = starts(observation, rank.unwrap_or_default() as usize);
        let times = Times::from_samples(&samples, reading);
        let launch = observation.occasion.launch.saturating_add(1);
        OfRank { launch, rank, starts, samples: samples.len(), times }
    };
    let ranks = (0..observation.ranks.len())
        .map(|rank| of(Some(observation.ranks[rank].rank), samples_us(method, &observation.ranks, rank)));
    ranks.chain([of(None, slowest_us(observation))]).collect()
}

/// Returns the number of a rank's blocks or starts, whether valid or not.
pub(super) fn starts(observation: &Observation, rank: usize) -> usize {
    let method = observation.case.timing.method;
    match method.is_synchronised() {
        true => observation.ranks.get(rank).map_or(0, |record| record.stamps.len()),
        false => samples_us(method, &observation.ranks, rank).len(),
    }
}

/// Returns the table of ranks, of methods and of windows of fixed length: a row for each launch and rank.
pub(super) fn table(numbers: &[Number<'_>], reading: &Reading) -> Table {
    let of_number = |number| ranks(number).iter().map(move |of_rank| (number, of_rank));
    let all: Vec<(&Number, &OfRank)> = numbers.iter().flat_map(of_number).collect();
    let trim = |one: &OfRank| one.times.map(|_| reading.trim().as_f64()).into();
    let confidence = |one: &OfRank| one.times.map(|_| reading.confidence()).into();
    let columns: [Filled<(&Number, &OfRank)>; 14] = [
        (columns::KIND.column(), &|(number, _)| number.kind.into()),
        (columns::NAME.column(), &|(number, _)| number.name.as_str().into()),
        (columns::LAUNCH.column(), &|(_, one)| one.launch.into()),
        (columns::RANK.column(), &|(_, one)| one.rank.into()),
        (columns::STARTS.column(), &|(_, one)| one.starts.into()),
        (columns::SAMPLES.headed("valid"), &|(_, one)| one.samples.into()),
        (columns::AFTER_TRIMMING.headed("after trimming"), &|(_, one)| one.times.map(|times| times.mean.kept).into()),
        (columns::TRIMMED.column(), &|(_, one)| trim(one)),
        (columns::MEAN.headed("mean"), &|(_, one)| one.times.as_ref().map_or(Cell::None, Times::mean)),
        (columns::STANDARD_ERROR.headed("standard error"), &|(_, one)| {
            one.times.and_then(|times| times.mean.standard_error).into()
        }),
        (columns::MIN.headed("min"), &|(_, one)| one.times.map(|times| times.least_us).into()),
        (columns::MAX.headed("max"), &|(_, one)| one.times.map(|times| times.most_us).into()),
        (columns::MEDIAN.headed("median"), &|(_, one)| one.times.as_ref().map_or(Cell::None, Times::median)),
        (columns::CONFIDENCE.column(), &|(_, one)| confidence(one)),
    ];
    let states = all.iter().map(|(number, _)| number.subject.state);
    let table = in_states(Table::from_rows("per_rank", &all, &columns), states);
    placed(table, all.iter().map(|(number, _)| number.key()), &[Axis::Method])
}

fn ranks<'a>(number: &Number<'a>) -> &'a [OfRank] {
    number.cell.map_or(&[], |cell| cell.ranks.as_slice())
}

/// Returns the table of the ranks of a subject's numbers for readers.
pub(super) fn seen(numbers: &[Number<'_>], reading: &Reading) -> LaidOut {
    let table = table(numbers, reading);
    let caption = format!(
        "Each rank, and the slowest of each start: means trimmed {} % at each end with {:.0} % intervals, min and max of what is \
         left, medians of all valid starts",
        reading.trim().percent(),
        reading.confidence() * 100.0
    );
    let rank = Show::made("rank", |row| match row.cell("rank") {
        Cell::None => table::Cell::text("slowest"),
        _ => row.laid_out("rank"),
    });
    let view = View::new(&table).captioned(caption).show(Show::all(["bytes", "name", "launch"])).show([rank]);
    let view = view.show(Show::all(["starts", "samples", "after_trimming", "mean_us", "standard_error_us"]));
    view.show(Show::all(["min_us", "max_us", "median_us"])).laid_out()
}
