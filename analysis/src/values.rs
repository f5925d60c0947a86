//! Values that users write, such as numbers of ranks and bytes, and the default world.

use campaign::launch::Site;
use models::quantity::{Bytes, parse as parse_quantity};
use models::time::Span;
use programs::observation::World;
use scenario::sweep::whole;

/// Returns the first MPI library that can start ranks on a site, else threads.
pub fn first(site: &Site) -> World {
    site.worlds().first().copied().unwrap_or(World::Threads)
}

/// Parses a number of ranks, plain or as a power of two.
pub fn ranks(text: &str) -> Result<u32, String> {
    let number = whole(text).filter(|ranks| (1..=1 << 30).contains(ranks)).map(|ranks| ranks as u32);
    number.ok_or_else(|| "expected 1 to 1073741824 ranks, like 1024 or 2^20".to_owned())
}

/// Parses a number of bytes, plain or with a unit.
pub fn bytes(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(bytes) if bytes <= 1 << 40 => Ok(bytes),
        _ => parse_quantity::<Bytes>(text).map(|bytes| bytes.0),
    }
}

/// Longest time of a recording, in seconds.
const DAY_S: f64 = 86_400.0;

/// Parses a duration of up to a day with its unit, which may also be minutes or hours.
pub fn long_time(text: &str) -> Result<Span, String> {
    let text = text.trim();
    let factor = |unit: &str| match unit {
        // Up to a thousand seconds are a span in any case.
        "s" => Some(1.0),
        "min" => Some(60.0),
        "h" => Some(3_600.0),
        _ => None,
    };
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim();
    let seconds = match factor(unit) {
        Some(factor) => {
            text.strip_suffix(unit).and_then(|number| number.trim().parse::<f64>().ok()).map(|n| n * factor)
        }
        None => parse_quantity::<Span>(text).ok().map(Span::as_seconds),
    };
    let within = seconds.filter(|seconds| (0.0..=DAY_S).contains(seconds));
    let ps = within.map(|seconds| Span((seconds * 1e12).round() as u64));
    ps.ok_or_else(|| {
        format!("expected a duration of up to a day with its unit, like 10s, 5min or 1h, found \"{text}\"")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_times_have_minutes_and_hours() {
        for (text, ms) in
            [("10s", 10_000), ("1500 s", 1_500_000), ("250ms", 250), ("1.5min", 90_000), ("24h", 86_400_000)]
        {
            assert_eq!(long_time(text), Ok(Span::from_ms(ms)), "{text}");
        }
        for text in ["25h", "1", "h", "-1s", "1 day", "1.2.3s"] {
            assert!(long_time(text).is_err(), "{text}");
        }
    }
}
