//! `parallax-mpi`: one rank of a real MPI world. Started by an MPI launcher, which `parallax` does;
//! the two meet in files only: a job, its results, a status board.

mod world;

use anyhow::{Context, bail};
use clap::Parser;
use measure::board::{Board, host_name};
use measure::job::Outcome;
use measure::service::{Results, keep_beating, read_job};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// One rank of a real MPI world; `parallax run` starts it through the library's launcher.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Print which MPI library this program is linked with, as JSON, and exit (needs no launcher)
    #[arg(long)]
    identify: bool,
    /// Print this rank's place in the world, as JSON, and exit
    #[arg(long)]
    hello: bool,
    /// The job to carry out (JSON, written by `parallax`)
    #[arg(long, requires = "results", requires = "board")]
    job: Option<PathBuf>,
    /// Where rank 0 appends one JSON line per outcome
    #[arg(long)]
    results: Option<PathBuf>,
    /// The status board that `parallax` watches
    #[arg(long)]
    board: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("parallax-mpi: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    if arguments.identify {
        println!("{}", serde_json::to_string(&world::identify()?)?);
        return Ok(());
    }
    let world = world::join()?;
    if arguments.hello {
        println!("{}", serde_json::to_string(&world.hello())?);
        return Ok(());
    }
    let (Some(job), Some(results), Some(board)) = (arguments.job, arguments.results, arguments.board) else {
        bail!("this program is started by `parallax run`; by hand, try --identify or --hello");
    };
    let job = read_job(&job)?;
    world.expect_size(job.ranks)?;
    let board = Board::open(&board, job.ranks).with_context(|| format!("cannot map the board {}", board.display()))?;
    let board = Arc::new(board);
    board.sign_in(world.rank(), &host_name());
    keep_beating(&board, world.rank()..world.rank() + 1);
    let mut results = Results::open(&results)?;
    world.serve(&job, &board, |outcome: Outcome| {
        if let Err(error) = results.append(&outcome) {
            eprintln!("parallax-mpi: rank 0 cannot write its results: {error}");
            std::process::exit(1);
        }
    })
}
