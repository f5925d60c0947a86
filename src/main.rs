//! `parallax`: reports how far an MPI benchmark's method shifts the number it prints.

// The macro `note!` is for all modules below.
#[macro_use]
extern crate scenario;

mod algorithms;
mod audit;
mod batch;
mod bench;
mod budget;
mod calibrate;
mod cli;
mod compare;
mod correct;
mod doctor;
mod explain;
mod flags;
mod goal;
mod guidelines;
mod habits;
mod help;
mod import;
mod launches;
#[cfg(feature = "lessons")]
mod lesson;
mod manual;
mod measuring;
#[cfg(feature = "noise")]
mod noise;
mod output;
mod parts;
mod probe;
mod report;
mod run;
#[cfg(feature = "shared-memory")]
mod shm;
mod simulate;
mod store;
mod sweep;
mod tune;
mod validate;

use std::process::ExitCode;

fn main() -> ExitCode {
    // With this signal ignored, a file that may not grow (`ulimit -f`) is an error with a message, here and in ranks,
    // which inherit it.
    // SAFETY: ignoring a signal; there is no other thread yet.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    match cli::Cli::read().command.run() {
        Ok(code) => code,
        Err(error) => {
            note!("parallax: {error:#}");
            if error.is::<scenario::BadInput>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}
