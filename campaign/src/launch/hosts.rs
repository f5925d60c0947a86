//! Host files: hosts on which ranks run, each with the number of ranks that have a core of their own there.
//!
//! The formats of users and batch systems are accepted: Open MPI's `node1 slots=4`, MPICH's `node1:4`, and a line for
//! each core, like PBS's `node1` four times. Blank lines and comments (`#`) are skipped.

use scenario::BadInput;
use std::path::Path;

/// Host on which ranks run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Name of the host, as the launcher needs it.
    pub name: String,
    /// Number of ranks that have a core of their own there.
    pub slots: u32,
}

/// Reads a host file.
///
/// # Errors
/// Names the file and the line, and the text that was expected there.
pub(super) fn read(path: &Path) -> Result<Vec<Host>, BadInput> {
    let file = path.display();
    let text = scenario::files::read_description(path)
        .map_err(|error| BadInput(format!("{file}: {error}; expected a host file with lines like: node1 slots=4")))?;
    parse(&text).map_err(|why| BadInput(format!("{file}{why}")))
}

/// Returns the hosts in the order of their first lines. The slots of several lines add up.
fn parse(text: &str) -> Result<Vec<Host>, String> {
    let mut hosts: Vec<Host> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let Host { name, slots } = host(line).ok_or_else(|| {
            format!(" line {}: expected a host like: node1, node1 slots=4 or node1:4, found '{line}'", index + 1)
        })?;
        match hosts.iter_mut().find(|host| host.name == name) {
            Some(known) => known.slots = known.slots.saturating_add(slots),
            None => hosts.push(Host { name, slots }),
        }
    }
    if hosts.is_empty() { Err(": names no host; expected lines like: node1 slots=4".to_owned()) } else { Ok(hosts) }
}

fn host(line: &str) -> Option<Host> {
    let mut words = line.split_whitespace();
    let (name, counted) = words.next()?.split_once(':').map_or_else(
        || (line.split_whitespace().next().unwrap_or_default(), None),
        |(name, count)| (name, Some(count)),
    );
    let mut slots = counted.map_or(Some(1), |count| count.parse().ok())?;
    for word in words {
        match word.split_once('=')? {
            ("slots", count) if counted.is_none() => slots = count.parse().ok()?,
            // The limit on oversubscription concerns the launcher alone.
            ("max_slots" | "max-slots", count) => drop(count.parse::<u32>().ok()?),
            _ => return None,
        }
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let named = name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(plain);
    (named && slots > 0).then(|| Host { name: name.to_owned(), slots })
}

/// Returns the hosts as `node1:4,node2:4`, which both libraries' launchers understand.
pub(super) fn list(hosts: &[Host]) -> String {
    hosts.iter().map(|Host { name, slots }| format!("{name}:{slots}")).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(text: &str) -> String {
        parse(text).map_or_else(|why| why, |hosts| list(&hosts))
    }

    #[test]
    fn the_forms_of_both_libraries_and_of_batch_systems_are_read() {
        assert_eq!(hosts("# a rack\nnode1 slots=4 max_slots=8\n\nnode2:2 # the small one\n"), "node1:4,node2:2");
        assert_eq!(hosts("b\na\nb\n"), "b:2,a:1");
        assert_eq!(hosts("rack-1.example.org"), "rack-1.example.org:1");
    }

    #[test]
    fn mistakes_name_their_line() {
        let files = [
            ("node1\nnode2 slot=4", " line 2: "),
            ("node1:0", " line 1: "),
            ("node1:four", " line 1: "),
            ("--help", " line 1: "),
            ("node1:2 slots=2", " line 1: "),
            ("# nothing\n", ": "),
        ];
        let said = files.map(|(text, place)| {
            let error = hosts(text);
            assert!(error.starts_with(place), "{text}: {error}");
            format!("{text:?}\n  → {}", error.trim_start())
        });
        insta::assert_snapshot!(said.join("\n"));
    }
}
