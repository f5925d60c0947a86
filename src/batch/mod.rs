//! `parallax batch`: a job script for a campaign, for a batch system. A job that was killed goes on when the same script
//! is submitted again: every finished case is on disk, and the script resumes what it finds.

mod flux;
mod pbs;
mod slurm;
mod time;

use crate::bad_input::BadInput;
use crate::cli::{Cli, Command, RunArguments};
use crate::launch::{Starter, quoted};
use crate::measuring::MeasureArguments;
use anyhow::Context;
use clap::{Parser, ValueEnum};
use models::observation::World;
use models::scenario::Scenario;
use std::path::PathBuf;
use std::process::ExitCode;
use time::Limit;

/// What `parallax batch` is told.
#[derive(clap::Args)]
pub struct BatchArguments {
    /// The batch system
    system: System,
    /// How many ranks the job has cores for
    #[arg(long, value_parser = crate::flags::ranks)]
    ranks: u32,
    /// On how many nodes
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,
    /// The most time the job may take, as hours:minutes:seconds; it goes on when submitted again [default: the system's]
    #[arg(long, value_name = "HH:MM:SS")]
    time: Option<Limit>,
    /// The MPI library that the job's environment is to have
    #[arg(long, default_value = "openmpi")]
    mpi: Mpi,
    /// Write the script to this file, made executable [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// What the job does, as one would type it after `parallax`: run SCENARIO … or measure OPERATION …
    #[arg(last = true, required = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

/// Batch systems that scripts can be written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum System {
    Slurm,
    Pbs,
    Flux,
}

/// MPI libraries, as users choose them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mpi {
    Openmpi,
    Mpich,
}

/// What a job carries out.
enum Campaign {
    Run(RunArguments),
    Measure(Box<MeasureArguments>),
}

/// All that the text of a script depends on.
struct Script {
    name: String,
    ranks: u32,
    nodes: u32,
    time: Option<Limit>,
    /// `run SCENARIO …` or `measure OPERATION …` without --out and --resume, for a shell.
    run: String,
    /// The same where something is gone on with: all but --out.
    resume: String,
    /// The folder of the run, for a shell.
    folder: String,
    starter: Starter,
}

impl Script {
    /// Ranks of the fullest node.
    fn ranks_per_node(&self) -> u32 {
        self.ranks.div_ceil(self.nodes)
    }
}

