//! The answer to a file's question: the sentences of the expectations that answer it, with the resulting numbers, and
//! these numbers as a picture and as lines with bars.

use crate::compare::capital;
use crate::coordinates::{Coordinates, from};
use programs::machine::Estimate;
use render::columns;
use render::data::Table;
use render::groups::{distinct, grouped, together};
use render::page::{Cell, Figure, Section};
use render::plots::canvas::HUES;
use render::plots::forest::{Forest, ForestRow};
use render::plots::numbers::{TimeUnit, significant};
use render::table::{self, Bar};
use scenario::axis::Key;
use scenario::expect::{FOUND, Judgement, Outcome};
use statistics::median;

/// Largest number of lines. Beyond it, numbers that differ on the axis with the most values share a line.
const MOST_LINES: usize = 36;
/// Width of a picture in px: it can be read on a telephone.
const WIDTH: f64 = 520.0;

/// Returns the judgements that answer the question and were tried, grouped by expectation: one in each world.
fn answering(judgements: &[Judgement]) -> Vec<Vec<&Judgement>> {
    let tried = judgements.iter().filter(|one| !one.answers.is_empty() && one.outcome != Outcome::Untried);
    grouped(tried.map(|one| ((&one.answers, &one.says), one))).into_iter().map(|(_, group)| group).collect()
}

/// Returns the answer: for every expectation that answers the question its sentence, or that it is not met. `None`
/// where none was tried.
pub fn sentence(judgements: &[Judgement]) -> Option<String> {
    let all = answering(judgements);
    let sentence = |group: &Vec<&Judgement>| {
        let found = found(group);
        match group.iter().all(|one| one.outcome == Outcome::Met) {
            true => group[0].answers.replace(FOUND, &found),
            false => format!("Expected was: {}. Found is {found}.", group[0].says),
        }
    };
    (!all.is_empty()).then(|| all.iter().map(sentence).collect::<Vec<_>>().join(" "))
}

/// Returns the world of the answer's numbers, as a sentence; `None` if there are several worlds.
pub(crate) fn origin(judgements: &[Judgement]) -> Option<String> {
    let worlds = distinct(answering(judgements).into_iter().flatten().map(|one| one.world.as_str()));
    match worlds[..] {
        [world] if !world.is_empty() => Some(format!("These numbers are {}.", from(world))),
        _ => None,
    }
}

/// Prints the range of the numbers, of several worlds each: `0.375`, `1.62 to 2.00`, `4.00 to 24.0 µs`.
fn found(group: &[&Judgement]) -> String {
    match &distinct(group.iter().map(|one| range(one)))[..] {
        [same] => same.clone(),
        _ => {
            let told = group.iter().map(|one| format!("{} ({})", range(one), from(&one.world)));
            told.collect::<Vec<_>>().join(" and ")
        }
    }
}

fn range(judgement: &Judgement) -> String {
    let Some((low, high)) = judgement.range else { return significant(f64::NAN) };
    let unit = unit(&judgement.unit, [low, high]);
    let print = |value: f64| match unit {
        Some(unit) => significant(unit.convert(value)),
        None => near_one(value),
    };
    let [low, high] = [low, high].map(print);
    let range = if low == high { low } else { format!("{low} to {high}") };
    match unit.map_or(judgement.unit.as_str(), |unit| unit.symbol()) {
        "" => range,
        symbol => format!("{range} {symbol}"),
    }
}

/// Prints three significant digits; for a ratio next to 1 as many as distinguish it from 1, four decimals at most.
fn near_one(value: f64) -> String {
    let off = (value - 1.0).abs();
    if (5e-5..0.01).contains(&off) { format!("{value:.4}") } else { significant(value) }
}

/// Returns the unit in which times are printed; `None` where numbers are no times.
fn unit(unit: &str, values: impl IntoIterator<Item = f64>) -> Option<TimeUnit> {
    (unit == TimeUnit::Us.symbol()).then(|| TimeUnit::fitting(values))
}

/// Numbers of one kind, each with the name of its case.
struct Numbers {
    /// Quantity with its unit.
    title: String,
    unit: String,
    lines: Vec<(Vec<String>, Estimate)>,
}

