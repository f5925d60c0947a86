//! `parallax`: tells how far an MPI benchmark's method shifts the number it prints.

mod algorithms;
mod bad_input;
mod batch;
mod bench;
mod cli;
mod clocks;
mod curves;
mod doctor;
mod environment;
mod flags;
mod goal;
mod launch;
mod run;
mod simulate;
mod skew;
mod sweep;
mod sync;
mod wrap;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::Cli::parse().command.run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("parallax: {error:#}");
            if error.is::<bad_input::BadInput>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}
