//! Machine files: calibrated parameters with their intervals and their provenance.

mod apart;
mod cores;
mod estimate;
mod joint;
mod lines;
mod network;
mod queues;
mod read;
mod refinements;
mod rehearsed;
mod state;
#[cfg(test)]
mod tests;

pub use cores::{CoreLines, PairLook};
pub use estimate::{Bound, Estimate};
pub use joint::JointFit;
pub use lines::LinesPoint;
pub use network::{HockneyEstimate, LogGopsEstimate, LogGpEstimate, PlogpEstimate, PlogpPoint};
pub use queues::QueuePoint;
pub use refinements::{
    Arithmetic, ElementPoint, ExitSkew, Extent, IdlePoint, InlineEstimate, LocalPoint, NearEstimate, NoiseSample,
    ProtocolChange,
};
pub use rehearsed::Rehearsed;
pub use state::{CoreState, LINES_ALIKE, WORK_ALIKE};

use models::clock::ReportCard;
use serde::{Deserialize, Serialize};

/// Machines that come with the program, as pairs of a name and the text of a file, which [`Machine::parse`] reads. Each
/// file states how, when and where it was calibrated. Those of supercomputers are fitted to published numbers
/// (`scripts/machines`).
pub const KNOWN: [(&str, &str); 4] = [
    ("openmpi", include_str!("../../machines/openmpi.toml")),
    ("mpich", include_str!("../../machines/mpich.toml")),
    ("leonardo-256", include_str!("../../machines/leonardo-256.toml")),
    ("mare-nostrum-32", include_str!("../../machines/mare-nostrum-32.toml")),
];

/// The text of the file of a machine that comes with the program.
pub fn known(name: &str) -> Option<&'static str> {
    KNOWN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Place, time and method of the measurement of parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Date and time of the calibration, in UTC.
    pub date: String,
    /// Name of the host.
    pub host: String,
    /// World, carrier, library and version.
    pub ran_by: String,
    /// Method of the calibration, in a sentence.
    pub how: String,
    /// Confidence level of all intervals.
    pub confidence: f64,
}

/// Transfer time of messages of one length, for judging the fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TransferPoint {
    /// Length of the message, in bytes.
    pub bytes: u64,
    /// Half the round trip, in µs.
    pub half_round_trip_us: Estimate,
    /// Prediction of the fit α + mβ, in µs.
    pub fitted_us: f64,
}

/// Parameters of a calibrated machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Name of the machine in files and output.
    pub name: String,
    /// Origin of the machine's values.
    pub provenance: Provenance,
    /// Hockney's parameters, which every machine has: a ping-pong suffices.
    pub hockney: HockneyEstimate,
    /// Duration of one way of the methods' own messages: half the least round trip of the slowest rank, in µs.
    #[serde(default)]
    pub control_us: f64,
    /// Duration of single exchanges relative to the median of their kind. It bounds the duration of a single message,
    /// whereas the parameters' own intervals bound that of the median message. Its value is 1.
    #[serde(default = "Estimate::exactly_one")]
    pub spread: Estimate,
    /// LogGP's parameters, where trains of sends could be measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub loggp: Option<LogGpEstimate>,
    /// LogGOPS's parameters, where delayed receives were measured too.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub loggops: Option<LogGopsEstimate>,
    /// PLogP's parameters, where every length's overheads and gap were measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub plogp: Option<PlogpEstimate>,
    /// Extra time of the first message of a pair, in µs (E1).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub connect_us: Option<Estimate>,
    /// Extra time of messages that do not travel within their request.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub inline: Option<InlineEstimate>,
    /// Parameters between nodes of one switch, which are nearer to each other than others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub near: Option<NearEstimate>,
    /// Sets of parameters that fit equally well together, of a machine that was fitted to printed numbers.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub joint_fits: Vec<JointFit>,
    /// Latency of a cache line from one neighbour to the other, in ns, which identifies the state of the machine in
    /// which messages were exchanged. `None` if it changed or was not observed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line_ns: Option<f64>,
    /// Time of the slower of both ranks' cores for the work of an observation in that state, in ns. `None` if it
    /// changed or was not observed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub work_ns: Option<f64>,
    /// Time of a reading of the clock during the exchanges, in µs. Measured calls contain one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock_read_us: Option<f64>,
    /// Extra time of the first message after a wait on the clock, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub start_us: Option<Estimate>,
    /// Time of a collective call of the library beyond its messages, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub call_us: Option<Estimate>,
    /// Time of a collective call that combines beyond its messages, in µs. It includes the shortest copies and
    /// combinations.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reducing_call_us: Option<Estimate>,
    /// Time of a page that the operating system gives a rank anew, and of giving it back, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub page_fault_us: Option<Estimate>,
    /// Longest message, in bytes, that was seen to be copied twice, by sender and receiver. `None` if no message was
    /// copied once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub single_copy_above_bytes: Option<u64>,
    /// Longest buffer, or block of one rank, in bytes, of the printed numbers to which parameters were fitted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub longest_printed_bytes: Option<u64>,
    /// Costs of touching memory by who holds it, by increasing length.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lines: Vec<LinesPoint>,
    /// Costs of operations within a rank's own memory, by increasing length.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub local: Vec<LocalPoint>,
    /// Judgement of the clock (E7).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock: Option<ReportCard>,
    /// Sample of the disturbances of a rank's CPU.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub noise: Option<NoiseSample>,
    /// Lengths at which the library changes its protocol, in increasing order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub protocol: Vec<ProtocolChange>,
    /// Extra time of an operation after idle time, by increasing idle time (E8).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub idle: Vec<IdlePoint>,
    /// Skew of the ranks' exits from a barrier (E5).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub exit_skew: Vec<ExitSkew>,
    /// Notes for readers, such as clamped values and poor fits.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// Measured points to which the parameters were fitted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub transfer: Vec<TransferPoint>,
    /// Costs of broadcasts through shared memory, by the length of messages and the state.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub queues: Vec<QueuePoint>,
    /// Values that benchmarks print of collectives, against their reference.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rehearsed: Vec<Rehearsed>,
    /// Parameters of the machine in the other states of its cores ([`Machine::line_ns`]) that the calibration met.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub other_states: Vec<Machine>,
}

impl Machine {
    /// A machine with Hockney's parameters alone.
    pub fn new(name: &str, provenance: Provenance, hockney: HockneyEstimate) -> Machine {
        Machine {
            name: name.to_owned(),
            provenance,
            hockney,
            control_us: 0.0,
            spread: Estimate::exactly_one(),
            loggp: None,
            loggops: None,
            plogp: None,
            connect_us: None,
            inline: None,
            near: None,
            joint_fits: Vec::new(),
            line_ns: None,
            work_ns: None,
            clock_read_us: None,
            start_us: None,
            call_us: None,
            reducing_call_us: None,
            page_fault_us: None,
            single_copy_above_bytes: None,
            longest_printed_bytes: None,
            lines: Vec::new(),
            local: Vec::new(),
            clock: None,
            noise: None,
            protocol: Vec::new(),
            idle: Vec::new(),
            exit_skew: Vec::new(),
            notes: Vec::new(),
            transfer: Vec::new(),
            queues: Vec::new(),
            rehearsed: Vec::new(),
            other_states: Vec::new(),
        }
    }

    /// Longest message, or buffer or block of printed numbers, in bytes, to which the parameters were fitted: for longer
    /// ones they are extrapolated. `None` where the machine's file does not tell it.
    pub fn longest_bytes(&self) -> Option<u64> {
        self.longest_printed_bytes.or_else(|| self.transfer.iter().map(|point| point.bytes).max())
    }
}
