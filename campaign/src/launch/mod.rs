//! Launch of MPI ranks: the launcher, the program, and the command line.
//!
//! A program is linked with one MPI library and can be started by that library's launcher only, so that `parallax-mpi`
//! is built once for each library. This crate itself does not link MPI.

mod flux;
#[cfg(target_os = "linux")]
mod guard;
mod hosts;
mod identity;
mod installation;
mod loader;
mod places;
mod process;
mod processors;
mod site;
mod srun;

pub(crate) use identity::{Identity, ask as ask_identity, identify};
pub use installation::Installation;
pub(crate) use installation::environment;
pub(crate) use loader::{listed, places as places_listed};
pub use places::{NotFound, Places};
pub(crate) use places::{is_program, launcher_identity};
pub use process::{Finished, run_holding, run_within};
pub(crate) use process::{LONGEST_END, end_with_us, stop};
pub use processors::{Processors, members};
pub use site::{Site, Starter};

pub use models::library::Library;

pub use models::names::quoted;

use models::library::{Interface, Kin, Release};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Launcher, with the program built for its library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// MPI library whose ranks it starts, as the user named it.
    pub release: Release,
    /// Path of `mpirun`, `mpiexec`, `srun` or `flux`.
    pub launcher: PathBuf,
    /// Path of `parallax-mpi`, linked with that library.
    pub binary: PathBuf,
    /// Kind of launcher: the library's, or a batch system's.
    pub starter: Starter,
    /// Variables with which ranks load the library that belongs to the launcher.
    pub environment: Vec<(&'static str, OsString)>,
}

/// Circumstances that determine flags, apart from the number of ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Circumstances {
    /// Whether the user is root, for whom Open MPI refuses to run without a further flag.
    root: bool,
    /// Whether each rank can have a core of its own, of all those that the launchers count.
    own_cores: bool,
    /// Whether there are more ranks than cores.
    crowded: bool,
    /// Whether ranks may read each other's memory.
    direct_copy: bool,
}

impl Circumstances {
    /// Returns the circumstances of a launch. Launchers bind to the machine's first cores even where the user (by
    /// `taskset`) allows others only. Ranks then stay unbound and inherit the allowed cores. Tried with Open MPI 4.1.4
    /// and MPICH 4.0.2.
    fn here(ranks: u32, site: &Site) -> Circumstances {
        let crowded = ranks > site.cores;
        Circumstances {
            // SAFETY: reads a number; cannot fail.
            root: unsafe { libc::geteuid() } == 0,
            own_cores: !crowded && !site.shared_cores && !Processors::here().restricted(),
            crowded,
            direct_copy: may_copy_directly(),
        }
    }
}

impl Launcher {
    /// Returns the command that starts `ranks` ranks of the program with `arguments`.
    ///
    /// It reads nothing from the terminal and leads a process group of its own, so that Ctrl-C does not reach it. The
    /// process that spawns it has to end it, and its ranks, which may be in groups of their own.
    pub fn command(&self, ranks: u32, site: &Site, arguments: &[OsString]) -> Command {
        let mut command = Command::new(&self.launcher);
        let here = Circumstances::here(ranks, site);
        command.args(self.flags(ranks, site, here));
        command.arg(&self.binary).args(arguments);
        command.envs(self.variables(here));
        command.stdin(Stdio::null()).process_group(0);
        command
    }

    /// Returns the same command as a line for a shell.
    pub fn line(&self, ranks: u32, site: &Site, arguments: &[OsString]) -> String {
        let command = self.command(ranks, site, arguments);
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let set = |(name, value): (&str, OsString)| format!("{name}={}", quoted(&value.to_string_lossy()));
        let variables = self.variables(Circumstances::here(ranks, site)).map(set);
        variables.chain(words.map(|word| quoted(&word.to_string_lossy()))).collect::<Vec<_>>().join(" ")
    }

    /// Returns the files of the library that its ranks load: those of the launcher's installation, else those that the
    /// loader finds.
    pub fn shared_libraries(&self) -> Vec<PathBuf> {
        let beside = installation::shared(&self.launcher, self.release.library().kin);
        if !beside.is_empty() {
            return beside.into_iter().map(|(_, file)| file).collect();
        }
        let listed = loader::listed(&self.binary).unwrap_or_default();
        let names: Vec<&str> =
            Interface::ALL.iter().flat_map(|interface| interface.shared_libraries()).copied().collect();
        loader::places(&listed).filter(|(name, _)| names.contains(name)).map(|(_, place)| place.into()).collect()
    }

