//! Command that a job carries out: a command line of `parallax`, read as the command itself reads it, so that a mistake
//! is reported when the script is written and not when the job begins.
//!
//! Any command qualifies that has --hosts and --resume. It is recognised by its flags alone, so that a new one needs no
//! line here.

use super::BatchArguments;
use crate::cli::command;
use analysis::measuring::words::numbers;
use analysis::values;
use campaign::batch::Dialect;
use campaign::launch::Starter;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use models::call::Call;
use models::library::{Library, Release};
use programs::observation::World;
use scenario::BadInput;
use scenario::Scenario;
use std::path::{Path, PathBuf};

/// Command line that a job can carry out.
pub struct Job {
    /// Name of the job.
    pub name: String,
    /// Words after `parallax`, without --out and --resume, which the script adds.
    pub words: Vec<String>,
    /// Folder of --out, if the command names one.
    pub out: Option<PathBuf>,
    /// Launcher of --launcher, if the command names one.
    pub launcher: Option<Starter>,
    /// MPI libraries that it needs. Empty where the command names them by their folders.
    pub releases: Vec<Release>,
}

/// Command line as the user typed it.
struct Typed {
    /// Name of the command, such as `measure` or `sync compare`.
    name: String,
    definition: Command,
    values: ArgMatches,
}

/// Returns an error that names the command line behind `--`.
fn bad(why: impl std::fmt::Display) -> BadInput {
    BadInput(format!("after --: {why}"))
}

/// Returns the reason, in one line, why a command line cannot be read.
fn misread(words: &[String], error: &clap::Error) -> BadInput {
    let expected = || format!("expected {}", campaigns().join(", "));
    if !error.use_stderr() {
        return bad(format!("{} measures nothing; {}", words.join(" "), expected()));
    }
    let text = error.to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    let why: Vec<&str> = paragraph.split_whitespace().collect();
    match error.kind() {
        ErrorKind::InvalidSubcommand => bad(format!("{}; {}", why.join(" "), expected())),
        _ => bad(why.join(" ")),
    }
}

impl Job {
    /// Reads the command line after `--` and adds the job's own flags.
    ///
    /// # Errors
    /// Fails for a command that is no campaign, or that contradicts the job.
    pub fn read(asked: &BatchArguments, dialect: &Dialect) -> Result<Job, BadInput> {
        let words: Vec<String> = asked.arguments.iter().filter(|word| *word != "--resume").cloned().collect();
        let typed = Typed::read(&words)?;
        typed.check(asked, dialect)?;
        let mut job = Job {
            name: typed.job_name()?,
            words: without_folder(words),
            out: typed.values("out").pop().map(PathBuf::from),
            launcher: typed.launcher(),
            releases: match typed.scenario() {
                Some(file) => typed.compare_with_scenario(&file, asked)?.into_iter().collect(),
                None => typed.compare_worlds(asked)?,
            },
        };
        if job.releases.is_empty() {
            let usual = || (!typed.says("mpi")).then_some(Library::OPENMPI.any());
            job.releases.extend(asked.world.or_else(usual));
        }
        job.releases.sort_unstable();
        job.releases.dedup();
        if typed.takes("ranks") && !typed.says("ranks") {
            job.say(&["--ranks", &asked.ranks.to_string()]);
        }
        if let (Some(release), true, false) = (asked.world, typed.takes("world"), typed.says("world")) {
            job.say(&["--world", release.name()]);
        }
        Ok(job)
    }

    fn say(&mut self, more: &[&str]) {
        self.words.extend(more.iter().map(|word| (*word).to_owned()));
    }
}

impl Typed {
    fn read(words: &[String]) -> Result<Typed, BadInput> {
        let mut definition = command();
        let line = std::iter::once("parallax").chain(words.iter().map(String::as_str));
        let mut values = definition.clone().try_get_matches_from(line).map_err(|error| misread(words, &error))?;
        let mut names = Vec::new();
        while let Some((name, of)) = values.remove_subcommand() {
            definition = definition.find_subcommand(&name).cloned().unwrap_or_default();
            names.push(name);
            values = of;
        }
        Ok(Typed { name: names.join(" "), definition, values })
    }

    /// Refuses commands that a job cannot carry out, and flags that the script itself sets.
    fn check(&self, asked: &BatchArguments, dialect: &Dialect) -> Result<(), BadInput> {
        let name = &self.name;
        if !self.takes("hosts") {
            let known = campaigns().join(", ");
            return Err(bad(format!(
                "{name} starts no MPI ranks on other hosts, so it needs no job; expected a command that does: {known}"
            )));
        }
        if !self.takes("resume") {
            let allocation = (dialect.allocation)(asked.ranks, asked.nodes);
            return Err(bad(format!(
                "{name} has no --resume: a job that is cut off would lose everything. Run it within an allocation \
                 ({allocation}), with --hosts FILE; docs/guide/clusters.md has the lines"
            )));
        }
        if self.says("hosts") {
            return Err(bad("the job finds its hosts itself; leave out --hosts"));
        }
        if self.says("print_launch") {
            return Err(bad("--print-launch starts nothing, leave it out"));
        }
        if let Some(launcher) = self.launcher().filter(|launcher| !dialect.launchers.contains(launcher)) {
            let known: Vec<&str> = dialect.launchers.iter().map(|launcher| launcher.name()).collect();
            return Err(bad(format!(
                "--launcher {} starts no ranks in a job of {}; expected {}",
                launcher.name(),
                dialect.title,
                known.join(" or ")
            )));
        }
        if self.says("ranks") { self.compare_ranks(asked) } else { Ok(()) }
    }