/// Returns all numbers of the answer, those of one kind together.
fn numbers(judgements: &[Judgement]) -> Vec<Numbers> {
    let all = answering(judgements).into_iter().flatten();
    let kinds = grouped(all.map(|one| ((one.what.as_str(), one.unit.as_str()), one)));
    let of = |((what, us), group): ((&str, &str), Vec<&Judgement>)| {
        let taken: Vec<&(Key, f64)> = group.iter().flat_map(|one| &one.taken).collect();
        let unit = unit(us, taken.iter().map(|(_, value)| *value));
        let keys: Vec<&Key> = taken.iter().map(|(key, _)| key).collect();
        let told = Coordinates::among(&keys, |_| true).no_more_than(MOST_LINES, &keys);
        let values =
            taken.iter().map(|(key, value)| (told.words(key), unit.map_or(*value, |unit| unit.convert(*value))));
        let lines = grouped(values).into_iter().filter_map(|(words, values)| Some((words, spread(&values)?)));
        // Lines with the same heading stand together.
        let lines = together(lines.map(|line| (line.0[0].clone(), line))).concat();
        let unit = unit.map_or(us, |unit| unit.symbol()).to_owned();
        let title = if unit.is_empty() { what.to_owned() } else { format!("{what}, {unit}") };
        Numbers { title, unit, lines }
    };
    kinds.into_iter().map(of).collect()
}

/// Returns the median, with the least and the greatest value as its ends.
fn spread(values: &[f64]) -> Option<Estimate> {
    let (low, high) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
    Some(Estimate { value: median(values)?, low, high })
}

/// Returns the pictures of the answer's numbers; `None` without an answer.
pub fn section(judgements: &[Judgement]) -> Option<Section> {
    let figures: Vec<Figure> =
        numbers(judgements).into_iter().enumerate().map(|(nth, numbers)| numbers.figure(nth + 1)).collect();
    (!figures.is_empty()).then(|| Section::new("The answer in numbers").with_figures(figures).with_id("answer"))
}

/// Returns the answer's numbers for a terminal, a table for each kind.
pub fn tables(judgements: &[Judgement]) -> Vec<table::Table> {
    numbers(judgements).iter().map(Numbers::table).collect()
}

impl Numbers {
    fn figure(self, number: usize) -> Figure {
        let row = |(words, value): &(Vec<String>, Estimate)| (words[1..].join(", "), words[0].clone(), *value);
        let rows: Vec<_> = self.lines.iter().map(row).collect();
        // Lines that are alone under their headings need none.
        let grouped = distinct(rows.iter().map(|row| &row.1)).len() < rows.len();
        let mut last = None;
        let rows = rows.iter().map(|(name, group, value)| {
            let begins = grouped && last.replace(group) != Some(group);
            let name = if grouped { name.clone() } else { [group.as_str(), name].map(str::trim).join(", ") };
            ForestRow {
                name: name.trim_end_matches(", ").to_owned(),
                group: begins.then(|| group.clone()),
                value: *value,
                hue: HUES[0],
            }
        });
        let several = self.lines.iter().any(|(_, value)| value.low < value.high);
        let forest = Forest {
            width: WIDTH,
            title: capital(&self.title),
            axis_title: self.title.clone(),
            rows: rows.collect(),
            reference: self.unit.is_empty().then_some(1.0),
        };
        let numbers = self.lines.iter();
        let numbers = numbers.map(|(words, value)| vec![words.join(", ").into(), (*self.unit).into(), (*value).into()]);
        let columns = [columns::CURVE, columns::UNIT, columns::VALUE].map(|known| known.column());
        let more = if several { " Where a line stands for several numbers, the dot is their median." } else { "" };
        Figure::new(
            format!("answer-{number}"),
            format!("{}: the numbers of the answer.{more}", forest.title),
            forest.drawing(),
            Table::new("rows", columns, numbers),
        )
    }

    /// Returns a row for each number, with a bar.
    fn table(&self) -> table::Table {
        let row = |(words, value): &(Vec<String>, Estimate)| {
            let (low, high) = (near_one(value.low), near_one(value.high));
            let range = if low == high { low } else { format!("{low} to {high}") };
            vec![Cell::text(words.join(", ")), Cell::number(range, "").with_bar(Bar::Ratio(value.value))]
        };
        table::Table::new(capital(&self.title), ["", ""], self.lines.iter().map(row))
    }
}
