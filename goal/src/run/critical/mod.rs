//! The critical path: the operations that determine when the last rank finishes, and the parts of their times.
//!
//! A run's times are kept. From the last finish the way leads back, at each operation to the event that it had to wait
//! for last, down to time zero. The time between is counted in the model's parameters: their sum is the finish time. So
//! T = a + n·L as long as the path stays the same, and likewise for every other parameter.

mod costs;
mod range;
mod record;
mod terms;
#[cfg(test)]
mod tests;

pub use range::{LatencyRange, latency_range};
pub use terms::Terms;

use super::{Disturbance, RunError, events};
use crate::{Edge, OpKind, Schedule};
use costs::{Because, Costs};
use models::network::Network;
use models::time::{Span, Time};
use record::{History, NONE, Times};

/// Critical path of a run, which explains the finish of the last rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CriticalPath {
    /// Finish time of the last rank.
    pub finish: Time,
    /// Operations on the path, first to last. Each is named once.
    pub ops: Vec<u32>,
    /// Parts of the finish time.
    pub terms: Terms,
}

/// Reason for which there is no critical path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// The run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The times cannot be taken apart.
    #[error("no critical path: {0}")]
    Unknown(String),
}

/// Runs a schedule with the event engine and follows its last finish back to the start. Among several causes at the
/// same time, operations that it requires come before its CPU, and its message before both.
///
/// # Errors
///
/// Fails where the run fails, and for a model whose times cannot be taken apart.
pub fn critical_path<D: Disturbance>(
    schedule: &Schedule,
    network: &Network,
    noise: &D,
) -> Result<CriticalPath, PathError> {
    let costs = Costs::from_network(network).map_err(PathError::Unknown)?;
    let mut history = History::new(schedule);
    events::run(schedule, network, noise, &mut history)?;
    let mut walk = Walk {
        schedule,
        costs,
        times: history.times,
        earlier: Earlier::from_schedule(schedule),
        ops: Vec::new(),
        terms: Terms::default(),
    };
    let Some(last) =
        (0..schedule.ops().len() as u32).max_by_key(|&op| (walk.times[op as usize].finish, std::cmp::Reverse(op)))
    else {
        return Ok(CriticalPath { finish: Time::ZERO, ops: Vec::new(), terms: Terms::default() });
    };
    let finish = walk.times[last as usize].finish;
    walk.follow(last)?;
    walk.ops.reverse();
    debug_assert_eq!(Time::ZERO + costs.total(&walk.terms), finish, "the path explains all of the time");
    Ok(CriticalPath { finish, ops: walk.ops, terms: walk.terms })
}

impl CriticalPath {
    /// Returns the line T(L) = a + n·L on which the finish time lies as long as the path stays the same, as (a, n).
    ///
    /// # Errors
    ///
    /// Fails for a model that has no L, or whose times cannot be taken apart.
    pub fn line_in_latency(&self, network: &Network) -> Result<(Time, u64), String> {
        match Costs::from_network(network)? {
            Costs::Hockney(_) => Err("Hockney's model has no L".to_owned()),
            Costs::LogP(model) => {
                let flights = model.latency * self.terms.latencies;
                Ok((Time(self.finish.0.saturating_sub(flights.0)), self.terms.latencies))
            }
        }
    }

    /// Returns the time of the terms under a network model: under that of the run, the finish time.
    ///
    /// # Errors
    ///
    /// Fails for a model whose times cannot be taken apart.
    pub fn total(&self, network: &Network) -> Result<Span, String> {
        Ok(Costs::from_network(network)?.total(&self.terms))
    }
}

/// Operations that each operation waits for.
struct Earlier {
    at: Vec<u32>,
    /// Edges that name the operations that are waited for.
    list: Vec<Edge>,
}

impl Earlier {
    fn from_schedule(schedule: &Schedule) -> Earlier {
        let mut at = vec![0u32; schedule.ops().len() + 1];
        for edge in schedule.edges() {
            at[edge.dependent() as usize + 1] += 1;
        }
        (1..at.len()).for_each(|op| at[op] += at[op - 1]);
        let mut next = at.clone();
        let mut list = vec![Edge::to(0, false); schedule.edges().len()];
        for op in 0..schedule.ops().len() as u32 {
            for edge in schedule.dependents(op) {
                let place = &mut next[edge.dependent() as usize];
                list[*place as usize] = Edge::to(op, edge.on_start());
                *place += 1;
            }
        }
        Earlier { at, list }
    }

    fn of_op(&self, op: u32) -> &[Edge] {
        &self.list[self.at[op as usize] as usize..self.at[op as usize + 1] as usize]
    }
}

/// Point in the life of an operation.
enum OpPoint {
    Finish(u32),
    Begun(u32),
    Ready(u32),
    Free(u32),
}

impl From<Because> for OpPoint {
    fn from(because: Because) -> OpPoint {
        match because {
            Because::Begun(op) => OpPoint::Begun(op),
            Because::Ready(op) => OpPoint::Ready(op),
            Because::Free(op) => OpPoint::Free(op),
        }
    }
}

struct Walk<'s> {
    schedule: &'s Schedule,
    costs: Costs,
    times: Vec<Times>,
    earlier: Earlier,
    ops: Vec<u32>,
    terms: Terms,
}

