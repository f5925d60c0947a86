//! What is printed: whoever reads it may stop before its end.

use render::results::Look;
pub use scenario::words::{print as print_words, terminal_width};
use std::io::Write;

/// Prints a whole text.
pub fn print(text: &str) -> std::io::Result<()> {
    scenario::Output.write_all(text.as_bytes())
}

/// Whether to colour standard output.
pub fn colour() -> bool {
    use std::io::IsTerminal;
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// How tables stand on this terminal.
pub fn look(detailed: bool) -> Look {
    Look { width: terminal_width(), colour: colour(), detailed, more: "" }
}
