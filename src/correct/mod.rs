//! `parallax correct`: from the numbers that a benchmark printed to the true times of the calls.

mod prove;

use crate::flags::{FormatFlags, reference};
use analysis::correct::{AlgorithmChoice, Correction};
use analysis::values;
use models::collective::decision::Library;
use programs::machine::CoreState;
use programs::method::Buffer;
use prove::ProveFlags;
use std::path::PathBuf;
use std::process::ExitCode;
use study::correct::Answer;

/// The arguments of `parallax correct`.
#[derive(clap::Args)]
pub struct CorrectArguments {
    /// Output files of OSU, IMB, MPIPerf, ReproMPI or SKaMPI, in any order; - is standard input
    #[arg(required_unless_present = "prove", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Machine file of the machine that produced the output, written by `parallax calibrate` or `parallax run`;
    /// required except with --prove, which runs its own calibration
    #[arg(long, value_name = "FILE|NAME")]
    machine: Option<String>,
    /// Campaign of `parallax budget` for the same benchmark on that machine: numbers are corrected by its measurements
    /// of the same call, or of a shorter and a longer one
    #[arg(long, value_name = "CAMPAIGN", conflicts_with = "prove")]
    budget: Option<PathBuf>,
    /// State of the machine when the output was produced: cache line latency between neighbours in ns and, if cores may
    /// be slowed, the time of a core for the same work; `parallax probe lines` prints both [default: the calibrated
    /// state that fits the output]
    #[arg(long, value_name = "NS[,NS]", conflicts_with = "prove")]
    state: Option<CoreState>,
    /// Number of ranks, if the output does not state it (OSU's does not) [default: taken from the file's name: np2,
    /// ntasks4, ranks8, 8ranks, 8procs]
    #[arg(long, value_parser = values::ranks)]
    ranks: Option<u32>,
    #[command(flatten)]
    algorithm: AlgorithmFlags,
    /// Numbers to correct: quoted (the most quoted number of each row), all, or a column by its head, like max_us or
    /// "Max Latency(us)"
    #[arg(long, default_value = "quoted", value_name = "NAME")]
    column: String,
    /// Buffer state of the reference to which numbers are corrected; --budget has its own reference
    #[arg(long, default_value = "touched", value_name = "BUFFER", value_parser = reference())]
    reference: Buffer,
    #[command(flatten)]
    format: FormatFlags,
    #[command(flatten)]
    prove: ProveFlags,
}

/// What the user says of the algorithm.
#[derive(clap::Args)]
struct AlgorithmFlags {
    /// An algorithm that `parallax algorithms` lists, or a library for its own choice, like openmpi-4.1 [default: the
    /// algorithm that the output states, else the choice of the machine's library]
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
}

impl AlgorithmFlags {
    fn choice(&self) -> AlgorithmChoice {
        let library = self.algorithm.as_deref().and_then(|name| Library::find(name).ok());
        AlgorithmChoice { algorithm: self.algorithm.clone().filter(|_| library.is_none()), library }
    }
}

impl CorrectArguments {
    /// Corrects every number of all files, and fails if no number could be corrected. With --prove it tests the
    /// corrections.
    pub fn correct(&self) -> anyhow::Result<ExitCode> {
        let correction = self.correction();
        correction.check()?;
        if self.prove.is_asked() {
            return self.prove.prove(&correction, &self.format);
        }
        let tell = |answer: &Answer<'_>| {
            let any = answer.rows.iter().any(|row| row.corrected.is_ok());
            self.format.print(answer).map(|()| any)
        };
        Ok(if correction.correct_numbers(tell)?? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Returns the correction that the flags describe.
    fn correction(&self) -> Correction {
        Correction {
            files: self.files.clone(),
            machine: self.machine.clone(),
            budget: self.budget.clone(),
            state: self.state,
            ranks: self.ranks,
            algorithm: self.algorithm.choice(),
            column: self.column.clone(),
            reference: self.reference,
        }
    }
}
