//! A look at the machine's state, by two ranks of one host that share memory: how long a cache line takes from one core to
//! the other, and how fast each rank copies.
//!
//! A mean of a few hundred round trips is spoilt by one interruption: the median of short groups is taken.

use models::observation::Look;
use models::time::Span;
use std::cell::{Cell, RefCell};
use std::hint::{black_box, spin_loop};
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use std::time::Instant;

/// Round trips of one group, and groups of one look.
const ROUND_TRIPS: u32 = 30;
const GROUPS: usize = 10;
/// Round trips before the groups, by which ranks meet.
const MEETING: u32 = 3;
/// How much is copied, and how often.
const COPIED_BYTES: usize = 32 << 10;
const COPIES: usize = 5;

/// The memory that two ranks share: a line to hand over, and one for what was found.
#[derive(Default)]
#[repr(C, align(128))]
pub struct Lines {
    handed: AtomicU64,
    _apart: [u64; 15],
    found_ps: AtomicU64,
    _behind: [u64; 15],
}

/// One of two ranks that look at the machine's state together.
pub struct Neighbour<'a> {
    lines: &'a Lines,
    leads: bool,
    /// What the line held when both were done last.
    handed: Cell<u64>,
    looks: Cell<u64>,
}

impl<'a> Neighbour<'a> {
    /// One of the two that share these lines, which nobody has used before; one of them leads.
    pub fn new(lines: &'a Lines, leads: bool) -> Neighbour<'a> {
        Neighbour { lines, leads, handed: Cell::new(0), looks: Cell::new(0) }
    }

    /// How long the line takes from one to the other. Returns on both when both are done.
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

    /// So many round trips.
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

    /// The leader's number on both: its upper half says of which look it is.
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

/// A rank's own part of looks, and its neighbour if it has one.
pub struct Lookout<'a> {
    neighbour: Option<Neighbour<'a>>,
    copied: RefCell<(Vec<u8>, Vec<u8>)>,
}

impl<'a> Lookout<'a> {
    /// A rank's lookout.
    pub fn new(neighbour: Option<Neighbour<'a>>) -> Lookout<'a> {
        Lookout { neighbour, copied: RefCell::new((vec![1; COPIED_BYTES], vec![2; COPIED_BYTES])) }
    }

    /// Looks around: together with the neighbour, if there is one.
    pub fn look(&self) -> Look {
        let line = self.neighbour.as_ref().map(Neighbour::line);
        Look { line, copy: self.copy() }
    }

    fn copy(&self) -> Span {
        let (from, to) = &mut *self.copied.borrow_mut();
        let mut copies = [0; COPIES];
        for copy in &mut copies {
            let begin = Instant::now();
            black_box(&mut *to).copy_from_slice(black_box(&*from));
            *copy = begin.elapsed().as_nanos() as u64;
        }
        copies.sort_unstable();
        Span::from_ns(copies[COPIES / 2])
    }
}

impl Lines {
    /// True if no look has begun on these lines.
    pub fn are_fresh(&self) -> bool {
        self.handed.load(Relaxed) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_find_the_same_again_and_again() {
        let lines = Lines::default();
        let looks = |leads: bool| {
            let lookout = Lookout::new(Some(Neighbour::new(&lines, leads)));
            (0..20).map(|_| lookout.look().line).collect::<Vec<_>>()
        };
        let (one, other) = std::thread::scope(|scope| {
            let other = scope.spawn(|| looks(false));
            (looks(true), other.join().expect("no panic"))
        });
        assert_eq!(one, other);
        assert!(one.iter().all(|line| line.is_some_and(|line| line > Span::ZERO)), "{one:?}");
        assert!(!lines.are_fresh());
    }

    #[test]
    fn a_rank_alone_sees_its_own_copies() {
        let look = Lookout::new(None).look();
        assert_eq!(look.line, None);
        assert!(look.copy > Span::ZERO);
    }
}
