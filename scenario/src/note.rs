//! What is said on standard error and printed on standard output, to readers that may have gone.

/// As `eprintln!`, but for readers that may have gone: a campaign does not end because nobody listens to its progress.
#[macro_export]
macro_rules! note {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
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

/// A reader that has gone is no error.
pub fn ignore_closed_pipe(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
