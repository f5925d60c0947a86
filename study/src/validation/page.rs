//! Page of a validation, with all its sections.

use super::tables;
use super::{Judged, Place, Validation, heat_map, measured, refined, repeats, residuals};
use models::collective::Collective;
use programs::method::{NATIVE_WARMUP, PLAYED_WARMUP};
use render::page::{Page, Section, Table};
use render::results::Look;

/// Heading of the sections that have every case.
const ALL_CASES: &str = "All cases";

/// Returns the page of all sections: errors, pictures, worst cases, libraries, held-out lengths, all cases.
pub(super) fn page(validation: &Validation) -> Page {
    let mut sections: Vec<Section> = validation.places().into_iter().map(|place| of_place(validation, place)).collect();
    sections.extend(validation.places().into_iter().filter_map(|place| refined::section(validation, place)));
    sections.extend(worst(validation));
    sections.extend(library(validation));
    sections.extend(held_out(validation));
    sections.extend(validation.places().into_iter().map(|place| cases(validation, place)));
    Page {
        question: validation.question.clone(),
        answer: first_sentence(validation),
        details: details(validation),
        origin: format!("Campaign {}, seed {}", validation.name, validation.seed),
        sections,
        reproduce: validation.reproduce.clone(),
        environment: validation.environment.clone(),
    }
}

/// Returns the text of the page for a terminal, with all that is known of how algorithms are recognised.
pub(super) fn terminal(validation: &Validation, look: Look) -> String {
    let mut page = page(validation);
    page.details.extend(recognised(validation, true).map(|(right, undecided, whole)| {
        let wrong = whole - right - undecided;
        format!(
            "By predicted curves they were recognised in {right} of {whole} cases, undecided in {undecided}, wrong in {wrong}."
        )
    }));
    // There is no room for the intervals of predictions.
    let cases = page.sections.iter_mut().filter(|section| section.heading.starts_with(ALL_CASES));
    let rows = cases.flat_map(|section| &mut section.tables).flat_map(|table| &mut table.rows);
    rows.flat_map(|row| row.iter_mut().skip(4)).for_each(|cell| cell.note.clear());
    page.terminal(look)
}

/// Returns the answer in one sentence.
pub(super) fn first_sentence(validation: &Validation) -> String {
    let first = conclusions(validation).into_iter().next();
    first.unwrap_or_else(|| "Nothing was both measured and predicted.".to_owned())
}

/// Returns the sentences that qualify the answer.
pub(super) fn details(validation: &Validation) -> Vec<String> {
    conclusions(validation).into_iter().skip(1).chain(validation.held_against.sentences()).collect()
}

/// Returns a sentence for each place on its models, then the facts that qualify it.
pub(super) fn conclusions(validation: &Validation) -> Vec<String> {
    let over_all = |place: Place| {
        let mut of_place = validation.best.iter().filter(|best| best.place == place).rev();
        let mixed = measured::is_mixed(&validation.measured, place);
        let of_which = if mixed { ", where every rank has a core of its own" } else { "" };
        of_place.next().map(|best| format!("{}{of_which}.", tables::verdict_on(best)))
    };
    let mut all: Vec<String> = validation.places().into_iter().filter_map(over_all).collect();
    all.extend(repeats::sentences(validation));
    let lengths = || validation.library.iter().flat_map(|case| &case.lengths);
    let judged = lengths().filter(|length| length.comparable().is_some()).count();
    if judged > 0 {
        let contradicted = lengths().filter(|length| length.contradicts()).count();
        let confirmed = lengths().filter(|length| length.confirms()).count();
        all.push(format!(
            "Libraries that chose by default used the algorithm of their decision tables in {confirmed} of \
             {judged} cases, another one in {contradicted}; {} are undecided by their times.",
            judged - confirmed - contradicted
        ));
    }
    if let Some((right, undecided, whole)) = recognised(validation, false) {
        all.push(format!(
            "Algorithms that were known to run were recognised by their times in {right} of {whole} cases, undecided in {undecided}."
        ));
    }
    all
}

/// Returns the numbers of cases in which a known algorithm was recognised, left undecided, and judged at all.
pub(super) fn recognised(validation: &Validation, by_prediction: bool) -> Option<(usize, usize, usize)> {
    let of = validation.confusion.iter().filter(|found| found.by_prediction == by_prediction);
    let sums = of.fold((0, 0, 0), |sum, found| (sum.0 + found.right, sum.1 + found.undecided, sum.2 + found.all()));
    (sums.2 > 0).then_some(sums)
}

/// Returns the caveats that apply to a place.
pub(super) fn warnings(validation: &Validation, place: Place) -> Vec<String> {
    let of_place = || validation.measured.iter().filter(move |one| Place::from_case(&one.case) == place);
    let mut all = Vec::new();
    let mut crowded: Vec<u32> = of_place().filter(|one| one.oversubscribed).map(|one| one.case.place.ranks).collect();
    crowded.sort_unstable();
    crowded.dedup();
    if !crowded.is_empty() {
        let ranks: Vec<String> = crowded.iter().map(u32::to_string).collect();
        let mixed = measured::is_mixed(&validation.measured, place);
        let apart = if mixed { "; their errors stand among all cases and count in no median" } else { "" };
        all.push(format!(
            "Oversubscribed: {} ranks share fewer cores and sleep while they wait; no model includes this{apart}.",
            ranks.join(", ")
        ));
    }
    let decision = place.world.library().and_then(|library| library.decision);
    let library = of_place().find(|one| one.rule.is_some());
    if let (Some(decision), Some(one)) = (decision, library) {
        all.extend(decision.beware(&one.ran_by).map(|words| sentence(&words)));
    }
    all
}

