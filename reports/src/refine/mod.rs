//! From what ranks found out about a machine to the parameters that network models leave out: first messages,
//! idle time, noise.
//!
//! Every parameter means exactly what simulations charge for it, so that calibrating a simulated machine returns what it
//! was given. All intervals are at the confidence of the machine's provenance.

mod connect;
mod idle;
mod noise;
mod page;
mod periodic;
mod random;
mod table;

pub use page::page;
pub use table::Parameters;

use models::calibration::{Finding, Idled, Left, Meeting};
use models::detours::Watched;
use models::machine::Machine;

/// All that was found, over all launches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// First messages, launch by launch.
    pub connect: Vec<Vec<Meeting>>,
    /// Round trips after idle times.
    pub idle: Vec<Idled>,
    /// How ranks left barriers, as calibrations of the machine's state timed it.
    pub left: Vec<Left>,
    /// What each rank saw of the noise.
    pub noise: Vec<Watched>,
}

impl Findings {
    /// Adds what ranks answered.
    pub fn add(&mut self, finding: Finding) {
        match finding {
            Finding::Connect(meetings) => self.connect.push(meetings),
            Finding::Idle(idled) => self.idle.extend(idled),
            Finding::Noise(watched) => self.noise = watched,
        }
    }
}

/// Puts into a machine what was found, and what its readers must know of it into its notes.
pub fn refine(machine: &mut Machine, findings: &Findings) {
    let confidence = machine.provenance.confidence;
    let mut notes = Vec::new();
    machine.connect_us = connect::connect(&findings.connect, confidence, &mut notes);
    machine.idle = idle::idle(&findings.idle, confidence, &mut notes);
    machine.noise = noise::sample(&findings.noise, &mut notes);
    machine.notes.extend(notes);
}
