//! Detours that come at random: one law of durations where one fits, else one for each decade.
//!
//! Laws are tried from the simplest on; one fits if its distance (Kolmogorov, Smirnov) from the sample is what a sample
//! of its own would have, at 1 %. Rates count from the end of a detour to the start of the next, as in simulations.

use statistics::{mean, quantile};

/// Fitted law: its name for `--noise`, the number of detours for each that is long enough to be seen, and P(duration ≤
/// x µs).
struct Law {
    spec: String,
    for_each: f64,
    below: Box<dyn Fn(f64) -> f64>,
}

/// Largest spread, relative to the median, of durations that count as equal.
const FIXED: f64 = 0.1;
/// Quantile of Kolmogorov's distribution at 1 %.
const KOLMOGOROV: f64 = 1.63;
/// Distance within which any law fits: no sample of real durations is closer to a law.
const TOLERANCE: f64 = 0.02;

/// Returns sources that yield detours like these. All ranks together were watched for `time_us`, and nothing up to the
/// threshold was seen.
pub(super) fn sources(durations_us: &[f64], time_us: f64, threshold_us: f64) -> Vec<String> {
    let free_us = (time_us - durations_us.iter().sum::<f64>()).max(1e-3);
    if let Some((spec, for_each)) = one_law(durations_us, threshold_us) {
        return vec![source(&spec, durations_us.len() as f64 * for_each, free_us)];
    }
    let mut sorted = durations_us.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let decades = sorted.chunk_by(|a, b| a.log10().floor() == b.log10().floor());
    decades.map(|decade| source(&of_decade(decade), decade.len() as f64, free_us)).collect()
}

fn source(spec: &str, detours: f64, free_us: f64) -> String {
    format!("{spec},rate={}Hz", rounded(detours / free_us * 1e6))
}

/// Returns the first law that fits all of them, and the number of detours for each that was seen.
fn one_law(durations_us: &[f64], threshold_us: f64) -> Option<(String, f64)> {
    let (low, middle, high) =
        (quantile(durations_us, 0.05)?, quantile(durations_us, 0.5)?, quantile(durations_us, 0.95)?);
    if high - low <= FIXED * middle {
        return Some((fixed(durations_us), 1.0));
    }
    let far = KOLMOGOROV / (durations_us.len() as f64).sqrt() + TOLERANCE;
    let laws = [exponential(durations_us, threshold_us), lognormal(durations_us)].into_iter().flatten();
    laws.into_iter().find(|law| distance(durations_us, law) <= far).map(|law| (law.spec, law.for_each))
}

/// Returns a fixed duration where detours are alike or few, else a lognormal law with their mean, which keeps the share
/// of the CPU.
fn of_decade(durations_us: &[f64]) -> String {
    let spread = durations_us.last().zip(durations_us.first()).map_or(0.0, |(last, first)| last - first);
    let alike = quantile(durations_us, 0.5).is_some_and(|middle| spread <= FIXED * middle);
    match lognormal(durations_us) {
        Some(_) if !alike && durations_us.len() >= 8 => {
            let (_, sigma) = logarithms(durations_us);
            format!("lognormal:mean={},sigma={sigma:.4}", us(mean(durations_us)))
        }
        _ => fixed(durations_us),
    }
}

fn fixed(durations_us: &[f64]) -> String {
    format!("fixed:duration={}", us(mean(durations_us)))
}

/// Returns the exponential law, which has no memory: detours above the threshold are as far above it as all are above
/// 0.
fn exponential(durations_us: &[f64], threshold_us: f64) -> Option<Law> {
    let mean = mean(durations_us) - threshold_us;
    let below = move |us: f64| 1.0 - (-(us - threshold_us).max(0.0) / mean).exp();
    let for_each = (threshold_us / mean).exp();
    (mean > threshold_us).then(|| Law {
        spec: format!("exponential:mean={}", us(mean)),
        for_each,
        below: Box::new(below),
    })
}

fn lognormal(durations_us: &[f64]) -> Option<Law> {
    use statrs::distribution::{ContinuousCDF, Normal};
    let (mu, sigma) = logarithms(durations_us);
    let normal = Normal::new(mu, sigma).ok().filter(|_| sigma > 0.0)?;
    let mean = (mu + sigma * sigma / 2.0).exp();
    let spec = format!("lognormal:mean={},sigma={sigma:.4}", us(mean));
    Some(Law { spec, for_each: 1.0, below: Box::new(move |x| normal.cdf(x.ln())) })
}

/// Returns the mean and the standard deviation of the logarithms.
fn logarithms(durations_us: &[f64]) -> (f64, f64) {
    let logarithms: Vec<f64> = durations_us.iter().map(|us| us.max(1e-6).ln()).collect();
    let mu = mean(&logarithms);
    let squares: f64 = logarithms.iter().map(|logarithm| (logarithm - mu).powi(2)).sum();
    (mu, (squares / logarithms.len() as f64).sqrt())
}

/// Returns the largest difference between the sample's distribution and the law's.
fn distance(durations_us: &[f64], law: &Law) -> f64 {
    let mut sorted = durations_us.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let at = |(index, &us): (usize, &f64)| {
        let below = (law.below)(us);
        (below - index as f64 / n).abs().max((below - (index + 1) as f64 / n).abs())
    };
    sorted.iter().enumerate().map(at).fold(0.0, f64::max)
}

/// Prints a duration as flags read it.
fn us(us: f64) -> String {
    format!("{}us", rounded(us.max(1e-3)))
}

/// Rounds to five significant digits, far more than a sample yields.
pub(super) fn rounded(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use models::noise::Noise;

    #[test]
    fn what_no_law_fits_is_one_source_for_each_decade_and_takes_the_same_share() {
        // Two hundred of 3 to 4 µs, twenty of about 2 ms: nothing between.
        let short = (0..200).map(|i| 3.0 + f64::from(i) / 200.0);
        let long = (0..20).map(|i| 1_500.0 + 50.0 * f64::from(i));
        let durations: Vec<f64> = short.chain(long).collect();
        let found = sources(&durations, 1e6, 0.1);
        assert_eq!(found.len(), 2, "{found:?}");
        let share = Noise::parse(&found, 1).expect("sources of noise").share();
        let given = durations.iter().sum::<f64>() / 1e6;
        assert!((share / given - 1.0).abs() < 0.02, "{share} for {given}: {found:?}");
    }

    #[test]
    fn what_is_too_short_to_be_seen_is_counted_in() {
        // Quantiles of an exponential law of mean 10 µs, of which those above 2 µs are seen.
        let durations: Vec<f64> =
            (0..1_000).map(|i| 2.0 - 10.0 * (1.0 - (f64::from(i) + 0.5) / 1_000.0).ln()).collect();
        let free = 1e7;
        let [only] = &sources(&durations, free + durations.iter().sum::<f64>(), 2.0)[..] else { panic!("one law") };
        let number = |key: &str| -> f64 {
            let rest = only.split(key).nth(1).expect("the key");
            rest.trim_end_matches("Hz").split("us").next().and_then(|text| text.parse().ok()).expect("a number")
        };
        assert!((number("mean=") / 10.0 - 1.0).abs() < 0.01, "{only}");
        // 100 a second are seen, exp(0.2) times as many there are.
        assert!((number("rate=") / 122.14 - 1.0).abs() < 0.01, "{only}");
    }
}
