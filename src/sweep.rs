//! `parallax sweep`: every combination of a file's values, one row per point, in the order of points.

use crate::simulate::Format;
use analysis::sweep::Sweeping;
use models::engine::Engine;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `parallax sweep` is told.
#[derive(clap::Args)]
pub struct SweepArguments {
    /// The sweep, like scenarios/sweep-barriers.toml
    file: PathBuf,
    /// Where the rows go: a name that ends in .jsonl or .csv [default: a table on the terminal, for up to 200 points]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Go on with the file in --out, if there is one
    #[arg(long, requires = "out")]
    resume: bool,
    /// Simulate the small form, as the file's table [small] says
    #[arg(long, conflicts_with = "resume")]
    small: bool,
    /// Which engine; auto takes the fast one where it can
    #[arg(long, default_value = "auto", value_parser = crate::flags::one_of(Engine::ALL, Engine::name))]
    engine: Engine,
    /// How to print without --out; json prints what a .jsonl file would hold
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Print nothing while running
    #[arg(long, short)]
    quiet: bool,
    /// Simulate ranges of points that come on standard input (`parallax-mpi sweep` starts it)
    #[arg(long, hide = true, conflicts_with_all = ["resume", "gather"])]
    serve: bool,
    /// Write rows that come on standard input (`parallax-mpi sweep` starts it)
    #[arg(long, hide = true, requires = "out")]
    gather: bool,
}

impl SweepArguments {
    /// Simulates all points that are still to be done.
    pub fn sweep(&self) -> anyhow::Result<ExitCode> {
        let sweeping = Sweeping {
            file: self.file.clone(),
            out: self.out.clone(),
            resume: self.resume,
            small: self.small,
            engine: self.engine,
            json: self.format == Format::Json,
            quiet: self.quiet,
            serve: self.serve,
            gather: self.gather,
        };
        sweeping.carry_out()
    }
}
