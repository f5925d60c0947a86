//! `parallax import`: printed texts of other benchmarks, as one table.

use crate::flags::{FormatFlags, PictureFlags};
use crate::output::print;
use analysis::import::{Said, read, tell_left_out};
use analysis::printed::Only;
use formats::import::{Texts, core_matrix, machine};
use programs::observation::Barrier;
use scenario::BadInput;
use std::path::PathBuf;
use std::process::ExitCode;

/// The arguments of `parallax import`.
#[derive(clap::Args)]
pub struct ImportArguments {
    /// Output files of OSU, IMB, MPIPerf, ReproMPI, SKaMPI, mpiBench, nccl-tests, mpiGraph, NetPIPE, Netgauge (loggp) or
    /// core-to-core-latency (CSV), also of several runs and between other lines, and what PICO
    /// published (a run's folder or .tar.gz, a raw file, a summary), in any order; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatFlags,
    /// Print Netgauge's LogGP parameters as a machine file of this name, for --machine: import loggp.txt --machine mine >
    /// mine.toml
    #[arg(long, value_name = "NAME", conflicts_with = "format")]
    machine: Option<String>,
    /// Draw the matrix of core-to-core-latency as a heat map: .svg, .pdf or .png
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    picture: PictureFlags,
    /// Barrier between the calls of PICO's runs, by an algorithm or a library whose choice it was [default: what a run's
    /// files state, else what follows from its time]
    #[arg(long, value_name = "NAME", value_parser = Barrier::find)]
    barrier: Option<Barrier>,
    /// Rows of PICO's runs to take: system, run (a part of its time), test, ranks, nodes, collective, algorithm or library (a
    /// part of its name), like collective=bcast,algorithm=default
    #[arg(long, value_name = "KEY=VALUE,…", value_parser = Only::parse)]
    only: Option<Only>,
}

impl ImportArguments {
    /// Prints the numbers of all files. If one cannot be read, nothing is printed.
    pub fn import(&self) -> anyhow::Result<ExitCode> {
        let mut texts = Vec::new();
        let said = Said { barrier: self.barrier, only: self.only.clone().unwrap_or_default() };
        for path in &self.files {
            let read = read(path, &said)?;
            tell_left_out(&read.name, &read.runs, &read.text);
            texts.extend(read.runs.into_iter().map(|run| (read.name.clone(), run)));
        }
        if let Some(name) = &self.machine {
            let file = self.files.last().map(|file| file.display().to_string()).unwrap_or_default();
            print(&machine(name, &file, &texts).map_err(BadInput)?.text())?;
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(file) = &self.out {
            let paper = self.picture.paper(&[&self.out])?;
            core_matrix(&texts).and_then(|drawing| drawing.write(file, &paper)).map_err(BadInput)?;
            note!("written: {}", file.display());
        }
        self.format.print(&Texts(texts))?;
        Ok(ExitCode::SUCCESS)
    }
}
