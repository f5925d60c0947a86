//! Launcher of Slurm: its flags, and the process management interface that it shares with a library.

use super::{Circumstances, Library, NotFound, Site, hosts, run_within};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Time limit for srun to list its interfaces.
const TO_LIST: Duration = Duration::from_secs(10);

/// Returns the words between srun and the program.
pub(super) fn flags(library: Library, srun: &Path, ranks: u32, site: &Site, here: Circumstances) -> Vec<String> {
    let mut flags: Vec<String> = Vec::new();
    if !site.hosts.is_empty() {
        let names: Vec<_> = site.hosts.iter().map(|host: &hosts::Host| host.name.as_str()).collect();
        flags.push(format!("--nodelist={}", names.join(",")));
    }
    if let Some(interface) = interface(library, &names(&listed(srun))) {
        flags.push(format!("--mpi={interface}"));
    }
    if here.crowded {
        flags.push("--overcommit".to_owned());
    }
    flags.push(format!("--cpu-bind={}", if here.own_cores { "cores" } else { "none" }));
    // A rank that fails makes srun end the others.
    flags.extend(["--kill-on-bad-exit=1".to_owned(), "-n".to_owned(), ranks.to_string()]);
    flags
}

/// Checks that Slurm and a library have an interface in common. An srun that does not list any passes, unless it
/// reports that it reaches no Slurm.
///
/// # Errors
/// Names the interfaces of both, because without a common one every rank would be a world of its own, or the reason why
/// srun starts nothing here.
pub(super) fn check(library: Library, srun: &Path) -> Result<(), NotFound> {
    common(library, &listed(srun))
}

fn common(library: Library, listed: &str) -> Result<(), NotFound> {
    let offered = names(listed);
    if interface(library, &offered).is_some() {
        return Ok(());
    }
    if offered.is_empty() {
        let Some((_, why)) = listed.lines().find_map(|line| line.split_once("fatal: ")) else { return Ok(()) };
        return Err(NotFound {
            what: format!("srun reaches no Slurm: {}.", why.trim()),
            cure: "Start parallax on a machine of a Slurm cluster, or leave out --launcher srun and PARALLAX_LAUNCHER."
                .to_owned(),
        });
    }
    let (title, spoken, offers) = (library.title, library.interfaces.join(" or "), offered.join(", "));
    Err(NotFound {
        what: format!("Slurm offers {offers} (srun --mpi=list), but {title} needs {spoken}."),
        cure: format!("Start ranks by the mpirun of {title}: without --launcher srun and PARALLAX_LAUNCHER."),
    })
}

/// Returns the first interface of the library that is offered. `None` stands for Slurm's default. With an interface
/// that a library does not have, its ranks end, or are worlds of one rank each (tried with Slurm 22.05, Open MPI 4.1.4
/// and MPICH 4.0.2).
fn interface(library: Library, offered: &[String]) -> Option<String> {
    library.interfaces.iter().find(|name| offered.iter().any(|offer| offer == *name)).map(|name| (*name).to_owned())
}

/// Returns the output of `srun --mpi=list`.
fn listed(srun: &Path) -> String {
    let mut command = Command::new(srun);
    command.arg("--mpi=list");
    run_within(command, TO_LIST).map(|done| done.stdout + &done.stderr).unwrap_or_default()
}

/// Returns the interfaces in a list that has a heading, then a name on each line. Newer versions add a line of
/// versions: `specific pmix plugin versions available: …`.
fn names(text: &str) -> Vec<String> {
    let words = text.lines().map(|line| line.trim().trim_start_matches("srun:").trim());
    words.filter(|word| !word.is_empty() && !word.contains([' ', ':'])).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interface_is_one_that_both_sides_speak() {
        let listed = "MPI plugin types are...\n\tpmix\n\tcray_shasta\n\tnone\n\tpmi2\nspecific pmix plugin versions available: pmix_v4\n";
        let offered = names(listed);
        assert_eq!(offered, ["pmix", "cray_shasta", "none", "pmi2"]);
        assert_eq!(interface(Library::OPENMPI, &offered).as_deref(), Some("pmix"));
        assert_eq!(interface(Library::MPICH, &offered).as_deref(), Some("pmi2"));
        let nothing = "srun: MPI types are...\nsrun: none\n";
        assert_eq!(interface(Library::MPICH, &names(nothing)), None);
        let why = common(Library::MPICH, nothing).expect_err("MPICH needs pmi2");
        insta::assert_snapshot!(why.what);
        assert!(common(Library::MPICH, listed).is_ok() && common(Library::MPICH, "").is_ok());
    }

    #[test]
    fn an_srun_without_slurm_is_refused_before_ranks_start() {
        let said = "srun: error: fetch_config: DNS SRV lookup failed\n\
                    srun: fatal: Could not establish a configuration source\n";
        let why = common(Library::OPENMPI, said).expect_err("no Slurm");
        insta::assert_snapshot!(format!("{} {}", why.what, why.cure));
    }

    #[test]
    fn crowded_ranks_share_cores_and_are_not_bound() {
        let crowded = Circumstances { root: false, own_cores: false, crowded: true, direct_copy: true };
        let flags = flags(Library::MPICH, Path::new("/nowhere/srun"), 8, &Site::here(), crowded);
        assert_eq!(flags.join(" "), "--overcommit --cpu-bind=none --kill-on-bad-exit=1 -n 8");
    }
}
