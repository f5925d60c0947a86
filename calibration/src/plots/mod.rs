//! Pictures of a calibrated machine, with their numbers.

mod residuals;
mod transfer;

use programs::machine::{Machine, TransferPoint};
use render::columns;
use render::data::{Filled, Table};
use render::plots::Drawing;

/// Draws the transfer time over message length of a calibrated machine, with the fitted α + mβ. `None` where the
/// machine file has no points.
pub fn transfer(machine: &Machine) -> Option<Drawing> {
    let machine = machine.clone();
    (!machine.transfer.is_empty()).then(|| Drawing::new(move |paper| transfer::render_transfer(&machine, paper)))
}

/// Draws the error of each calibrated model against the half round trips of a machine, over their length, with their
/// intervals and the changes of protocol. Returns the picture and its numbers; `None` where the machine file has
/// no points.
pub fn residuals(machine: &Machine) -> Option<(Drawing, Table)> {
    residuals::plot_residuals(machine)
}

/// Returns the points behind a machine's fit.
pub fn transfer_points(machine: &Machine) -> Table {
    let columns: [Filled<TransferPoint>; 6] = [
        (columns::MACHINE.column(), &|_| machine.name.as_str().into()),
        (columns::MODEL.column(), &|_| "hockney".into()),
        (columns::BYTES.column(), &|point| point.bytes.into()),
        (columns::MEASURED.column(), &|point| point.half_round_trip_us.into()),
        (columns::CONFIDENCE.column(), &|_| machine.provenance.confidence.into()),
        (columns::PREDICTED.column().without_limits(), &|point| point.fitted_us.into()),
    ];
    Table::from_rows("rows", &machine.transfer, &columns)
}
