//! Counting how often an interval holds the truth.

use programs::machine::Estimate;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

pub const CONFIDENCES: [f64; 3] = [0.90, 0.95, 0.99];

/// Unoptimised builds draw fewer.
pub fn trials(optimised: u32) -> u32 {
    if cfg!(debug_assertions) { optimised / 4 } else { optimised }
}

/// Of the intervals that there were, how many held the truth, at each confidence.
#[derive(Clone, Debug)]
pub struct Covered {
    what: String,
    /// Held the truth, and there were.
    counts: [(u32, u32); 3],
}

/// Draws, asks for the intervals at 90, 95 and 99 %, and counts.
pub fn covered<D>(
    what: String,
    trials: u32,
    truth: f64,
    mut draw: impl FnMut(&mut ChaCha8Rng) -> D,
    intervals: impl Fn(&D, f64) -> Option<Estimate>,
) -> Covered {
    let mut rng = ChaCha8Rng::seed_from_u64(20_261_121);
    let mut counts = [(0, 0); 3];
    for _ in 0..trials {
        let sample = draw(&mut rng);
        for (count, confidence) in counts.iter_mut().zip(CONFIDENCES) {
            if let Some(interval) = intervals(&sample, confidence) {
                count.0 += u32::from(interval.low <= truth && truth <= interval.high);
                count.1 += 1;
            }
        }
    }
    let covered = Covered { what, counts };
    println!("{}", covered.line());
    covered
}

impl Covered {
    fn line(&self) -> String {
        let shares = self.counts.iter().map(|&(held, all)| match all {
            0 => "     –".to_owned(),
            _ => format!("{:6.1}", 100.0 * f64::from(held) / f64::from(all)),
        });
        format!("{:<58}{}", self.what, shares.collect::<String>())
    }

    /// Held the truth as often as promised, within three standard errors and `slack`; some intervals there must have been.
    #[track_caller]
    pub fn holds(&self, slack: f64) -> &Covered {
        assert!(self.counts[0].1 > 0, "no interval at all: {}", self.what);
        for (&(held, all), confidence) in self.counts.iter().zip(CONFIDENCES) {
            let share = f64::from(held) / f64::from(all.max(1));
            let least = confidence - slack - 3.0 * (confidence * (1.0 - confidence) / f64::from(all.max(1))).sqrt();
            assert!(all == 0 || share >= least, "below {confidence}: {}", self.line());
        }
        self
    }

    /// Was not needlessly wide: held the truth at most this much more often than asked.
    #[track_caller]
    pub fn not_wide(&self, slack: f64) {
        for (&(held, all), confidence) in self.counts.iter().zip(CONFIDENCES) {
            let share = f64::from(held) / f64::from(all.max(1));
            let most = confidence + slack + 3.0 * (confidence * (1.0 - confidence) / f64::from(all.max(1))).sqrt();
            assert!(share <= most, "above {confidence}: {}", self.line());
        }
    }

    /// Held the truth too seldom at 95 %, by more than chance and `least`: the promise is not kept here, as is known.
    #[track_caller]
    pub fn falls_short(&self, least: f64) {
        let (held, all) = self.counts[1];
        let share = f64::from(held) / f64::from(all);
        let most = 0.95 - least - 3.0 * (0.95 * 0.05 / f64::from(all)).sqrt();
        assert!(share < most, "it does cover: {}", self.line());
    }

    /// The share at 95 %.
    pub fn at_95(&self) -> f64 {
        f64::from(self.counts[1].0) / f64::from(self.counts[1].1)
    }
}
