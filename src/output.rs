//! What is printed: whoever reads it may stop before its end.

use reports::view::Look;
use std::io::Write;

/// Prints a whole text.
pub fn print(text: &str) -> std::io::Result<()> {
    scenario::ignore_closed_pipe(std::io::stdout().lock().write_all(text.as_bytes()))
}

/// Columns of the terminal, as COLUMNS says.
pub fn terminal_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(100).clamp(60, 140)
}

/// Whether to colour standard output.
pub fn colour() -> bool {
    use std::io::IsTerminal;
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// How tables stand on this terminal.
pub fn look(detailed: bool) -> Look {
    Look { width: terminal_width(), colour: colour(), detailed }
}
