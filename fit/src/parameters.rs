//! The parameters that are fitted: those of LogGP with two overheads, and what messages take longer that do not travel
//! within their request.

use models::network::{LogGops, Network, Rendezvous};
use models::platform::{Inline, Platform, Refinements};
use models::time::{PerByte, Span};

models::named! {
    /// A parameter.
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
        /// What messages beyond [`INLINE_LIMIT_BYTES`] take longer.
        Fetch => "inline", "µs",
    }
    /// Its name.
    fn name;
    /// Its unit.
    fn unit;
    Display(name);
}

/// The longest message that is taken to travel within its request to the adapter: what InfiniBand libraries choose lies
/// between 32 and 256 B, and published lengths that lie between these are few.
pub const INLINE_LIMIT_BYTES: u64 = 64;

/// The value of each parameter, in its own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// In the order of [`Parameter::ALL`].
    pub values: [f64; Parameter::ALL.len()],
}

/// No parameter is less, in its unit: less cannot be told from nothing.
const LEAST: f64 = 1e-4;
/// No parameter is more, in its unit: a ms, or a µs per byte.
const MOST: f64 = 1e3;

impl Parameters {
    /// The value of one.
    pub fn get(&self, parameter: Parameter) -> f64 {
        self.values[parameter as usize]
    }

    /// From logarithms, within bounds.
    pub(crate) fn from_logarithms(logarithms: &[f64]) -> Parameters {
        let mut values = [LEAST; Parameter::ALL.len()];
        values.iter_mut().zip(logarithms).for_each(|(value, ln)| *value = ln.exp().clamp(LEAST, MOST));
        Parameters { values }
    }

    /// Their logarithms.
    pub(crate) fn logarithms(&self) -> Vec<f64> {
        self.values.iter().map(|value| value.ln()).collect()
    }

    /// How far apart two sets are: the length of the difference of their logarithms.
    pub(crate) fn distance(&self, other: &Parameters) -> f64 {
        let squares = self.values.iter().zip(&other.values).map(|(one, other)| (one / other).ln().powi(2));
        squares.sum::<f64>().sqrt()
    }

    /// What one short message takes from the begin of its send until it is received, in µs: L + os + or. Printed numbers
    /// determine the sum better than its parts.
    pub fn hop_us(&self) -> f64 {
        self.get(Parameter::Latency) + self.get(Parameter::OverheadSend) + self.get(Parameter::OverheadReceive)
    }

    /// LogGOPS with these parameters, whose senders wait for nobody.
    pub fn network(&self) -> Network {
        let us = |parameter| Span((self.get(parameter) * 1e6).round() as u64);
        Network::Loggops(LogGops {
            latency: us(Parameter::Latency),
            overhead_send: us(Parameter::OverheadSend),
            overhead_receive: us(Parameter::OverheadReceive),
            gap: us(Parameter::Gap),
            gap_per_byte: PerByte(self.get(Parameter::GapPerByte) * 1e3),
            overhead_per_byte: PerByte(0.0),
            eager_limit: u64::MAX,
            rendezvous: Rendezvous::default(),
        })
    }

    /// The network with its inline limit.
    pub fn platform(&self) -> Platform {
        let fetch = Span((self.get(Parameter::Fetch) * 1e6).round() as u64);
        let inline = Some(Inline { limit_bytes: INLINE_LIMIT_BYTES, fetch });
        Platform::new(self.network(), Refinements { inline, ..Refinements::default() })
    }
}
