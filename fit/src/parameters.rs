//! The parameters that are fitted: those of LogGOPS without rendezvous, the extra time of messages that do not travel
//! within their request, and, where it is distinguished, L between nodes that are near each other.

use models::network::{LogGops, Network, Rendezvous};
use models::platform::{Inline, Near, Platform, Refinements};
use models::time::{PerByte, Span};

models::named! {
    /// Parameter that is fitted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Parameter {
        /// L: flight time of the last byte.
        Latency => "L", "µs",
        /// o of a send: CPU time.
        OverheadSend => "os", "µs",
        /// o of a receive: CPU time.
        OverheadReceive => "or", "µs",
        /// g: least time between two sends, or two receives, of one rank.
        Gap => "g", "µs",
        /// G: time per byte.
        GapPerByte => "G", "ns/B",
        /// Extra time of messages beyond [`INLINE_LIMIT_BYTES`].
        Fetch => "inline", "µs",
        /// O: CPU time per byte, of a send and of a receive. Without it a rank that sends to several could not be done
        /// with each message sooner than its receiver has it.
        OverheadPerByte => "O", "ns/B",
        /// L between nodes of one switch, where that is a parameter of its own.
        Near => "L near", "µs",
    }
    /// Returns the parameter's name.
    fn name;
    /// Returns the parameter's unit.
    fn unit;
    Display(name);
}

/// Longest message that is taken to travel within its request to the adapter: the limits of InfiniBand libraries lie
/// between 32 and 256 B, and published lengths between these are few. Messages of 128 B still travel so on MareNostrum
/// 5: its split-binary broadcast of 256 B has no step.
pub const INLINE_LIMIT_BYTES: u64 = 128;

impl Parameter {
    /// Parameters that are always free.
    pub const USUAL: [Parameter; 7] = [
        Parameter::Latency,
        Parameter::OverheadSend,
        Parameter::OverheadReceive,
        Parameter::Gap,
        Parameter::GapPerByte,
        Parameter::Fetch,
        Parameter::OverheadPerByte,
    ];

    /// Returns the number of free parameters.
    pub(crate) fn free(near: bool) -> usize {
        Parameter::USUAL.len() + usize::from(near)
    }
}

/// Values of the free parameters, each in its own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Values in the order of [`Parameter::USUAL`].
    pub values: [f64; Parameter::USUAL.len()],
    /// Value of [`Parameter::Near`], if it is free. Otherwise L is the same between all nodes.
    pub near_us: Option<f64>,
}

/// Least value of a parameter, in its unit: less cannot be distinguished from nothing.
const LEAST: f64 = 1e-4;
/// Largest value of a parameter, in its unit: a ms, or a µs per byte.
const MOST: f64 = 1e3;

impl Parameters {
    /// Returns the value of one parameter.
    pub fn get(&self, parameter: Parameter) -> f64 {
        match parameter {
            Parameter::Near => self.near_us.unwrap_or(self.get(Parameter::Latency)),
            usual => self.values[usual as usize],
        }
    }

    /// Returns the parameters that are free.
    pub fn free(&self) -> impl Iterator<Item = Parameter> {
        Parameter::USUAL.into_iter().chain(self.near_us.map(|_| Parameter::Near))
    }

    /// Makes parameters from the logarithms of the free ones, within bounds.
    pub(crate) fn from_logarithms(logarithms: &[f64]) -> Parameters {
        let value = |ln: &f64| ln.exp().clamp(LEAST, MOST);
        let mut values = [LEAST; Parameter::USUAL.len()];
        values.iter_mut().zip(logarithms).for_each(|(place, ln)| *place = value(ln));
        Parameters { values, near_us: logarithms.get(values.len()).map(value) }
    }

    /// Returns the logarithms of the free parameters.
    pub(crate) fn logarithms(&self) -> Vec<f64> {
        self.free().map(|parameter| self.get(parameter).ln()).collect()
    }

    /// Returns the distance of two sets: the length of the difference of their logarithms.
    pub(crate) fn distance(&self, other: &Parameters) -> f64 {
        let squares = self.free().map(|free| (self.get(free) / other.get(free)).ln().powi(2));
        squares.sum::<f64>().sqrt()
    }

    /// Returns the time of one short message from the begin of its send until it is received, in µs: L + os + or.
    /// Printed numbers determine the sum better than its parts.
    pub fn hop_us(&self) -> f64 {
        self.get(Parameter::Latency) + self.get(Parameter::OverheadSend) + self.get(Parameter::OverheadReceive)
    }

    /// Returns the time that each byte adds to that, in ns.
    pub fn hop_per_byte_ns(&self) -> f64 {
        crate::machine::joint(self).hop_per_byte_ns()
    }

    /// Returns LogGOPS with these parameters, whose senders wait for nobody.
    pub fn network(&self) -> Network {
        let us = |parameter| self.span(parameter);
        Network::Loggops(LogGops {
            latency: us(Parameter::Latency),
            overhead_send: us(Parameter::OverheadSend),
            overhead_receive: us(Parameter::OverheadReceive),
            gap: us(Parameter::Gap),
            gap_per_byte: PerByte(self.get(Parameter::GapPerByte) * 1e3),
            overhead_per_byte: PerByte(self.get(Parameter::OverheadPerByte) * 1e3),
            eager_limit: u64::MAX,
            rendezvous: Rendezvous::default(),
        })
    }

    /// Returns the value of a parameter that is a time.
    fn span(&self, parameter: Parameter) -> Span {
        Span((self.get(parameter) * 1e6).round() as u64)
    }

    /// Returns the network with its inline limit, and with its latency within a switch.
    pub fn platform(&self) -> Platform {
        let inline = Some(Inline { limit_bytes: INLINE_LIMIT_BYTES, fetch: self.span(Parameter::Fetch) });
        let (near, far) = (self.span(Parameter::Near), self.span(Parameter::Latency));
        let near = self.near_us.map(|_| Near { near, far });
        Platform::new(self.network(), Refinements { inline, near, ..Refinements::default() })
    }
}
