//! Latencies and bandwidths as tables.

use super::{CONFIDENCE, Fit, PointToPointRow, Report};
use programs::observation::World;
use programs::point_to_point::Way;
use render::columns;
use render::data::{Column, Filled, Known, Style, Table};
use render::plots::numbers::with_interval;

/// Prints size and mean latency in µs as `%-10d%20.2f`, and nothing else, for scripts that read the OSU benchmarks'
/// tables.
pub(super) fn two_columns(report: &Report) -> String {
    report.rows.iter().map(|row| format!("{:<10}{:>20.2}\n", row.bytes, row.mean_us)).collect()
}

/// Returns a row for each pair, length and way: times of one message, bandwidths of all.
pub(super) fn messages(report: &Report) -> Table {
    let us = |column: Column| column.shown(Style::Fixed(3));
    let rate = |column: Column| column.shown(Style::Own);
    let columns: [Filled<PointToPointRow>; 15] = [
        (columns::WORLD.column(), &|_| report.world.map(World::name).into()),
        (columns::RANKS.column(), &|_| report.ranks.into()),
        (columns::WAY.column(), &|row| row.way.name().into()),
        (columns::FROM_RANK.headed("from"), &|row| row.from.into()),
        (columns::TO_RANK.headed("to"), &|row| row.to.into()),
        (columns::BYTES.headed("bytes"), &|row| row.bytes.into()),
        (columns::EXCHANGES.column(), &|row| row.count.into()),
        (columns::MEDIAN.headed("median"), &|row| row.median_us.into()),
        (columns::CONFIDENCE.column(), &|_| CONFIDENCE.into()),
        (us(columns::MEAN.headed("mean").without_limits()), &|row| row.mean_us.into()),
        (us(columns::MIN.headed("min")), &|row| row.min_us.into()),
        (columns::MAX.column(), &|row| row.max_us.into()),
        (columns::REACHED.column(), &|row| row.reached.into()),
        (rate(columns::BANDWIDTH.headed("bandwidth")), &|row| row.bandwidth(row.mean_us).into()),
        (rate(columns::BANDWIDTH_AT_MEDIAN.headed("at median")), &|row| row.bandwidth(row.median_us.value).into()),
    ];
    Table::from_rows("results", &report.rows, &columns)
}

/// Returns a row for each pair of ranks that exchanged ping-pongs of several lengths: the line T(L) = s + L/R, or the
/// reason why there is none.
pub(super) fn fits_of(fits: &[Fit]) -> Table {
    const LATENCY: Known = Known::interval("latency_us", "µs", "s: the time of an empty message", "5");
    const RATE: Known = Known::interval("rate_mb_per_s", "MB/s", "R: the bandwidth of long ones", "500");
    const WHY_NONE: Known = Known::text("none_because", "why there is no line", "");
    const NOTE: Known = Known::text("note", "remarks on the line", "");
    let notes = |fit: &Fit| fit.machine.as_ref().map(|machine| machine.notes.join(" ")).unwrap_or_default();
    let columns: [Filled<Fit>; 6] = [
        (columns::FROM_RANK.column(), &|fit| fit.from.into()),
        (columns::TO_RANK.column(), &|fit| fit.to.into()),
        (LATENCY.column(), &|fit| fit.latency_us().into()),
        (RATE.column(), &|fit| fit.bandwidth().into()),
        (WHY_NONE.column(), &|fit| fit.machine.as_ref().err().cloned().into()),
        (NOTE.column(), &|fit| notes(fit).into()),
    ];
    Table::from_rows("fits", fits, &columns)
}

/// Returns the latencies of empty messages, and the lines through those of a pair, a sentence each.
pub(super) fn fits(report: &Report) -> Vec<String> {
    let empty = report.rows.iter().filter(|row| row.bytes == 0 && row.way == Way::PingPong);
    let empty = empty.map(|row| {
        let median = with_interval(&row.median_us);
        format!("rank {}: latency s = T/2N at 0 B = {:.3} µs, median {median} µs", row.to, row.mean_us)
    });
    let line = |fit: &Fit| {
        let ranks = format!("ranks {} and {}", fit.from, fit.to);
        match (fit.latency_us(), fit.bandwidth(), &fit.machine) {
            (Some(s), Some(r), Ok(machine)) => {
                let (s, r) = (with_interval(&s), with_interval(&r));
                let line = format!("{ranks}: T(L) = s + L/R fits with s = {s} µs, R = {r} MB/s");
                Some(if machine.notes.is_empty() { line } else { format!("{line}. {}", machine.notes.join(" ")) })
            }
            (.., Err(why)) => Some(format!("{ranks}: no line T(L) = s + L/R: {why}")),
            (.., Ok(_)) => None,
        }
    };
    empty.chain(report.fits.iter().filter_map(line)).collect()
}
