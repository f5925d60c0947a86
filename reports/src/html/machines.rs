//! Section of the calibrated machines: their parameters, origin, and the points behind the fit.

use programs::machine::{Estimate, Machine};
use render::page::{Cell, Figure, Section, Table};
use render::plots::numbers::significant;

pub(super) fn section(machines: &[Machine]) -> Section {
    let none = "No machine was calibrated for this campaign.".to_owned();
    let parts = machines.iter().map(part);
    Section::new("Calibrated machines")
        .with_paragraphs(machines.is_empty().then_some(none))
        .with_id("machines")
        .with_parts(parts)
}

fn part(machine: &Machine) -> Section {
    let provenance = &machine.provenance;
    let how = format!(
        "{} Run by {} on host {}, {}. Intervals have {:.0} % confidence. Hockney’s senders follow the rule “{}”.",
        provenance.how,
        provenance.ran_by,
        provenance.host,
        provenance.date,
        provenance.confidence * 100.0,
        machine.hockney.send_rule.name()
    );
    Section::new(machine.name.clone())
        .with_paragraphs([how])
        .with_warnings(machine.notes.clone())
        .with_figures(transfer(machine))
        .with_tables([parameters(machine)])
}

fn parameters(machine: &Machine) -> Table {
    let hockney = &machine.hockney;
    let mut all = vec![
        ("α, time of an empty message", &hockney.alpha_us, "µs"),
        ("β, time per byte", &hockney.beta_ns_per_byte, "ns/B"),
    ];
    if let Some(loggp) = &machine.loggp {
        all.push(("L, latency", &loggp.latency_us, "µs"));
        all.push(("o, overhead of a send or a receive", &loggp.overhead_us, "µs"));
        all.push(("g, gap between messages", &loggp.gap_us, "µs"));
        all.push(("G, gap per byte", &loggp.gap_per_byte_ns, "ns/B"));
    }
    let row = |(name, value, unit): (&str, &Estimate, &str)| {
        let Cell { text, note, .. } = Cell::estimate(value);
        let note = if note.is_empty() { "exact".to_owned() } else { note };
        vec![Cell::text(name), Cell::number(text, ""), Cell::number(note, ""), Cell::text(unit)]
    };
    let mut rows: Vec<_> = all.into_iter().map(row).collect();
    if machine.control_us > 0.0 {
        let name = "one-way time of the methods’ own messages";
        let value = Cell::number(significant(machine.control_us), "");
        rows.push(vec![Cell::text(name), value, Cell::number("–", ""), Cell::text("µs")]);
    }
    let head = ["Parameter", "Value", "Interval", "Unit"];
    Table::new(format!("Parameters of {}", machine.name), head, rows)
}

fn transfer(machine: &Machine) -> Option<Figure> {
    let drawing = calibration::plots::transfer(machine)?;
    let caption = format!("Time of one message by its length on {}.", machine.name);
    Some(Figure::new(
        format!("transfer-{}", machine.name),
        caption,
        drawing,
        calibration::plots::transfer_points(machine),
    ))
}
