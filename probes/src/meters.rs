//! Times of repeated steps of programs: the stability of each step, and the rank that is the slowest.

use crate::steps::Step;
use models::names::counted;
use models::time::{Span, Time};
use programs::machine::Estimate;
use programs::meters::{Meter, Pattern, StepTimes};
use render::columns;
use render::data::{Filled, Kind, Known, Show, Style, Table, View};
use render::groups::grouped;
use render::page::{Figure, Section};
use render::plots::numbers::{TimeUnit, significant};
use render::plots::scatter::{Across, Plot, Series as Points};
use render::plots::strips::{Strip, Strips};
use render::summary::Summary;
use render::table as laid_out;
use scenario::store::{TaskResult, Tested};
use statistics::{median, quantile};

/// Largest number of ranks in a picture, the slowest.
const STRIPS: usize = 8;
/// Largest number of steps that have a picture each.
const PICTURES: usize = 8;
/// Meaning of the table's columns.
const LEGEND: [&str; 2] = [
    "Times are those of the slowest rank in each repetition; N = (mean − least) / least is the noise norm.",
    "Later half: the median of the second half of the repetitions against that of the first. Slowest: the rank that takes longest on average.",
];

impl Step<'_> {
    fn least(&self) -> f64 {
        self.times.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn mean(&self) -> f64 {
        self.times.iter().sum::<f64>() / self.times.len() as f64
    }

    /// Returns the noise norm: (mean − least) / least.
    fn norm(&self) -> f64 {
        let least = self.least();
        let above: f64 = self.times.iter().map(|us| us - least).sum();
        above / self.times.len() as f64 / least
    }

    fn at(&self, share: f64) -> f64 {
        quantile(&self.times, share).unwrap_or(f64::NAN)
    }

    /// Returns the rank that takes longest on average.
    fn worst(&self) -> Option<u32> {
        let mean =
            |series: &StepTimes| series.took.iter().map(|took| took.as_us()).sum::<f64>() / series.took.len() as f64;
        let all = self.ranks.iter().map(|(rank, series)| (*rank, mean(series)));
        all.max_by(|one, other| one.1.total_cmp(&other.1)).map(|(rank, _)| rank)
    }

    /// Returns the median of the second half relative to that of the first, less 1.
    fn drift(&self) -> Option<f64> {
        let (first, second) = self.times.split_at(self.times.len() / 2);
        // Times are whole ps: medians between two of them must not differ by the rounding of their sums.
        let half_ps = |us: &[f64]| Some((median(us)? * 2e6).round());
        Some(half_ps(second)? / half_ps(first)? - 1.0)
    }

    /// Returns the bytes of all ranks in a second, in GB/s; `None` for a solver's steps, for which it has no meaning.
    fn rate_gb_s(&self) -> Option<f64> {
        let bytes: u64 = self.ranks.iter().map(|(_, series)| series.bytes).sum();
        // Each master receives by itself, one after the other.
        let turns = if self.name == Pattern::Master.name() { self.ranks.len() } else { 1 };
        (bytes > 0 && !matches!(self.meter, Meter::Solver(_))).then(|| bytes as f64 / turns as f64 / self.at(0.5) / 1e3)
    }

    /// Draws the begins and durations of the repetitions on the slowest ranks.
    fn picture(&self) -> Figure {
        let mut ranks = self.ranks.clone();
        let sum = |series: &StepTimes| series.took.iter().map(|took| took.0).sum::<u64>();
        ranks.sort_by_key(|(_, series)| std::cmp::Reverse(sum(series)));
        ranks.truncate(STRIPS);
        let seconds = |at: &Time| at.since(Time::ZERO).as_seconds();
        let each = |series: &StepTimes| -> Vec<(f64, f64)> {
            series.begins.iter().zip(&series.took).map(|(begin, took)| (seconds(begin), took.as_us())).collect()
        };
        let rows = ranks.iter().flat_map(|(rank, series)| {
            each(series).into_iter().map(move |(s, us)| vec![(*rank).into(), s.into(), us.into()])
        });
        let begin = columns::named("begin_s", Kind::Number);
        let numbers = Table::new("rows", [columns::RANK.column(), begin, columns::TOOK.column()], rows);
        let strips: Vec<Strip> =
            ranks.iter().map(|(rank, series)| Strip { name: format!("rank {rank}"), points: each(series) }).collect();
        let length_s = strips.iter().flat_map(|strip| &strip.points).map(|&(s, _)| s).fold(1e-6, f64::max);
        let title = format!("{} over time", self.name);
        let caption = format!("{title}: how long each repetition took, a strip for each rank, the slowest first");
        let drawing = Strips { title, y: "took, µs", strips, length_s }.drawing();
        Figure::new(format!("steps-{}", self.name.replace([' ', ','], "-")), &caption, drawing, numbers)
    }
}

