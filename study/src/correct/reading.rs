//! Turns the rows of a benchmark's text into readings: the call, its length, and the way in which it was timed.

use super::dialect::{benchmark, configuration, element, preset};
use super::{Asked, Columns, Length, Reading, Refusal};
use crate::contrast::excluding;
use formats::import::{Column, Imported, ON_DEVICES, PrintedRow, Tool, ours, ranks_from, why_none};
use models::collective::{self, Collective};
use programs::machine::Estimate;
use programs::method::Preset;
use programs::observation::{Barrier, Implementation, World};
use statistics::{mean_with_interval, median_with_interval};

/// Confidence of every interval here, which is that of machine files.
pub(super) const CONFIDENCE: f64 = 0.95;
/// Quantile of the normal distribution for this confidence.
const NORMAL: f64 = 1.96;

/// Returns a reading for every wanted number of a text. A row without such a column has a reading too, with the
/// refusal.
pub fn readings(file: &str, imported: &Imported, wanted: &Columns) -> Vec<Reading> {
    let mut readings = Vec::new();
    for row in &imported.rows {
        let published = (imported.tool == Tool::Pico).then(|| published(row)).transpose();
        let (published, refused) = published.map_or_else(|refusal| (None, Some(refusal)), |name| (name, None));
        let reading = |asked: Result<Asked, Refusal>, column: Option<&Column>| Reading {
            file: file.to_owned(),
            line: row.line,
            tool: imported.tool,
            operation: row.benchmark.clone(),
            ranks: row.ranks,
            ranks_from: ranks_from(row),
            printed_bytes: row.bytes,
            head: column.map_or(String::new(), |column| label(column).to_owned()),
            printed: column.and_then(|column| printed(imported.tool, row, column)),
            algorithm: published.clone().or_else(|| own_algorithm(row)),
            barrier: Barrier::find(row.word("barrier")).ok(),
            root: ours::root(row).unwrap_or(0),
            world: World::find(row.word(ours::WORLD), World::real()).ok(),
            oversubscribed: ours::is_oversubscribed(row),
            asked: refused.clone().map_or(asked, Err),
        };
        let columns = columns(imported.tool, row, wanted);
        if columns.is_empty() {
            let refusal = operation(row).err().unwrap_or(Refusal::NoColumn);
            readings.push(reading(Err(refusal), None));
        }
        for (column, head) in columns {
            readings.push(reading(asked(imported, row, column, head), Some(column)));
        }
    }
    readings
}

/// Returns the name of Parallax's algorithm that stands for the published one of a row.
///
/// # Errors
/// Fails where the row's marks exclude it, where its ranks or elements are unknown, and where no algorithm stands for
/// it.
fn published(row: &PrintedRow) -> Result<String, Refusal> {
    if let Some(mark) = excluding(row).next() {
        return Err(Refusal::NoAlgorithm(format!("it is marked {mark}, as {}", mark.reason())));
    }
    let (ranks, elements) = row.ranks.zip(row.count).ok_or(Refusal::UnknownRanks)?;
    let found = collective::published(row.word("published_algorithm"), operation(row)?, ranks, elements);
    found.map(|(algorithm, _)| algorithm.name.to_owned()).map_err(Refusal::NoAlgorithm)
}

/// The algorithm of a row that Parallax wrote, if it is one of its own and not the library's.
fn own_algorithm(row: &PrintedRow) -> Option<String> {
    let name = row.word(ours::ALGORITHM);
    (!["", Implementation::Library.name()].contains(&name)).then(|| name.to_owned())
}

/// Head of a column, or its name where it has no head.
fn label(column: &Column) -> &str {
    if column.head.is_empty() { &column.name } else { &column.head }
}

/// The wanted columns of a row that the benchmark's preset knows, in the preset's order, with the preset's heads.
fn columns<'a>(tool: Tool, row: &'a PrintedRow, wanted: &Columns) -> Vec<(&'a Column, &'static str)> {
    let bare = |head: &str| head.trim_matches(['[', ']']).to_owned();
    // Numbers that were computed from samples have no heads.
    let named = |head: &str| bare(head).strip_suffix("_sec").map(|what| format!("{what}_us"));
    let is = |column: &Column, head: &str| match column.head.as_str() {
        "" => Some(&column.name) == named(head).as_ref(),
        printed => bare(printed) == bare(head),
    };
    let heads = preset(tool).into_iter().flat_map(Preset::columns).map(|known| known.head);
    let mut found: Vec<(&Column, &str)> =
        heads.filter_map(|head| Some((row.columns.iter().find(|column| is(column, head))?, head))).collect();
    match wanted {
        Columns::Quoted => found.truncate(1),
        Columns::All => {}
        Columns::Named(name) => found.retain(|(column, _)| {
            let same = |other: &str| other.eq_ignore_ascii_case(name);
            same(&column.name) || same(&column.head) || same(&bare(&column.head))
        }),
    }
    found
}

