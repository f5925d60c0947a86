//! Text of a validation for a terminal.

use super::page::{conclusions, recognised, warnings};
use super::{Judged, LibraryCase, Validation, Worst, refined, tables};
use models::collective::Collective;
use render::groups::together;
use render::paint::Paint;
use render::plots::numbers::{bytes, percent, significant};
use render::table::Table;
use render::words::{apart, hanging, wrapped};

/// Least width that text is laid out for, in columns.
const NARROWEST: usize = 64;

/// Returns the answer and all tables, `width` columns wide where words can be wrapped, coloured if `colour`; with every
/// case, if `detailed`. Lines end in `\n`.
pub(super) fn terminal(validation: &Validation, width: usize, colour: bool, detailed: bool) -> String {
    let (width, paint) = (width.max(NARROWEST), Paint(colour));
    let mut parts: Vec<Vec<String>> = vec![
        conclusions(validation)
            .iter()
            .flat_map(|sentence| wrapped(sentence, width, "  "))
            .map(|line| paint.bold(&line))
            .collect(),
    ];
    let held = validation.held_against.sentences();
    parts.push(held.iter().flat_map(|sentence| wrapped(sentence, width, "  ")).collect());
    for place in validation.places() {
        parts.push(table(&tables::errors(validation, place), paint));
        parts.push(table(&tables::best(validation, place), paint));
        let beware = warnings(validation, place);
        parts.push(
            beware
                .iter()
                .flat_map(|text| wrapped(&format!("! {text}"), width, "  "))
                .map(|line| paint.warning(&line))
                .collect(),
        );
    }
    if detailed {
        for place in validation.places() {
            let all = Collective::ALL.into_iter().map(|collective| tables::cases(validation, place, collective));
            parts.extend(all.map(|all| without_notes(all, 4)).map(|all| table(&all, paint)));
        }
    }
    for place in validation.places() {
        parts.extend(refined::table_of(validation, place).map(|removed| table(&removed, paint)));
    }
    parts.push(worst(validation, width, paint));
    parts.push(library(validation, width, paint));
    for judged in [Judged::Messages, Judged::Collectives] {
        parts.push(table(&tables::held_out(validation, judged), paint));
    }
    let left_out = validation.left_out.iter().flat_map(|what| wrapped(&format!("left out: {what}"), width, "  "));
    parts.push(left_out.map(|line| paint.faint(&line)).collect());
    apart(parts)
}

/// Returns a table whose cells from some column on have no notes because there is no room for them.
fn without_notes(mut table: Table, from: usize) -> Table {
    table.rows.iter_mut().flat_map(|row| row.iter_mut().skip(from)).for_each(|cell| cell.note.clear());
    table
}

fn table(table: &Table, paint: Paint) -> Vec<String> {
    if table.rows.is_empty() {
        return Vec::new();
    }
    let mut lines = table.lines();
    lines[0] = paint.faint(&lines[0]);
    std::iter::once(paint.bold(&table.caption)).chain(lines).collect()
}

/// Returns the worst cases of the best model, each with its reasons below.
fn worst(validation: &Validation, width: usize, paint: Paint) -> Vec<String> {
    let Some(best) = validation.best.last() else { return Vec::new() };
    let of_best: Vec<&Worst> = validation.worst.iter().filter(|worst| worst.row.model == best.model).collect();
    if of_best.is_empty() {
        return Vec::new();
    }
    let title = format!("Largest errors of {}, with the reasons that the data show", best.model);
    let mut lines = vec![paint.bold(&title)];
    // The same call by other algorithms, for the same reasons, is told in one breath.
    let key = |worst: &Worst| {
        let case = &worst.row.case;
        (worst.row.place(), case.subject.collective, case.place.ranks, case.subject.bytes, worst.reasons.clone())
    };
    for group in together(of_best.into_iter().map(|worst| (key(worst), worst))) {
        let (row, case) = (&group[0].row, &group[0].row.case);
        let (predicted, measured) = (significant(row.predicted_us.value), significant(row.measured_us.value));
        let whose = format!(
            "{} {}, {} ranks, {}, {}: {predicted} µs, measured {measured} µs",
            case.subject.collective,
            case.subject.implementation.written(),
            case.place.ranks,
            bytes(case.subject.bytes),
            row.place().title(),
        );
        lines.extend(hanging(&format!("  {:>8}  ", percent(row.error)), &whose, width));
        let also = group[1..]
            .iter()
            .map(|worst| format!("{} {}", worst.row.case.subject.implementation.written(), percent(worst.row.error)));
        let also: Vec<String> = also.collect();
        let also = if also.is_empty() { String::new() } else { format!("likewise {}: ", also.join(", ")) };
        let reasons = hanging(&" ".repeat(12), &format!("{also}{}", group[0].reasons.join("; ")), width);
        lines.extend(reasons.iter().map(|line| paint.faint(line)));
    }
    lines
}

/// Returns the algorithms that libraries appear to use, equal ones of neighbouring lengths in one line, and the
/// reliability of that.
fn library(validation: &Validation, width: usize, paint: Paint) -> Vec<String> {
    let mut lines = Vec::new();
    if !validation.library.is_empty() {
        lines.push(paint.bold("Algorithms that the library appears to choose by default"));
    }
    for case in &validation.library {
        lines.extend(one(case, width, paint));
    }
    for by_prediction in [false, true] {
        let Some((right, undecided, whole)) = recognised(validation, by_prediction) else { continue };
        let by = if by_prediction { "predicted curves" } else { "curves of other launches" };
        let text = format!(
            "Check, where it is known which algorithm runs: by {by} right in {right} of {whole} cases, undecided in {undecided}, wrong in {}.",
            whole - right - undecided
        );
        lines.extend(wrapped(&text, width, "  "));
    }
    lines
}

fn one(case: &LibraryCase, width: usize, paint: Paint) -> Vec<String> {
    let said = |length: &super::Identification| {
        let found = length.by_measurement.as_ref().or(length.by_prediction.as_ref())?;
        let agreement = match (&length.table, length.comparable()) {
            (Some(table), Some((found, _))) if !found.holds(table) => format!("; its table says {table}"),
            (Some(table), Some(_)) => format!("; its table: {table}"),
            (Some(table), None) => format!("; its table: {table}, which was not measured"),
            (None, _) => String::new(),
        };
        Some((format!("{}{agreement}", found.words()), length.contradicts()))
    };
    let mut lines = vec![format!("  {}, {} ranks, {}", case.collective, case.ranks, case.place.title())];
    if case.lengths.iter().all(|length| said(length).is_none()) {
        return Vec::new();
    }
    for same in case.lengths.chunk_by(|a, b| said(a) == said(b)) {
        let Some((words, contradicts)) = said(&same[0]) else { continue };
        let (first, last) = (bytes(same[0].bytes), bytes(same[same.len() - 1].bytes));
        let from = if first == last { first } else { format!("{first} … {last}") };
        let told = hanging(&format!("    {from:<20}  "), &words, width);
        lines.extend(told.into_iter().map(|line| if contradicts { paint.warning(&line) } else { line }));
    }
    lines
}
