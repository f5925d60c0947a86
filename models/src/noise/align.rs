//! Traces of one collection on one time axis. Headers hold the begin of each on the global clock (`start_global_ns`)
//! and the drift of that clock against the rank's own (`drift_ppb`, parts per billion). A trace without a begin began
//! at 0.

use super::trace::{Detour, DetourTrace};
use crate::time::{Span, Time};

const BILLION: i128 = 1_000_000_000;

/// Detours of several CPUs, and the time for which all were recorded, in global times in ps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aligned {
    /// Begin of the last recording to begin.
    pub begin: i128,
    /// End of the first recording to end.
    pub end: i128,
    /// Start and end of each trace's detours, which are disjoint. Detours outside the common time are included.
    pub detours: Vec<Vec<(i128, i128)>>,
}

impl Aligned {
    /// Puts traces on one axis.
    ///
    /// # Errors
    /// Fails if there is no trace, if a number in a header cannot be read, or if the traces have no time in common.
    pub fn from_traces(traces: &[DetourTrace]) -> Result<Aligned, String> {
        let axes = traces.iter().map(Axis::from_trace).collect::<Result<Vec<Axis>, String>>()?;
        let begin = axes.iter().map(|axis| axis.start).max().ok_or("expected recorded detours, found none")?;
        let end = axes.iter().zip(traces).map(|(axis, trace)| axis.at(trace.length.0)).min().unwrap_or(begin);
        if u64::try_from(end - begin).ok().filter(|&length| length > 0).is_none() {
            return Err("the traces have no time in common; expected those of one collection".to_owned());
        }
        let detours = axes.iter().zip(traces).map(|(axis, trace)| {
            trace.apart().into_iter().map(|(start, stop)| (axis.at(start), axis.at(stop))).collect()
        });
        Ok(Aligned { begin, end, detours: detours.collect() })
    }

    /// Duration for which all were recorded together.
    pub fn length(&self) -> Span {
        Span((self.end - self.begin) as u64)
    }

    /// Part of a stretch that lies within the common time, counted from its begin.
    pub fn within(&self, (from, to): (i128, i128)) -> Option<(u64, u64)> {
        let (start, stop) = (from.max(self.begin), to.min(self.end));
        (start < stop).then(|| ((start - self.begin) as u64, (stop - self.begin) as u64))
    }

    /// Traces, each with the part of it that lies within the common time.
    pub(super) fn traces(&self, of: &[DetourTrace]) -> Vec<DetourTrace> {
        let length = self.length();
        let cut = |(trace, detours): (&DetourTrace, &Vec<(i128, i128)>)| {
            let inside = detours.iter().filter_map(|&stretch| self.within(stretch));
            let detours = inside.map(|(start, stop)| Detour { start: Time(start), duration: Span(stop - start) });
            DetourTrace { length, detours: detours.collect(), ..trace.clone() }
        };
        of.iter().zip(&self.detours).map(cut).collect()
    }
}

/// Position of a trace on the global clock.
struct Axis {
    start: i128,
    drift_ppb: i128,
}

impl Axis {
    fn from_trace(trace: &DetourTrace) -> Result<Axis, String> {
        let number = |key: &str| match trace.says(key).map(str::parse::<f64>) {
            None => Ok(0.0),
            Some(Ok(number)) if number.abs() < 1e18 => Ok(number),
            Some(_) => {
                Err(format!("{}: {key}: expected a number, found '{}'", trace.name, trace.says(key).unwrap_or("")))
            }
        };
        let (start_ns, drift_ppb) = (number("start_global_ns")?, number("drift_ppb")?);
        Ok(Axis { start: (start_ns * 1e3).round() as i128, drift_ppb: drift_ppb.round() as i128 })
    }

    /// Global time of a local instant of the trace, in ps.
    fn at(&self, local: u64) -> i128 {
        let local = i128::from(local);
        self.start + local + (local * self.drift_ppb).div_euclid(BILLION)
    }
}
