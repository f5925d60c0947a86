//! `parallax debias`: from the numbers that a benchmark printed to the times that the calls really took.

mod prove;

use crate::output::{look, print};
use analysis::debias::{AlgorithmChoice, Correction};
use analysis::values;
use models::collective::decision::Library;
use models::machine::CoreState;
use models::method::Buffer;
use prove::ProveFlags;
use reports::debias::Answer;
use reports::view::Format;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `parallax debias` is told.
#[derive(clap::Args)]
pub struct DebiasArguments {
    /// Texts of OSU, IMB, MPIPerf, ReproMPI or SKaMPI, in any order; - is standard input
    #[arg(required_unless_present = "prove", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The machine on which they were measured, as `parallax calibrate` or `parallax run` wrote it; required, but for --prove,
    /// which calibrates without
    #[arg(long, value_name = "FILE|NAME")]
    machine: Option<String>,
    /// A campaign of `parallax budget` of the same benchmark on that machine: where it has measured such a call, or a shorter
    /// and a longer one, that is what is corrected by
    #[arg(long, value_name = "CAMPAIGN", conflicts_with = "prove")]
    budget: Option<PathBuf>,
    /// The state of the machine in which the texts were printed, where it is known: how long a cache line takes between
    /// neighbours, in ns, as `parallax probe lines` and audits say, and, where cores may be slowed, how long a core takes for
    /// the same work, as `parallax probe lines` says [default: the calibrated one that a text's numbers fit]
    #[arg(long, value_name = "NS[,NS]", conflicts_with = "prove")]
    state: Option<CoreState>,
    /// Number of ranks, where a text does not say it (OSU's do not) [default: as the file's name says: np2, n4, p16, ranks8]
    #[arg(long, value_parser = values::ranks)]
    ranks: Option<u32>,
    #[command(flatten)]
    algorithm: AlgorithmFlags,
    /// Which numbers: quoted (the one of each row that people quote), all, or a column's head, like max_us or "Max Latency(us)"
    #[arg(long, default_value = "quoted", value_name = "NAME")]
    column: String,
    /// What numbers are corrected towards: a call whose buffers are touched, same or cold (as for `measure`); a budget corrects
    /// towards its own reference
    #[arg(long, default_value = "touched", value_name = "BUFFER", value_parser = reference)]
    reference: Buffer,
    /// How to print
    #[arg(long, value_parser = crate::flags::one_of(Format::ALL, Format::name), default_value = "table", conflicts_with = "prove")]
    format: Format,
    #[command(flatten)]
    prove: ProveFlags,
}

/// What the user says of the algorithm.
#[derive(clap::Args)]
struct AlgorithmFlags {
    /// One of the algorithms that `parallax algorithms` lists [default: as the text says, else what the machine's library takes]
    #[arg(long, conflicts_with = "library")]
    algorithm: Option<String>,
    /// What this library takes by itself: openmpi-4.1 or mpich-4.0
    #[arg(long = "as", value_name = "LIBRARY", value_parser = Library::find)]
    library: Option<Library>,
}

impl AlgorithmFlags {
    fn choice(&self) -> AlgorithmChoice {
        AlgorithmChoice { algorithm: self.algorithm.clone(), library: self.library }
    }
}

impl DebiasArguments {
    /// Corrects every number of all files, or of none; fails if no number could be corrected. Or proves that it can.
    pub fn debias(&self) -> anyhow::Result<ExitCode> {
        let correction = self.correction();
        correction.check()?;
        if self.prove.is_asked() {
            return self.prove.prove(&correction);
        }
        let tell = |answer: &Answer<'_>| {
            (self.format.text(answer, look(true)), answer.rows.iter().any(|row| row.corrected.is_ok()))
        };
        let (text, any) = correction.carry_out(tell)?;
        print(&text?)?;
        Ok(if any { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// What is corrected, and how.
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

/// A state of buffers in which a reference may be taken.
fn reference(text: &str) -> Result<Buffer, String> {
    models::names::find("state of buffers", text, &Buffer::REFERENCES, |buffer| buffer.name())
}
