//! What is printed: whoever reads it may stop before its end.

use std::io::Write;

/// Prints a whole text.
pub fn print(text: &str) -> std::io::Result<()> {
    ignore_closed_pipe(std::io::stdout().lock().write_all(text.as_bytes()))
}

/// A reader that has gone is no error.
pub fn ignore_closed_pipe(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
