//! Hosts of ranks and their launcher: this machine or the hosts of a file, and the library's launcher or a batch
//! system's.

use super::hosts::{Host, read};
use super::installation::environment;
use super::{Installation, Launcher, Library, NotFound, Places};
use crate::environment::cores;
use models::library::Release;
use programs::observation::World;
use scenario::BadInput;
use std::path::{Path, PathBuf};

models::named! {
    /// Owner of the launcher that starts ranks.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Starter {
        /// The launcher of the MPI library.
        #[default]
        Mpirun => "mpirun",
        /// The launcher of Slurm, within an allocation.
        Srun => "srun",
        /// The launcher of Flux, within an instance.
        Flux => "flux",
    }
    /// Returns the name used in flags and variables.
    fn name;
}

/// Hosts and launcher of MPI ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Hosts of the ranks. Empty for this machine.
    pub hosts: Vec<Host>,
    /// Number of ranks that have a core of their own, on all hosts together.
    pub cores: u32,
    /// Whether the hosts share cores (because all of them are on one machine). Binding would put ranks of several on
    /// the same core.
    pub shared_cores: bool,
    /// Kind of launcher that starts ranks.
    pub starter: Starter,
    /// MPI libraries that the user named. For a library that is not named, the first one found is used.
    pub installations: Vec<Installation>,
}

impl Site {
    /// Returns the site of this machine.
    pub fn here() -> Site {
        Site::from_hosts(Vec::new(), Starter::Mpirun, None)
    }

    /// Returns the site given by a host file and a launcher, or else by the variables PARALLAX_HOSTS, PARALLAX_LAUNCHER
    /// and PARALLAX_CORES. MPI libraries are named by their folders, their launchers or as `openmpi@5.0.11`.
    ///
    /// # Errors
    /// Describes the error in the host file or a variable, or names a library that is not installed.
    pub fn resolve(hosts: Option<&Path>, launcher: Option<Starter>, mpi: &[String]) -> Result<Site, BadInput> {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let file = hosts.map(Path::to_owned).or_else(|| variable("PARALLAX_HOSTS").map(PathBuf::from));
        let hosts = file.map(|file| read(&file)).transpose()?.unwrap_or_default();
        let named = |name: String| {
            let unknown = || BadInput(format!("PARALLAX_LAUNCHER: expected mpirun, srun or flux, found '{name}'"));
            Starter::ALL.into_iter().find(|starter| starter.name() == name).ok_or_else(unknown)
        };
        let of_variable = || variable("PARALLAX_LAUNCHER").map(named).transpose();
        let starter = launcher.map_or_else(of_variable, |launcher| Ok(Some(launcher)))?.unwrap_or_default();
        let limit = variable("PARALLAX_CORES").map(|text| {
            let cores = text.parse().ok().filter(|cores| *cores > 0);
            cores.ok_or_else(|| BadInput(format!("PARALLAX_CORES: expected a number of cores, found '{text}'")))
        });
        let installations = mpi.iter().map(|named| installation(named)).collect::<Result<Vec<_>, _>>();
        let installations = installations.map_err(|absent| BadInput(format!("--mpi: {absent}")))?;
        Ok(Site { installations, ..Site::from_hosts(hosts, starter, limit.transpose()?) })
    }

    /// Returns a site of hosts, which may have fewer cores together than slots.
    fn from_hosts(hosts: Vec<Host>, starter: Starter, limit: Option<u32>) -> Site {
        // Launchers fill the slots of one host after another, so that no host is oversubscribed as long as there are
        // slots for all.
        let slots = hosts.iter().map(|host| host.slots).reduce(u32::saturating_add).unwrap_or_else(cores);
        let shared_cores = limit.is_some() && hosts.len() > 1;
        let cores = limit.map_or(slots, |limit| limit.min(slots));
        Site { hosts, cores, shared_cores, starter, installations: Vec::new() }
    }

