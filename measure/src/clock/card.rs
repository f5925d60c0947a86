//! Report card of a clock: steps, cost of a read, and rate against the raw clock.

use super::{ClockSource, Counter, Rate, RealClock, chosen, rate};
use crate::board::host_name;
use crate::with_clock;
use models::clock::{ClockKind, ReportCard};
use std::time::{Duration, Instant};

/// Number of reads in a row, unless they take long: a slow clock shows its steps in fewer.
const READS: u64 = 1_000_000;
const LONGEST: Duration = Duration::from_secs(1);
/// Number of batches, whose median is the cost of a read, and reads in each.
const BATCHES: usize = 51;
const BATCH: u64 = 1_000;

/// Makes the report card of a clock, in about half a second.
///
/// # Errors
///
/// Fails for a clock that can be read in MPI programs only.
pub fn report_card(kind: ClockKind) -> Result<ReportCard, String> {
    let kind = chosen(kind, Counter.trusted().is_ok());
    with_clock!(kind, |clock| Ok(report_card_of(clock)),
        mpi_wtime => Err(format!("{kind} can be read by MPI ranks only; ask for it with --world openmpi or mpich")))
}

/// Makes the report card of a clock as ranks read it.
pub fn report_card_of(source: impl ClockSource) -> ReportCard {
    let clock = source.clock();
    let distrust = clock.trusted().err();
    let rate = clock.rate();
    let ns = |ticks: u64| ticks as f64 / rate.ticks_per_second * 1e9;
    let (steps, reads) = Steps::taken(source);
    let (against_raw_ppm, against_raw_error_ppm) = match clock.kind() {
        ClockKind::ClockMonotonicRaw => (0.0, 0.0),
        ClockKind::Automatic
        | ClockKind::Tsc
        | ClockKind::ClockMonotonic
        | ClockKind::Gettimeofday
        | ClockKind::MpiWtime => rate::against_raw(source, rate.ticks_per_second, steps.common.max(1)),
    };
    let Rate { ticks_per_second, repeated_ppm } = rate;
    ReportCard {
        clock: clock.kind(),
        name: clock.name().to_owned(),
        host: host_name(),
        distrust,
        ticks_per_second,
        repeated_ppm,
        granularity_ns: ns(steps.common),
        smallest_step_ns: ns(steps.smallest),
        read_ns: read_cost(source),
        read_at_once_ns: None,
        reads,
        backwards: steps.backwards,
        largest_step_back_ns: ns(steps.largest_back),
        against_raw_ppm,
        against_raw_error_ppm,
        processes: None,
    }
}

/// Steps of a clock from read to read, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Steps {
    /// Greatest common divisor of all steps.
    common: u64,
    smallest: u64,
    backwards: u64,
    largest_back: u64,
}

impl Steps {
    /// Reads the clock in a row. Returns its steps and the number of reads.
    fn taken(clock: impl ClockSource) -> (Steps, u64) {
        let began = Instant::now();
        let (mut last, mut steps, mut reads) = (clock.read().0, Steps::default(), 0);
        while reads < READS && began.elapsed() < LONGEST {
            for _ in 0..BATCH {
                let now = clock.read().0;
                steps.add(last, now);
                last = now;
            }
            reads += BATCH;
        }
        (steps, reads)
    }

    fn add(&mut self, last: u64, now: u64) {
        if now < last {
            self.backwards += 1;
            self.largest_back = self.largest_back.max(last - now);
        } else if now > last {
            let step = now - last;
            self.smallest = if self.smallest == 0 { step } else { self.smallest.min(step) };
            self.common = if self.common == 0 { step } else { greatest_common_divisor(self.common, step) };
        }
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns the median cost of a read in ns, by the standard library's clock.
pub fn read_cost(clock: impl ClockSource) -> f64 {
    let batch = |_| {
        let began = Instant::now();
        for _ in 0..BATCH {
            std::hint::black_box(clock.read());
        }
        began.elapsed().as_nanos() as f64 / BATCH as f64
    };
    let mut costs: Vec<f64> = (0..BATCHES).map(batch).collect();
    costs.sort_by(f64::total_cmp);
    costs[BATCHES / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_as_they_are() {
        let mut steps = Steps::default();
        [(10, 40), (40, 40), (40, 100), (100, 95), (95, 110)].iter().for_each(|&(last, now)| steps.add(last, now));
        assert_eq!(steps, Steps { common: 15, smallest: 15, backwards: 1, largest_back: 5 });
    }

    #[test]
    fn gettimeofday_moves_in_steps_of_a_microsecond_and_the_raw_clock_does_not() {
        let card = report_card(ClockKind::Gettimeofday).unwrap();
        assert_eq!(card.granularity_ns, 1_000.0);
        assert!(card.remarks().contains("1000 ns"), "{}", card.remarks());
        let card = report_card(ClockKind::ClockMonotonicRaw).unwrap();
        assert!(card.granularity_ns < 1_000.0 && card.backwards == 0 && card.read_ns > 0.0, "{card:?}");
        insta::assert_snapshot!(report_card(ClockKind::MpiWtime).unwrap_err());
    }
}
