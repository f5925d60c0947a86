//! Barriers that a method calls, where cases differ in them.

use super::{Implementation, World};
use models::call::Call;
use models::collective::decision::{self, Called};
use models::collective::{Collective, Shape};
use models::forced;
use models::library;
use models::names;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Barrier of a method, with its implementation; written by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Barrier {
    /// An algorithm of our own: `tree`.
    Own(&'static str),
    /// The one of our algorithms that a library's decision table picks for the number of ranks: `openmpi-4.1`.
    Picked(decision::Library),
    /// The message library's own call: `library`.
    Library,
    /// The message library's own call, made to use one of its algorithms, by the library's name: `library:tree`.
    Forced(&'static str),
}

impl Barrier {
    /// Finds a barrier by its name.
    ///
    /// # Errors
    /// Lists the known names.
    pub fn find(name: &str) -> Result<Barrier, String> {
        if name == "library" {
            return Ok(Barrier::Library);
        }
        let Some(forced) = name.strip_prefix(Implementation::FORCED) else {
            return match Called::find(Collective::Barrier, name) {
                Ok(Called::Ours(algorithm)) => Ok(Barrier::Own(algorithm.name)),
                Ok(Called::Table(library, _)) => Ok(Barrier::Picked(library)),
                Ok(Called::Shared(queued)) => Err(format!("expected a barrier, found {queued}")),
                Err(message) => Err(format!("{message}; or the message library's own: library, library:NAME")),
            };
        };
        let known = forced_names();
        let found = known.iter().find(|known| is_same(known, forced));
        found
            .map(|name| Barrier::Forced(name))
            .ok_or_else(|| names::unknown("barrier", name, known.iter().map(|name| Barrier::Forced(name).to_string())))
    }

    /// Returns the implementation of the barrier on this number of ranks.
    ///
    /// # Errors
    /// Fails where a library picks an algorithm that is none of ours.
    pub fn on(self, ranks: u32) -> Result<Implementation, String> {
        let own = |name: &str| Implementation::Own(name.to_owned());
        Ok(match self {
            Barrier::Own(name) => own(name),
            Barrier::Picked(library) => {
                own(library.picks(Collective::Barrier, &Shape::new(ranks, 0, 0), true)?.algorithm.name)
            }
            Barrier::Library => Implementation::Library,
            Barrier::Forced(name) => Implementation::Forced(name.to_owned()),
        })
    }

    /// Returns true if the message library's own call is made.
    pub fn is_library(self) -> bool {
        match self {
            Barrier::Own(_) | Barrier::Picked(_) => false,
            Barrier::Library | Barrier::Forced(_) => true,
        }
    }

    /// Checks that ranks of a world have the barrier.
    ///
    /// # Errors
    /// Fails where the world's library cannot be made to use it on this number of ranks, and where a library picks an
    /// algorithm that is none of ours.
    pub fn is_there(self, world: World, ranks: u32) -> Result<(), String> {
        match self {
            Barrier::Own(_) | Barrier::Picked(_) | Barrier::Library => self.on(ranks).map(drop),
            Barrier::Forced(name) => {
                let shape = Shape::new(ranks, 0, 0);
                forced::setting(world, Collective::Barrier, &Call::default(), &shape, name).map(drop)
            }
        }
    }
}

/// Returns the names of the algorithms that some library can be made to use as its barrier.
fn forced_names() -> Vec<&'static str> {
    let all = library::Library::all().map(World::from);
    let mut known = Vec::new();
    for name in all.flat_map(|world| forced::names(world, Collective::Barrier, &Call::default())) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known
}

/// Compares names as if underscores were hyphens: libraries write names with underscores, people with hyphens, too.
fn is_same(known: &str, name: &str) -> bool {
    known.replace('-', "_") == name.replace('-', "_")
}

impl fmt::Display for Barrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Barrier::Own(name) => f.write_str(name),
            Barrier::Picked(library) => f.write_str(library.name()),
            Barrier::Library => f.write_str("library"),
            Barrier::Forced(name) => write!(f, "library:{name}"),
        }
    }
}

impl Serialize for Barrier {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Barrier {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Barrier, D::Error> {
        Barrier::find(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_are_read_back_by_their_names() {
        for name in ["tree", "openmpi-4.1", "mpich-4.0", "library", "library:recursive_doubling", "library:smp"] {
            let barrier = Barrier::find(name).unwrap();
            assert_eq!(barrier.to_string(), name);
            assert_eq!(serde_json::from_str::<Barrier>(&serde_json::to_string(&barrier).unwrap()).unwrap(), barrier);
        }
        assert_eq!(Barrier::find("library:recursive-doubling"), Barrier::find("library:recursive_doubling"));
        let said = ["star", "library:star"].map(|name| Barrier::find(name).unwrap_err());
        insta::assert_snapshot!(said.join("\n"));
    }

    #[test]
    fn a_library_picks_another_barrier_with_another_number_of_ranks() {
        let on = |name: &str, ranks| Barrier::find(name).unwrap().on(ranks).unwrap().written();
        assert_eq!([4, 8, 64].map(|ranks| on("openmpi-4.1", ranks)), ["linear", "recursive-doubling", "dissemination"]);
        assert_eq!((on("tree", 4), on("library:tree", 4)), ("tree".to_owned(), "library:tree".to_owned()));
    }

    #[test]
    fn only_some_worlds_can_be_made_to_use_a_barrier() {
        let tree = Barrier::find("library:tree").unwrap();
        assert_eq!(tree.is_there(World::OPENMPI, 4), Ok(()));
        let two = Barrier::find("library:two_proc").unwrap();
        let said = [tree.is_there(World::MPICH, 4), tree.is_there(World::Threads, 4), two.is_there(World::OPENMPI, 3)];
        insta::assert_snapshot!(said.map(|refused| refused.unwrap_err()).join("\n"));
    }
}
