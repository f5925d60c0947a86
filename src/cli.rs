//! The command line: its commands, and the code that runs them.

use crate::algorithms::AlgorithmsArguments;
use crate::audit::AuditArguments;
use crate::batch::BatchArguments;
use crate::bench::BenchArguments;
use crate::budget::BudgetArguments;
use crate::calibrate::CalibrateArguments;
use crate::compare::CompareArguments;
use crate::correct::CorrectArguments;
use crate::doctor::DoctorArguments;
use crate::explain::ExplainArguments;
use crate::goal::GoalArguments;
use crate::guidelines::GuidelinesArguments;
use crate::habits;
use crate::help::{self, HelpArguments};
use crate::import::ImportArguments;
use crate::manual::{CompletionsArguments, ManArguments};
use crate::measuring::MeasureArguments;
use crate::parts::left_out;
use crate::probe::ProbeArguments;
use crate::report::ReportArguments;
use crate::run::{RunArguments, ServeThreads};
use crate::simulate::SimulateArguments;
use crate::store::StoreArguments;
use crate::sweep::SweepArguments;
use crate::tune::TuneArguments;
use crate::validate::ValidateArguments;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

/// How far does an MPI benchmark's method shift the number it prints?
///
/// Parallax predicts this shift (simulated ranks), measures it (threads, MPI) and compares the two.
#[derive(Parser)]
#[command(version, long_version = campaign::environment::VERSION, max_term_width = 120, disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run a scenario or sweep: your own, or one of parallax
    Run(RunArguments),
    /// Time operations on real ranks by all methods, side by side
    Measure(Box<MeasureArguments>),
    /// Run OSU and IMB unmodified: how wrong are they, which flags help
    Audit(Box<AuditArguments>),
    /// Break a benchmark's error down by cause, predicted and measured
    ///
    /// The causes are E1 to E10: `parallax explain errors` lists them. Intervals need enough launches in each state of
    /// the machine: if intervals are missing, raise --launches
    Budget(Box<BudgetArguments>),
    /// Test network models against measurements: which model fits where
    ///
    /// It also identifies the algorithms that the library uses
    Validate(Box<ValidateArguments>),
    /// Correct the output of OSU, IMB, MPIPerf, ReproMPI or SKaMPI
    Correct(Box<CorrectArguments>),
    /// Write the table of algorithms that a library should choose from
    ///
    /// Every algorithm that it can be made to use is measured by the reference beside its own choice; a change must be
    /// shown to be faster
    Tune(Box<TuneArguments>),
    /// Read benchmark output: all numbers as one table, times in µs
    Import(ImportArguments),
    /// Compare campaigns, machines or benchmark output, with intervals
    Compare(Box<CompareArguments>),
    /// Check performance guidelines: calls slower than equivalent ones
    Guidelines(GuidelinesArguments),
    /// Estimate the parameters of this machine, with intervals
    Calibrate(Box<CalibrateArguments>),
    /// Simulate one collective: times, skew, what benchmarks print
    Simulate(Box<SimulateArguments>),
    /// Simulate all combinations of values: rows, curves, exit skews
    ///
    /// Values are lists or ranges: see `parallax help lists`. Without --over and --quantity exit-skew each point is a
    /// row; as JSON each row is an object in a line of its own. A sweep given by flags simulates messages only and
    /// ignores the memory parameters of --machine
    Sweep(Box<SweepArguments>),
    /// List algorithms: cost, when each is fastest, library choices
    Algorithms(AlgorithmsArguments),
    /// Run, check and export GOAL schedules
    Goal(GoalArguments),
    /// Probe latency, bandwidth, cache lines, clocks, memory, data
    Probe(ProbeArguments),
    /// Record the noise of ranks, characterise it, and predict what it does to work
    #[cfg(feature = "noise")]
    Noise(crate::noise::NoiseArguments),
    /// Predict broadcasts through shared memory, and choose their queues
    #[cfg(feature = "shared-memory")]
    Shm(crate::shm::ShmArguments),
    /// Regenerate a campaign's report, or one page of several campaigns
    Report(ReportArguments),
    /// Keep campaigns in one SQLite file: add, list, show, export
    Store(StoreArguments),
    /// Show lessons in the browser: simulated live, measured here
    #[cfg(feature = "lessons")]
    Lesson(crate::lesson::LessonArguments),
    /// Write a job script for Slurm, PBS or Flux
    Batch(BatchArguments),
    /// Check this machine: what is here, what is wrong, what to do
    Doctor(DoctorArguments),
    /// Explain an error (E1 to E10), a term or a mark of the output
    Explain(ExplainArguments),
    /// Print help on a command, or on units, lists, model, detours …
    Help(HelpArguments),
    /// Print a completion script for a shell
    Completions(CompletionsArguments),
    /// Print the manual page, or write one for each command
    Man(ManArguments),
    /// Measure what the simulator itself costs, case by case
    #[command(hide = true)]
    Bench(BenchArguments),
    /// Carry out a job on threads of this process (`run` starts it)
    #[command(hide = true)]
    ServeThreads(ServeThreads),
}

