//! Rounds of regular patterns: pairs of ranks that exchange messages, without storing them.
//!
//! Both ends of every message lie in the same round, and a rank's program is its steps of all rounds
//! in order. So a round can be played by one rank alone (its [`Step`]s), drawn as edges of a graph, or
//! run over arrays of all positions at once.
//!
//! Positions number the ranks as the algorithm wants: from the root, or plainly ([`Places`]).

use super::{Part, Shape, Step, Then, Tree, bine};

/// Numbering of the positions of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// The root is position 0.
    FromRoot,
    /// Position i is rank i.
    ByRank,
    /// Numbering from the root in which a binomial tree over positions is a bine tree whose distances double, for a
    /// power of two of ranks.
    BineDoubling,
    /// Numbering from the root in which a binomial tree over positions is a bine tree whose distances halve, for a
    /// power of two of ranks.
    BineHalving,
}

impl Places {
    /// Returns the position of a rank.
    #[inline]
    pub fn position(self, shape: &Shape, rank: u32) -> u32 {
        match self {
            Places::FromRoot => shape.relative(rank),
            Places::ByRank => rank,
            Places::BineDoubling => bine::doubling_position(shape.relative(rank), shape.ranks),
            Places::BineHalving => bine::halving_position(shape.relative(rank), shape.ranks),
        }
    }

    /// Returns the rank at a position.
    #[inline]
    pub fn rank(self, shape: &Shape, position: u32) -> u32 {
        match self {
            Places::FromRoot => shape.absolute(position),
            Places::ByRank => position,
            Places::BineDoubling => shape.absolute(bine::doubling_rank(position, shape.ranks)),
            Places::BineHalving => shape.absolute(bine::halving_rank(position, shape.ranks)),
        }
    }
}

/// Send and receive of one position in a round of meetings: at most one of each, at the same time. Peers are positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// Position that a part is sent to, and the part.
    pub send: Option<(u32, Part)>,
    /// Position that a part is received from, the part, and the treatment of the data.
    pub receive: Option<(u32, Part, Then)>,
}

impl Meeting {
    /// Meeting of a position that has nothing to do in this round.
    pub const NONE: Meeting = Meeting { send: None, receive: None };

    /// Returns a meeting that is only a send.
    #[inline]
    pub fn sends(to: u32, part: Part) -> Meeting {
        Meeting { send: Some((to, part)), receive: None }
    }

    /// Returns a meeting that is only a receive.
    #[inline]
    pub fn receives(from: u32, part: Part, then: Then) -> Meeting {
        Meeting { send: None, receive: Some((from, part, then)) }
    }
}

/// Direction in which a tree's messages travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// Receive from the parent, then send to each child.
    Leaves,
    /// Like `Leaves`, but the sends to all children are started before waiting for any.
    LeavesAtOnce,
    /// Receive from each child, then send to the parent.
    Top,
    /// Like `Top`, but a parent first asks each child for its message with an empty one.
    TopOnRequest,
}

/// A copy or combination within a rank's own buffer: source, target, and treatment of the data.
pub type Move = (Part, Part, Then);

/// The communication pattern of one round. Function pointers get the shape, the round's `index` and a position.
#[derive(Clone, Copy, Debug)]
pub enum Pattern {
    /// Every position sends to the one `distance` after it and receives from the one before, around the ring.
    Shift {
        /// Distance around the ring, 1 ≤ distance < P.
        distance: u32,
        /// Part that each position sends.
        sent: Part,
        /// Part that each position receives into.
        received: Part,
        /// Treatment of the data that arrive.
        then: Then,
    },
    /// Messages travel along all edges of a tree.
    Tree {
        /// Tree whose edges messages travel along.
        tree: Tree,
        /// Direction in which messages travel.
        toward: Toward,
        /// Returns the part that travels along the edge above a position.
        carry: fn(&Shape, u64, u32) -> Part,
        /// Treatment of the data by the receiver.
        then: Then,
    },
    /// A token travels once around the ring: 0 ─▶ 1 ─▶ … ─▶ P−1 ─▶ 0.
    Lap {
        /// Part that the token consists of.
        part: Part,
    },
    /// Every position has at most one send and one receive, at the same time.
    Meet {
        /// Returns the send and the receive of a position.
        meeting: fn(&Shape, u64, u32) -> Meeting,
    },
    /// Every position posts `count` receives, starts `count` sends, and waits for all of them.
    Burst {
        /// Number of receives, and of sends.
        count: u32,
        /// Returns the receive and the send of a position in turn `0 … count − 1`.
        meeting: fn(&Shape, u64, u32, u32) -> Meeting,
    },
    /// No messages: every position moves parts of its own buffer.
    Local {
        /// Returns up to two moves, which are made in order.
        moves: fn(&Shape, u64, u32) -> [Option<Move>; 2],
    },
}

