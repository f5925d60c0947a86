//! The text of another benchmark as a side.

use crate::contrast::side::{PRINTED_BY, SYSTEM};
use crate::contrast::{Kind, Quantity, Sampled, Side};
use crate::correct::{benchmark, element};
use formats::import::{Imported, PrintedRow, RANKS_FROM, Tool, conditions, methods, ours};
use models::call::Element;
use models::collective::Collective;
use programs::machine::Estimate;
use published::Mark;
use render::groups::{distinct, grouped};
use scenario::axis::{Axis, Key};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Columns that hold the time of a call; the first one that a row has is taken.
const TIMES: [&str; 3] = ["mean_us", "median_us", "time_us"];

/// Reads a side from the runs of a text. `name` is the user's name of the side. Where runs are of several tools or
/// versions, the method names them, and where they are of several systems, the form does. A text lacks the number to be
/// compared where all its runs do.
///
/// # Errors
/// Says why no run can be a side: no row, marks on all rows, or a column that cannot be compared.
pub fn imported(name: &str, runs: &[Imported], column: Option<&str>) -> Result<Side, String> {
    let (mut sides, mut lacking, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    for text in runs.iter().flat_map(by_system) {
        match run(name, &text, column) {
            Ok(side) if side.lacks.is_some() => lacking.push(side),
            Ok(side) => sides.push(side),
            Err(why) => refused.push(why),
        }
    }
    if sides.is_empty() {
        let why = refused.into_iter().next();
        return why.map_or_else(|| lacking.into_iter().next().ok_or_else(|| format!("{name}: no row")), Err);
    }
    refused.extend(lacking.into_iter().filter_map(|side| side.lacks));
    let mut side = Side::together(name, sides)?;
    side.notes.extend(refused);
    side.notes = distinct(side.notes);
    Ok(side)
}

/// Splits a run whose rows are of several systems into one run for each.
fn by_system(text: &Imported) -> Vec<Cow<'_, Imported>> {
    let rows = grouped(text.rows.iter().map(|row| (row.word(SYSTEM), row)));
    if rows.len() < 2 {
        return vec![Cow::Borrowed(text)];
    }
    let of_one =
        |(_, rows): (&str, Vec<&PrintedRow>)| Imported { rows: rows.into_iter().cloned().collect(), ..text.clone() };
    rows.into_iter().map(|one| Cow::Owned(of_one(one))).collect()
}

/// Reads a side from one run: `column` of each row, or the number that the tool is known for. Rows of one case count as
/// separate launches; where the tool prints single samples, they are the samples. Rows whose marks exclude them,
/// because they are not of the algorithm of their name, are left out. Where no row has the number, `lacks` names the
/// columns that could be compared.
///
/// # Errors
/// Refuses a column whose values are no numbers that can be compared; names the marks, if all rows have some.
fn run(name: &str, text: &Imported, column: Option<&str>) -> Result<Side, String> {
    let mut side = Side::new(name, Kind::Imported);
    side.facts = text.facts.clone();
    side.facts.insert(0, (PRINTED_BY.to_owned(), text.printed_by()));
    let system = text.rows.first().map(|row| row.word(SYSTEM)).filter(|system| !system.is_empty());
    side.facts.extend(system.map(|system| (SYSTEM.to_owned(), system.to_owned())));
    let ranks_from = text.rows.iter().map(|row| row.word(RANKS_FROM)).filter(|from| !from.is_empty());
    let ranks_from =
        ranks_from.collect::<BTreeSet<&str>>().into_iter().map(|from| ("ranks from".to_owned(), from.to_owned()));
    side.facts.extend(ranks_from);
    side.silent = Axis::CASES.into_iter().filter(|axis| !SAID.contains(axis)).collect();
    column.map_or(Ok(()), |column| can_be_compared(name, text, column))?;
    let (mut taken, mut without) = (BTreeSet::new(), 0);
    let (marked, rows): (Vec<&PrintedRow>, Vec<&PrintedRow>) =
        text.rows.iter().partition(|row| excluding(row).next().is_some());
    let marks: BTreeSet<&str> = marked.iter().flat_map(|row| excluding(row)).map(Mark::name).collect();
    let marks = marks.into_iter().collect::<Vec<_>>().join(", ");
    if rows.is_empty() && !marked.is_empty() {
        return Err(format!("{name}: every row is marked {marks}; `parallax import` shows them with the reasons"));
    }
    side.notes.extend(text.notes.iter().cloned());
    if !marked.is_empty() {
        side.notes.push(format!("left out for their marks ({marks}): {} of {} rows", marked.len(), text.rows.len()));
    }
    for row in rows {
        if row.ranks.is_none() {
            side.silent.insert(Axis::Ranks);
        }
        if element_of(text.tool, row).is_none() {
            side.silent.insert(Axis::Form);
        }
        for (axis, words) in SAID_BY_SOME {
            if words.iter().any(|word| !row.word(word).is_empty()) {
                side.silent.remove(&axis);
            }
        }
        match times(text.tool, row, column) {
            Some((what, sampled)) => {
                taken.insert(what);
                side.add(Sampled {
                    key: key(text, row),
                    ran_by: row.word(ours::RAN_BY).to_owned(),
                    oversubscribed: ours::is_oversubscribed(row),
                    ..sampled
                });
            }
            None => without += 1,
        }
    }
    if side.cases.is_empty() {
        let wanted = column.unwrap_or("time of a call");
        side.lacks = Some(format!("{name}: no row has a '{wanted}'; {}", comparable(text)));
    } else if without > 0 {
        side.notes.push(format!("{without} rows without a time are left out"));
    }
    side.facts.push(("number".to_owned(), taken.into_iter().collect::<Vec<_>>().join(", ")));
    Ok(side)
}

