//! A test as one JSON object: every number with its unit in its key, and every exchange as it was recorded.

use super::{CONFIDENCE, Fit, Matrix, Report, Row};
use models::machine::Estimate;
use models::point_to_point::Exchanges;
use serde_json::{Map, Value, json};

/// The object; `matrix` belongs to latency matrices.
pub fn json(report: &Report, matrix: Option<&Matrix>) -> Value {
    let environment: Map<String, Value> =
        report.environment.iter().map(|(label, value)| (label.clone(), json!(value))).collect();
    let results: Vec<Value> =
        report.record.exchanges.iter().filter_map(|exchanges| Some(result(exchanges, &Row::of(exchanges)?))).collect();
    let mut all = json!({
        "test": report.test.to_string(),
        "date": report.date,
        "ran_by": report.ran_by,
        "ranks": report.ranks,
        "cores": report.cores,
        "oversubscribed": report.oversubscribed(),
        "environment": environment,
        "launch": report.launch,
        "settings": report.test,
        "notes": report.notes,
        "confidence": CONFIDENCE,
        "clock_read_ps": report.record.clock_read,
        "results": results,
        "fits": report.fits.iter().map(fit).collect::<Vec<_>>(),
    });
    if let Some(matrix) = matrix {
        all["statistic"] = json!(matrix.statistic.name());
        all["matrix_us"] = json!(matrix.rows());
    }
    all
}

fn result(exchanges: &Exchanges, row: &Row) -> Value {
    let rate = |us: f64| row.bandwidth(us);
    json!({
        "way": row.way.name(),
        "from": row.from,
        "to": row.to,
        "bytes": row.bytes,
        "count": row.count,
        "mean_us": row.mean_us,
        "mean_interval_us": row.mean_interval_us.as_ref().map(ends),
        "median_us": row.median_us.value,
        "median_interval_us": ends(&row.median_us),
        "median_interval_confidence": row.reached,
        "min_us": row.min_us,
        "max_us": row.max_us,
        "bandwidth_mb_per_s": rate(row.mean_us),
        "bandwidth_at_median_mb_per_s": rate(row.median_us.value),
        "bandwidth_interval_mb_per_s": rate(row.median_us.high).zip(rate(row.median_us.low)),
        "exchanges_ps": exchanges.round_trips,
    })
}

fn fit(fit: &Fit) -> Value {
    let estimate = |estimate: Option<Estimate>| estimate.map(|e| json!({ "value": e.value, "interval": ends(&e) }));
    json!({
        "from": fit.from,
        "to": fit.to,
        "latency_us": estimate(fit.latency_us()),
        "bandwidth_mb_per_s": estimate(fit.bandwidth()),
        "notes": fit.machine.iter().flat_map(|machine| &machine.notes).collect::<Vec<_>>(),
        "none_because": fit.machine.as_ref().err(),
    })
}

fn ends(estimate: &Estimate) -> [f64; 2] {
    [estimate.low, estimate.high]
}
