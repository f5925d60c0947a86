//! The text of another benchmark as a side.

use crate::contrast::{Kind, Quantity, Sampled, Side};
use crate::correct::preset;
use crate::import::{Imported, Row, Tool};
use models::collective::Collective;
use models::machine::Estimate;
use published::Mark;
use scenario::axis::{Axis, Key};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers that are a call's time, the first that a row has being taken.
const TIMES: [&str; 3] = ["mean_us", "median_us", "time_us"];

/// What a text says of its cases: `column` of each row, or the number that the tool is known for. Rows of one case are
/// as many launches; where the tool prints single samples, they are the samples. Rows with marks that say that they are not
/// of the algorithm of their name are left out. Where no row has that number, the side lacks it and names those that there
/// are. `name` is what the user calls it.
///
/// # Errors
/// A column whose values are no numbers that can be compared; the marks, if all rows have some.
pub fn imported(name: &str, text: &Imported, column: Option<&str>) -> Result<Side, String> {
    let mut side = Side::new(name, Kind::Imported);
    side.facts = text.facts.clone();
    let version = text.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    side.facts.insert(0, ("printed by".to_owned(), format!("{}{version}", text.tool)));
    side.silent = Axis::CASES.into_iter().filter(|axis| !SAID.contains(axis)).collect();
    if let Some(column) = column.filter(|column| Quantity::of_column(column).is_none())
        && text.rows.iter().flat_map(|row| &row.columns).any(|there| there.name == column)
    {
        let known = comparable(text);
        return Err(format!("{name}: '{column}' cannot be compared: it is no time, rate, share or count; {known}"));
    }
    let (mut taken, mut without) = (BTreeSet::new(), 0);
    let (marked, rows): (Vec<&Row>, Vec<&Row>) = text.rows.iter().partition(|row| excluding(row).next().is_some());
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
        if !row.word("published_algorithm").is_empty() {
            side.silent.remove(&Axis::Algorithm);
        }
        match times(text.tool, row, column) {
            Some((what, sampled)) => {
                taken.insert(what);
                side.add(Sampled { key: key(text.tool, row), ..sampled });
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

/// `--column takes one of mean_us, mb_per_s`: the columns that can be compared.
fn comparable(text: &Imported) -> String {
    let names = text.rows.iter().flat_map(|row| &row.columns).map(|column| column.name.as_str());
    let names: BTreeSet<&str> = names.filter(|name| Quantity::of_column(name).is_some()).collect();
    match names.is_empty() {
        true => "no column of it can be compared".to_owned(),
        false => format!("--column takes one of {}", names.into_iter().collect::<Vec<_>>().join(", ")),
    }
}

/// What texts say of their cases.
const SAID: [Axis; 4] = [Axis::Operation, Axis::Ranks, Axis::Bytes, Axis::Method];

/// The case of a row and its time in µs, if it has one.
pub(crate) fn case_of_row(tool: Tool, row: &Row) -> (Key, Option<f64>) {
    let time = times(tool, row, None).and_then(|(_, sampled)| sampled.launches.first()?.first().copied());
    (key(tool, row), time)
}

/// The marks of a row that exclude it.
pub(crate) fn excluding(row: &Row) -> impl Iterator<Item = Mark> {
    let marks = row.word("marks").split(' ').filter_map(|name| Mark::ALL.into_iter().find(|mark| mark.name() == name));
    marks.filter(|mark| mark.excludes())
}

fn key(tool: Tool, row: &Row) -> Key {
    let (operation, bytes) = operation(tool, row);
    // ReproMPI's text does not say which of its ways it went; and what a tool does around collectives it does around no other
    // call.
    let method = match row.collective {
        Some(_) if tool != Tool::Reprompi => preset(tool).method().name(),
        Some(_) | None => "",
    };
    Key::default()
        .named(Axis::Operation, &operation)
        .named(Axis::Algorithm, row.word("published_algorithm"))
        .counted(Axis::Ranks, row.ranks.map(u64::from))
        .counted(Axis::Bytes, bytes)
        .named(Axis::Method, method)
}

/// The operation, and its bytes as we count them: OSU and IMB give the whole vector of a reduce-scatter, we a block. Where it
/// cannot be cut evenly, the operation keeps the tool's name.
fn operation(tool: Tool, row: &Row) -> (String, Option<u64>) {
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

/// What the row's number is, a time where no column is asked for, and the number itself.
fn times<'a>(tool: Tool, row: &'a Row, column: Option<&'a str>) -> Option<(&'a str, Sampled)> {
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
fn slowest_us(row: &Row) -> Vec<f64> {
    let mut slowest: BTreeMap<u64, Option<i64>> = BTreeMap::new();
    for sample in &row.samples {
        let so_far = slowest.entry(sample.index).or_insert(Some(i64::MIN));
        *so_far = so_far.filter(|_| sample.valid).map(|most| most.max(sample.time_ps));
    }
    slowest.into_values().flatten().map(|ps| ps as f64 / 1e6).collect()
}
