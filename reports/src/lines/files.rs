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
    let mut text = "at_s,core_a,core_b,line_ns,class,copy_a_ns,copy_b_ns\n".to_owned();
    for look in &lines.looks {
        let ([a, b], [copy_a, copy_b], class) = (look.cores, look.copy_ns, lines.name(lines.class(look)));
        let _ = writeln!(text, "{:.6},{a},{b},{:.3},{class},{copy_a:.0},{copy_b:.0}", look.at_s, look.line_ns);
    }
    text
}

/// One object with everything in it.
pub fn json(lines: &Lines) -> Value {
    let copies: Vec<Value> =
        lines.copies().iter().map(|(core, ns)| json!({ "core": core, "copy_32_kib_ns": ns })).collect();
    json!({
        "sentence": lines.sentence(),
        "cores": lines.cores,
        "for_s": lines.for_s,
        "matrix_ns": lines.matrix().rows(),
        "classes": lines.seen,
        "unclear_share": lines.unclear_share(),
        "pairs": lines.pairs,
        "copies": copies,
        "looks": lines.looks,
    })
}
