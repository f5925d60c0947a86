//! Periodicity of detours: the power of their starts over frequencies, and the frequencies that random starts would not
//! have.

use super::recording::Recording;
use crate::median::middle_of;
use models::time::Span;
use statrs::distribution::{ContinuousCDF, Gamma};
use std::f64::consts::TAU;

/// Power spectrum |Σ e^(−2πiνt)|² / n over frequencies ν, the mean of several stretches of time (Bartlett 1950): of
/// starts that come at random (Poisson) 1 on average.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Distance of two frequencies in Hz, which is also the first frequency.
    pub step_hz: f64,
    /// Power of each frequency.
    pub power: Vec<f64>,
    /// Power that most frequencies near each have: more than 1 where detours come in swarms.
    background: Vec<f64>,
    /// Significance level, over the background: in 1 % of recordings without anything periodic the highest power
    /// exceeds it.
    pub level: f64,
}

/// Frequency at which detours come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Frequency of the peak in Hz.
    pub hz: f64,
    /// Power of the peak, over the mean of random starts.
    pub power: f64,
}

/// Number of bins of a stretch of time, and their length in ps: frequencies reach 10 kHz in steps of 0.15 Hz.
const MOST_BINS: usize = 1 << 17;
const BIN: u64 = 50_000_000;
/// Probability with which the largest power of starts that are not periodic may exceed the level.
const SELDOM: f64 = 0.01;
/// Least and largest number of frequencies that are near each other.
const NEAREST: usize = 15;
const NEAR: usize = 400;
/// Number of steps below which swarms of detours cannot be distinguished from periods.
const LOWEST: usize = 30;
/// Least number of detours that have a spectrum.
const LEAST: usize = 16;

impl Recording {
    /// Returns the spectrum of one rank's detours of at least `least_ps`, `None` for too few.
    pub fn spectrum(&self, rank: usize, least_ps: u64) -> Option<Spectrum> {
        let starts: Vec<u64> =
            self.ranks.get(rank)?.detours.iter().filter(|one| one.whole >= least_ps).map(|one| one.start).collect();
        if starts.len() < LEAST {
            return None;
        }
        // A short recording is one stretch with an empty rest. The rest of a long one is left out.
        let used = usize::try_from(self.length / BIN + 1).unwrap_or(MOST_BINS).clamp(4, MOST_BINS);
        let bins = used.next_power_of_two();
        let stretches = (self.length / (bins as u64 * BIN)).max(1) as usize;
        let mut from = 0;
        let stretch = |stretch: u64| {
            let begin = stretch * bins as u64 * BIN;
            let until = starts[from..].partition_point(|&start| start < begin + bins as u64 * BIN) + from;
            let within = &starts[from..until];
            from = until;
            let mut values = vec![0.0; used];
            within.iter().for_each(|start| values[((start - begin) / BIN) as usize] += 1.0);
            (values, within.len() as f64)
        };
        Spectrum::mean(bins, 1e12 / BIN as f64, (0..stretches as u64).map(stretch))
    }
}

impl Spectrum {
    /// Returns the spectrum of numbers at equal distances, like the work that was done in each interval: of numbers
    /// that do not depend on each other 1 on average. `None` for too few, or for equal ones.
    pub fn compute(numbers: &[f64], distance: Span) -> Option<Spectrum> {
        if numbers.len() < LEAST {
            return None;
        }
        let used = numbers.len().min(MOST_BINS);
        let stretch = |part: &[f64]| {
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            (part.to_vec(), part.iter().map(|number| (number - mean).powi(2)).sum())
        };
        let spectrum = Spectrum::mean(
            used.next_power_of_two(),
            1.0 / distance.as_seconds(),
            numbers.chunks_exact(used).map(stretch),
        )?;
        spectrum.power.iter().any(|&power| power > 0.0).then_some(spectrum)
    }

    /// Returns the mean spectrum over stretches of numbers, which come `rate_hz` times a second. Each is filled with
    /// zeros to `bins` numbers, and comes with the power that random numbers would have.
    fn mean(bins: usize, rate_hz: f64, stretches: impl Iterator<Item = (Vec<f64>, f64)>) -> Option<Spectrum> {
        let mut power = vec![0.0; bins / 2 - 1];
        let mut counted = 0;
        for (numbers, one) in stretches.filter(|&(_, one)| one > 0.0) {
            // Without the mean, the lowest frequencies do not show how long was recorded.
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            let mut values: Vec<(f64, f64)> = numbers.iter().map(|number| (number - mean, 0.0)).collect();
            values.resize(bins, (0.0, 0.0));
            transform(&mut values);
            power.iter_mut().zip(&values[1..]).for_each(|(sum, (re, im))| *sum += (re * re + im * im) / one);
            counted += 1;
        }
        let stretches = f64::from(counted.max(1));
        power.iter_mut().for_each(|sum| *sum /= stretches);
        // The mean of exponentially distributed powers.
        let law = Gamma::new(stretches, stretches).ok()?;
        let level = law.inverse_cdf(1.0 - SELDOM / power.len().max(1) as f64);
        let background = background(&power, law.inverse_cdf(0.5));
        Some(Spectrum { step_hz: rate_hz / bins as f64, power, background, level })
    }
}

