//! PICO: the rows that crate `published` reads from its runs, in the form of the other tools' rows.

use super::{Column, ImportError, Imported, PrintedRow, Sample, Tool, Word};
use published::{InForce, Mark, Published, PublishedError};

/// Returns published runs as the text of a tool. Single calls become samples where there is one row, as in a raw file;
/// runs have too many of them.
pub fn published(published: Published) -> Imported {
    let mut imported = Imported::new(Tool::Pico);
    imported.facts = published.facts;
    imported.notes = published.warnings;
    imported.notes.extend(Mark::ALL.into_iter().filter_map(|mark| {
        let marked = published.rows.iter().filter(|row| row.marks.contains(&mark)).count();
        let rows = if marked == 1 { "1 row is".to_owned() } else { format!("{marked} rows are") };
        (marked > 0).then(|| format!("{rows} marked {mark}: {}", mark.reason()))
    }));
    let with_samples = published.rows.len() == 1;
    imported.rows = published.rows.into_iter().map(|row| one(row, with_samples)).collect();
    imported
}

pub(super) fn read(file: &str, text: &str) -> Result<Imported, ImportError> {
    Ok(self::published(published::read_text(file, text)?))
}

impl From<PublishedError> for ImportError {
    fn from(PublishedError { file, line, message }: PublishedError) -> ImportError {
        ImportError { file, line, message }
    }
}

fn one(row: published::PublishedRow, with_samples: bool) -> PrintedRow {
    let words = words(&row);
    let samples = row.calls.in_order_ns.iter().enumerate().filter(|_| with_samples).map(|(index, &ns)| Sample {
        index: index as u64,
        time_ps: i64::try_from(ns).unwrap_or(i64::MAX).saturating_mul(1000),
        valid: true,
        ..Sample::default()
    });
    let samples = samples.collect();
    let calls = &row.calls;
    let columns = [
        ("first_us", calls.first_us),
        ("first_over_median", calls.first_over_median()),
        ("unsettled_calls", calls.unsettled.map(|calls| calls as f64)),
        ("min_us", Some(calls.min_us)),
        ("p10_us", Some(calls.p10_us)),
        ("p25_us", Some(calls.p25_us)),
        ("median_us", Some(calls.median_us)),
        ("p75_us", Some(calls.p75_us)),
        ("p90_us", Some(calls.p90_us)),
        ("mean_us", Some(calls.mean_us)),
        ("max_us", Some(calls.max_us)),
        ("later_mean_us", calls.later_mean_us()),
        ("autocorrelation", calls.lag_1),
        ("steady_us", calls.steady.map(|steady| steady.value)),
        ("steady_low_us", calls.steady.map(|steady| steady.low)),
        ("steady_high_us", calls.steady.map(|steady| steady.high)),
    ];
    // The framework's own summaries have these heads.
    let column = |(name, value): (&str, Option<f64>)| Column {
        head: ["median", "mean", "min", "max"]
            .into_iter()
            .find(|head| name == format!("{head}_us"))
            .unwrap_or("")
            .to_owned(),
        name: name.to_owned(),
        value,
    };
    PrintedRow {
        line: row.line,
        benchmark: row.collective.map_or_else(|| row.algorithm.clone(), |collective| collective.name().to_owned()),
        collective: row.collective,
        datatype: Some(datatype(&row.datatype).to_owned()),
        ranks: row.ranks,
        bytes: row.bytes,
        count: Some(row.elements),
        calls: Some(row.calls.count),
        words,
        columns: columns.map(column).into(),
        samples,
    }
}

fn words(row: &published::PublishedRow) -> Vec<Word> {
    let of = |name: &str, value: String| Word { name: name.to_owned(), value };
    let whole = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
    let force = |word: fn(&InForce) -> String| row.barrier.as_ref().map(word).unwrap_or_default();
    let marks: Vec<&str> = row.marks.iter().map(|mark| mark.name()).collect();
    vec![
        of("published_algorithm", row.algorithm.clone()),
        of("system", row.system.clone()),
        of("job", row.run.clone()),
        of("job_test", whole(row.test)),
        of("nodes", row.shape.clone()),
        of("ranks_per_node", whole(row.ranks_per_node)),
        of("library", format!("{} {}", row.library, row.version).trim().to_owned()),
        of("barrier", force(|known| known.barrier.to_string())),
        of("barrier_grounds", force(|known| known.grounds.to_string())),
        of("marks", marks.join(" ")),
        of("notes", row.notes.clone()),
    ]
}

/// The MPI name of a type of elements, as other tools write it.
fn datatype(name: &str) -> &str {
    match name {
        "int8" | "char" => "MPI_CHAR",
        "int16" => "MPI_SHORT",
        "int32" | "int" => "MPI_INT",
        "int64" => "MPI_LONG",
        "float" => "MPI_FLOAT",
        "double" => "MPI_DOUBLE",
        other => other,
    }
}
