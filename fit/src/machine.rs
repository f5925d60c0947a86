//! Fitted parameters as a machine file.

use crate::parameters::INLINE_LIMIT_BYTES;
use crate::{Fit, Parameter, Parameters, share};
use models::network::{Rendezvous, SendRule};
use programs::machine::{
    HockneyEstimate, InlineEstimate, JointFit, LogGopsEstimate, LogGpEstimate, Machine, NearEstimate, Provenance,
};

/// Factor of a range from which its parameter is said to be undetermined.
const UNDETERMINED: f64 = 3.0;

/// Makes the machine of a fit: each parameter with its range over all sets that are as good, some of these sets, and
/// notes on what the numbers do not determine.
pub fn machine(name: &str, provenance: Provenance, fit: &Fit) -> Machine {
    let one = |parameter: Parameter| fit.range(|all| all.get(parameter));
    let hockney = HockneyEstimate {
        alpha_us: fit.range(Parameters::hop_us),
        beta_ns_per_byte: fit.range(Parameters::hop_per_byte_ns),
        send_rule: SendRule::Eager,
    };
    let overhead = |all: &Parameters| (all.get(Parameter::OverheadSend) + all.get(Parameter::OverheadReceive)) / 2.0;
    Machine {
        control_us: fit.parameters.hop_us(),
        loggp: Some(LogGpEstimate {
            latency_us: one(Parameter::Latency),
            overhead_us: fit.range(overhead),
            gap_us: one(Parameter::Gap),
            gap_per_byte_ns: fit.range(Parameters::hop_per_byte_ns),
        }),
        loggops: Some(LogGopsEstimate {
            eager_limit_bytes: None,
            rendezvous: Rendezvous::default(),
            latency_us: one(Parameter::Latency),
            overhead_send_us: one(Parameter::OverheadSend),
            overhead_receive_us: one(Parameter::OverheadReceive),
            gap_us: one(Parameter::Gap),
            gap_per_byte_ns: one(Parameter::GapPerByte),
            overhead_per_byte_ns: one(Parameter::OverheadPerByte),
        }),
        inline: Some(InlineEstimate { limit_bytes: INLINE_LIMIT_BYTES, fetch_us: one(Parameter::Fetch) }),
        near: fit.parameters.near_us.map(|_| NearEstimate { latency_us: one(Parameter::Near) }),
        joint_fits: fit.joint().into_iter().map(joint).collect(),
        notes: notes(fit),
        ..Machine::new(name, provenance, hockney)
    }
}

/// Returns one set of parameters as machine files keep it.
pub(crate) fn joint(parameters: &Parameters) -> JointFit {
    JointFit {
        latency_us: parameters.get(Parameter::Latency),
        overhead_send_us: parameters.get(Parameter::OverheadSend),
        overhead_receive_us: parameters.get(Parameter::OverheadReceive),
        gap_us: parameters.get(Parameter::Gap),
        gap_per_byte_ns: parameters.get(Parameter::GapPerByte),
        overhead_per_byte_ns: parameters.get(Parameter::OverheadPerByte),
        fetch_us: parameters.get(Parameter::Fetch),
        near_latency_us: parameters.near_us,
    }
}

/// Returns notes on the parameters that the numbers do not determine.
fn notes(fit: &Fit) -> Vec<String> {
    let wide = fit.parameters.free().map(|parameter| (parameter, fit.range(|all| all.get(parameter))));
    let undetermined: Vec<String> = wide
        .filter(|(_, range)| range.high > UNDETERMINED * range.low)
        .map(|(parameter, range)| format!("{parameter} ({:.2} to {:.2} {})", range.low, range.high, parameter.unit()))
        .collect();
    let hop = fit.range(Parameters::hop_us);
    let sum = format!("L + os + or is {:.2} µs ({:.2} to {:.2})", hop.value, hop.low, hop.high);
    let errors = fit.errors;
    let mut notes = vec![format!(
        "fitted to {} printed numbers; half of them are predicted within {:.0} %, nine of ten within {:.0} %",
        errors.count,
        share(errors.median) * 100.0,
        share(errors.p90) * 100.0
    )];
    notes.push(match undetermined.is_empty() {
        true => format!("the numbers determine every parameter within a factor of {UNDETERMINED}; {sum}"),
        false => format!("the numbers do not determine {}; {sum}", undetermined.join(", ")),
    });
    notes
}
