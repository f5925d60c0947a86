//! What steps of the broadcast cost where many ranks share the memories of a node.

use super::Costs;
use super::costs::value_of;
use crate::names;
use crate::network::{exact_rate, exact_span, pairs};
use crate::time::{PerByte, Span};
use std::fmt;

/// Costs on a computer with several NUMA nodes, each with cores and a memory: those of one reader, and what a second one changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeCosts {
    /// t of a copy within one memory, t_W, t_WO and t_A.
    pub one: Costs,
    /// tR: a copy from the root's memory into another one, per byte.
    pub remote_copy: PerByte,
    /// n: what a notification costs whoever notifies, for each child, one after the other.
    pub notify: Span,
    /// v: until a rank on the same NUMA node sees what was stored into its control word.
    pub visible: Span,
    /// vR: the same, on another NUMA node.
    pub remote_visible: Span,
    /// M: the time for which a copy occupies a memory, per byte. k copies that touch one memory are not faster than M k per byte
    /// each. 0: any number of copies is as fast as one.
    pub memory: PerByte,
}

/// Names of the parameters that one reader has none of.
const MORE: [&str; 5] = ["tR", "n", "v", "vR", "M"];

impl NodeCosts {
    /// Costs of one reader: all memories are near, notifications cost nothing beyond t_W, and copies do not disturb each other.
    pub fn of(one: Costs) -> NodeCosts {
        let none = Span::ZERO;
        NodeCosts {
            one,
            remote_copy: one.copy,
            notify: none,
            visible: none,
            remote_visible: none,
            memory: PerByte(0.0),
        }
    }

    /// Reads `t=1ns/B,tR=2ns/B,n=20ns`: what [`Costs::parse`] reads, and tR (else t), n, v, vR (else v) and M, which are else 0.
    ///
    /// # Errors
    /// The first name that is none, or the first value that it cannot take.
    pub fn parse(settings: &str) -> Result<NodeCosts, String> {
        let mut costs = NodeCosts::of(Costs::PUBLISHED);
        let (mut remote_copy, mut remote_visible) = (None, None);
        for (key, value) in pairs(settings)? {
            match key {
                "tR" => remote_copy = Some(value_of(key, value, "ns/B")?),
                "vR" => remote_visible = Some(value_of(key, value, "ns")?),
                "n" => costs.notify = value_of(key, value, "ns")?,
                "v" => costs.visible = value_of(key, value, "ns")?,
                "M" => costs.memory = value_of(key, value, "ns/B")?,
                _ if costs.one.set(key, value)? => {}
                _ => return Err(names::unknown("parameter", key, Costs::KEYS.into_iter().chain(MORE))),
            }
        }
        costs.remote_copy = remote_copy.unwrap_or(costs.one.copy);
        costs.remote_visible = remote_visible.unwrap_or(costs.visible);
        Ok(costs)
    }
}

impl fmt::Display for NodeCosts {
    /// As [`NodeCosts::parse`] reads it, exactly.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [notify, visible, remote] = [self.notify, self.visible, self.remote_visible].map(exact_span);
        let [remote_copy, memory] = [self.remote_copy, self.memory].map(exact_rate);
        write!(f, "{},tR={remote_copy},n={notify},v={visible},vR={remote},M={memory}", self.one)
    }
}
