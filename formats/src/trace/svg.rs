//! Parts of SVG text: numbers, broken lines, and the unit of a time axis.

use models::time::Span;
use render::plots::canvas::fitting;
use render::words::wrapped;

/// Text of a number of pixels, rounded to a thousandth, without needless digits.
pub(super) fn px(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Attributes that place a text centred on an instant: `middle` is in px from the left end of time, `half` half the
/// text's width. The page's script moves it when it stretches time.
pub(super) fn centred(middle: f64, half: f64, (x, y): (f64, f64)) -> String {
    let [middle, half, x, y] = [middle, half, x, y].map(px);
    format!("data-x=\"{middle}\" data-half=\"{half}\" transform=\"translate({x},{y})\"")
}

/// Breaks words into lines that fit a width; the last of `most` lines ends in `…` where there is more.
pub(super) fn fitted(words: &str, width: f64, size: f64, most: usize) -> Vec<String> {
    let fits = fitting(width, size);
    let mut lines = wrapped(words, fits, "");
    lines.retain(|line| !line.is_empty());
    let more = lines.len() > most;
    lines.truncate(most);
    for (nth, line) in lines.iter_mut().enumerate() {
        let cut = line.chars().count() > fits;
        if cut || (more && nth + 1 == most) {
            *line = line.chars().take(fits.saturating_sub(1)).collect();
            line.push('…');
        }
    }
    lines
}

/// The unit of one time axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit {
    pub symbol: &'static str,
    /// Length of the unit, in ps.
    pub length: f64,
}

impl Unit {
    /// The largest unit that is not longer than a time.
    pub(super) fn fitting(span: Span) -> Unit {
        let units = [("s", 1e12), ("ms", 1e9), ("µs", 1e6), ("ns", 1e3)];
        let fits = units.into_iter().find(|&(_, length)| span.0 as f64 >= length);
        let (symbol, length) = fits.unwrap_or(("ps", 1.0));
        Unit { symbol, length }
    }

    /// Returns a time in this unit.
    pub(super) fn convert(self, span: Span) -> f64 {
        span.0 as f64 / self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken() {
        assert_eq!(fitted("one two three", 8.0 * 5.8, 10.0, 9), ["one two", "three"]);
        assert_eq!(fitted("one two three four", 8.0 * 5.8, 10.0, 2), ["one two", "three…"]);
        assert_eq!(fitted("unbreakable", 8.0 * 5.8, 10.0, 2), ["unbreak…"]);
        assert!(fitted("", 50.0, 10.0, 2).is_empty());
        assert_eq!([px(1.0), px(0.1234), px(-0.0001), px(120.0)], ["1", "0.123", "0", "120"]);
    }

    #[test]
    fn the_unit_is_the_largest_that_fits() {
        let units =
            [0, 999, 1_000, 2_500_000, 7_000_000_000, 3_000_000_000_000].map(|ps| Unit::fitting(Span(ps)).symbol);
        assert_eq!(units, ["ps", "ps", "ns", "µs", "ms", "s"]);
        assert_eq!(Unit::fitting(Span(2_500_000)).convert(Span(2_500_000)), 2.5);
    }
}
