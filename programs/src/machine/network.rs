//! Parameters of network models, and the models built from them.

use super::{Bound, Estimate, Machine};
use models::network::{CostTable, Hockney, LogGops, LogGp, Network, Plogp, Rendezvous, SendRule, TablePoint};
use models::time::{PerByte, Span};
use serde::{Deserialize, Serialize};

/// Parameters of Hockney's model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HockneyEstimate {
    /// Latency α, in µs.
    pub alpha_us: Estimate,
    /// Time per byte β, in ns.
    pub beta_ns_per_byte: Estimate,
    /// Event for which senders wait.
    pub send_rule: SendRule,
}

/// Parameters of the LogGP model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogGpEstimate {
    /// Latency L, in µs.
    pub latency_us: Estimate,
    /// Overhead o, in µs, the same for sends and receives.
    pub overhead_us: Estimate,
    /// Gap g, in µs.
    pub gap_us: Estimate,
    /// Gap per byte G, in ns.
    pub gap_per_byte_ns: Estimate,
}

/// Parameters of the LogGOPS model (Hoefler, Schneider, Lumsdaine 2010).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogGopsEstimate {
    /// Eager limit S: the longest message that does not wait for its receiver, in bytes. `None` if no length waited.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub eager_limit_bytes: Option<u64>,
    /// Event for which messages beyond the eager limit wait.
    #[serde(default)]
    pub rendezvous: Rendezvous,
    /// Latency L, in µs.
    pub latency_us: Estimate,
    /// Overhead o of a send, in µs.
    pub overhead_send_us: Estimate,
    /// Overhead o of a receive, in µs.
    pub overhead_receive_us: Estimate,
    /// Gap g, in µs.
    pub gap_us: Estimate,
    /// Gap per byte G, in ns.
    pub gap_per_byte_ns: Estimate,
    /// Overhead per byte O, in ns.
    pub overhead_per_byte_ns: Estimate,
}

/// Parameters of the PLogP model (Kielmann, Bal, Verstoep 2000).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlogpEstimate {
    /// Eager limit S: the longest message whose sender does not wait for its receiver, in bytes. `None` if no length
    /// waited.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub eager_limit_bytes: Option<u64>,
    /// Latency L, in µs.
    pub latency_us: Estimate,
    /// Values of PLogP's functions by increasing length, at least one.
    pub points: Vec<PlogpPoint>,
}

/// Values of PLogP's functions at one length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlogpPoint {
    /// Length m of the message, in bytes.
    pub bytes: u64,
    /// Overhead o_s(m) of a send, in µs.
    pub overhead_send_us: Estimate,
    /// Overhead o_r(m) of a receive, in µs.
    pub overhead_receive_us: Estimate,
    /// Gap g(m), in µs.
    pub gap_us: Estimate,
}

impl Machine {
    /// Names of the calibrated models, from the simplest to the richest.
    pub fn models(&self) -> Vec<&'static str> {
        let there = [
            ("hockney", true),
            ("loggp", self.loggp.is_some()),
            ("loggops", self.loggops.is_some()),
            ("plogp", self.plogp.is_some()),
        ];
        there.into_iter().filter_map(|(name, there)| there.then_some(name)).collect()
    }

    /// Builds the model of this name from the machine's parameters. Bounds are those of [`Machine::hockney`].
    ///
    /// # Errors
    /// Names the calibrated models if this one was not calibrated.
    pub fn network(&self, model: &str, bound: Bound) -> Result<Network, String> {
        let found = match model {
            "hockney" => Some(self.hockney(bound)),
            "loggp" => self.loggp(bound),
            "loggops" => self.loggops(bound),
            "plogp" => self.plogp(bound)?,
            _ => None,
        };
        found.ok_or_else(|| {
            let known = self.models().join(", ");
            format!("machine {} was not calibrated for '{model}'; known: {known}", self.name)
        })
    }

    /// The richest calibrated model for predicting single messages and calls: LogGOPS, else LogGP, else Hockney.
    pub fn best_network(&self, bound: Bound) -> Network {
        let richer = self.loggops(bound).or_else(|| self.loggp(bound));
        richer.unwrap_or_else(|| self.hockney(bound))
    }

    /// Hockney's model with these parameters. At a bound other than the best values, every message takes as little or
    /// as much time as single exchanges did.
    pub fn hockney(&self, bound: Bound) -> Network {
        let spread = self.spread.at(bound);
        Network::Hockney(Hockney {
            alpha: us(self.hockney.alpha_us.at(bound) * spread),
            beta: PerByte::from_ns((self.hockney.beta_ns_per_byte.at(bound) * spread).max(0.0)),
            send_rule: self.hockney.send_rule,
        })
    }

    /// The LogGP model with these parameters, where they are known. Bounds are those of [`Machine::hockney`].
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

    /// The LogGOPS model with these parameters, where they are known. Bounds are those of [`Machine::hockney`].
    pub fn loggops(&self, bound: Bound) -> Option<Network> {
        let loggops = self.loggops.as_ref()?;
        let at = |estimate: &Estimate| estimate.at(bound) * self.spread.at(bound);
        Some(Network::Loggops(LogGops {
            latency: us(at(&loggops.latency_us)),
            overhead_send: us(at(&loggops.overhead_send_us)),
            overhead_receive: us(at(&loggops.overhead_receive_us)),
            gap: us(at(&loggops.gap_us)),
            gap_per_byte: PerByte::from_ns(at(&loggops.gap_per_byte_ns).max(0.0)),
            overhead_per_byte: PerByte::from_ns(at(&loggops.overhead_per_byte_ns).max(0.0)),
            eager_limit: loggops.eager_limit_bytes.unwrap_or(u64::MAX),
            rendezvous: loggops.rendezvous,
        }))
    }

    /// The PLogP model with these parameters, where they are known. Bounds are those of [`Machine::hockney`].
    ///
    /// # Errors
    /// Fails if the points' lengths do not increase.
    pub fn plogp(&self, bound: Bound) -> Result<Option<Network>, String> {
        let Some(plogp) = &self.plogp else { return Ok(None) };
        let at = |estimate: &Estimate| us(estimate.at(bound) * self.spread.at(bound));
        let table = |of: fn(&PlogpPoint) -> &Estimate| {
            let points = plogp.points.iter().map(|point| TablePoint { at: point.bytes, cost: at(of(point)) });
            CostTable::new(&points.collect::<Vec<_>>()).map_err(|message| format!("plogp.points: {message}"))
        };
        Ok(Some(Network::Plogp(Plogp {
            latency: at(&plogp.latency_us),
            overhead_send: table(|point| &point.overhead_send_us)?,
            overhead_receive: table(|point| &point.overhead_receive_us)?,
            gap: table(|point| &point.gap_us)?,
            eager_limit: plogp.eager_limit_bytes.unwrap_or(u64::MAX),
        })))
    }
}

pub(super) fn us(value: f64) -> Span {
    Span::from_seconds(value.max(0.0) / 1e6)
}
