//! States of a machine's cores: the distance of neighbours and the speed of each core.

use super::Machine;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Largest factor between the cache-line latencies of two observations of the same state.
pub const LINES_ALIKE: f64 = 1.5;
/// Largest factor between the times for the same work of two observations of the same state.
pub const WORK_ALIKE: f64 = 1.2;

/// State of the machine as two ranks observe it. Each state has parameters of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoreState {
    /// Latency of a cache line from one neighbour to the other, in ns.
    pub line_ns: f64,
    /// Time of the slowest of their cores for the work of an observation, in ns; `None` where it is not known. A core
    /// that shares its units with a program of another virtual machine is slower.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work_ns: Option<f64>,
}

impl CoreState {
    /// Whether both are the same state, as far as is known.
    pub fn is_like(&self, other: &CoreState) -> bool {
        let works = self.work_ns.zip(other.work_ns);
        within(self.line_ns, other.line_ns, LINES_ALIKE) && works.is_none_or(|(a, b)| within(a, b, WORK_ALIKE))
    }

    /// The state without the speed of the cores.
    pub fn at_any_speed(self) -> CoreState {
        CoreState { work_ns: None, ..self }
    }

    /// Distance of two states: the larger of the factors between their latencies and between their work, each as an
    /// exponent of the factor up to which they are alike.
    fn distance(&self, other: &CoreState) -> f64 {
        let far = |a: f64, b: f64, alike: f64| (a / b).ln().abs() / alike.ln();
        let works = self.work_ns.zip(other.work_ns).map_or(0.0, |(a, b)| far(a, b, WORK_ALIKE));
        far(self.line_ns, other.line_ns, LINES_ALIKE).max(works)
    }
}

impl Machine {
    /// State in which the machine's messages were exchanged; `None` if it changed or was not observed.
    pub fn core_state(&self) -> Option<CoreState> {
        self.line_ns.map(|line_ns| CoreState { line_ns, work_ns: self.work_ns })
    }

    /// This machine, then the same machine in the other states of its cores that the calibration met.
    pub fn states(&self) -> impl Iterator<Item = &Machine> {
        std::iter::once(self).chain(&self.other_states)
    }

    /// The machine in the state nearest to `wanted`; itself where `wanted` is `None` or no state is known.
    pub fn in_state(&self, wanted: Option<CoreState>) -> &Machine {
        let Some(wanted) = wanted else { return self };
        let known = self.states().filter_map(|state| Some((state.core_state()?.distance(&wanted), state)));
        known.min_by(|(one, _), (other, _)| one.total_cmp(other)).map_or(self, |(_, state)| state)
    }
}

/// Writes `33 ns`, and where the speed is known `33 ns (a core's work: 620 ns)`.
impl fmt::Display for CoreState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} ns", self.line_ns)?;
        self.work_ns.map_or(Ok(()), |ns| write!(f, " (a core's work: {ns:.0} ns)"))
    }
}

/// Reads a cache-line latency alone, or both values with a comma between: `33`, `33ns`, `33,620`.
impl FromStr for CoreState {
    type Err = String;

    fn from_str(text: &str) -> Result<CoreState, String> {
        let ns = |text: &str| {
            let text = text.trim();
            let ns = text.strip_suffix("ns").unwrap_or(text).trim().parse::<f64>().ok();
            ns.filter(|ns| ns.is_finite() && *ns > 0.0).ok_or_else(|| {
                "expected nanoseconds of a cache line, like 27 or 27ns, and of a core's work if they are known, like 27,620"
                    .to_owned()
            })
        };
        let (line, work) = text.split_once(',').map_or((text, None), |(line, work)| (line, Some(work)));
        Ok(CoreState { line_ns: ns(line)?, work_ns: work.map(ns).transpose()? })
    }
}

fn within(one: f64, other: f64, factor: f64) -> bool {
    (one / other).ln().abs() <= factor.ln()
}
