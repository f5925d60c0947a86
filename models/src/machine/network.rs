//! Parameters of network models, and the models with them.

use super::{Bound, Estimate, Machine};
use crate::network::{Hockney, LogGops, LogGp, Network, Plogp, Point, Rendezvous, SendRule, Table};
use crate::time::{PerByte, Span};
use serde::{Deserialize, Serialize};

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

/// LogGOPS's parameters (Hoefler, Schneider, Lumsdaine 2010).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogGopsEstimate {
    /// The longest message that does not wait for its receiver, S, in bytes; none if no length waited.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub eager_limit_bytes: Option<u64>,
    /// What longer ones wait for.
    #[serde(default)]
    pub rendezvous: Rendezvous,
    /// L in µs.
    pub latency_us: Estimate,
    /// o of a send in µs.
    pub overhead_send_us: Estimate,
    /// o of a receive in µs.
    pub overhead_receive_us: Estimate,
    /// g in µs.
    pub gap_us: Estimate,
    /// G in ns per byte.
    pub gap_per_byte_ns: Estimate,
    /// O in ns per byte.
    pub overhead_per_byte_ns: Estimate,
}

/// PLogP's parameters (Kielmann, Bal, Verstoep 2000).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlogpEstimate {
    /// The longest message whose sender does not wait for its receiver, S, in bytes; none if no length waited.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub eager_limit_bytes: Option<u64>,
    /// L in µs.
    pub latency_us: Estimate,
    /// By increasing length; at least one.
    pub points: Vec<PlogpPoint>,
}

/// PLogP's functions at one length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlogpPoint {
    /// The message's length, m.
    pub bytes: u64,
    /// o_s(m) in µs.
    pub overhead_send_us: Estimate,
    /// o_r(m) in µs.
    pub overhead_receive_us: Estimate,
    /// g(m) in µs.
    pub gap_us: Estimate,
}

impl Machine {
    /// The models that were calibrated, by their names, from the simplest to the richest.
    pub fn models(&self) -> Vec<&'static str> {
        let there = [
            ("hockney", true),
            ("loggp", self.loggp.is_some()),
            ("loggops", self.loggops.is_some()),
            ("plogp", self.plogp.is_some()),
        ];
        there.into_iter().filter_map(|(name, there)| there.then_some(name)).collect()
    }

    /// A model with these parameters, by its name; bounds as for [`Machine::hockney`].
    ///
    /// # Errors
    /// Names the models that were calibrated.
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

    /// The richest model that single messages and calls are predicted by: LogGOPS, else LogGP, else Hockney.
    pub fn best_network(&self, bound: Bound) -> Network {
        let richer = self.loggops(bound).or_else(|| self.loggp(bound));
        richer.unwrap_or_else(|| self.hockney(bound))
    }

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

    /// LogGOPS with these parameters, where they are known; bounds as for [`Machine::hockney`].
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

    /// PLogP with these parameters, where they are known; bounds as for [`Machine::hockney`].
    ///
    /// # Errors
    /// The points' lengths do not increase.
    pub fn plogp(&self, bound: Bound) -> Result<Option<Network>, String> {
        let Some(plogp) = &self.plogp else { return Ok(None) };
        let at = |estimate: &Estimate| us(estimate.at(bound) * self.spread.at(bound));
        let table = |of: fn(&PlogpPoint) -> &Estimate| {
            let points = plogp.points.iter().map(|point| Point { at: point.bytes, cost: at(of(point)) });
            Table::new(&points.collect::<Vec<_>>()).map_err(|message| format!("plogp.points: {message}"))
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
