//! Numbers in a line, and the place that errors name.

use super::ImportError;

/// A place in a file, for errors.
#[derive(Clone, Copy)]
pub(super) struct TextPlace<'a> {
    pub file: &'a str,
    pub line: usize,
}

impl TextPlace<'_> {
    pub(super) fn error(&self, message: impl Into<String>) -> ImportError {
        ImportError { file: self.file.to_owned(), line: self.line, message: message.into() }
    }

    /// Reads a whole number; `what` names the counted things.
    pub(super) fn whole<N: std::str::FromStr>(&self, text: &str, what: &str) -> Result<N, ImportError> {
        text.parse().map_err(|_| self.error(format!("expected {what}, a whole number, found '{}'", shortened(text))))
    }

    /// Reads a number times a power of ten, multiplied in decimal: a printed 0.0000009876 s is 0.9876 µs, no digit
    /// more. `None` where the tool itself prints no number.
    pub(super) fn number(&self, text: &str, power: i32, what: &str) -> Result<Option<f64>, ImportError> {
        let bare = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
        if matches!(bare.as_str(), "" | "nan" | "inf" | "infinity") {
            let is_dash = bare.is_empty() && text.len() < 2;
            return if is_dash { Err(self.no_number(text, what)) } else { Ok(None) };
        }
        let number: Option<f64> = if bare.contains('e') {
            text.parse().ok().map(|number: f64| number * 10f64.powi(power))
        } else {
            format!("{text}e{power}").parse().ok()
        };
        number.filter(|number| number.is_finite()).map(Some).ok_or_else(|| self.no_number(text, what))
    }

    fn no_number(&self, text: &str, what: &str) -> ImportError {
        let without = if text.contains(',') { " without commas" } else { "" };
        self.error(format!("{what}: expected a number{without}, found '{}'", shortened(text)))
    }
}

/// A text for an error: at most 40 characters.
pub(super) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The cells of a line whose columns are at least two blanks apart, as a cell may have blanks of its own.
pub(super) fn wide_cells(line: &str) -> Vec<&str> {
    line.split("  ").flat_map(|part| part.split('\t')).map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

/// Whether a line begins as a number does.
pub(super) fn begins_with_number(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    first.trim_start_matches(['+', '-', '.']).starts_with(|first: char| first.is_ascii_digit())
}

/// The text after `# `, if it is a comment.
pub(super) fn comment(line: &str) -> Option<&str> {
    line.starts_with('#').then(|| line.trim_start_matches('#').trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: TextPlace<'static> = TextPlace { file: "a.txt", line: 7 };

    #[test]
    fn seconds_become_microseconds_without_another_digit() {
        assert_eq!(HERE.number("0.0000009876", 6, "mean"), Ok(Some(0.9876)));
        assert_eq!(HERE.number("-3", 0, "mean"), Ok(Some(-3.0)));
        assert_eq!(HERE.number("1.5e-6", 6, "mean"), Ok(Some(1.5)));
        assert_eq!(HERE.number("-nan", 6, "mean"), Ok(None));
        assert_eq!(HERE.number("---", 0, "mean"), Ok(None));
    }

    #[test]
    fn what_is_no_number_is_an_error_with_its_place() {
        let mut said = ["-", "1e999", "9".repeat(400).as_str(), "12x", "0x10", "1,5", "e5", "é"]
            .map(|text| HERE.number(text, 0, "t_avg").expect_err(text).to_string())
            .to_vec();
        said.push(HERE.whole::<u64>("18446744073709551616", "bytes").expect_err("too large").to_string());
        assert!(
            said.iter().all(|error| error.starts_with("a.txt line 7: ") && error.chars().count() < 100),
            "{said:?}"
        );
        insta::assert_snapshot!(said.join("\n"));
    }

    #[test]
    fn heads_may_hold_single_blanks() {
        assert_eq!(wide_cells("Size       Pure Comm.(us)\tOverlap(%)  "), ["Size", "Pure Comm.(us)", "Overlap(%)"]);
    }
}
