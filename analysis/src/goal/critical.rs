//! The critical path of a run, for readers and for programs.

use goal::Schedule;
use goal::{ChosenNoise, CriticalPath, LatencyRange, PathError, Terms};
use models::network::Network;
use models::time::Time;
use questions::show::microseconds;
use render::columns;
use render::data::{Cell, Filled, Known, Table};
use render::page::Section;
use std::fmt;

/// Number of operations that are printed from either end of the path.
const SHOWN: usize = 10;

const TERM: Known = Known::text("parameter", "a parameter, or `calc` and `noise`", "L");
const OCCURS: Known = Known::integer("occurs", "", "how much of it is on the path, in `unit`", "2");

/// A critical path and its schedule.
pub(super) struct Critical<'a> {
    pub schedule: &'a Schedule,
    pub path: CriticalPath,
    /// The finish time as a function of latency, T(L) = a + n·L; `None` where the model has no L.
    pub line: Option<LatencyLine>,
}

/// The line T(L) = a + n·L.
#[derive(Clone, Copy)]
pub(super) struct LatencyLine {
    /// Finish time at zero latency, a.
    at_zero: Time,
    /// Number of latencies on the path, n.
    flights: u64,
    /// Range of L in which runs found the line to hold.
    range: LatencyRange,
}

impl<'a> Critical<'a> {
    /// Follows the last finish back to the start.
    ///
    /// # Errors
    /// Fails where [`goal::critical_path`] does.
    pub(super) fn find(
        schedule: &'a Schedule,
        network: &Network,
        noise: ChosenNoise<'_>,
    ) -> Result<Critical<'a>, PathError> {
        let path = noise.critical_path(schedule, network)?;
        let line = match path.line_in_latency(network) {
            Ok((at_zero, flights)) => {
                Some(LatencyLine { at_zero, flights, range: noise.latency_range(schedule, network, &path)? })
            }
            Err(_) => None,
        };
        Ok(Critical { schedule, path, line })
    }

    /// Returns the counts and times that are not zero, as (name, value, unit).
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

    /// The tables of the terms and of the operations, in the order of the path.
    pub(super) fn tables(&self) -> [Table; 2] {
        let terms: [Filled<(&str, u64, &str)>; 3] = [
            (TERM.column(), &|(name, ..)| (*name).into()),
            (OCCURS.column(), &|(_, value, _)| (*value).into()),
            (columns::UNIT.column(), &|(.., unit)| (*unit).into()),
        ];
        let op = |op: u32| self.schedule.ops()[op as usize];
        let path: [Filled<u32>; 3] = [
            (columns::RANK.column(), &|of| self.schedule.rank_of(*of).into()),
            (columns::TEXT_LINE.column(), &|of| op(*of).line.into()),
            (columns::OPERATION.column(), &|of| op(*of).to_string().into()),
        ];
        [Table::from_rows("terms", &self.parts(), &terms), Table::from_rows("critical_path", &self.path.ops, &path)]
    }

    /// Returns the end of the path, and the line T(L) with the range in which it was found to hold.
    pub(super) fn facts(&self) -> Vec<(&'static str, Cell)> {
        let line = self.line.as_ref();
        vec![
            ("end_ps", self.path.finish.0.into()),
            ("at_zero_ps", line.map(|line| line.at_zero.0).into()),
            ("per_latency", line.map(|line| line.flights).into()),
            ("from_ps", line.map(|line| line.range.from.0).into()),
            ("to_ps", line.and_then(|line| line.range.to).map(|to| to.0).into()),
        ]
    }

    pub(super) fn section(&self) -> Section {
        let parts: Vec<String> =
            self.parts().iter().map(|(name, value, what)| format!("{name}: {value} {what}")).collect();
        let ops = &self.path.ops;
        let shown = |(index, &op): (usize, &u32)| match index {
            index if index < SHOWN || index + SHOWN >= ops.len() => Some(self.schedule.describe(op)),
            SHOWN => Some(format!("… {} more …", ops.len() - 2 * SHOWN)),
            _ => None,
        };
        Section::new("Critical path")
            .with_paragraphs([format!("{} operations; {}", ops.len(), parts.join(", "))])
            .with_paragraphs(self.line.map(|line| line.to_string()))
            .with_list(ops.iter().enumerate().filter_map(shown))
    }
}

impl fmt::Display for LatencyLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LatencyLine { at_zero, flights, range } = self;
        write!(f, "T(L) = {} µs + {flights} L, as runs found, ", microseconds(*at_zero))?;
        let from = microseconds(Time(range.from.0));
        match range.to {
            Some(to) => write!(f, "from L = {from} µs to {} µs", microseconds(Time(to.0))),
            None => write!(f, "from L = {from} µs on"),
        }
    }
}
