//! Text for readers, broken into lines as wide as the terminal.

/// Number of columns where neither COLUMNS nor a terminal gives one.
const USUAL: usize = 100;

/// Returns the number of columns that output may take: that of COLUMNS, else that of the terminal, else 100, limited to
/// 60 to 160.
pub fn terminal_width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let of_terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    said.or_else(of_terminal).unwrap_or(USUAL).clamp(60, 160)
}

/// Prints text for readers. Lines wider than the terminal are broken.
///
/// # Errors
/// Fails if the disk is full, but not if the reader has gone.
pub fn print(text: &str) -> std::io::Result<()> {
    crate::say!("{}", fitted(text, terminal_width()))
}

/// Breaks `text` at blanks into lines of at most `width` characters, all but the first indented. A longer word has its
/// own line.
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

/// Breaks `text` into lines that stand behind the label `before`: the first follows it, later ones are aligned below.
/// `width` includes the label.
pub fn hanging(before: &str, text: &str, width: usize) -> Vec<String> {
    let room = before.chars().count();
    let line = |(nth, line)| if nth == 0 { format!("{before}{line}") } else { format!("{:room$}{line}", "") };
    let lines = text.split('\n').flat_map(|line| wrapped(line, width.saturating_sub(room), ""));
    lines.enumerate().map(line).collect()
}

/// Breaks lines that are longer than the terminal is wide at blanks. Later lines stand below the text behind a label,
/// or two columns further in. Rows of tables and coloured lines stay whole, and lines drawn across the page are cut.
pub fn fitted(text: &str, width: usize) -> String {
    let mut all = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let lines = if line.chars().count() <= width || line.contains('\x1b') {
            vec![line.to_owned()]
        } else if line.trim_start().chars().all(|c| c == '─') {
            vec![line.chars().take(width).collect()]
        } else {
            broken(line, width)
        };
        all += &(lines.join("\n") + end);
    }
    all
}

/// Breaks one line that is too long. A row of a table stays as it is.
fn broken(line: &str, width: usize) -> Vec<String> {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    // Two blanks or more occur once between a label and its text, and repeatedly between the cells of a row.
    let gaps: Vec<usize> =
        text.match_indices("  ").map(|(at, _)| at).filter(|&at| !text[..at].ends_with(' ')).collect();
    match gaps.as_slice() {
        [] => wrapped(text, width - indent, "  ").iter().map(|line| format!("{:indent$}{line}", "")).collect(),
        [at] => {
            let label = text[*at..].len() - text[*at..].trim_start().len() + at;
            let before = format!("{}{}", " ".repeat(indent), &text[..label]);
            if before.chars().count() * 2 < width {
                hanging(&before, &text[label..], width)
            } else {
                vec![line.to_owned()]
            }
        }
        _ => vec![line.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_below_their_text_and_rows_of_tables_stay() {
        let text = "  model      PLogP with many parameters that do not fit\n  a    b    c    d    e    f    g    h    i    j    k    l\n\
                    A sentence of its own that is longer than the terminal is wide.\n────────────────────────────────────────────────────\nshort\n";
        let expected = "  model      PLogP with many parameters\n             that do not fit\n  a    b    c    d    e    f    g    h    i    j    k    l\n\
                        A sentence of its own that is longer\n  than the terminal is wide.\n────────────────────────────────────────\nshort\n";
        assert_eq!(fitted(text, 40), expected);
        assert_eq!(fitted(expected, 80), expected);
    }
}
