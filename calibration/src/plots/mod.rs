//! Pictures of a calibrated machine, with their numbers.

mod residuals;
mod transfer;

use programs::machine::{Machine, TransferPoint};
use render::plots::Drawing;
use render::table::{Csv, Heads};

/// Draws the transfer time over message length of a calibrated machine, with the fitted α + mβ. `None` where the
/// machine file has no points.
pub fn transfer(machine: &Machine) -> Option<Drawing> {
    let machine = machine.clone();
    (!machine.transfer.is_empty()).then(|| Drawing::new(move |paper| transfer::render_transfer(&machine, paper)))
}

/// Draws the error of each calibrated model against the half round trips of a machine, over their length, with their
/// intervals and the changes of protocol. Returns the picture and its numbers as CSV; `None` where the machine file has
/// no points.
pub fn residuals(machine: &Machine) -> Option<(Drawing, String)> {
    residuals::plot_residuals(machine)
}

/// Returns the points behind a machine's fit, as CSV.
pub fn transfer_csv(machine: &Machine) -> String {
    let confidence = machine.provenance.confidence;
    let row = |point: &TransferPoint| {
        ((&machine.name, "hockney", point.bytes), point.half_round_trip_us, confidence, point.fitted_us)
    };
    let heads = "machine,model,bytes,measured_us,measured_low_us,measured_high_us,confidence,predicted_us";
    Csv::new(Heads(heads)).rows(machine.transfer.iter().map(row)).text()
}
