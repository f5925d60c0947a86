//! What one rank of real ranks recorded, with what must be known to judge it, and the header of its file.

use super::{Collected, Collection, Method};
use crate::noise::read::nanoseconds;
use crate::time::Span;
use serde::{Deserialize, Serialize};

/// What one rank recorded; its detours, or its counts of work, are in a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// All but the detours and the counts.
    #[serde(flatten)]
    pub collected: Collected,
    /// How many of them are in the file.
    pub kept: u64,
    /// How much of the time they cover: all of it, unless there were more than could be kept.
    pub covered: Span,
    /// FTQ: what its counts say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<WorkDone>,
    /// Where the rank was.
    pub host: String,
    /// The CPU that it stayed on.
    pub cpu: u32,
    /// The clock that it read.
    pub clock: String,
    /// Its rate.
    pub hz: f64,
    /// The share of the time that it had its CPU, as the operating system counts.
    pub cpu_share: f64,
    /// How often it lost its CPU though it wanted to go on.
    pub preempted: u64,
    /// The time that a hypervisor took from its CPU.
    pub stolen: Span,
}

/// What counts of work amount to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkDone {
    /// Units in the interval with most.
    pub most: u32,
    /// The mean share that intervals lost against that.
    pub lost: f64,
    /// The largest share that one lost.
    pub worst: f64,
}

impl WorkDone {
    /// Of intervals; none of none.
    pub fn of(counts: &[u32]) -> Option<WorkDone> {
        let (most, least) = (*counts.iter().max()?, *counts.iter().min()?);
        let share = |units: f64| 1.0 - units / f64::from(most.max(1));
        let mean = counts.iter().map(|&count| f64::from(count)).sum::<f64>() / counts.len() as f64;
        Some(WorkDone { most, lost: share(mean), worst: share(f64::from(least)) })
    }
}

impl Recorded {
    /// The share of the time that was lost.
    pub fn lost(&self) -> f64 {
        let Collected { watched, .. } = &self.collected;
        self.work.map_or(watched.taken.as_us() / watched.time.as_us().max(1e-6), |work| work.lost)
    }

    /// The name of its file, in the folder of the collection.
    pub fn file(&self, method: Method) -> String {
        let ending = if method == Method::Ftq { "counts" } else { "detours" };
        format!("rank-{:06}.{ending}", self.collected.watched.rank)
    }

    /// What the file says of itself, all but its length.
    pub fn header(&self, collection: &Collection, ranks: u32) -> Vec<(String, String)> {
        let Collected { watched, least, begun, start_ticks, bounds, drift_ppb, .. } = &self.collected;
        let ns = |span: Span| nanoseconds(span.0);
        let mut keys = vec![
            ("rank", watched.rank.to_string()),
            ("ranks", ranks.to_string()),
            ("host", self.host.clone()),
            ("cpu", self.cpu.to_string()),
            ("method", collection.method.name().to_owned()),
        ];
        match collection.method {
            Method::Fwq => keys.push(("baseline", collection.baseline.name().to_owned())),
            Method::Ftq => keys.push(("interval_ns", ns(collection.interval))),
            Method::Selfish => {}
        }
        if collection.method != Method::Ftq {
            keys.extend([
                ("quantum_min_ns", ns(*least)),
                ("quantum_mode_ns", ns(watched.usual)),
                ("threshold_ns", ns(watched.threshold)),
                ("detours", watched.detours.to_string()),
                ("kept", self.kept.to_string()),
                ("taken_ns", ns(watched.taken)),
                ("recorded_ns", ns(watched.time)),
            ]);
        }
        keys.extend([
            ("start_global_ns", ns(*begun)),
            ("offset_bound_start_ns", ns(bounds[0])),
            ("offset_bound_end_ns", ns(bounds[1])),
            ("drift_ppb", drift_ppb.to_string()),
            ("clock", self.clock.clone()),
            ("hz", self.hz.to_string()),
            ("start_ticks", start_ticks.to_string()),
            ("cpu_share", format!("{:.6}", self.cpu_share)),
            ("involuntary_switches", self.preempted.to_string()),
            ("steal_ns", ns(self.stolen)),
        ]);
        keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }
}
