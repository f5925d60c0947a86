//! Names of broadcasts through shared memory, as users write them among algorithms: `shared:8KiB:32`.

use super::{Broadcast, Design, Notified, Queue, Scheme};
use crate::call::Call;
use crate::collective::Collective;
use crate::network::read;
use crate::quantity::Bytes;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Beginning of the names of such broadcasts.
const PREFIX: &str = "shared:";
const EXPECTED: &str = "expected shared:[DESIGN:]FRAGMENT:BUFFERS[:SETS][:TREE], like shared:8KiB:32, shared:8KiB:32:2:kary:4 or \
                        shared:coll-sm";

/// A design with its queue and tree of notifications, and the name that they have together: `shared:8KiB:32:1:flat` is
/// fragments of 8 KiB, 32 buffers, one set, and the root notifies all; `shared:coll-sm:8KiB:8:2:complete:4` is Open
/// MPI's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Queued {
    name: String,
    scheme: Scheme,
}

impl Queued {
    /// Returns a scheme with its name.
    pub fn new(scheme: Scheme) -> Queued {
        let Scheme { design, queue, tree } = scheme;
        let (fragment, buffers, sets) = (length(queue.fragment_bytes()), queue.buffers(), queue.sets());
        let design = if design == Design::Numa { String::new() } else { format!("{design}:") };
        Queued { name: format!("{PREFIX}{design}{fragment}:{buffers}:{sets}:{tree}"), scheme }
    }

    /// Returns true if a name is meant to be one of these.
    pub fn is_meant(name: &str) -> bool {
        name == "shared" || name.starts_with(PREFIX)
    }

    /// Reads `shared:FRAGMENT:BUFFERS[:SETS][:TREE]`, with one set and the flat tree where none is named; or
    /// `shared:DESIGN`, with as much of the rest as is not as usual in that design.
    ///
    /// # Errors
    /// Says what is missing, or what is no length, number or tree; fails for sets or a tree that the design does not
    /// have.
    pub fn parse(name: &str) -> Result<Queued, String> {
        let wrong = |why: String| format!("{name}: {why}");
        let text = name.strip_prefix(PREFIX).ok_or_else(|| wrong(EXPECTED.to_owned()))?;
        let (first, rest) = split(text);
        if !first.starts_with(|first: char| first.is_ascii_digit()) {
            Design::find(first).map_err(wrong)?;
        }
        let named = Design::ALL.into_iter().find(|design| design.name() == first);
        let (design, rest) = named.map_or((Design::Numa, Some(text)), |design| (design, rest));
        let Scheme { queue: usual, mut tree, .. } = design.usual_scheme();
        let (mut fragment, mut buffers, mut sets) = (usual.fragment_bytes(), usual.buffers(), usual.sets());
        if let Some(text) = rest {
            let (length, rest) = split(text);
            fragment = read::<Bytes>(length, "B").map_err(wrong)?.0;
            let (count, rest) = rest.map_or((None, None), number);
            buffers = count.ok_or_else(|| wrong(EXPECTED.to_owned()))?;
            let (count, rest) = rest.map_or((None, None), number);
            sets = count.unwrap_or(sets);
            tree = rest.map_or(Ok(tree), Notified::parse).map_err(wrong)?;
        }
        if sets != 1 && !design.has_sets() {
            return Err(wrong(format!("expected one set: the buffers of {design} are not split, found {sets}")));
        }
        if !design.has_tree() && Some(tree) != design.usual_tree() {
            return Err(wrong(format!(
                "expected no tree: all ranks of {design} look at the root's word, found {tree}"
            )));
        }
        let queue = Queue::new(fragment, buffers, sets).map_err(wrong)?;
        Ok(Queued::new(Scheme { design, queue, tree }))
    }

    /// Returns the name, as [`Queued::parse`] reads it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the scheme that the name stands for.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the queue through which it passes.
    pub fn queue(&self) -> Queue {
        self.scheme.queue
    }

    /// Checks that a call is one that a queue carries.
    ///
    /// # Errors
    /// Refuses another collective than a broadcast, and another form of one than contiguous bytes among all ranks.
    pub fn accepts(&self, collective: Collective, call: &Call) -> Result<(), String> {
        let Call { element, layout, .. } = *call;
        if collective == Collective::Bcast && (Call { element, layout, ..Call::default() } == *call) {
            return Ok(());
        }
        let found = call.name(collective);
        Err(format!("{}: expected a blocking bcast among all ranks, found {found}", self.name))
    }

    /// Returns the reason why a network has nothing to carry, in words.
    pub fn no_messages(&self) -> String {
        format!("{self} passes through shared memory, which network models do not have")
    }

    /// Returns the state of a rank before its first call.
    pub fn broadcast(&self) -> Broadcast {
        Broadcast::new(self.scheme)
    }
}

/// Returns the text before the first colon, and the text that follows it.
fn split(text: &str) -> (&str, Option<&str>) {
    text.split_once(':').map_or((text, None), |(first, rest)| (first, Some(rest)))
}

/// Returns the whole number that a text begins with, and the text behind its colon; the whole text, where it begins
/// with none.
fn number(text: &str) -> (Option<u64>, Option<&str>) {
    let (first, rest) = split(text);
    match first.parse() {
        Ok(number) => (Some(number), rest),
        Err(_) => (None, Some(text)),
    }
}

/// Returns a length as names have it: `8KiB`, `1MiB`, `100B`, exact.
pub fn length(bytes: u64) -> String {
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
        assert_eq!(name("shared:coll-sm").unwrap(), "shared:coll-sm:8KiB:8:2:complete:4");
        assert_eq!(name("shared:mvapich:4KiB:16").unwrap(), "shared:mvapich:4KiB:16:1:flat");
        assert_eq!(name("shared:coll-sm:8KiB:8:4:kary:2").unwrap(), "shared:coll-sm:8KiB:8:4:kary:2");
        assert_eq!(name("shared:numa").unwrap(), "shared:8KiB:32:1:flat");
        for text in ["shared:4KiB:8:2:knomial:2", "shared:1MiB:1:1:flat", "shared:release-gather:8KiB:4:1:complete:64"]
        {
            assert_eq!(name(text).unwrap(), text);
        }
    }

    #[test]
    fn what_is_no_queue_is_refused() {
        let refused = [
            "shared",
            "shared:8KiB",
            "shared:x:4",
            "shared:8KiB:x",
            "shared:8KiB:4:3",
            "shared:8KiB:4:ring",
            "shared:mvapich:8KiB:4:2",
            "shared:mvapich:8KiB:4:chain",
            "shared:coll-sm:8KiB",
        ];
        insta::assert_snapshot!(refused.map(|text| Queued::parse(text).unwrap_err()).join("\n"));
    }
}