/// Summarises the metered steps.
pub(crate) fn summary(all: &[&Tested]) -> Summary {
    let metered = || {
        all.iter().filter_map(|tested| match &tested.found {
            TaskResult::Metered { meter, ranks } => Some((meter, ranks)),
            _ => None,
        })
    };
    let steps: Vec<Step<'_>> = metered().flat_map(|(meter, ranks)| Step::from_meter(meter, ranks)).collect();
    let unstable =
        steps.iter().filter(|step| step.norm() > 0.0).max_by(|one, other| one.norm().total_cmp(&other.norm()));
    let answer = unstable.map_or_else(|| "No step varies.".to_owned(), |step| {
        let (name, norm, least, p99) =
            (step.named(), significant(step.norm()), significant(step.least()), significant(step.at(0.99)));
        format!(
            "Least stable is {name}: {least} µs at least, {p99} µs at the 99th percentile; its noise norm is {norm}."
        )
    });
    let bound = metered().flat_map(|(_, ranks)| ranks).map(|rank| rank.bound).max().unwrap_or_default();
    let by = all.first().map(|tested| tested.ran_by.clone()).filter(|by| !by.is_empty());
    let mut notes: Vec<String> = LEGEND.map(str::to_owned).to_vec();
    if bound > Span::ZERO {
        notes.push(format!("Begins of different ranks are known to each other within ± {bound}."));
    }
    let residuals = metered().find_map(|(_, ranks)| ranks.first().filter(|rank| !rank.residuals.is_empty()));
    let residuals = residuals.map_or(&[][..], |rank| &rank.residuals);
    if !residuals.is_empty() {
        let least = residuals.iter().copied().fold(f64::INFINITY, f64::min);
        let solved = residuals.iter().position(|residual| *residual == least).map_or(0, |place| place + 1);
        notes.push(format!("The residual falls to {least:.1e} of the right side in {solved} iterations."));
    }
    let pictures = over_regions(&steps)
        .map_or_else(|| steps.iter().take(PICTURES).map(Step::picture).collect(), |figure| vec![figure]);
    let table = table(&steps);
    let named = Show::made("step", |row| laid_out::Cell::text(steps[row.place()].named()));
    let seen = Show::all(SEEN).into_iter();
    let view = View::new(&table).in_unit(TimeUnit::Us).show([named].into_iter().chain(seen)).noting(notes).laid_out();
    let section = Section::new("All numbers").with_paragraphs(by).with_tables([view]).with_figures(pictures);
    Summary {
        kept: vec![("repetitions.csv", repetitions(&steps))],
        ..Summary::new(answer, Vec::new(), section, [table].into_iter().chain(fallen(residuals)))
    }
}

/// Columns that readers see behind the name of a step.
const SEEN: [&str; 11] = [
    "ranks",
    "repetitions",
    "least_us",
    "median_us",
    "mean_us",
    "p99_us",
    "most_us",
    "norm",
    "later_half",
    "slowest_rank",
    "gb_per_s",
];

