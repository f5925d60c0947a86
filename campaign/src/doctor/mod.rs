//! What is here, what is wrong, what to do: the looks of `parallax doctor`.
//!
//! Everything is looked at under a root folder and in given places, so that tests can plant a machine.

mod clocks;
mod costs;
mod machine;
mod mpi;
#[cfg(test)]
mod tests;
mod threads;

use crate::launch::{Installation, Library, Places};
use models::library::Release;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

models::named! {
    /// How good a finding is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Level {
        /// As it should be.
        Ok => "ok",
        /// Works, but shifts or widens what is measured, or leaves something out.
        Note => "note",
        /// Does not work.
        Problem => "problem",
    }
    /// The name used in output.
    fn name;
}

/// One thing looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How good it is.
    pub level: Level,
    /// What was looked at: a word or two.
    pub about: &'static str,
    /// What is the case.
    pub says: String,
    /// What to do about it, if anything.
    pub to_do: Option<String>,
}

impl Finding {
    fn ok(about: &'static str, says: impl Into<String>) -> Finding {
        Finding { level: Level::Ok, about, says: says.into(), to_do: None }
    }

    fn note(about: &'static str, says: impl Into<String>, to_do: impl Into<String>) -> Finding {
        Finding { level: Level::Note, about, says: says.into(), to_do: Some(to_do.into()) }
    }

    fn problem(about: &'static str, says: impl Into<String>, to_do: impl Into<String>) -> Finding {
        Finding { level: Level::Problem, about, says: says.into(), to_do: Some(to_do.into()) }
    }
}

/// Findings that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its heading.
    pub title: &'static str,
    /// In the order they were looked at.
    pub findings: Vec<Finding>,
}

/// All that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// The worlds in which ranks can be measured here.
    pub worlds: Vec<&'static str>,
    /// The findings.
    pub sections: Vec<Section>,
}

impl Diagnosis {
    /// Success if nothing is a problem: what is installed, and what the user named, works. What is not installed is none.
    pub fn exit_code(&self) -> ExitCode {
        let problem = |finding: &Finding| finding.level == Level::Problem;
        let any = self.sections.iter().flat_map(|section| &section.findings).any(problem);
        if any { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

/// Examines this machine. Takes about a second, or ten for each launcher that hangs.
pub fn examine() -> Diagnosis {
    let root = Path::new("/");
    let places = Places::here();
    let mut sections = vec![
        Section { title: "Machine", findings: machine::examine(root) },
        Section { title: "Clock", findings: clocks::examine(root) },
        Section { title: "Threads", findings: threads::examine() },
    ];
    // Of libraries that nobody has to have only those are mentioned that are here, or that somebody named.
    let libraries: Vec<Library> = Library::all().filter(|library| mpi::concerns(*library, &places)).collect();
    let first: Vec<PathBuf> = libraries.iter().filter_map(|library| places.launcher(*library).ok()).collect();
    let first: Vec<Installation> = first.iter().filter_map(|launcher| Installation::of(launcher)).collect();
    // The one of each that is found first, and all others that are asked for by their versions.
    let others = places.installations().into_iter().filter(|one| !first.iter().any(|known| known.is_same(one)));
    let mut releases: Vec<Release> = Vec::new();
    for library in libraries {
        releases.push(library.any());
        sections.push(Section { title: library.title, findings: mpi::examine(library, &places) });
    }
    for one in others {
        releases.push(one.release());
        sections.push(Section { title: one.release().title(), findings: mpi::examine_installation(&one, &places) });
    }
    let threads_work = sections[2].findings.iter().all(|finding| finding.level != Level::Problem);
    let found = releases.into_iter().zip(&sections[3..]).filter(|(_, section)| mpi::works(&section.findings));
    let worlds =
        threads_work.then_some(threads::WORLD).into_iter().chain(found.map(|(release, _)| release.name())).collect();
    Diagnosis { worlds, sections }
}
