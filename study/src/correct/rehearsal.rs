//! Error of a model's prediction for benchmarks, as the calibration's rehearsals show it.
//!
//! A rehearsal times a collective as a benchmark does and, in the same launch, as the reference does: a model predicts
//! the logarithm of printed over reference. Its observed value less the predicted one is the error of the model, m. At
//! the length of a printed number m is that of the rehearsed length, or lies between those of the next shorter and the
//! next longer one.
//!
//! One more launch deviates from m as those of the calibration deviate from their own medians, in whichever state of
//! the machine: the interval reaches to the quantiles of all deviations at lengths near this one. Deviations from a
//! median of J launches are too small by √(1 − 1/J), and one more launch deviates from it by √(1 + π/(2J)) of the
//! deviation of launches: the variance of a median is π/2 times that of a mean.

use models::collective::Collective;
use programs::machine::{Estimate, Rehearsed};
use programs::method::{Buffer, Preset};
use statistics::{median, quantile};

/// Deviations at lengths within this factor count as those of one more launch at this length.
const NEAR: u64 = 16;
/// The error of a model at one length is valid for lengths within this factor: beyond it a library may behave
/// differently.
const KNOWN_WITHIN: u64 = 4;
/// Share of deviations outside of the interval, at each end.
const TAIL: f64 = (1.0 - super::reading::CONFIDENCE) / 2.0;

/// A printed number for which rehearsals are looked up.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'a> {
    /// Collective that was called.
    pub collective: Collective,
    /// Number of ranks that called it.
    pub ranks: u32,
    /// Benchmark that timed the call.
    pub benchmark: Preset,
    /// Head of the number's column.
    pub column: &'a str,
    /// Reference towards which the number is corrected.
    pub reference: Buffer,
    /// Length of a rank's buffer or block, in bytes.
    pub bytes: u64,
}

/// Returns the error of the model for this number: the logarithm of printed over reference in rehearsals, less the
/// predicted one. It is `None` where no such call was rehearsed at a length near this one, and where no rehearsal has
/// two launches. `rehearsed` holds the rehearsals of the state in question, `all` those of all states; `predicted`
/// returns the logarithm at a length.
///
/// # Errors
/// Fails where a length cannot be predicted.
pub fn missed<E>(
    rehearsed: &[Rehearsed],
    all: &[Rehearsed],
    sought: &Sought,
    mut predicted: impl FnMut(u64) -> Result<f64, E>,
) -> Result<Option<Estimate>, E> {
    let is_column = |one: &&Rehearsed| one.benchmark == sought.benchmark && one.column == sought.column;
    let is_call = |one: &&Rehearsed| {
        (one.collective, one.ranks, one.reference) == (sought.collective, sought.ranks, sought.reference)
    };
    let Some(own) = rehearsed.iter().find(|one| is_column(one) && is_call(one) && one.launches > 0) else {
        return Ok(None);
    };
    let (Some(&shortest), Some(&longest)) = (own.bytes.first(), own.bytes.last()) else { return Ok(None) };
    if !own.bytes.iter().any(|&length| is_within(length, sought.bytes, KNOWN_WITHIN)) {
        return Ok(None);
    }
    let bytes = sought.bytes.clamp(shortest, longest);
    let ends = neighbours(&own.bytes, bytes);
    let mut misses = Vec::new();
    for at in ends.into_iter().flatten() {
        if let Some(seen) = median(&logarithms(&own.printed_per_reference[at])) {
            misses.push((own.bytes[at], seen - predicted(own.bytes[at])?));
        }
    }
    let repeated = all.iter().filter(|one| is_column(one) && one.launches > 1);
    let wider = (1.0 + std::f64::consts::FRAC_PI_2 / f64::from(own.launches)).sqrt();
    let deviations: Vec<f64> = repeated.flat_map(|one| deviations(one, bytes)).map(|one| one * wider).collect();
    let Some((low, high)) = quantile(&deviations, TAIL).zip(quantile(&deviations, 1.0 - TAIL)) else { return Ok(None) };
    let Some((value, between)) = at_length(&misses, bytes) else { return Ok(None) };
    Ok(Some(Estimate { value, low: value - low.min(0.0).hypot(between), high: value + high.max(0.0).hypot(between) }))
}

/// Returns the places of the longest length that is no longer, and of the shortest one that is longer, unless the first
/// equals this length.
fn neighbours(lengths: &[u64], bytes: u64) -> [Option<usize>; 2] {
    let below = lengths.iter().rposition(|&length| length <= bytes);
    let is_it = below.is_some_and(|at| lengths[at] == bytes);
    [below, lengths.iter().position(|&length| length > bytes).filter(|_| !is_it)]
}

/// Returns the error at a length between two with known errors, and its distance from them: it is unknown at which
/// length between the two the error changes.
fn at_length(misses: &[(u64, f64)], bytes: u64) -> Option<(f64, f64)> {
    let ln = |bytes: u64| (bytes.max(1) as f64).ln();
    match misses {
        [] => None,
        [(_, miss)] => Some((*miss, 0.0)),
        [(below, first), (above, second), ..] => {
            let share = (ln(bytes) - ln(*below)) / (ln(*above) - ln(*below)).max(f64::MIN_POSITIVE);
            Some((first + share * (second - first), (second - first).abs() / 2.0))
        }
    }
}

/// Whether the longer length is at most `times` times the shorter one.
fn is_within(one: u64, other: u64, times: u64) -> bool {
    one.max(other) <= times * one.min(other).max(1)
}

fn logarithms(ratios: &[f64]) -> Vec<f64> {
    ratios.iter().map(|ratio| ratio.ln()).collect()
}

