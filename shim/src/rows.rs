//! Calls that make a row: at least [`FEWEST_CALLS`] with one key, one after the other, with nothing but barriers
//! between them of the calls that are intercepted. A row of barriers has none of them between at all. Point-to-point,
//! non-blocking and other calls pass unseen (`entries`): the benchmarks that are audited make none between the calls of
//! a row.
//!
//! Only calls of all ranks come here, so that a row ends at the same place of the program on every rank.

use crate::call::{Call, Function, Key};
use programs::audit::FEWEST_CALLS;

/// Number of buffers beyond which further ones are not counted.
const MOST_BUFFERS: usize = 64;

/// Calls with one key, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRun {
    /// Last of the calls.
    pub last: Call,
    /// Number of the calls.
    pub calls: u64,
    /// Roots that the calls had, as a flag for each rank.
    roots: Vec<bool>,
    /// Addresses of the buffers that the calls had.
    buffers: Vec<(usize, usize)>,
}

impl CallRun {
    fn new(first: Call, ranks: usize) -> CallRun {
        let mut run = CallRun { last: first, calls: 0, roots: vec![false; ranks], buffers: Vec::new() };
        run.add(first);
        run
    }

    #[inline(always)]
    fn add(&mut self, call: Call) {
        if let Some(seen) = self.roots.get_mut(call.root as usize) {
            *seen = true;
        }
        if self.calls == 0 || (call.sent.at, call.received.at) != (self.last.sent.at, self.last.received.at) {
            self.other_buffers((call.sent.at, call.received.at));
        }
        self.calls += 1;
        self.last = call;
    }

    #[inline(never)]
    fn other_buffers(&mut self, buffers: (usize, usize)) {
        if self.buffers.len() < MOST_BUFFERS && !self.buffers.contains(&buffers) {
            self.buffers.push(buffers);
        }
    }

    /// Returns the roots of its calls, the last call's at the end. Empty where there are no roots.
    pub fn roots(&self) -> Vec<u32> {
        if !self.last.key.function.collective().is_rooted() {
            return Vec::new();
        }
        let last = self.last.root as u32;
        let others = (0u32..).zip(&self.roots).filter(|&(root, &seen)| seen && root != last).map(|(root, _)| root);
        others.chain([last]).collect()
    }

    /// Returns the number of different buffers that were passed.
    pub fn buffers(&self) -> u32 {
        self.buffers.len() as u32
    }

    fn row(self) -> Option<CallRun> {
        (self.calls >= FEWEST_CALLS).then_some(self)
    }
}

/// State of the calls of one rank so far.
#[derive(Debug)]
pub struct Rows {
    ranks: usize,
    run: Option<CallRun>,
    /// Number of barriers since the last other call, and the last of them.
    barriers: u64,
    barrier: Option<Key>,
}

impl Rows {
    /// Begins before the first call, on `ranks` ranks.
    pub fn new(ranks: u32) -> Rows {
        Rows { ranks: ranks as usize, run: None, barriers: 0, barrier: None }
    }

    /// Counts a call that has the key of the last ones. Returns false, with nothing done, if it has another.
    #[inline(always)]
    pub fn goes_on(&mut self, call: &Call) -> bool {
        match &mut self.run {
            Some(run) if run.last.key == call.key => {
                run.add(*call);
                self.barriers = 0;
                true
            }
            _ => false,
        }
    }

    /// Counts a barrier of all ranks that is not of a row of barriers. Returns true if there were [`FEWEST_CALLS`] of
    /// them in a row, which are a row of their own that [`Rows::change`] has to begin.
    #[inline(always)]
    pub fn barrier(&mut self, call: &Call) -> bool {
        let again = self.barrier == Some(call.key);
        self.barriers = if again { self.barriers + 1 } else { 1 };
        self.barrier = Some(call.key);
        self.barriers == FEWEST_CALLS
    }

    /// Begins a run with this call. Returns the row that has ended with that, if it was one.
    pub fn change(&mut self, call: Call) -> Option<CallRun> {
        let mut next = CallRun::new(call, self.ranks);
        if call.key.function == Function::Barrier {
            next.calls = self.barriers;
        }
        self.barriers = 0;
        self.run.replace(next).and_then(CallRun::row)
    }

    /// Ends the run under way. Returns the row, if it was one.
    pub fn end(&mut self) -> Option<CallRun> {
        self.barriers = 0;
        self.run.take().and_then(CallRun::row)
    }

