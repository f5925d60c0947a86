//! Removes from the lines of a text everything that launchers, loggers, mails and terminals put around them, before any
//! tool's reader gets them.
//!
//! A prefix stands before a line that a tool prints at its left edge. It has a character that no number has
//! (`[1,0]<stdout>:`, `0: `, `00:55:22 `, `> `). Lines that begin alike, with any digits where it has digits, lose as
//! much.

use super::Tool;

/// Largest number of characters of a prefix.
const LONGEST: usize = 120;

/// A piece of a prefix.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Piece {
    /// Digits: ranks, times and numbers of processes differ from line to line.
    Digits,
    /// Blanks; at the end of a prefix they may be missing if the line ends there.
    Blanks,
    /// Exactly this one character.
    Exact(char),
}

/// Returns the lines of a text, each with its number, counted from 1, without the surroundings and without blanks at
/// their ends.
pub(super) fn lines(text: &str) -> Vec<(usize, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let written = text.lines().enumerate();
    let parts = written.flat_map(|(index, line)| broken(line).into_iter().map(move |part| (index + 1, part)));
    let bare = parts.map(|(number, part)| (number, unquoted(plain(part).trim()).to_owned()));
    let (numbers, mut lines): (Vec<usize>, Vec<String>) = bare.unzip();
    without_numbers(&mut lines);
    let mut prefixes: Vec<Vec<Piece>> = lines.iter().filter_map(|line| prefix(line)).map(pieces).collect();
    prefixes.sort_unstable_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    prefixes.dedup();
    for line in &mut lines {
        if let Some(inside) = prefixes.iter().find_map(|prefix| behind(prefix, line)) {
            *line = inside.trim().to_owned();
        }
    }
    blanks_between_cells(&mut lines);
    prefixes.retain(|prefix| names_a_stream(prefix));
    let numbered = numbers.into_iter().zip(&lines);
    numbered.flat_map(|(number, line)| apart(&prefixes, line).into_iter().map(move |part| (number, part))).collect()
}

/// Whether a launcher names by this prefix the stream that follows: `[1,0]<stdout>:`. Other prefixes may stand in a
/// line by chance.
fn names_a_stream(prefix: &[Piece]) -> bool {
    let letters: String =
        prefix.iter().map(|piece| if let Piece::Exact(letter) = piece { *letter } else { ' ' }).collect();
    ["<stdout>", "<stderr>"].iter().any(|stream| letters.contains(stream))
}

/// Splits a line within which a prefix stands again. A program that writes a line in pieces has one before each piece:
/// behind a blank the line goes on; else its end is missing, and another one begins.
fn apart(prefixes: &[Vec<Piece>], line: &str) -> Vec<String> {
    if prefixes.is_empty() {
        return vec![line.to_owned()];
    }
    let mut found = vec![String::new()];
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let last = found.len() - 1;
        let inside = prefixes.iter().find_map(|prefix| behind(prefix, rest)).filter(|_| !found[last].is_empty());
        match inside {
            Some(inside) if found[last].ends_with(' ') => rest = inside,
            Some(inside) => {
                found.push(String::new());
                rest = inside.trim_start();
            }
            None => {
                found[last].push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    found.iter().map(|part| part.trim().to_owned()).collect()
}

/// Returns a line without the colours of a terminal (`ESC [ … m` and the like, ECMA-48) and with plain blanks.
fn plain(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => {
                // Skips the sequence up to the letter that ends it.
                match letters.next() {
                    Some('[') => letters.by_ref().find(|letter| ('@'..='~').contains(letter)),
                    Some(']') => letters.by_ref().find(|letter| *letter == '\u{7}'),
                    Some('(' | ')') => letters.next(),
                    _ => None,
                };
            }
            '\u{a0}' | '\u{2007}' | '\u{202f}' => plain.push(' '),
            _ => plain.push(letter),
        }
    }
    plain
}

