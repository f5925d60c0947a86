//! Search for launchers and our MPI programs.

use super::installation::{self, Installation, LAUNCHERS};
use super::{Library, run_within};
use models::library::{Interface, Release};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Error that something needed for a world of processes is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// Name of the absent thing and the places that were searched, as a sentence.
    pub what: String,
    /// Remedy, as a sentence.
    pub cure: String,
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.cure)
    }
}

impl std::error::Error for NotFound {}

/// Folders and variables to search: those of this process, or given ones in tests.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Folder of the running command.
    pub beside: Option<PathBuf>,
    /// Folders of the variable PATH.
    pub path: Vec<PathBuf>,
    /// Variables whose name begins with `PARALLAX_`.
    pub variables: BTreeMap<String, OsString>,
    /// Folders of active virtual environments.
    pub active: Vec<PathBuf>,
    /// Folders whose subfolders may each hold an MPI library.
    pub shelves: Vec<PathBuf>,
}

/// Folders in which systems and vendors put libraries, each in a folder of its own.
const SHELVES: [&str; 5] = ["/opt", "/usr/lib64", "/opt/intel/oneapi/mpi", "/opt/mpi", "/usr/local"];

/// Remedy where a program is missing.
const BUILD: &str = "Build it with scripts/build.";

/// Time limit for a launcher's answer to `--version`.
const TO_SAY_ITS_NAME: Duration = Duration::from_secs(10);

