//! Crossovers and data of a chart as text, HTML and CSV.

use super::{Chart, Crossover, Curve, Stretch, cheapest, crossovers, draw};
use crate::table::{Csv, Table};
use crate::template::fill;
use minijinja::value::Serde;
use serde_json::json;
use std::fmt::Write;

/// Which algorithm is the cheapest where, and each crossover with its number in the plot.
pub fn text_table(chart: &Chart) -> String {
    let mut text = format!("{}\n", chart.title);
    chart.notes.iter().for_each(|note| text += &format!("  {note}\n"));
    let stretches = cheapest(&chart.curves);
    if stretches.is_empty() {
        return text + "no data\n";
    }
    let heads = [&format!("{} from", chart.over.words()), "to", "cheapest"];
    text += &Table::plain(heads, stretches.iter().map(|stretch| stretch_row(chart, stretch)), |_| false).text();
    let found = crossovers(&chart.curves);
    if found.is_empty() {
        return text + "no crossovers\n";
    }
    text.push_str("crossovers\n");
    for (nth, crossover) in found.iter().enumerate() {
        let [at, between, from, to] = crossover_row(chart, crossover);
        let _ = writeln!(text, "  {}  at about {at} ({between}): {from} → {to}", nth + 1);
    }
    text
}

fn stretch_row(chart: &Chart, stretch: &Stretch) -> [String; 3] {
    [chart.over.print(stretch.from), chart.over.print(stretch.to), stretch.name.clone()]
}

/// Place, bracket, before, after.
fn crossover_row(chart: &Chart, crossover: &Crossover) -> [String; 4] {
    let print = |x: f64| chart.over.print(x);
    let (low, high) = crossover.between;
    let between = if low == high {
        "where data begin or end".to_owned()
    } else {
        format!("between {} and {}", print(low), print(high))
    };
    [print(crossover.x), between, crossover.from.clone(), crossover.to.clone()]
}

/// The same as [`text_table`] as two tables for a page.
///
/// # Errors
/// Only where the template itself is broken; no chart can cause it.
pub fn html_table(chart: &Chart) -> Result<String, minijinja::Error> {
    let stretches: Vec<_> = cheapest(&chart.curves).iter().map(|stretch| stretch_row(chart, stretch)).collect();
    let crossovers: Vec<_> = crossovers(&chart.curves).iter().map(|place| crossover_row(chart, place)).collect();
    let tables = json!({ "over": chart.over.words(), "stretches": stretches, "crossovers": crossovers });
    Ok(fill(include_str!("table.html"), Serde(tables))? + "\n")
}

/// A page that needs nothing else: the plot and the tables.
///
/// # Errors
/// Only where the template itself is broken; no chart can cause it.
pub fn page(chart: &Chart) -> Result<String, minijinja::Error> {
    let (over, tables) = (chart.over.words(), html_table(chart)?);
    let page = json!({ "title": chart.title, "over": over, "svg": draw(chart), "tables": tables });
    Ok(fill(include_str!("page.html"), Serde(page))? + "\n")
}

/// The data, one point a line: place, curve, time in µs. Floating numbers read back as they were.
pub fn csv(chart: &Chart) -> String {
    let points =
        |curve: &Curve| curve.clean().into_iter().map(|(x, us)| (x, curve.name.clone(), us)).collect::<Vec<_>>();
    Csv::new((chart.over.name(), "curve", "time_us")).rows(chart.curves.iter().flat_map(points)).text()
}