/// The collective of a row.
fn operation(row: &PrintedRow) -> Result<Collective, Refusal> {
    let collective = row.collective.ok_or_else(|| Refusal::UnknownOperation(why_none(&row.benchmark).to_owned()))?;
    if row.word("buffers").split([' ', ',']).any(|place| ["D", "device"].contains(&place)) {
        return Err(Refusal::UnknownOperation(ON_DEVICES.to_owned()));
    }
    if row.benchmark.to_ascii_lowercase().starts_with("multi-") {
        return Err(Refusal::UnknownOperation("several groups of ranks call it at once".to_owned()));
    }
    Ok(collective)
}

fn asked(imported: &Imported, row: &PrintedRow, column: &Column, head: &'static str) -> Result<Asked, Refusal> {
    let collective = operation(row)?;
    let mut configuration = configuration(imported, row, head)?;
    if let Some(datatype) = row.datatype.as_deref().filter(|_| collective.combines()) {
        configuration.element = element(imported.tool, Some(datatype)).ok().or(configuration.element);
    }
    let value = column.value.ok_or(Refusal::NoNumber)?;
    if value < 0.0 {
        return Err(Refusal::Negative);
    }
    if value == 0.0 {
        return Err(Refusal::Zero);
    }
    let length = length(imported.tool, collective, row)?;
    Ok(Asked { collective, length, benchmark: benchmark(imported)?, head, configuration, calls: row.calls })
}

/// Returns the length that the printed size measures. IMB, OSU and MPIPerf count the whole vector of a reduce-scatter,
/// ReproMPI and all `_block` variants but OSU's (whose source is not known here) one rank's block
/// (IMB_reduce_scatter_block.c, MPIPerf's coll/reduce_scatter*.c, ReproMPI's collectives.c). For every other call all
/// tools count as [`models::collective::Shape`] does.
fn length(tool: Tool, collective: Collective, row: &PrintedRow) -> Result<Length, Refusal> {
    let bytes = match collective {
        Collective::Barrier => return Ok(Length::Buffer(0)),
        _ => row.bytes.ok_or(Refusal::NoSize)?,
    };
    if collective != Collective::ReduceScatter {
        return Ok(Length::Buffer(bytes));
    }
    let is_block = row.benchmark.to_ascii_lowercase().contains("_block");
    match tool {
        Tool::Reprompi | Tool::Pico => Ok(Length::Buffer(bytes)),
        Tool::Imb | Tool::Mpiperf if is_block => Ok(Length::Buffer(bytes)),
        Tool::Imb | Tool::Mpiperf => Ok(Length::Vector(bytes)),
        Tool::Osu if !is_block => Ok(Length::Vector(bytes)),
        // Their sizes are those of no known collective.
        Tool::Osu
        | Tool::Skampi
        | Tool::Mpibench
        | Tool::Nccl
        | Tool::Mpigraph
        | Tool::Netpipe
        | Tool::Netgauge
        | Tool::CoreToCore => Err(Refusal::UnknownOperation("the meaning of the printed size is unknown".to_owned())),
    }
}

/// The number with the spread that its text states, which is at least the error of rounding.
fn printed(tool: Tool, row: &PrintedRow, column: &Column) -> Option<Estimate> {
    let value = column.value?;
    let round = rounding_us(tool);
    let spread = from_samples(row, column)
        .or_else(|| {
            let reach = NORMAL * row.value("standard_error_us")?;
            ["mean_us", "time_us"].contains(&column.name.as_str()).then_some((reach, reach))
        })
        .unwrap_or((0.0, 0.0));
    Some(Estimate { value, low: (value - spread.0 - round).max(0.0), high: value + spread.1 + round })
}

/// Distances, below and above, from a number of printed samples to the ends of its interval.
fn from_samples(row: &PrintedRow, column: &Column) -> Option<(f64, f64)> {
    let mut slowest = std::collections::BTreeMap::new();
    for sample in &row.samples {
        let (time, valid) = slowest.entry(sample.index).or_insert((i64::MIN, true));
        *time = sample.time_ps.max(*time);
        *valid &= sample.valid;
    }
    let times: Vec<f64> = slowest.into_values().filter(|(_, valid)| *valid).map(|(ps, _)| ps as f64 / 1e6).collect();
    let of = match column.name.as_str() {
        "mean_us" => mean_with_interval(&times, CONFIDENCE)?,
        "median_us" => median_with_interval(&times, CONFIDENCE)?.estimate,
        _ => return None,
    };
    Some((of.value - of.low, of.high - of.value))
}

/// Half of the last digit that a tool prints, in µs: OSU, IMB and MPIPerf print two decimals of a µs, SKaMPI one,
/// ReproMPI ten of a second, PICO whole ns, mpiBench four of a µs. Numbers of the other tools are not corrected.
fn rounding_us(tool: Tool) -> f64 {
    match tool {
        Tool::Osu | Tool::Imb | Tool::Mpiperf => 0.005,
        Tool::Skampi => 0.05,
        Tool::Reprompi => 0.000_05,
        Tool::Pico => 0.000_5,
        Tool::Mpibench => 0.000_05,
        Tool::Nccl | Tool::Netpipe | Tool::CoreToCore => 0.005,
        Tool::Mpigraph | Tool::Netgauge => 0.000_000_5,
    }
}
