//! Words, waits and copies of simulated shared memory, in virtual time.

use super::recorded::Recorded;
use super::{Bytes, SharedNode};
use models::shared_broadcast::{Copies, NEVER_OPEN, Word};
use models::time::{Span, Time};
use programs::trace::Activity;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Event at an instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A rank goes on.
    Resume(u32),
    /// Ranks see a word's new value.
    Visible(SeenWord, u64),
    /// Copies end, unless as many have begun or ended since.
    Copied(u64),
}

/// Word as some ranks see it: ranks on other NUMA nodes than the one that stores a flag see it later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SeenWord {
    pub(super) word: Word,
    pub(super) is_far: bool,
}

/// Value of a word for which a rank waits.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    Equal(u64),
    Above(u64),
}

struct Waiter {
    rank: u32,
    since: Time,
    wanted: Wanted,
}

pub(super) struct NodeState<'w> {
    world: &'w SharedNode,
    pub(super) now: Time,
    queue: BinaryHeap<Reverse<(Time, u64, Event)>>,
    sequence: u64,
    words: FxHashMap<SeenWord, u64>,
    waiting: FxHashMap<SeenWord, Vec<Waiter>>,
    /// Times until which a word's cache line is taken, by a decrement or by a reader of a flag.
    taken: FxHashMap<Word, Time>,
    copies: Copies,
    /// Times at which each rank has cleared its control word.
    cleared: Vec<Time>,
    pub(super) recorded: Recorded,
    pub(super) bytes: Option<Bytes>,
}

impl Wanted {
    fn is(self, value: u64) -> bool {
        match self {
            Wanted::Equal(wanted) => value == wanted,
            Wanted::Above(limit) => value > limit,
        }
    }
}

impl SeenWord {
    /// Returns a word that all ranks see alike.
    pub(super) fn at_once(word: Word) -> SeenWord {
        SeenWord { word, is_far: false }
    }
}

