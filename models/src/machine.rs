//! Machine files: calibrated parameters with their intervals and where they come from.

use crate::network::{Hockney, LogGp, Network, SendRule};
use crate::time::{PerByte, Span};
use serde::{Deserialize, Serialize};

/// A value with the interval that contains it at the stated confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Best value.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Which end of every parameter's interval to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The lower ends.
    Low,
    /// The best values.
    Best,
    /// The upper ends.
    High,
}

impl Estimate {
    /// 1, without doubt.
    pub fn exactly_one() -> Estimate {
        Estimate { value: 1.0, low: 1.0, high: 1.0 }
    }

    /// The value at one end.
    pub fn at(&self, bound: Bound) -> f64 {
        match bound {
            Bound::Low => self.low,
            Bound::Best => self.value,
            Bound::High => self.high,
        }
    }
}

/// Where, when and how parameters were measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// UTC date and time.
    pub date: String,
    /// Host name.
    pub host: String,
    /// World, carrier, library and version.
    pub ran_by: String,
    /// How, in a sentence.
    pub how: String,
    /// Confidence of all intervals.
    pub confidence: f64,
}

/// Hockney's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HockneyEstimate {
    /// α in µs.
    pub alpha_us: Estimate,
    /// β in ns per byte.
    pub beta_ns_per_byte: Estimate,
    /// What its senders wait for.
    pub send_rule: SendRule,
}

/// LogGP's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogGpEstimate {
    /// L in µs.
    pub latency_us: Estimate,
    /// o in µs, the same for sends and receives.
    pub overhead_us: Estimate,
    /// g in µs.
    pub gap_us: Estimate,
    /// G in ns per byte.
    pub gap_per_byte_ns: Estimate,
}

/// One message length's transfer time, for judging the fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TransferPoint {
    /// Message length.
    pub bytes: u64,
    /// Half the round trip, in µs.
    pub half_round_trip_us: Estimate,
    /// What α + mβ says, in µs.
    pub fitted_us: f64,
}

/// A calibrated machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Its name in files and output.
    pub name: String,
    /// Where its values come from.
    pub provenance: Provenance,
    /// Always there: a ping-pong suffices.
    pub hockney: HockneyEstimate,
    /// One way of the methods' own messages: half the least round trip of the slowest rank, in µs.
    #[serde(default)]
    pub control_us: f64,
    /// Single exchanges relative to the median of their kind: what a message may take, where the
    /// parameters' own intervals say what the median message takes. Its value is 1.
    #[serde(default = "Estimate::exactly_one")]
    pub spread: Estimate,
    /// There where trains of sends could be measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub loggp: Option<LogGpEstimate>,
    /// Notes for readers: clamped values, poor fits.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// The points behind the fit.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub transfer: Vec<TransferPoint>,
}

impl Machine {
    /// Hockney's model with these parameters; at a bound, every message takes as little or as long as
    /// single exchanges did.
    pub fn hockney(&self, bound: Bound) -> Network {
        let spread = self.spread.at(bound);
        Network::Hockney(Hockney {
            alpha: us(self.hockney.alpha_us.at(bound) * spread),
            beta: PerByte::from_ns((self.hockney.beta_ns_per_byte.at(bound) * spread).max(0.0)),
            send_rule: self.hockney.send_rule,
        })
    }

    /// LogGP with these parameters, where they are known; bounds as for [`Machine::hockney`].
    pub fn loggp(&self, bound: Bound) -> Option<Network> {
        let loggp = self.loggp.as_ref()?;
        let at = |estimate: &Estimate| estimate.at(bound) * self.spread.at(bound);
        let overhead = us(at(&loggp.overhead_us));
        Some(Network::Loggp(LogGp {
            latency: us(at(&loggp.latency_us)),
            overhead_send: overhead,
            overhead_receive: overhead,
            gap: us(at(&loggp.gap_us)),
            gap_per_byte: PerByte::from_ns(at(&loggp.gap_per_byte_ns).max(0.0)),
        }))
    }
}

fn us(value: f64) -> Span {
    Span::from_seconds(value.max(0.0) / 1e6)
}
