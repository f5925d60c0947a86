//! Job scripts for batch systems. A job that was killed continues when the same script is submitted again: every
//! finished case is on disk, and the script resumes the campaign that it finds.

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
    /// Batch system for which scripts can be written.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum System {
        /// Slurm, whose scripts are submitted by sbatch.
        Slurm => "slurm",
        /// PBS Professional and OpenPBS, whose scripts are submitted by qsub.
        Pbs => "pbs",
        /// Flux, whose scripts are submitted by flux batch.
        Flux => "flux",
    }
    /// Returns the name used in flags.
    fn name;
}

impl System {
    /// Returns the system's syntax and commands.
    pub fn dialect(self) -> Dialect {
        match self {
            System::Slurm => slurm::DIALECT,
            System::Pbs => pbs::DIALECT,
            System::Flux => flux::DIALECT,
        }
    }
}

/// Syntax and commands of a batch system.
pub struct Dialect {
    /// Name used in flags and folders.
    pub name: &'static str,
    /// Proper name of the system.
    pub title: &'static str,
    /// Prefix of every directive in a script.
    prefix: &'static str,
    /// Function that returns the directives of a script.
    directives: fn(&Script) -> Result<Vec<String>, BadInput>,
    /// Function that returns the lines that enter the run's folder and find its hosts.
    hosts: fn(&Script) -> String,
    /// Short forms of its flags, each with the long one.
    short: &'static [(&'static str, &'static str)],
    /// Launchers that can start ranks within its jobs. The first is the default.
    pub launchers: &'static [Starter],
    /// Function that returns the command for an interactive shell, given the numbers of ranks and nodes.
    pub allocation: fn(u32, u32) -> String,
}

/// Properties of a job that determine the text of its script.
pub struct Script<'a> {
    /// Name of the job in the batch system.
    pub name: String,
    /// Number of ranks, each with a core.
    pub ranks: u32,
    /// Number of nodes of the job.
    pub nodes: u32,
    /// Further requirements of the job.
    pub request: &'a Request,
    /// MPI libraries of its environment. Empty where the command names them by their folders.
    pub releases: Vec<Release>,
    /// Words after `parallax`, quoted for a shell, without --out and --resume.
    pub run: String,
    /// Folder of the run, quoted for a shell.
    pub folder: String,
    /// Launcher that starts its ranks.
    pub starter: Starter,
}

impl Script<'_> {
    /// Returns the whole text of the script.
    ///
    /// # Errors
    /// Fails for requirements that this system does not have, or that are given twice.
    pub fn text(&self, dialect: &Dialect) -> Result<String, BadInput> {
        let directives = self.request.added_to((dialect.directives)(self)?, dialect)?;
        let mut text = "#!/bin/bash\n".to_owned();
        directives.iter().for_each(|line| text += &format!("{} {line}\n", dialect.prefix));
        text += &self.preparation();
        text += &(dialect.hosts)(self);
        text += &self.running();
        Ok(text)
    }

    /// Returns the number of ranks on the fullest node.
    fn ranks_per_node(&self) -> u32 {
        self.ranks.div_ceil(self.nodes)
    }

    /// Returns the lines between the directives and the run, which load modules and set the path.
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

    /// Returns the lines of the run itself, with which the job ends. They resume what an earlier job left, and repeat
    /// its arguments, so that the folder of another campaign is refused.
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
