//! Shorter latency between the nodes of one switch than between others, of a machine that does not know the places of
//! ranks. Where a placement tells switches apart, it becomes the latency of [`super::Class::Switch`] and of the classes
//! within.

use super::refined::latency_of;
use super::{Placement, Refinements};
use crate::network::Network;
use crate::time::Span;

/// Latencies of messages between nodes of one switch, and between all others. Only their difference counts, so that it
/// holds for every network model, whether its latency is L or α.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near {
    /// L between nodes of one switch.
    pub near: Span,
    /// L between nodes of different switches.
    pub far: Span,
}

impl Refinements {
    /// Latencies within and beyond a switch, if ranks are placed and their switches are known.
    pub(super) fn near_by_switch(&self) -> Option<Near> {
        self.near.filter(|_| self.placement.as_ref().is_some_and(Placement::knows_switches))
    }
}

impl Near {
    /// Network between nodes of one switch; `far` is the one between others. No latency is less than zero.
    pub(super) fn network(&self, far: Network) -> Network {
        let mut network = far;
        let latency = latency_of(&mut network);
        *latency = *latency + self.near - self.far;
        network
    }
}
