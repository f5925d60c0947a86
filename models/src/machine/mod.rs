//! Machine files: calibrated parameters with their intervals and where they come from.

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

use crate::clock::ReportCard;
use serde::{Deserialize, Serialize};

/// Machines that come with the program, by their names: the texts of their files, each of which says how, when and where it
/// was calibrated; those of supercomputers are fitted to published numbers (`scripts/machines`). [`Machine::parse`] reads
/// them.
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

/// Where, when and how parameters were measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// UTC date and time.
    pub date: String,
    /// Host name.
    pub host: String,
    /// World, carrier, library and version.
    pub ran_by: String,
    /// How, in a sentence.
    pub how: String,
    /// Confidence of all intervals.
    pub confidence: f64,
}

/// One message length's transfer time, for judging the fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TransferPoint {
    /// Message length.
    pub bytes: u64,
    /// Half the round trip, in µs.
    pub half_round_trip_us: Estimate,
    /// What α + mβ says, in µs.
    pub fitted_us: f64,
}

/// A calibrated machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Its name in files and output.
    pub name: String,
    /// Where its values come from.
    pub provenance: Provenance,
    /// Always there: a ping-pong suffices.
    pub hockney: HockneyEstimate,
    /// One way of the methods' own messages: half the least round trip of the slowest rank, in µs.
    #[serde(default)]
    pub control_us: f64,
    /// Single exchanges relative to the median of their kind: what a message may take, where the
    /// parameters' own intervals say what the median message takes. Its value is 1.
    #[serde(default = "Estimate::exactly_one")]
    pub spread: Estimate,
    /// There where trains of sends could be measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub loggp: Option<LogGpEstimate>,
    /// LogGOPS, where delayed receives were measured too.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub loggops: Option<LogGopsEstimate>,
    /// PLogP, where every length's overheads and gap were measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub plogp: Option<PlogpEstimate>,
    /// What the first message of a pair takes longer, in µs (E1).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub connect_us: Option<Estimate>,
    /// What messages take longer that do not travel within their request.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub inline: Option<InlineEstimate>,
    /// What is nearer than other nodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub near: Option<NearEstimate>,
    /// Sets of parameters that fit as well together, of a machine that was fitted to printed numbers.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub joint_fits: Vec<JointFit>,
    /// The state of the machine in which messages were exchanged: how long a cache line takes from one neighbour to the
    /// other, in ns; none if it changed or was not observed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line_ns: Option<f64>,
    /// How long the slower of both ranks' cores took for the work of a look meanwhile, in ns; none where that changed,
    /// or was not observed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub work_ns: Option<f64>,
    /// What a reading of the clock took beside the exchanges, in µs; measured calls contain one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock_read_us: Option<f64>,
    /// What the first message after a wait on the clock takes longer, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub start_us: Option<Estimate>,
    /// What a collective call of the library's takes beyond its messages, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub call_us: Option<Estimate>,
    /// What one that combines takes beyond its messages, with all that the shortest copies and combinations take, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reducing_call_us: Option<Estimate>,
    /// What a page takes that the operating system gives a rank anew, and its giving back, in µs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub page_fault_us: Option<Estimate>,
    /// The longest message, in bytes, that was seen to be copied twice, by sender and receiver; none if none was copied
    /// once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub single_copy_above_bytes: Option<u64>,
    /// What touches of memory cost by who holds it, by increasing length.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lines: Vec<LinesPoint>,
    /// What a rank does within its memory, by increasing length.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub local: Vec<LocalPoint>,
    /// Whose clock was judged, and how (E7).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub clock: Option<ReportCard>,
    /// What disturbs a rank's CPU.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub noise: Option<NoiseSample>,
    /// Lengths at which the library changes its protocol, increasing.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub protocol: Vec<ProtocolChange>,
    /// What an operation takes longer after idle time, by increasing idle time (E8).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub idle: Vec<IdlePoint>,
    /// How far apart ranks leave a barrier (E5).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub exit_skew: Vec<ExitSkew>,
    /// Notes for readers: clamped values, poor fits.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// The points behind the fit.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub transfer: Vec<TransferPoint>,
    /// What broadcasts through shared memory cost, by the length of messages and the state.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub queues: Vec<QueuePoint>,
    /// Collectives as benchmarks time them, beside their reference.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rehearsed: Vec<Rehearsed>,
    /// The same machine in other states of its cores ([`Machine::line_ns`]) that the calibration met.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub other_states: Vec<Machine>,
}

impl Machine {
    /// A machine of which Hockney's parameters are known, and nothing else.
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
}
