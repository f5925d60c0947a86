//! Every number in a line of its own, as comma-separated values for other programs.

use super::{Cell, Measured, Row, Subject};
use crate::columns::csv_line;
use crate::over::OverReference;
use scenario::axis::{Axis, Key};

/// The first line.
const HEADS: &str = "variant,kind,name,us,us_low,us_high,ratio,ratio_low,\
                     ratio_high,samples,starts,oversubscribed,reference,line_ns,slower,disturbed,launches,modes,hidden_percent\n";

/// One number, with what is known of it.
#[derive(Default)]
struct Number {
    kind: &'static str,
    name: String,
    us: [Option<f64>; 3],
    ratio: Option<f64>,
    over: Option<OverReference>,
    counts: Option<(usize, usize)>,
    hidden_percent: Option<f64>,
}

/// All numbers.
pub fn csv(measured: &Measured) -> String {
    let mut text = format!("{},{HEADS}", Axis::shared_heads());
    for subject in &measured.subjects {
        for row in &subject.rows {
            for number in numbers(row) {
                text.push_str(&line(subject, row, &number));
            }
        }
    }
    text
}

fn numbers(row: &Row) -> Vec<Number> {
    let mut all: Vec<Number> = row.methods.iter().map(|cell| of_cell("method", cell.name().to_owned(), cell)).collect();
    for printed in &row.benchmarks {
        for (preset, head) in printed.by.iter().zip(&printed.heads) {
            let name = format!("{preset} {head}");
            let over = printed.ratio.clone();
            all.push(Number { kind: "benchmark", name, us: [printed.us, None, None], over, ..Number::default() });
        }
    }
    for seen in &row.columns {
        let (name, us) = (seen.measure.name().to_owned(), [seen.us, None, None]);
        all.push(Number { kind: "window", name, us, ..Number::default() });
    }
    for (kind, spread) in [("start-skew", row.start_skew_us), ("exit-skew", row.exit_skew_us)] {
        for (name, us) in spread.iter().flat_map(|spread| [("median", spread.median_us), ("p99", spread.p99_us)]) {
            all.push(Number { kind, name: name.to_owned(), us: [Some(us), None, None], ..Number::default() });
        }
    }
    for call in &row.first_calls {
        let name = format!("launch {}", call.launch);
        let (us, ratio) = ([Some(call.first_us), None, None], call.ratio());
        all.push(Number { kind: "first-call", name, us, ratio, ..Number::default() });
    }
    for fixed in &row.fixed_windows {
        all.push(of_cell("fixed-window", format!("{} us", fixed.window_us), &fixed.cell));
    }
    for hidden in &row.hidden {
        let (name, us) = (format!("{} overall", hidden.by), [Some(hidden.overall_us), None, None]);
        all.push(Number { kind: "overlap", name, us, hidden_percent: hidden.percent, ..Number::default() });
    }
    all
}

fn of_cell(kind: &'static str, name: String, cell: &Cell) -> Number {
    let counts = Some((cell.samples, cell.starts));
    let us = [cell.us.map(|of| of.value), cell.us.map(|of| of.low), cell.us.map(|of| of.high)];
    Number { kind, name, us, over: cell.ratio.clone(), counts, ..Number::default() }
}

/// The ratio, its interval, the launches behind it and into how many groups they fall.
fn ratio(number: &Number) -> ([Option<f64>; 3], [String; 2]) {
    let Some(over) = &number.over else { return ([number.ratio, None, None], [String::new(), String::new()]) };
    let (value, interval) = over.ratio();
    let groups = if over.modes.is_some() { "2" } else { "1" };
    let ends = [Some(value), interval.map(|(low, _)| low), interval.map(|(_, high)| high)];
    (ends, [over.log_ratio.launches.to_string(), groups.to_owned()])
}

fn line(subject: &Subject, row: &Row, number: &Number) -> String {
    let flag = |is_so: bool| u8::from(is_so).to_string();
    let text = |value: Option<f64>| value.filter(|value| value.is_finite()).map(|v| v.to_string()).unwrap_or_default();
    let key = Key::default()
        .named(Axis::World, subject.world.name())
        .named(Axis::Transport, subject.carrier.name())
        .counted(Axis::Ranks, Some(u64::from(subject.ranks)))
        .named(Axis::Operation, &subject.operation)
        .named(Axis::Algorithm, &subject.algorithm)
        .counted(Axis::Root, subject.root.map(u64::from))
        .counted(Axis::Bytes, Some(row.bytes));
    let mut fields = key.shared_cells().to_vec();
    fields.extend([subject.variant.clone(), number.kind.to_owned(), number.name.clone()]);
    let (ratio, launches) = ratio(number);
    fields.extend(number.us.into_iter().chain(ratio).map(text));
    let (samples, starts) =
        number.counts.map_or((String::new(), String::new()), |(a, b)| (a.to_string(), b.to_string()));
    fields.extend([samples, starts, flag(subject.oversubscribed)]);
    fields.extend([
        subject.reference.map(|buffer| buffer.name().to_owned()).unwrap_or_default(),
        subject.state.map(|state| format!("{:.1}", state.line_ns)).unwrap_or_default(),
        subject.state.map(|state| format!("{:.2}", state.slower)).unwrap_or_default(),
        flag(row.disturbed.is_some()),
    ]);
    fields.extend(launches);
    fields.push(text(number.hidden_percent));
    csv_line(fields) + "\n"
}