impl<'w> NodeState<'w> {
    pub(super) fn new(world: &'w SharedNode, bytes: Option<Bytes>) -> NodeState<'w> {
        NodeState {
            world,
            now: Time::ZERO,
            queue: BinaryHeap::new(),
            sequence: 0,
            words: FxHashMap::default(),
            waiting: FxHashMap::default(),
            taken: FxHashMap::default(),
            copies: Copies::new(world.nodes, world.costs.memory),
            cleared: vec![Time::ZERO; world.ranks as usize],
            recorded: Recorded::new(world.record),
            bytes,
        }
    }

    pub(super) fn at(&mut self, time: Time, event: Event) {
        self.queue.push(Reverse((time, self.sequence, event)));
        self.sequence += 1;
    }

    /// Returns the next rank that goes on, in the order of (time, sequence).
    pub(super) fn next(&mut self) -> Option<u32> {
        loop {
            let Reverse((time, _, event)) = self.queue.pop()?;
            self.now = time;
            match event {
                Event::Resume(rank) => return Some(rank),
                Event::Visible(word, value) => self.set(word, value),
                Event::Copied(changes) if changes == self.copies.changes => {
                    for rank in self.copies.end(time) {
                        self.at(time, Event::Resume(rank));
                    }
                    self.foresee();
                }
                Event::Copied(_) => {}
            }
        }
    }

    pub(super) fn value(&self, seen: SeenWord) -> u64 {
        let first = if matches!(seen.word, Word::Open { .. }) { NEVER_OPEN } else { 0 };
        self.words.get(&seen).copied().unwrap_or(first)
    }

    /// Returns a word as a rank sees it.
    pub(super) fn seen(&self, rank: u32, word: Word) -> SeenWord {
        let node = |rank| self.world.node_of(rank);
        let is_far = flag_of(word).is_some_and(|owner| node(owner) != node(rank));
        SeenWord { word, is_far }
    }

    /// Gives a word a new value, and lets the ranks that waited for it go on.
    pub(super) fn set(&mut self, seen: SeenWord, value: u64) {
        self.words.insert(seen, value);
        let Some(waiting) = self.waiting.get_mut(&seen) else { return };
        for waiter in std::mem::take(waiting) {
            self.wait(seen, waiter);
        }
    }

    /// Makes a rank wait for a word's value, from this instant on.
    pub(super) fn wait_for(&mut self, rank: u32, word: Word, wanted: Wanted) {
        self.wait(self.seen(rank, word), Waiter { rank, since: self.now, wanted });
    }

    fn wait(&mut self, seen: SeenWord, waiter: Waiter) {
        if !waiter.wanted.is(self.value(seen)) {
            self.waiting.entry(seen).or_default().push(waiter);
            return;
        }
        let (costs, now) = (self.world.costs.one, self.now);
        let (took, from, until) = match seen.word {
            Word::Control { .. } => (Activity::Computing, now, now + costs.notification),
            Word::Filled { .. } | Word::Released { .. } => {
                let line = self.take_flag(seen.word);
                (Activity::Computing, line, line + costs.notification)
            }
            Word::Gathered { .. } => {
                let line = self.take_flag(seen.word);
                (Activity::Gap, line, line + costs.leave)
            }
            Word::Readers { .. } => (Activity::Waiting, now, now + costs.set),
            // A reader looks for the set while the root, which waits for it as long, opens it.
            Word::Open { .. } => (Activity::Waiting, now, now.max(waiter.since + costs.set)),
        };
        self.recorded.spent(waiter.rank, Activity::Waiting, waiter.since, from);
        self.recorded.spent(waiter.rank, took, from, until);
        self.at(until, Event::Resume(waiter.rank));
    }

    /// Takes a flag's cache line for one reader, as soon as it is free. Returns that time.
    fn take_flag(&mut self, word: Word) -> Time {
        let free = self.taken.get(&word).copied().unwrap_or_default().max(self.now);
        self.taken.insert(word, free + self.world.costs.notify);
        free
    }

    /// Notes that a rank has stored a flag of its own, which others look at.
    pub(super) fn flagged(&mut self, word: Word, value: u64) {
        let costs = self.world.costs;
        let visible = [costs.visible, costs.remote_visible].map(|span| self.now + span);
        self.recorded.flagged(word, value, self.now, visible);
        for (time, is_far) in visible.into_iter().zip([false, true]) {
            self.show(SeenWord { word, is_far }, value, time);
        }
    }

    /// Shows ranks a word's new value from an instant on.
    fn show(&mut self, seen: SeenWord, value: u64, time: Time) {
        if time == self.now { self.set(seen, value) } else { self.at(time, Event::Visible(seen, value)) }
    }

    /// Stores a child's control word for a rank, from this instant on.
    pub(super) fn notified(&mut self, from: u32, to: u32, word: Word, bytes: u64) {
        let costs = self.world.costs;
        let is_near = self.world.node_of(from) == self.world.node_of(to);
        let visible = self.now + if is_near { costs.visible } else { costs.remote_visible };
        self.recorded.notified(from, word, bytes, (self.now, visible));
        self.show(SeenWord::at_once(word), bytes, visible);
    }

    /// Takes a word's cache line for one decrement, as soon as it is free, and resumes the rank when it is done.
    pub(super) fn take_line(&mut self, rank: u32, word: Word) {
        let free = self.taken.get(&word).copied().unwrap_or_default().max(self.now);
        let done = free + self.world.costs.one.leave;
        self.taken.insert(word, done);
        self.recorded.spent(rank, Activity::Gap, self.now, done);
        self.at(done, Event::Resume(rank));
    }

    /// Clears a rank's control word.
    pub(super) fn clear(&mut self, rank: u32) {
        self.cleared[rank as usize] = self.now + self.world.costs.clear;
    }

    /// Lets a rank go on once it has cleared its control word. Returns false if it has.
    pub(super) fn waits_until_cleared(&mut self, rank: u32) -> bool {
        let cleared = self.cleared[rank as usize];
        if cleared > self.now {
            self.at(cleared, Event::Resume(rank));
        }
        cleared > self.now
    }

    /// Begins a rank's copy between its own message and the queue of a rank, which lies in that rank's memory.
    pub(super) fn copy(&mut self, rank: u32, owner: u32, bytes: u64) {
        let nodes = [owner, rank].map(|rank| self.world.node_of(rank));
        let costs = self.world.costs;
        let rate = if nodes[0] == nodes[1] { costs.one.copy } else { costs.remote_copy };
        let alone = rate.for_bytes(bytes);
        if self.copies.disturb() {
            self.copies.begin(self.now, rank, nodes, (rate, alone));
            self.foresee();
        } else {
            self.at(self.now + alone, Event::Resume(rank));
        }
    }

    fn foresee(&mut self) {
        if let Some(time) = self.copies.next() {
            self.at(time, Event::Copied(self.copies.changes));
        }
    }

    /// Keeps a rank busy for a span.
    pub(super) fn spend(&mut self, rank: u32, activity: Activity, span: Span) {
        self.recorded.spent(rank, activity, self.now, self.now + span);
        self.at(self.now + span, Event::Resume(rank));
    }
}

/// Returns the rank whose flag a word is, if it is one.
fn flag_of(word: Word) -> Option<u32> {
    match word {
        Word::Filled { rank, .. } | Word::Released { rank } | Word::Gathered { rank } => Some(rank),
        Word::Readers { .. } | Word::Open { .. } | Word::Control { .. } => None,
    }
}
