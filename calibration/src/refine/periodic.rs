//! Detours that come at equal intervals, among others: a timer's ticks.
//!
//! A period is one at which many detours have another one a period later: most of the ticks that there would be, and
//! several times as many as detours at random would have by chance.

use super::random::rounded;
use models::noise::Detour;
use programs::detours::Watched;
use statistics::median;

/// Periodic source, if there is one, and all detours that are not of it.
pub(super) struct Periodic {
    /// Source as `--noise` reads it; `None` without a period.
    pub source: Option<String>,
    /// Durations of the other detours, in µs.
    pub others: Vec<f64>,
}

/// Number of next detours among whose distances a period is looked for.
const NEXT: usize = 4;
/// Difference of logarithms below which two candidates are one.
const BIN: f64 = 0.01;
/// Number of the most frequent distances that are tried.
const TRIED: usize = 4;
/// Share of the period by which a tick may be early or late.
const JITTER: f64 = 0.005;
/// Least number of ticks of a period; [`LEAST_SHARE`] is the least share of the ticks that there would be.
const FEWEST_TICKS: usize = 8;
const LEAST_SHARE: f64 = 0.7;
/// Least ratio of the ticks to those expected by chance.
const ABOVE_CHANCE: f64 = 3.0;

/// Separates the ticks of a period, if there is one, from the other detours.
pub(super) fn split(watched: &[Watched]) -> Periodic {
    let all = || watched.iter().flat_map(|rank| &rank.kept);
    let Some(period_us) = candidates(watched).into_iter().filter(|&us| is_period(watched, us)).reduce(f64::min) else {
        return Periodic { source: None, others: all().map(|detour| detour.duration.as_us()).collect() };
    };
    let (mut ticks, mut others) = (Vec::new(), Vec::new());
    for rank in watched {
        let members = members(rank, period_us);
        for (detour, is_tick) in rank.kept.iter().zip(members) {
            if is_tick { ticks.push(detour.duration.as_us()) } else { others.push(detour.duration.as_us()) }
        }
    }
    let duration_us = median(&ticks).unwrap_or(0.0);
    let (period, duration) = (rounded(period_us), rounded(duration_us.min(period_us * 0.9).max(1e-3)));
    let source = format!("periodic:period={period}us,duration={duration}us");
    Periodic { source: Some(source), others }
}

/// Returns the most frequent distances from a detour to its next ones, in µs.
fn candidates(watched: &[Watched]) -> Vec<f64> {
    let mut distances: Vec<f64> = Vec::new();
    for rank in watched {
        for (index, detour) in rank.kept.iter().enumerate() {
            let next = rank.kept[index + 1..].iter().take(NEXT);
            distances.extend(next.map(|other| starts_us(other) - starts_us(detour)));
        }
    }
    distances.retain(|&distance| distance > 0.0);
    distances.sort_unstable_by(f64::total_cmp);
    let mut runs: Vec<&[f64]> = distances.chunk_by(|a, b| bin(*a) == bin(*b)).collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
    runs.into_iter().take(TRIED).filter_map(median).collect()
}

fn bin(us: f64) -> i64 {
    (us.ln() / BIN).round() as i64
}

fn starts_us(detour: &Detour) -> f64 {
    detour.after().as_us()
}

/// Marks the detours that have another one a period before or after them.
fn members(rank: &Watched, period_us: f64) -> Vec<bool> {
    let starts: Vec<f64> = rank.kept.iter().map(starts_us).collect();
    let jitter = jitter_us(rank, period_us);
    let is_there = |at: f64| {
        let first = starts.partition_point(|&start| start < at - jitter);
        starts.get(first).is_some_and(|&start| start <= at + jitter)
    };
    starts.iter().map(|&start| is_there(start + period_us) || is_there(start - period_us)).collect()
}

fn jitter_us(rank: &Watched, period_us: f64) -> f64 {
    (period_us * JITTER).max(rank.usual.as_us() * 2.0)
}

fn is_period(watched: &[Watched], period_us: f64) -> bool {
    let (mut hits, mut ticks, mut chance) = (0, 0.0, 0.0);
    for rank in watched.iter().filter(|rank| rank.time.as_us() > 0.0) {
        let time_us = rank.kept.last().map_or(0.0, starts_us).max(period_us);
        let found = rank.kept.len() as f64;
        hits += members(rank, period_us).into_iter().filter(|&member| member).count();
        ticks += time_us / period_us;
        // The jitter applies on both sides, before and after: two places of twice its length.
        chance += found * (1.0 - (-found / time_us * 4.0 * jitter_us(rank, period_us)).exp());
    }
    hits >= FEWEST_TICKS && hits as f64 >= LEAST_SHARE * ticks && hits as f64 >= ABOVE_CHANCE * chance
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::time::{Span, Time};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A rank that saw detours of 5 µs at these times, in µs, within a second.
    fn watched(mut starts_us: Vec<f64>) -> Watched {
        starts_us.sort_unstable_by(f64::total_cmp);
        let detour = |us: &f64| Detour { start: Time((us * 1e6) as u64), duration: Span::from_us(5) };
        Watched {
            rank: 0,
            time: Span::from_ms(1_000),
            usual: Span::from_ns(30),
            threshold: Span::from_ns(120),
            detours: starts_us.len() as u64,
            taken: Span::from_us(5) * starts_us.len() as u64,
            longest: Span::from_us(5),
            kept: starts_us.iter().map(detour).collect(),
        }
    }

    #[test]
    fn detours_at_random_are_no_ticks_however_many_there_are() {
        for (seed, count) in (0..40).zip([5, 20, 100, 500, 3_000].into_iter().cycle()) {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let starts = (0..count).map(|_| rng.random::<f64>() * 1e6).collect();
            let found = split(&[watched(starts)]);
            assert_eq!(found.source, None, "seed {seed}, {count} detours");
            assert_eq!(found.others.len(), count);
        }
    }

    #[test]
    fn ticks_are_found_among_others_and_the_shortest_period_counts() {
        for (period_us, others) in [(1_000.0, 100), (4_000.0, 200), (10_000.0, 0), (50_000.0, 10)] {
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            let jitter = |rng: &mut ChaCha8Rng| rng.random::<f64>() * period_us * 1e-3;
            let mut starts: Vec<f64> =
                (0..(1e6 / period_us) as u32).map(|tick| f64::from(tick) * period_us + jitter(&mut rng)).collect();
            starts.extend((0..others).map(|_| rng.random::<f64>() * 1e6));
            let found = split(&[watched(starts)]);
            let source = found.source.unwrap_or_else(|| panic!("a period of {period_us} µs was not found"));
            let text = source.strip_prefix("periodic:period=").and_then(|rest| rest.split("us").next());
            let found_us: f64 = text.and_then(|text| text.parse().ok()).expect("a period in µs");
            assert!((found_us / period_us - 1.0).abs() < 2e-3, "{source} for {period_us} µs");
            assert!(found.others.len() <= others && found.others.len() * 10 >= others * 7, "{}", found.others.len());
        }
    }
}
