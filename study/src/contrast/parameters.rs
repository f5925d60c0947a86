//! Comparison of calibrated machines, parameter by parameter.

use super::quantity::Quantity;
use super::verdict::{Demand, Effect};
use calibration::refine::estimates;
use programs::machine::{Estimate, Machine};

/// One parameter of two machines.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterRow {
    /// Name with its unit, as the machine file has it.
    pub parameter: String,
    /// Estimate for A, with its interval.
    pub a: Estimate,
    /// Estimate for B, with its interval.
    pub b: Estimate,
    /// B against A. Medians and differences are in the parameter's own unit.
    pub effect: Effect,
}

/// Compared parameters of the machines of two sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// Parameters that both sides have.
    pub rows: Vec<ParameterRow>,
    /// Names of parameters or machines that only A has.
    pub only_a: Vec<String>,
    /// Names of parameters or machines that only B has.
    pub only_b: Vec<String>,
}

/// Compares B's machines with A's: those of the same name, or the only ones where each side has one.
pub(super) fn parameters(a: &[Machine], b: &[Machine], demand: Demand) -> Parameters {
    let mut found = Parameters::default();
    if let ([a], [b]) = (a, b) {
        found.add("", a, b, demand);
        return found;
    }
    for machine in a {
        match b.iter().find(|other| other.name == machine.name) {
            Some(other) => found.add(&format!("{}: ", machine.name), machine, other, demand),
            None => found.only_a.push(format!("machine {}", machine.name)),
        }
    }
    let only_b = b.iter().filter(|machine| a.iter().all(|other| other.name != machine.name));
    found.only_b.extend(only_b.map(|machine| format!("machine {}", machine.name)));
    found
}

impl ParameterRow {
    /// The verdict in terms of size: a parameter is larger or smaller than another.
    pub(super) fn verdict(&self) -> &'static str {
        self.effect.verdict.of_size().name()
    }
}

/// The quantity of a parameter, judged by its name.
fn quantity(parameter: &str) -> Quantity {
    let name = parameter.split('(').next().unwrap_or_default();
    if name.contains("_ns") {
        Quantity::TimePerByte
    } else if name.ends_with("_bytes") {
        Quantity::Bytes
    } else {
        Quantity::Time
    }
}

impl Parameters {
    fn add(&mut self, prefix: &str, a: &Machine, b: &Machine, demand: Demand) {
        let (of_a, of_b) = (estimates(a), estimates(b));
        for (name, a) in &of_a {
            let parameter = format!("{prefix}{name}");
            match of_b.iter().find(|(other, _)| other == name) {
                Some(&(_, b)) => {
                    // All but this one are given with intervals, which may have no width.
                    let effect = Effect::of_limits(quantity(name), *a, b, demand, name == "control_us");
                    self.rows.push(ParameterRow { parameter, a: *a, b, effect });
                }
                None => self.only_a.push(parameter),
            }
        }
        let only_b = of_b.iter().filter(|(name, _)| of_a.iter().all(|(other, _)| other != name));
        self.only_b.extend(only_b.map(|(name, _)| format!("{prefix}{name}")));
    }
}
