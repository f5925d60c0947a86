//! MPI libraries: a table with an entry per library, found by its name.
//!
//! Common properties of all libraries of one origin (flags of launchers, variables, messages of algorithms) depend on
//! [`Kin`]. A feature that an entry lacks (a decision table, variables that force algorithms) is refused with a reason
//! at its use.

use crate::collective::decision;
use crate::forced;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// MPI library, as an index into the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Library(u8);

impl Library {
    /// Open MPI, of any version.
    pub const OPENMPI: Library = Library(0);
    /// MPICH, of any version.
    pub const MPICH: Library = Library(1);
    /// Intel MPI, of any version.
    pub const INTELMPI: Library = Library(2);

    /// The release of the library that is found first.
    pub const fn any(self) -> Release {
        Release { library: self, version: None }
    }

    /// Every library of the table.
    pub fn all() -> impl Iterator<Item = Library> + Clone {
        (0..TABLE.len() as u8).map(Library)
    }

    /// Finds the library of this name.
    pub fn find(name: &str) -> Option<Library> {
        Library::all().find(|library| library.name == name)
    }

    /// Finds the library with this result of `MPI_Get_library_version`, and its version.
    pub fn of_version(text: &str) -> Option<(Library, String)> {
        Library::all().find_map(|library| {
            let (_, rest) = text.split_once(library.library_says)?;
            let version = rest.trim_start().split([',', '\n', ' ']).next().unwrap_or_default();
            Some((library, version.to_owned()))
        })
    }

    /// Finds the library whose launcher prints this about its version, in its first line and those that follow, and the
    /// version.
    pub fn of_launcher(text: &str) -> Option<(Library, String)> {
        let first = text.lines().next()?;
        let upper = first.to_uppercase();
        let says = |library: &Library| library.launcher_says.iter().any(|mark| upper.contains(mark));
        let library = Library::all().find(says)?;
        // The version is in a line of its own, behind the word, or at the end of the line.
        let own = text.lines().find_map(|line| line.trim().strip_prefix("Version:"));
        let named = || first.split_once("Version ").and_then(|(_, rest)| rest.split(' ').next());
        let last = || first.rsplit(' ').next().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        let version = own.or_else(named).or_else(last).unwrap_or_default();
        Some((library, version.trim().to_owned()))
    }
}

crate::named! {
    /// Interface against which a program of ranks is compiled: it runs on every library that has it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Interface {
        /// Interface of Open MPI since version 4.
        OpenMpi => "openmpi",
        /// Interface of MPICH, which libraries derived from it have, too.
        Mpich => "mpich",
        /// Interface of the standard (MPI 5.0, 2025, chapter 20): handles are pointers, and constants are the same in
        /// every library.
        Standard => "abi",
    }
    /// Name of the interface in the names of programs.
    fn name;
}

impl Interface {
    /// Names under which programs load the shared library of this interface.
    pub fn shared_libraries(self) -> &'static [&'static str] {
        match self {
            Interface::OpenMpi => &["libmpi.so.40"],
            // Debian's MPICH has the second one.
            Interface::Mpich => &["libmpi.so.12", "libmpich.so.12"],
            Interface::Standard => &["libmpi_abi.so.1"],
        }
    }

    /// Name of the program whose ranks run on libraries of this interface.
    pub fn program(self) -> String {
        format!("parallax-mpi-{}", self.name())
    }

    /// Interface with which a program is linked, from the list that the loader of shared libraries prints.
    pub fn of_linked(listed: &str) -> Option<Interface> {
        let has = |name: &str| listed.lines().any(|line| line.contains(name));
        let names = |interface: &Interface| interface.shared_libraries().iter().any(|name| has(name));
        // Versions 20 and 80 belong to older and newer releases of Open MPI.
        Interface::ALL.into_iter().find(names).or_else(|| has("libmpi.so").then_some(Interface::OpenMpi))
    }
}

impl Kin {
    /// Interfaces that a library may have, with its own first.
    pub fn interfaces(self) -> [Interface; 2] {
        let own = match self {
            Kin::OpenMpi => Interface::OpenMpi,
            Kin::Mpich => Interface::Mpich,
        };
        [own, Interface::Standard]
    }
}

impl Deref for Library {
    type Target = Entry;

    fn deref(&self) -> &Entry {
        &TABLE[usize::from(self.0)]
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// MPI library in one version, where several are installed, or in the version that is found first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    library: Library,
    version: Option<&'static str>,
}

/// Largest length of a version, in characters.
const LONGEST_VERSION: usize = 40;

impl Release {
    /// A library in this version; `None` where the text is no version, of letters, digits, and the signs `.`, `-`, `_`
    /// and `+`.
    pub fn with_version(library: Library, version: &str) -> Option<Release> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || ".-_+".contains(c);
        let is_version = (1..=LONGEST_VERSION).contains(&version.len()) && version.chars().all(is_part);
        is_version.then(|| Release { library, version: Some(kept(version)) })
    }

