//! Lines between cores for programs.

use super::{Lines, Pair};
use models::machine::PairLook;
use render::table::{Csv, Heads};
use serde_json::{Value, json};

/// A row for each pair.
pub(super) fn csv(lines: &Lines) -> String {
    let heads = Heads("core_a,core_b,line_ns,class,looks,unclear_looks,changes");
    let row = |pair: &Pair| {
        let ns = format!("{:.3}", pair.line_ns);
        (pair.cores, ns, lines.name(pair.class).to_owned(), pair.looks, pair.unclear, pair.changes)
    };
    Csv::new(heads).rows(lines.pairs.iter().map(row)).text()
}

/// A row for each look, in the order of time.
pub(super) fn looks_csv(lines: &Lines) -> String {
    let heads = Heads("at_s,core_a,core_b,line_ns,class,work_a_ns,work_b_ns");
    let row = |look: &PairLook| {
        let (at_s, ns) = (format!("{:.6}", look.at_s), format!("{:.3}", look.line_ns));
        let class = lines.name(lines.class(look)).to_owned();
        (at_s, look.cores, ns, class, look.work_ns.map(|ns| format!("{ns:.0}")))
    };
    Csv::new(heads).rows(lines.looks.iter().map(row)).text()
}

/// One object with everything in it.
pub(super) fn json(lines: &Lines) -> Value {
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