    /// Returns the last call of the run under way.
    pub fn last(&self) -> Option<&Call> {
        self.run.as_ref().map(|run| &run.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Side;

    const IN_PLACE: usize = 1;

    fn call(function: Function, count: i32) -> Call {
        let side = |at| Side { at, count, datatype: 7 };
        Call::new(function, 3, side(100), side(200), IN_PLACE)
    }

    /// What happens at each call: the calls and the function of rows that end there.
    fn play(rows: &mut Rows, calls: &[Call]) -> Vec<(usize, Function, u64)> {
        let mut ended = Vec::new();
        for (place, call) in calls.iter().enumerate() {
            if rows.goes_on(call) || (call.key.function == Function::Barrier && !rows.barrier(call)) {
                continue;
            }
            ended.extend(rows.change(*call).map(|row| (place, row.last.key.function, row.calls)));
        }
        ended
    }

    #[test]
    fn a_row_ends_where_another_call_comes_and_barriers_do_not_end_it() {
        let mut rows = Rows::new(2);
        let (bcast, longer, barrier) =
            (call(Function::Bcast, 8), call(Function::Bcast, 16), call(Function::Barrier, 0));
        let timed: Vec<Call> = (0..10).flat_map(|_| [bcast, barrier, barrier]).collect();
        let next: Vec<Call> = (0..9).map(|_| longer).collect();
        assert_eq!(play(&mut rows, &[timed, next].concat()), [(30, Function::Bcast, 10)]);
        assert_eq!(rows.end().map(|row| row.calls), Some(9));
        assert_eq!(rows.end(), None);
    }

    #[test]
    fn few_calls_are_no_row() {
        let mut rows = Rows::new(2);
        let seven = |function| vec![call(function, 1); 7];
        let calls = [seven(Function::Reduce), seven(Function::Bcast), seven(Function::Barrier)].concat();
        assert_eq!(play(&mut rows, &calls), []);
        assert_eq!(rows.end(), None);
    }

    #[test]
    fn barriers_with_nothing_between_are_a_row_of_their_own() {
        let mut rows = Rows::new(2);
        let calls = [vec![call(Function::Bcast, 8); 8], vec![call(Function::Barrier, 0); 20]].concat();
        assert_eq!(play(&mut rows, &calls), [(15, Function::Bcast, 8)], "at the eighth barrier");
        assert_eq!(play(&mut rows, &[call(Function::Reduce, 1)]), [(0, Function::Barrier, 20)]);
        let other = |communicator| {
            let mut call = call(Function::Barrier, 0);
            call.key.communicator = communicator;
            call
        };
        let alternating: Vec<Call> = (0..20).map(|place| other(3 + place % 2)).collect();
        assert_eq!(play(&mut rows, &alternating), [], "of two communicators in turn");
        assert_eq!(rows.end(), None);
    }

    #[test]
    fn roots_and_buffers_may_change_within_a_row() {
        let mut rows = Rows::new(3);
        let calls: Vec<Call> = (0..200)
            .map(|place| {
                let mut call = call(Function::Bcast, 8).rooted(place % 2);
                call.sent.at += place as usize % 100;
                call
            })
            .collect();
        assert_eq!(play(&mut rows, &calls), []);
        let row = rows.end().unwrap();
        assert_eq!((row.calls, row.roots(), row.buffers()), (200, vec![0, 1], 64));
        assert_eq!(row.last.sent.at, 199, "the last call is the one to make again");
    }

    #[test]
    fn calls_differ_by_count_datatype_reduction_and_place() {
        let plain = call(Function::Allreduce, 4).reducing(1);
        let mut others =
            [call(Function::Allreduce, 5).reducing(1), call(Function::Allreduce, 4).reducing(2), plain, plain];
        others[2].key.datatype += 1;
        let in_place = Side { at: IN_PLACE, ..plain.sent };
        others[3] = Call::new(Function::Allreduce, 3, in_place, plain.received, IN_PLACE).reducing(1);
        for other in others {
            assert_ne!(plain.key, other.key);
        }
        assert!(others[3].in_place);
    }

    #[test]
    fn what_only_the_root_knows_tells_no_calls_apart() {
        let block = |at, count| Side { at, count, datatype: 7 };
        let gather = |sent, received| Call::new(Function::Gather, 3, sent, received, IN_PLACE);
        let root = gather(block(IN_PLACE, -1), block(200, 4));
        let other = gather(block(100, 4), Side::default());
        assert_eq!(root.key, other.key);
        assert!(root.in_place && !other.in_place);
        let scatter = |sent, received| Call::new(Function::Scatter, 3, sent, received, IN_PLACE);
        assert_eq!(scatter(block(100, 4), block(IN_PLACE, -1)).key, scatter(Side::default(), block(200, 4)).key);
    }
}