/// Deviations of launches from their medians, at all lengths near this one.
fn deviations(one: &Rehearsed, bytes: u64) -> Vec<f64> {
    let launches = f64::from(one.launches.max(2));
    let wider = (1.0 - 1.0 / launches).sqrt().recip();
    let near = one.bytes.iter().zip(&one.printed_per_reference).filter(|(length, _)| is_within(**length, bytes, NEAR));
    let of = |ratios: &Vec<f64>| {
        let seen = logarithms(ratios);
        let middle = median(&seen).unwrap_or(0.0);
        seen.into_iter().map(|one| (one - middle) * wider).collect::<Vec<f64>>()
    };
    near.flat_map(|(_, ratios)| of(ratios)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bcast(launches: u32, ratios: [Vec<f64>; 2]) -> Rehearsed {
        Rehearsed {
            collective: Collective::Bcast,
            ranks: 2,
            benchmark: Preset::Osu,
            column: "Avg Latency(us)".to_owned(),
            reference: Buffer::Touched,
            launches,
            bytes: vec![8, 128],
            printed_per_reference: ratios.into(),
        }
    }

    fn sought(bytes: u64) -> Sought<'static> {
        Sought {
            collective: Collective::Bcast,
            ranks: 2,
            benchmark: Preset::Osu,
            column: "Avg Latency(us)",
            reference: Buffer::Touched,
            bytes,
        }
    }

    fn found(rehearsed: &[Rehearsed], bytes: u64) -> Option<Estimate> {
        missed(rehearsed, rehearsed, &sought(bytes), |_| Ok::<f64, ()>(0.5f64.ln())).expect("predicted")
    }

    #[test]
    fn a_model_misses_what_rehearsals_saw_beyond_what_it_predicts() {
        let all = [bcast(3, [vec![0.8; 6], vec![0.4; 6]])];
        let at = |bytes| found(&all, bytes).expect("rehearsed");
        let near = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
        assert!(near(at(8).value, 1.6f64.ln()) && near(at(4).value, 1.6f64.ln()), "that of the shortest below it");
        assert!(near(at(128).value, 0.8f64.ln()) && near(at(512).value, 0.8f64.ln()));
        assert_eq!(found(&all, 513), None, "more than four times as long as any that was rehearsed");
        assert_eq!(found(&all, 1), None, "or as short");
        // 32 B lie in the middle of 8 and 128, and the change may be anywhere between.
        assert!(near(at(32).value, (1.6f64 * 0.8).ln() / 2.0), "{:?}", at(32));
        assert!(near(at(32).high - at(32).value, 2.0f64.ln() / 2.0) && near(at(8).high, at(8).value));
        assert_eq!(found(&all, 8).map(|one| one.low), found(&all, 8).map(|one| one.value), "rehearsals agree");
    }

    #[test]
    fn what_was_not_rehearsed_in_two_launches_says_nothing() {
        assert_eq!(found(&[bcast(1, [vec![0.8; 2], vec![0.8; 2]])], 8), None);
        let other = Rehearsed { collective: Collective::Reduce, ..bcast(3, [vec![0.8; 6], vec![0.8; 6]]) };
        assert_eq!(found(&[other], 8), None);
        assert_eq!(found(&[], 8), None);
    }

    #[test]
    fn one_launch_in_this_state_strays_like_those_in_others() {
        let (near, far) = (bcast(1, [vec![0.8], vec![0.8]]), bcast(5, [vec![0.36, 0.4, 0.44], vec![0.4; 3]]));
        let all = [near.clone(), far];
        let found =
            missed(&[near], &all, &sought(8), |_| Ok::<f64, ()>(0.5f64.ln())).expect("predicted").expect("rehearsed");
        let reach = |launches: f64| {
            (1.1f64.ln() / (1.0 - 1.0 / 5.0f64).sqrt()) * (1.0 + std::f64::consts::FRAC_PI_2 / launches).sqrt()
        };
        assert!((found.value - 1.6f64.ln()).abs() < 1e-12);
        assert!((found.high - found.value) <= reach(1.0) && (found.high - found.value) > reach(5.0), "{found:?}");
    }

    #[test]
    fn intervals_hold_one_more_launch_as_often_as_they_say() {
        use rand::{RngExt, SeedableRng};
        let mut draw = rand_chacha::ChaCha8Rng::seed_from_u64(7);
        // Launches differ by a normal deviate of 10 %: the sum of twelve uniform ones.
        let mut normal = |share: f64| (0..12).map(|_| draw.random::<f64>() - 0.5).sum::<f64>() * share;
        let mut held = 0;
        let trials = 2_000;
        for _ in 0..trials {
            let mut one = |collective| {
                let mut launches = || (0..4).map(|_| (0.7f64.ln() + normal(0.1)).exp()).collect::<Vec<f64>>();
                let bytes: Vec<u64> = (3..10).map(|power| 1 << power).collect();
                let printed_per_reference = bytes.iter().map(|_| launches()).collect();
                Rehearsed { collective, launches: 4, bytes, printed_per_reference, ..bcast(4, [vec![], vec![]]) }
            };
            let all = [Collective::Bcast, Collective::Reduce, Collective::Gather].map(&mut one);
            let found = found(&all, 8).expect("rehearsed");
            let next = 0.7f64.ln() + normal(0.1) - 0.5f64.ln();
            held += u32::from((found.low..=found.high).contains(&next));
        }
        let share = f64::from(held) / f64::from(trials);
        assert!((0.92..0.98).contains(&share), "{share}");
    }
}
