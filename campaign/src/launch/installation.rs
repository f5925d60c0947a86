//! Installations of MPI libraries: the launcher, and the shared library beside it, which ranks are to load.
//!
//! Our program is built once for each interface (Open MPI's, MPICH's, the standard's) and runs on every library that
//! has it. The variable LD_LIBRARY_PATH selects the library. Libraries of MPICH's interface have two names for it, and
//! a program knows one.

use super::loader;
use super::places::{NotFound, is_program, launcher_identity, not_a_script};
use models::library::{Interface, Kin, Library, Release, is_version};
use models::stable::fnv1a;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Variable with the folders that the loader of shared libraries searches first.
pub(super) const SEARCHED: &str = "LD_LIBRARY_PATH";

/// Names of launchers in the order in which they are tried. Intel's `mpirun` is a shell script, and a signal to it ends
/// the shell alone.
pub(super) const LAUNCHERS: [&str; 3] = ["mpiexec.hydra", "mpiexec", "mpirun"];

/// Folders below a prefix that may contain shared libraries.
const FOLDERS: [&str; 3] = ["lib", "lib64", "lib/release"];

/// Installed MPI library in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installation {
    /// MPI library that is installed.
    pub library: Library,
    /// Version that its launcher reports.
    pub version: String,
    /// Path of the launcher that starts its ranks.
    pub launcher: PathBuf,
}

impl Installation {
    /// Returns the installation at a path that a user names: a prefix, a virtual environment, a folder of programs, or
    /// a launcher.
    ///
    /// # Errors
    /// Describes the paths that are accepted.
    pub fn at(path: &Path) -> Result<Installation, NotFound> {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let missing = |what: String| {
            NotFound {
            what,
            cure: "Name an MPI library by its folder (the one that holds bin and lib), by its mpiexec, or as NAME@VERSION \
                   (parallax doctor lists those that are here)."
                .to_owned(),
        }
        };
        if is_program(&absolute) {
            return Installation::from_launcher(&absolute).ok_or_else(|| {
                missing(format!("{} does not say that it is the launcher of a known MPI library.", path.display()))
            });
        }
        let folders = [absolute.join("bin"), absolute];
        let found = folders
            .iter()
            .find_map(|folder| LAUNCHERS.iter().find_map(|name| Installation::from_launcher(&folder.join(name))));
        found.ok_or_else(|| {
            let there = if path.exists() { "has no launcher of a known MPI library" } else { "is not there" };
            missing(format!("{} {there}.", path.display()))
        })
    }

    /// Returns the installation that a launcher belongs to, if it is a program that reports its library.
    pub(crate) fn from_launcher(launcher: &Path) -> Option<Installation> {
        if !is_program(launcher) {
            return None;
        }
        let launcher = not_a_script(launcher.to_owned());
        let (library, version) = launcher_identity(&launcher)?;
        Some(Installation { library, version, launcher })
    }

    /// Returns the library in this version, as worlds are named.
    pub fn release(&self) -> Release {
        Release::with_version(self.library, &self.version).unwrap_or(self.library.any())
    }

    /// Whether both are the same library in one place, even if different launchers of it are named.
    pub(crate) fn is_same(&self, other: &Installation) -> bool {
        let folder = |one: &Installation| one.launcher.canonicalize().ok()?.parent().map(Path::to_owned);
        self.library == other.library && self.version == other.version && folder(self) == folder(other)
    }

    /// Whether the installation is of a release, which may name a part of the version or none.
    pub(super) fn is(&self, asked: Release) -> bool {
        self.library == asked.library() && asked.version().is_none_or(|version| is_version(version, &self.version))
    }
}

