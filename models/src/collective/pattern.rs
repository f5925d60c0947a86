//! Rounds of regular patterns: who talks to whom, without storing it.
//!
//! Positions are relative to the root (the root is position 0). A rank takes at most one step in
//! a round, except the root of a fan, which takes one step for each other rank, in order.

use super::{Part, Shape, Step, Then};

/// The communication pattern of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// The root sends to positions 1, 2, …, P−1 in turn.
    FanOut,
    /// The root receives from positions 1, 2, …, P−1 in turn.
    FanIn,
    /// Every position v with v mod 2·mask = 0 sends to v + mask, where that exists.
    TreeDown {
        /// A power of two.
        mask: u32,
    },
    /// Every position v with v mod 2·mask = mask sends to v − mask.
    TreeUp {
        /// A power of two.
        mask: u32,
    },
    /// Every position sends to the one `distance` after it and receives from the one before, around the ring.
    Shift {
        /// 1 ≤ distance < P.
        distance: u32,
    },
}

/// One round of an algorithm: a pattern, the part that travels, and what the receiver does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// Who talks to whom.
    pub pattern: Pattern,
    /// What each message carries.
    pub part: Part,
    /// What the receiver does with it.
    pub then: Then,
}

/// The steps of one rank in one round.
pub enum Steps {
    /// At most one step.
    One(Option<Step>),
    /// The root of a fan: one step for each position from `next` on.
    Fan {
        /// The round being played.
        round: Round,
        /// The shape of the call.
        shape: Shape,
        /// Next position to serve.
        next: u32,
    },
}

impl Round {
    /// What `rank` does in this round, in order.
    pub fn steps(self, shape: &Shape, rank: u32) -> Steps {
        let position = shape.relative(rank);
        let send = |to| Step::Send { to: shape.absolute(to), part: self.part };
        let receive = |from| Step::Receive { from: shape.absolute(from), part: self.part, then: self.then };
        let step = match self.pattern {
            Pattern::FanOut | Pattern::FanIn if position == 0 => {
                return Steps::Fan { round: self, shape: *shape, next: 1 };
            }
            Pattern::FanOut => Some(receive(0)),
            Pattern::FanIn => Some(send(0)),
            Pattern::TreeDown { mask } => tree_edge(position, mask, shape.ranks).map(|edge| match edge {
                Edge::Child(child) => send(child),
                Edge::Parent(parent) => receive(parent),
            }),
            Pattern::TreeUp { mask } => tree_edge(position, mask, shape.ranks).map(|edge| match edge {
                Edge::Child(child) => receive(child),
                Edge::Parent(parent) => send(parent),
            }),
            Pattern::Shift { distance } => Some(Step::Exchange {
                to: shape.absolute((position + distance) % shape.ranks),
                from: shape.absolute((position + shape.ranks - distance) % shape.ranks),
                part: self.part,
                then: self.then,
            }),
        };
        Steps::One(step)
    }
}

enum Edge {
    Child(u32),
    Parent(u32),
}

/// The edge that a position has in the layer `mask` of a binomial tree over `ranks` positions.
fn tree_edge(position: u32, mask: u32, ranks: u32) -> Option<Edge> {
    match position % (2 * mask) {
        0 => (mask < ranks - position).then(|| Edge::Child(position + mask)),
        within if within == mask => Some(Edge::Parent(position - mask)),
        _ => None,
    }
}

impl Iterator for Steps {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        match self {
            Steps::One(step) => step.take(),
            Steps::Fan { round, shape, next } => {
                if *next >= shape.ranks {
                    return None;
                }
                let peer = shape.absolute(*next);
                *next += 1;
                Some(match round.pattern {
                    Pattern::FanOut => Step::Send { to: peer, part: round.part },
                    _ => Step::Receive { from: peer, part: round.part, then: round.then },
                })
            }
        }
    }
}