    /// Finds the release of this name: `openmpi`, `openmpi@5.0.11`.
    pub fn parse(name: &str) -> Option<Release> {
        match name.split_once('@') {
            Some((library, version)) => Release::with_version(Library::find(library)?, version),
            None => Library::find(name).map(Library::any),
        }
    }

    /// Finds the release of this title: `Open MPI`, `Open MPI 5.0.11`.
    pub fn titled(title: &str) -> Option<Release> {
        Library::all().find_map(|library| match title.strip_prefix(library.title)? {
            "" => Some(library.any()),
            rest => Release::with_version(library, rest.strip_prefix(' ')?),
        })
    }

    /// Library without its version.
    pub fn library(self) -> Library {
        self.library
    }

    /// Version of the library; `None` for the one that is found first.
    pub fn version(self) -> Option<&'static str> {
        self.version
    }

    /// Name in files: `openmpi`, `openmpi@5.0.11`.
    pub fn name(self) -> &'static str {
        self.version.map_or(self.library.name, |version| kept(&format!("{}@{version}", self.library.name)))
    }

    /// Name for readers: `Open MPI`, `Open MPI 5.0.11`.
    pub fn title(self) -> &'static str {
        self.version.map_or(self.library.title, |version| kept(&format!("{} {version}", self.library.title)))
    }
}

impl fmt::Debug for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether a version satisfies a request, where either may be a prefix of the other: 5.0.11 is 5.0, and 2021.18 is
/// 2021.18.0.
pub fn is_version(asked: &str, version: &str) -> bool {
    let parts = |text: &str| text.split('.').map(str::to_owned).collect::<Vec<_>>();
    let (asked, version) = (parts(asked), parts(version));
    version.starts_with(&asked) || asked.starts_with(&version)
}

/// Whether a version is `since` or a later one, by the numbers with which it begins.
pub fn is_since(since: &str, version: &str) -> bool {
    let numbers = |text: &str| -> Vec<u32> { text.split('.').map_while(|part| part.parse().ok()).collect() };
    numbers(version) >= numbers(since)
}

/// Returns a text that lives as long as the program, stored once for all equal texts.
fn kept(text: &str) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    all.get(text).copied().unwrap_or_else(|| {
        let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
        all.insert(text);
        text
    })
}

/// Origin of a library's sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kin {
    /// Open MPI: launchers are ORTE's (4) and PRRTE's (5), handles are pointers.
    OpenMpi,
    /// MPICH and its derivatives: the launcher is Hydra, handles are integers.
    Mpich,
}

/// Properties of a library.
pub struct Entry {
    /// Name in files, flags and variables.
    pub name: &'static str,
    /// Name of the library for readers.
    pub title: &'static str,
    /// Origin of the library's sources.
    pub kin: Kin,
    /// Names of its launcher that distinguish it from others' first of all.
    pub launchers: &'static [&'static str],
    /// Marks of its launcher: one of them is in the first line that the launcher prints about its version, in upper
    /// case.
    pub launcher_says: &'static [&'static str],
    /// Text before the version in the result of `MPI_Get_library_version`.
    pub library_says: &'static str,
    /// Flags of its launcher that bind each rank to a core of its own; empty where it does so by default.
    pub binding: &'static [&'static str],
    /// Variables that bind each rank to a core of its own.
    pub bound_by: &'static [(&'static str, &'static str)],
    /// Variables that leave ranks where the system puts them, for a library that binds them by default.
    pub unbound_by: &'static [(&'static str, &'static str)],
    /// Variable with the path of the library's folder, in which its ranks look for parts of it.
    pub root_variable: Option<&'static str>,
    /// Whether `scripts/setup` installs it.
    pub packaged: bool,
    /// Process management interfaces that it supports, the best first.
    pub interfaces: &'static [&'static str],
    /// Version whose decision tables are known.
    pub decision: Option<decision::Library>,
    /// Algorithms that it can be forced to use.
    pub forced: Option<&'static forced::Ways>,
}