/// Turns words into a sentence of their own.
fn sentence(words: &str) -> String {
    let (first, rest) = words.split_at(words.chars().next().map_or(0, char::len_utf8));
    format!("{}{rest}.", first.to_uppercase())
}

fn of_place(validation: &Validation, place: Place) -> Section {
    let mut figures: Vec<_> =
        validation.models.iter().filter_map(|model| heat_map::figure(validation, place, model)).collect();
    for collective in Collective::ALL {
        for ranks in ranks(validation, place, collective) {
            figures.extend(residuals::figure(validation, place, collective, ranks));
        }
    }
    let predicted = format!(
        "Predicted: simulated ranks enter one call together; its time is the slowest rank's, with the calibrated \
         parameters and with all of them at the ends of their intervals, and with the costs of a call that \
         calibrations found (the start from a wait, the library's own work, a reading of the clock). Measured: the \
         slowest rank's time in windows on synchronised clocks, after {NATIVE_WARMUP} calls of warm-up \
         ({PLAYED_WARMUP} where ranks sleep), the median over all windows; its interval holds that of every launch."
    );
    let compared = "Models are compared case by case: the median of the differences of |error| with the interval of the sign \
        test, all intervals of a line together at 95 %. Cases of one algorithm at neighbouring lengths resemble each other, so that \
        intervals are rather too narrow.";
    Section::new(format!("Errors, {}", place.title()))
        .with_background([predicted, compared.to_owned()])
        .with_warnings(warnings(validation, place))
        .with_figures(figures)
        .with_tables([tables::errors(validation, place), tables::best(validation, place)])
}

/// Returns the numbers of ranks on which a collective was measured.
fn ranks(validation: &Validation, place: Place, collective: Collective) -> Vec<u32> {
    let of = validation
        .measured
        .iter()
        .filter(|one| Place::from_case(&one.case) == place && one.case.subject.collective == collective);
    let mut ranks: Vec<u32> = of.map(|one| one.case.place.ranks).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

fn worst(validation: &Validation) -> Option<Section> {
    let best = validation.best.last().map(|best| &best.model);
    let of_model = |model: &String| {
        let worst = tables::worst(validation, model);
        if Some(model) == best { worst } else { worst.as_detail() }
    };
    let tables: Vec<_> = validation.models.iter().map(of_model).collect();
    let tables: Vec<_> = tables.into_iter().filter(|table| !table.rows.is_empty()).collect();
    let words = "At most ten per model, by the ratio of predicted to measured time in either direction. A reason \
        is given if the numbers beside it support it; several may apply.";
    (!tables.is_empty()).then(|| Section::new("Worst cases").with_background([words]).with_tables(tables))
}

fn library(validation: &Validation) -> Option<Section> {
    let mut tables: Vec<_> = tables::libraries(validation);
    for place in validation.places() {
        for by_prediction in [false, true] {
            tables.push(tables::confusion(validation, place, by_prediction).as_detail());
        }
    }
    let tables: Vec<_> = tables.into_iter().filter(|table| !table.rows.is_empty()).collect();
    let words = "A curve of times is compared with those of all algorithms that were made to run, and with their \
        predictions: at each length Student's t (4 degrees of freedom) of the logarithm of the ratio, and between \
        lengths a Markov chain, since a choice changes at few lengths. An algorithm that is named alone has a \
        posterior probability of 95 %; otherwise the result is undecided among those named. Algorithms that send \
        the same messages on so many ranks are one (joined by =).";
    let section = Section::new("Which algorithm runs?").with_background([words]);
    let section = section.with_background(validation.evidence.iter().map(evidence));
    (!tables.is_empty()).then(|| section.with_tables(tables))
}

fn evidence(evidence: &super::Evidence) -> String {
    let twice = match evidence.pairs {
        0 => format!(
            "nothing was measured in two launches, so that {} is assumed (--launches 2 measures it)",
            tables::share(evidence.scale)
        ),
        pairs => {
            format!("two launches of the same case differ by {} (from {pairs} pairs)", tables::share(evidence.scale))
        }
    };
    let model = evidence.model.as_ref().map(|(model, scale)| {
        format!("; predictions of {model} are off by {} (standard deviation of the logarithm)", tables::share(*scale))
    });
    format!("{}: {twice}{}.", evidence.place.title(), model.unwrap_or_default())
}

fn held_out(validation: &Validation) -> Option<Section> {
    let tables: Vec<_> =
        [Judged::Messages, Judged::Collectives].map(|judged| tables::held_out(validation, judged)).into();
    let tables: Vec<_> = tables.into_iter().filter(|table: &Table| !table.rows.is_empty()).collect();
    let words = "A fit is validated on lengths that it used and on lengths that it did not use: if the errors of \
        the latter are much larger, the model overfits its data. Below the median of |error|: the largest error \
        and the number of errors.";
    (!tables.is_empty()).then(|| Section::new("Held-out lengths").with_background([words]).with_tables(tables))
}

fn cases(validation: &Validation, place: Place) -> Section {
    let all = Collective::ALL.into_iter().map(|collective| tables::cases(validation, place, collective));
    let left_out = validation.left_out.iter().map(|what| format!("Left out: {what}"));
    Section::new(format!("{ALL_CASES}, {}", place.title()))
        .with_warnings(left_out)
        .with_tables(all.filter(|table| !table.rows.is_empty()).map(Table::as_detail))
}
