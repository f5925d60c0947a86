//! Costs of the steps of a broadcast where many ranks share the memories of a node.

use super::Costs;
use super::costs::value_of;
use crate::names;
use crate::network::{exact_rate, exact_span, pairs};
use crate::time::{PerByte, Span};
use std::fmt;

/// Costs on a computer with several NUMA nodes, each with cores and a memory: those of one reader, and the changes by
/// further ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeCosts {
    /// Costs t of a copy within one memory, t_W, t_WO and t_A.
    pub one: Costs,
    /// Cost tR of a copy from the root's memory into another one, per byte.
    pub remote_copy: PerByte,
    /// Cost n of a notification for the rank that notifies, for each child, one after the other.
    pub notify: Span,
    /// Time v until a rank on the same NUMA node sees a value that was stored into its control word.
    pub visible: Span,
    /// Time vR until a rank on another NUMA node sees such a value.
    pub remote_visible: Span,
    /// Time M for which a copy occupies a memory, per byte. k copies that touch one memory are not faster than M k per
    /// byte each. 0: any number of copies is as fast as one.
    pub memory: PerByte,
    /// Time c until a rank has cleared its control word, whose cache line the notification took away. The copy that
    /// follows is not over before.
    pub clear: Span,
}

impl NodeCosts {
    /// Names of the parameters that the formulas do not have.
    pub(super) const ADDED: [&'static str; 6] = ["tR", "n", "v", "vR", "M", "c"];

    /// Returns costs of one reader: all memories are near, notifications cost nothing beyond t_W, and copies do not
    /// disturb each other.
    pub fn from_costs(one: Costs) -> NodeCosts {
        let none = Span::ZERO;
        NodeCosts {
            one,
            remote_copy: one.copy,
            notify: none,
            visible: none,
            remote_visible: none,
            memory: PerByte(0.0),
            clear: none,
        }
    }

    /// Whether the formulas of one reader hold for fragments of at least this many bytes: nothing is added, or copies
    /// hide it.
    pub fn has_formula(&self, fragment_bytes: u64) -> bool {
        let is_hidden = self.clear <= self.one.copy.for_bytes(fragment_bytes);
        is_hidden && NodeCosts { clear: Span::ZERO, ..*self } == NodeCosts::from_costs(self.one)
    }

    /// Reads `t=1ns/B,tR=2ns/B,n=20ns`: the parameters of [`Costs::parse`], and tR (else t), n, v, vR (else v), M and
    /// c, which are else 0.
    ///
    /// # Errors
    /// Names the first name that is none, or the first value that a parameter cannot take.
    pub fn parse(settings: &str) -> Result<NodeCosts, String> {
        let mut costs = NodeCosts::from_costs(Costs::PUBLISHED);
        let (mut remote_copy, mut remote_visible) = (None, None);
        for (key, value) in pairs(settings)? {
            match key {
                "tR" => remote_copy = Some(value_of(key, value, "ns/B")?),
                "vR" => remote_visible = Some(value_of(key, value, "ns")?),
                "n" => costs.notify = value_of(key, value, "ns")?,
                "v" => costs.visible = value_of(key, value, "ns")?,
                "M" => costs.memory = value_of(key, value, "ns/B")?,
                "c" => costs.clear = value_of(key, value, "ns")?,
                _ if costs.one.set(key, value)? => {}
                _ => return Err(names::unknown("parameter", key, Costs::KEYS.into_iter().chain(NodeCosts::ADDED))),
            }
        }
        costs.remote_copy = remote_copy.unwrap_or(costs.one.copy);
        costs.remote_visible = remote_visible.unwrap_or(costs.visible);
        Ok(costs)
    }
}

/// Value of a parameter.
#[derive(Clone, Copy)]
enum ParameterValue {
    Rate(PerByte),
    Span(Span),
}

impl NodeCosts {
    /// Names of all parameters with their units, in the order of columns.
    pub const NUMBERS: [&str; 10] = [
        "t_ps_per_byte",
        "tW_ps",
        "tWO_ps",
        "tA_ps",
        "tR_ps_per_byte",
        "n_ps",
        "v_ps",
        "vR_ps",
        "M_ps_per_byte",
        "c_ps",
    ];

    fn values(&self) -> [(&'static str, ParameterValue); 10] {
        let Costs { copy, notification, set, leave } = self.one;
        [
            ("t", ParameterValue::Rate(copy)),
            ("tW", ParameterValue::Span(notification)),
            ("tWO", ParameterValue::Span(set)),
            ("tA", ParameterValue::Span(leave)),
            ("tR", ParameterValue::Rate(self.remote_copy)),
            ("n", ParameterValue::Span(self.notify)),
            ("v", ParameterValue::Span(self.visible)),
            ("vR", ParameterValue::Span(self.remote_visible)),
            ("M", ParameterValue::Rate(self.memory)),
            ("c", ParameterValue::Span(self.clear)),
        ]
    }

    /// Returns every parameter with its value and unit, exactly: [`NodeCosts::parse`] reads them back.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let text = |value| match value {
            ParameterValue::Rate(rate) => exact_rate(rate),
            ParameterValue::Span(span) => exact_span(span),
        };
        self.values().map(|(key, value)| (key, text(value))).to_vec()
    }

    /// Returns the value of one of [`NodeCosts::NUMBERS`].
    pub fn number(&self, name: &str) -> Option<f64> {
        let place = NodeCosts::NUMBERS.iter().position(|known| *known == name)?;
        Some(match self.values()[place].1 {
            ParameterValue::Rate(rate) => rate.0,
            ParameterValue::Span(span) => span.0 as f64,
        })
    }
}

impl fmt::Display for NodeCosts {
    /// Writes the costs as [`NodeCosts::parse`] reads them, exactly.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs: Vec<String> = self.parameters().into_iter().map(|(key, value)| format!("{key}={value}")).collect();
        f.write_str(&pairs.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_back_and_columns_have_their_names_with_units() {
        let text = "t=1ns/B,tW=50ns,tWO=100ns,tA=10ns,tR=2ns/B,n=20ns,v=30ns,vR=150ns,M=0.2ns/B,c=40ns";
        let costs = NodeCosts::parse(text).unwrap();
        assert_eq!(NodeCosts::parse(&costs.to_string()), Ok(costs));
        for ((key, _), name) in costs.parameters().iter().zip(NodeCosts::NUMBERS) {
            let unit = name.strip_prefix(key).unwrap();
            assert!(["_ps", "_ps_per_byte"].contains(&unit), "{key}: {name}");
        }
        let numbers = NodeCosts::NUMBERS.map(|name| costs.number(name).unwrap());
        assert_eq!(numbers, [1e3, 5e4, 1e5, 1e4, 2e3, 2e4, 3e4, 1.5e5, 200.0, 4e4]);
        assert_eq!(costs.number("L_ps"), None);
    }
}