impl Places {
    /// Returns the folders and variables of this process.
    pub fn here() -> Places {
        let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.canonicalize().ok()?.parent()?.to_owned()));
        let path = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, value)| name.starts_with("PARALLAX_") && !value.is_empty())
            .collect();
        let active =
            ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(std::env::var_os).map(PathBuf::from).collect();
        Places { beside, path, variables, active, shelves: SHELVES.map(PathBuf::from).into() }
    }

    /// Returns the program `parallax-mpi` for a library, named by a variable, beside the command, or on PATH. It is the
    /// one of the library's own interface, or else that of the standard's, where the first is absent or the launcher's
    /// library does not have its interface.
    ///
    /// # Errors
    /// Names the places that were searched, and the command that builds it.
    pub fn program(&self, library: Library, launcher: Option<&Path>) -> Result<PathBuf, NotFound> {
        if let Some(named) = self.named(&variable("PARALLAX_MPI", library.name), BUILD) {
            return named;
        }
        let [own, standard] = library.kin.interfaces();
        let fits = |interface: Interface, file: &Path| installation::fits(file, interface, library, launcher);
        let of_own = self.program_of(own);
        match self.program_of(standard) {
            Err(absent) if self.variables.contains_key(&variable("PARALLAX_MPI", standard.name())) => Err(absent),
            Ok(other) if of_own.as_ref().map_or(true, |file| !fits(own, file)) && fits(standard, &other) => Ok(other),
            Ok(_) | Err(_) => of_own,
        }
    }

    /// Returns the program that is built for an interface.
    fn program_of(&self, interface: Interface) -> Result<PathBuf, NotFound> {
        if let Some(named) = self.named(&variable("PARALLAX_MPI", interface.name()), BUILD) {
            return named;
        }
        let name = interface.program();
        let folders = self.beside.iter().chain(&self.path);
        folders.map(|folder| folder.join(&name)).find(|file| is_program(file)).ok_or_else(|| NotFound {
            what: format!("The program {name} is neither beside the command parallax nor on PATH."),
            cure: BUILD.to_owned(),
        })
    }

    /// Returns the shared library that is loaded before an unmodified benchmark of an interface. It lies beside the
    /// command.
    ///
    /// # Errors
    /// Names the place that was searched, and the command that builds it.
    pub fn shim(&self, interface: Interface) -> Result<PathBuf, NotFound> {
        let name = format!("libparallax-shim-{}.so", interface.name());
        let mut files = self.beside.iter().map(|folder| folder.join(&name));
        files.find(|file| file.is_file()).ok_or_else(|| NotFound {
            what: format!("The library {name}, which measures references, is not beside the command parallax."),
            cure: BUILD.to_owned(),
        })
    }

    /// Returns a library's launcher. The search begins with the one that a variable names. Then come the launcher's own
    /// name on PATH, unless it reports another library (Intel MPI has an `mpiexec.hydra`, too), a plain `mpirun` that
    /// reports this library, and the folders of Fedora and Arch.
    ///
    /// # Errors
    /// Names the launcher that was searched for, and the way to install it.
    pub fn launcher(&self, library: Library) -> Result<PathBuf, NotFound> {
        let chosen = variable("PARALLAX_MPIRUN", library.name);
        if let Some(named) = self.named(&chosen, "Name the library's mpirun or mpiexec.") {
            return named.and_then(|file| not_the_others(library, &chosen, file)).map(not_a_script);
        }
        let own = library.launchers.iter().flat_map(|name| self.on_path(name));
        let plain = ["mpirun", "mpiexec"].iter().flat_map(|name| self.on_path(name));
        let folders = ["/usr/lib64", "/opt"].map(|folder| Path::new(folder).join(library.name).join("bin/mpirun"));
        let whose = |file: &PathBuf| launcher_identity(file).map(|(whose, _)| whose);
        own.into_iter()
            .filter(|file| is_program(file))
            .find(|file| whose(file).is_none_or(|whose| whose == library))
            .or_else(|| {
                let mut unnamed = plain.into_iter().chain(folders).filter(|file| is_program(file));
                unnamed.find(|file| whose(file) == Some(library))
            })
            .ok_or_else(|| NotFound {
                what: format!(
                    "No launcher of {} (such as {}) is on PATH.",
                    library.title,
                    library.launchers.first().unwrap_or(&"mpirun")
                ),
                cure: format!(
                    "{}, name its place by --mpi PATH or its version by --world {}@VERSION (parallax doctor lists those that are here), or set \
                     {chosen} to its mpirun.",
                    if library.packaged { "Install the library with scripts/setup" } else { "Load its module" },
                    library.name
                ),
            })
    }

    /// Returns every MPI library on this machine, each once: on PATH, in active environments, in the folders of
    /// PARALLAX_MPI_PREFIXES, and where systems, vendors and `scripts/setup --libraries` put them.
    pub fn installations(&self) -> Vec<Installation> {
        let own = self.path.iter().chain(&self.beside).cloned();
        let folders = own.chain(self.prefixes().into_iter().map(|prefix| prefix.join("bin")));
        let own = Library::all().flat_map(|library| library.launchers.iter().copied());
        let names: Vec<&str> = own.chain(LAUNCHERS).collect();
        let mut found: Vec<Installation> = Vec::new();
        for launcher in folders.flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>()) {
            if let Some(one) = Installation::from_launcher(&launcher)
                && !found.iter().any(|known| known.is_same(&one))
            {
                found.push(one);
            }
        }
        found
    }

    /// Returns the installation of a release.
    ///
    /// # Errors
    /// Lists the releases that were found.
    pub fn installed(&self, release: Release) -> Result<Installation, NotFound> {
        let all = self.installations();
        all.iter().find(|one| one.is(release)).cloned().ok_or_else(|| {
            let here: Vec<&str> = all.iter().map(|one| one.release().name()).collect();
            let here = if here.is_empty() { "none".to_owned() } else { here.join(", ") };
            NotFound {
                what: format!("{} was not found; MPI libraries that were: {here}.", release.title()),
                cure: "Name its folder by --mpi PATH, or load its module.".to_owned(),
            }
        })
    }

    /// Returns folders that may each hold an MPI library.
    fn prefixes(&self) -> Vec<PathBuf> {
        let listed = self.variables.get("PARALLAX_MPI_PREFIXES").map(std::env::split_paths).into_iter().flatten();
        // The setup of this project puts libraries beside its build.
        let of_setup = self.beside.iter().filter_map(|folder| Some(folder.parent()?.join("libraries")));
        let each = of_setup.chain(self.shelves.iter().cloned()).flat_map(|shelf| {
            let mut inside: Vec<PathBuf> =
                std::fs::read_dir(shelf).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
            inside.sort();
            inside
        });
        listed.chain(self.active.iter().cloned()).chain(each).collect()
    }

    /// Returns the launcher of a batch system, which starts ranks within its jobs.
    ///
    /// # Errors
    /// Names the place that was searched.
    pub fn of_batch_system(&self, name: &str, within: &str) -> Result<PathBuf, NotFound> {
        self.on_path(name).into_iter().find(|file| is_program(file)).ok_or_else(|| NotFound {
            what: format!("No {name} is on PATH."),
            cure: format!("Run this within {within}, or without --launcher {name} (or PARALLAX_LAUNCHER={name})."),
        })
    }

    /// Whether a variable names the library's program or launcher.
    pub fn chosen(&self, library: Library) -> bool {
        ["PARALLAX_MPI", "PARALLAX_MPIRUN"]
            .iter()
            .any(|stem| self.variables.contains_key(&variable(stem, library.name)))
    }

    /// Returns the file that a variable names, which must be a program. `None` if the variable is not set.
    fn named(&self, variable: &str, cure: &str) -> Option<Result<PathBuf, NotFound>> {
        let file = PathBuf::from(self.variables.get(variable)?);
        Some(if is_program(&file) {
            Ok(file)
        } else {
            let what = format!("{variable} names {}, which is not a program.", file.display());
            Err(NotFound { what, cure: cure.to_owned() })
        })
    }

    /// Returns the paths for a name on PATH and then beside the command, where programs of an inactive virtual
    /// environment lie.
    fn on_path(&self, name: &str) -> Vec<PathBuf> {
        self.path.iter().chain(&self.beside).map(|folder| folder.join(name)).collect()
    }
}

