//! Bits of SVG text: numbers, escaped words, broken lines, and the unit of a time axis.

use crate::plots::canvas::text_width;
use models::time::Span;

/// Escapes words for text and for attributes in double quotes; drops what XML does not allow.
pub(super) fn escaped(words: &str) -> String {
    let mut all = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => all.push_str("&amp;"),
            '<' => all.push_str("&lt;"),
            '>' => all.push_str("&gt;"),
            '"' => all.push_str("&quot;"),
            '\n' | '\r' | '\t' => all.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => all.push(c),
        }
    }
    all
}

/// Pixels to a thousandth, without needless digits.
pub(super) fn px(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Breaks words into lines that fit a width; the last of `most` lines ends in `…` where there is more.
pub(super) fn wrapped(words: &str, width: f64, size: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(word, size) + size * 0.58 <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let more = lines.len() > most;
    lines.truncate(most);
    let fits = (width / (size * 0.58)) as usize;
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
    /// Its symbol.
    pub symbol: &'static str,
    /// Its length in ps.
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

    /// A time in this unit.
    pub(super) fn of(self, span: Span) -> f64 {
        span.0 as f64 / self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_escaped_and_lines_broken() {
        assert_eq!(escaped("a<b> & \"c\"\n\u{1}d"), "a&lt;b&gt; &amp; &quot;c&quot; d");
        assert_eq!(wrapped("one two three", 8.0 * 5.8, 10.0, 9), ["one two", "three"]);
        assert_eq!(wrapped("one two three four", 8.0 * 5.8, 10.0, 2), ["one two", "three…"]);
        assert_eq!(wrapped("unbreakable", 8.0 * 5.8, 10.0, 2), ["unbreak…"]);
        assert!(wrapped("", 50.0, 10.0, 2).is_empty());
        assert_eq!([px(1.0), px(0.1234), px(-0.0001), px(120.0)], ["1", "0.123", "0", "120"]);
    }

    #[test]
    fn the_unit_is_the_largest_that_fits() {
        let units =
            [0, 999, 1_000, 2_500_000, 7_000_000_000, 3_000_000_000_000].map(|ps| Unit::fitting(Span(ps)).symbol);
        assert_eq!(units, ["ps", "ps", "ns", "µs", "ms", "s"]);
        assert_eq!(Unit::fitting(Span(2_500_000)).of(Span(2_500_000)), 2.5);
    }
}