impl BatchArguments {
    /// Writes the script.
    pub fn write(&self) -> anyhow::Result<ExitCode> {
        let script = self.script()?;
        let mut text = "#!/bin/bash\n".to_owned();
        text += &match self.system {
            System::Slurm => slurm::directives(&script),
            System::Pbs => pbs::directives(&script),
            System::Flux => flux::directives(&script),
        };
        text += &self.preparation();
        text += &match self.system {
            System::Slurm => slurm::hosts(&script),
            System::Pbs => pbs::hosts(&script),
            System::Flux => flux::hosts(&script),
        };
        text += &running(&script);
        match &self.out {
            None => print!("{text}"),
            Some(path) => {
                reports::files::write_whole(path, |file| file.write_all(text.as_bytes()))
                    .with_context(|| format!("cannot write {}", path.display()))?;
                std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn script(&self) -> anyhow::Result<Script> {
        let job = self.campaign()?;
        if self.nodes > self.ranks {
            let (nodes, ranks) = (self.nodes, self.ranks);
            return Err(
                BadInput(format!("--nodes: expected at most one for each of {ranks} ranks, found {nodes}")).into()
            );
        }
        let words: Vec<String> = without_folder(&self.arguments).iter().map(|word| quoted(word)).collect();
        let run = words.join(" ");
        let (name, out, site, resume) = match &job {
            Campaign::Run(arguments) => {
                self.compare_with_scenario(arguments)?;
                let name = arguments.scenario.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                (name, &arguments.out, &arguments.site, format!("{run} --resume"))
            }
            // What is asked is said again: the folder of another campaign is refused.
            Campaign::Measure(arguments) => {
                let name = arguments.name().map_err(|BadInput(message)| BadInput(format!("after --: {message}")))?;
                (name, &arguments.out, &arguments.site, format!("{run} --resume"))
            }
        };
        let folder = out.clone().unwrap_or_else(|| PathBuf::from(format!("results/{name}-{}", self.system_name())));
        let starter =
            site.launcher.unwrap_or(if self.system == System::Flux { Starter::Flux } else { Starter::Mpirun });
        Ok(Script {
            name: name.chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).collect(),
            ranks: self.ranks,
            nodes: self.nodes,
            time: self.time,
            run,
            resume,
            folder: quoted(&folder.to_string_lossy()),
            starter,
        })
    }

    fn system_name(&self) -> &'static str {
        match self.system {
            System::Slurm => "slurm",
            System::Pbs => "pbs",
            System::Flux => "flux",
        }
    }

    /// The arguments as `parallax` would read them.
    fn campaign(&self) -> Result<Campaign, BadInput> {
        let words = std::iter::once("parallax").chain(self.arguments.iter().map(String::as_str));
        let bad = |why: &str| {
            BadInput(format!(
                "after --: expected run SCENARIO … or measure OPERATION …, like run scenarios/loop-error.toml; {why}"
            ))
        };
        let cli = Cli::try_parse_from(words)
            .map_err(|error| bad(error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ")))?;
        let (job, hosts, print_launch) = match cli.command {
            Command::Run(run) => {
                let (hosts, print_launch) = (run.site.hosts.is_some(), run.print_launch);
                (Campaign::Run(run), hosts, print_launch)
            }
            Command::Measure(measure) => {
                let (hosts, print_launch) = (measure.site.hosts.is_some(), measure.print_launch);
                (Campaign::Measure(measure), hosts, print_launch)
            }
            _ => return Err(bad(&format!("found {}", self.arguments.join(" ")))),
        };
        match (hosts, print_launch) {
            (true, _) => Err(bad("the job finds its hosts by itself, leave out --hosts")),
            (false, true) => Err(bad("leave out --print-launch")),
            (false, false) => Ok(job),
        }
    }

    /// A scenario that is here is read: whether it fits into the job. One that is only where the job runs is not.
    fn compare_with_scenario(&self, run: &RunArguments) -> Result<(), BadInput> {
        let Ok(text) = std::fs::read_to_string(&run.scenario) else { return Ok(()) };
        let file = run.scenario.display().to_string();
        let scenario = Scenario::parse(&file, &text).map_err(|error| BadInput(error.to_string()))?;
        let groups = scenario.groups.iter();
        let most = groups.filter(|group| group.world != World::Threads).map(|group| group.ranks).max().unwrap_or(0);
        if most > self.ranks {
            note!("note: {file} has cases of {most} MPI ranks; on {} cores they are oversubscribed", self.ranks);
        }
        Ok(())
    }

    /// Between the directives and the run.
    fn preparation(&self) -> String {
        let module = match self.mpi {
            Mpi::Openmpi => "openmpi",
            Mpi::Mpich => "mpich",
        };
        format!(
            "\n# Where software comes as modules: the library that parallax-mpi-{module} was built with.\n\
             # module load {module}\n\
             # Where parallax and parallax-mpi-{module} are, if not on the PATH:\n\
             # export PATH=$HOME/parallax/target/release:$PATH\n\n\
             set -euo pipefail\n"
        )
    }
}

/// The run itself, with which the job ends; what a job before it left is gone on with.
fn running(Script { run, resume, starter, .. }: &Script) -> String {
    let launcher = starter.name();
    format!(
        "export PARALLAX_LAUNCHER={launcher}\n\n\
         # A job that was killed kept every case it had finished: submitted again, it goes on from there.\n\
         if [ -e \"$folder/campaign.jsonl\" ]; then\n    \
             exec parallax {resume} --out \"$folder\"\n\
         fi\n\
         exec parallax {run} --out \"$folder\"\n"
    )
}

/// Without --out, its value, and --resume: the script says them.
fn without_folder(arguments: &[String]) -> Vec<&String> {
    let mut kept = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--out" => drop(words.next()),
            "--resume" => {}
            other if other.starts_with("--out=") => {}
            _ => kept.push(word),
        }
    }
    kept
}
