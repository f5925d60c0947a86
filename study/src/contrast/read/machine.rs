//! A machine file as a side.

use crate::contrast::{Kind, Side};
use programs::machine::Machine;

/// Reads the parameters of a machine file as a side. `name` is the user's name of the side.
///
/// # Errors
/// Names the place of the fault, and the expected content.
pub fn machine(name: &str, text: &str) -> Result<Side, String> {
    let machine = Machine::parse(name, text)?;
    let mut side = Side::new(name, Kind::Machine);
    let provenance = &machine.provenance;
    let facts = [("calibrated", &provenance.date), ("host", &provenance.host), ("ran by", &provenance.ran_by)];
    side.facts = facts.map(|(label, value)| (label.to_owned(), value.clone())).into();
    side.facts.push(("confidence of intervals".to_owned(), provenance.confidence.to_string()));
    side.machines.push(machine);
    Ok(side)
}
