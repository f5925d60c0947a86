//! Every number in a line of its own, as comma-separated values for other programs.

use super::{Cell, Measured, Row, Subject};
use crate::over::OverReference;
use render::table::{Csv, Fields, Heads};
use render::whence::Whence;
use scenario::axis::Axis;

/// Heads behind those of the case.
const HEADS: &str = "kind,name,time_us,time_low_us,time_high_us,ratio,ratio_low,ratio_high,confidence,samples,starts,\
                     launches,modes,hidden_percent,reference,oversubscribed,disturbed,line_ns,slower";

/// A value, and the ends of its interval.
type Ends = (Option<f64>, Option<(f64, f64)>);

/// One number, with what is known of it.
#[derive(Default)]
struct Number {
    method: &'static str,
    benchmark: String,
    launch: Option<u32>,
    kind: &'static str,
    name: String,
    us: Ends,
    ratio: Ends,
    /// Samples and starts.
    counts: Option<(usize, usize)>,
    /// Launches behind the ratio, and into how many groups they fall.
    launches: Option<(usize, usize)>,
    hidden_percent: Option<f64>,
}

/// All numbers.
pub fn csv(measured: &Measured) -> String {
    let own = [Axis::Method, Axis::Benchmark, Axis::Launch].map(Axis::name);
    let mut csv = Csv::new((Heads(&Axis::shared_heads()), Axis::VARIANT.map(Axis::name), own, Heads(HEADS)));
    for subject in &measured.subjects {
        for row in &subject.rows {
            numbers(row).iter().for_each(|number| csv.row(line(measured, subject, row, number)));
        }
    }
    Whence::of(&measured.environment).stamped(&csv.text())
}

fn numbers(row: &Row) -> Vec<Number> {
    let single = |kind, name, us| Number { kind, name, us: (us, None), ..Number::default() };
    let mut all: Vec<Number> = row.methods.iter().map(|cell| of_cell("method", cell.name().to_owned(), cell)).collect();
    for printed in &row.benchmarks {
        all.extend(printed.by.iter().zip(&printed.heads).map(|(preset, head)| {
            let (name, benchmark) = (format!("{preset} {head}"), preset.to_string());
            Number { benchmark, ..single("benchmark", name, printed.us) }.over(printed.ratio.as_ref())
        }));
    }
    all.extend(row.columns.iter().map(|seen| single("window", seen.measure.name().to_owned(), seen.us)));
    for (kind, spread) in [("start-skew", row.start_skew_us), ("exit-skew", row.exit_skew_us)] {
        let both = spread.iter().flat_map(|spread| [("median", spread.median_us), ("p99", spread.p99_us)]);
        all.extend(both.map(|(name, us)| single(kind, name.to_owned(), Some(us))));
    }
    all.extend(row.first_calls.iter().map(|call| {
        let number = single("first-call", "first".to_owned(), Some(call.first_us));
        Number { ratio: (call.ratio(), None), launch: Some(call.launch), ..number }
    }));
    let fixed = row.fixed_windows.iter();
    all.extend(fixed.map(|fixed| of_cell("fixed-window", format!("{} us", fixed.window_us), &fixed.cell)));
    all.extend(row.hidden.iter().map(|hidden| {
        let number = single("overlap", format!("{} overall", hidden.by), Some(hidden.overall_us));
        Number { hidden_percent: hidden.percent, ..number }
    }));
    all
}

fn of_cell(kind: &'static str, name: String, cell: &Cell) -> Number {
    let us = (cell.us.map(|of| of.value), cell.us.map(|of| (of.low, of.high)));
    let counts = Some((cell.samples, cell.starts));
    let method = cell.method.name();
    Number { method, kind, name, us, counts, ..Number::default() }.over(cell.ratio.as_ref())
}

impl Number {
    /// The same with its ratio to the reference.
    fn over(mut self, over: Option<&OverReference>) -> Number {
        if let Some((over, (value, interval))) = over.map(|over| (over, over.ratio())) {
            self.ratio = (Some(value), interval);
            self.launches = Some((over.log_ratio.launches, over.groups_found()));
        }
        self
    }
}

fn line<'a>(measured: &Measured, subject: &'a Subject, row: &Row, number: &'a Number) -> impl Fields + use<'a> {
    let key = subject.key().counted(Axis::Bytes, Some(row.bytes));
    let Number { method, benchmark, launch, kind, name, us, ratio, counts, launches, hidden_percent } = number;
    let reference = subject.reference.map(|buffer| buffer.name());
    let of_row = (reference, subject.oversubscribed, row.disturbed.is_some(), subject.state);
    let confidence = (us.1.is_some() || ratio.1.is_some()).then_some(measured.confidence);
    (
        key.shared_cells(),
        Axis::VARIANT.map(|axis| key.text(axis)),
        (*method, benchmark, launch),
        (*kind, name),
        (us, ratio, confidence),
        (counts, launches, hidden_percent),
        of_row,
    )
}
