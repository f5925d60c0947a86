//! Parameters that fit together, of machines that were fitted to printed numbers.

use super::{Bound, Estimate, Machine};
use serde::{Deserialize, Serialize};

/// One set of parameters that fits printed numbers about as well as the best values do. The ends of the parameters'
/// intervals, taken together, do not: where numbers determine a sum, a longer L goes with a shorter o.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointFit {
    /// Latency L, in µs.
    pub latency_us: f64,
    /// Overhead o of a send, in µs.
    pub overhead_send_us: f64,
    /// Overhead o of a receive, in µs.
    pub overhead_receive_us: f64,
    /// Gap g, in µs.
    pub gap_us: f64,
    /// Gap per byte G, in ns.
    pub gap_per_byte_ns: f64,
    /// Overhead per byte O, in ns.
    #[serde(default)]
    pub overhead_per_byte_ns: f64,
    /// Extra latency of a message that does not travel within its request, in µs.
    pub fetch_us: f64,
    /// L between nodes of one switch, in µs, where it was fitted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub near_latency_us: Option<f64>,
}

impl JointFit {
    /// Time that each byte adds to one message between idle ranks, in ns: max(G, O) + O.
    pub fn hop_per_byte_ns(&self) -> f64 {
        self.gap_per_byte_ns.max(self.overhead_per_byte_ns) + self.overhead_per_byte_ns
    }
}

impl Machine {
    /// Copies of this machine, one per joint fit, with the values of the fit in place of the best values and without
    /// intervals. Empty where the machine's file has no joint fits.
    pub fn joint(&self) -> Vec<Machine> {
        self.joint_fits.iter().map(|fit| self.at_joint(fit)).collect()
    }

    /// Sets of parameters that are possible, the best one first: then the joint fits, or where the machine's file has none,
    /// all parameters at the lower ends of their intervals, and at the upper ends.
    pub fn sets(&self) -> Vec<(Machine, Bound)> {
        let joint = self.joint();
        let others = match joint.is_empty() {
            true => [Bound::Low, Bound::High].map(|bound| (self.clone(), bound)).to_vec(),
            false => joint.into_iter().map(|machine| (machine, Bound::Best)).collect(),
        };
        std::iter::once((self.clone(), Bound::Best)).chain(others).collect()
    }

    fn at_joint(&self, fit: &JointFit) -> Machine {
        let mut machine = Machine { joint_fits: Vec::new(), ..self.clone() };
        let set = |estimate: &mut Estimate, value: f64| *estimate = Estimate::exactly(value);
        let overheads = fit.overhead_send_us + fit.overhead_receive_us;
        set(&mut machine.hockney.alpha_us, fit.latency_us + overheads);
        let hop_per_byte_ns = fit.hop_per_byte_ns();
        set(&mut machine.hockney.beta_ns_per_byte, hop_per_byte_ns);
        if let Some(loggp) = &mut machine.loggp {
            set(&mut loggp.latency_us, fit.latency_us);
            set(&mut loggp.overhead_us, overheads / 2.0);
            set(&mut loggp.gap_us, fit.gap_us);
            set(&mut loggp.gap_per_byte_ns, hop_per_byte_ns);
        }
        if let Some(loggops) = &mut machine.loggops {
            set(&mut loggops.latency_us, fit.latency_us);
            set(&mut loggops.overhead_send_us, fit.overhead_send_us);
            set(&mut loggops.overhead_receive_us, fit.overhead_receive_us);
            set(&mut loggops.gap_us, fit.gap_us);
            set(&mut loggops.gap_per_byte_ns, fit.gap_per_byte_ns);
            set(&mut loggops.overhead_per_byte_ns, fit.overhead_per_byte_ns);
        }
        if let Some(inline) = &mut machine.inline {
            set(&mut inline.fetch_us, fit.fetch_us);
        }
        if let (Some(near), Some(us)) = (&mut machine.near, fit.near_latency_us) {
            set(&mut near.latency_us, us);
        }
        machine
    }
}
