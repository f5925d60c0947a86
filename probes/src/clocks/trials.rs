//! Trials of clock synchronisations: a row for each algorithm and number of ranks.

use models::clock::{Basis, ClockKind};
use models::time::Span;
use programs::sync::{Sharing, Sync, Trial, TrialRank};
use render::columns;
use render::data::{Column, Filled, Style, Table, View};
use render::groups::grouped;
use render::page::Section;
use render::summary::Summary;
use scenario::store::{TaskResult, Tested};
use statistics::median;

/// Figures of an algorithm's trials on one number of ranks. Rank 0 is the reference and does not count.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TrialRow {
    /// Algorithm that was tried.
    sync: Sync,
    ranks: u32,
    /// Number of tries with this algorithm.
    tries: u32,
    /// Time until the last rank was done, median over tries, in µs.
    took_us: f64,
    /// Median of the bounds, over ranks and tries, in µs.
    bound_median_us: f64,
    /// Largest of the bounds, in µs.
    bound_max_us: f64,
    /// Median of the errors without their signs, over ranks and tries, in µs; `None` where the truth is not known.
    error_median_us: Option<f64>,
    /// Largest of these errors, in µs.
    error_max_us: Option<f64>,
    /// Number of clocks, over all tries, whose bound contained the truth; `None` where it is not known.
    contained: Option<u32>,
    /// Number of clocks that were judged.
    judged: u32,
    /// Number of clocks to which a drift was fitted.
    fitted: u32,
    /// Number of clocks of which only the sharing was checked.
    shared: u32,
    /// Number of clocks whose readings contradicted each other.
    contradicted: u32,
}

/// Returns rows in the order in which algorithms and numbers of ranks first appear.
fn rows(trials: &[Trial]) -> Vec<TrialRow> {
    let keys = trials.iter().map(|trial| ((trial.ranks.len() as u32, trial.sync), trial));
    grouped(keys).into_iter().map(|(key, trials)| row(key, &trials)).collect()
}

fn row((ranks, sync): (u32, Sync), trials: &[&Trial]) -> TrialRow {
    let others: Vec<&TrialRank> = trials.iter().flat_map(|trial| trial.ranks.iter().skip(1)).collect();
    let took: Vec<f64> = trials
        .iter()
        .filter_map(|trial| trial.ranks.iter().map(|rank| rank.took.as_us()).max_by(f64::total_cmp))
        .collect();
    let bounds: Vec<f64> = others.iter().map(|rank| rank.clock.bound.as_us()).collect();
    let errors: Vec<f64> = others.iter().filter_map(|rank| Some(Span(rank.error_ps?.unsigned_abs()).as_us())).collect();
    let known = errors.len() == others.len() && !others.is_empty();
    let largest = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    let count = |of: &dyn Fn(&TrialRank) -> bool| others.iter().filter(|rank| of(rank)).count() as u32;
    TrialRow {
        sync,
        ranks,
        tries: trials.len() as u32,
        took_us: median(&took).unwrap_or(0.0),
        bound_median_us: median(&bounds).unwrap_or(0.0),
        bound_max_us: largest(&bounds),
        error_median_us: median(&errors).filter(|_| known),
        error_max_us: known.then(|| largest(&errors)),
        contained: known.then(|| count(&|rank| rank.is_contained() == Some(true))),
        judged: others.len() as u32,
        fitted: count(&|rank| rank.clock.drift.is_some()),
        shared: count(&|rank| rank.clock.basis == Basis::Shared),
        contradicted: count(&|rank| rank.clock.basis == Basis::Contradicted),
    }
}

/// Summarises trials of real ranks by a clock.
pub(crate) fn trials(all: &[&Tested], clock: ClockKind, sharing: Sharing) -> Summary {
    let found = all.iter().filter_map(|tested| match &tested.found {
        TaskResult::Synchronised { trials, .. } => Some(trials.clone()),
        _ => None,
    });
    let found: Vec<Trial> = found.flatten().collect();
    let how = match sharing {
        Sharing::Detect => "detected and checked",
        Sharing::Ignore => "ignored",
    };
    let world = all.first().map_or("", |tested| tested.world.title());
    let mut notes = vec![format!(
        "{world}, clock {clock}: ranks that share a clock have a true offset of 0; that they share it is {how}."
    )];
    let crowded: Vec<&&Tested> = all.iter().filter(|tested| tested.oversubscribed()).collect();
    if let Some(Tested { cores, .. }) = crowded.first() {
        let list: Vec<String> = crowded.iter().map(|tested| tested.ranks.to_string()).collect();
        notes.push(format!("Oversubscribed with {} ranks: they share {cores} cores.", list.join(", ")));
    }
    compared(&found, notes)
}

