//! Duration of a quantum of work where nothing disturbs it.

use super::histogram::Histogram;

models::named! {
    /// Reference with which a quantum's duration is compared.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Baseline {
        /// Most frequent duration so far.
        #[default]
        Mode => "mode",
        /// Most frequent duration among the last 4096, for CPUs whose clock frequency steps.
        Rolling => "rolling",
        /// Shortest duration so far, which other tools take. Where the frequency steps, all slower quanta count as
        /// noise.
        Min => "min",
    }
    /// Name of the baseline in files and flags.
    fn name;
    find("baseline"); Display(name);
}

/// Number of recent durations that the rolling baseline considers.
const WINDOW: usize = 4_096;
/// Number of durations after which the usual one is determined again.
const AGAIN: u64 = 1_024;

/// Durations of quanta as they occur, in ticks.
pub(super) struct Durations {
    of: Baseline,
    pub(super) all: Histogram,
    recent: Histogram,
    ring: Vec<u64>,
    count: u64,
    pub(super) least: u64,
    /// Duration with which others are compared at present.
    pub(super) usual: u64,
}

impl Durations {
    pub(super) fn new(of: Baseline) -> Durations {
        let (all, recent) = (Histogram::new(), Histogram::new());
        Durations { of, all, recent, ring: vec![0; WINDOW], count: 0, least: u64::MAX, usual: 0 }
    }

    /// Adds a duration. Returns true if it determined the usual duration again, which takes some time.
    #[inline]
    pub(super) fn add(&mut self, duration: u64) -> bool {
        self.all.add(duration);
        self.least = self.least.min(duration);
        if self.of == Baseline::Rolling {
            let place = self.count as usize % WINDOW;
            if self.count >= WINDOW as u64 {
                self.recent.remove(self.ring[place]);
            }
            self.recent.add(duration);
            self.ring[place] = duration;
        }
        self.count += 1;
        let looks = self.count.is_multiple_of(AGAIN);
        if looks {
            self.look();
        }
        looks
    }

    /// Determines the usual duration.
    pub(super) fn look(&mut self) {
        self.usual = match self.of {
            Baseline::Mode => self.all.mode(),
            Baseline::Rolling => self.recent.mode(),
            Baseline::Min => self.least,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slower_clock_is_noise_to_the_minimum_and_soon_usual_to_a_rolling_baseline() {
        let usual = |of: Baseline, slow: usize| {
            let mut all = Durations::new(of);
            (0..10_000).for_each(|_| _ = all.add(3_000));
            (0..slow).for_each(|_| _ = all.add(4_000));
            all.look();
            all.usual
        };
        assert_eq!((usual(Baseline::Min, 20_000), usual(Baseline::Mode, 9_000)), (3_000, 3_000));
        assert_eq!((usual(Baseline::Mode, 11_000), usual(Baseline::Rolling, 2_100)), (4_000, 4_000));
        assert_eq!(usual(Baseline::Rolling, 2_000), 3_000);
    }
}