/// Replaces a script by the launcher beside it that it starts, because a signal to Intel MPI's `mpirun` ends the shell
/// alone.
pub(super) fn not_a_script(launcher: PathBuf) -> PathBuf {
    let is_script = std::fs::read(&launcher).is_ok_and(|bytes| bytes.starts_with(b"#!"));
    let beside = launcher.with_file_name("mpiexec.hydra");
    if is_script && is_program(&beside) && launcher_identity(&beside).is_some() { beside } else { launcher }
}

/// Returns a launcher that the user named, unless it reports another library. One that reports none is accepted.
fn not_the_others(library: Library, variable: &str, file: PathBuf) -> Result<PathBuf, NotFound> {
    match launcher_identity(&file) {
        Some((whose, version)) if whose != library => {
            let (title, named) = (library.title, file.display());
            let other = format!("{} {version}", whose.title);
            Err(NotFound {
                what: format!(
                    "{variable} names {named}, which is the launcher of {}, not of {title}.",
                    other.trim_end()
                ),
                cure: format!("Name {title}'s mpirun or mpiexec, or unset {variable}."),
            })
        }
        _ => Ok(file),
    }
}

/// Returns the name of a variable: `PARALLAX_MPI` and `openmpi` make `PARALLAX_MPI_OPENMPI`.
fn variable(stem: &str, name: &str) -> String {
    format!("{stem}_{}", name.to_uppercase())
}

/// Returns the library of a launcher, and its version, from the output of `--version`. Each launcher is run once.
pub(crate) fn launcher_identity(launcher: &Path) -> Option<(Library, String)> {
    type KnownLaunchers = BTreeMap<PathBuf, Option<(Library, String)>>;
    static KNOWN: Mutex<KnownLaunchers> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(identity) = known().get(launcher) {
        return identity.clone();
    }
    let mut command = Command::new(launcher);
    command.arg("--version");
    let said = run_within(command, TO_SAY_ITS_NAME).ok()?;
    let identity = Library::of_launcher(&said.stdout);
    known().insert(launcher.to_owned(), identity.clone());
    identity
}

