//! Output of commands, to readers that may stop before its end.

use render::results::Look;
pub use scenario::words::{print as print_words, terminal_width};
use std::io::Write;

/// Prints a whole text to standard output.
pub fn print(text: &str) -> std::io::Result<()> {
    scenario::Output.write_all(text.as_bytes())
}

/// Whether standard output is coloured.
pub fn colour() -> bool {
    use std::io::IsTerminal;
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Returns the layout of tables on this terminal.
pub fn look(detailed: bool) -> Look {
    Look { width: terminal_width(), colour: colour(), detailed, more: "" }
}
