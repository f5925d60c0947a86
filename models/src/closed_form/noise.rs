//! Delay by noise of the slowest of many ranks: the largest of n independent delays, by closed forms and numerical
//! integration.

use crate::noise::{Delays, RecordedDelays};

/// Moments of the largest of n delays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slowest {
    /// Mean of the largest delay, M_n = ∫ (1 − H(z)^n) dz, in ps.
    pub mean_ps: f64,
    /// Variance of the largest delay, 2 ∫ |z − M_n| P dz, where P is H(z)^n below the mean and 1 − H(z)^n above, in
    /// ps²; infinite where the tail is too heavy.
    pub variance_ps2: f64,
}

/// Returns the moments of the largest of `ranks` delays, drawn independently: by a closed form where the law has one,
/// else by integration.
pub fn slowest(ranks: u64, delays: &Delays) -> Slowest {
    let n = ranks as f64;
    if let Some((mean_ps, variance_ps2)) = delays.largest(n) {
        return Slowest { mean_ps, variance_ps2 };
    }
    let (breaks, scale) = (delays.breaks_ps(), delays.mean_ps().max(1.0));
    let beyond = |z: f64| delays.beyond(z);
    let mut breaks = with_turn(n, &beyond, &breaks, scale);
    let mean_ps = integral(&|z| any(n, beyond(z)), &breaks, scale);
    // About the mean, so that nothing cancels where delays hardly differ.
    let off = |z: f64| 2.0 * (z - mean_ps).abs() * if z < mean_ps { none(n, beyond(z)) } else { any(n, beyond(z)) };
    let place = breaks.partition_point(|&at| at < mean_ps);
    breaks.insert(place, mean_ps);
    Slowest { mean_ps, variance_ps2: integral(&off, &breaks, scale) }
}

/// Returns the moments of the largest of `ranks` delays of which each is any of the recorded ones.
pub fn slowest_recorded(ranks: u64, delays: &RecordedDelays) -> Slowest {
    let (mean_ps, variance_ps2) = delays.largest(ranks as f64);
    Slowest { mean_ps, variance_ps2 }
}

/// Returns E[max of n delays] = ∫ (1 − (1 − P(delay > z))^n) dz in the unit of z, to nine digits; `beyond` is P(delay >
/// z), which jumps or bends at `breaks` (sorted) only, and `scale` is of the size of a delay.
pub fn expected_largest(n: f64, beyond: &dyn Fn(f64) -> f64, breaks: &[f64], scale: f64) -> f64 {
    integral(&|z| any(n, beyond(z)), &with_turn(n, beyond, breaks, scale), scale)
}

/// Adds to the breaks places from where all of n are hardly ever below to where one of n is hardly ever beyond: where
/// delays hardly differ, or of many, that turn is so narrow that it might be missed.
fn with_turn(n: f64, beyond: &dyn Fn(f64) -> f64, breaks: &[f64], scale: f64) -> Vec<f64> {
    let mut all = breaks.to_vec();
    for expected in EXPECTED {
        // One of n is beyond with probability 1 − e^−expected.
        let share = -(-expected / n).exp_m1();
        let (mut low, mut high) = (0.0, scale);
        while beyond(high) > share && high < f64::MAX / 4.0 {
            (low, high) = (high, high * 2.0);
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if beyond(middle) > share { low = middle } else { high = middle }
        }
        all.push(high);
    }
    all.sort_unstable_by(f64::total_cmp);
    all
}

/// Expected numbers of n delays beyond the places of a turn.
const EXPECTED: [f64; 11] = [30.0, 10.0, 3.0, 1.0, 0.3, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12, 1e-15];
/// Number of halvings by which the place of a turn is narrowed down.
const HALVINGS: u32 = 50;

/// Returns the probability that any of n is beyond, without loss where one is seldom.
fn any(n: f64, beyond: f64) -> f64 {
    if beyond >= 1.0 { 1.0 } else { -(n * (-beyond).ln_1p()).exp_m1() }
}

/// Returns the probability that none of n is beyond.
fn none(n: f64, beyond: f64) -> f64 {
    if beyond >= 1.0 { 0.0 } else { (n * (-beyond).ln_1p()).exp() }
}

/// Relative error of a whole integral.
const EXACT: f64 = 1e-11;
/// Width of the panels of the tail, in the logarithm; a tail of more of them than the limit does not end.
const PANEL: f64 = 0.5;
const MOST_PANELS: u32 = 3_000;
/// Largest number of parts that rise one after the other. Behind the place where one of n is still beyond, parts fall;
/// those that rise for longer never will. Of the law with the longest way to its mean square, the lognormal with σ =
/// 10, they rise for 3 σ² / 2 ÷ 0.5 = 300 panels.
const MOST_RISING: u32 = 600;

