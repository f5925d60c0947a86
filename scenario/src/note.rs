//! Output on standard error and standard output, to readers that may have gone.

use std::io::{self, Write};

/// Writes a line to standard error like `eprintln!`, but ignores readers that have gone: a campaign does not end
/// because nobody reads its progress.
#[macro_export]
macro_rules! note {
    ($($text:tt)*) => {{
        $crate::say_on_standard_error(&format!($($text)*));
    }};
}

/// Writes to standard output like `print!` and returns an [`std::io::Result`]. A reader that has gone (`| head`) is no
/// error, but a full disk is one.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        write!($crate::Output, $($text)*)
    }};
}

/// Writes a line to standard error. On a terminal it is broken at the terminal's width.
pub fn say_on_standard_error(text: &str) {
    use std::io::IsTerminal;
    let mut out = std::io::stderr().lock();
    let _ = if out.is_terminal() {
        writeln!(out, "{}", crate::words::fitted(text, crate::words::terminal_width()))
    } else {
        writeln!(out, "{text}")
    };
}

/// Standard output of every command. A reader that has gone (`| head`) is no error, and later output is discarded. A
/// full disk is an error.
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

/// Returns a result, or `done` where its error is that the reader has gone.
fn unless_closed<T>(result: io::Result<T>, done: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(done),
        other => other,
    }
}
