//! Tables of latencies and bandwidths as text.

use super::{Fit, Report, Row};
use models::machine::Estimate;
use models::point_to_point::Way;
use render::plots::numbers::with_interval;
use render::table::Table;
use std::fmt::Write;

/// Size and mean latency in µs, `%-10d%20.2f`, and nothing else: what scripts that read the OSU benchmarks' tables
/// expect.
pub fn two_columns(report: &Report) -> String {
    report.rows.iter().map(|row| format!("{:<10}{:>20.2}\n", row.bytes, row.mean_us)).collect()
}

/// The same two columns under a head of lines that begin with `#`, and behind them median, least, and the ends of the
/// median's interval.
pub fn latency_table(report: &Report) -> String {
    let mut text: String = report.head().iter().map(|line| format!("# {line}\n")).collect();
    let _ = writeln!(text, "# Latency: half of a ping-pong. Low, High: 95 % interval of the median");
    let heads = ["Median (us)", "Min (us)", "Low (us)", "High (us)"].map(|head| format!("{head:>13}")).concat();
    let _ = writeln!(text, "{:<10}{:>20}{heads}", "# Size", "Latency (us)");
    for row in &report.rows {
        let Estimate { value, low, high } = row.median_us;
        let _ = write!(text, "{:<10}{:>20.2}", row.bytes, row.mean_us);
        let _ = writeln!(text, "{value:>13.3}{:>13.3}{low:>13.3}{high:>13.3}", row.min_us);
    }
    text += &fits(&report.fits, "# ");
    text
}

const HEADS: [&str; 10] =
    ["rank", "bytes", "N", "mean µs", "median µs", "95 % interval", "min µs", "MB/s", "at median", "at min"];

/// A line for each length and way: times of one message, bandwidths of all.
pub fn transfer_table(report: &Report) -> String {
    let mut text: String = report.head().iter().map(|line| format!("{line}\n")).collect();
    text += "N exchanges of L bytes in the time T: R = 2NL/T in MB/s, MB = 10^6 B\n";
    for (way, title) in [
        (Way::PingPong, "One way, MPI_Send and MPI_Recv (µs: half of a ping-pong, T/2N)"),
        (Way::BothWays, "Both ways at once, MPI_Isend and MPI_Irecv (µs: an exchange, T/N)"),
    ] {
        let rows: Vec<&Row> = report.rows.iter().filter(|row| row.way == way).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{title}");
        text += &Table::plain(HEADS, rows.into_iter().map(cells), |_| true).text();
    }
    text.push('\n');
    for row in report.rows.iter().filter(|row| row.bytes == 0 && row.way == Way::PingPong) {
        let median = with_interval(&row.median_us);
        let _ = writeln!(text, "rank {}: latency s = T/2N at 0 B = {:.3} µs, median {median} µs", row.to, row.mean_us);
    }
    text += &fits(&report.fits, "");
    text
}

fn cells(row: &Row) -> [String; 10] {
    let us = |us: f64| format!("{us:.3}");
    let rate = |us: f64| row.bandwidth(us).map_or("–".to_owned(), |rate| format!("{rate:.1}"));
    let Estimate { value, low, high } = row.median_us;
    [
        row.to.to_string(),
        row.bytes.to_string(),
        row.count.to_string(),
        us(row.mean_us),
        us(value),
        format!("[{low:.3}, {high:.3}]"),
        us(row.min_us),
        rate(row.mean_us),
        rate(value),
        rate(row.min_us),
    ]
}

pub(super) fn fits(fits: &[Fit], before: &str) -> String {
    let mut text = String::new();
    for fit in fits {
        let _ = write!(text, "{before}ranks {} and {}: ", fit.from, fit.to);
        match (fit.latency_us(), fit.bandwidth(), &fit.machine) {
            (Some(s), Some(r), _) => {
                let (s, r) = (with_interval(&s), with_interval(&r));
                let _ = writeln!(text, "T(L) = s + L/R fits with s = {s} µs, R = {r} MB/s");
            }
            (.., Err(why)) => {
                let _ = writeln!(text, "no line T(L) = s + L/R: {why}");
            }
            (.., Ok(_)) => {}
        }
        for note in fit.machine.iter().flat_map(|machine| &machine.notes) {
            let _ = writeln!(text, "{before}  {note}");
        }
    }
    text
}
