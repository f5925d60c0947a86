//! Cases that a model misses most, with reasons as far as the data show them. Every reason names the numbers it rests
//! on.

use super::{MeasuredCase, Message, Validation, ValidationRow};
use crate::comparison::Verdict;
use programs::machine::Machine;
use programs::observation::Implementation;
use render::plots::numbers::{bytes, percent, significant};

/// Number of cases of each model that are reported.
const WORST: usize = 10;
/// Least |error| that needs a reason.
const SMALL: f64 = 0.05;
/// Reasons that explain at least this share of an error are reported.
const SHARE: f64 = 0.5;
/// Differences at other lengths are the same if they lie within this factor.
const ALIKE: f64 = 2.0;

/// Case that a model misses, with reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Worst {
    /// Row of the case under the model.
    pub row: ValidationRow,
    /// Reasons for the error, the likeliest first; never empty.
    pub reasons: Vec<String>,
}

/// Returns the worst cases of each model in turn, worst first.
pub(super) fn all(validation: &Validation, messages: &[Message]) -> Vec<Worst> {
    let mut all = Vec::new();
    for model in &validation.models {
        let mut rows: Vec<&ValidationRow> = validation.rows.iter().filter(|row| row.model == *model).collect();
        // A promise of half the time is as wrong as one of twice the time.
        rows.sort_by(|a, b| b.log_ratio().abs().total_cmp(&a.log_ratio().abs()));
        let worst = rows.into_iter().take(WORST).filter(|row| row.error.abs() >= SMALL);
        all.extend(worst.map(|row| Worst { row: row.clone(), reasons: reasons(validation, messages, row) }));
    }
    all
}

/// Data on a case and the machine on which it was predicted.
struct Known<'a> {
    row: &'a ValidationRow,
    measured: &'a MeasuredCase,
    machine: Option<&'a Machine>,
    validation: &'a Validation,
    messages: &'a [Message],
    /// Measured less predicted, in µs.
    missing_us: f64,
}

fn reasons(validation: &Validation, messages: &[Message], row: &ValidationRow) -> Vec<String> {
    let Some(measured) = validation.measured_of(&row.case) else { return vec![NOTHING.to_owned()] };
    let machine = validation.machine_of(&row.case);
    let missing_us = row.measured_us.value - row.predicted_us.value;
    let known = Known { row, measured, machine, validation, messages, missing_us };
    let looks = [
        known.within(),
        known.unsure(),
        known.clocks(),
        known.oversubscribed(),
        known.another_algorithm(),
        known.page_faults(),
        known.extrapolated(),
        known.single_messages(),
        known.protocol(),
        known.meeting(),
        known.combining(),
        known.same_everywhere(),
    ];
    let found: Vec<String> = looks.into_iter().flatten().collect();
    if found.is_empty() { vec![NOTHING.to_owned()] } else { found }
}

/// Stands where no look found anything.
const NOTHING: &str = "nothing in the data explains it";