/// Compares trials, with notes that qualify them.
pub fn compared(trials: &[Trial], notes: Vec<String>) -> Summary {
    let rows = rows(trials);
    let most = rows.iter().map(|row| row.ranks).max();
    let of_most = rows.iter().filter(|row| Some(row.ranks) == most);
    let best =
        of_most.min_by(|a, b| a.bound_median_us.total_cmp(&b.bound_median_us)).map_or_else(String::new, |best| {
            let TrialRow { ranks, sync, bound_median_us, took_us, .. } = best;
            format!("On {ranks} ranks {sync} has the smallest bound, {bound_median_us:.3} µs, after {took_us:.1} µs.")
        });
    let table = table(&rows);
    let section = Section::new("All numbers").with_tables([View::new(&table).whole().laid_out()]);
    Summary::new(best, notes, section, [table])
}

fn table(rows: &[TrialRow]) -> Table {
    let us = |column: Column| column.shown(Style::Fixed(3));
    let columns: [Filled<TrialRow>; 13] = [
        (columns::RANKS.column(), &|row| row.ranks.into()),
        (columns::SYNC.headed("algorithm"), &|row| row.sync.name().into()),
        (columns::TRIES.column().unseen(), &|row| row.tries.into()),
        (columns::TOOK.headed("took").shown(Style::Fixed(1)), &|row| row.took_us.into()),
        (us(columns::BOUND_MEDIAN.headed("bound")), &|row| row.bound_median_us.into()),
        (us(columns::BOUND_MAX.headed("largest bound")), &|row| row.bound_max_us.into()),
        (us(columns::ERROR_MEDIAN.headed("error")), &|row| row.error_median_us.into()),
        (us(columns::ERROR_MAX.headed("largest error")), &|row| row.error_max_us.into()),
        (columns::JUDGED.column(), &|row| row.judged.into()),
        (columns::CONTAINED.column(), &|row| row.contained.into()),
        (columns::FITTED.headed("drift fitted"), &|row| row.fitted.into()),
        (columns::SHARING.headed("share a clock"), &|row| row.shared.into()),
        (columns::CONTRADICTED.column(), &|row| row.contradicted.into()),
    ];
    Table::from_rows("rows", rows, &columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::clock::{Drift, GlobalClock, Timescale};

    fn rank(offset_ps: i64, bound_ns: u64, us: u64, error_ps: Option<i64>) -> TrialRank {
        let clock = GlobalClock::constant(Timescale::PICOSECONDS, offset_ps, Span::from_ns(bound_ns));
        TrialRank { clock, took: Span::from_us(us), error_ps }
    }

    #[test]
    fn a_row_tells_the_slowest_rank_and_leaves_the_reference_out() {
        let mut fitted = rank(5, 300, 70, Some(400_000));
        fitted.clock.drift = Some(Drift::from_ppm(3.0, 0.1));
        let trials = [
            Trial { sync: Sync::Jk, ranks: vec![rank(0, 0, 90, Some(0)), rank(5, 100, 40, Some(-20_000))] },
            Trial { sync: Sync::Jk, ranks: vec![rank(0, 0, 50, Some(0)), fitted] },
            Trial { sync: Sync::Ring, ranks: vec![rank(0, 0, 50, None), rank(5, 100, 40, None), rank(5, 80, 1, None)] },
        ];
        let rows = rows(&trials);
        assert_eq!(
            (rows[0].tries, rows[0].took_us, rows[0].bound_median_us, rows[0].bound_max_us),
            (2, 80.0, 0.2, 0.3)
        );
        assert!(rows[0].error_median_us.is_some_and(|us| (us - 0.21).abs() < 1e-9), "{rows:?}");
        assert_eq!(rows[0].error_max_us, Some(0.4));
        assert_eq!((rows[0].contained, rows[0].judged, rows[0].fitted), (Some(1), 2, 1));
        assert_eq!((rows[1].ranks, rows[1].judged, rows[1].error_max_us, rows[1].contained), (3, 2, None, None));
        let jk = table(&rows).csv(None).lines().nth(1).unwrap_or_default().to_owned();
        assert_eq!(jk, "2,jk,2,80,0.2,0.3,0.21,0.4,2,1,1,0,0");
    }
}
