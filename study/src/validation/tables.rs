//! Tables of a validation, for terminal and page alike.

use super::{
    Best, Confusion, ErrorRow, Identification, Identified, Judged, LibraryCase, Place, Spread, Validation, numbers,
};
use crate::comparison::Verdict;
use models::collective::Collective;
use programs::observation::Case;
use render::data::{self, Show, Style, View};
use render::page::{Cell, Table};
use render::plots::numbers::{bytes, percent, significant};

/// Prints a share without a sign: `12 %`.
pub(super) fn share(value: f64) -> String {
    percent(value).trim_start_matches('+').to_owned()
}

/// Describes the best model of a place.
pub(super) fn verdict_on(best: &Best) -> String {
    let clear = best.is_clear();
    let how = match (best.rivals.is_empty(), clear) {
        (true, _) => "was calibrated",
        (false, true) => "predicts best",
        (false, false) => "predicts best, though not clearly better than every other model",
    };
    format!(
        "{}: {} {how}; half of its predictions have an error below {}",
        best.place.title(),
        best.model,
        share(best.median)
    )
}

/// Returns the table of every case with its measurement and each model's error.
pub(super) fn cases(validation: &Validation, place: Place, collective: Collective) -> Table {
    let of = |case: &Case| Place::from_case(case) == place && case.subject.collective == collective;
    let head = ["algorithm", "ranks", "bytes", "measured, µs"].into_iter();
    let head = head.chain(validation.models.iter().map(String::as_str));
    let rows = validation.measured.iter().filter(|measured| of(&measured.case)).map(|measured| {
        let us = &measured.us;
        let mut cells = vec![
            Cell::text(measured.case.subject.implementation.written()),
            Cell::number(measured.case.place.ranks.to_string(), ""),
            Cell::number(bytes(measured.case.subject.bytes), ""),
            Cell::number(significant(us.value), format!("{} … {}", significant(us.low), significant(us.high))),
        ];
        cells.extend(validation.models.iter().map(|model| {
            let row = validation.rows.iter().find(|row| row.case == measured.case && row.model == *model);
            row.map_or(Cell::number("–", ""), |row| {
                let sign = match row.verdict {
                    Verdict::Agrees => " ✓",
                    Verdict::Close => " ≈",
                    Verdict::Differs | Verdict::Idle | Verdict::Unmeasured | Verdict::Unpredicted => "",
                };
                let predicted = &row.predicted_us;
                let between = format!("{} … {} µs", significant(predicted.low), significant(predicted.high));
                Cell::number(format!("{}{sign}", percent(row.error)), between)
            })
        }));
        cells
    });
    Table::new(format!("{collective}, {}: ✓ the intervals overlap, ≈ at most 5 % apart", place.title()), head, rows)
}

/// Returns the table of the errors of every model on every collective of a place.
pub(super) fn errors(validation: &Validation, place: Place) -> Table {
    let (all, table) = (&validation.errors, numbers::errors(validation));
    let overlap = Show::made("intervals overlap", |row| {
        let ErrorRow { agree, cases, .. } = all[row.place()];
        Cell::number(format!("{agree} of {cases}"), "")
    });
    View::new(&table)
        .captioned(format!("{}: |predicted − measured| / measured, over algorithms, ranks and lengths", place.title()))
        .rows((0..all.len()).filter(|&row| all[row].place == place))
        .whole()
        .show([overlap])
        .laid_out()
}

/// Returns the table of the best model of each collective, with a line for each other model.
pub(super) fn best(validation: &Validation, place: Place) -> Table {
    let (all, table) = (numbers::rivals(validation), numbers::best(validation));
    let of_place = |row: &usize| all[*row].0.place == place && all[*row].1.is_some();
    let is_first = |row: usize| row == 0 || !std::ptr::eq(all[row - 1].0, all[row].0);
    let once = |heading: &str, name: &'static str| {
        Show::made(heading, move |row| if is_first(row.place()) { row.laid_out(name) } else { Cell::default() })
    };
    let verdict = Show::made("that is", |row| {
        Cell::text(all[row.place()].1.map_or("", |rival| {
            match (rival.is_worse(), (rival.excess.low, rival.excess.high) == (0.0, 0.0)) {
                (true, _) => "worse",
                (false, true) => "mostly the same predictions",
                (false, false) => "no clear difference",
            }
        }))
    });
    View::new(&table)
        .captioned(format!(
            "{}: the best model, and how much larger the others' |error| is, case by case",
            place.title()
        ))
        .rows((0..all.len()).filter(of_place))
        .show([once("collective", "operation"), once("best", "model")])
        .show(Show::all(["rival", "excess"]))
        .show([verdict])
        .laid_out()
}

