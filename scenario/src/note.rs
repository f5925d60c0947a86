//! What is said on standard error.

/// As `eprintln!`, but for readers that may have gone: a campaign does not end because nobody listens to its progress.
#[macro_export]
macro_rules! note {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}
