//! Calibration of the parameters that network models leave out, from the findings of ranks: first messages, idle time,
//! noise.
//!
//! Every parameter means exactly what simulations charge for it, so that calibrating a simulated machine returns the
//! parameters it was given. All intervals are at the confidence of the machine's provenance.

mod connect;
mod estimates;
mod idle;
mod noise;
mod page;
mod periodic;
mod random;
mod table;

pub use estimates::estimates;
pub use page::page;
pub use table::Parameters;

use programs::calibration::{Finding, Idled, Left, Meeting};
use programs::detours::Watched;
use programs::machine::Machine;

/// Findings of ranks about a machine, over all launches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// First messages, launch by launch.
    pub connect: Vec<Vec<Meeting>>,
    /// Round trips after idle times.
    pub idle: Vec<Idled>,
    /// Exits of ranks from barriers, as calibrations of the machine's state timed them.
    pub left: Vec<Left>,
    /// Noise that each rank recorded.
    pub noise: Vec<Watched>,
}

impl Findings {
    /// Adds the answers of ranks.
    pub fn add(&mut self, finding: Finding) {
        match finding {
            Finding::Connect(meetings) => self.connect.push(meetings),
            Finding::Idle(idled) => self.idle.extend(idled),
            Finding::Noise(watched) => self.noise = watched,
        }
    }
}

/// Puts the findings into a machine, and notes for its readers into its notes.
pub fn refine(machine: &mut Machine, findings: &Findings) {
    let confidence = machine.provenance.confidence;
    let mut notes = Vec::new();
    machine.connect_us = connect::connect(&findings.connect, confidence, &mut notes);
    machine.idle = idle::idle(&findings.idle, confidence, &mut notes);
    machine.noise = noise::sample(&findings.noise, &mut notes);
    machine.notes.extend(notes);
}
