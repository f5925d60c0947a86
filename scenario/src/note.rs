//! What is said on standard error and printed on standard output, to readers that may have gone.

use std::io::{self, Write};

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
        write!($crate::Output, $($text)*)
    }};
}

/// Says something on standard error, on a terminal as wide as that is.
pub fn say_on_standard_error(text: &str) {
    use std::io::IsTerminal;
    let mut out = std::io::stderr().lock();
    let _ = if out.is_terminal() {
        writeln!(out, "{}", crate::words::fitted(text, crate::words::terminal_width()))
    } else {
        writeln!(out, "{text}")
    };
}

/// Standard output of every command: a reader that has gone (`| head`) is no error, so what is written afterwards goes nowhere; a full
/// disk is an error.
#[derive(Clone, Copy, Debug)]
pub struct Output;

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(io::stdout().lock().write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(io::stdout().lock().flush(), ())
    }
}

/// A result, or `done` where it is that the reader has gone.
fn unless_closed<T>(result: io::Result<T>, done: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(done),
        other => other,
    }
}
