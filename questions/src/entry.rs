//! Times at which ranks enter.

use models::quantity::parse;
use models::time::{Span, Time};
use scenario::BadInput;
use sim::Entry;

/// Function that reads a file as text, where there are files.
pub type Files<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// Reads entry times from a list or a file, or draws them.
///
/// # Errors
///
/// Says what cannot be read, or how many times are expected.
pub fn read(text: Option<&str>, ranks: u32, seed: u64, files: Files<'_>) -> Result<Entry, BadInput> {
    let Some(text) = text else { return Ok(Entry::Together) };
    if let Some(span) = text.strip_prefix("random:") {
        let span: Span = time(span).map_err(|message| BadInput(format!("--entry random: {message}")))?;
        return Ok(Entry::Drawn { latest: span, seed });
    }
    let is_list = text.contains(',') || text.starts_with(|first: char| first.is_ascii_digit()) && time(text).is_ok();
    let times = if is_list { list(text)? } else { file(text, files)? };
    if times.len() != ranks as usize {
        let found = times.len();
        return Err(BadInput(format!("--entry: expected a time for each of {ranks} ranks, found {found}")));
    }
    Ok(Entry::Each(times.into()))
}

/// Reads a time. A bare number is in ns.
fn time(text: &str) -> Result<Span, String> {
    match text.trim().parse::<f64>() {
        Ok(_) => parse(&format!("{} ns", text.trim())),
        Err(_) => parse(text),
    }
}

fn list(text: &str) -> Result<Vec<Time>, BadInput> {
    let one = |(rank, part): (usize, &str)| match time(part) {
        Ok(span) => Ok(Time(span.0)),
        Err(message) => Err(BadInput(format!("--entry: rank {rank}: {message}"))),
    };
    text.split(',').enumerate().map(one).collect()
}

/// Reads one time per line. Empty lines and the text behind a `#` do not count.
fn file(path: &str, files: Files<'_>) -> Result<Vec<Time>, BadInput> {
    let text = files(path).map_err(|message| {
        BadInput(format!(
            "--entry: {message}; expected a list like 0,5us, a file with one time per line, or random:10us"
        ))
    })?;
    let mut times = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default().trim();
        if !content.is_empty() {
            let line = index + 1;
            let span = time(content).map_err(|message| BadInput(format!("{path} line {line}: {message}")))?;
            times.push(Time(span.0));
        }
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: Option<&str>, ranks: u32, seed: u64) -> Result<Entry, BadInput> {
        let only_file = |name: &str| match name {
            "skew.txt" => Ok("# late\n0\n5us  # rank 1\n\n".to_owned()),
            other => Err(format!("{other}: no such file")),
        };
        super::read(text, ranks, seed, &only_file)
    }

    #[test]
    fn lists_files_and_draws_are_read_and_counted() {
        let us = |n: u64| Time(n * 1_000_000);
        assert_eq!(read(Some("0,5us,2500"), 3, 1).unwrap(), Entry::Each(vec![us(0), us(5), Time(2_500_000)].into()));
        assert!(read(Some("0,5us"), 3, 1).unwrap_err().0.contains("each of 3 ranks, found 2"));
        assert!(read(Some("0,5 parsecs"), 2, 1).unwrap_err().0.contains("rank 1"));
        assert!(read(Some("no-such-file"), 2, 1).unwrap_err().0.contains("no-such-file"));
        assert_eq!(read(Some("skew.txt"), 2, 1).unwrap(), Entry::Each(vec![us(0), us(5)].into()));
        let drawn = read(Some("random:10us"), 1_000, 7).unwrap();
        assert_eq!(drawn, Entry::Drawn { latest: Span(us(10).0), seed: 7 });
    }
}
