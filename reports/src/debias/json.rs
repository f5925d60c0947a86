//! The answer as JSON: an object for each number.

use super::Row;
use models::machine::Estimate;
use serde_json::{Map, Value, json};

/// An array of objects, one for each printed number; what is not known is null.
pub fn json(rows: &[Row]) -> Value {
    rows.iter().map(one).collect()
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
        "tool": reading.tool.title(),
        "operation": row.operation(),
        "algorithm": row.algorithm,
        "ranks": row.ranks,
        "bytes": row.bytes,
        "column": reading.head,
        "printed_us": reading.printed.as_ref().map(estimate),
        "by": done.map(|done| done.source.name()),
        "scale": done.map(|done| done.scale),
        "errors_us": bars,
        "interaction_us": done.map(|done| done.interaction_us),
        "bias_us": done.map(|done| estimate(&done.bias_us)),
        "corrected_us": done.map(|done| estimate(&done.us)),
        "remarks": row.remarks(),
    })
}
