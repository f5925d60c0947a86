//! The answer as JSON: an object for each number.

use super::{Answer, Row, Tally};
use models::machine::Estimate;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json(self).serialize(serializer)
    }
}

/// One object: the reference, the machine, warnings, counts, and an object for each printed number; what is not known is null.
fn json(answer: &Answer) -> Value {
    let (machine, tally) = (answer.machine, Tally::of(&answer.rows));
    json!({
        "reference": answer.reference,
        "machine": {
            "name": machine.name,
            "host": machine.provenance.host,
            "ran_by": machine.provenance.ran_by,
            "date": machine.provenance.date,
            "origin": answer.origin.name(),
            "notes": machine.notes,
        },
        "states": answer.states,
        "warnings": answer.warnings(),
        "corrected": {
            "numbers": tally.numbers,
            "confident": tally.confident,
            "right_as_printed": tally.as_printed,
            "doubtful": tally.doubtful,
            "not_corrected": tally.refused,
        },
        "numbers": answer.rows.iter().map(one).collect::<Value>(),
    })
}

fn one(row: &Row) -> Value {
    let reading = &row.reading;
    let estimate = |us: &Estimate| json!({ "value": us.value, "low": us.low, "high": us.high });
    let done = row.corrected.as_ref().ok();
    let bars = done.map(|done| {
        let bars = done.bars.iter().map(|(error, us)| (error.name().to_owned(), json!(us)));
        Value::Object(bars.collect::<Map<String, Value>>())
    });
    json!({
        "file": reading.file,
        "line": reading.line,
        "benchmark": reading.tool.name(),
        "operation": row.operation(),
        "algorithm": row.algorithm,
        "ranks": row.ranks,
        "ranks_from": row.ranks_from.map(|from| from.name()),
        "bytes": row.bytes,
        "column": reading.head,
        "printed_us": reading.printed.as_ref().map(estimate),
        "source": done.map(|done| done.source.name()),
        "scale": done.map(|done| done.scale),
        "errors_us": bars,
        "remainder_us": done.map(|done| done.remainder_us),
        "bias_us": done.map(|done| estimate(&done.bias_us)),
        "corrected_us": done.map(|done| estimate(&done.us)),
        "verdict": row.verdict().name(),
        "remarks": row.remarks(),
    })
}
