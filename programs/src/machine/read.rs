//! Machine files, `programs/machines/*.toml`: written whole, read with the places of mistakes.

use super::Machine;

impl Machine {
    /// Reads a machine file; `file` is its name for messages.
    ///
    /// # Errors
    /// Names the line, the wrong key and the expected content.
    pub fn parse(file: &str, text: &str) -> Result<Machine, String> {
        toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| text[..span.start].matches('\n').count() + 1);
            let place = line.map_or_else(|| file.to_owned(), |line| format!("{file} line {line}"));
            format!("{place}: {}; expected a machine file, as `parallax calibrate` writes them", error.message())
        })
    }

    /// Text of the machine's file.
    ///
    /// # Panics
    /// Never: a machine has no value that TOML cannot hold.
    pub fn text(&self) -> String {
        toml::to_string(self).expect("a machine is plain values")
    }
}
