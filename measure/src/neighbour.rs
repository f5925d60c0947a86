//! A look at the machine's state, by two ranks of one host that share memory: the time of a cache line from one core to
//! the other, and the speed of each rank's core.
//!
//! A mean of a few hundred round trips is spoilt by one interruption: the median of short groups is taken.

use models::time::Span;
use programs::observation::MachineLook;
use std::cell::Cell;
use std::hint::{black_box, spin_loop};
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Release},
};
use std::time::Instant;

/// Number of round trips of one group, and of groups of one look.
const ROUND_TRIPS: u32 = 30;
const GROUPS: usize = 10;
/// Number of round trips before the groups, by which ranks meet.
const MEETING: u32 = 3;
/// Number of steps of the work by which a core's speed is measured, and of repetitions of that work.
const STEPS: u32 = 200;
const WORKS: usize = 7;

/// Memory that two ranks share: a line to hand over, and one for the result.
#[derive(Default)]
#[repr(C, align(128))]
pub struct Lines {
    handed: AtomicU64,
    _apart: [u64; 15],
    found_ps: AtomicU64,
    _behind: [u64; 15],
}

/// Side of one of two ranks that look at the machine's state together.
pub struct Neighbour<'a> {
    lines: &'a Lines,
    /// Rank of the other one.
    rank: u32,
    leads: bool,
    /// Value of the line when both were done last.
    handed: Cell<u64>,
    looks: Cell<u64>,
}

impl<'a> Neighbour<'a> {
    /// Makes this rank's side of two neighbours. `rank` is the other one, with whom it shares these lines, which nobody
    /// has used before. One of both leads.
    pub fn new(lines: &'a Lines, rank: u32, leads: bool) -> Neighbour<'a> {
        Neighbour { lines, rank, leads, handed: Cell::new(0), looks: Cell::new(0) }
    }

    /// Measures the time that the line takes from one to the other. Returns on both when both are done.
    pub fn line(&self) -> Span {
        let mut groups = [0; GROUPS];
        self.hand_over(MEETING);
        for group in &mut groups {
            let begin = Instant::now();
            self.hand_over(ROUND_TRIPS);
            *group = begin.elapsed().as_nanos() as u64 * 1_000 / u64::from(2 * ROUND_TRIPS);
        }
        groups.sort_unstable();
        self.agree(groups[GROUPS / 2])
    }

    /// Hands the line over and back, `round_trips` times.
    fn hand_over(&self, round_trips: u32) {
        let line = &self.lines.handed;
        let mut next = self.handed.get();
        for _ in 0..round_trips {
            let (ours, theirs) = if self.leads { (next + 1, next + 2) } else { (next + 2, next + 1) };
            if self.leads {
                line.store(ours, Release);
            }
            while line.load(Acquire) != theirs {
                spin_loop();
            }
            if !self.leads {
                line.store(ours, Release);
            }
            next += 2;
        }
        self.handed.set(next);
    }

    /// Returns the leader's number on both. Its upper half says of which look it is.
    fn agree(&self, ps: u64) -> Span {
        const NUMBER: u64 = (1 << 40) - 1;
        let look = self.looks.get() + 1;
        self.looks.set(look);
        let found = &self.lines.found_ps;
        if self.leads {
            let ps = ps.min(NUMBER);
            found.store((look << 40) | ps, Release);
            return Span(ps);
        }
        loop {
            let word = found.load(Acquire);
            if word >> 40 == look & (u64::MAX >> 40) {
                return Span(word & NUMBER);
            }
            spin_loop();
        }
    }
}

/// One rank's part of looks, with its neighbour if it has one.
pub struct Lookout<'a> {
    neighbour: Option<Neighbour<'a>>,
}

impl<'a> Lookout<'a> {
    /// Makes the lookout of a rank, alone if it has no neighbour.
    pub fn new(neighbour: Option<Neighbour<'a>>) -> Lookout<'a> {
        Lookout { neighbour }
    }

    /// Returns the rank of the neighbour, if there is one.
    pub fn neighbour(&self) -> Option<u32> {
        self.neighbour.as_ref().map(|neighbour| neighbour.rank)
    }

    /// Looks at the machine's state: together with the neighbour, if there is one.
    pub fn look(&self) -> MachineLook {
        let line = self.neighbour.as_ref().map(Neighbour::line);
        MachineLook { line, work: work() }
    }
}

/// Returns the time of this core for a fixed amount of work: the median of some.
fn work() -> Span {
    let mut works = [0; WORKS];
    for one in &mut works {
        let begin = Instant::now();
        black_box(mixed(black_box(1)));
        *one = begin.elapsed().as_nanos() as u64;
    }
    works.sort_unstable();
    Span::from_ns(works[WORKS / 2])
}

/// Mixes a number by six chains of shifts. They do not wait for each other and keep all units of a core busy, in
/// registers alone: the share of the units that a program on the same core's other thread takes is seen at once.
/// (Copies and chains that wait for themselves show much less of it.)
fn mixed(seed: u64) -> u64 {
    let [mut a, mut b, mut c, mut d, mut e, mut f] = [1, 2, 3, 4, 5, 6].map(|one: u64| one.wrapping_mul(seed | 1));
    for _ in 0..STEPS {
        a ^= a << 13;
        b ^= b << 12;
        c ^= c << 7;
        d ^= d << 17;
        e ^= e << 23;
        f ^= f << 21;
        a ^= a >> 7;
        b ^= b >> 25;
        c ^= c >> 9;
        d ^= d >> 13;
        e ^= e >> 18;
        f ^= f >> 35;
    }
    a ^ b ^ c ^ d ^ e ^ f
}

impl Lines {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_find_the_same_again_and_again() {
        let lines = Lines::default();
        let looks = |leads: bool| {
            let lookout = Lookout::new(Some(Neighbour::new(&lines, u32::from(leads), leads)));
            (0..20).map(|_| lookout.look().line).collect::<Vec<_>>()
        };
        let (one, other) = std::thread::scope(|scope| {
            let other = scope.spawn(|| looks(false));
            (looks(true), other.join().expect("no panic"))
        });
        assert_eq!(one, other);
        assert!(one.iter().all(|line| line.is_some_and(|line| line > Span::ZERO)), "{one:?}");
    }

    #[test]
    fn a_rank_alone_sees_its_own_work() {
        let look = Lookout::new(None).look();
        assert_eq!(look.line, None);
        assert!(look.work > Span::ZERO);
    }
}
