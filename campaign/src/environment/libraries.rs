//! Facts about the MPI libraries that ranks run under, and about their launch.

use crate::launch::{Launcher, Site, identify};
use crate::serve;
use std::path::Path;

/// Returns the library with its exact version, and the launcher that starts its ranks.
pub(super) fn library_facts(launcher: &Launcher) -> Vec<(String, String)> {
    let title = launcher.release.title();
    let linked = identify(&launcher.binary, &launcher.environment).map(|identity| {
        (format!("{title}, library"), format!("{} {}, MPI {}", identity.library, identity.version, identity.standard))
    });
    let started = format!("started by {}", launcher.launcher.display());
    linked.into_iter().chain([(title.to_owned(), started)]).collect()
}

/// Returns the launch command and the binding for each library and number of ranks.
pub fn launches(launchers: &[Launcher], ranks: &[u32], site: &Site) -> Vec<(String, String)> {
    let arguments = serve::arguments(Path::new("JOB"));
    let of = |launcher: &Launcher, ranks: u32| {
        let label = format!("{}, {ranks} ranks", launcher.release.title());
        let binding = (format!("{label}, binding"), launcher.binding(ranks, site).to_owned());
        [(label, launcher.line(ranks, site, &arguments)), binding]
    };
    launchers.iter().flat_map(|launcher| ranks.iter().flat_map(move |&ranks| of(launcher, ranks))).collect()
}
