//! Text that is broken into lines, or escaped.

pub use scenario::words::{hanging, wrapped};

/// Wraps text into lines two blanks from the left, within `width`.
pub fn indented(text: &str, width: usize, indent: &str) -> Vec<String> {
    wrapped(text, width - 2, indent).into_iter().map(|line| format!("  {line}")).collect()
}

/// Joins parts of text with an empty line between them; empty parts are left out.
pub fn apart(parts: Vec<Vec<String>>) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).map(|part| part.join("\n")).collect();
    parts.join("\n\n") + "\n"
}

/// Escapes words for XML, as text and as attributes in double quotes, without the characters that XML does not allow.
pub fn escaped(words: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_wraps_at_words() {
        assert_eq!(wrapped("one two three", 7, "  "), ["one two", "  three"]);
        assert_eq!(indented("one two three", 9, ""), ["  one two", "  three"]);
        assert_eq!(hanging("a: ", "one two three", 10), ["a: one two", "   three"]);
        assert_eq!(wrapped("incomprehensible", 7, "  "), ["incomprehensible"]);
        assert_eq!(wrapped("α β γ δ", 3, ""), ["α β", "γ δ"]);
        assert_eq!(apart(vec![vec!["a".to_owned(), "b".to_owned()], Vec::new(), vec!["c".to_owned()]]), "a\nb\n\nc\n");
    }

    #[test]
    fn words_are_escaped() {
        assert_eq!(escaped("a<b> & \"c\"\n\u{1}d"), "a&lt;b&gt; &amp; &quot;c&quot; d");
    }
}