    /// Returns the number of hosts, at least 1.
    pub fn host_count(&self) -> u32 {
        self.hosts.len().max(1) as u32
    }

    /// Returns the worlds whose ranks can be started here: those of the libraries that were named, or else of all
    /// available ones.
    pub fn worlds(&self) -> Vec<World> {
        if self.installations.is_empty() {
            return Library::all().map(Library::any).filter(|&any| self.find(any).is_ok()).map(World::Mpi).collect();
        }
        self.installations.iter().map(|one| World::Mpi(one.release())).collect()
    }

    /// Completes the version of a world's library where a part of it is named: 5.0 becomes 5.0.11.
    ///
    /// # Errors
    /// Fails where [`Site::find`] fails.
    pub fn whole(&self, world: World) -> Result<World, NotFound> {
        let Some(release) = world.release() else { return Ok(world) };
        self.find(release)?;
        Ok(self.installed(release)?.map_or(world, |one| World::Mpi(one.release())))
    }

    /// Returns the installation of a release: one that was named, or, if the release has a version, one that is found.
    fn installed(&self, release: Release) -> Result<Option<Installation>, NotFound> {
        let named = self.installations.iter().find(|one| one.is(release)).cloned();
        match (named, release.version()) {
            (None, Some(_)) => Places::here().installed(release).map(Some),
            (named, _) => Ok(named),
        }
    }

    /// Returns a library's launcher, or a batch system's, with the program for it.
    ///
    /// # Errors
    /// Names the missing part, and the command that installs it.
    pub fn find(&self, release: Release) -> Result<Launcher, NotFound> {
        let places = Places::here();
        let library = release.library();
        let own = match (self.installed(release)?.map(|one| one.launcher), self.starter) {
            (None, Starter::Mpirun) => places.launcher(library).map(Some),
            (installed, _) => Ok(installed),
        };
        // The error of a missing program comes first, whatever launchers there are.
        let binary = places.program(library, own.as_ref().ok().and_then(Option::as_deref))?;
        let own = own?;
        let environment = own.as_deref().map(|launcher| environment(library, launcher)).unwrap_or_default();
        let launcher = match self.starter {
            Starter::Mpirun => own.unwrap_or_default(),
            Starter::Srun => {
                let srun = places.of_batch_system("srun", "a Slurm allocation (sbatch, salloc)")?;
                super::srun::check(library, &srun)?;
                srun
            }
            Starter::Flux => places.of_batch_system("flux", "a Flux instance (flux batch, flux alloc)")?,
        };
        Ok(Launcher { release, launcher, binary, starter: self.starter, environment })
    }
}

/// Returns a library that a user names, by a path, or by its name and version.
fn installation(named: &str) -> Result<Installation, NotFound> {
    let named = named.trim();
    if named.is_empty() {
        return Err(NotFound {
            what: "expected libraries with one comma between two, found none before or behind a comma.".to_owned(),
            cure: "Name each by its folder, its mpiexec, or as NAME@VERSION.".to_owned(),
        });
    }
    match Release::parse(named).filter(|_| !Path::new(named).exists()) {
        Some(release) => Places::here().installed(release),
        None => Installation::at(Path::new(named)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(name: &str, slots: u32) -> Host {
        Host { name: name.to_owned(), slots }
    }

    #[test]
    fn hosts_are_judged_by_their_slots_not_by_this_machine() {
        let site = Site::from_hosts(vec![host("a", 400), host("b", 112)], Starter::Mpirun, None);
        assert_eq!((site.cores, site.host_count(), site.shared_cores), (512, 2, false));
        assert_eq!((Site::here().cores, Site::here().host_count()), (cores(), 1));
    }

    #[test]
    fn hosts_made_on_one_machine_share_its_cores() {
        let site = Site::from_hosts(vec![host("node1", 4), host("node2", 4)], Starter::Mpirun, Some(2));
        assert_eq!((site.cores, site.shared_cores), (2, true));
    }
}
