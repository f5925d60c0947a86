//! Predictions from recorded noise beside measured times of real ranks.

use super::collected::{doubts, ran_by};
use render::columns;
use render::data::{Column, Filled, Style, Table, View};
use render::groups::distinct;
use render::page::Section;
use render::plots::numbers::TimeUnit;
use render::summary::Summary;
use scenario::store::{Proof, TaskResult, Tested};

/// Confidence level of the intervals.
const CONFIDENCE: f64 = 0.95;

/// Meaning of the columns, below the table.
const LEGEND: [&str; 3] = [
    "all times of one launch of so many grains; intervals: 95 %",
    "alone: grains and barriers without noise; played: both recordings, and the interval in which the measured mean is expected",
    "before, after: each recording alone; closed form: with the simultaneity S of all ranks; independent: delays of one rank, \
     the largest of all; –: a grain has more than one detour of a class, for which there is no closed form",
];

/// Summarises the proof: the predictions and the measured means, point by point.
pub(crate) fn summary(all: &[&Tested], tested: &Tested, points: &[Proof]) -> Summary {
    let met = points.iter().filter(|point| point.is_met()).count();
    let count = points.len();
    let answer = format!(
        "{met} of {count} measured mean{} lie{} where the noise that was recorded before and after expects {}.",
        if count == 1 { "" } else { "s" },
        if count == 1 { "s" } else { "" },
        if count == 1 { "it" } else { "them" }
    );
    let doubts = all.iter().flat_map(|one| match &one.found {
        TaskResult::Noise { collection, ranks } => doubts(collection, ranks),
        _ => Vec::new(),
    });
    let table = table(points);
    let view = View::new(&table).in_unit(TimeUnit::Us).whole().noting(LEGEND.map(str::to_owned).to_vec()).laid_out();
    let section = Section::new("All numbers").with_paragraphs([ran_by(tested)]).with_tables([view]);
    Summary { facts: vec![("met", met.into())], ..Summary::new(answer, distinct(doubts), section, [table]) }
}

/// Returns a row for each length of grain.
fn table(points: &[Proof]) -> Table {
    let whole = |column: Column| column.shown(Style::Fixed(1));
    let columns: [Filled<Proof>; 13] = [
        (columns::GRAIN.headed("grain").shown(Style::Own), &|point| point.grain_us.into()),
        (columns::GRAINS.column(), &|point| point.count.into()),
        (columns::BARRIER_TIME.column().unseen(), &|point| point.barrier_us.into()),
        (columns::LAUNCHES.column(), &|point| point.launches.into()),
        (whole(columns::ALONE.headed("alone")), &|point| point.alone_us().into()),
        (columns::MEASURED.headed("measured"), &|point| point.measured.into()),
        (columns::PLAYED.headed("played"), &|point| point.played.into()),
        (columns::CONFIDENCE.column().unseen(), &|_| CONFIDENCE.into()),
        (columns::MET.column(), &|point| point.is_met().into()),
        (whole(columns::BEFORE.headed("before")), &|point| point.recordings[0].into()),
        (whole(columns::AFTER.headed("after")), &|point| point.recordings[1].into()),
        (whole(columns::CLOSED_FORM_TIME.headed("closed form")), &|point| point.closed.into()),
        (whole(columns::INDEPENDENT_TIME.headed("independent")), &|point| point.independent.into()),
    ];
    Table::from_rows("points", points, &columns)
}