/// Groups in which help lists the commands, also those that a build may leave out.
pub const GROUPS: [(&str, &[&str]); 6] = [
    ("Ask", &["run", "measure", "audit", "budget", "validate", "correct", "tune", "import", "compare", "guidelines"]),
    ("Model", &["calibrate", "simulate", "sweep", "algorithms", "goal", "shm"]),
    ("Probe", &["probe", "noise"]),
    ("Keep", &["report", "store", "batch"]),
    ("Teach", &["lesson"]),
    ("Help", &["doctor", "explain", "help", "completions", "man"]),
];

impl Cli {
    /// Reads the command line, and ends the process for help or a mistake.
    pub fn read() -> Cli {
        Cli::read_from(std::env::args_os()).unwrap_or_else(|error| error.exit())
    }

    /// Reads a command line from its words.
    pub fn read_from<T: Into<OsString>>(words: impl IntoIterator<Item = T>) -> Result<Cli, clap::Error> {
        let words = habits::read(words);
        let mut command = command();
        let matches = command.try_get_matches_from_mut(&words);
        let mut matches = matches.map_err(|error| habits::with_tip(error, &command, &words))?;
        if let Some(message) = twice(&command, &matches) {
            return Err(command.error(ErrorKind::ValueValidation, message));
        }
        Cli::from_arg_matches_mut(&mut matches)
    }
}

/// Lists in which a value may be repeated: each call has the next root.
const AGAIN: [&str; 1] = ["root"];

/// Returns a sentence about a value that is repeated in a list of the command line. `None` if there is none.
fn twice(command: &clap::Command, matches: &clap::ArgMatches) -> Option<String> {
    if let Some((name, matches)) = matches.subcommand() {
        return twice(command.find_subcommand(name)?, matches);
    }
    let lists = command.get_arguments().filter(|one| one.get_value_delimiter().is_some());
    lists.filter(|one| !AGAIN.contains(&one.get_id().as_str())).find_map(|one| {
        let id = one.get_id().as_str();
        let typed = matches.value_source(id) == Some(ValueSource::CommandLine);
        let values: Vec<&OsStr> = matches.try_get_raw(id).ok().flatten().filter(|_| typed)?.collect();
        let again = values.iter().enumerate().find(|(nth, value)| values[..*nth].contains(value))?.1;
        let name = one.get_long().map_or_else(|| id.to_uppercase(), |long| format!("--{long}"));
        Some(format!("{name}: {} is named twice; name each value once", again.display()))
    })
}

/// Returns the definition of the command line, with groups and examples in its help.
pub fn command() -> clap::Command {
    let command = habits::with_other_names(help::with_examples(Cli::command()));
    let groups = groups(&command);
    command
        .help_template("{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}")
        .after_help(groups)
}

fn groups(command: &clap::Command) -> String {
    let about = |name: &str| {
        let about = command.find_subcommand(name).and_then(clap::Command::get_about);
        about.map(ToString::to_string).unwrap_or_default()
    };
    let is_built = |name: &&&str| left_out([**name]).is_none();
    let line = |name: &&str| format!("  {name:<12} {}\n", about(name));
    let group = |(title, names): &(&str, &[&str])| {
        let lines: String = names.iter().filter(is_built).map(line).collect();
        if lines.is_empty() { lines } else { format!("{title}:\n{lines}") }
    };
    GROUPS.iter().map(group).collect()
}

