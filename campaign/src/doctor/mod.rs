//! Examinations by `parallax doctor`: the state of this machine, its problems, and their remedies.
//!
//! All files are read under a root folder and in given places, so that tests can describe a machine.

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
    /// Severity of a finding.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Level {
        /// The state is as it should be.
        Ok => "ok",
        /// It works, but shifts or widens measured times, or leaves something out.
        Note => "note",
        /// It does not work.
        Problem => "problem",
    }
    /// Returns the name used in output.
    fn name;
}

/// Result of one examination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Severity of the finding.
    pub level: Level,
    /// Subject of the examination, in a word or two.
    pub about: &'static str,
    /// State that was found.
    pub says: String,
    /// Remedy, where there is one.
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

/// Group of findings about one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Heading of the section.
    pub title: &'static str,
    /// Findings in the order of their examination.
    pub findings: Vec<Finding>,
}

/// Findings of a whole examination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// Names of the worlds in which ranks can be measured here.
    pub worlds: Vec<&'static str>,
    /// Sections of findings, in the order of the output.
    pub sections: Vec<Section>,
}

impl Diagnosis {
    /// Returns success if no finding is a problem: installed libraries, and those that the user named, work. A library
    /// that is not installed is no problem.
    pub fn exit_code(&self) -> ExitCode {
        let problem = |finding: &Finding| finding.level == Level::Problem;
        let any = self.sections.iter().flat_map(|section| &section.findings).any(problem);
        if any { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

/// Examines this machine. This takes about a second, or ten for each launcher that hangs.
pub fn examine() -> Diagnosis {
    let root = Path::new("/");
    let places = Places::here();
    let mut sections = vec![
        Section { title: "Machine", findings: machine::examine(root) },
        Section { title: "Clock", findings: clocks::examine(root) },
        Section { title: "Threads", findings: threads::examine() },
    ];
    // An optional library is mentioned only if it is installed, or if somebody named it.
    let libraries: Vec<Library> = Library::all().filter(|library| mpi::concerns(*library, &places)).collect();
    let first: Vec<PathBuf> = libraries.iter().filter_map(|library| places.launcher(*library).ok()).collect();
    let first: Vec<Installation> = first.iter().filter_map(|launcher| Installation::from_launcher(launcher)).collect();
    // The first installation of each library comes first, then all others, which are selected by their versions.
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
