//! The tables of a validation, for terminal and page alike.

use super::{Best, Confusion, Judged, LibraryCase, Place, Spread, Validation};
use crate::comparison::Verdict;
use models::collective::Collective;
use models::machine::Estimate;
use models::observation::Case;
use render::page::{Cell, Table};
use render::plots::numbers::{bytes, percent, significant};

/// A share without a sign: `12 %`.
pub(super) fn share(value: f64) -> String {
    percent(value).trim_start_matches('+').to_owned()
}

/// `[1.0 %, 3.0 %]`.
fn between(estimate: &Estimate) -> String {
    format!("[{}, {}]", share(estimate.low), share(estimate.high))
}

fn heads(heads: &[&str]) -> Vec<String> {
    heads.iter().map(|&head| head.to_owned()).collect()
}

/// What a collective is called where none stands for all.
fn named(collective: Option<Collective>) -> String {
    collective.map_or("all".to_owned(), |collective| collective.name().to_owned())
}

/// Errors of every model on every collective of a place.
pub(super) fn errors(validation: &Validation, place: Place) -> Table {
    let rows = validation.errors.iter().filter(|row| row.place == place).map(|row| {
        vec![
            Cell::text(named(row.collective)),
            Cell::text(&row.model),
            Cell::number(row.cases.to_string(), ""),
            Cell::number(share(row.median.value), between(&row.median)),
            Cell::number(share(row.ninety.value), between(&row.ninety)),
            Cell::number(percent(row.bias), ""),
            Cell::number(format!("{} of {}", row.agree, row.cases), ""),
        ]
    });
    Table::new(
        format!("{}: |predicted − measured| / measured, over algorithms, ranks and lengths", place.title()),
        ["collective", "model", "cases", "median", "90 % below", "bias", "intervals overlap"],
        rows,
    )
}

/// Which model is the best on which collective: a line for each other model.
pub(super) fn best(validation: &Validation, place: Place) -> Table {
    let of_place = validation.best.iter().filter(|best| best.place == place);
    let rows = of_place.flat_map(|best| {
        best.rivals.iter().enumerate().map(|(nth, rival)| {
            let first = |text: String| Cell::text(if nth == 0 { text } else { String::new() });
            let excess = &rival.excess;
            let same = (excess.low, excess.high) == (0.0, 0.0);
            let shown = match (rival.is_worse(), same) {
                (true, _) => "worse",
                (false, true) => "mostly the same predictions",
                (false, false) => "no clear difference",
            };
            vec![
                first(named(best.collective)),
                first(best.model.clone()),
                Cell::text(&rival.model),
                Cell::number(percent(excess.value), between(excess)),
                Cell::text(shown),
            ]
        })
    });
    Table::new(
        format!("{}: the best model, and how much larger the others' |error| is, case by case", place.title()),
        ["collective", "best", "other", "|error| larger by", "that is"],
        rows,
    )
}

/// In words, what is best in a place.
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

/// Every case: what was measured, and each model's error.
pub(super) fn cases(validation: &Validation, place: Place, collective: Collective) -> Table {
    let of = |case: &Case| Place::of(case) == place && case.subject.collective == collective;
    let mut head = heads(&["algorithm", "ranks", "bytes", "measured, µs"]);
    head.extend(validation.models.iter().cloned());
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

/// A model's worst cases with their reasons.
pub(super) fn worst(validation: &Validation, model: &str) -> Table {
    let rows = validation.worst.iter().filter(|worst| worst.row.model == model).map(|worst| {
        let (row, case) = (&worst.row, &worst.row.case);
        vec![
            Cell::text(format!("{} {}", case.subject.collective, case.subject.implementation.written())),
            Cell::text(row.place().title()),
            Cell::number(case.place.ranks.to_string(), ""),
            Cell::number(bytes(case.subject.bytes), ""),
            Cell::number(significant(row.predicted_us.value), ""),
            Cell::number(significant(row.measured_us.value), ""),
            Cell::number(percent(row.error), ""),
            Cell::text(worst.reasons.join("; ")),
        ]
    });
    Table::new(
        format!("Largest errors of {model}, with the reasons that the data show"),
        ["case", "where", "ranks", "bytes", "predicted, µs", "measured, µs", "error", "reasons"],
        rows,
    )
}

/// What a library appears to use.
pub(super) fn library(case: &LibraryCase) -> Table {
    let rows = case.lengths.iter().map(|length| {
        let words = |found: &Option<super::Identified>| found.as_ref().map_or("–".to_owned(), super::Identified::words);
        let agreement = match length.comparable() {
            None => "not measured",
            Some((found, table)) if !found.holds(table) => "contradicts",
            Some((super::Identified::Undecided(_), _)) => "possible",
            Some(_) => "agrees",
        };
        vec![
            Cell::number(bytes(length.bytes), ""),
            Cell::number(significant(length.us), ""),
            Cell::text(words(&length.by_measurement)),
            Cell::text(words(&length.by_prediction)),
            Cell::text(length.table.clone().unwrap_or_else(|| "–".to_owned())),
            Cell::text(agreement),
        ]
    });
    Table::new(
        format!("{}, {} ranks, {}", case.collective, case.ranks, case.place.title()),
        ["bytes", "measured, µs", "its times are those of", "of the prediction of", "its table says", "table"],
        rows,
    )
}

/// How often algorithms are recognised, by measured curves or by predicted ones.
pub(super) fn confusion(validation: &Validation, place: Place, by_prediction: bool) -> Table {
    let of = |found: &&Confusion| found.place == place && found.by_prediction == by_prediction;
    let rows = validation.confusion.iter().filter(of).map(|found| {
        let wrong: Vec<String> = found.wrong.iter().map(|(name, times)| format!("{name} {times}×")).collect();
        vec![
            Cell::text(format!("{} {}", found.collective, found.known)),
            Cell::number(found.all().to_string(), ""),
            Cell::number(found.right.to_string(), ""),
            Cell::number(found.undecided.to_string(), ""),
            Cell::number(found.wrong.iter().map(|(_, times)| times).sum::<usize>().to_string(), ""),
            Cell::text(wrong.join(", ")),
        ]
    });
    let by = if by_prediction { "predicted curves" } else { "curves that other launches measured" };
    Table::new(
        format!("{}: algorithms known to run, and those that {by} identify", place.title()),
        ["runs", "lengths", "right", "undecided", "wrong", "taken for"],
        rows,
    )
}

/// Errors on what a fit knew and on what it did not.
pub(super) fn held_out(validation: &Validation, judged: Judged) -> Table {
    let spread = |spread: &Option<Spread>| match spread {
        None => Cell::number("–", ""),
        Some(found) => Cell::number(
            share(found.median),
            format!("/ {} / {} ({})", share(found.ninety), share(found.worst), found.count),
        ),
    };
    let of = validation.held_out.iter().filter(|found| found.judged == judged);
    let rows = of.map(|found| {
        vec![
            Cell::text(&found.machine),
            Cell::text(&found.model),
            Cell::text(found.trained.words()),
            spread(&found.inside),
            spread(&found.outside),
        ]
    });
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
    Table::new(caption.to_owned(), ["machine", "model", "fitted to", known, others], rows)
}
