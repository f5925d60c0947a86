//! Text broken into lines, and escaped.

/// `text` in lines of at most `width` characters, broken at blanks, later ones indented; a longer word has its own line.
pub fn wrapped(text: &str, width: usize, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, indent.to_owned()));
        } else if !line.trim().is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// The same, all lines two blanks from the left, which `width` holds.
pub(crate) fn indented(text: &str, width: usize, indent: &str) -> Vec<String> {
    wrapped(text, width - 2, indent).into_iter().map(|line| format!("  {line}")).collect()
}

/// The same, the first line behind a few letters and later ones below it, `width` being that of all.
pub fn hanging(before: &str, text: &str, width: usize) -> Vec<String> {
    let room = before.chars().count();
    let line = |(nth, line)| if nth == 0 { format!("{before}{line}") } else { format!("{:room$}{line}", "") };
    wrapped(text, width.saturating_sub(room), "").into_iter().enumerate().map(line).collect()
}

/// Parts of text, none of them empty, with an empty line between.
pub(crate) fn apart(parts: Vec<Vec<String>>) -> String {
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).map(|part| part.join("\n")).collect();
    parts.join("\n\n") + "\n"
}

/// Words for XML, as text and as attributes in double quotes, without what XML does not allow.
pub(crate) fn escaped(words: &str) -> String {
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
