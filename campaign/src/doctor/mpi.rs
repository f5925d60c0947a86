//! Examination of an MPI library: our program for it, its launcher, and whether the two start a world together.

use super::{Finding, Level, costs};
use crate::launch::{
    Finished, Identity, Installation, Launcher, Library, NotFound, Places, Site, Starter, ask_identity, environment,
    launcher_identity, run_within,
};
use models::clock::{Beside, ClockConclusions};
use models::library::is_version;
use models::wtime::Told;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time limit for the start and end of the trial world.
const PATIENCE: Duration = Duration::from_secs(10);
/// Number of ranks of the trial world.
const RANKS: u32 = 2;

/// Subject of the finding about the trial world.
const START: &str = "two ranks";
/// Subject of the finding about the library's clock.
const WTIME: &str = "its clock";

/// Output of each rank of `parallax-mpi --hello`.
#[derive(Debug, Deserialize)]
struct Hello {
    rank: u32,
    size: u32,
    host: String,
    /// Looks at its MPI_Wtime beside the monotonic clock. `None` where there are none.
    wtime: Option<Beside>,
    #[serde(default)]
    says_global: bool,
}

/// Whether these findings show that worlds of the library can be started.
pub(super) fn works(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.about == START && finding.level == Level::Ok)
}

/// Returns all findings about one library.
pub(super) fn examine(library: Library, places: &Places) -> Vec<Finding> {
    let chosen = places.chosen(library);
    let launcher = places.launcher(library);
    let (binary, launcher) = match (places.program(library, launcher.as_deref().ok()), launcher) {
        (Ok(binary), Ok(launcher)) => (binary, launcher),
        (Err(_), Err(_)) if !chosen => {
            return vec![Finding::note(
                "library",
                format!("not installed: worlds of {} ranks are left out", library.title),
                "scripts/setup && scripts/build",
            )];
        }
        (program, launcher) => return vec![half("program", program, chosen), half("launcher", launcher, chosen)],
    };
    examine_pair(library, binary, launcher)
}

/// Returns all findings about a library in one place.
pub(super) fn examine_installation(one: &Installation, places: &Places) -> Vec<Finding> {
    match places.program(one.library, Some(&one.launcher)) {
        Ok(binary) => examine_pair(one.library, binary, one.launcher.clone()),
        Err(NotFound { what, cure }) => vec![
            Finding::note("program", what, cure),
            Finding::ok("launcher", format!("{}\nof {}", one.launcher.display(), one.release().title())),
        ],
    }
}

/// Returns the findings of a trial in which a program and a launcher start a world.
fn examine_pair(library: Library, binary: PathBuf, launcher: PathBuf) -> Vec<Finding> {
    let environment = environment(library, &launcher);
    let (program, version) = identify(library, &binary, &environment, &launcher);
    let mut findings = vec![program, name_launcher(library, &launcher, version.as_deref())];
    // A program that cannot report its library, or the launcher of another library, need not be tried.
    if findings.iter().all(|finding| finding.level != Level::Problem) {
        let pair = Launcher { release: library.any(), launcher, binary, starter: Starter::Mpirun, environment };
        let Started { finding, took, ranks } = start(&pair, PATIENCE);
        let version = version.filter(|_| finding.level == Level::Ok);
        findings.push(finding);
        findings.extend(version.iter().flat_map(|version| costs::cost_findings(library, version, took)));
        findings.extend(version.and_then(|version| wtime(library, &version, &ranks)));
    }
    findings
}

/// Whether a library is to be examined: `scripts/setup` installs it, its launcher is available, or the user named it.
pub(super) fn concerns(library: Library, places: &Places) -> bool {
    library.packaged || places.chosen(library) || places.launcher(library).is_ok()
}

/// Returns the finding about the program or the launcher where the other may be missing. An absent file that the user
/// named is a problem.
fn half(about: &'static str, place: Result<PathBuf, NotFound>, chosen: bool) -> Finding {
    match place {
        Ok(file) => Finding::ok(about, file.display().to_string()),
        Err(NotFound { what, cure }) if chosen => Finding::problem(about, what, cure),
        Err(NotFound { what, cure }) => Finding::note(about, what, cure),
    }
}

