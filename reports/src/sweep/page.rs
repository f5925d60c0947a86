//! The page of a sweep: its question, its expectations with their results, its pictures, its table of rows.

use super::curves::{Chart, Curve, Looked};
use super::expected::{finish_us, numbers};
use super::row::{Printed, SweepRow};
use super::table::{of_rows, value};
use crate::html::judged_section;
use render::drawn::Drawn;
use render::groups::{distinct, grouped};
use render::page::{Cell, Figure, Page, Section};
use scenario::axis::{Axis, Key};
use scenario::expect::{ExpectedNumber, Judgement, judge};
use scenario::sweep::Sweep;
use std::collections::BTreeSet;
use study::answered;
use study::compare::capital;
use study::coordinates::Coordinates;

/// Largest number of pictures on a page.
const MOST_PICTURES: usize = 24;
/// Largest number of rows in a page's table; more rows are only in their file.
const MOST_ROWS: usize = 400;

/// Number of letters above which a first cell has to wrap.
const LONG: usize = 40;

/// Axes that distinguish the curves of a picture. (A barrier varies only where benchmarks print.)
const OF_CURVES: [Axis; 2] = [Axis::Algorithm, Axis::Barrier];

/// Returns the judgements of a sweep's expectations.
pub fn judged(sweep: &Sweep, rows: &[SweepRow<'_>]) -> Vec<Judgement> {
    let all: Vec<ExpectedNumber> = rows.iter().flat_map(numbers).collect();
    judge(&sweep.told.expects, &all)
}

/// Returns the page of a sweep with these rows.
pub fn page(sweep: &Sweep, rows: &[SweepRow<'_>]) -> Page {
    let judgements = judged(sweep, rows);
    let sections = [
        answered::section(&judgements),
        judged_section(&sweep.told.expectation, &sweep.told.found, &judgements),
        super::choices::section(rows),
        pictures(sweep, rows),
        #[cfg(feature = "shared-memory")]
        super::memory::section(rows),
        table(sweep, rows),
    ];
    Page {
        question: sweep.question.clone(),
        answer: answered::sentence(&judgements).unwrap_or_default(),
        origin: format!("Sweep {}, {} points, simulated", sweep.name, rows.len()),
        sections: sections.into_iter().flatten().collect(),
        ..Page::default()
    }
}

fn table(sweep: &Sweep, rows: &[SweepRow<'_>]) -> Option<Section> {
    let failed = rows.iter().filter(|row| row.found.is_err()).count();
    let warning = (failed > 0).then(|| format!("{failed} of {} points failed.", rows.len()));
    let section = Section::new("All points").with_warnings(warning).with_id("rows");
    if rows.len() > MOST_ROWS {
        return Some(section.with_paragraphs([format!("{} rows are in rows.jsonl.", rows.len())]));
    }
    let (table, legend) = of_rows(sweep, rows);
    let is_long = |row: &Vec<Cell>| row.first().is_some_and(|cell| cell.text.chars().count() > LONG);
    let table = if table.rows.iter().any(is_long) { table.of_sentences() } else { table };
    Some(section.with_paragraphs([legend]).with_tables([table]))
}

/// Chooses the axis that pictures are drawn over: ranks, or else bytes. For queues it is the axis that makes the fewest
/// curves: fragments, buffers, ranks or bytes.
fn across(varied: &[Axis], rows: &[SweepRow<'_>]) -> Option<Axis> {
    if rows.iter().all(|row| row.point.queue().is_none()) {
        return [Axis::Ranks, Axis::Bytes].into_iter().find(|axis| varied.contains(axis));
    }
    let keys: Vec<_> = rows.iter().map(|row| (&row.point, row.point.key())).collect();
    let has_several = |over: &Axis| distinct(keys.iter().map(|(_, key)| key.number(*over))).len() > 1;
    let curves = |over: &Axis| {
        let other = |axis: Axis| varied.contains(&axis) && axis != *over && axis != Axis::Algorithm;
        distinct(keys.iter().map(|(point, key)| (point.listed.curve(*over), key.within(other)))).len()
    };
    [Axis::Fragment, Axis::Buffers, Axis::Ranks, Axis::Bytes].into_iter().filter(has_several).min_by_key(curves)
}

/// Draws curves over ranks, or else over bytes, with one picture for each combination of values that vary beside the
/// algorithm, and beside the barrier where benchmarks print.
fn pictures(sweep: &Sweep, rows: &[SweepRow<'_>]) -> Option<Section> {
    let varied: Vec<Axis> = sweep.varied().collect();
    let over = across(&varied, rows)?;
    let prints = rows.iter().any(|row| row.found.as_ref().is_ok_and(|found| found.printed.is_some()));
    let (of_curves, of_pictures): (Vec<Axis>, Vec<Axis>) =
        varied.iter().filter(|axis| **axis != over).partition(|axis| OF_CURVES.contains(axis));
    let rows: Vec<(&SweepRow<'_>, Key)> =
        rows.iter().filter(|row| row.found.is_ok()).map(|row| (row, row.point.key())).collect();
    let keys: Vec<&Key> = rows.iter().map(|(_, key)| key).collect();
    let told = Coordinates::among(&keys, |axis| of_pictures.contains(&axis) || Axis::NETWORK.contains(&axis));
    let named = rows.iter().map(|(row, key)| (if of_pictures.is_empty() { Vec::new() } else { told.words(key) }, *row));
    let groups: Vec<(String, Vec<&SweepRow<'_>>)> =
        grouped(named).into_iter().map(|(words, rows)| (capital(&words.join(", ")), rows)).collect();
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
        // A question needs no full stop.
        let end = if title.ends_with('?') { "" } else { "." };
        let caption = format!("{title}{end} {}", drawn.caption);
        Figure::new(format!("curves-{}", nth + 1), caption, drawn.drawing.clone(), drawn.rows.clone())
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

/// Draws the numbers that one benchmark prints over ranks or bytes, a curve for each algorithm and barrier, beside the
/// truth.
pub fn printed(rows: &[SweepRow<'_>], over: Axis, title: String, notes: Vec<String>) -> Drawn {
    let all = |axis| rows.iter().map(|row| row.point.key().text(axis)).collect::<BTreeSet<_>>().len() > 1;
    let of_curves: Vec<Axis> = OF_CURVES.into_iter().filter(|axis| all(*axis)).collect();
    let curves = curves(&rows.iter().collect::<Vec<_>>(), over, true, &of_curves);
    Chart { title, notes, over, curves, cheapest: false, looked: Looked::default() }.drawn()
}

/// Returns the values of a row on some axes for readers; a bare number has the name of its axis.
fn words(row: &SweepRow<'_>, axes: &[Axis]) -> String {
    let key = row.point.key();
    let word = |axis: &Axis| match value(&row.point, &key, *axis) {
        number if axis.is_number() => format!("{axis} {number}"),
        name => name,
    };
    axes.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// Returns the name of a row's curve: the values that distinguish it, or its benchmark or algorithm where there is only
/// one curve.
fn name(row: &SweepRow<'_>, over: Axis, of_curves: &[Axis], prints: bool) -> String {
    if Axis::QUEUES.contains(&over) {
        return row.point.listed.curve(over);
    }
    match &words(row, of_curves)[..] {
        "" => row.point.key().text(if prints { Axis::Benchmark } else { Axis::Algorithm }),
        name => name.to_owned(),
    }
}

/// Returns a curve for each name; the truth comes first where benchmarks print.
fn curves(rows: &[&SweepRow<'_>], over: Axis, prints: bool, of_curves: &[Axis]) -> Vec<Curve> {
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
        add(name(row, over, of_curves, prints), (row.point.place(over), us));
    }
    curves
}