/// One round of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Number handed to the pattern's functions; its meaning is the algorithm's own.
    pub index: u64,
    /// Pattern of the round's messages.
    pub pattern: Pattern,
}

impl Round {
    /// Returns a round that sends segment number `index` of the whole along every edge of a tree: stored on the way to
    /// the leaves, combined on the way to the top.
    pub(super) fn segment_over_tree(index: u64, tree: Tree, toward: Toward) -> Round {
        let then = match toward {
            Toward::Leaves | Toward::LeavesAtOnce => Then::Store,
            Toward::Top | Toward::TopOnRequest => Then::Combine,
        };
        let carry = |shape: &Shape, segment, _| shape.segment(shape.whole(), segment);
        Round { index, pattern: Pattern::Tree { tree, toward, carry, then } }
    }

    /// Returns round number `index` of two for each segment: all segments go up the tree, then all of them down again.
    pub(super) fn segment_up_and_down(shape: &Shape, index: u64, tree: Tree) -> Round {
        let segments = shape.segments(shape.bytes);
        let toward = if index < segments { Toward::Top } else { Toward::Leaves };
        Round::segment_over_tree(index % segments, tree, toward)
    }

    /// Returns operation number `index` of `position` in this round, with positions as peers; `None` past the last.
    fn step(&self, shape: &Shape, position: u32, index: u32) -> Option<Step> {
        match self.pattern {
            Pattern::Shift { distance, sent, received, then } => (index == 0).then(|| Step::Exchange {
                to: shape.after(position, distance),
                sent,
                from: shape.before(position, distance),
                received,
                then,
            }),
            Pattern::Tree { tree, toward, carry, then } => {
                let edge = TreeEdges { shape, tree, then, carry: |child| carry(shape, self.index, child) };
                match toward {
                    Toward::Leaves => edge.down(position, index),
                    Toward::LeavesAtOnce => edge.down_at_once(position, index),
                    Toward::Top => edge.up(position, index),
                    Toward::TopOnRequest => edge.up_on_request(position, index),
                }
            }
            Pattern::Lap { part } => lap(shape, part, position, index),
            Pattern::Meet { meeting } => (index == 0).then(|| at_once(meeting(shape, self.index, position))).flatten(),
            Pattern::Burst { count, meeting } => burst(count, |turn| meeting(shape, self.index, position, turn), index),
            Pattern::Local { moves } => moves(shape, self.index, position)
                .into_iter()
                .flatten()
                .nth(index as usize)
                .map(|(from, to, then)| Step::Local { from, to, then }),
        }
    }

    /// Returns the steps of the rank at `position` in this round, in order; peers are ranks.
    pub fn steps<'a>(self, shape: &'a Shape, places: Places, position: u32) -> impl Iterator<Item = Step> + 'a {
        let mut index = 0;
        // A burst has gaps where a turn lacks one half: those are skipped, the end is not.
        let last = if let Pattern::Burst { count, .. } = self.pattern { 2 * count + 1 } else { u32::MAX };
        std::iter::from_fn(move || {
            while index < last {
                let step = self.step(shape, position, index);
                index += 1;
                match step {
                    Some(step) => return Some(named(step, |peer| places.rank(shape, peer))),
                    None if last == u32::MAX => return None,
                    None => {}
                }
            }
            None
        })
    }
}