    /// Returns the binding of this number of ranks, in words.
    pub fn binding(&self, ranks: u32, site: &Site) -> &'static str {
        if Circumstances::here(ranks, site).own_cores { "each rank to a core of its own" } else { "none" }
    }

    /// Returns the variables of the launcher, which select the library that ranks load, and the binding.
    fn variables(&self, here: Circumstances) -> impl Iterator<Item = (&'static str, OsString)> {
        let library = self.release.library();
        let binding = if here.own_cores { library.bound_by } else { library.unbound_by };
        let binding = binding.iter().map(|(name, value)| (*name, OsString::from(*value)));
        self.environment.clone().into_iter().chain(binding)
    }

    /// Returns the words between the launcher and the program.
    fn flags(&self, ranks: u32, site: &Site, here: Circumstances) -> Vec<String> {
        let library = self.release.library();
        match self.starter {
            Starter::Srun => return srun::flags(library, &self.launcher, ranks, site, here),
            Starter::Flux => return flux::flags(ranks, here),
            Starter::Mpirun => {}
        }
        let hosts = hosts::list(&site.hosts);
        let mut flags: Vec<&str> = Vec::new();
        match library.kin {
            Kin::OpenMpi => {
                if here.root {
                    flags.push("--allow-run-as-root");
                }
                if !hosts.is_empty() {
                    flags.extend(["--host", &hosts]);
                    // Launchers pass only their own variables to ranks on other hosts.
                    flags.extend(self.environment.iter().flat_map(|(name, _)| ["-x", name]));
                }
                if here.crowded {
                    // This spelling is valid for versions 4 and 5. Yielding keeps a collective at µs where spinning
                    // takes ms.
                    flags.extend(["--map-by", ":OVERSUBSCRIBE", "--mca", "mpi_yield_when_idle", "1"]);
                }
                flags.extend(if here.own_cores { library.binding } else { &["--bind-to", "none"] });
                if !here.direct_copy {
                    // Otherwise it tries, complains on standard error, and continues without. The names are those of
                    // version 4, then of 5.
                    flags.extend(["--mca", "btl_vader_single_copy_mechanism", "none", "--mca", "smsc", "^cma"]);
                }
            }
            Kin::Mpich => {
                if !hosts.is_empty() {
                    flags.extend(["-hosts", &hosts]);
                }
                if here.own_cores {
                    flags.extend(library.binding);
                }
            }
        }
        let count = ranks.to_string();
        flags.extend(["-n", &count]);
        flags.into_iter().map(str::to_owned).collect()
    }
}

/// Whether processes may copy from each other's memory. Some containers forbid the system call altogether, even for
/// reading one's own. (Where it is allowed for some processes only, Open MPI finds out by itself.)
pub fn may_copy_directly() -> bool {
    #[cfg(target_os = "linux")]
    {
        let (mut to, from) = ([0u8; 8], [1u8; 8]);
        let local = libc::iovec { iov_base: to.as_mut_ptr().cast(), iov_len: to.len() };
        let remote = libc::iovec { iov_base: from.as_ptr().cast_mut().cast(), iov_len: from.len() };
        // SAFETY: both ranges are live arrays of eight bytes; only `to` is written.
        let copied = unsafe { libc::process_vm_readv(libc::getpid(), &raw const local, 1, &raw const remote, 1, 0) };
        copied == 8 && to == from
    }
    #[cfg(not(target_os = "linux"))]
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALM: Circumstances = Circumstances { root: false, own_cores: true, crowded: false, direct_copy: true };

    fn launcher(library: Library) -> Launcher {
        let binary = "/opt/my tools/parallax-mpi".into();
        Launcher {
            release: library.any(),
            launcher: "/bin/mpirun".into(),
            binary,
            starter: Starter::Mpirun,
            environment: Vec::new(),
        }
    }

    fn flags(library: Library, ranks: u32, here: Circumstances) -> String {
        launcher(library).flags(ranks, &Site::here(), here).join(" ")
    }

    #[test]
    fn hosts_are_named_with_their_slots() {
        let host = |name: &str, slots| hosts::Host { name: name.to_owned(), slots };
        let site = Site { hosts: vec![host("node1", 2), host("node2", 1)], ..Site::here() };
        let flags = |library| launcher(library).flags(3, &site, CALM).join(" ");
        assert_eq!(flags(Library::OPENMPI), "--host node1:2,node2:1 --bind-to core -n 3");
        assert_eq!(flags(Library::MPICH), "-hosts node1:2,node2:1 -bind-to core -n 3");
    }

    #[test]
    fn ranks_with_cores_of_their_own_are_bound_to_them() {
        assert_eq!(flags(Library::OPENMPI, 2, CALM), "--bind-to core -n 2");
        assert_eq!(flags(Library::MPICH, 2, CALM), "-bind-to core -n 2");
    }

    #[test]
    fn a_library_that_binds_unasked_is_told_what_to_do() {
        let intel = launcher(Library::find("intelmpi").expect("in the table"));
        let set =
            |here| intel.variables(here).map(|(name, value)| format!("{name}={}", value.display())).collect::<Vec<_>>();
        assert_eq!(set(CALM), ["I_MPI_PIN=1", "I_MPI_PIN_DOMAIN=core"]);
        assert_eq!(set(Circumstances { own_cores: false, ..CALM }), ["I_MPI_PIN=0"]);
    }

    #[test]
    fn crowded_ranks_are_unbound_and_yield() {
        let crowded = Circumstances { crowded: true, own_cores: false, ..CALM };
        let expected = "--map-by :OVERSUBSCRIBE --mca mpi_yield_when_idle 1 --bind-to none -n 8";
        assert_eq!(flags(Library::OPENMPI, 8, crowded), expected);
        assert_eq!(flags(Library::MPICH, 8, crowded), "-n 8");
    }

    #[test]
    fn root_and_forbidden_copies_matter_to_open_mpi_only() {
        let odd = Circumstances { root: true, direct_copy: false, ..CALM };
        let expected =
            "--allow-run-as-root --bind-to core --mca btl_vader_single_copy_mechanism none --mca smsc ^cma -n 2";
        assert_eq!(flags(Library::OPENMPI, 2, odd), expected);
        assert_eq!(flags(Library::MPICH, 2, odd), "-bind-to core -n 2");
    }

    #[test]
    fn the_line_can_be_pasted_into_a_shell() {
        let crowded = Site { cores: 1, ..Site::here() };
        let line = launcher(Library::MPICH).line(9, &crowded, &["it's".into(), "--job=/tmp/a b".into()]);
        assert_eq!(line, r"/bin/mpirun -n 9 '/opt/my tools/parallax-mpi' 'it'\''s' '--job=/tmp/a b'");
    }
}
