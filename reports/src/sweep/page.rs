//! The page of a sweep: its question, its expectations with what came of them, its pictures, its table of rows.

use super::Drawn;
use super::curves::{Chart, Curve, Looked};
use super::expected::{finish_us, numbers};
use super::row::{Printed, Row};
use super::table::{of_rows, value};
use crate::html::judged_section;
use crate::page::{Figure, Page, Section};
use scenario::axis::Axis;
use scenario::expect::{Number, judge};
use scenario::sweep::Sweep;
use std::collections::BTreeSet;

/// More pictures than this nobody looks at.
const MOST_PICTURES: usize = 24;
/// A longer table nobody reads: the rows are in their file.
const MOST_ROWS: usize = 400;

/// What tells the curves of a picture apart. (A barrier varies only where benchmarks print.)
const OF_CURVES: [Axis; 2] = [Axis::Algorithm, Axis::Barrier];

/// The page of a sweep whose rows these are.
pub fn page(sweep: &Sweep, rows: &[Row<'_>]) -> Page {
    let all: Vec<Number> = rows.iter().flat_map(numbers).collect();
    let judgements = judge(&sweep.told.expects, &all);
    let sections = [
        judged_section(&sweep.told.expectation, &sweep.told.found, &judgements),
        pictures(sweep, rows),
        table(sweep, rows),
    ];
    Page {
        question: sweep.question.clone(),
        origin: format!("Sweep {}, {} points", sweep.name, rows.len()),
        sections: sections.into_iter().flatten().collect(),
        ..Page::default()
    }
}

fn table(sweep: &Sweep, rows: &[Row<'_>]) -> Option<Section> {
    let failed = rows.iter().filter(|row| row.found.is_err()).count();
    let warning = (failed > 0).then(|| format!("{failed} of {} points failed.", rows.len()));
    let section = Section::new("All points").with_warnings(warning).with_id("rows");
    if rows.len() > MOST_ROWS {
        return Some(section.with_paragraphs([format!("{} rows are in rows.jsonl.", rows.len())]));
    }
    let (table, legend) = of_rows(sweep, rows);
    Some(section.with_paragraphs([legend]).with_tables([table]))
}

/// Curves over ranks, or else over bytes; a picture for all that varies beside the algorithm, and beside the barrier where
/// benchmarks print.
fn pictures(sweep: &Sweep, rows: &[Row<'_>]) -> Option<Section> {
    let varied: Vec<Axis> = sweep.varied().collect();
    let over = [Axis::Ranks, Axis::Bytes].into_iter().find(|axis| varied.contains(axis))?;
    let prints = rows.iter().any(|row| row.found.as_ref().is_ok_and(|found| found.printed.is_some()));
    let (of_curves, of_pictures): (Vec<Axis>, Vec<Axis>) =
        varied.iter().filter(|axis| **axis != over).partition(|axis| OF_CURVES.contains(axis));
    let mut groups: Vec<(String, Vec<&Row<'_>>)> = Vec::new();
    for row in rows.iter().filter(|row| row.found.is_ok()) {
        let name = words(row, &of_pictures);
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, group)) => group.push(row),
            None => groups.push((name, vec![row])),
        }
    }
    let left_out = groups.len().saturating_sub(MOST_PICTURES);
    let figures = groups.into_iter().take(MOST_PICTURES).enumerate().map(|(nth, (name, rows))| {
        let title = if name.is_empty() { sweep.question.clone() } else { name };
        let curves = curves(&rows, over, prints, &of_curves);
        let chart = Chart {
            title: title.clone(),
            notes: Vec::new(),
            over,
            curves,
            cheapest: !prints,
            looked: Looked::default(),
        };
        let key = rows[0].point.key();
        let same = |axis: Axis| rows.iter().all(|row| row.point.key().get(axis) == key.get(axis));
        let drawn = chart.drawn().with_key(&key.within(|axis| axis != Axis::Algorithm && axis != over && same(axis)));
        Figure::new(format!("curves-{}", nth + 1), format!("{title}. {}", drawn.caption), drawn.drawing, drawn.csv)
    });
    let warning =
        (left_out > 0).then(|| format!("{left_out} more pictures are left out: give the sweep fewer values."));
    Some(
        Section::new(if prints { "Printed and true times" } else { "Completion times" })
            .with_figures(figures)
            .with_warnings(warning)
            .with_id("pictures"),
    )
}

/// What one benchmark prints over ranks or bytes, a curve for each algorithm and barrier, beside the truth.
pub fn printed(rows: &[Row<'_>], over: Axis, title: String, notes: Vec<String>) -> Drawn {
    let all = |axis| rows.iter().map(|row| row.point.key().text(axis)).collect::<BTreeSet<_>>().len() > 1;
    let of_curves: Vec<Axis> = OF_CURVES.into_iter().filter(|axis| all(*axis)).collect();
    let curves = curves(&rows.iter().collect::<Vec<_>>(), over, true, &of_curves);
    Chart { title, notes, over, curves, cheapest: false, looked: Looked::default() }.drawn()
}

/// The values of a row on some axes, as people read them; a bare number says of what it is one.
fn words(row: &Row<'_>, axes: &[Axis]) -> String {
    let key = row.point.key();
    let word = |axis: &Axis| match value(&row.point, &key, *axis) {
        number if axis.is_number() => format!("{axis} {number}"),
        name => name,
    };
    axes.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// The name of a row's curve: what tells curves apart, or, of the only one, what it shows.
fn name(row: &Row<'_>, of_curves: &[Axis], prints: bool) -> String {
    match &words(row, of_curves)[..] {
        "" => row.point.key().text(if prints { Axis::Benchmark } else { Axis::Algorithm }),
        name => name.to_owned(),
    }
}

/// A curve for each name; in front, where benchmarks print, the truth.
fn curves(rows: &[&Row<'_>], over: Axis, prints: bool, of_curves: &[Axis]) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    let mut add = |name: String, point: (f64, f64)| match curves.iter_mut().find(|curve| curve.name == name) {
        Some(curve) => curve.points.push(point),
        None => curves.push(Curve { name, points: vec![point] }),
    };
    if prints {
        for (row, printed) in rows.iter().filter_map(|row| Some((row, row.found.as_ref().ok()?.printed?))) {
            add("truth".to_owned(), (row.point.place(over), printed.truth_us));
        }
    }
    for row in rows {
        let Ok(found) = &row.found else { continue };
        let us = match (prints, found.printed) {
            (true, Some(Printed { printed_us, .. })) => printed_us,
            (true, None) => continue,
            (false, _) => finish_us(found),
        };
        add(name(row, of_curves, prints), (row.point.place(over), us));
    }
    curves
}
