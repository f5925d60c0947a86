//! Playing rounds over arrays of all positions. Both ends of a message lie in one round, and a rank's actions depend on
//! its own past and on messages alone: so finish times are a max-plus recurrence, and no event queue is needed. Within
//! a round ranks are visited in an order in which every message is sent before it is received.

use super::again::{Again, Standing};
use super::kernel::Kernel;
use models::collective::{Algorithm, Meeting, Move, Part, Pattern, Places, Round, Shape, Then, Toward, Tree};
use models::network::{CostTable, Message, Port};
use models::platform::Platform;
use models::time::{Span, Time};

/// State of all positions, and room for one round's messages.
pub(super) struct Rounds<'a, K: Kernel> {
    kernel: &'a K,
    platform: &'a Platform,
    /// Shape of the call that is played.
    shape: Shape,
    places: Places,
    /// Whether combining takes time.
    combines: bool,
    /// States of the ranks, by position.
    states: Vec<K::State>,
    departures: Vec<K::Departure>,
    posted: Vec<K::Time>,
    /// Number of messages sent so far.
    pub messages: u64,
    /// Earlier calls, where one that begins alike need not be played again.
    pub again: Option<Again>,
}

impl<'a, K: Kernel> Rounds<'a, K> {
    /// Makes ranks that enter at the given times, in ps and in rank order.
    pub(super) fn new(kernel: &'a K, platform: &'a Platform, entries: &[u64]) -> Rounds<'a, K> {
        let states = (0..).zip(entries).map(|(rank, &entry)| kernel.enter(rank, Time(entry))).collect();
        let combines = platform.refinements().is_some_and(|refined| refined.gamma != CostTable::ZERO);
        let shape = Shape::new(entries.len() as u32, 0, 0);
        let (departures, posted) = (Vec::new(), Vec::new());
        Rounds {
            kernel,
            platform,
            shape,
            places: Places::ByRank,
            combines,
            states,
            departures,
            posted,
            messages: 0,
            again: None,
        }
    }

    /// Plays one call of an algorithm.
    pub(super) fn call(&mut self, algorithm: &'static Algorithm, shape: &Shape) {
        self.number_for(algorithm.places, shape);
        let Some(mut again) = self.again.take() else { return self.play_all(algorithm, shape) };
        let base = self.ports().map(|port| port.cpu).min().unwrap_or(Time::ZERO);
        let (before, sent) = (Standing::from_ports(self.ports(), base), self.messages);
        match again.find(algorithm, shape, &before) {
            Some((after, messages)) => {
                self.states.iter_mut().filter_map(K::port).zip(after.ports(base)).for_each(|(port, then)| *port = then);
                self.messages += messages;
            }
            None => {
                self.play_all(algorithm, shape);
                let after = Standing::from_ports(self.ports(), base);
                again.keep(algorithm, shape, [before, after], self.messages - sent);
            }
        }
        self.again = Some(again);
    }

    /// Returns the ports of all ranks, where they are all that is kept.
    fn ports(&mut self) -> impl Iterator<Item = &Port> {
        self.states.iter_mut().filter_map(K::port).map(|port| &*port)
    }

    /// Occupies one rank's CPU.
    pub(super) fn occupy(&mut self, rank: u32, work: Span) {
        self.work(self.places.position(&self.shape, rank), rank, work);
    }

    fn play_all(&mut self, algorithm: &Algorithm, shape: &Shape) {
        for index in 0..(algorithm.rounds)(shape) {
            self.play((algorithm.round)(shape, index));
        }
    }

    /// Brings the states into the order of an algorithm's positions.
    fn number_for(&mut self, places: Places, shape: &Shape) {
        let is_ring = |places| matches!(places, Places::FromRoot | Places::ByRank);
        if is_ring(self.places) && is_ring(places) {
            let (first, next) = (self.places.rank(&self.shape, 0), places.rank(shape, 0));
            let ranks = self.states.len() as u32;
            self.states.rotate_left(((next + ranks - first) % ranks.max(1)) as usize);
        } else if (self.places, self.shape.root) != (places, shape.root) {
            let by_rank: Vec<K::State> = self.by_rank().cloned().collect();
            let state = |position| by_rank[places.rank(shape, position) as usize].clone();
            self.states = (0..shape.ranks).map(state).collect();
        }
        (self.shape, self.places) = (*shape, places);
    }

    /// Returns the states of all ranks, in their order.
    pub(super) fn by_rank(&self) -> impl ExactSizeIterator<Item = &K::State> {
        (0..self.shape.ranks).map(|rank| &self.states[self.places.position(&self.shape, rank) as usize])
    }

    /// Occupies every rank's CPU.
    pub(super) fn compute(&mut self, work: Span) {
        for position in 0..self.shape.ranks {
            self.work(position, self.places.rank(&self.shape, position), work);
        }
    }

    fn play(&mut self, round: Round) {
        let of_call = self.shape;
        let shape = &of_call;
        match round.pattern {
            Pattern::Shift { distance, sent, received, then } => self.meet(|position| Meeting {
                send: Some((shape.after(position, distance), sent)),
                receive: Some((shape.before(position, distance), received, then)),
            }),
            Pattern::Meet { meeting } => self.meet(|position| meeting(shape, round.index, position)),
            Pattern::Tree { tree, toward, carry, then } => {
                let carry = |child| carry(shape, round.index, child);
                match toward {
                    Toward::Leaves => self.down(tree, carry, then, false),
                    Toward::LeavesAtOnce => self.down(tree, carry, then, true),
                    Toward::Top => self.up(tree, carry, then, Self::collect),
                    Toward::TopOnRequest => self.up(tree, carry, then, Self::ask_and_collect),
                }
            }
            Pattern::Lap { part } => self.lap(part),
            Pattern::Burst { count, meeting } => {
                self.burst(count, |position, turn| meeting(shape, round.index, position, turn));
            }
            Pattern::Local { moves } => self.local(|position| moves(shape, round.index, position)),
        }
    }

    #[inline(always)]
    fn message(&self, from: u32, to: u32, part: Part) -> Message {
        let rank = |position| self.places.rank(&self.shape, position);
        Message { from: rank(from), to: rank(to), bytes: part.bytes }
    }

    /// Returns the time at which a position that posts a receive does so. It is zero where it does not matter.
    #[inline(always)]
    fn cpu(&self, position: u32) -> K::Time {
        if K::EAGER { K::ZERO } else { K::cpu(&self.states[position as usize]) }
    }

    /// Notes the time at which every position posts its receives of this round.
    fn note_posts(&mut self) {
        if !K::EAGER {
            self.posted.clear();
            self.posted.extend(self.states.iter().map(K::cpu));
        }
    }

    #[inline(always)]
    fn posted(&self, position: u32) -> K::Time {
        if K::EAGER { K::ZERO } else { self.posted[position as usize] }
    }

    #[inline(always)]
    fn send(&mut self, from: u32, message: &Message) -> K::Departure {
        self.messages += 1;
        self.kernel.send(&mut self.states[from as usize], message)
    }

    /// Completes the receive of a message under way, posted at `posted`. Returns the time at which its sender is
    /// released.
    #[inline(always)]
    fn receive(&mut self, to: u32, message: &Message, departure: &K::Departure, posted: K::Time) -> K::Time {
        let (arrival, released) = self.kernel.matched(message, departure, posted);
        self.kernel.receive(&mut self.states[to as usize], message, arrival);
        released
    }

    /// Returns the time at which the sender of a message is released.
    #[inline(always)]
    fn released(&self, message: &Message, departure: &K::Departure, posted: K::Time) -> K::Time {
        if K::EAGER { K::ZERO } else { self.kernel.matched(message, departure, posted).1 }
    }

    #[inline(always)]
    fn hold(&mut self, position: u32, until: K::Time) {
        if !K::EAGER {
            K::hold(&mut self.states[position as usize], until);
        }
    }

    /// Plays a round in which every position has at most one send and one receive, at the same time.
    fn meet(&mut self, meeting: impl Fn(u32) -> Meeting) {
        let ranks = self.shape.ranks;
        self.note_posts();
        self.departures.resize(ranks as usize, K::NO_DEPARTURE);
        for position in 0..ranks {
            if let Some((to, part)) = meeting(position).send {
                let message = self.message(position, to, part);
                self.departures[position as usize] = self.send(position, &message);
            }
        }
        for position in 0..ranks {
            let Meeting { send, receive } = meeting(position);
            if let Some((from, part, _)) = receive {
                let message = self.message(from, position, part);
                let departure = self.departures[from as usize];
                self.receive(position, &message, &departure, self.posted(position));
            }
            if let Some((to, part)) = send.filter(|_| !K::EAGER) {
                let message = self.message(position, to, part);
                let released = self.released(&message, &self.departures[position as usize], self.posted(to));
                self.hold(position, released);
            }
            if let Some((_, part, then)) = receive {
                self.combine(position, part, then);
            }
        }
    }

    /// Plays a round in which every position posts its receives, starts its sends, and waits for all. A message that is
    /// sent in one turn is received in the same turn.
    fn burst(&mut self, count: u32, meeting: impl Fn(u32, u32) -> Meeting) {
        let (ranks, turns) = (self.shape.ranks, count as usize);
        self.note_posts();
        self.departures.resize(ranks as usize * turns, K::NO_DEPARTURE);
        for position in 0..ranks {
            for turn in 0..count {
                if let Some((to, part)) = meeting(position, turn).send {
                    let message = self.message(position, to, part);
                    self.departures[position as usize * turns + turn as usize] = self.send(position, &message);
                }
            }
        }
        for position in 0..ranks {
            let mut released = K::ZERO;
            for turn in 0..count {
                let Meeting { send, receive } = meeting(position, turn);
                if let Some((from, part, _)) = receive {
                    let message = self.message(from, position, part);
                    let departure = self.departures[from as usize * turns + turn as usize];
                    self.receive(position, &message, &departure, self.posted(position));
                }
                if let Some((to, part)) = send.filter(|_| !K::EAGER) {
                    let message = self.message(position, to, part);
                    let departure = &self.departures[position as usize * turns + turn as usize];
                    released = K::later(released, self.released(&message, departure, self.posted(to)));
                }
            }
            self.hold(position, released);
            for turn in 0..if self.combines { count } else { 0 } {
                if let Some((_, part, then)) = meeting(position, turn).receive {
                    self.combine(position, part, then);
                }
            }
        }
    }

    /// Plays a tree's parents before their children: a child posts its receive when it comes to this round. A parent
    /// waits for each of its sends, or `at_once` for all of them.
    fn down(&mut self, tree: Tree, carry: impl Fn(u32) -> Part, then: Then, at_once: bool) {
        let ranks = self.shape.ranks;
        self.departures.resize(ranks as usize, K::NO_DEPARTURE);
        for index in 0..ranks {
            let position = tree.parents_first(index, ranks);
            if let Some(parent) = tree.parent(position, ranks) {
                let message = self.message(parent, position, carry(position));
                let departure = self.departures[position as usize];
                self.receive(position, &message, &departure, self.cpu(position));
                self.combine(position, carry(position), then);
            }
            let (mut turn, mut last) = (0, K::ZERO);
            while let Some(child) = tree.child(position, turn, ranks) {
                let message = self.message(position, child, carry(child));
                let departure = self.send(position, &message);
                self.departures[child as usize] = departure;
                let released = self.released(&message, &departure, self.cpu(child));
                last = K::later(last, released);
                if !at_once {
                    self.hold(position, released);
                }
                turn += 1;
            }
            self.hold(position, last);
        }
    }

    /// Plays a tree's children before their parents. `collect` is a parent's work with one child before it combines
    /// what came.
    fn up(&mut self, tree: Tree, carry: impl Fn(u32) -> Part, then: Then, collect: impl Fn(&mut Self, u32, u32, Part)) {
        let ranks = self.shape.ranks;
        self.departures.resize(ranks as usize, K::NO_DEPARTURE);
        for index in (0..ranks).rev() {
            let position = tree.parents_first(index, ranks);
            let children = tree.children(position, ranks);
            for turn in 0..children {
                let turn = if tree.receives_backwards() { children - 1 - turn } else { turn };
                if let Some(child) = tree.child(position, turn, ranks) {
                    collect(self, position, child, carry(child));
                    self.combine(position, carry(child), then);
                }
            }
        }
    }

    fn collect(&mut self, parent: u32, child: u32, part: Part) {
        // Nothing that a child does in this round comes after its send to its parent.
        let message = self.message(child, parent, part);
        let departure = self.send(child, &message);
        let released = self.receive(parent, &message, &departure, self.cpu(parent));
        self.hold(child, released);
    }

    fn ask_and_collect(&mut self, parent: u32, child: u32, part: Part) {
        let question = self.message(parent, child, Part::default());
        let departure = self.send(parent, &question);
        let released = self.receive(child, &question, &departure, self.cpu(child));
        self.hold(parent, released);
        self.collect(parent, child, part);
    }

    fn local(&mut self, moves: impl Fn(u32) -> [Option<Move>; 2]) {
        if self.platform.is_plain() {
            return;
        }
        for position in 0..self.shape.ranks {
            let rank = self.places.rank(&self.shape, position);
            for (from, _, then) in moves(position).into_iter().flatten() {
                self.work(position, rank, self.platform.local_work(from.bytes, then));
            }
        }
    }

    /// Combines a received message into a rank's memory, if it is to be combined and that takes time.
    #[inline(always)]
    fn combine(&mut self, position: u32, part: Part, then: Then) {
        if self.combines && then == Then::Combine {
            let rank = self.places.rank(&self.shape, position);
            self.work(position, rank, self.platform.local_work(part.bytes, then));
        }
    }

    fn work(&mut self, position: u32, rank: u32, work: Span) {
        if work > Span::ZERO {
            self.kernel.compute(&mut self.states[position as usize], rank, work);
        }
    }

    fn lap(&mut self, part: Part) {
        let ranks = self.shape.ranks;
        if ranks == 1 {
            return;
        }
        for from in 0..ranks {
            let to = self.shape.after(from, 1);
            let message = self.message(from, to, part);
            let departure = self.send(from, &message);
            let released = self.released(&message, &departure, self.cpu(to));
            // Position 0 posts its receive after its send, which came first of all.
            self.hold(from, released);
            let posted = self.cpu(to);
            self.receive(to, &message, &departure, posted);
        }
    }
}