impl Command {
    /// Runs the command and returns its exit code.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Command::Run(arguments) => arguments.run(),
            Command::Measure(arguments) => arguments.measure(),
            Command::Audit(arguments) => arguments.audit(),
            Command::Budget(arguments) => arguments.run_budget(),
            Command::Validate(arguments) => arguments.validate(),
            Command::Correct(arguments) => arguments.correct(),
            Command::Tune(arguments) => arguments.tune(),
            Command::Import(arguments) => arguments.import(),
            Command::Compare(arguments) => arguments.compare(),
            Command::Guidelines(arguments) => arguments.check(),
            Command::Calibrate(arguments) => arguments.calibrate(),
            Command::Simulate(arguments) => arguments.simulate(),
            Command::Sweep(arguments) => arguments.sweep(),
            Command::Algorithms(arguments) => arguments.list(),
            Command::Goal(arguments) => arguments.run_subcommand(),
            Command::Probe(arguments) => arguments.probe(),
            #[cfg(feature = "noise")]
            Command::Noise(arguments) => arguments.run_subcommand(),
            #[cfg(feature = "shared-memory")]
            Command::Shm(arguments) => arguments.run_subcommand(),
            Command::Report(arguments) => arguments.write(),
            Command::Store(arguments) => arguments.run_subcommand(),
            #[cfg(feature = "lessons")]
            Command::Lesson(arguments) => arguments.serve_or_write(),
            Command::Batch(arguments) => arguments.write(),
            Command::Doctor(arguments) => arguments.examine(),
            Command::Explain(arguments) => arguments.explain(),
            Command::Help(arguments) => arguments.print(),
            Command::Completions(arguments) => arguments.print(),
            Command::Man(arguments) => arguments.write(),
            Command::Bench(arguments) => arguments.bench(),
            Command::ServeThreads(arguments) => arguments.serve(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::left_out_flag;
    use clap::error::ErrorKind;

    #[test]
    fn help_lists_every_command_once_in_a_line_of_its_own_and_fits_fifty_lines() {
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        listed.retain(|name| left_out([*name]).is_none());
        let definition = command();
        let shown = definition.get_subcommands().filter(|one| !one.is_hide_set());
        let mut known: Vec<&str> = shown.map(clap::Command::get_name).collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
        let text = command().term_width(80).render_help().to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() <= 50, "{} lines", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn what_a_list_names_twice_is_refused_but_roots_may_come_again() {
        let said = |line: &str| Cli::read_from(line.split(' ')).err().map(|error| error.to_string());
        let is_built = |line: &str| left_out(line.split(' ').skip(1)).is_none();
        let lines = [
            ("parallax noise show a --ranks 2,4,2", "--ranks: 2 is named twice"),
            ("parallax probe regions --disturb 0,0", "--disturb: 0 is named twice"),
            ("parallax probe memory --ranks 2 --ranks 2", "--ranks: 2 is named twice"),
            ("parallax measure bcast,reduce,bcast", "OPERATIONS: bcast is named twice"),
        ];
        for (line, twice) in lines.into_iter().filter(|(line, _)| is_built(line)) {
            let error = said(line).expect(line);
            assert!(error.contains(twice), "{line}: {error}");
        }
        let lines = ["parallax shm simulate --ranks 3 --root 0,1,0", "parallax noise show a --ranks 2,4"];
        for line in lines.into_iter().filter(|line| is_built(line)) {
            assert_eq!(said(line), None, "{line}");
        }
    }

    #[test]
    fn the_definition_is_sound() {
        command().debug_assert();
    }

    /// Command lines of README and the guide: lines of samples and spans in backticks that begin with `parallax`.
    fn written(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut inside = false;
        let mut prose = String::new();
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                inside = !inside;
            } else if inside {
                found.push(line.trim().trim_start_matches("$ ").to_owned());
            } else {
                prose += line;
                prose += "\n";
            }
        }
        found.extend(
            prose.split('`').skip(1).step_by(2).map(|span| span.split_whitespace().collect::<Vec<_>>().join(" ")),
        );
        let is_command = |line: &String| line.starts_with("parallax ") && !line.contains(['…', '|']);
        found.retain(is_command);
        found
    }

    /// What a shell hands over: no comment, no redirection.
    fn words(line: &str) -> Vec<&str> {
        let line = line.split(" #").next().unwrap_or(line);
        line.split(" > ").next().unwrap_or(line).split_whitespace().map(|word| word.trim_matches('\'')).collect()
    }

    /// Whether this build leaves out the command or a flag of these words.
    fn is_left_out(words: &[&str]) -> bool {
        left_out(words.iter().skip(1).copied()).is_some() || words.iter().any(|word| left_out_flag(word).is_some())
    }

    #[test]
    fn every_command_line_of_readme_and_guide_is_one() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let guide = std::fs::read_dir(root.join("docs/guide")).unwrap().map(|entry| entry.unwrap().path());
        let pages = guide.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
        let (mut seen, mut wrong) = (0, Vec::new());
        for page in pages.chain([root.join("README.md")]) {
            for line in written(&std::fs::read_to_string(&page).unwrap()) {
                seen += 1;
                // Prose names commands without their arguments, and help.
                let partial = [
                    ErrorKind::MissingRequiredArgument,
                    ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
                    ErrorKind::DisplayHelp,
                    ErrorKind::DisplayVersion,
                ];
                let words = words(&line);
                let error = Cli::read_from(&words).err().filter(|error| !partial.contains(&error.kind()));
                let error = error.filter(|_| !is_left_out(&words));
                wrong.extend(error.map(|error| format!("{}: {line}: {error}", page.display())));
            }
        }
        assert!(seen > 50, "only {seen} command lines were found");
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
