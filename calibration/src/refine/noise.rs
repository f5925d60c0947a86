//! Figures of a sample of noise, and sources of noise like it.

use super::periodic::{self, Periodic};
use super::random;
use models::noise::Detour;
use models::noise::Noise;
use models::time::Span;
use programs::detours::Watched;
use programs::machine::NoiseSample;
use statistics::median;

/// Least number of detours from which a distribution is fitted.
const FEWEST: usize = 3;
/// Share of the time above which other programs must be working on these cores: their detours are no noise to be
/// repeated.
const LARGEST_SHARE: f64 = 0.4;

pub(super) fn sample(watched: &[Watched], notes: &mut Vec<String>) -> Option<NoiseSample> {
    if watched.is_empty() {
        return None;
    }
    let total = |of: fn(&Watched) -> Span| watched.iter().map(|rank| of(rank).as_us()).sum::<f64>();
    let watched_us = total(|rank| rank.time);
    let share = if watched_us > 0.0 { total(|rank| rank.taken) / watched_us } else { 0.0 };
    let durations: Vec<f64> = kept(watched).map(|detour| detour.duration.as_us()).collect();
    let sources = if share > LARGEST_SHARE {
        notes.push(format!(
            "noise: detours took {:.0} % of the time, so other programs use these cores: no noise is fitted; calibrate \
             a quiet machine",
            share * 100.0
        ));
        Vec::new()
    } else {
        sources(watched, notes)
    };
    let longest = |of: fn(&Watched) -> Span| watched.iter().map(of).max().unwrap_or_default().as_us();
    let sample = NoiseSample {
        watched_us,
        threshold_us: longest(|rank| rank.usual + rank.threshold),
        detours: watched.iter().map(|rank| rank.detours).sum(),
        share,
        median_us: median(&durations).unwrap_or(0.0),
        longest_us: longest(|rank| rank.longest),
        sources,
    };
    notes.extend(words(&sample, durations.len() as u64));
    Some(sample)
}

fn kept(watched: &[Watched]) -> impl Iterator<Item = &Detour> {
    watched.iter().flat_map(|rank| &rank.kept)
}

/// Returns notes for the readers of a sample.
fn words(sample: &NoiseSample, kept: u64) -> Vec<String> {
    let mut words = Vec::new();
    if sample.detours > kept {
        let left_out = sample.detours - kept;
        words.push(format!("noise: {left_out} detours are counted but not kept; sources are fitted to the others"));
    }
    if let Ok(noise) = Noise::parse(&sample.sources, 1)
        && !noise.is_none()
    {
        let (like, seen) = (noise.share() * 100.0, sample.share * 100.0);
        words.push(format!("noise: the fitted sources take {like:.4} % of the CPU; {seen:.4} % was observed"));
    }
    words
}

/// Fits sources like the sample: a periodic one if there is one, and the rest at random.
fn sources(watched: &[Watched], notes: &mut Vec<String>) -> Vec<String> {
    let found = kept(watched).count();
    if found < FEWEST {
        if found > 0 {
            notes.push(format!("noise: {found} detours are too few to fit a source to; record longer"));
        }
        return Vec::new();
    }
    // Ranks whose memory was full saw more than they kept: their time ends with the last kept detour.
    let seen_us = |rank: &Watched| match rank.kept.last() {
        Some(last) if rank.detours > rank.kept.len() as u64 => (last.after() + last.duration).as_us(),
        _ => rank.time.as_us(),
    };
    let time_us: f64 = watched.iter().map(seen_us).sum();
    let threshold_us = watched.iter().map(|rank| rank.threshold.as_us()).fold(0.0, f64::max);
    let Periodic { source, others } = periodic::split(watched);
    let rest = if others.len() < FEWEST { Vec::new() } else { random::sources(&others, time_us, threshold_us) };
    source.into_iter().chain(rest).collect()
}
