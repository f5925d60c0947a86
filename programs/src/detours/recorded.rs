//! Recording of one real rank, with the data needed to judge it, and the header of its file.

use super::{Collected, Collection, Method};
use models::noise::read::nanoseconds;
use models::time::Span;
use serde::{Deserialize, Serialize};

/// Recording of one rank. Its detours, or its counts of work, are in a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recorded {
    /// All results of the collection but the detours and the counts.
    #[serde(flatten)]
    pub collected: Collected,
    /// Number of detours or counts in the file.
    pub kept: u64,
    /// Time that they cover: the whole duration, unless there were more than could be kept.
    pub covered: Span,
    /// FTQ: summary of the counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<WorkDone>,
    /// Name of the rank's host.
    pub host: String,
    /// CPU to which the rank was bound.
    pub cpu: u32,
    /// Name of the rank's clock.
    pub clock: String,
    /// Rate of the clock, in Hz.
    pub hz: f64,
    /// Share of the time for which the rank had its CPU, as the operating system counts.
    pub cpu_share: f64,
    /// Number of involuntary context switches of the rank.
    pub preempted: u64,
    /// Time that a hypervisor took from the rank's CPU.
    pub stolen: Span,
}

/// Summary of counts of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkDone {
    /// Number of units in the interval with most.
    pub most: u32,
    /// Mean share that intervals lost against that interval.
    pub lost: f64,
    /// Largest share that an interval lost.
    pub worst: f64,
}

impl WorkDone {
    /// Summary of the counts of intervals; `None` where there are none.
    pub fn from_counts(counts: &[u32]) -> Option<WorkDone> {
        let (most, least) = (*counts.iter().max()?, *counts.iter().min()?);
        let share = |units: f64| 1.0 - units / f64::from(most.max(1));
        let mean = counts.iter().map(|&count| f64::from(count)).sum::<f64>() / counts.len() as f64;
        Some(WorkDone { most, lost: share(mean), worst: share(f64::from(least)) })
    }
}

impl Recorded {
    /// Share of the time that was lost.
    pub fn lost(&self) -> f64 {
        let Collected { watched, .. } = &self.collected;
        self.work.map_or(watched.taken.as_us() / watched.time.as_us().max(1e-6), |work| work.lost)
    }

    /// Name of the rank's file in the folder of the collection.
    pub fn file(&self, method: Method) -> String {
        let ending = if method == Method::Ftq { "counts" } else { "detours" };
        format!("rank-{:06}.{ending}", self.collected.watched.rank)
    }

    /// Header of the file without the length of the recording.
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