    /// Checks that the command's --ranks and the job's are the same number, or that the job has room for the largest of
    /// a list.
    fn compare_ranks(&self, asked: &BatchArguments) -> Result<(), BadInput> {
        let text = self.values("ranks").join(",");
        let list: Vec<u32> = numbers("--ranks", &text, |text| values::ranks(text).map(u64::from))
            .map_err(|BadInput(message)| bad(message))?;
        let job = asked.ranks;
        match list.as_slice() {
            [one] if *one != job => Err(bad(format!(
                "--ranks {one}, but the job is for --ranks {job}; give one number, before -- (it is passed to {})",
                self.name
            ))),
            [.., most] if *most > job => {
                Err(bad(format!("--ranks {text} needs {most} ranks, but the job is for --ranks {job}")))
            }
            _ => Ok(()),
        }
    }

    /// Returns the libraries of the worlds that are named, after checking that they fit the job.
    fn compare_worlds(&self, asked: &BatchArguments) -> Result<Vec<Release>, BadInput> {
        let names = self.values("world");
        if names.is_empty() {
            return Ok(Vec::new());
        }
        if names.iter().all(|name| name == "simulated") {
            return Err(bad("--world simulated starts no ranks, so it needs no job"));
        }
        let of = |name: &String| Release::parse(name.trim());
        let releases: Vec<Release> = names.iter().filter_map(of).collect();
        if releases.is_empty() && asked.nodes > 1 {
            let (names, nodes) = (names.join(","), asked.nodes);
            return Err(bad(format!(
                "--world {names} has no MPI ranks, so that one node does all; expected --nodes 1, found {nodes}"
            )));
        }
        match asked.world {
            Some(release) if !releases.iter().any(|of| of.library() == release.library()) => {
                Err(bad(format!("--world {}, but the job is for --world {}", names.join(","), release.name())))
            }
            _ => Ok(releases),
        }
    }

    /// Returns the library of a scenario's first MPI ranks, after checking that the scenario fits the job. A scenario
    /// that exists only where the job runs is not checked.
    fn compare_with_scenario(&self, path: &Path, asked: &BatchArguments) -> Result<Option<Release>, BadInput> {
        let Ok(text) = scenario::shipped::read(path) else { return Ok(None) };
        let (file, job) = (path.display().to_string(), asked.ranks);
        let scenario = Scenario::parse(&file, &text).map_err(|error| BadInput(error.to_string()))?;
        let scenario = if self.values.get_flag("small") { scenario.small() } else { scenario };
        let wanted = |release: &Release| asked.world.is_none_or(|of| of.library() == release.library());
        let of_library = |world: World| world.release().filter(wanted);
        let groups: Vec<_> = scenario.groups.iter().filter(|group| of_library(group.world).is_some()).collect();
        let Some(most) = groups.iter().map(|group| group.ranks).max() else {
            let of = asked.world.map_or("MPI", Release::title);
            return Err(bad(format!("{file} has no cases of {of} ranks, so it needs no job of {job} ranks")));
        };
        if most > job {
            return Err(bad(format!("{file} has cases of {most} MPI ranks, but the job is for --ranks {job}")));
        }
        if most < job {
            note!("note: {file} has cases of at most {most} MPI ranks; the job is for {job}");
        }
        Ok(groups.first().and_then(|group| of_library(group.world)))
    }

    /// Returns the name of the job: the command and its subjects, or a scenario's file name.
    fn job_name(&self) -> Result<String, BadInput> {
        if let Some(file) = self.scenario() {
            return Ok(file.file_stem().unwrap_or_default().to_string_lossy().into_owned());
        }
        let positional = || self.definition.get_positionals().map(|argument| argument.get_id().to_string());
        let calls = positional().filter(|id| id == "operations" || id == "collectives");
        for name in calls.flat_map(|id| self.values(&id)) {
            Call::find(name.trim()).map_err(bad)?;
        }
        let subjects: Vec<String> = positional().flat_map(|id| self.values(&id)).collect();
        Ok(std::iter::once(self.name.clone()).chain(subjects).collect::<Vec<_>>().join("-"))
    }

    fn scenario(&self) -> Option<PathBuf> {
        self.values("scenario").pop().map(PathBuf::from)
    }

    fn launcher(&self) -> Option<Starter> {
        self.values.get_one("launcher").copied()
    }

    /// Whether the command has an argument of this name.
    fn takes(&self, id: &str) -> bool {
        takes(&self.definition, id)
    }

    /// Whether the command has this argument and the user gave it.
    fn says(&self, id: &str) -> bool {
        self.takes(id) && self.values.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Returns the values of an argument as they were typed. Empty where the command has no such argument.
    fn values(&self, id: &str) -> Vec<String> {
        let raw = self.takes(id).then(|| self.values.get_raw(id)).flatten();
        raw.into_iter().flatten().map(|value| value.to_string_lossy().into_owned()).collect()
    }
}

fn takes(command: &Command, id: &str) -> bool {
    command.get_arguments().any(|argument| argument.get_id() == id)
}

/// Returns the names of the commands that jobs can carry out.
fn campaigns() -> Vec<String> {
    let all = command();
    let alone = all.get_subcommands().map(|one| (one.get_name().to_owned(), one));
    let below = all.get_subcommands().flat_map(|group| {
        group.get_subcommands().map(move |one| (format!("{} {}", group.get_name(), one.get_name()), one))
    });
    let those = alone.chain(below).filter(|(_, one)| takes(one, "hosts") && takes(one, "resume"));
    those.map(|(name, _)| name).collect()
}

/// Removes --out and its value, which the script sets.
fn without_folder(words: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--out" | "-o" => drop(words.next()),
            other if other.starts_with("--out=") || other.starts_with("-o") => {}
            _ => kept.push(word),
        }
    }
    kept
}