impl Walk<'_> {
    fn follow(&mut self, last: u32) -> Result<(), PathError> {
        let mut point = Some(OpPoint::Finish(last));
        while let Some(here) = point {
            let (OpPoint::Finish(op) | OpPoint::Begun(op) | OpPoint::Ready(op) | OpPoint::Free(op)) = here;
            if self.ops.last() != Some(&op) {
                self.ops.push(op);
            }
            point = match here {
                OpPoint::Finish(op) => Some(self.before_finish(op)?),
                OpPoint::Begun(op) => Some(self.before_begin(op)?),
                OpPoint::Ready(op) => self.before_ready(op)?,
                OpPoint::Free(op) => Some(self.before_free(op)),
            };
        }
        Ok(())
    }

    fn at(&self, op: u32) -> Times {
        self.times[op as usize]
    }

    /// Counts the terms between two times. The time that they do not explain was noise on a CPU.
    fn count(&mut self, terms: Terms, from: Time, to: Time) {
        self.terms += terms;
        self.terms.noise = self.terms.noise + (to.since(from) - self.costs.total(&terms));
    }

    /// Counts as [`Walk::count`] does, from a cause in the life of an operation. No noise can follow a posting, or a
    /// send's o: if the terms do not fit, the message was seen later, behind another of its rank that a wildcard had to
    /// see first.
    fn count_since(&mut self, because: Because, terms: Terms, to: Time) -> Result<OpPoint, PathError> {
        let from = self.time_of(because);
        let (Because::Begun(op) | Because::Ready(op) | Because::Free(op)) = because;
        if !matches!(because, Because::Begun(_)) && from + self.costs.total(&terms) != to {
            let op = self.schedule.describe(op);
            let reason = format!("the message of {op} was delayed by an earlier one of the same rank");
            return Err(PathError::Unknown(reason));
        }
        self.count(terms, from, to);
        Ok(because.into())
    }

    fn before_finish(&mut self, op: u32) -> Result<OpPoint, PathError> {
        let (what, times) = (self.schedule.ops()[op as usize], self.at(op));
        let (terms, because) = match what.kind {
            OpKind::Calc => {
                let calculations = Span(what.size.saturating_mul(1000));
                (Terms { calculations, ..Terms::default() }, Because::Begun(op))
            }
            OpKind::Receive => (self.costs.receiving(self.sent_bytes(op)), Because::Begun(op)),
            OpKind::Send => self.costs.released(op, what.size, &times, self.at(times.partner).ready),
        };
        self.count_since(because, terms, times.finish)
    }

    fn time_of(&self, because: Because) -> Time {
        match because {
            Because::Begun(op) => self.at(op).begun,
            Because::Ready(op) => self.at(op).ready,
            Because::Free(op) => self.at(op).free,
        }
    }

    /// Returns the bytes of the message that a receive received.
    fn sent_bytes(&self, receive: u32) -> u64 {
        self.schedule.ops()[self.at(receive).partner as usize].size
    }

    fn before_begin(&mut self, op: u32) -> Result<OpPoint, PathError> {
        let (what, times) = (self.schedule.ops()[op as usize], self.at(op));
        if what.kind == OpKind::Receive && times.arrival == times.begun {
            let send = self.at(times.partner);
            let bytes = self.sent_bytes(op);
            let (terms, because) = self.costs.arriving(times.partner, bytes, &send, times.ready, times.arrival);
            return self.count_since(because, terms, times.arrival);
        }
        if times.ready == times.begun {
            return Ok(OpPoint::Ready(op));
        }
        if times.before_on_cpu != NONE && self.at(times.before_on_cpu).free == times.begun {
            return Ok(OpPoint::Free(times.before_on_cpu));
        }
        if times.before_on_nic != NONE {
            let before = self.at(times.before_on_nic);
            let bytes = match what.kind {
                OpKind::Receive => self.sent_bytes(op),
                OpKind::Send | OpKind::Calc => self.schedule.ops()[times.before_on_nic as usize].size,
            };
            match self.costs.interval(bytes) {
                Some(terms) if before.begun + self.costs.total(&terms) == times.begun => {
                    self.terms += terms;
                    return Ok(OpPoint::Begun(times.before_on_nic));
                }
                None if before.finish == times.begun => return Ok(OpPoint::Finish(times.before_on_nic)),
                None if before.free == times.begun => return Ok(OpPoint::Free(times.before_on_nic)),
                Some(_) | None => {}
            }
        }
        let described = self.schedule.describe(op);
        Err(PathError::Unknown(format!("nothing explains why {described} began at {} ps", times.begun.0)))
    }

    /// Returns the point before the CPU was free, once this operation had used it.
    fn before_free(&mut self, op: u32) -> OpPoint {
        let times = self.at(op);
        let what = self.schedule.ops()[op as usize];
        if what.kind != OpKind::Send {
            return OpPoint::Finish(op);
        }
        self.count(self.costs.sending(what.size), times.begun, times.free);
        OpPoint::Begun(op)
    }

    fn before_ready(&self, op: u32) -> Result<Option<OpPoint>, PathError> {
        let ready = self.at(op).ready;
        for edge in self.earlier.of_op(op) {
            let earlier = edge.dependent();
            let times = self.at(earlier);
            let is_receive = self.schedule.ops()[earlier as usize].kind == OpKind::Receive;
            let (time, point) = match (edge.on_start(), is_receive) {
                (false, _) => (times.finish, OpPoint::Finish(earlier)),
                (true, false) => (times.begun, OpPoint::Begun(earlier)),
                (true, true) => (times.ready, OpPoint::Ready(earlier)),
            };
            if time == ready {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }
}
