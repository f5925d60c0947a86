//! What is said on standard error and printed on standard output, to readers that may have gone.

/// As `eprintln!`, but for readers that may have gone: a campaign does not end because nobody listens to its progress.
#[macro_export]
macro_rules! note {
    ($($text:tt)*) => {{
        $crate::say_on_standard_error(&format!($($text)*));
    }};
}

/// As `print!`, but a reader that has gone (`| head`) is no error, and a full disk is one with words; an [`std::io::Result`].
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        $crate::ignore_closed_pipe(write!(std::io::stdout().lock(), $($text)*))
    }};
}

/// Says something on standard error, on a terminal as wide as that is.
pub fn say_on_standard_error(text: &str) {
    use std::io::{IsTerminal, Write};
    let mut out = std::io::stderr().lock();
    let _ = if out.is_terminal() {
        writeln!(out, "{}", crate::words::fitted(text, crate::words::terminal_width()))
    } else {
        writeln!(out, "{text}")
    };
}

/// A reader that has gone is no error.
pub fn ignore_closed_pipe(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