/// Returns a step whose peers are positions as one whose peers are ranks.
fn named(step: Step, rank: impl Fn(u32) -> u32) -> Step {
    match step {
        Step::Send { to, part } => Step::Send { to: rank(to), part },
        Step::Receive { from, part, then } => Step::Receive { from: rank(from), part, then },
        Step::Exchange { to, sent, from, received, then } => {
            Step::Exchange { to: rank(to), sent, from: rank(from), received, then }
        }
        Step::Post { from, part, then } => Step::Post { from: rank(from), part, then },
        Step::Start { to, part } => Step::Start { to: rank(to), part },
        Step::WaitAll | Step::Local { .. } => step,
    }
}

fn at_once(meeting: Meeting) -> Option<Step> {
    match (meeting.send, meeting.receive) {
        (Some((to, sent)), Some((from, received, then))) => Some(Step::Exchange { to, sent, from, received, then }),
        (Some((to, part)), None) => Some(Step::Send { to, part }),
        (None, Some((from, part, then))) => Some(Step::Receive { from, part, then }),
        (None, None) => None,
    }
}

fn burst(count: u32, meeting: impl Fn(u32) -> Meeting, index: u32) -> Option<Step> {
    if index < count {
        meeting(index).receive.map(|(from, part, then)| Step::Post { from, part, then })
    } else if index < 2 * count {
        meeting(index - count).send.map(|(to, part)| Step::Start { to, part })
    } else {
        (index == 2 * count).then_some(Step::WaitAll)
    }
}

fn lap(shape: &Shape, part: Part, position: u32, index: u32) -> Option<Step> {
    if shape.ranks == 1 {
        return None;
    }
    let send = Step::Send { to: shape.after(position, 1), part };
    let receive = Step::Receive { from: shape.before(position, 1), part, then: Then::Store };
    let order = if position == 0 { [send, receive] } else { [receive, send] };
    order.get(index as usize).copied()
}

/// Messages of one round over a tree, seen from a position.
struct TreeEdges<'a, C> {
    shape: &'a Shape,
    tree: Tree,
    then: Then,
    carry: C,
}

impl<C: Fn(u32) -> Part> TreeEdges<'_, C> {
    fn down(&self, position: u32, index: u32) -> Option<Step> {
        let parent = self.tree.parent(position, self.shape.ranks);
        match (parent, index) {
            (Some(from), 0) => Some(Step::Receive { from, part: (self.carry)(position), then: self.then }),
            _ => {
                let child = self.tree.child(position, index - u32::from(parent.is_some()), self.shape.ranks)?;
                Some(Step::Send { to: child, part: (self.carry)(child) })
            }
        }
    }

    fn down_at_once(&self, position: u32, index: u32) -> Option<Step> {
        let received = u32::from(self.tree.parent(position, self.shape.ranks).is_some());
        match self.down(position, index) {
            Some(Step::Send { to, part }) => Some(Step::Start { to, part }),
            Some(step) => Some(step),
            // One past the last child; nothing to wait for without children.
            None => (index > received && self.down(position, index - 1).is_some()).then_some(Step::WaitAll),
        }
    }

    fn up(&self, position: u32, index: u32) -> Option<Step> {
        let ranks = self.shape.ranks;
        let children = self.tree.children(position, ranks);
        if index < children {
            let turn = if self.tree.receives_backwards() { children - 1 - index } else { index };
            let from = self.tree.child(position, turn, ranks)?;
            return Some(Step::Receive { from, part: (self.carry)(from), then: self.then });
        }
        let to = self.tree.parent(position, ranks).filter(|_| index == children)?;
        Some(Step::Send { to, part: (self.carry)(position) })
    }

    fn up_on_request(&self, position: u32, index: u32) -> Option<Step> {
        let ranks = self.shape.ranks;
        let children = self.tree.children(position, ranks);
        let asked = |peer| Step::Send { to: peer, part: Part::default() };
        if index < 2 * children {
            let from = self.tree.child(position, index / 2, ranks)?;
            let answer = Step::Receive { from, part: (self.carry)(from), then: self.then };
            return Some(if index.is_multiple_of(2) { asked(from) } else { answer });
        }
        let parent = self.tree.parent(position, ranks)?;
        match index - 2 * children {
            0 => Some(Step::Receive { from: parent, part: Part::default(), then: Then::Store }),
            1 => Some(Step::Send { to: parent, part: (self.carry)(position) }),
            _ => None,
        }
    }
}
