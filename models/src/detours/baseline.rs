//! How long a quantum of work takes where nothing disturbs it.

use super::histogram::Histogram;

crate::named! {
    /// What a quantum's duration is compared with.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Baseline {
        /// The most frequent duration so far.
        #[default]
        Mode => "mode",
        /// The most frequent one of the last 4096: for CPUs whose clock frequency steps.
        Rolling => "rolling",
        /// The shortest so far: what other tools take. Where the frequency steps, all slower quanta count as noise.
        Min => "min",
    }
    /// The name used in files and flags.
    fn name;
    find("baseline"); Display(name);
}

/// The last so many durations.
const WINDOW: usize = 4_096;
/// The most frequent one is looked for again after so many.
const AGAIN: u64 = 1_024;

/// Durations as they come, in ticks.
pub(super) struct Durations {
    of: Baseline,
    pub(super) all: Histogram,
    recent: Histogram,
    ring: Vec<u64>,
    count: u64,
    pub(super) least: u64,
    /// The duration that others are compared with now.
    pub(super) usual: u64,
}

impl Durations {
    pub(super) fn new(of: Baseline) -> Durations {
        let (all, recent) = (Histogram::new(), Histogram::new());
        Durations { of, all, recent, ring: vec![0; WINDOW], count: 0, least: u64::MAX, usual: 0 }
    }

    /// One more; true if that took a while.
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

    /// Finds the usual duration.
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