/// Removes the numbers of lines (`cat -n`): each line begins with one more than the line before, and a tool's own line
/// follows one of the numbers.
fn without_numbers(lines: &mut [String]) {
    let numbered = |line: &str| -> Option<(usize, String)> {
        let (number, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Some((number.parse().ok()?, rest.trim().to_owned()))
    };
    let Some(found) = lines.iter().map(|line| numbered(line)).collect::<Option<Vec<_>>>() else { return };
    let in_order = found.windows(2).all(|two| two[0].0.checked_add(1) == Some(two[1].0));
    if in_order && found.iter().any(|(_, line)| Tool::of_line(line).is_some()) {
        lines.iter_mut().zip(found).for_each(|(line, (_, bare))| *line = bare);
    }
}

/// Splits a line at each carriage return. A text of JSON in which a tool's own line stands is split at its escaped ends
/// of lines as well.
fn broken(line: &str) -> Vec<&str> {
    let parts = || line.trim_end_matches('\r').split('\r');
    let unescaped = || parts().flat_map(|part| part.split("\\n")).map(|part| part.rsplit('"').next().unwrap_or(part));
    let is_escaped = line.contains("\\n") && unescaped().any(|part| Tool::of_line(part.trim()).is_some());
    if is_escaped { unescaped().collect() } else { parts().collect() }
}

/// The text of a line of JSON that is a single string: `"8   1.20",`.
fn unquoted(line: &str) -> &str {
    let inside = line.strip_suffix(',').unwrap_or(line).strip_prefix('"').and_then(|line| line.strip_suffix('"'));
    inside.filter(|inside| !inside.contains('"')).map_or(line, str::trim)
}

/// Separators of cells in Markdown and CSV.
const BETWEEN: [char; 3] = ['|', ',', ';'];

/// Replaces other separators between the cells of a table by blanks, as tools print them. A table begins with a tool's
/// heads and goes on while lines have as many cells.
fn blanks_between_cells(lines: &mut [String]) {
    let cells = |line: &str, sign: char| -> Vec<String> {
        line.trim_matches('|').split(sign).map(|cell| cell.trim().to_owned()).collect()
    };
    let mut table: Option<(char, usize)> = None;
    for line in lines {
        table = table.filter(|&(sign, count)| cells(line, sign).len() == count).or_else(|| {
            let is_head =
                |&sign: &char| line.contains(sign) && Tool::with_heads(&cells(line, sign).join("  ")).is_some();
            let sign = BETWEEN.into_iter().find(is_head)?;
            Some((sign, cells(line, sign).len()))
        });
        if let Some((sign, _)) = table {
            *line = cells(line, sign).join("  ");
        }
    }
}

/// The text before a line of a tool, if it cannot be part of a row.
fn prefix(line: &str) -> Option<&str> {
    let closes = |letter: char| letter.is_whitespace() || ":>|])»`".contains(letter);
    let is_plain = |letter: char| letter.is_alphanumeric() || letter.is_whitespace() || ".,+-#_".contains(letter);
    let has_sign = line.chars().take(LONGEST).any(|letter| !is_plain(letter));
    if !has_sign || Tool::of_line(line).is_some() {
        return None;
    }
    let mut before = ' ';
    let starts = line.char_indices().take(LONGEST).filter(|(_, letter)| {
        let starts = closes(before) && !letter.is_whitespace();
        before = *letter;
        starts
    });
    let starts: Vec<usize> = starts.map(|(at, _)| at).filter(|at| *at > 0).collect();
    let at = starts.into_iter().find(|at| Tool::of_line(&line[*at..]).is_some())?;
    Some(&line[..at]).filter(|prefix| !prefix.chars().all(is_plain))
}

fn pieces(prefix: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for letter in prefix.chars() {
        let piece = match letter {
            letter if letter.is_ascii_digit() => Piece::Digits,
            letter if letter.is_whitespace() => Piece::Blanks,
            letter => Piece::Exact(letter),
        };
        if pieces.last() != Some(&piece) || matches!(piece, Piece::Exact(_)) {
            pieces.push(piece);
        }
    }
    pieces
}

/// The text behind a prefix, if the line begins with such a prefix.
fn behind<'a>(prefix: &[Piece], line: &'a str) -> Option<&'a str> {
    let mut rest = line;
    for piece in prefix {
        rest = match piece {
            Piece::Digits => {
                let after = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
                Some(after).filter(|after| after.len() < rest.len())
            }
            Piece::Blanks => {
                let after = rest.trim_start();
                Some(after).filter(|after| after.len() < rest.len() || after.is_empty())
            }
            Piece::Exact(letter) => rest.strip_prefix(*letter),
        }?;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: [&str; 4] = ["# OSU MPI Latency Test v7.4", "# Size  Latency (us)", "1     1.10", "16    2.20"];

    /// Writes a line of this number.
    type Writer = fn(usize, &str) -> String;

    /// A table of which each line is written by `write`, and then read.
    fn inside(write: impl Fn(usize, &str) -> String) -> Vec<String> {
        let text: Vec<String> = TABLE.iter().enumerate().map(|(line, text)| write(line, text)).collect();
        lines(&text.join("\n")).into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn prefixes_quotes_and_colours_are_taken_off() {
        let written: [(&str, Writer); 15] = [
            ("nothing", |_, text| text.to_owned()),
            ("Open MPI 4 --tag-output", |_, text| format!("[1,0]<stdout>:{text}")),
            ("Open MPI 5 --tag-output", |_, text| format!("[prterun-n1-4242@1,0]<stdout>: {text}")),
            ("--timestamp-output", |line, text| format!("Tue Nov  3 12:04:5{line} 2031<stdout>:{text}")),
            ("srun --label", |_, text| format!("0: {text}")),
            ("mpiexec -l", |_, text| format!("[0] {text}")),
            ("host and process", |_, text| format!("[node17:04242] {text}")),
            ("a logger", |line, text| format!("2031-02-03T04:05:0{line}.123Z stdout: {text}")),
            ("a build's log", |line, text| format!("00:55:2{line}  {text}")),
            ("a mail", |_, text| format!("> {text}")),
            ("a mail in a mail", |_, text| format!(">> > 0: {text}")),
            ("colours", |_, text| format!("\u{1b}[1;32m{text}\u{1b}[0m")),
            ("a fence of Markdown", |line, text| if line == 0 { format!("```{text}") } else { text.to_owned() }),
            ("a container's log", |_, text| format!("worker-0  | {text}")),
            ("cat -n", |line, text| format!("     {}\t{text}", line + 1)),
        ];
        for (what, write) in written {
            assert_eq!(inside(write), TABLE, "{what}");
        }
    }

    #[test]
    fn tables_of_markdown_csv_and_json_are_as_a_tool_prints_them() {
        let bare = |text: &str| lines(text).into_iter().map(|(_, line)| line).collect::<Vec<_>>();
        let markdown = "| # Size | Latency (us) |\n|:---|---:|\n| 1 | 1.10 |\n\n| 8 | 1.20 |\n";
        assert_eq!(bare(markdown), ["# Size  Latency (us)", ":---  ---:", "1  1.10", "", "| 8 | 1.20 |"]);
        assert_eq!(bare("Size;Latency (us)\n1;1,10\n1;2;3"), ["Size  Latency (us)", "1  1,10", "1;2;3"]);
        assert_eq!(bare("#bytes,#repetitions,t[usec],Mbytes/sec\n8,1000,1.1,2\n")[1], "8  1000  1.1  2");
        assert_eq!(bare("\"# Size  Latency (us)\",\n\"1   1.10\"\n\"a\", \"b\"\n")[1..], ["1   1.10", "\"a\", \"b\""]);
        let escaped = r#"{"output": "\n# OSU MPI Latency Test v7.4\n# Size  Latency (us)\n1   1.10\n"}"#;
        assert_eq!(bare(escaped)[1..4], ["# OSU MPI Latency Test v7.4", "# Size  Latency (us)", "1   1.10"]);
        assert_eq!(bare("10 %\r20 %\r# Size  Latency (us)\r\n1   1.10\r\n")[2..], ["# Size  Latency (us)", "1   1.10"]);
        assert_eq!(bare(r"C:\new\name"), [r"C:\new\name"]);
        assert_eq!(bare("a, b\n1, 2.0"), ["a, b", "1, 2.0"], "no tool's heads");
    }

    #[test]
    fn lines_that_begin_otherwise_stay_as_they_are() {
        let text = "0: # OSU MPI Latency Test v7.4\n0: 8   1.0\nsrun: 16   2.0\n32 4.0\n0:\n";
        let bare: Vec<String> = lines(text).into_iter().map(|(_, line)| line).collect();
        assert_eq!(bare, ["# OSU MPI Latency Test v7.4", "8   1.0", "srun: 16   2.0", "32 4.0", ""]);
        let prose = "as told in # OSU MPI Latency Test v7.4\n8 1.0";
        assert_eq!(lines(prose)[1].1, "8 1.0", "a prefix without a sign is none");
    }
}
