//! Text broken into lines.

/// Lines of at most `width` characters, broken at blanks; a longer word has a line of its own. A text's own
/// line breaks stay.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    text.lines().flat_map(|line| wrapped_line(line, width)).collect()
}

fn wrapped_line(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("never empty");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
