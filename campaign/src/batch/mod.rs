//! Job scripts for batch systems. A job that was killed goes on when the same script is submitted again: every finished case
//! is on disk, and the script resumes what it finds.

mod flux;
mod pbs;
mod request;
mod slurm;
mod time;

pub use request::Request;
pub use time::Limit;

use crate::launch::Starter;
use models::library::Release;
use scenario::BadInput;

models::named! {
    /// Batch systems that scripts can be written for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum System {
        /// Slurm.
        Slurm => "slurm",
        /// PBS Professional and OpenPBS.
        Pbs => "pbs",
        /// Flux.
        Flux => "flux",
    }
    /// The name used in flags.
    fn name;
}

impl System {
    /// How it is spoken to.
    pub fn dialect(self) -> Dialect {
        match self {
            System::Slurm => slurm::DIALECT,
            System::Pbs => pbs::DIALECT,
            System::Flux => flux::DIALECT,
        }
    }
}

/// How a batch system is spoken to.
pub struct Dialect {
    /// As it is called in flags and folders.
    pub name: &'static str,
    /// As people call it.
    pub title: &'static str,
    /// What every line for it begins with.
    prefix: &'static str,
    /// All that the script asks for.
    directives: fn(&Script) -> Result<Vec<String>, BadInput>,
    /// The lines that go to the run's folder and find its hosts.
    hosts: fn(&Script) -> String,
    /// Short forms of its flags, and the long ones.
    short: &'static [(&'static str, &'static str)],
    /// What can start ranks within its jobs; the first does, if nothing else is said.
    pub launchers: &'static [Starter],
    /// The command that gives a shell on so many cores of so many nodes.
    pub allocation: fn(u32, u32) -> String,
}

/// All that the text of a script depends on.
pub struct Script<'a> {
    /// What the job is called.
    pub name: String,
    /// How many ranks it has cores for.
    pub ranks: u32,
    /// On how many nodes.
    pub nodes: u32,
    /// What it asks for beyond that.
    pub request: &'a Request,
    /// The MPI libraries of its environment; none where the command names them by their folders.
    pub releases: Vec<Release>,
    /// What follows `parallax`, for a shell, without --out and --resume.
    pub run: String,
    /// The folder of the run, for a shell.
    pub folder: String,
    /// What starts its ranks.
    pub starter: Starter,
}

impl Script<'_> {
    /// All of it.
    ///
    /// # Errors
    /// What this system cannot be asked for, or is asked for twice.
    pub fn text(&self, dialect: &Dialect) -> Result<String, BadInput> {
        let directives = self.request.added_to((dialect.directives)(self)?, dialect)?;
        let mut text = "#!/bin/bash\n".to_owned();
        directives.iter().for_each(|line| text += &format!("{} {line}\n", dialect.prefix));
        text += &self.preparation();
        text += &(dialect.hosts)(self);
        text += &self.running();
        Ok(text)
    }

    /// Ranks of the fullest node.
    fn ranks_per_node(&self) -> u32 {
        self.ranks.div_ceil(self.nodes)
    }

    /// Between the directives and the run.
    fn preparation(&self) -> String {
        let module = |release: &Release| {
            let (name, version) = (release.library().name, release.version());
            let module = version.map_or(name.to_owned(), |version| format!("{name}/{version}"));
            format!("# module load {module}\n")
        };
        let (whose, modules) = if self.releases.is_empty() {
            ("what the library that --mpi names needs".to_owned(), "# module load …\n".to_owned())
        } else {
            let titles: Vec<&str> = self.releases.iter().map(|release| release.title()).collect();
            (format!("{}'s", titles.join("'s, ")), self.releases.iter().map(module).collect())
        };
        let program = |release: &Release| release.library().kin.interfaces()[0].program();
        let mut programs: Vec<String> = self.releases.iter().map(program).collect();
        programs.sort_unstable();
        programs.dedup();
        let programs = if programs.is_empty() { "the programs of ranks".to_owned() } else { programs.join(", ") };
        format!(
            "\n# Where software comes as modules: {whose}.\n\
             {modules}\
             # Where parallax and {programs} are, if not on the PATH:\n\
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