/// Returns the median power of the frequencies near each, over the ratio of the median of random starts to their mean.
/// It is that of blocks that grow with the frequency, and is interpolated between the middles of two.
fn background(power: &[f64], median_of_one: f64) -> Vec<f64> {
    let (mut blocks, mut from): (Vec<(f64, f64)>, usize) = (Vec::new(), 0);
    while from < power.len() {
        let long = (from / 3).clamp(NEAREST, NEAR);
        let until = (from + long).min(power.len());
        let mut sorted = power[from..until].to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        blocks.push(((from + until) as f64 / 2.0, middle_of(&sorted) / median_of_one));
        from = until;
    }
    let mut block = 0;
    let at = |place: usize| {
        let x = place as f64;
        while blocks.get(block + 1).is_some_and(|next| next.0 <= x) {
            block += 1;
        }
        let (one, next) = (blocks[block], blocks.get(block + 1).copied().unwrap_or(blocks[block]));
        let share = if next.0 > one.0 { ((x - one.0) / (next.0 - one.0)).clamp(0.0, 1.0) } else { 0.0 };
        one.1 * (1.0 - share) + next.1 * share
    };
    (0..power.len()).map(at).collect()
}

impl Spectrum {
    /// Returns the frequency of a place, in Hz.
    pub fn hz(&self, place: usize) -> f64 {
        self.step_hz * (place + 1) as f64
    }

    /// Returns the significance level at a place.
    pub fn level_at(&self, place: usize) -> f64 {
        self.level * self.background[place].max(1.0)
    }

    /// Returns the strongest peaks above the level, at most `most`: each the largest within 2 % of its frequency, and
    /// no multiple of a lower one that is not much weaker. (Detours that come like a clock have the same power at all
    /// multiples.)
    pub fn peaks(&self, most: usize) -> Vec<Peak> {
        let mut places: Vec<usize> =
            (LOWEST..self.power.len()).filter(|&place| self.power[place] > self.level_at(place)).collect();
        places.sort_by(|&one, &other| self.power[other].total_cmp(&self.power[one]));
        let mut peaks: Vec<Peak> = Vec::new();
        for place in places {
            let hz = self.hz(place);
            let near = |peak: &Peak| (peak.hz - hz).abs() <= (0.02 * peak.hz).max(3.0 * self.step_hz);
            if peaks.len() < MOST_PEAKS && !peaks.iter().any(near) {
                peaks.push(Peak { hz, power: self.power[place] });
            }
        }
        peaks.sort_by(|one, other| one.hz.total_cmp(&other.hz));
        let mut first: Vec<Peak> = Vec::new();
        for peak in peaks {
            let times = |lower: &Peak| (peak.hz / lower.hz).round();
            let sure = |lower: &Peak| (times(lower) * self.step_hz).min(lower.hz / 10.0);
            let is_multiple = |lower: &Peak| (peak.hz - times(lower) * lower.hz).abs() <= sure(lower);
            if !first.iter().any(|lower| lower.power * 4.0 > peak.power && is_multiple(lower)) {
                first.push(peak);
            }
        }
        first.sort_by(|one, other| other.power.total_cmp(&one.power));
        first.truncate(most);
        first
    }
}

/// Largest number of peaks that are looked at.
const MOST_PEAKS: usize = 200;

/// Computes the discrete Fourier transform in place, of a power of two of numbers (Cooley, Tukey 1965).
fn transform(values: &mut [(f64, f64)]) {
    let n = values.len();
    let bits = n.trailing_zeros();
    for place in 0..n {
        let mirrored = place.reverse_bits() >> (usize::BITS - bits);
        if place < mirrored {
            values.swap(place, mirrored);
        }
    }
    let mut half = 1;
    while half < n {
        let turns: Vec<(f64, f64)> = (0..half).map(|k| (-TAU * k as f64 / (2 * half) as f64).sin_cos()).collect();
        for block in values.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for ((one, other), &(sin, cos)) in low.iter_mut().zip(high).zip(&turns) {
                let turned = (other.0 * cos - other.1 * sin, other.0 * sin + other.1 * cos);
                (*one, *other) = ((one.0 + turned.0, one.1 + turned.1), (one.0 - turned.0, one.1 - turned.1));
            }
        }
        half *= 2;
    }
}

/// Returns the shares of one rank's detours that lie within those of another, as a square of ranks. `None` for a rank
/// without detours.
pub fn coincidence(recording: &Recording) -> Vec<Vec<Option<f64>>> {
    let overlap = |one: usize, other: usize| {
        let (mut at, mut sum) = (0, 0);
        let others = &recording.ranks[other].detours;
        for detour in &recording.ranks[one].detours {
            while others.get(at).is_some_and(|other| other.end <= detour.start) {
                at += 1;
            }
            let inside = others[at..].iter().take_while(|other| other.start < detour.end);
            sum += inside.map(|other| other.end.min(detour.end) - other.start.max(detour.start)).sum::<u64>();
        }
        let taken = recording.ranks[one].taken().0;
        (taken > 0).then(|| sum as f64 / taken as f64)
    };
    let ranks = 0..recording.ranks.len();
    ranks.clone().map(|one| ranks.clone().map(|other| overlap(one, other)).collect()).collect()
}
