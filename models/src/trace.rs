//! What simulated ranks did, interval by interval: the raw material of timelines and trace files.

use crate::clock::Ticks;
use crate::time::{Span, Time};
use std::ops::Range;

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
        /// Held back until a connection to the other rank is set up.
        Connecting => "connecting",
        /// Waiting for a message, for a receiver, or for a due time.
        Waiting => "waiting",
        /// Inside a detour, with work to do.
        Noise => "noise",
    }
    /// The word used in files and output.
    fn name;
}

/// What activities are, where a program's ranks exchange data in another way than by messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exchange {
    /// By messages over a network.
    #[default]
    Messages,
    /// By queues in shared memory: sending is copying into a queue, receiving copying out of one, computing what notifications
    /// cost, a gap leaving a buffer.
    SharedMemory,
}

impl Exchange {
    /// What an activity is called: one word, as some files of traces ask for.
    pub fn name(self, activity: Activity) -> &'static str {
        match (self, activity) {
            (Exchange::SharedMemory, Activity::Sending) => "copy-in",
            (Exchange::SharedMemory, Activity::Receiving) => "copy-out",
            (Exchange::SharedMemory, Activity::Computing) => "notification",
            (Exchange::SharedMemory, Activity::Gap) => "leaving",
            (Exchange::SharedMemory, Activity::Connecting | Activity::Waiting | Activity::Noise)
            | (Exchange::Messages, _) => activity.name(),
        }
    }
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
    /// How data are exchanged, which says what activities are called.
    pub exchange: Exchange,
    /// Runs side by side, each with its number of ranks, whose ranks follow each other; nothing where there is one.
    pub runs: Vec<(String, u32)>,
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

impl Trace {
    /// The ranks of each run, with its name where there are several.
    pub fn parts(&self) -> Vec<(Option<&str>, Range<u32>)> {
        if self.runs.is_empty() {
            return vec![(None, 0..self.finish.len() as u32)];
        }
        let mut parts = Vec::with_capacity(self.runs.len());
        let mut first = 0;
        for (name, ranks) in &self.runs {
            parts.push((Some(name.as_str()), first..first + ranks));
            first += ranks;
        }
        parts
    }

    /// The run that a rank belongs to.
    pub fn part_of(&self, rank: u32) -> Option<(Option<&str>, Range<u32>)> {
        self.parts().into_iter().find(|(_, ranks)| ranks.contains(&rank))
    }

    /// What a rank is called: `rank 3`, or `linear, rank 3` where there are several runs.
    pub fn name(&self, rank: u32) -> String {
        match self.part_of(rank) {
            Some((Some(run), ranks)) => format!("{run}, rank {}", rank - ranks.start),
            _ => format!("rank {rank}"),
        }
    }

    /// Two runs side by side, on one time axis that begins with the first entry of each: the other's ranks come behind
    /// this one's.
    pub fn beside(mut self, name: &str, mut other: Trace, others: &str) -> Trace {
        let ranks = self.finish.len() as u32;
        self.begin_at_zero();
        other.begin_at_zero();
        self.runs = vec![(name.to_owned(), ranks), (others.to_owned(), other.finish.len() as u32)];
        other.move_ranks(ranks);
        self.entry.append(&mut other.entry);
        self.finish.append(&mut other.finish);
        self.intervals.append(&mut other.intervals);
        self.flights.append(&mut other.flights);
        self.flights.sort_by_key(|flight| (flight.departed, flight.from, flight.to));
        self.marks.append(&mut other.marks);
        self.calls.append(&mut other.calls);
        self.samples.append(&mut other.samples);
        self.reference.append(&mut other.reference);
        self
    }

    fn begin_at_zero(&mut self) {
        let begin = self.entry.iter().min().copied().unwrap_or_default();
        let moved = |at: &mut Time| *at = Time::ZERO + at.since(begin);
        self.entry.iter_mut().chain(&mut self.finish).for_each(moved);
        self.intervals
            .iter_mut()
            .for_each(|interval| [&mut interval.start, &mut interval.end].into_iter().for_each(moved));
        for flight in &mut self.flights {
            [&mut flight.departed, &mut flight.arrived, &mut flight.received].into_iter().for_each(moved);
        }
        self.marks.iter_mut().for_each(|mark| moved(&mut mark.at));
        self.calls.iter_mut().for_each(|call| [&mut call.from, &mut call.to].into_iter().for_each(moved));
        self.samples.iter_mut().for_each(|sample| [&mut sample.from, &mut sample.to].into_iter().for_each(moved));
    }

    fn move_ranks(&mut self, by: u32) {
        self.intervals.iter_mut().for_each(|interval| interval.rank += by);
        self.marks.iter_mut().for_each(|mark| mark.rank += by);
        self.calls.iter_mut().for_each(|call| call.rank += by);
        self.samples.iter_mut().for_each(|sample| sample.rank += by);
        for flight in &mut self.flights {
            (flight.from, flight.to) = (flight.from + by, flight.to + by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_runs_side_by_side_keep_their_names_and_their_messages() {
        let flight = |from, to, at| {
            let [departed, arrived, received] = [Time(at), Time(at + 5), Time(at + 6)];
            Flight { from, to, bytes: 8, departed, arrived, received }
        };
        let run = |begin, flights| Trace {
            entry: vec![Time(begin); 3],
            finish: vec![Time(begin + 9); 3],
            flights,
            ..Trace::default()
        };
        let alone = run(0, vec![flight(0, 2, 2)]);
        assert_eq!((alone.name(2), alone.parts()), ("rank 2".to_owned(), vec![(None, 0..3)]));
        let both = alone.beside("tree", run(50, vec![flight(1, 0, 51)]), "linear");
        assert_eq!(both.parts(), [(Some("tree"), 0..3), (Some("linear"), 3..6)]);
        assert_eq!([both.name(0), both.name(5)], ["tree, rank 0", "linear, rank 2"]);
        assert_eq!(both.flights, [flight(4, 3, 1), flight(0, 2, 2)]);
        assert_eq!((both.entry, both.finish), (vec![Time(0); 6], vec![Time(9); 6]));
    }
}
