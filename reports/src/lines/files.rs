//! Lines between cores for programs.

use super::Lines;
use serde_json::{Value, json};
use std::fmt::Write;

/// A row for each pair.
pub fn csv(lines: &Lines) -> String {
    let mut text = "core_a,core_b,line_ns,class,looks,unclear_looks,changes\n".to_owned();
    for pair in &lines.pairs {
        let ([a, b], class) = (pair.cores, lines.name(pair.class));
        let _ = writeln!(text, "{a},{b},{:.3},{class},{},{},{}", pair.line_ns, pair.looks, pair.unclear, pair.changes);
    }
    text
}

/// A row for each look, in the order of time.
pub fn looks_csv(lines: &Lines) -> String {
    let mut text = "at_s,core_a,core_b,line_ns,class,work_a_ns,work_b_ns\n".to_owned();
    for look in &lines.looks {
        let ([a, b], [work_a, work_b], class) = (look.cores, look.work_ns, lines.name(lines.class(look)));
        let _ = writeln!(text, "{:.6},{a},{b},{:.3},{class},{work_a:.0},{work_b:.0}", look.at_s, look.line_ns);
    }
    text
}

/// One object with everything in it.
pub fn json(lines: &Lines) -> Value {
    let works: Vec<Value> = lines.works().iter().map(|(core, ns)| json!({ "core": core, "work_ns": ns })).collect();
    json!({
        "sentence": lines.sentence(),
        "cores": lines.cores,
        "for_s": lines.for_s,
        "matrix_ns": lines.matrix().rows(),
        "classes": lines.seen,
        "unclear_share": lines.unclear_share(),
        "pairs": lines.pairs,
        "work": works,
        "looks": lines.looks,
    })
}