impl Known<'_> {
    fn within(&self) -> Option<String> {
        let predicted = &self.row.predicted_us;
        (self.row.verdict == Verdict::Agrees && predicted.low < predicted.high).then(|| {
            let (low, high) = (significant(predicted.low), significant(predicted.high));
            format!("within the variation of single exchanges in the calibration: {low} … {high} µs")
        })
    }

    fn unsure(&self) -> Option<String> {
        let ValidationRow { measured_us, .. } = self.row;
        (measured_us.high - measured_us.low >= SHARE * self.missing_us.abs()).then(|| {
            let (low, high) = (significant(measured_us.low), significant(measured_us.high));
            let launches = self.measured.launches.len();
            format!(
                "the measurement is uncertain: {low} … {high} µs over {launches} {}",
                if launches == 1 { "launch" } else { "launches" }
            )
        })
    }

    fn clocks(&self) -> Option<String> {
        let bound = self.measured.clock_bound_us;
        (bound >= SHARE * self.missing_us.abs())
            .then(|| format!("clocks are known to ± {} µs only", significant(bound)))
    }

    fn oversubscribed(&self) -> Option<String> {
        self.measured.oversubscribed.then(|| {
            format!(
                "oversubscribed: {} ranks take turns on fewer cores, which no model includes",
                self.row.case.place.ranks
            )
        })
    }

    /// Returns the reason that the library's table was simulated, but its times are another algorithm's.
    fn another_algorithm(&self) -> Option<String> {
        let case = &self.row.case;
        if case.subject.implementation != Implementation::Library {
            return None;
        }
        let mut of = self.validation.library.iter().filter(|library| {
            (library.place, library.collective, library.ranks)
                == (self.row.place(), case.subject.collective, case.place.ranks)
        });
        let found = of.find_map(|library| library.lengths.iter().find(|length| length.bytes == case.subject.bytes))?;
        let (table, seen) = (found.table.as_ref()?, found.by_measurement.as_ref()?);
        found
            .contradicts()
            .then(|| format!("predicted as {table}, the choice of its table; its times match: {}", seen.words()))
    }

    /// Returns the reason that the system gave the library pages in each call. Predictions count them where their price
    /// is known, without the further cost of memory that no cache has seen.
    fn page_faults(&self) -> Option<String> {
        let (rank, &pages) = (0..).zip(&self.measured.page_faults).max_by_key(|(_, pages)| **pages)?;
        let each_us = self.machine.and_then(|machine| machine.page_fault_us).map(|page| page.value);
        let price = match each_us {
            Some(us) => format!("predicted as {} µs, {} µs each", significant(us * f64::from(pages)), significant(us)),
            None => "no prediction counts them, since the calibration did not time pages".to_owned(),
        };
        (pages > 0).then(|| format!("rank {rank} has {pages} page faults in each call: {price}"))
    }

    /// Returns the length of the case's longest message, in bytes.
    fn longest(&self) -> Option<u64> {
        self.measured.traffic.map(|traffic| traffic.longest_bytes)
    }

    fn extrapolated(&self) -> Option<String> {
        let calibrated = self.machine?.transfer.iter().map(|point| point.bytes).max()?;
        let longest = self.longest()?;
        (longest > calibrated).then(|| {
            let (longest, calibrated) = (bytes(longest), bytes(calibrated));
            format!("messages of {longest}, calibrated up to {calibrated}: extrapolated, and caches may end between")
        })
    }

    /// Returns the model's prediction for the calibrated length that is nearest to the case's longest message.
    fn nearest(&self) -> Option<&Message> {
        let (longest, machine) = (self.longest()?, &self.machine?.name);
        let of_model = self.messages.iter().filter(|one| one.machine == *machine && one.model == self.row.model);
        of_model.min_by_key(|one| one.bytes.abs_diff(longest))
    }

    /// Returns the reason that the model misses single messages of that length by as much.
    fn single_messages(&self) -> Option<String> {
        let nearest = self.nearest()?;
        let error = nearest.predicted_us / nearest.measured_us - 1.0;
        let explains = error * self.row.error > 0.0 && error.abs() >= SHARE * self.row.error.abs();
        explains.then(|| {
            let nearby = if self.longest() == Some(nearest.bytes) { "" } else { ", the nearest calibrated length," };
            format!("single messages of {}{nearby} are mispredicted as much: {}", bytes(nearest.bytes), percent(error))
        })
    }

    fn protocol(&self) -> Option<String> {
        let longest = self.longest()?;
        let machine = self.machine?;
        let passed = machine.protocol.iter().rev().find(|change| longest > change.last_bytes);
        if let Some(change) = passed {
            let way = if change.waits { "senders wait for receivers" } else { "the library sends in another way" };
            return Some(format!("messages of {}: above {} {way}", bytes(longest), bytes(change.last_bytes)));
        }
        let limit = machine.loggops.as_ref()?.eager_limit_bytes?;
        (longest > limit).then(|| format!("messages of {}: beyond the eager limit of {}", bytes(longest), bytes(limit)))
    }

    fn meeting(&self) -> Option<String> {
        let meeting = self.measured.traffic?.meeting;
        (meeting > 1).then(|| format!("contention: messages from {meeting} ranks reach one rank at a time"))
    }

    /// Returns the reason that combining takes time. It cannot explain a prediction that is too long, nor one that
    /// counts it.
    fn combining(&self) -> Option<String> {
        if self.machine.is_some_and(Machine::has_memory) {
            return None;
        }
        let combined = self.measured.traffic?.combined_bytes;
        (combined > 0 && self.missing_us > 0.0).then(|| {
            format!("a rank combines {}, {} ns/B if this were the only cost; no model includes it", bytes(combined), {
                significant(self.missing_us * 1e3 / combined as f64)
            })
        })
    }

    /// Returns the reason that the same time is missing at all lengths: a cost of the call, not of bytes.
    fn same_everywhere(&self) -> Option<String> {
        let same = |row: &&ValidationRow| {
            let (a, b) = (&row.case, &self.row.case);
            row.model == self.row.model
                && (a.place.world, a.place.carrier, a.subject.collective, a.place.ranks)
                    == (b.place.world, b.place.carrier, b.subject.collective, b.place.ranks)
                && a.subject.implementation == b.subject.implementation
        };
        let rows = self.validation.rows.iter().filter(same);
        let missing: Vec<f64> = rows.map(|row| row.measured_us.value - row.predicted_us.value).collect();
        let alike =
            |us: &f64| us / self.missing_us <= ALIKE && self.missing_us / us <= ALIKE && us * self.missing_us > 0.0;
        (missing.len() > 2 && missing.iter().all(alike)).then(|| {
            let (sign, size) = if self.missing_us > 0.0 { ("missing", 1.0) } else { ("too many", -1.0) };
            let ends = missing
                .iter()
                .map(|us| us * size)
                .fold((f64::INFINITY, 0.0f64), |ends, us| (ends.0.min(us), ends.1.max(us)));
            let (low, high) = (significant(ends.0), significant(ends.1));
            format!("{low} … {high} µs are {sign} at every length: a cost of each call, not of bytes")
        })
    }
}
