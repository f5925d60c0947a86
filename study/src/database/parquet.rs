//! Samples of a run as a Parquet file: the columns of the CSV, each with its type.

use super::samples::{Cell, Kind, columns};
use super::{Database, DatabaseError};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::io::Write;
use std::sync::Arc;

/// Number of rows that are in memory at a time.
const ROWS: usize = 1 << 16;

/// Values of one column that are not yet written.
enum Values {
    Text(Vec<ByteArray>),
    Whole(Vec<i64>),
    /// The present values, and for each row 1 or 0 for whether it has one.
    Perhaps(Vec<i64>, Vec<i16>),
    Number(Vec<f64>),
    Flag(Vec<bool>),
}

impl Values {
    fn empty(kind: Kind) -> Values {
        match kind {
            Kind::Text => Values::Text(Vec::new()),
            Kind::Whole => Values::Whole(Vec::new()),
            Kind::Perhaps => Values::Perhaps(Vec::new(), Vec::new()),
            Kind::Number => Values::Number(Vec::new()),
            Kind::Flag => Values::Flag(Vec::new()),
        }
    }

    fn push(&mut self, cell: Cell) {
        match (self, cell) {
            (Values::Text(values), Cell::Text(text)) => values.push(text.into()),
            (Values::Whole(values), Cell::Whole(number)) => values.push(number),
            (Values::Perhaps(values, there), Cell::Perhaps(number)) => {
                there.push(i16::from(number.is_some()));
                values.extend(number);
            }
            (Values::Number(values), Cell::Number(number)) => values.push(number),
            (Values::Flag(values), Cell::Flag(flag)) => values.push(flag),
            (_, cell) => unreachable!("a column has one kind of cell, not also {cell:?}"),
        }
    }

    fn write<W: Write + Send>(&self, group: &mut SerializedRowGroupWriter<W>) -> Result<(), ParquetError> {
        let Some(mut column) = group.next_column()? else { return Ok(()) };
        match self {
            Values::Text(values) => column.typed::<ByteArrayType>().write_batch(values, None, None)?,
            Values::Whole(values) => column.typed::<Int64Type>().write_batch(values, None, None)?,
            Values::Perhaps(values, there) => column.typed::<Int64Type>().write_batch(values, Some(there), None)?,
            Values::Number(values) => column.typed::<DoubleType>().write_batch(values, None, None)?,
            Values::Flag(values) => column.typed::<BoolType>().write_batch(values, None, None)?,
        };
        column.close()
    }
}

/// The schema in the notation of the format.
fn message() -> String {
    let field = |(name, kind): (&str, Kind)| match kind {
        Kind::Text => format!("required binary {name} (UTF8);"),
        Kind::Whole => format!("required int64 {name};"),
        Kind::Perhaps => format!("optional int64 {name};"),
        Kind::Number => format!("required double {name};"),
        Kind::Flag => format!("required boolean {name};"),
    };
    format!("message samples {{ {} }}", columns().into_iter().map(field).collect::<Vec<_>>().join(" "))
}

/// Writes every sample of the run.
///
/// # Errors
/// Fails where reading the store or writing to `out` fails.
pub fn parquet(database: &Database, run: i64, out: impl Write + Send) -> Result<(), DatabaseError> {
    let failed = |error: ParquetError| DatabaseError::Write(std::io::Error::other(error));
    let schema = Arc::new(parse_message_type(&message()).map_err(failed)?);
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(out, schema, properties).map_err(failed)?;
    let fresh = || columns().into_iter().map(|(_, kind)| Values::empty(kind)).collect::<Vec<_>>();
    let (mut values, mut rows) = (fresh(), 0);
    let mut flush = |columns: &[Values]| {
        let mut group = writer.next_row_group()?;
        columns.iter().try_for_each(|column| column.write(&mut group))?;
        group.close().map(drop)
    };
    database.samples(run, |case, sample| {
        for (column, cell) in values.iter_mut().zip(sample.cells(run, case)) {
            column.push(cell);
        }
        rows += 1;
        if rows == ROWS {
            flush(&values).map_err(failed)?;
            (values, rows) = (fresh(), 0);
        }
        Ok(())
    })?;
    if rows > 0 {
        flush(&values).map_err(failed)?;
    }
    writer.close().map(drop).map_err(failed)
}
