//! Errors that knowledge beside messages removes: the model of best predictions gets one kind of knowledge more at a
//! time.

use super::heat_map::picture_of;
use super::measured::MeasuredCase;
use super::tables::share;
use super::{Place, Prediction, Validation, ValidationRow, numbers, row};
use programs::machine::Extent;
use render::data::{Show, View};
use render::groups::grouped;
use render::page::{Cell, Figure, Section, Table};
use statistics::{median, quantile};

/// Errors with all kinds of knowledge up to one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Refined {
    /// Place of the predicted cases.
    pub place: Place,
    /// Name of the model.
    pub model: String,
    /// Kinds of knowledge that the predictions use.
    pub extent: Extent,
    /// Number of predicted cases.
    pub cases: usize,
    /// Median of |error| over the cases.
    pub median: f64,
    /// 90 % quantile of |error|.
    pub ninety: f64,
    /// Mean of |ln(predicted / measured)|.
    pub mean_log: f64,
    /// Row of every predicted case.
    pub rows: Vec<ValidationRow>,
}

/// Returns the errors of every place, from messages alone to all knowledge.
pub(super) fn all(partly: &[(Extent, Prediction)], measured: &[MeasuredCase]) -> Vec<Refined> {
    // In the order of what was measured, as in every other table and picture.
    let rows = measured.iter().flat_map(|one| {
        let own = partly.iter().filter(|(_, prediction)| prediction.case == one.case);
        own.filter_map(move |(extent, prediction)| {
            let row = row(prediction, one)?;
            Some(((row.place(), *extent), (&prediction.model, row)))
        })
    });
    let sum_up = |((place, extent), rows): (_, Vec<(&String, ValidationRow)>)| {
        let model = rows[0].0.clone();
        let rows: Vec<ValidationRow> = rows.into_iter().map(|(_, row)| row).collect();
        let sizes: Vec<f64> = rows.iter().map(|row| row.error.abs()).collect();
        Refined {
            place,
            model,
            extent,
            cases: sizes.len(),
            median: median(&sizes).unwrap_or(0.0),
            ninety: quantile(&sizes, 0.9).unwrap_or(0.0),
            mean_log: rows.iter().map(|row| row.log_ratio().abs()).sum::<f64>() / sizes.len() as f64,
            rows,
        }
    };
    let mut all: Vec<Refined> = grouped(rows).into_iter().map(sum_up).collect();
    all.sort_by_key(|one| (one.place, one.extent));
    all
}

/// Returns the section of a place; `None` where nothing is known beside messages.
pub(super) fn section(validation: &Validation, place: Place) -> Option<Section> {
    let all: Vec<&Refined> = validation.refined.iter().filter(|one| one.place == place).collect();
    let first = all.first()?;
    let (title, model) = (place.title(), &first.model);
    let words = "Network models predict only the times of messages between ranks. Other costs of a call are added \
        here one kind after the other, and the pictures show which cells each kind corrects. The effect of a kind \
        depends on the kinds added before it; no kind explains the error that remains after all of them.";
    Some(
        Section::new(format!("Why {model} is wrong without memory, {title}"))
            .with_background([words])
            .with_figures(all.iter().map(|one| figure(one, &title)))
            .with_tables(table_of(validation, place)),
    )
}

/// Returns the share of the error that each kind of knowledge removes in a place.
pub(super) fn table_of(validation: &Validation, place: Place) -> Option<Table> {
    let all: Vec<&Refined> = validation.refined.iter().filter(|one| one.place == place).collect();
    (!all.is_empty()).then(|| table(&all, &place.title()))
}

fn table(all: &[&Refined], title: &str) -> Table {
    let whole = all.first().map_or(0.0, |one| one.mean_log);
    let before = std::iter::once(None).chain(all.iter().map(|one| Some(one.mean_log)));
    let removed: Vec<String> = all
        .iter()
        .zip(before)
        .map(|(one, before)| before.map_or_else(String::new, |before: f64| share((before - one.mean_log) / whole)))
        .collect();
    let (table, model) = (numbers::refined(all), all.first().map_or("", |one| one.model.as_str()));
    View::new(&table)
        .captioned(format!(
            "{title}, {model}: |predicted − measured| / measured with all kinds of knowledge up to the line's; what the kind removes of \
             the mean |ln(predicted ÷ measured)| of messages alone"
        ))
        .whole()
        .show([Show::made("removes", |row| Cell::text(&*removed[row.place()]))])
        .laid_out()
}

fn figure(one: &Refined, title: &str) -> Figure {
    let rows: Vec<&ValidationRow> = one.rows.iter().collect();
    let known = match one.extent {
        Extent::Messages => one.extent.words().to_owned(),
        Extent::Calls | Extent::Arithmetic | Extent::BothWays | Extent::Memory => {
            format!("with {}", one.extent.words())
        }
    };
    let name = format!("errors-{}-{}-{}", one.place.name(), one.model, one.extent.name());
    picture_of(&rows, name, &format!("Errors of {}, {known}, {title}", one.model))
}
