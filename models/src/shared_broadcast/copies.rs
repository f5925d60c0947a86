//! Copies that are under way at once, and share the memories that they touch.

use crate::time::{PerByte, Span, Time};

/// A copy that a rank makes.
struct Copy {
    rank: u32,
    /// NUMA nodes whose memories the copy touches.
    nodes: [u32; 2],
    /// Time that is left of it, in ps of a copy alone.
    left: f64,
    /// Time per byte of a copy alone, in ps.
    alone: f64,
}

/// All copies that are under way in virtual time, on a computer of one or more NUMA nodes.
pub struct Copies {
    /// Time for which a copy occupies a memory, in ps per byte.
    memory: f64,
    /// Number of copies that touch each memory.
    busy: Vec<u32>,
    running: Vec<Copy>,
    /// Time until which the rest of each copy has been worked out.
    since: Time,
    /// Number of begins and ends of copies: each makes predictions from before it invalid.
    pub changes: u64,
}

impl Copies {
    /// Starts without copies, among the memories of `nodes` NUMA nodes.
    pub fn new(nodes: u32, memory: PerByte) -> Copies {
        let busy = vec![0; nodes as usize];
        Copies { memory: memory.0, busy, running: Vec::new(), since: Time::ZERO, changes: 0 }
    }

    /// Whether copies make each other slower.
    pub fn disturb(&self) -> bool {
        self.memory > 0.0
    }

    /// Begins a copy that takes `alone` in all if no other disturbs it.
    pub fn begin(&mut self, now: Time, rank: u32, nodes: [u32; 2], (rate, alone): (PerByte, Span)) {
        self.go_on(now);
        self.count(nodes, 1);
        self.running.push(Copy { rank, nodes, left: alone.0 as f64, alone: rate.0 });
        self.changes += 1;
    }

    /// Returns the time at which the next copy ends, if none begins before.
    pub fn next(&self) -> Option<Time> {
        let left = self.running.iter().map(|copy| (copy.left * self.slowness(copy)).round() as u64);
        left.min().map(|left| self.since + Span(left))
    }

    /// Ends the copies that are over by now, and returns the ranks that made them.
    pub fn end(&mut self, now: Time) -> Vec<u32> {
        self.go_on(now);
        // At the end of time all copies end: the run is reported as too long.
        let ended = |copy: &Copy| now == Time::END || (copy.left * self.slowness(copy)).round() <= 0.0;
        let done: Vec<bool> = self.running.iter().map(ended).collect();
        let mut ranks = Vec::new();
        for index in (0..done.len()).rev().filter(|&index| done[index]) {
            let copy = self.running.remove(index);
            self.count(copy.nodes, -1);
            ranks.push(copy.rank);
        }
        self.changes += 1;
        ranks.reverse();
        ranks
    }

    /// Returns the factor by which a copy takes longer than alone: where k copies touch a memory, each gets at most a
    /// k-th of what it carries.
    fn slowness(&self, copy: &Copy) -> f64 {
        let busiest = copy.nodes.map(|node| self.busy[node as usize]).into_iter().max().unwrap_or(0);
        let shared = self.memory * f64::from(busiest);
        if shared > copy.alone && copy.alone > 0.0 { shared / copy.alone } else { 1.0 }
    }

    fn go_on(&mut self, now: Time) {
        let passed = now.since(self.since).0 as f64;
        for index in 0..self.running.len() {
            let slowness = self.slowness(&self.running[index]);
            self.running[index].left -= passed / slowness;
        }
        self.since = now;
    }

    fn count(&mut self, [from, to]: [u32; 2], by: i32) {
        for node in std::iter::once(from).chain((to != from).then_some(to)) {
            let busy = &mut self.busy[node as usize];
            *busy = busy.checked_add_signed(by).expect("a copy ends once");
        }
    }
}
