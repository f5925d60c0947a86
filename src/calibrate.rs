//! `parallax calibrate`: every parameter of a machine, with its interval, as a file for simulations.

use crate::flags::{
    DryRun, FormatFlags, ModelFlags, NoiseFlags, PublishedFlags, StartFlags, behind, clock, need_published, place,
};
use crate::output::print_words;
use analysis::calibrate::{Calibrated, Calibration, Effort};
use analysis::p2p::RankPlace;
use analysis::printed::{self, Behind};
use analysis::values;
use calibration::refine::Parameters;
use campaign::planned::command;
use models::clock::ClockKind;
use render::results::Format;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use study::printed::evidence;

/// The arguments of `parallax calibrate`.
#[derive(clap::Args)]
pub struct CalibrateArguments {
    /// World: where ranks run [default: the first MPI library found, else threads]
    #[arg(long, value_parser = place())]
    world: Option<RankPlace>,
    /// Number of ranks. Messages are timed between ranks 0 and 1, first messages between rank 0 and every other rank
    #[arg(long, default_value = "2", value_parser = values::ranks)]
    ranks: u32,
    /// Calibrate within seconds (this is the default)
    #[arg(long, conflicts_with = "thorough")]
    quick: bool,
    /// Calibrate within minutes: more lengths, more samples, ten seconds of noise recording
    #[arg(long)]
    thorough: bool,
    /// Launches that time first messages: one first message of each pair per launch [default: 3, thorough: 10]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    launches: Option<u32>,
    /// Launches that calibrate messages again and time collectives as OSU and IMB do, next to their reference:
    /// `parallax correct` takes the error of predictions from them [default: 4, thorough: 10; only for MPI ranks with a
    /// core each; 0: none]
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    rehearsals: Option<u32>,
    /// Longest message length; of published numbers, longest buffer as a whole [default: 1MiB; with --from 16KiB]
    #[arg(long, value_parser = values::bytes, value_name = "BYTES")]
    longest: Option<u64>,
    /// Clock that ranks read [default: the best one available]
    #[arg(long, value_parser = clock())]
    clock: Option<ClockKind>,
    /// Machine file to write; its page and samples go into a folder beside it [default:
    /// results/machines/WORLD-RANKS-001.toml, …; with --from SYSTEM-RANKS-001.toml, …]
    #[arg(long, short, value_name = "FILE.toml")]
    out: Option<PathBuf>,
    /// Replace the file of --out and the contents of its folder
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    format: FormatFlags,
    /// Print the result only
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    dry: DryRun,
    #[command(flatten)]
    start: StartFlags,
    #[command(flatten, next_help_heading = "Machine of simulated ranks (threads: Hockney's model)")]
    model: ModelFlags,
    #[command(flatten, next_help_heading = "Noise of simulated ranks")]
    noise: NoiseFlags,
    /// Fit to numbers that a benchmark printed, as PICO publishes them: a run's folder or .tar.gz, a raw file, or a
    /// summary
    #[arg(
        long, value_name = "FILE", help_heading = "Published numbers",
        conflicts_with_all = [
            "world", "ranks", "quick", "thorough", "launches", "rehearsals", "clock", "StartFlags", "SiteFlags",
            "machine", "pairs", "DryRun", "NetworkFlags", "NoiseFlags",
        ]
    )]
    from: Option<PathBuf>,
    #[command(flatten)]
    published: PublishedFlags,
    /// Barrier between the calls, by an algorithm or a library whose choice it was; choose: the one of Open MPI's that
    /// fits best [default: what a run's files state, else what follows from its time]
    #[arg(long, value_name = "NAME|choose", requires = "from", value_parser = behind, help_heading = "Published numbers")]
    barrier: Option<Behind>,
}

/// Longest message in bytes, where the user does not set it.
const LONGEST: u64 = 1 << 20;

impl CalibrateArguments {
    /// Calibrates, prints every parameter, and writes the machine file.
    pub fn calibrate(&self) -> anyhow::Result<ExitCode> {
        match &self.from {
            Some(file) => self.fit_to_printed(file),
            None => {
                need_published(&self.published, &[("--barrier", self.barrier.is_some())], "--from FILE")?;
                self.measure()
            }
        }
    }

    /// Fits the parameters to published numbers.
    fn fit_to_printed(&self, file: &Path) -> anyhow::Result<ExitCode> {
        let calibration = printed::Calibration {
            choice: self.published.choice(file, self.longest, self.model.platform.clone(), self.quiet),
            behind: self.barrier.unwrap_or(Behind::Known),
            out: self.out.clone(),
            overwrite: self.overwrite,
            command: command(),
        };
        let began = Instant::now();
        let fitted = calibration.fit_machine()?;
        if !self.quiet {
            fitted.left_out.iter().for_each(|out| note!("left out: {out}"));
        }
        if !fitted.evidence.is_empty() && self.format.format == Format::Table {
            print_words(&format!("{}\n", evidence(&fitted.evidence)))?;
        }
        self.format.print(&Parameters(&fitted.machine))?;
        if !self.quiet {
            let (times, seconds) = (fitted.evaluations, began.elapsed().as_secs_f64());
            note!("all numbers were simulated {times} times for the last fit; {seconds:.1} s in all");
            note!("machine: {}", fitted.file.display());
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Calibrates by messages between ranks.
    fn measure(&self) -> anyhow::Result<ExitCode> {
        let site = self.start.site.site()?;
        let calibration = Calibration {
            place: self.world.unwrap_or_else(|| RankPlace::first(&site)),
            ranks: self.ranks,
            effort: if self.thorough { Effort::Thorough } else { Effort::Quick },
            launches: self.launches,
            rehearsals: self.rehearsals,
            longest: self.longest.unwrap_or(LONGEST),
            clock: self.clock,
            out: self.out.clone(),
            overwrite: self.overwrite,
            quiet: self.quiet,
            dry_run: self.dry.dry_run,
            patience: self.start.timeout,
            site: &site,
            model: self.model.choice(),
            noise: self.noise.choice(),
            command: command(),
        };
        let Some(Calibrated { machine, file, page }) = calibration.calibrate()? else { return Ok(ExitCode::SUCCESS) };
        self.format.print(&Parameters(&machine))?;
        if !self.quiet {
            note!("page: {}", page.display());
            note!("machine: {}", file.display());
        }
        Ok(ExitCode::SUCCESS)
    }
}
