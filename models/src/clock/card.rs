//! A clock's report card: findings about it on one machine, and their meaning.

use super::ClockKind;
use super::beside::{Beside, ClockConclusions, length};
use serde::{Deserialize, Serialize};

/// Quality of a clock on one machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportCard {
    /// Clock that the card is about.
    pub clock: ClockKind,
    /// Name of the clock on this machine, like `tsc` or `cntvct_el0`.
    pub name: String,
    /// Name of the machine.
    pub host: String,
    /// Reason why the machine does not vouch for the clock, if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distrust: Option<String>,
    /// Rate of the clock, in Hz.
    pub ticks_per_second: f64,
    /// Difference of two measurements of its rate, in ppm; 0 where the rate is known.
    pub repeated_ppm: f64,
    /// Number of ns of which all readings are multiples.
    pub granularity_ns: f64,
    /// Smallest step between two reads in a row that was not zero, in ns.
    pub smallest_step_ns: f64,
    /// Cost of a read in ns, the median over batches.
    pub read_ns: f64,
    /// Cost of a read in ns where all ranks read at once, as they do before and behind a collective call, on the rank
    /// with the dearest reads. A timer outside of the processor's cores is read by one rank after the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at_once_ns: Option<f64>,
    /// Number of reads in a row that were compared.
    pub reads: u64,
    /// Number of reads that were earlier than the one before.
    pub backwards: u64,
    /// Largest step back, in ns.
    pub largest_step_back_ns: f64,
    /// Difference of its rate from that of `CLOCK_MONOTONIC_RAW`, in ppm; positive where it runs faster.
    pub against_raw_ppm: f64,
    /// Uncertainty of that difference, ± ppm.
    pub against_raw_error_ppm: f64,
    /// Findings of all ranks, where every process has such a clock of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<Processes>,
}

/// Findings of all ranks about a clock that every process has for itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Processes {
    /// Library and version, host and clock.
    pub ran_by: String,
    /// Whether the library says that all processes read the same time.
    pub says_global: bool,
    /// Looks of each rank, in rank order.
    pub ranks: Vec<Beside>,
}

crate::named! {
    /// Conclusion from a report card.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Verdict {
        /// Fit for timing calls of a microsecond.
        Good => "good",
        /// Fit for durations that are long against its weaknesses.
        Limited => "limited",
        /// Unfit for any measurement.
        Bad => "bad",
    }
    /// The name used in files and output.
    fn name;
    Display(name);
}

/// Largest difference of rates that is no sign of a wrong clock or a wrong measurement, in ppm.
pub const LARGEST_DISAGREEMENT_PPM: f64 = 1.0;
/// Largest granularity that is lost in a call of a microsecond, in ns.
const FINE_NS: f64 = 50.0;
/// Largest cost of a read that is not seen in the time of a call of a microsecond, in ns.
const CHEAP_NS: f64 = 200.0;
/// Factor of cost above which ranks that read at once wait for each other's reads. Two ranks on one core pay twice
/// without that.
const TURNS: f64 = 3.0;

impl ReportCard {
    /// Returns the cost of a read where ranks time a call, in ns: every time is longer by as much.
    pub fn read_in_calls_ns(&self) -> f64 {
        self.read_at_once_ns.map_or(self.read_ns, |at_once| at_once.max(self.read_ns))
    }

    /// Returns the worst verdict of all findings; good where there are none.
    pub fn verdict(&self) -> Verdict {
        self.findings().iter().map(|(verdict, _)| *verdict).max().unwrap_or(Verdict::Good)
    }

    /// Returns what is wrong with the clock, in words, or that nothing is.
    pub fn remarks(&self) -> String {
        let words: Vec<String> = self.findings().into_iter().map(|(_, words)| words).collect();
        if words.is_empty() { "nothing wrong with it".to_owned() } else { words.join("; ") }
    }