/// Returns a row for each step.
fn table(steps: &[Step<'_>]) -> Table {
    let columns: [Filled<Step<'_>>; 13] = [
        (columns::STEP.column(), &|step| step.name.as_str().into()),
        (columns::DISTURBERS.column(), &|step| step.disturbers().into()),
        (columns::RANKS.column(), &|step| step.ranks.len().into()),
        (columns::REPETITIONS.headed("times"), &|step| step.times.len().into()),
        (columns::LEAST.headed("least"), &|step| step.least().into()),
        (columns::MEDIAN.headed("median").without_limits(), &|step| step.at(0.5).into()),
        (columns::MEAN.headed("mean").without_limits(), &|step| step.mean().into()),
        (columns::P99.headed("p99"), &|step| step.at(0.99).into()),
        (columns::MOST.headed("most"), &|step| step.at(1.0).into()),
        (columns::NORM.headed("N"), &|step| step.norm().into()),
        (columns::LATER_HALF.headed("later half").shown(Style::Share), &|step| step.drift().into()),
        (columns::SLOWEST_RANK.headed("slowest"), &|step| step.worst().into()),
        (columns::RATE.headed("rate"), &|step| step.rate_gb_s().into()),
    ];
    Table::from_rows("steps", steps, &columns)
}

/// Returns the residual after each iteration of a solver; `None` for other steps.
fn fallen(residuals: &[f64]) -> Option<Table> {
    const ITERATION: Known = Known::integer("iteration", "", "number of the iteration, from 1", "7");
    const RESIDUAL: Known = Known::number("residual", "", "residual, as a share of the right side", "1e-7");
    let each: Vec<(usize, f64)> = (1..).zip(residuals.iter().copied()).collect();
    let columns: [Filled<(usize, f64)>; 2] =
        [(ITERATION.column(), &|(nth, _)| (*nth).into()), (RESIDUAL.column(), &|(_, residual)| (*residual).into())];
    (!each.is_empty()).then(|| Table::from_rows("residuals", &each, &columns))
}

/// One repetition of a step on a rank: step, rank, number of the repetition, begin, and duration.
type Repetition<'a> = (&'a Step<'a>, u32, u32, Time, Span);

/// Returns every repetition of every rank.
fn repetitions(steps: &[Step<'_>]) -> Table {
    let of_rank = |step, rank: u32, series: &StepTimes| {
        let each = series.begins.iter().zip(&series.took);
        (1..).zip(each).map(move |(nth, (begin, took))| (step, rank, nth, *begin, *took)).collect::<Vec<Repetition>>()
    };
    let all =
        steps.iter().flat_map(|step| step.ranks.iter().flat_map(move |(rank, series)| of_rank(step, *rank, series)));
    let columns: [Filled<Repetition>; 6] = [
        (columns::STEP.column(), &|(step, ..)| step.name.as_str().into()),
        (columns::DISTURBERS.column(), &|(step, ..)| step.disturbers().into()),
        (columns::RANK.column(), &|(_, rank, ..)| (*rank).into()),
        (columns::REPETITION.column(), &|(_, _, nth, ..)| (*nth).into()),
        (columns::BEGIN.column(), &|(.., begin, _)| begin.since(Time::ZERO).as_us().into()),
        (columns::TOOK.column(), &|(.., took)| took.as_us().into()),
    ];
    Table::from_rows("repetitions", &all.collect::<Vec<_>>(), &columns)
}

/// Draws the access times of regions of memory over their numbers; `None` for other steps.
fn over_regions(steps: &[Step<'_>]) -> Option<Figure> {
    let point = |step: &Step<'_>| {
        let Meter::Regions(_) = step.meter else { return None };
        let (element, region) = step.name.split_once(", region ")?;
        let disturbers = step.disturbers();
        let name = format!("{element}, {}", counted(disturbers, "disturber"));
        let us = Estimate { value: step.at(0.5), low: step.at(0.05), high: step.at(0.95) };
        Some((name, (region.parse().ok()?, us)))
    };
    let curves: Vec<(String, Vec<(f64, Estimate)>)> = grouped(steps.iter().map(point).collect::<Option<Vec<_>>>()?);
    let rows = curves.iter().flat_map(|(name, points)| {
        points.iter().map(move |(region, us)| {
            vec![name.as_str().into(), columns::whole(*region), us.value.into(), us.low.into(), us.high.into()]
        })
    });
    let [p5, p95] = ["p5_us", "p95_us"].map(|name| columns::named(name, Kind::Number));
    let (region, median) = (columns::named("region", Kind::Integer), columns::MEDIAN.column().without_limits());
    let numbers = Table::new("rows", [columns::CURVE.column(), region, median, p5, p95], rows);
    // A picture has room for four.
    let shown = curves.into_iter().take(4).map(|(name, points)| Points { name, points });
    let title = "Access to regions of memory";
    let plot = Plot {
        title: title.to_owned(),
        x: "region",
        y: "four kernels, µs",
        across: Across::Linear,
        series: shown.collect(),
        line: None,
    };
    let caption = "Time of the four kernels in each region, median and 5th to 95th percentile of the slowest rank's";
    Some(Figure::new("regions", caption, plot.drawing(), numbers))
}
