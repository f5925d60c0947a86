//! `parallax batch`: a job script for a campaign, for a batch system. A job that was killed goes on when the same script
//! is submitted again: every finished case is on disk, and the script resumes what it finds.

mod flux;
mod job;
mod pbs;
mod request;
mod slurm;
mod time;

use anyhow::Context;
use campaign::launch::{Library, Starter, quoted};
use clap::ValueEnum;
use job::Job;
use request::Request;
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `parallax batch` is told.
#[derive(clap::Args)]
pub struct BatchArguments {
    /// The batch system
    system: System,
    /// How many ranks the job has cores for; the command is given the same number, unless it says a list of its own
    #[arg(long, value_parser = crate::flags::ranks)]
    ranks: u32,
    /// On how many nodes
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,
    #[command(flatten)]
    request: Request,
    /// The MPI library that the job's environment is to have: openmpi or mpich; the command is given it as --world
    /// [default: the one that the command or the scenario names, else openmpi]
    #[arg(long, value_name = "LIBRARY", value_parser = library)]
    mpi: Option<Library>,
    /// Write the script to this file, made executable [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// What the job does, as one would type it after `parallax`: any command with --hosts and --resume, like run SCENARIO …
    /// or measure OPERATION …
    #[arg(last = true, required = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

fn library(name: &str) -> Result<Library, String> {
    let all: Vec<Library> = Library::all().collect();
    models::names::find("library", name, &all, |library| library.name)
}

/// Batch systems that scripts can be written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum System {
    Slurm,
    Pbs,
    Flux,
}

impl System {
    fn dialect(self) -> Dialect {
        match self {
            System::Slurm => slurm::DIALECT,
            System::Pbs => pbs::DIALECT,
            System::Flux => flux::DIALECT,
        }
    }
}

/// How a batch system is spoken to.
struct Dialect {
    /// As it is called in flags and folders.
    name: &'static str,
    /// As people call it.
    title: &'static str,
    /// What every line for it begins with.
    prefix: &'static str,
    /// All that the script asks for.
    directives: fn(&Script) -> Result<Vec<String>, BadInput>,
    /// The lines that go to the run's folder and find its hosts.
    hosts: fn(&Script) -> String,
    /// Short forms of its flags, and the long ones.
    short: &'static [(&'static str, &'static str)],
    /// What can start ranks within its jobs; the first does, if nothing else is said.
    launchers: &'static [Starter],
    /// The command that gives a shell on so many cores of so many nodes.
    allocation: fn(u32, u32) -> String,
}

/// All that the text of a script depends on.
struct Script<'a> {
    name: String,
    ranks: u32,
    nodes: u32,
    request: &'a Request,
    library: Library,
    /// What follows `parallax`, for a shell, without --out and --resume.
    run: String,
    /// The folder of the run, for a shell.
    folder: String,
    starter: Starter,
}

impl Script<'_> {
    /// Ranks of the fullest node.
    fn ranks_per_node(&self) -> u32 {
        self.ranks.div_ceil(self.nodes)
    }

    /// Between the directives and the run.
    fn preparation(&self) -> String {
        let module = self.library.name;
        format!(
            "\n# Where software comes as modules: the library that parallax-mpi-{module} was built with.\n\
             # module load {module}\n\
             # Where parallax and parallax-mpi-{module} are, if not on the PATH:\n\
             # export PATH=$HOME/parallax/target/release:$PATH\n\n\
             set -euo pipefail\n"
        )
    }

    /// The run itself, with which the job ends; what a job before it left is gone on with. What is asked is said
    /// again: the folder of another campaign is refused.
    fn running(&self) -> String {
        let (launcher, run) = (self.starter.name(), &self.run);
        format!(
            "export PARALLAX_LAUNCHER={launcher}\n\n\
             # A job that was killed kept every case it had finished: submitted again, it goes on from there.\n\
             if [ -e \"$folder/campaign.jsonl\" ]; then\n    \
                 exec parallax {run} --resume --out \"$folder\"\n\
             fi\n\
             exec parallax {run} --out \"$folder\"\n"
        )
    }
}

impl BatchArguments {
    /// Writes the script.
    pub fn write(&self) -> anyhow::Result<ExitCode> {
        let text = self.text()?;
        match &self.out {
            None => print!("{text}"),
            Some(path) => {
                scenario::files::write_whole(path, |file| file.write_all(text.as_bytes()))
                    .with_context(|| format!("cannot write {}", path.display()))?;
                std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn text(&self) -> Result<String, BadInput> {
        let dialect = self.system.dialect();
        let script = self.script(&dialect)?;
        let directives = self.request.added_to((dialect.directives)(&script)?, &dialect)?;
        let mut text = "#!/bin/bash\n".to_owned();
        directives.iter().for_each(|line| text += &format!("{} {line}\n", dialect.prefix));
        text += &script.preparation();
        text += &(dialect.hosts)(&script);
        text += &script.running();
        Ok(text)
    }

    fn script(&self, dialect: &Dialect) -> Result<Script<'_>, BadInput> {
        if self.nodes > self.ranks {
            let (nodes, ranks) = (self.nodes, self.ranks);
            return Err(BadInput(format!("--nodes: expected at most one for each of {ranks} ranks, found {nodes}")));
        }
        let job = Job::read(self, dialect)?;
        let name: String = job.name.chars().map(|c| if c == ' ' { '-' } else { c }).filter(is_plain).collect();
        let folder = job.out.unwrap_or_else(|| PathBuf::from(format!("results/{name}-{}", dialect.name)));
        let words: Vec<String> = job.words.iter().map(|word| quoted(word)).collect();
        Ok(Script {
            name,
            ranks: self.ranks,
            nodes: self.nodes,
            request: &self.request,
            library: job.library,
            run: words.join(" "),
            folder: quoted(&folder.to_string_lossy()),
            starter: job.launcher.unwrap_or(dialect.launchers[0]),
        })
    }
}

/// A letter of a job's or a folder's name.
fn is_plain(c: &char) -> bool {
    c.is_ascii_alphanumeric() || "-_.".contains(*c)
}