/// Returns ∫ from 0 on: between the breaks, and behind the last one in the logarithm, where heavy tails fall
/// exponentially.
fn integral(f: &dyn Fn(f64) -> f64, breaks: &[f64], scale: f64) -> f64 {
    let last = breaks.last().copied().unwrap_or(0.0);
    let ends = breaks.iter().copied().filter(|&at| at > 0.0).chain((last < scale).then_some(scale));
    let ends: Vec<f64> = std::iter::once(0.0).chain(ends).collect();
    // A value right at a break belongs to one side of it.
    let parts = || ends.windows(2).map(|pair| (pair[0], pair[1]));
    // A part that is small beside the whole need not be exact itself.
    let rough: f64 = parts().map(|part| points(f, part).0).sum();
    let mut sum = parts().fold(0.0, |sum, one| sum + part(f, one, rough.max(sum)));
    let from = ends[ends.len() - 1];
    let tail = |y: f64| {
        let z = from * y.exp();
        f(z) * z
    };
    let (mut before, mut rising) = (f64::INFINITY, 0);
    for index in 0..MOST_PANELS {
        let from = PANEL * f64::from(index);
        let more = part(&tail, (from, from + PANEL), sum);
        sum += more;
        rising = if more > before { rising + 1 } else { 0 };
        if !sum.is_finite() || rising > MOST_RISING {
            return f64::INFINITY;
        }
        if more <= before && more <= sum * EXACT * 1e-3 {
            return sum;
        }
        before = more;
    }
    f64::INFINITY
}

/// Returns one part of an integral whose other parts are about `before`: as exact as the whole has to be.
fn part(f: &dyn Fn(f64) -> f64, (from, to): (f64, f64), before: f64) -> f64 {
    let (rough, _) = points(f, (from, to));
    panel(f, (from, to), 0, EXACT * (before + rough).abs())
}

/// Integrates over a panel, which is halved where the two rules differ by more than the error.
fn panel(f: &dyn Fn(f64) -> f64, (from, to): (f64, f64), depth: u32, error: f64) -> f64 {
    let (kronrod, gauss) = points(f, (from, to));
    if (kronrod - gauss).abs() <= error || depth == DEEPEST || !kronrod.is_finite() {
        return kronrod;
    }
    let middle = f64::midpoint(from, to);
    panel(f, (from, middle), depth + 1, error) + panel(f, (middle, to), depth + 1, error)
}

/// Returns the integral by Kronrod's rule of 15 points and by Gauss's of 7 (Kronrod 1965).
fn points(f: &dyn Fn(f64) -> f64, (from, to): (f64, f64)) -> (f64, f64) {
    let (middle, half) = (f64::midpoint(from, to), (to - from) / 2.0);
    let at_middle = f(middle);
    let (mut kronrod, mut gauss) = (KRONROD[7] * at_middle, GAUSS[3] * at_middle);
    for (place, &node) in NODES.iter().enumerate() {
        let both = f(middle - half * node) + f(middle + half * node);
        kronrod += KRONROD[place] * both;
        if place % 2 == 1 {
            gauss += GAUSS[place / 2] * both;
        }
    }
    (kronrod * half, gauss * half)
}

/// Largest number of halvings: a jump within a panel is narrowed down to a share of 2⁻⁴⁰.
const DEEPEST: u32 = 40;

const NODES: [f64; 7] = [
    0.991_455_371_120_812_6,
    0.949_107_912_342_758_5,
    0.864_864_423_359_769_1,
    0.741_531_185_599_394_4,
    0.586_087_235_467_691_1,
    0.405_845_151_377_397_2,
    0.207_784_955_007_898_47,
];
const KRONROD: [f64; 8] = [
    0.022_935_322_010_529_224,
    0.063_092_092_629_978_56,
    0.104_790_010_322_250_18,
    0.140_653_259_715_525_92,
    0.169_004_726_639_267_9,
    0.190_350_578_064_785_4,
    0.204_432_940_075_298_9,
    0.209_482_141_084_727_82,
];
const GAUSS: [f64; 4] =
    [0.129_484_966_168_869_7, 0.279_705_391_489_276_64, 0.381_830_050_505_118_9, 0.417_959_183_673_469_4];