/// Returns the table of a model's worst cases with their reasons.
pub(super) fn worst(validation: &Validation, model: &str) -> Table {
    let (all, table) = (&validation.worst, numbers::worst(validation));
    let name = |place: usize| {
        let subject = &all[place].row.case.subject;
        format!("{} {}", subject.collective, subject.implementation.written())
    };
    let length = Show::changed("bytes", |column| column.shown(Style::Bytes));
    View::new(&table)
        .captioned(format!("Largest errors of {model}, with the reasons that the data show"))
        .rows((0..all.len()).filter(|&row| all[row].row.model == model))
        .show([Show::made("case", |row| Cell::text(name(row.place())))])
        .show([Show::made("where", |row| Cell::text(all[row.place()].row.place().title())), Show::one("ranks"), length])
        .show([Show::value("predicted_us"), Show::value("measured_us")])
        .show(Show::all(["error", "reasons"]))
        .laid_out()
}

/// Returns a table for each collective of a library: the algorithms that it appears to use at each length.
pub(super) fn libraries(validation: &Validation) -> Vec<Table> {
    let (all, table) = (numbers::lengths(validation), numbers::library(validation));
    let words = |place: usize, of: fn(&Identification) -> &Option<Identified>| {
        Cell::text(of(all[place].1).as_ref().map_or("–".to_owned(), Identified::words))
    };
    let one = |of: &LibraryCase| {
        let says = |row: data::Row<'_>| all[row.place()].1.table.as_deref().unwrap_or("–");
        View::new(&table)
            .captioned(format!("{}, {} ranks, {}", of.collective, of.ranks, of.place.title()))
            .rows((0..all.len()).filter(|&row| std::ptr::eq(all[row].0, of)))
            .show([Show::changed("bytes", |column| column.shown(Style::Bytes)), Show::one("time_us")])
            .show([Show::made("its times are those of", |row| words(row.place(), |one| &one.by_measurement))])
            .show([Show::made("of the prediction of", |row| words(row.place(), |one| &one.by_prediction))])
            .show([Show::made("its table says", |row| Cell::text(says(row))), Show::one("agreement")])
            .laid_out()
    };
    validation.library.iter().map(one).collect()
}

/// Returns counts of how algorithms are recognised, by measured curves or by predicted ones.
pub(super) fn confusion(validation: &Validation, place: Place, by_prediction: bool) -> Table {
    let (all, table) = (&validation.confusion, numbers::confusion(validation));
    let runs = |found: &Confusion| format!("{} {}", found.collective, found.known);
    let by = if by_prediction { "predicted curves" } else { "curves that other launches measured" };
    View::new(&table)
        .captioned(format!("{}: algorithms known to run, and those that {by} identify", place.title()))
        .rows((0..all.len()).filter(|&row| (all[row].place, all[row].by_prediction) == (place, by_prediction)))
        .show([Show::made("runs", |row| Cell::text(runs(&all[row.place()])))])
        .whole()
        .laid_out()
}

/// Returns the table of the errors on the lengths that a fit used and on the others.
pub(super) fn held_out(validation: &Validation, judged: Judged) -> Table {
    let (all, table) = (&validation.held_out, numbers::held_out(validation));
    let spread = |spread: Option<Spread>| {
        let words = |of: Spread| {
            let note = format!("/ {} / {} ({})", share(of.ninety), share(of.worst), of.count);
            Cell::number(share(of.median), note)
        };
        spread.map_or_else(|| Cell::number("–", ""), words)
    };
    let (caption, known, others) = match judged {
        Judged::Messages => (
            "|error| on single messages, by what parameters were fitted to: median / 90 % / worst (count)",
            "at fitted lengths",
            "at others",
        ),
        Judged::Collectives => (
            "|error| on collectives at every other calibrated length and between: median / 90 % / worst (count)",
            "lengths among those",
            "lengths between",
        ),
    };
    View::new(&table)
        .captioned(caption)
        .rows((0..all.len()).filter(|&row| all[row].judged == judged))
        .show(Show::all(["machine", "model", "fitted_to"]))
        .show([Show::made(known, |row| spread(all[row.place()].inside))])
        .show([Show::made(others, |row| spread(all[row.place()].outside))])
        .laid_out()
}