/// All libraries, in the order in which they are listed and tried.
static TABLE: [Entry; 3] = [
    Entry {
        name: "openmpi",
        title: "Open MPI",
        kin: Kin::OpenMpi,
        launchers: &["mpirun.openmpi", "mpiexec.openmpi"],
        launcher_says: &["(OPEN MPI)", "(OPENRTE)", "(PRRTE)"],
        library_says: "Open MPI v",
        binding: &["--bind-to", "core"],
        bound_by: &[],
        unbound_by: &[],
        root_variable: None,
        packaged: true,
        interfaces: &["pmix", "pmi2"],
        decision: Some(decision::Library::OpenMpi41),
        forced: Some(&forced::OPENMPI),
    },
    Entry {
        name: "mpich",
        title: "MPICH",
        kin: Kin::Mpich,
        launchers: &["mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra"],
        launcher_says: &["HYDRA"],
        library_says: "MPICH Version:",
        binding: &["-bind-to", "core"],
        bound_by: &[],
        unbound_by: &[],
        root_variable: None,
        packaged: true,
        interfaces: &["pmi2"],
        decision: Some(decision::Library::Mpich40),
        forced: Some(&forced::MPICH),
    },
    // Taken from its documentation (Intel MPI Library Developer Reference for Linux, 2021) and from 2021.18 of PyPI.
    Entry {
        name: "intelmpi",
        title: "Intel MPI",
        kin: Kin::Mpich,
        // Its mpirun is a shell script: signals end only the shell.
        launchers: &["mpiexec.intelmpi", "mpiexec.hydra"],
        launcher_says: &["INTEL(R) MPI LIBRARY"],
        library_says: "Intel(R) MPI Library",
        binding: &[],
        // By default it binds ranks to as many cores each as there are, also where they outnumber the cores (seen in
        // 2021.18).
        bound_by: &[("I_MPI_PIN", "1"), ("I_MPI_PIN_DOMAIN", "core")],
        unbound_by: &[("I_MPI_PIN", "0")],
        root_variable: Some("I_MPI_ROOT"),
        packaged: false,
        interfaces: &["pmi2"],
        // Its tables are tuned per fabric and not published.
        decision: None,
        forced: Some(&forced::INTEL),
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    #[test]
    fn a_library_is_found_by_its_name_and_by_what_it_says() {
        for library in Library::all() {
            assert_eq!(Library::find(library.name), Some(library));
            assert_eq!(World::try_from(library.name.to_owned()), Ok(World::from(library)));
            let json = serde_json::to_string(&World::from(library)).expect("a name");
            assert_eq!(
                (json.as_str(), serde_json::from_str(&json).ok()),
                (&*format!("{:?}", library.name), Some(World::from(library)))
            );
        }
        assert_eq!((Library::find("threads"), World::Threads.library()), (None, None));
        let version = |text| Library::of_version(text).map(|(library, version)| (library.name, version));
        assert_eq!(version("Open MPI v4.1.4, package: x"), Some(("openmpi", "4.1.4".to_owned())));
        assert_eq!(version("MPICH Version:\t4.0.2\nMPICH Release date: …"), Some(("mpich", "4.0.2".to_owned())));
        assert_eq!(version("Intel(R) MPI Library 2021.9 for Linux* OS\n"), Some(("intelmpi", "2021.9".to_owned())));
        assert_eq!(version("another one 1.0"), None);
    }

    #[test]
    fn a_program_s_interface_is_told_by_its_shared_library() {
        let linked = |listed| Interface::of_linked(listed).map(Interface::name);
        assert_eq!(linked("\tlibmpi.so.40 => /usr/lib/libmpi.so.40 (0x1)\n\tlibc.so.6"), Some("openmpi"));
        assert_eq!(linked("\tlibmpich.so.12 => /usr/lib/libmpich.so.12 (0x1)"), Some("mpich"));
        assert_eq!(linked("\tlibmpi.so.12 => not found"), Some("mpich"));
        assert_eq!(linked("\tlibmpi_abi.so.1 => /opt/mpich/lib/libmpi_abi.so.1 (0x1)"), Some("abi"));
        assert_eq!(linked("\tlibmpi.so.80 => /opt/lib/libmpi.so.80 (0x1)"), Some("openmpi"), "as any other version");
        assert_eq!(linked("\tlibc.so.6 => /usr/lib/libc.so.6 (0x1)"), None);
    }

    #[test]
    fn a_version_is_asked_for_by_its_beginning() {
        let cases =
            [("5.0", "5.0.11", true), ("2021.18.0", "2021.18", true), ("5.0.1", "5.0.11", false), ("4", "5.0", false)];
        for (asked, version, expected) in cases {
            assert_eq!(is_version(asked, version), expected, "{asked} {version}");
        }
    }

    #[test]
    fn versions_follow_each_other_by_their_numbers() {
        for (since, version, expected) in [("5.0", "5.0.11", true), ("5.0", "4.1.4", false), ("4.9", "4.10", true)] {
            assert_eq!(is_since(since, version), expected, "{since} {version}");
        }
    }

    #[test]
    fn a_launcher_that_says_no_version_has_none() {
        let of = |text| Library::of_launcher(text).map(|(library, version)| (library.name, version));
        assert_eq!(of("HYDRA build details:\n    CC: gcc"), Some(("mpich", String::new())));
        assert_eq!(of("mpirun (Open MPI) 5.0.0rc2\n"), Some(("openmpi", "5.0.0rc2".to_owned())));
        let intel = "Intel(R) MPI Library for Linux* OS, Version 2021.9 Build 20230307 (id: d82b3071db)";
        assert_eq!(of(intel), Some(("intelmpi", "2021.9".to_owned())));
        assert_eq!((of("mpirun 1.0"), of("")), (None, None));
    }
}