/// Refuses a column of a text whose values are no numbers that can be compared.
fn can_be_compared(name: &str, text: &Imported, column: &str) -> Result<(), String> {
    let is_there = text.rows.iter().flat_map(|row| &row.columns).any(|there| there.name == column);
    if Quantity::of_column(column).is_some() || !is_there {
        return Ok(());
    }
    let known = comparable(text);
    Err(format!("{name}: '{column}' cannot be compared: it is no time, rate, share or count; {known}"))
}

/// `--column takes one of mean_us, mb_per_s`: the columns that can be compared.
fn comparable(text: &Imported) -> String {
    let names = text.rows.iter().flat_map(|row| &row.columns).map(|column| column.name.as_str());
    let names: BTreeSet<&str> = names.filter(|name| Quantity::of_column(name).is_some()).collect();
    match names.is_empty() {
        true => "no column of it can be compared".to_owned(),
        false => format!("--column takes one of {}", names.into_iter().collect::<Vec<_>>().join(", ")),
    }
}

/// Axes that all texts state for their cases.
const SAID: [Axis; 5] = [Axis::Operation, Axis::Form, Axis::Ranks, Axis::Bytes, Axis::Method];
/// Axes that some texts state, with the columns that hold them.
const SAID_BY_SOME: [(Axis, &[&str]); 3] = [
    (Axis::Algorithm, &["published_algorithm", ours::ALGORITHM]),
    (Axis::Root, &[ours::ROOT]),
    (Axis::World, &[ours::WORLD]),
];

/// Returns the key of a row's case and its time in µs, if it has one.
pub(crate) fn case_of_row(text: &Imported, row: &PrintedRow) -> (Key, Option<f64>) {
    let time = times(text.tool, row, None).and_then(|(_, sampled)| sampled.launches.first()?.first().copied());
    (key(text, row), time)
}

/// The marks of a row that exclude it.
pub(crate) fn excluding(row: &PrintedRow) -> impl Iterator<Item = Mark> {
    let marks = row.word("marks").split(' ').filter_map(|name| Mark::ALL.into_iter().find(|mark| mark.name() == name));
    marks.filter(|mark| mark.excludes())
}

fn key(text: &Imported, row: &PrintedRow) -> Key {
    let tool = text.tool;
    let (operation, bytes) = operation(tool, row);
    // The method of a tool is known only for collectives. ReproMPI has several methods, one of which its text may name.
    let is_known = row.collective.is_some() && tool != Tool::Reprompi;
    let method = benchmark(text).ok().filter(|_| is_known).map(|preset| preset.method().name().to_owned());
    let told = |word: &str| Some(row.word(word).to_owned()).filter(|text| !text.is_empty());
    let method: Vec<String> = told(ours::METHOD).or(method).into_iter().chain(methods(row)).collect();
    let form = told(ours::VARIANT).or_else(|| element_of(tool, row));
    let form: Vec<String> = form.into_iter().chain(conditions(row)).filter(|word| !word.is_empty()).collect();
    let algorithm = told("published_algorithm").or_else(|| told(ours::ALGORITHM)).unwrap_or_default();
    Key::default()
        .named(Axis::Operation, &operation)
        .named(Axis::Form, &form.join(", "))
        .named(Axis::Algorithm, &algorithm)
        .counted(Axis::Root, ours::root(row))
        .named(Axis::World, row.word(ours::WORLD))
        .counted(Axis::Ranks, row.ranks.map(u64::from))
        .counted(Axis::Bytes, bytes)
        .named(Axis::Method, &method.join(", "))
}

