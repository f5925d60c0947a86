//! Colours of a terminal.

use crate::words::wrapped;

/// Painter of terminal text; true to use colours.
#[derive(Clone, Copy)]
pub struct Paint(pub bool);

impl Paint {
    /// Returns the text in an ANSI style.
    pub fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Returns the text in bold letters.
    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    /// Returns the text wrapped into bold lines.
    pub fn bold_lines(self, text: &str, width: usize, indent: &str) -> Vec<String> {
        wrapped(text, width, indent).iter().map(|line| self.bold(line)).collect()
    }

    /// Returns the text in faint letters.
    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    /// Returns the text in green.
    pub fn good(self, text: &str) -> String {
        self.with("32", text)
    }

    /// Returns the text in bold red.
    pub fn bad(self, text: &str) -> String {
        self.with("1;31", text)
    }

    /// Returns the text in bold yellow.
    pub fn warning(self, text: &str) -> String {
        self.with("1;33", text)
    }

    /// Returns a verdict in the colour of the sign with which it begins.
    pub fn verdict(self, text: &str) -> String {
        match text.chars().next() {
            Some('✓') => self.good(text),
            Some('≈') => self.warning(text),
            Some('✗') => self.bad(text),
            Some('–') => self.faint(text),
            _ => text.to_owned(),
        }
    }
}