/// Returns the variables with which a program loads the library of a launcher, by any of its interfaces. Empty where
/// the loader finds it without them.
pub(crate) fn environment(library: Library, launcher: &Path) -> Vec<(&'static str, OsString)> {
    let files = shared(launcher, library.kin);
    if files.is_empty() {
        return Vec::new();
    }
    let mut folders = Vec::new();
    for (interface, file) in &files {
        let own = file.parent().unwrap_or(Path::new("/"));
        let of_file = match names_beside(file, *interface) {
            // For a library that is loaded by a link, the loader searches for dependencies beside the link.
            Some(links) => [vec![links, own.to_owned()], loader::folders_below(own, file)].concat(),
            None => vec![own.to_owned()],
        };
        for folder in of_file {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
    }
    let before = std::env::var_os(SEARCHED).unwrap_or_default();
    let all = folders.into_iter().chain(std::env::split_paths(&before).filter(|folder| !folder.as_os_str().is_empty()));
    let Ok(searched) = std::env::join_paths(all) else { return Vec::new() };
    let mut variables = vec![(SEARCHED, searched)];
    let prefix = launcher.parent().and_then(Path::parent);
    variables.extend(library.root_variable.zip(prefix).map(|(name, prefix)| (name, prefix.into())));
    variables
}

/// Whether a program of an interface runs on the library of a launcher. Its shared library is beside the launcher, or
/// the loader finds it where no file of the library is there or the launcher is not known.
pub(super) fn fits(program: &Path, interface: Interface, library: Library, launcher: Option<&Path>) -> bool {
    let files = launcher.map(|launcher| shared(launcher, library.kin)).unwrap_or_default();
    if files.is_empty() {
        let missing = |listed: &str| loader::places(listed).any(|(_, place)| place == "not found");
        return loader::listed(program).is_some_and(|listed| !missing(&listed));
    }
    files.iter().any(|(of, _)| *of == interface)
}

/// Returns the shared libraries beside a launcher, at its named or its real path, one for each interface. Those of the
/// system's own folders are left to the loader.
pub(super) fn shared(launcher: &Path, kin: Kin) -> Vec<(Interface, PathBuf)> {
    let real = launcher.canonicalize().ok();
    let prefixes = [Some(launcher.to_owned()), real].into_iter().flatten();
    let prefixes = prefixes.filter_map(|file| file.parent().and_then(Path::parent).map(Path::to_owned));
    let own = prefixes.filter(|prefix| prefix != Path::new("/") && prefix != Path::new("/usr"));
    let folders: Vec<PathBuf> = own.flat_map(|prefix| FOLDERS.map(|folder| prefix.join(folder))).collect();
    let of = |interface: Interface| {
        let named =
            |folder: &PathBuf| interface.shared_libraries().iter().map(|name| folder.join(name)).collect::<Vec<_>>();
        let file = folders.iter().flat_map(named).find(|file| file.is_file())?;
        Some((interface, file))
    };
    kin.interfaces().into_iter().filter_map(of).collect()
}

/// Returns a folder in which a shared library has all names of its interface. `None` where it has them in its own
/// folder.
fn names_beside(shared: &Path, interface: Interface) -> Option<PathBuf> {
    let names = interface.shared_libraries();
    if names.iter().all(|name| shared.with_file_name(name).exists()) {
        return None;
    }
    let folder = cache()?.join(format!("{:016x}", fnv1a(shared.as_os_str().as_encoded_bytes())));
    std::fs::create_dir_all(&folder).ok()?;
    let is_linked = |name: &&str| {
        let link = folder.join(name);
        let is_there = || std::fs::read_link(&link).is_ok_and(|target| target == shared);
        // Another command may be creating the same link.
        is_there() || std::os::unix::fs::symlink(shared, &link).is_ok() || is_there()
    };
    names.iter().all(is_linked).then_some(folder)
}

/// Returns the folder of permanent links, which ranks of several hosts and of later launches share.
fn cache() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")));
    folder.map(|folder| folder.join("parallax").join("mpi"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A folder with a launcher that says whose it is, and a file in place of the shared library.
    fn planted(says: &str, shared: &str) -> tempfile::TempDir {
        let prefix = tempfile::tempdir().expect("a folder");
        for folder in ["bin", "lib"] {
            std::fs::create_dir(prefix.path().join(folder)).expect("a folder");
        }
        let launcher = prefix.path().join("bin/mpiexec");
        std::fs::write(&launcher, format!("#!/bin/sh\necho '{says}'\n")).expect("a script");
        std::fs::set_permissions(launcher, PermissionsExt::from_mode(0o755)).expect("made executable");
        std::fs::write(prefix.path().join("lib").join(shared), "").expect("a file");
        prefix
    }

    #[test]
    fn a_library_is_found_by_its_folder_and_by_its_launcher() {
        let prefix = planted("mpiexec (Open MPI) 5.0.11", "libmpi.so.40");
        for named in ["", "bin", "bin/mpiexec"] {
            let found = Installation::at(&prefix.path().join(named)).expect("a library");
            assert_eq!((found.library, found.version.as_str()), (Library::OPENMPI, "5.0.11"), "{named}");
            assert_eq!(found.release().name(), "openmpi@5.0.11");
        }
        let asked =
            |name| Installation::at(prefix.path()).expect("a library").is(Release::parse(name).expect("a name"));
        assert_eq!(["openmpi", "openmpi@5.0", "openmpi@4.1", "mpich"].map(asked), [true, true, false, false]);
        for (named, said) in
            [("lib", "has no launcher"), ("nowhere", "is not there"), ("lib/libmpi.so.40", "has no launcher")]
        {
            let absent = Installation::at(&prefix.path().join(named)).expect_err("no library");
            assert!(absent.what.contains(said), "{named}: {absent}");
        }
    }

    #[test]
    fn a_program_finds_a_library_of_its_interface_by_either_name() {
        let prefix = planted("HYDRA build details:\n    Version: 5.0.2", "libmpi.so.12");
        let launcher = prefix.path().join("bin/mpiexec");
        let variables = environment(Library::MPICH, &launcher);
        let [(SEARCHED, folders)] = &variables[..] else { panic!("one variable: {variables:?}") };
        for name in Interface::Mpich.shared_libraries() {
            let found = std::env::split_paths(folders).map(|folder| folder.join(name)).find(|file| file.exists());
            let found = found.and_then(|file| file.canonicalize().ok()).expect("a file of this name");
            assert_eq!(found, prefix.path().join("lib/libmpi.so.12").canonicalize().expect("there"), "{name}");
        }
        assert_eq!(environment(Library::MPICH, Path::new("/usr/bin/mpiexec")), [], "the system's own");
    }
}
