//! What simulated ranks did, interval by interval: the raw material of timelines and trace files.

use crate::clock::Ticks;
use crate::time::{Span, Time};

crate::named! {
    /// What a rank's CPU was about; in the order of legends and tables.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Activity {
        /// Overhead of a send, o_s (and O per byte).
        Sending => "sending",
        /// Overhead of a receive, o_r (and O per byte).
        Receiving => "receiving",
        /// The program's own computation, local copies and combinations.
        Computing => "computing",
        /// Held back by the gap g or G of its own network interface.
        Gap => "gap",
        /// Waiting for a message, for a receiver, or for a due time.
        Waiting => "waiting",
        /// Inside a detour, with work to do.
        Noise => "noise",
    }
    /// The word used in files and output.
    fn name;
}

/// One stretch of one rank's time. Intervals of a rank (and CPU) do not overlap; what lies between them is idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The rank.
    pub rank: u32,
    /// Its CPU; 0 but for schedules that name others.
    pub cpu: u32,
    /// What it did.
    pub activity: Activity,
    /// From when.
    pub start: Time,
    /// Until when.
    pub end: Time,
}

/// One message under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// The rank that sent it.
    pub from: u32,
    /// The rank that receives it.
    pub to: u32,
    /// Its length.
    pub bytes: u64,
    /// When its first byte left the sender's CPU.
    pub departed: Time,
    /// When its last byte was there.
    pub arrived: Time,
    /// When its receive was complete.
    pub received: Time,
}

/// A moment in a rank's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The rank.
    pub rank: u32,
    /// When, in true time.
    pub at: Time,
    /// What happens then.
    pub moment: Moment,
}

/// What a rank's program comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A call of an operation begins; it ends where the next moment of this rank is.
    Call,
    /// It reads its clock, which shows this.
    Reading(Ticks),
}

/// One rank's stay in one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedCall {
    /// The rank.
    pub rank: u32,
    /// Which of the timed calls, from 0; none for a barrier of the method.
    pub number: Option<u32>,
    /// Entry.
    pub from: Time,
    /// Exit.
    pub to: Time,
}

/// What one rank timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedSample {
    /// The rank.
    pub rank: u32,
    /// True time of the first reading of its clock.
    pub from: Time,
    /// True time of the second reading.
    pub to: Time,
    /// Calls between them.
    pub calls: u32,
    /// What the method makes of them: the time of one call, in ps, which a subtracted barrier can make negative.
    pub says_ps: i64,
}

/// Everything that happened in one simulated run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// What was run, for a heading.
    pub title: String,
    /// Under which circumstances, a sentence each: for captions.
    pub about: Vec<String>,
    /// When each rank entered.
    pub entry: Vec<Time>,
    /// When each rank finished.
    pub finish: Vec<Time>,
    /// In the order of their starts, per rank.
    pub intervals: Vec<Interval>,
    /// In the order of their departures.
    pub flights: Vec<Flight>,
    /// Moments of the ranks' programs; those of one rank are in the order of its program.
    pub marks: Vec<Mark>,
    /// Each rank's stay in each call, by rank and time, where calls were looked at.
    pub calls: Vec<TracedCall>,
    /// What a method timed, by rank and time; nothing where no method timed the calls.
    pub samples: Vec<TracedSample>,
    /// True time of each rank in one call, beside what a method timed.
    pub reference: Vec<Span>,
}
