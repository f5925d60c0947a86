//! What commands print as rows, as pages of lessons have it: one object with a list for each thing.

use serde_json::{Map, Value, json};

/// The object of a lesson whose numbers are those of a command's object.
pub fn as_lessons_have_it(mut command: Value) -> Value {
    let all = command.as_object_mut().expect("an object");
    ["answer", "notes"].iter().for_each(|name| _ = all.remove(*name));
    let rows = taken(all, "rows");
    let by_kind = match rows[0]["kind"].as_str() {
        Some("rank") => vec![("ranks", rows.iter().map(of_rank).collect())],
        Some("benchmark") => vec![("columns", rows.iter().map(of_column).collect())],
        Some("error") => vec![("errors", rows[1..].iter().map(of_error).collect())],
        _ if rows[0].get("design").is_some() => vec![("rows", of_queues(rows, taken(all, "left")))],
        _ => return of_simulation(all, &rows[0]),
    };
    let cycles = if all.contains_key("cycles") { taken(all, "cycles") } else { Vec::new() };
    for row in cycles {
        let name = format!("{}_cycle_us", row["state"].as_str().expect("a state"));
        all.entry(name).or_insert(json!([])).as_array_mut().expect("a list").push(row["printed_us"].clone());
    }
    if let Some(roots) = all.get("roots").and_then(Value::as_str) {
        let roots: Vec<u64> = roots.split(',').map(|root| root.parse().expect("a rank")).collect();
        all.insert("roots".to_owned(), json!(roots));
    }
    all.extend(by_kind.into_iter().map(|(name, list)| (name.to_owned(), Value::Array(list))));
    command
}

fn taken(all: &mut Map<String, Value>, name: &str) -> Vec<Value> {
    match all.remove(name) {
        Some(Value::Array(rows)) => rows,
        other => panic!("{name}: {other:?}"),
    }
}

/// The members of these names.
fn members(row: &Value, names: &[&str]) -> Map<String, Value> {
    names.iter().map(|&name| (name.to_owned(), row[name].clone())).collect()
}

fn ps(us: &Value) -> Value {
    json!((us.as_f64().expect("a time") * 1e6).round() as u64)
}

fn of_rank(row: &Value) -> Value {
    let rank: u32 = row["name"].as_str().expect("a rank").parse().expect("its number");
    json!({ "rank": rank, "printed_ps": ps(&row["printed_us"]), "reference_ps": ps(&row["reference_us"]), "ratio": row["ratio"] })
}

fn of_column(row: &Value) -> Value {
    let [column, reported] = ["name", "printed_us"].map(|name| row[name].clone());
    json!({ "column": column, "reported_us": reported, "reference_us": row["reference_us"], "ratio": row["ratio"] })
}

fn of_error(row: &Value) -> Value {
    let (error, name) = row["name"].as_str().and_then(|name| name.split_once(' ')).expect("a label and a name");
    json!({ "error": error, "name": name, "reported_us": row["printed_us"], "change_us": row["change_us"] })
}

/// Rows of queues, each with when ranks left each call.
fn of_queues(rows: Vec<Value>, left: Vec<Value>) -> Vec<Value> {
    let with_left = |mut row: Value| {
        let own = left.iter().filter(|one| ["design", "tree"].iter().all(|name| one[*name] == row[*name]));
        let own: Vec<&Value> = own.collect();
        let calls = own.chunk_by(|one, next| one["call"] == next["call"]);
        let calls: Vec<Vec<&Value>> = calls.map(|call| call.iter().map(|one| &one["left_us"]).collect()).collect();
        row["left_us"] = json!(calls);
        row
    };
    rows.into_iter().map(with_left).collect()
}

fn of_simulation(all: &mut Map<String, Value>, row: &Value) -> Value {
    let mut lesson = members(
        row,
        &[
            "operation",
            "algorithm",
            "ranks",
            "root",
            "bytes",
            "segment_bytes",
            "fanout",
            "model",
            "noise",
            "seed",
            "calls",
            "engine",
            "messages",
        ],
    );
    let mut put = |name: &str, value: Value| lesson.insert(name.to_owned(), value);
    put("parameters", parameters(row));
    let quantiles = ["p01", "p05", "p25", "p50", "p75", "p95", "p99"];
    let quantiles = quantiles.map(|name| (name.to_owned(), row[format!("finish_{name}_ps")].clone()));
    let over = if row["finish_over"] == "ranks" { "ranks" } else { "realisations" };
    let [min, mean, max] = ["min", "mean", "max"].map(|name| row[format!("finish_{name}_ps")].clone());
    let quantiles: Map<String, Value> = quantiles.into_iter().collect();
    put("finish_ps", json!({ "count": row[over], "min": min, "mean": mean, "max": max, "quantiles": quantiles }));
    let compute = row["compute"].as_str().and_then(|text| text.strip_suffix("us")).expect("a time in µs");
    if compute != "0" {
        put("compute_ps", ps(&json!(compute.parse::<f64>().expect("a number"))));
    }
    if !all["reference_buffers"].is_null() {
        put("reference_buffers", all["reference_buffers"].clone());
    }
    if all["untouched_by_noise"] == true {
        put("untouched_by_noise", json!(true));
    }
    let times = |table: Vec<Value>| -> Value { table.iter().map(|row| row["finish_ps"].clone()).collect() };
    let [calls, ranks, realisations] =
        ["call_finishes", "ranks", "realisation_finishes"].map(|name| times(taken(all, name)));
    for (name, list) in
        [("finish_per_rank_ps", ranks), ("finish_per_realisation_ps", realisations), ("finish_per_call_ps", calls)]
    {
        if list != json!([]) {
            put(name, list);
        }
    }
    Value::Object(lesson)
}

/// The parameters as an object, with the name of their model.
fn parameters(row: &Value) -> Value {
    let text = row["parameters"].as_str().expect("a text");
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    let pairs = pairs.map(|(name, value)| (name.to_owned(), json!(value)));
    Value::Object(pairs.chain([("model".to_owned(), row["model"].clone())]).collect())
}
