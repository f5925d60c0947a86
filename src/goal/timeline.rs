//! Stands in for `reports::trace::write` until that is there: a table of intervals and flights.

use models::trace::Trace;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// Writes a trace.
pub fn write(path: &Path, trace: &Trace) -> Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    writeln!(file, "# rank\tcpu\tactivity\tstart_ps\tend_ps")?;
    for interval in &trace.intervals {
        let activity = format!("{:?}", interval.activity).to_lowercase();
        writeln!(file, "{}\t{}\t{activity}\t{}\t{}", interval.rank, interval.cpu, interval.start.0, interval.end.0)?;
    }
    file.flush()
}
