//! `parallax batch`: a job script for a campaign, for a batch system. A job that was killed continues when the same
//! script is submitted again: every finished case is on disk, and the script resumes the campaign that it finds.

mod job;
mod request;

use anyhow::Context;
use campaign::batch::{Dialect, Request, Script, System};
use campaign::launch::quoted;
use job::Job;
use models::library::{Library, Release};
use programs::observation::World;
use request::RequestFlags;
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `parallax batch`.
#[derive(clap::Args)]
pub struct BatchArguments {
    /// Batch system
    #[arg(value_parser = crate::flags::one_of(System::ALL, System::name))]
    system: System,
    /// Number of ranks for which the job requests cores; also passed to the command, unless the command has a list of
    /// its own
    #[arg(long, value_parser = analysis::values::ranks)]
    ranks: u32,
    /// Number of nodes
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: u32,
    #[command(flatten)]
    request: RequestFlags,
    /// MPI library that the job's environment must provide, as NAME or NAME@VERSION; passed to the command
    /// [default: the library that the command or the scenario names, else openmpi]
    #[arg(long, value_name = "WORLD", value_parser = release)]
    world: Option<Release>,
    /// Write the script to this file and make it executable [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Command that the job runs, as typed after `parallax`: any command with --hosts and --resume, like run SCENARIO …
    /// or measure OPERATION …
    #[arg(last = true, required = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

fn release(name: &str) -> Result<Release, String> {
    let worlds = Library::all().map(|library| World::Mpi(library.any()));
    World::find(name, worlds)?.release().ok_or_else(|| format!("{name} is no MPI library"))
}

impl BatchArguments {
    /// Writes the script to standard output or a file.
    pub fn write(&self) -> anyhow::Result<ExitCode> {
        let text = self.text()?;
        match &self.out {
            None => say!("{text}")?,
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
        let request = self.request.request();
        self.script(&dialect, &request)?.text(&dialect)
    }

    fn script<'a>(&self, dialect: &Dialect, request: &'a Request) -> Result<Script<'a>, BadInput> {
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
            request,
            releases: job.releases,
            run: words.join(" "),
            folder: quoted(&folder.to_string_lossy()),
            starter: job.launcher.unwrap_or(dialect.launchers[0]),
        })
    }
}

/// Whether a letter may be part of a job's or a folder's name.
fn is_plain(c: &char) -> bool {
    c.is_ascii_alphanumeric() || "-_.".contains(*c)
}