/// Asks the program for the library that it is linked with, and for its version. The library may be near `launcher`.
fn identify(
    library: Library,
    binary: &Path,
    environment: &[(&str, OsString)],
    launcher: &Path,
) -> (Finding, Option<String>) {
    let name = binary.file_name().unwrap_or_default().to_string_lossy();
    let interface = name.strip_prefix("parallax-mpi-").unwrap_or(library.name);
    let rebuild = format!("Rebuild it: rm -r target/{interface} && scripts/build");
    let problem =
        |why: String, to_do: String| (Finding::problem("program", format!("{}: {why}", binary.display()), to_do), None);
    let failed = |why: String| problem(why, rebuild.clone());
    let done = match ask_identity(binary, environment) {
        Ok(done) => done,
        Err(error) => return failed(error.to_string()),
    };
    let Some(identity) = Identity::read(&done.stdout) else {
        if let Some(missing) = not_found_by_the_loader(&done) {
            let why = format!("cannot be loaded: the shared library {missing} is not found");
            return problem(why, to_bring(missing, library, launcher));
        }
        if let Some([file, version, by]) = too_old(&done) {
            let why =
                format!("cannot be loaded: {file}, which the loader finds first, lacks {version}, which {by} needs");
            return problem(why, to_find_another(file));
        }
        return failed(format!("does not report which library it uses. {}", account(&done)));
    };
    if library.title != identity.library {
        return failed(format!("loads {} {}, not {}", identity.library, identity.version, library.title));
    }
    let Identity { library: name, version, standard } = identity;
    let says = format!("{}\nloads {name} {version}, MPI {standard}", binary.display());
    (Finding::ok("program", says), Some(version))
}

/// Returns the shared library that the loader did not find for a program.
fn not_found_by_the_loader(done: &Finished) -> Option<&str> {
    let (_, rest) = done.stderr.split_once("error while loading shared libraries: ")?;
    let (name, why) = rest.lines().next()?.split_once(": ")?;
    why.starts_with("cannot open shared object file").then_some(name)
}

/// Returns a shared library that the loader found and that lacks a version of its symbols, with that version and the
/// file that needs it.
fn too_old(done: &Finished) -> Option<[&str; 3]> {
    let (before, rest) = done.stderr.split_once(": version `")?;
    let (version, rest) = rest.split_once("' not found (required by ")?;
    Some([before.lines().last()?.rsplit(": ").next()?, version, rest.split(')').next()?])
}

/// Returns the remedy where the loader finds this file, which is too old.
fn to_find_another(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    // The C library belongs to the system, and no other one can be put in front of it.
    if ["libc.so.", "libm.so."].iter().any(|own| name.starts_with(own)) {
        return "It was built on a newer system: build it on this one (scripts/build), or take packages for this one."
            .to_owned();
    }
    format!(
        "Put the folder of the {name} that came with the MPI library in front of LD_LIBRARY_PATH, or load its module."
    )
}

/// Returns the remedy for a library that the loader does not find. It may lie beside the launcher's folder.
fn to_bring(missing: &str, library: Library, launcher: &Path) -> String {
    let title = library.title;
    let real = launcher.canonicalize();
    let prefix = real.as_deref().unwrap_or(launcher).ancestors().nth(2);
    let folders = ["lib", "lib64", "lib/release"].into_iter().filter_map(|folder| Some(prefix?.join(folder)));
    match folders.into_iter().find(|folder| folder.join(missing).exists()) {
        Some(folder) => format!("export LD_LIBRARY_PATH={}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}", folder.display()),
        None => format!(
            "Load the module of the {title} with which the program was built (module load …), or add the folder that holds {missing} to \
             LD_LIBRARY_PATH."
        ),
    }
}

/// Asks the launcher for its library. `linked` is the version that the program was linked with.
fn name_launcher(library: Library, launcher: &Path, linked: Option<&str>) -> Finding {
    let place = launcher.display();
    match launcher_identity(launcher) {
        Some((whose, version)) if whose != library => Finding::problem(
            "launcher",
            format!("{place} is {} {version}, not {}", whose.title, library.title),
            // By library and version: docs/guide/clusters.md has a table.
            format!("Its ranks may be worlds of one rank each, or end in MPI_Init: {}", other_launcher(library)),
        ),
        Some((_, version)) => {
            let says = format!("{place}\nof {} {version}", library.title);
            match linked.filter(|linked| !is_version(linked, &version)) {
                Some(linked) => Finding::note(
                    "launcher",
                    says,
                    format!(
                        "The program loads version {linked}. Should ranks not find each other: {}",
                        other_launcher(library)
                    ),
                ),
                None => Finding::ok("launcher", says),
            }
        }
        None => {
            let to_do = format!("Should the start below fail: {}", other_launcher(library));
            Finding::note("launcher", format!("{place} does not state its MPI library"), to_do)
        }
    }
}

fn other_launcher(library: Library) -> String {
    format!("set PARALLAX_MPIRUN_{} to the mpirun of that {}.", library.name.to_uppercase(), library.title)
}

