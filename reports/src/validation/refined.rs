//! What knowledge beside messages removes of the errors: the model of best predictions knows one thing more at a time.

use super::heat_map::picture_of;
use super::measured::Measured;
use super::tables::share;
use super::{Place, Prediction, Row, Validation, row};
use crate::page::{Cell, Figure, Section, Table};
use crate::statistics::{median, quantile};
use models::machine::Extent;
use serde::Serialize;

/// Errors with all knowledge up to there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refined {
    /// Where.
    pub place: Place,
    /// Which model.
    pub model: String,
    /// What it knows.
    pub extent: Extent,
    /// How many cases.
    pub cases: usize,
    /// Median of |error|.
    pub median: f64,
    /// What 90 % of |error| do not exceed.
    pub ninety: f64,
    /// The mean of |ln(predicted / measured)|.
    pub mean_log: f64,
    /// Every case.
    #[serde(skip)]
    pub rows: Vec<Row>,
}

/// Every place, from messages alone to everything.
pub(super) fn all(partly: &[(Extent, Prediction)], measured: &[Measured]) -> Vec<Refined> {
    let mut all: Vec<Refined> = Vec::new();
    // In the order of what was measured, as in every other table and picture.
    let of_cases = measured.iter().flat_map(|one| {
        partly
            .iter()
            .filter(|(_, prediction)| prediction.case == one.case)
            .map(move |(extent, prediction)| (extent, prediction, one))
    });
    for (extent, prediction, one) in of_cases {
        let Some(row) = row(prediction, one) else { continue };
        let place = row.place();
        match all.iter_mut().find(|one| (one.place, one.extent) == (place, *extent)) {
            Some(known) => known.rows.push(row),
            None => all.push(Refined {
                place,
                model: prediction.model.clone(),
                extent: *extent,
                cases: 0,
                median: 0.0,
                ninety: 0.0,
                mean_log: 0.0,
                rows: vec![row],
            }),
        }
    }
    for one in &mut all {
        let sizes: Vec<f64> = one.rows.iter().map(|row| row.error.abs()).collect();
        one.cases = sizes.len();
        one.median = median(&sizes).unwrap_or(0.0);
        one.ninety = quantile(&sizes, 0.9).unwrap_or(0.0);
        one.mean_log = one.rows.iter().map(|row| row.log_ratio().abs()).sum::<f64>() / sizes.len() as f64;
    }
    all.sort_by_key(|one| (one.place, one.extent));
    all
}

/// The section of a place; none where nothing is known beside messages.
pub(super) fn section(validation: &Validation, place: Place) -> Option<Section> {
    let all: Vec<&Refined> = validation.refined.iter().filter(|one| one.place == place).collect();
    let first = all.first()?;
    let (title, model) = (place.title(), &first.model);
    Some(Section {
        heading: format!("Why {model} is wrong without memory, {title}"),
        paragraphs: vec![
            "Network models know messages: how long they take from rank to rank. What else a call takes is added here one kind after \
             the other, and the pictures show which cells it mends. What a kind removes depends on what is there before it; what \
             remains after all of them no kind explains."
                .to_owned(),
        ],
        figures: all.iter().map(|one| figure(one, &title)).collect(),
        tables: table_of(validation, place).into_iter().collect(),
        ..Section::default()
    })
}

/// What each kind of knowledge removes in a place.
pub(super) fn table_of(validation: &Validation, place: Place) -> Option<Table> {
    let all: Vec<&Refined> = validation.refined.iter().filter(|one| one.place == place).collect();
    (!all.is_empty()).then(|| table(&all, &place.title()))
}

fn table(all: &[&Refined], title: &str) -> Table {
    let whole = all.first().map_or(0.0, |one| one.mean_log);
    let before = std::iter::once(None).chain(all.iter().map(|one| Some(one.mean_log)));
    let rows = all.iter().zip(before).map(|(one, before)| {
        let removed = before.map(|before| share((before - one.mean_log) / whole));
        vec![
            Cell::text(one.extent.words()),
            Cell::number(one.cases.to_string(), ""),
            Cell::number(share(one.median), ""),
            Cell::number(share(one.ninety), ""),
            Cell::text(removed.unwrap_or_default()),
        ]
    });
    let model = all.first().map_or("", |one| one.model.as_str());
    Table {
        caption: format!(
            "{title}, {model}: |predicted − measured| / measured with all kinds of knowledge up to the line's; what the kind removes of \
             the mean |ln(predicted ÷ measured)| of messages alone"
        ),
        head: ["also known", "cases", "median", "90 % below", "removes"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

fn figure(one: &Refined, title: &str) -> Figure {
    let rows: Vec<&Row> = one.rows.iter().collect();
    let known = match one.extent {
        Extent::Messages => one.extent.words().to_owned(),
        Extent::Calls | Extent::Arithmetic | Extent::BothWays | Extent::Memory => {
            format!("with {}", one.extent.words())
        }
    };
    let name = format!("errors-{}-{}-{}", one.place.name(), one.model, one.extent.name());
    picture_of(&rows, name, &format!("Errors of {}, {known}, {title}", one.model))
}
