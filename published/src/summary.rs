//! Summaries: a line for each row, in the form of the framework's `aggregated_results_summary.csv`, which leaves out
//! the first fifth of the calls, and in a form with `first_ns` that leaves out none. The lines of its `…_metadata.csv`
//! have the same facts of a test without numbers.

use crate::barrier::{When, inferred};
use crate::table::{Cells, CsvTable};
use crate::{Calls, Published, PublishedError, PublishedRow};
use models::collective::Collective;

const RUN: [&str; 2] = ["run", "timestamp"];
const TEST: [&str; 2] = ["test", "test_id"];
const NODES: [&str; 2] = ["nodes", "nnodes"];
const PER_NODE: [&str; 2] = ["ranks_per_node", "tasks_per_node"];
const COLLECTIVE: [&str; 2] = ["collective", "collective_type"];
const LIBRARY: [&str; 2] = ["library", "mpi_lib"];
const VERSION: [&str; 2] = ["version", "mpi_lib_version"];
const GPU: [&str; 2] = ["gpu", "gpu_awareness"];
const ALGORITHM: [&str; 2] = ["algorithm", "algo_name"];
const ELEMENTS: [&str; 2] = ["elements", "array_dim"];
const DATATYPE: [&str; 2] = ["dtype", "datatype"];
const COUNT: [&str; 2] = ["calls", "n_iter"];
const FIRST: [&str; 1] = ["first_ns"];
const MEDIAN: [&str; 2] = ["median_ns", "median"];
/// Heads of the other numbers, in ns.
const NUMBERS: [[&str; 2]; 7] = [
    ["min_ns", "min"],
    ["p10_ns", "percentile_10"],
    ["p25_ns", "percentile_25"],
    ["p75_ns", "percentile_75"],
    ["p90_ns", "percentile_90"],
    ["mean_ns", "mean"],
    ["max_ns", "max"],
];
/// Heads that are not read, as they follow from others or say nothing of MPI.
const IGNORED: [&str; 12] = [
    "buffer_size",
    "std",
    "iqr",
    "standard_error",
    "ci_lower",
    "ci_upper",
    "num_outliers",
    "MPI_Op",
    "gpu_lib",
    "gpu_lib_version",
    "libbine_version",
    "output_level",
];

/// Returns whether a text begins like a summary.
pub(crate) fn is_summary(text: &str) -> bool {
    let head: Vec<&str> = text.lines().next().unwrap_or_default().split(',').map(str::trim).collect();
    [&ALGORITHM, &ELEMENTS, &MEDIAN].iter().all(|names| names.iter().any(|name| head.contains(name)))
}

/// Reads a summary. `file` is its name in errors.
pub(crate) fn read(file: &str, text: &str) -> Result<Published, PublishedError> {
    let table = CsvTable::new(file, text)?;
    let mut published = Published::default();
    let unknown = table.unknown(&known());
    if !unknown.is_empty() {
        published.warnings.push(format!("{file}: columns that are not known are not read: {}", unknown.join(", ")));
    }
    for cells in table {
        let cells = cells?;
        let test = test(&cells)?;
        published.rows.push(PublishedRow {
            barrier: inferred(&test.library, &test.version, When { name: &test.run, first_file_unix_s: None }),
            file: file.to_owned(),
            line: cells.line,
            algorithm: cells.text(&ALGORITHM).to_owned(),
            elements: cells.number(&ELEMENTS)?,
            datatype: cells.text(&DATATYPE).to_owned(),
            calls: calls(&cells)?,
            ..test
        });
    }
    published.finished()
}

fn known() -> Vec<&'static str> {
    let pairs = [RUN, TEST, NODES, PER_NODE, COLLECTIVE, LIBRARY, VERSION, GPU, ALGORITHM, ELEMENTS, DATATYPE, COUNT];
    let pairs = pairs.into_iter().chain([MEDIAN]).chain(NUMBERS).flatten();
    pairs.chain(FIRST).chain(IGNORED).chain(["system", "notes"]).collect()
}

/// Returns the facts of a line's test.
pub(crate) fn test(cells: &Cells) -> Result<PublishedRow, PublishedError> {
    let collective = cells.text(&COLLECTIVE);
    let shape = cells.text(&NODES);
    let nodes = product(shape).ok_or_else(|| {
        let short: String = shape.chars().take(40).collect();
        cells.error(&format!("expected a number of nodes, or a shape like 2x2x2, found '{short}'"))
    })?;
    let per_node: u32 = cells.number(&PER_NODE)?;
    Ok(PublishedRow {
        system: cells.text(&["system"]).to_owned(),
        run: cells.text(&RUN).to_owned(),
        test: cells.maybe(&TEST)?,
        shape: shape.to_owned(),
        nodes: Some(nodes),
        ranks: nodes.checked_mul(per_node),
        ranks_per_node: Some(per_node),
        collective: Some(self::collective(collective).ok_or_else(|| {
            let short: String = collective.chars().take(40).collect();
            cells.error(&format!("expected a collective like ALLREDUCE, found '{short}'"))
        })?),
        library: cells.text(&LIBRARY).to_owned(),
        version: cells.text(&VERSION).to_owned(),
        gpu: cells.text(&GPU) == "yes",
        notes: cells.text(&["notes"]).to_owned(),
        ..PublishedRow::default()
    })
}

/// Returns the collective that the framework writes as `REDUCE_SCATTER`.
pub(crate) fn collective(name: &str) -> Option<Collective> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    Collective::ALL.into_iter().find(|collective| collective.name() == name)
}

/// Returns the number of nodes in a shape, `None` if it is none.
pub(crate) fn product(shape: &str) -> Option<u32> {
    shape.split('x').try_fold(1u32, |nodes, side| nodes.checked_mul(side.parse().ok().filter(|&side: &u32| side > 0)?))
}

fn calls(cells: &Cells) -> Result<Calls, PublishedError> {
    let us = |heads: &[&str]| cells.number::<f64>(heads).map(|ns| ns / 1e3);
    let [min, p10, p25, p75, p90, mean, max] = NUMBERS;
    let calls = Calls {
        count: cells.number(&COUNT)?,
        first_us: cells.maybe::<f64>(&FIRST)?.map(|ns| ns / 1e3),
        min_us: us(&min)?,
        p10_us: us(&p10)?,
        p25_us: us(&p25)?,
        median_us: us(&MEDIAN)?,
        p75_us: us(&p75)?,
        p90_us: us(&p90)?,
        mean_us: us(&mean)?,
        max_us: us(&max)?,
        ..Calls::default()
    };
    let all = [calls.min_us, calls.p10_us, calls.p25_us, calls.median_us, calls.p75_us, calls.p90_us, calls.max_us];
    let rises = all.windows(2).all(|pair| pair[0] <= pair[1]);
    let first_is_proper = calls.first_us.is_none_or(|first| first.is_finite() && first >= 0.0);
    if calls.count == 0
        || !first_is_proper
        || !rises
        || !calls.mean_us.is_finite()
        || all[0] < 0.0
        || !calls.max_us.is_finite()
    {
        return Err(
            cells.error("expected numbers that rise from least to greatest, of one call or more; delete the line")
        );
    }
    Ok(calls)
}
