//! Trace of the activities of simulated ranks, as intervals: the raw material of timelines and trace files.

use models::clock::Ticks;
use models::time::{Span, Time};
use std::ops::Range;

models::named! {
    /// Activity of a rank's CPU, in the order of legends and tables.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Activity {
        /// Overhead of a send, o_s (and O per byte).
        Sending => "sending",
        /// Overhead of a receive, o_r (and O per byte).
        Receiving => "receiving",
        /// Computation of the program itself, local copies and combinations.
        Computing => "computing",
        /// Wait for the gap g or G of the rank's own network interface.
        Gap => "gap",
        /// Wait until a connection to the other rank is set up.
        Connecting => "connecting",
        /// Wait for a message, for a receiver, or for a due time.
        Waiting => "waiting",
        /// Detour, where the rank has work to do.
        Noise => "noise",
    }
    /// Word for the activity in files and output.
    fn name;
}

/// Way in which a program's ranks exchange data, which determines the meaning of activities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exchange {
    /// Messages over a network.
    #[default]
    Messages,
    /// Queues in shared memory: sending is copying into a queue, receiving copying out of one, computing the cost of
    /// notifications, a gap the leaving of a buffer.
    SharedMemory,
}

impl Exchange {
    /// Name of an activity: one word, as some formats of trace files require.
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

/// Stretch of one rank's time. Intervals of a rank (and CPU) do not overlap, and the time between them is idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Number of the rank.
    pub rank: u32,
    /// Number of its CPU; 0 except for schedules that name others.
    pub cpu: u32,
    /// Activity of the CPU.
    pub activity: Activity,
    /// Begin of the interval.
    pub start: Time,
    /// End of the interval.
    pub end: Time,
}

/// Message on its way between two ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Rank that sent the message.
    pub from: u32,
    /// Rank that receives the message.
    pub to: u32,
    /// Length of the message, in bytes.
    pub bytes: u64,
    /// Time at which its first byte left the sender's CPU.
    pub departed: Time,
    /// Time at which its last byte arrived.
    pub arrived: Time,
    /// Time at which its receive was complete.
    pub received: Time,
}

/// Moment in a rank's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Number of the rank.
    pub rank: u32,
    /// True time of the moment.
    pub at: Time,
    /// Event at the moment.
    pub moment: Moment,
}

/// Event in a rank's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A call of an operation begins. It ends at the next moment of this rank.
    Call,
    /// The rank reads its clock, which shows this.
    Reading(Ticks),
}

/// Stay of one rank in one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedCall {
    /// Number of the rank.
    pub rank: u32,
    /// Number of the timed call, from 0; `None` for a barrier of the method.
    pub number: Option<u32>,
    /// Time of the rank's entry.
    pub from: Time,
    /// Time of the rank's exit.
    pub to: Time,
}

/// Sample that one rank timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TracedSample {
    /// Number of the rank.
    pub rank: u32,
    /// True time of the first reading of its clock.
    pub from: Time,
    /// True time of the second reading.
    pub to: Time,
    /// Number of calls between the readings.
    pub calls: u32,
    /// Time of one call according to the method, in ps, which a subtracted barrier can make negative.
    pub says_ps: i64,
}

/// Everything that happened in one simulated run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Description of the run, for a heading.
    pub title: String,
    /// Circumstances of the run, a sentence each, for captions.
    pub about: Vec<String>,
    /// Way in which ranks exchange data, which determines the names of activities.
    pub exchange: Exchange,
    /// Runs side by side, each with its name and number of ranks, whose ranks follow each other; empty where there is
    /// one.
    pub runs: Vec<(String, u32)>,
    /// Time at which each rank entered.
    pub entry: Vec<Time>,
    /// Time at which each rank finished.
    pub finish: Vec<Time>,
    /// Intervals in the order of their starts, per rank.
    pub intervals: Vec<Interval>,
    /// Messages in the order of their departures.
    pub flights: Vec<Flight>,
    /// Moments of the ranks' programs, where those of one rank are in the order of its program.
    pub marks: Vec<Mark>,
    /// Stay of each rank in each call, by rank and time, where calls were observed.
    pub calls: Vec<TracedCall>,
    /// Samples of a method, by rank and time; empty where no method timed the calls.
    pub samples: Vec<TracedSample>,
    /// True time of each rank in one call, for comparison with the samples.
    pub reference: Vec<Span>,
}

impl Trace {
    /// Ranks of each run, with its name where there are several.
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

    /// Run to which a rank belongs.
    pub fn part_of(&self, rank: u32) -> Option<(Option<&str>, Range<u32>)> {
        self.parts().into_iter().find(|(_, ranks)| ranks.contains(&rank))
    }

    /// Name of a rank: `rank 3`, or `linear, rank 3` where there are several runs.
    pub fn name(&self, rank: u32) -> String {
        match self.part_of(rank) {
            Some((Some(run), ranks)) => format!("{run}, rank {}", rank - ranks.start),
            _ => format!("rank {rank}"),
        }
    }

    /// Puts two runs side by side, on one time axis that begins with the first entry of each. The other's ranks come
    /// behind this one's.
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
