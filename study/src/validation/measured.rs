//! Times of real ranks: the slowest rank's, window by window, over all launches.

use super::{CONFIDENCE, Place, ValidationRow};
use crate::measures::{Measure, columns};
use calibration::states::page_faults;
use models::collective::decision::ThroughCells;
use programs::machine::Estimate;
use programs::observation::{Case, Counted, Observation};
use programs::played::{Traffic, passes_cells, played, traffic};
use render::groups::grouped;
use statistics::{median, median_with_interval};
use std::collections::BTreeSet;

/// One case, over all launches that measured it.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredCase {
    /// Case that was measured.
    pub case: Case,
    /// Median over all windows, in µs. Its interval holds every launch's own, so that it says how much launches differ.
    pub us: Estimate,
    /// Number of each launch, counted from 0, with its median in µs.
    pub launches: Vec<(u32, f64)>,
    /// Number of valid windows.
    pub windows: usize,
    /// Number of windows in all, valid or not.
    pub starts: usize,
    /// True where more ranks than cores shared the machine.
    pub oversubscribed: bool,
    /// Bound on the error of any rank's clock, in µs.
    pub clock_bound_us: f64,
    /// Pages that the operating system gave each rank in each call, by rank; empty where it gave none.
    pub page_faults: Vec<u32>,
    /// Library, host and clock of the ranks.
    pub ran_by: String,
    /// Parallax's name of the algorithm, where it is known.
    pub played: Option<String>,
    /// Rule by which a library's decision table chooses the algorithm.
    pub rule: Option<String>,
    /// Name that the library gives the algorithm.
    pub called: Option<String>,
    /// Traffic of its messages, where the algorithm is known.
    pub traffic: Option<Traffic>,
}

/// Whether ranks of a place shared cores in some cases and had cores of their own in others.
pub(super) fn is_mixed(measured: &[MeasuredCase], place: Place) -> bool {
    let crowded = || measured.iter().filter(|one| Place::from_case(&one.case) == place).map(|one| one.oversubscribed);
    crowded().any(|crowded| crowded) && !crowded().all(|crowded| crowded)
}

/// Returns the rows by which models are judged: those of ranks that had cores of their own in a place, or all where
/// none had.
pub(super) fn judged(rows: &[ValidationRow], measured: &[MeasuredCase]) -> Vec<ValidationRow> {
    let apart = measured.iter().filter(|one| one.oversubscribed && is_mixed(measured, Place::from_case(&one.case)));
    let apart: BTreeSet<&Case> = apart.map(|one| &one.case).collect();
    rows.iter().filter(|row| !apart.contains(&row.case)).cloned().collect()
}

/// Returns all cases in order, and a sentence with advice for each one without a valid window.
pub(super) fn all(observations: &[Observation]) -> (Vec<MeasuredCase>, Vec<String>) {
    let mut groups = grouped(observations.iter().map(|observation| (&observation.case, observation)));
    groups.sort_by(|a, b| key(a.0).cmp(&key(b.0)));
    let mut left_out = Vec::new();
    let mut measured = Vec::new();
    for (case, observations) in groups {
        match one(case, &observations) {
            Some(one) => measured.push(one),
            None => {
                left_out.push(format!("{case}: no window was valid on all ranks; measure it again on a quiet machine"))
            }
        }
    }
    (measured, left_out)
}

/// Returns the key that orders cases by place, collective and number of ranks, with lengths in order within an
/// algorithm.
fn key(case: &Case) -> impl Ord {
    let of = (case.place.world, case.place.carrier, case.subject.collective, case.place.ranks);
    (of, case.subject.implementation.is_library(), case.subject.implementation.clone(), case.subject.bytes)
}

fn one(case: &Case, observations: &[&Observation]) -> Option<MeasuredCase> {
    let mut pooled = Vec::new();
    let mut medians: Vec<(u32, Estimate)> = Vec::new();
    let mut starts = 0;
    for observation in observations {
        let table = columns(&observation.ranks, case.subject.root, Counted::FromFirstStart);
        starts += table.samples.len() + table.left_out;
        let Some(samples) = table.values_us(Measure::FromFirstStart) else { continue };
        let launch = observation.occasion.launch;
        medians.extend(median_with_interval(samples, CONFIDENCE).map(|median| (launch, median.estimate)));
        pooled.extend_from_slice(samples);
    }
    let value = median(&pooled).filter(|&value| value > 0.0)?;
    let low = medians.iter().map(|(_, one)| one.low).fold(value, f64::min);
    let high = medians.iter().map(|(_, one)| one.high).fold(value, f64::max);
    let clocks = observations.iter().flat_map(|observation| &observation.ranks);
    let clocks = clocks.flat_map(|record| [record.clock.bound, record.clock_after.bound]);
    let ran_by = observations.first().map(|observation| observation.ran_by.clone()).unwrap_or_default();
    let passes_cells = passes_cells(case, &ran_by);
    let played = played(case).ok().filter(|_| !passes_cells);
    let of_cells = |words: &str| passes_cells.then(|| words.to_owned());
    Some(MeasuredCase {
        case: case.clone(),
        us: Estimate { value, low, high },
        launches: medians.iter().map(|(launch, median)| (*launch, median.value)).collect(),
        windows: pooled.len(),
        starts,
        oversubscribed: observations.iter().any(|observation| observation.oversubscribed),
        clock_bound_us: clocks.max().unwrap_or_default().as_us(),
        page_faults: page_faults(observations),
        ran_by,
        traffic: played.as_ref().map(traffic),
        rule: of_cells(ThroughCells::RULE).or_else(|| played.as_ref()?.rule.clone()),
        called: of_cells(ThroughCells::CALLED).or_else(|| played.as_ref()?.called.map(str::to_owned)),
        played: played.map(|played| played.algorithm.name.to_owned()),
    })
}
