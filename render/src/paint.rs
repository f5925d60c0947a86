//! Colours of a terminal.

use crate::words::wrapped;

/// Whether to colour.
#[derive(Clone, Copy)]
pub struct Paint(pub bool);

impl Paint {
    /// The text in an ANSI style.
    pub fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// The text in bold letters.
    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    /// Words in bold lines.
    pub fn bold_lines(self, text: &str, width: usize, indent: &str) -> Vec<String> {
        wrapped(text, width, indent).iter().map(|line| self.bold(line)).collect()
    }

    /// The text in faint letters.
    pub fn faint(self, text: &str) -> String {
        self.with("2", text)
    }

    /// The text in green.
    pub fn good(self, text: &str) -> String {
        self.with("32", text)
    }

    /// The text in bold red.
    pub fn bad(self, text: &str) -> String {
        self.with("1;31", text)
    }

    /// The text in bold yellow.
    pub fn warning(self, text: &str) -> String {
        self.with("1;33", text)
    }
}
