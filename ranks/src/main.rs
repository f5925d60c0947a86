//! The program `parallax-mpi`: one rank of a real MPI world. It is started by an MPI launcher, which `parallax` starts.
//! The two meet in files only: a job, its results, a status board. Sweeps are started by hand, or by a batch script:
//! `mpirun … parallax-mpi sweep`. There ranks start `parallax` and talk to it over pipes.

mod sweep;

use anyhow::{Context, anyhow, bail};
use clap::Parser;
use measure::board::{Board, host_name};
use measure::job::Outcome;
use measure::memory::{around_init, keep_freed};
use measure::service::{Results, hand_over, keep_beating, read_job};
use measure::watcher::WhileStarting;
use parallax_ranks::world;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// One rank of a real MPI world; `parallax run` starts it through the library's launcher.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
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

#[derive(clap::Subcommand)]
enum Command {
    /// Spread the points of a sweep over all ranks: mpirun -n 8 parallax-mpi sweep FILE --out OUT.jsonl
    Sweep(sweep::SweepArguments),
}

fn main() {
    // A rank that fails must not reach MPI_Finalize, where it would wait for ranks that wait for it:
    // leaving without it makes the launcher end the others.
    std::panic::set_hook(Box::new(|panic| fail(&panic.to_string())));
    let arguments = Arguments::parse();
    prepare_environment(&arguments);
    keep_freed();
    let starting = arguments.board.as_deref().map(WhileStarting::watch);
    let world = if arguments.identify { Ok(None) } else { around_init(world::join).map(Some) };
    drop(starting);
    let ended = world
        .as_ref()
        .map_err(|error| format!("{error:#}"))
        .and_then(|world| run(arguments, world.as_ref()).map_err(|error| format!("{error:#}")));
    match ended {
        Ok(0) => {}
        Ok(code) => {
            drop(world);
            std::process::exit(code);
        }
        Err(error) => fail(&error),
    }
}

/// Sets the variables that a library must find before it is initialised if it is to use one of its algorithms.
fn prepare_environment(arguments: &Arguments) {
    let job = arguments.job.as_ref().and_then(|job| read_job(job).ok());
    for (name, value) in job.and_then(|job| job.environment().ok()).into_iter().flatten() {
        // SAFETY: this process has one thread yet.
        unsafe { std::env::set_var(name, value) };
    }
}

/// Ends this process at once, with a message.
fn fail(why: &str) -> ! {
    // By one write: other ranks write there, too, and no two lines shall mix.
    let _ = std::io::stderr().write_all(format!("parallax-mpi: {why}\n").as_bytes());
    std::process::exit(1)
}

/// Carries out what the arguments ask for. Returns the exit code.
fn run(arguments: Arguments, world: Option<&world::World>) -> anyhow::Result<i32> {
    let Some(world) = world else {
        println!("{}", serde_json::to_string(&world::identify()?)?);
        return Ok(0);
    };
    if let Some(Command::Sweep(arguments)) = &arguments.command {
        return sweep::sweep(arguments, world);
    }
    if arguments.hello {
        println!("{}", serde_json::to_string(&world.hello())?);
        return Ok(0);
    }
    let (Some(job), Some(results), Some(board)) = (arguments.job, arguments.results, arguments.board) else {
        bail!("this program is started by `parallax run`; by hand, try sweep, --identify or --hello");
    };
    let job = read_job(&job).map_err(|error| match error.kind() {
        // Other hosts than the command's see its files only where the file system is shared.
        ErrorKind::NotFound => {
            let cure = "every host must see the run's folder: put it on a file system that they share (--out)";
            anyhow!("{error} on {}; {cure}", host_name())
        }
        _ => error.into(),
    })?;
    world.expect_size(job.ranks)?;
    let board = Board::open(&board, job.ranks).with_context(|| format!("cannot map the board {}", board.display()))?;
    let board = Arc::new(board);
    board.sign_in(world.rank(), &host_name());
    keep_beating(&board, world.rank()..world.rank() + 1);
    let mut results = Results::open(&results)?;
    world.serve(&job, &board, |outcome: Outcome| {
        if let Err(error) = results.append(&outcome) {
            fail(&format!("rank 0 cannot write its results: {error}"));
        }
        hand_over(&board);
    })?;
    Ok(0)
}