/// Returns the finding about the library's clock as two ranks saw it, because benchmarks read it (E7).
fn wtime(library: Library, version: &str, ranks: &[Hello]) -> Option<Finding> {
    let looks: Vec<Beside> = ranks.iter().filter_map(|hello| hello.wtime).collect();
    let says_global = ranks.iter().all(|hello| hello.says_global);
    let Told { says, beware } =
        Told::from_findings(library, version, &ClockConclusions::from_ranks(&looks)?, says_global);
    Some(if beware.is_empty() {
        Finding::ok(WTIME, says)
    } else {
        Finding::note(WTIME, says, format!("{} See parallax explain E7.", beware.join(" ")))
    })
}

/// Result of a trial world.
pub(super) struct Started {
    pub finding: Finding,
    took: Duration,
    ranks: Vec<Hello>,
}

/// Starts two ranks and returns their answers, with the duration.
pub(super) fn start(launcher: &Launcher, patience: Duration) -> Started {
    let problem = |says: String, to_do: &str| Started {
        finding: Finding::problem(START, says, to_do),
        took: Duration::ZERO,
        ranks: Vec::new(),
    };
    let hello = ["--hello".into()];
    // There are as many cores as ranks, if this machine has them: the usual start of a world without oversubscription.
    let site = match Site::resolve(None, None, &[]) {
        Ok(site) => site,
        Err(wrong) => return problem(wrong.to_string(), "Correct or unset the variable or the file."),
    };
    let line = launcher.line(RANKS, &site, &hello);
    match run_within(launcher.command(RANKS, &site, &hello), patience) {
        Ok(done) => {
            let mut ranks = json_lines::<Hello>(&done.stdout);
            ranks.sort_unstable_by_key(|hello| hello.rank);
            Started { finding: judge(launcher.release.library(), &line, &done, &ranks), took: done.took, ranks }
        }
        Err(error) => problem(format!("{line}\n{error}"), "scripts/setup"),
    }
}

/// Returns the finding that follows from the trial world's output.
fn judge(library: Library, line: &str, done: &Finished, ranks: &[Hello]) -> Finding {
    let problem = |says: String, to_do: String| Finding::problem(START, format!("{says}\n{line}"), to_do);
    let own = other_launcher(library);
    let title = library.title;
    if ranks.len() > 1 && ranks.iter().all(|hello| hello.size == 1) {
        return problem(
            format!("{} worlds of one rank each, not one world of {RANKS}", ranks.len()),
            format!(
                "This launcher belongs to another MPI library than the program, which is linked with {title}: {own}"
            ),
        );
    }
    if done.status.is_none() {
        return problem(
            format!("not finished within {} s, and aborted. {}", done.took.as_secs(), account(done)),
            format!(
                "Try the line by hand. A launcher that waits for the network often cannot resolve this machine's own \
                 name: add it to /etc/hosts. If the launcher is another library's: {own}"
            ),
        );
    }
    let complete = ranks.iter().map(|hello| (hello.rank, hello.size)).eq((0..RANKS).map(|rank| (rank, RANKS)));
    if !done.success() || !complete {
        let says = format!("{} of {RANKS} ranks answered. {}", ranks.len(), account(done));
        return problem(says, "Try the line by hand; the library's own message above names the cause.".to_owned());
    }
    let mut hosts: Vec<&str> = ranks.iter().map(|hello| hello.host.as_str()).collect();
    hosts.dedup();
    Finding::ok(START, format!("started in {:.1} s on {}:\n{line}", done.took.as_secs_f64(), hosts.join(" and ")))
}

/// Returns the end of a process in words, with the beginning of its output.
fn account(done: &Finished) -> String {
    let ended = match done.status {
        Some(status) if status.success() => String::new(),
        Some(status) => format!("It ended with {status}. "),
        None => "It was aborted. ".to_owned(),
    };
    // Launchers frame their messages with lines of dashes or equals signs.
    let framing = |line: &&str| line.chars().all(|c| "-= \t".contains(c));
    let lines: Vec<&str> =
        done.stderr.lines().chain(done.stdout.lines()).filter(|line| !framing(line)).take(3).collect();
    if lines.is_empty() { ended + "It printed nothing." } else { format!("{ended}Its output:\n{}", lines.join("\n")) }
}

/// Returns the lines that are JSON of the expected type. Launchers and libraries may print others.
fn json_lines<T: for<'a> Deserialize<'a>>(text: &str) -> Vec<T> {
    text.lines().filter_map(|line| serde_json::from_str(line.trim()).ok()).collect()
}