/// Whether a path is a file that may be executed.
pub(crate) fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with one program in it, which prints `says`.
    fn planted(name: &str, says: &str) -> (tempfile::TempDir, Places) {
        let folder = tempfile::tempdir().expect("a folder");
        plant(folder.path(), name, says);
        let places = Places { path: vec![folder.path().to_owned()], ..Places::default() };
        (folder, places)
    }

    fn plant(folder: &Path, name: &str, says: &str) {
        let file = folder.join(name);
        std::fs::write(&file, format!("#!/bin/sh\necho '{says}'\n")).expect("a script");
        std::fs::set_permissions(file, PermissionsExt::from_mode(0o755)).expect("made executable");
    }

    #[test]
    fn a_plain_mpirun_is_asked_whose_it_is() {
        let (_keep, places) = planted("mpirun", "mpirun (Open MPI) 5.0.3");
        assert!(places.launcher(Library::OPENMPI).is_ok());
        let missing = places.launcher(Library::MPICH).expect_err("no MPICH here");
        assert!(missing.what.contains("mpirun.mpich"), "{missing}");
        assert!(missing.cure.contains("scripts/setup"), "{missing}");
    }

    #[test]
    fn a_library_s_own_name_comes_first_and_a_variable_before_it() {
        let (folder, mut places) = planted("mpiexec.hydra", "");
        plant(folder.path(), "mpirun", "HYDRA build details:");
        assert_eq!(places.launcher(Library::MPICH), Ok(folder.path().join("mpiexec.hydra")));
        places.variables.insert("PARALLAX_MPIRUN_MPICH".to_owned(), folder.path().join("mpirun").into());
        assert_eq!(places.launcher(Library::MPICH), Ok(folder.path().join("mpirun")));
    }

    #[test]
    fn a_name_that_two_libraries_have_belongs_to_the_one_that_its_launcher_says() {
        let says = "Intel(R) MPI Library for Linux* OS, Version 2021.18.0 Build 20260327 (id: 821f207)";
        let (folder, places) = planted("mpiexec.hydra", says);
        let intel = Library::find("intelmpi").expect("in the table");
        assert_eq!(places.launcher(intel), Ok(folder.path().join("mpiexec.hydra")));
        assert!(places.launcher(Library::MPICH).is_err());
    }

    #[test]
    fn the_program_is_found_by_variable_then_beside_then_on_path() {
        let (folder, mut places) = planted("parallax-mpi-mpich", "");
        let (nearer, _) = planted("parallax-mpi-mpich", "");
        assert_eq!(places.program(Library::MPICH, None), Ok(folder.path().join("parallax-mpi-mpich")));
        places.beside = Some(nearer.path().to_owned());
        assert_eq!(places.program(Library::MPICH, None), Ok(nearer.path().join("parallax-mpi-mpich")));
        places.variables.insert("PARALLAX_MPI_MPICH".to_owned(), "/nowhere/at-all".into());
        let error = places.program(Library::MPICH, None).expect_err("the variable names nothing");
        assert!(error.what.contains("PARALLAX_MPI_MPICH") && error.what.contains("/nowhere/at-all"), "{error:?}");
        insta::assert_snapshot!(error.what);
    }

    #[test]
    fn the_standard_s_program_is_for_libraries_that_lack_their_own_interface_and_for_who_has_no_other() {
        let (folder, places) = planted("parallax-mpi-abi", "");
        let prefix = tempfile::tempdir().expect("a folder");
        let lib = prefix.path().join("lib");
        std::fs::create_dir(&lib).expect("a folder");
        std::fs::create_dir(prefix.path().join("bin")).expect("a folder");
        let launcher = prefix.path().join("bin/mpiexec");
        let named = || {
            let file = places.program(Library::MPICH, Some(&launcher)).ok()?;
            Some(file.file_name()?.to_str()?.to_owned())
        };
        std::fs::write(lib.join("libmpi.so.12"), "").expect("a file");
        assert_eq!(named(), None, "the library has not the interface");
        std::fs::write(lib.join("libmpi_abi.so.1"), "").expect("a file");
        assert_eq!(named().as_deref(), Some("parallax-mpi-abi"), "the only program");
        plant(folder.path(), "parallax-mpi-mpich", "");
        assert_eq!(named().as_deref(), Some("parallax-mpi-mpich"), "both programs, both interfaces");
        std::fs::remove_file(lib.join("libmpi.so.12")).expect("a file");
        assert_eq!(named().as_deref(), Some("parallax-mpi-abi"), "the only interface");
    }

    #[test]
    fn versions_are_read_from_both_launchers() {
        let openmpi = |text| Some((Library::OPENMPI, String::from(text)));
        assert_eq!(Library::of_launcher("mpirun (Open MPI) 4.1.4\n\nReport bugs to …"), openmpi("4.1.4"));
        assert_eq!(Library::of_launcher("mpirun.openmpi (OpenRTE) 4.1.4\n"), openmpi("4.1.4"));
        let hydra = "HYDRA build details:\n    Version:                                 4.0.2\n    Release Date: x\n";
        assert_eq!(Library::of_launcher(hydra), Some((Library::MPICH, "4.0.2".to_owned())));
        assert_eq!(Library::of_launcher("srun 23.11"), None);
    }
}
