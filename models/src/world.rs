//! Worlds, in which ranks run: threads, processes and simulations.

use crate::library::{Kin, Library, Release};
use serde::{Deserialize, Serialize};

/// World in which a case runs; written by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum World {
    /// Threads of one process.
    Threads,
    /// Processes started by the launcher of an MPI library.
    Mpi(Release),
    /// Simulated ranks on a machine that is given, not calibrated: the reference is exact, and nothing is measured.
    Simulated,
}

impl World {
    /// Processes started by Open MPI's launcher.
    pub const OPENMPI: World = World::Mpi(Library::OPENMPI.any());
    /// Processes started by MPICH's launcher.
    pub const MPICH: World = World::Mpi(Library::MPICH.any());

    /// Lists all worlds; of each library the release that is found first.
    pub fn all() -> impl Iterator<Item = World> + Clone {
        [World::Threads].into_iter().chain(Library::all().map(World::from)).chain([World::Simulated])
    }

    /// Lists the worlds of real ranks: every MPI library, and threads.
    pub fn real() -> impl Iterator<Item = World> + Clone {
        Library::all().map(World::from).chain([World::Threads])
    }

    /// Finds the world of these, or a release of its library, that has this name.
    ///
    /// # Errors
    /// Lists the known names, where none has this one.
    pub fn find(name: &str, among: impl Iterator<Item = World>) -> Result<World, String> {
        let among: Vec<World> = among.collect();
        match Release::parse(name) {
            Some(release) if among.iter().any(|world| world.library() == Some(release.library())) => {
                Ok(World::Mpi(release))
            }
            _ => crate::names::find("world", name, &among, World::name).map_err(|error| {
                let names_a_version = name.contains(|c: char| c.is_ascii_digit() || c == '@');
                let has_libraries = among.iter().any(|world| world.library().is_some());
                match names_a_version && has_libraries {
                    true => format!("{error}; one version of a library is NAME@VERSION, like openmpi@5.0"),
                    false => error,
                }
            }),
        }
    }

    /// The name used in files.
    pub fn name(self) -> &'static str {
        match self {
            World::Threads => "threads",
            World::Mpi(release) => release.name(),
            World::Simulated => "simulated",
        }
    }

    /// Returns the world of ranks with this description, `Open MPI 4.1.4 on node1`, as machine files and written texts
    /// begin it.
    pub fn of_ran_by(ran_by: &str) -> Option<World> {
        World::real().find(|world| ran_by.starts_with(world.title()))
    }

    /// Returns the name that people read.
    pub fn title(self) -> &'static str {
        match self {
            World::Threads => "threads",
            World::Mpi(release) => release.title(),
            World::Simulated => "simulated ranks",
        }
    }

    /// Returns the release of the library whose processes its ranks are, if they are processes.
    pub fn release(self) -> Option<Release> {
        match self {
            World::Mpi(release) => Some(release),
            World::Threads | World::Simulated => None,
        }
    }

    /// Returns the library whose processes its ranks are, if they are processes.
    pub fn library(self) -> Option<Library> {
        self.release().map(Release::library)
    }

    /// Returns the family of sources from which that library comes.
    pub fn kin(self) -> Option<Kin> {
        self.library().map(|library| library.kin)
    }
}

impl From<Library> for World {
    fn from(library: Library) -> World {
        World::Mpi(library.any())
    }
}

impl From<World> for &'static str {
    fn from(world: World) -> &'static str {
        world.name()
    }
}

impl TryFrom<String> for World {
    type Error = String;

    fn try_from(name: String) -> Result<World, String> {
        World::find(&name, World::all())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_named_behind_its_library() {
        let world = World::find("openmpi@5.0.11", World::real()).expect("a release");
        assert_eq!((world.name(), world.title()), ("openmpi@5.0.11", "Open MPI 5.0.11"));
        assert_eq!((world.library(), world == World::OPENMPI), (Some(Library::OPENMPI), false));
        for world in [world, World::OPENMPI] {
            assert_eq!(Release::titled(world.title()).map(World::Mpi), Some(world));
        }
        assert_eq!([Release::titled("Open MPI5"), Release::titled("LAM")], [None, None]);
        let json = serde_json::to_string(&world).expect("a name");
        assert_eq!(serde_json::from_str::<World>(&json).expect("the same"), world);
        for wrong in ["openmpi@", "openmpi@5 0", "openmpi@@5", "threads@1", "lam@7", "simulated@1"] {
            assert!(World::find(wrong, World::all()).is_err(), "{wrong}");
        }
        let known = World::find("mpich@4.3", [World::Threads].into_iter()).expect_err("threads alone");
        assert_eq!(known, "unknown world 'mpich@4.3'; known: threads");
    }
}
