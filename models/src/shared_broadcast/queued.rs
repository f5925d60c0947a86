//! How a broadcast passes through shared memory, as users name it among algorithms: `shared:8KiB:32`.

use super::{Broadcast, Notified, Queue};
use crate::call::Call;
use crate::collective::Collective;
use crate::network::read;
use crate::quantity::Bytes;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What names of such broadcasts begin with.
const PREFIX: &str = "shared:";

/// A queue and a tree of notifications, with the name that they have together: `shared:8KiB:32:1:flat` is fragments of 8 KiB, 32 buffers,
/// one set, and the root notifies all.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Queued {
    name: String,
    queue: Queue,
    tree: Notified,
}

impl Queued {
    /// This queue, with notifications along this tree.
    pub fn new(queue: Queue, tree: Notified) -> Queued {
        let (fragment, buffers, sets) = (length(queue.fragment_bytes()), queue.buffers(), queue.sets());
        Queued { name: format!("{PREFIX}{fragment}:{buffers}:{sets}:{tree}"), queue, tree }
    }

    /// True if a name is meant to be one of these.
    pub fn is_meant(name: &str) -> bool {
        name == "shared" || name.starts_with(PREFIX)
    }

    /// Reads `shared:FRAGMENT:BUFFERS[:SETS][:TREE]`: one set and the flat tree where none is named.
    ///
    /// # Errors
    /// What is missing, or what is no length, number or tree.
    pub fn parse(name: &str) -> Result<Queued, String> {
        let wrong = |why: String| format!("{name}: {why}");
        let expected = "expected shared:FRAGMENT:BUFFERS[:SETS][:TREE], like shared:8KiB:32 or shared:8KiB:32:2:kary:4";
        let text = name.strip_prefix(PREFIX).ok_or_else(|| wrong(expected.to_owned()))?;
        let (fragment, rest) = text.split_once(':').ok_or_else(|| wrong(expected.to_owned()))?;
        let fragment = read::<Bytes>(fragment, "B").map_err(wrong)?.0;
        let (buffers, rest) = number(rest);
        let buffers = buffers.ok_or_else(|| wrong(expected.to_owned()))?;
        let (sets, rest) = rest.map_or((None, None), number);
        let tree = rest.map_or(Ok(Notified::FLAT), Notified::parse).map_err(wrong)?;
        Ok(Queued::new(Queue::new(fragment, buffers, sets.unwrap_or(1)).map_err(wrong)?, tree))
    }

    /// Its name, as [`Queued::parse`] reads it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Through which queue.
    pub fn queue(&self) -> Queue {
        self.queue
    }

    /// Who notifies whom.
    pub fn tree(&self) -> Notified {
        self.tree
    }

    /// Refuses calls that no queue carries.
    ///
    /// # Errors
    /// Another collective than a broadcast, or another form of one than contiguous bytes among all ranks.
    pub fn accepts(&self, collective: Collective, call: &Call) -> Result<(), String> {
        if collective == Collective::Bcast && call.is_plain() {
            return Ok(());
        }
        let found = call.name(collective);
        Err(format!("{}: expected a plain bcast, of contiguous bytes among all ranks, found {found}", self.name))
    }

    /// What a rank does, before its first call.
    pub fn broadcast(&self) -> Broadcast {
        Broadcast::new(self.queue, self.tree)
    }
}

/// The whole number that a text begins with, and what follows its colon; the text, where it begins with none.
fn number(text: &str) -> (Option<u64>, Option<&str>) {
    let (first, rest) = text.split_once(':').map_or((text, None), |(first, rest)| (first, Some(rest)));
    match first.parse() {
        Ok(number) => (Some(number), rest),
        Err(_) => (None, Some(text)),
    }
}

/// `8KiB`, `1MiB`, `100B`: exact.
fn length(bytes: u64) -> String {
    match bytes {
        bytes if bytes.is_multiple_of(1 << 20) => format!("{}MiB", bytes >> 20),
        bytes if bytes.is_multiple_of(1 << 10) => format!("{}KiB", bytes >> 10),
        bytes => format!("{bytes}B"),
    }
}

impl fmt::Display for Queued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl TryFrom<String> for Queued {
    type Error = String;

    fn try_from(name: String) -> Result<Queued, String> {
        Queued::parse(&name)
    }
}

impl From<Queued> for String {
    fn from(queued: Queued) -> String {
        queued.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let name = |text: &str| Queued::parse(text).map(|queued| queued.name);
        assert_eq!(name("shared:8KiB:32").unwrap(), "shared:8KiB:32:1:flat");
        assert_eq!(name("shared:8192:32:2").unwrap(), "shared:8KiB:32:2:flat");
        assert_eq!(name("shared:100:4:kary:3").unwrap(), "shared:100B:4:1:kary:3");
        assert_eq!(name("shared:1 MiB:4:4:chain").unwrap(), "shared:1MiB:4:4:chain");
        for text in ["shared:4KiB:8:2:knomial:2", "shared:1MiB:1:1:flat"] {
            assert_eq!(name(text).unwrap(), text);
        }
    }

    #[test]
    fn what_is_no_queue_is_refused() {
        let refused = ["shared", "shared:8KiB", "shared:x:4", "shared:8KiB:x", "shared:8KiB:4:3", "shared:8KiB:4:ring"];
        insta::assert_snapshot!(refused.map(|text| Queued::parse(text).unwrap_err()).join("\n"));
    }
}
