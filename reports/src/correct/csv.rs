//! The answer as CSV: a line for each number, units in the heads.

use super::reading::CONFIDENCE;
use super::{Answer, Row};
use models::budget::SystematicError;
use models::observation::World;
use render::table::{Csv, Fields, Heads};
use scenario::axis::{Axis, Key};

/// A line for each printed number; what is not known is empty.
pub fn csv(answer: &Answer) -> String {
    let errors = SystematicError::ALL.map(|error| format!("{}_us", error.name().replace('-', "_")));
    let shared = Axis::shared_heads();
    let heads = (
        Heads(&shared),
        Heads("file,line,benchmark,column,ranks_from"),
        Heads("printed_us,printed_low_us,printed_high_us,confidence,source,scale"),
        errors,
        Heads("remainder_us,bias_us,corrected_us,corrected_low_us,corrected_high_us,verdict,remarks"),
        Heads("machine,machine_host,machine_date,machine_origin"),
    );
    let provenance = &answer.machine.provenance;
    let machine = (&answer.machine.name, &provenance.host, &provenance.date, answer.origin.name());
    Csv::new(heads).rows(answer.rows.iter().map(|row| (line(row), machine))).text()
}

fn line(row: &Row) -> impl Fields + use<'_> {
    let reading = &row.reading;
    let done = row.corrected.as_ref().ok();
    let from = row.ranks_from.map(|from| from.name());
    let asked = reading.asked.as_ref().ok();
    let key = Key::default()
        .named(Axis::World, reading.world.map_or("", World::name))
        .counted(Axis::Ranks, row.ranks)
        .named(Axis::Operation, &row.operation())
        .named(Axis::Algorithm, row.algorithm.as_deref().unwrap_or_default())
        .counted(Axis::Root, asked.filter(|asked| asked.collective.is_rooted()).map(|_| reading.root))
        .counted(Axis::Bytes, row.bytes);
    let text = (&reading.file, reading.line, reading.tool.name(), &reading.head, from);
    let confidence = (done.is_some() || reading.printed.is_some()).then_some(CONFIDENCE);
    let corrected = done.map(|done| {
        let bars = SystematicError::ALL.map(|error| row.bar(error).unwrap_or(0.0));
        (done.source.name(), done.scale, bars, done.remainder_us, done.bias_us.value, done.us)
    });
    (key.shared_cells(), text, reading.printed, confidence, corrected, row.verdict().name(), row.remarks().join("; "))
}
