//! `parallax calibrate`: every parameter of a machine, with its interval, as a file that simulations take.

use crate::flags::{ModelFlags, NoiseFlags, SiteFlags};
use crate::output::print;
use analysis::calibrate::{Calibrated, Calibration, Effort};
use analysis::p2p::Place;
use analysis::values;
use models::clock::ClockKind;
use reports::refine::text_table;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// What `parallax calibrate` is told.
#[derive(clap::Args)]
pub struct CalibrateArguments {
    /// Where the ranks run: openmpi, mpich, threads or simulated [default: the first MPI library that is here, else threads]
    #[arg(long)]
    world: Option<Place>,
    /// How many ranks: messages are those of ranks 0 and 1, first messages those of rank 0 with all others
    #[arg(long, default_value = "2", value_parser = values::ranks)]
    ranks: u32,
    /// Within seconds (this is the default)
    #[arg(long, conflicts_with = "thorough")]
    quick: bool,
    /// Within minutes: more lengths, more samples, ten seconds of noise
    #[arg(long)]
    thorough: bool,
    /// Fresh launches for first messages: each shows one of each pair [default: 3, thorough: 10]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    launches: Option<u32>,
    /// Fresh launches in which messages are calibrated again, and collectives are timed as OSU's and IMB's benchmarks do it and
    /// as their reference does: `parallax debias` takes what predictions miss from them [default: 4, thorough: 10; ranks of an
    /// MPI library with a core each alone; 0: none]
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    rehearsals: Option<u32>,
    /// The longest message
    #[arg(long, default_value = "1MiB", value_parser = values::bytes, value_name = "BYTES")]
    longest: u64,
    /// The clock that ranks read: auto, tsc, clock_monotonic, clock_monotonic_raw, gettimeofday or mpi_wtime
    #[arg(long, value_parser = ClockKind::find)]
    clock: Option<ClockKind>,
    /// The machine file; its page and samples go into a folder beside it [default: results/machines/WORLD-RANKS-001.toml, …]
    #[arg(long, short, value_name = "FILE.toml")]
    out: Option<PathBuf>,
    /// Replace the file of --out, and what is in its folder
    #[arg(long)]
    overwrite: bool,
    /// Print the machine as one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Print nothing but the answer
    #[arg(long)]
    quiet: bool,
    /// End the run when no rank has got anywhere for this many seconds
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = crate::flags::seconds)]
    patience: Duration,
    #[command(flatten)]
    site: SiteFlags,
    #[command(flatten, next_help_heading = "Machine of simulated ranks (threads: Hockney's model)")]
    model: ModelFlags,
    #[command(flatten, next_help_heading = "Noise of simulated ranks")]
    noise: NoiseFlags,
}

impl CalibrateArguments {
    /// Calibrates, prints every parameter, and writes the machine file.
    pub fn calibrate(&self) -> anyhow::Result<ExitCode> {
        let site = self.site.site()?;
        let calibration = Calibration {
            place: self.world.unwrap_or_else(|| Place::first(&site)),
            ranks: self.ranks,
            effort: if self.thorough { Effort::Thorough } else { Effort::Quick },
            launches: self.launches,
            rehearsals: self.rehearsals,
            longest: self.longest,
            clock: self.clock,
            out: self.out.clone(),
            overwrite: self.overwrite,
            quiet: self.quiet,
            patience: self.patience,
            site: &site,
            model: self.model.choice(),
            noise: self.noise.choice(),
            command: command(),
        };
        let Calibrated { machine, file, page } = calibration.carry_out()?;
        if self.json {
            say!("{}\n", serde_json::to_string(&machine)?)?;
        } else {
            print(&text_table(&machine))?;
            print(&machine.notes.iter().map(|note| format!("  note: {note}\n")).collect::<String>())?;
        }
        if !self.quiet {
            note!("page: {}", page.display());
            note!("machine: {}", file.display());
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What the user typed.
fn command() -> String {
    let words = std::env::args().skip(1);
    let quoted = words.map(|word| if word.contains([' ', '\'', '"']) { format!("{word:?}") } else { word });
    std::iter::once("parallax".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}