/// Returns the name of a row's elements as forms of calls have it: empty for the default type, else the name of the
/// type, which is the tool's own where Parallax has no such type. `None` where the type is not known.
fn element_of(tool: Tool, row: &PrintedRow) -> Option<String> {
    let told = |element: Element| if element == Element::default() { String::new() } else { element.name().to_owned() };
    let combines = row.collective.is_some_and(Collective::combines);
    match row.datatype.as_deref() {
        None if !combines => Some(String::new()),
        None => element(tool, None).ok().map(told),
        Some(datatype) => Some(element(tool, Some(datatype)).map_or_else(|_| datatype.to_owned(), told)),
    }
}

/// Returns the operation, and its bytes as Parallax counts them: OSU and IMB give the whole vector of a reduce-scatter,
/// Parallax a block. Where the vector cannot be cut evenly, the operation keeps the tool's name.
fn operation(tool: Tool, row: &PrintedRow) -> (String, Option<u64>) {
    let whole = matches!(tool, Tool::Osu | Tool::Imb);
    match row.collective {
        Some(Collective::ReduceScatter) if whole => {
            let ranks = row.ranks.map(u64::from).filter(|&ranks| ranks > 0);
            let block = row.bytes.zip(ranks).filter(|(bytes, ranks)| bytes.is_multiple_of(*ranks));
            let plain = !row.benchmark.to_ascii_lowercase().contains("block");
            match block.filter(|_| plain) {
                Some((bytes, ranks)) => (Collective::ReduceScatter.name().to_owned(), Some(bytes / ranks)),
                None => (row.benchmark.clone(), row.bytes),
            }
        }
        // A barrier moves nothing.
        Some(Collective::Barrier) => (Collective::Barrier.name().to_owned(), Some(row.bytes.unwrap_or(0))),
        Some(collective) => (collective.name().to_owned(), row.bytes),
        None => (row.benchmark.clone(), row.bytes),
    }
}

/// Returns the name of the row's number and the number itself; it is a time where no column is requested.
fn times<'a>(tool: Tool, row: &'a PrintedRow, column: Option<&'a str>) -> Option<(&'a str, Sampled)> {
    let sampled = |quantity, times: Vec<f64>, estimate| Sampled {
        key: Key::default(),
        quantity,
        launches: vec![times],
        rounds: Vec::new(),
        estimate,
        ran_by: String::new(),
        oversubscribed: false,
        doubt: None,
    };
    // PICO's result is the median of calls that depend on each other.
    let is_median = tool == Tool::Pico;
    if column.is_none() && !is_median && row.samples.iter().any(|sample| sample.valid) {
        return Some(("each sample's slowest rank", sampled(Quantity::Time, slowest_us(row), None)));
    }
    let known = column.or(is_median.then_some("median_us")).map_or_else(|| TIMES.to_vec(), |column| vec![column]);
    let (what, value) = known.into_iter().find_map(|what| Some((what, row.value(what)?)))?;
    let quantity = Quantity::of_column(what)?;
    let interval = match what {
        "mean_us" => row.value("interval_low_us").zip(row.value("interval_high_us")),
        "median_us" => row.value("steady_low_us").zip(row.value("steady_high_us")),
        _ => None,
    };
    let estimate = interval.map(|(low, high)| Estimate { value, low: low.min(value), high: high.max(value) });
    Some((what, sampled(quantity, vec![value], estimate)))
}

/// The slowest rank's time of each sample that is valid on all ranks, in µs.
fn slowest_us(row: &PrintedRow) -> Vec<f64> {
    let mut slowest: BTreeMap<u64, Option<i64>> = BTreeMap::new();
    for sample in &row.samples {
        let so_far = slowest.entry(sample.index).or_insert(Some(i64::MIN));
        *so_far = so_far.filter(|_| sample.valid).map(|most| most.max(sample.time_ps));
    }
    slowest.into_values().flatten().map(|ps| ps as f64 / 1e6).collect()
}
