//! What commands say on standard error, as text for snapshots.

use super::command::Done;
use std::fmt::{self, Display, Formatter};

/// Words by which the ends of ranks are told apart. The sentences around them name processes, hosts, phases and times, which
/// differ from run to run: tests look for those.
pub const STOPPED: &str = "has stopped";
pub const DIED: &str = " died";

/// What a command said, with names in place of what differs from place to place: the repository, and what the caller names.
pub fn said(done: &Done, names: &[(&str, &str)]) -> String {
    let mut text = without_cores(&done.stderr.trim_end().replace(env!("CARGO_MANIFEST_DIR"), "REPOSITORY"));
    for (found, name) in names {
        text = text.replace(found, name);
    }
    text
}

/// `on N cores` in place of how many cores there are here.
fn without_cores(text: &str) -> String {
    let Some((before, last)) = text.rsplit_once(" cores") else { return text.to_owned() };
    let counted = |part: &str| match part.trim_end_matches(|letter: char| letter.is_ascii_digit()) {
        words if words.len() < part.len() => format!("{words}N"),
        words => words.to_owned(),
    };
    let parts: Vec<String> = before.split(" cores").map(counted).chain([last.to_owned()]).collect();
    parts.join(" cores")
}

/// A page of what commands said, each below its command line and exit code.
#[derive(Default)]
pub struct Page(String);

impl Page {
    pub fn new() -> Page {
        Page::default()
    }

    /// Adds what the command said that was called with these words.
    pub fn add(&mut self, words: &[&str], done: &Done) {
        self.add_as(&words.join(" ").replace(env!("CARGO_MANIFEST_DIR"), "REPOSITORY"), done, &[]);
    }

    /// Adds what a command said under a heading, with names in place of what differs from place to place.
    pub fn add_as(&mut self, heading: &str, done: &Done, names: &[(&str, &str)]) {
        self.0 += &format!("{heading} [{}]\n", done.code);
        for line in said(done, names).lines() {
            self.0 += format!("  {line}").trim_end();
            self.0.push('\n');
        }
    }
}

impl Display for Page {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