    fn findings(&self) -> Vec<(Verdict, String)> {
        let mut all = Vec::new();
        if let Some(reason) = &self.distrust {
            all.push((Verdict::Bad, reason.clone()));
        }
        if self.backwards > 0 {
            let (backwards, by) = (self.backwards, self.largest_step_back_ns);
            all.push((Verdict::Bad, format!("ran backwards {backwards} times, by up to {by:.0} ns")));
        }
        if self.repeated_ppm > LARGEST_DISAGREEMENT_PPM {
            let apart = self.repeated_ppm;
            all.push((Verdict::Bad, format!("two measurements of its rate differ by {apart:.2} ppm, more than 1")));
        }
        if self.granularity_ns > FINE_NS {
            let (step, of_one_us) = (self.granularity_ns, self.granularity_ns / 10.0);
            let words = format!("moves in steps of {step:.0} ns: 1 µs is wrong by up to {of_one_us:.0} %");
            all.push((Verdict::Limited, words));
        }
        let (cost, alone) = (self.read_in_calls_ns(), self.read_ns);
        if cost > CHEAP_NS {
            let turns = if cost > TURNS * alone {
                format!(" where all ranks read at once, and {alone:.0} ns alone: they take turns")
            } else {
                String::new()
            };
            all.push((Verdict::Limited, format!("a read costs {cost:.0} ns{turns}; each time is longer by one read")));
        }
        if self.against_raw_ppm.abs() > LARGEST_DISAGREEMENT_PPM + self.against_raw_error_ppm {
            let (ppm, after_ten_seconds) = (self.against_raw_ppm, self.against_raw_ppm.abs() * 10.0);
            let words = format!("runs {ppm:+.2} ppm against the raw clock: {after_ten_seconds:.0} µs after 10 s");
            all.push((Verdict::Limited, words));
        }
        let global = self
            .processes
            .as_ref()
            .filter(|all| all.says_global)
            .and_then(|all| ClockConclusions::from_ranks(&all.ranks));
        if let Some(apart) = global.filter(ClockConclusions::differs).and_then(|found| found.apart_us) {
            let apart = length(apart);
            all.push((Verdict::Limited, format!("said to be global, but ranks of one host are {apart} apart")));
        }
        match self.clock {
            ClockKind::Gettimeofday => all.push((Verdict::Limited, "can be set while it is read".to_owned())),
            ClockKind::Automatic
            | ClockKind::Tsc
            | ClockKind::ClockMonotonic
            | ClockKind::ClockMonotonicRaw
            | ClockKind::MpiWtime => {}
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card() -> ReportCard {
        ReportCard {
            clock: ClockKind::Tsc,
            name: "tsc".to_owned(),
            host: "node7".to_owned(),
            distrust: None,
            ticks_per_second: 2.1e9,
            repeated_ppm: 0.2,
            granularity_ns: 0.5,
            smallest_step_ns: 20.0,
            read_ns: 22.0,
            read_at_once_ns: Some(25.0),
            reads: 1_000_000,
            backwards: 0,
            largest_step_back_ns: 0.0,
            against_raw_ppm: 0.1,
            against_raw_error_ppm: 0.4,
            processes: None,
        }
    }

    #[test]
    fn the_worst_finding_is_the_verdict() {
        assert_eq!(card().verdict(), Verdict::Good);
        let coarse = ReportCard { granularity_ns: 1_000.0, clock: ClockKind::Gettimeofday, ..card() };
        assert_eq!(coarse.verdict(), Verdict::Limited);
        let backwards = ReportCard { backwards: 3, largest_step_back_ns: 70.0, ..coarse.clone() };
        assert_eq!(backwards.verdict(), Verdict::Bad);
        let apart = ReportCard { repeated_ppm: 1.5, ..card() };
        assert_eq!(apart.verdict(), Verdict::Bad);
        let slewed = ReportCard { against_raw_ppm: -11.0, ..card() };
        let unknown = ReportCard { against_raw_ppm: 11.0, against_raw_error_ppm: 12.0, ..card() };
        assert_eq!(unknown.verdict(), Verdict::Good, "nothing is held against it that was not found out");
        let slow = ReportCard { read_ns: 900.0, ..card() };
        let queued = ReportCard { read_ns: 700.0, read_at_once_ns: Some(11_500.0), ..card() };
        assert_eq!([&slow, &queued].map(ReportCard::read_in_calls_ns), [900.0, 11_500.0]);
        assert_eq!(ReportCard { read_at_once_ns: None, ..card() }.read_in_calls_ns(), 22.0);
        let said = [card(), coarse, backwards, apart, slewed, unknown, slow, queued].map(|card| card.remarks());
        insta::assert_snapshot!(said.join("\n"));
    }
}
