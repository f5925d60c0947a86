//! The critical path of a run, for people and for programs.

use goal::Schedule;
use goal::{CriticalPath, Disturbance, LatencyRange, PathError, Terms, latency_range};
use lessons::show::microseconds;
use models::network::Network;
use models::time::Time;
use serde_json::{Value, json};
use std::fmt::{self, Write};

/// So many operations are printed from either end of the path.
const SHOWN: usize = 10;

/// A critical path and its schedule.
pub(super) struct Critical<'a> {
    pub schedule: &'a Schedule,
    pub path: CriticalPath,
    /// T(L) = a + n·L, where the model has an L.
    pub line: Option<Line>,
}

/// T(L) = a + n·L.
#[derive(Clone, Copy)]
pub(super) struct Line {
    /// a.
    at_zero: Time,
    /// n.
    flights: u64,
    /// Where it was found to hold.
    range: LatencyRange,
}

impl<'a> Critical<'a> {
    /// Follows the last finish back to the start.
    ///
    /// # Errors
    /// See [`goal::critical_path`].
    pub(super) fn find<D: Disturbance>(
        schedule: &'a Schedule,
        network: &Network,
        noise: &D,
    ) -> Result<Critical<'a>, PathError> {
        let path = goal::critical_path(schedule, network, noise)?;
        let line = match path.line_in_latency(network) {
            Ok((at_zero, flights)) => {
                Some(Line { at_zero, flights, range: latency_range(schedule, network, noise, &path)? })
            }
            Err(_) => None,
        };
        Ok(Critical { schedule, path, line })
    }

    /// Those counts and times that are not zero, as (name, value, what it is).
    fn parts(&self) -> Vec<(&'static str, u64, &'static str)> {
        let Terms { latencies, sends, receives, gaps, alphas, .. } = self.path.terms;
        let Terms { gap_bytes, overhead_bytes, beta_bytes, calculations, noise, .. } = self.path.terms;
        let all = [
            ("L", latencies, "times"),
            ("os", sends, "times"),
            ("or", receives, "times"),
            ("g", gaps, "times"),
            ("G", gap_bytes, "bytes"),
            ("O", overhead_bytes, "bytes"),
            ("alpha", alphas, "times"),
            ("beta", beta_bytes, "bytes"),
            ("calc", calculations.0, "ps"),
            ("noise", noise.0, "ps"),
        ];
        all.into_iter().filter(|(_, value, _)| *value > 0).collect()
    }

    pub(super) fn json(&self) -> Value {
        let named = |&op: &u32| {
            let what = self.schedule.ops()[op as usize];
            json!({ "rank": self.schedule.rank_of(op), "line": what.line, "op": what.to_string() })
        };
        let terms: serde_json::Map<String, Value> =
            self.parts().into_iter().map(|(name, value, _)| (name.to_owned(), json!(value))).collect();
        let ops: Vec<Value> = self.path.ops.iter().map(named).collect();
        let finish = self.path.finish.0;
        let line = self.line.map(|Line { at_zero, flights, range }| {
            json!({ "at_zero_ps": at_zero, "per_latency": flights, "from_ps": range.from, "to_ps": range.to })
        });
        json!({ "end_ps": finish, "terms": terms, "line_in_latency": line, "ops": ops })
    }

    pub(super) fn text(&self) -> String {
        let parts: Vec<String> =
            self.parts().iter().map(|(name, value, what)| format!("{name}: {value} {what}")).collect();
        let ops = &self.path.ops;
        let mut text = format!("  critical   {} operations; {}\n", ops.len(), parts.join(", "));
        if let Some(line) = &self.line {
            let _ = writeln!(text, "{:>12} {line}", "");
        }
        for (index, &op) in ops.iter().enumerate() {
            if index < SHOWN || index + SHOWN >= ops.len() {
                let _ = writeln!(text, "{:>12} {}", "", self.schedule.describe(op));
            } else if index == SHOWN {
                let _ = writeln!(text, "{:>12} … {} more …", "", ops.len() - 2 * SHOWN);
            }
        }
        text
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line { at_zero, flights, range } = self;
        write!(f, "T(L) = {} µs + {flights} L, as runs found, ", microseconds(*at_zero))?;
        let from = microseconds(Time(range.from.0));
        match range.to {
            Some(to) => write!(f, "from L = {from} µs to {} µs", microseconds(Time(to.0))),
            None => write!(f, "from L = {from} µs on"),
        }
    }
}
