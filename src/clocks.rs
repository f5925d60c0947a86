//! `parallax clocks`: what the clocks of this machine are worth, and what windows by them make of waits of known duration.

use crate::flags::SiteFlags;
use analysis::clocks::Waiting;
use campaign::environment::cores;
use campaign::notice_interrupts;
use models::clock::ClockKind;
use models::observation::World;
use models::sync::Sync;
use reports::clocks::card_table;
use scenario::BadInput;
use std::process::ExitCode;

/// What `parallax clocks` is told.
#[derive(clap::Args)]
pub struct ClocksArguments {
    /// Clocks: tsc, clock_monotonic, clock_monotonic_raw, gettimeofday, mpi_wtime (MPI ranks only) [default: all that the world has]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = ClockKind::find)]
    clock: Vec<ClockKind>,
    /// Whose ranks wait, by each clock, synchronised: threads, openmpi or mpich
    #[arg(long, default_value = "threads", value_parser = analysis::values::world)]
    world: World,
    /// How many ranks wait; 0: none, only the report cards
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=255))]
    ranks: u32,
    /// How their clocks are synchronised: linear, ring, tree, skampi, jk, hca3 or hca3o
    #[arg(long, default_value = "linear", value_parser = Sync::find)]
    sync: Sync,
    #[command(flatten)]
    site: SiteFlags,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl ClocksArguments {
    /// Examines the clocks one by one, and prints.
    pub fn examine(&self) -> anyhow::Result<ExitCode> {
        notice_interrupts()?;
        if self.ranks == 1 {
            return Err(
                BadInput("--ranks: expected 0, or 2 to 255 whose clocks are compared, found 1".to_owned()).into()
            );
        }
        if self.ranks == 0 && self.world != World::Threads {
            return Err(BadInput("--ranks 0: without ranks there is no --world".to_owned()).into());
        }
        let named = !self.clock.is_empty();
        let all = ClockKind::ALL.into_iter().filter(|&kind| kind != ClockKind::Automatic);
        let has = |kind: &ClockKind| *kind != ClockKind::MpiWtime || self.world != World::Threads;
        let clocks: Vec<ClockKind> = if named { self.clock.clone() } else { all.filter(has).collect() };
        let waiting = Waiting { world: self.world, ranks: self.ranks, sync: self.sync };
        let mut examined = Vec::new();
        for clock in clocks {
            match waiting.examine(clock, || self.site.site()) {
                Ok(one) => examined.push(one),
                // A clock that this machine does not have, or not trust, is no reason to leave out the others.
                Err(error) if !named => note!("left out: {clock}: {error:#}"),
                Err(error) => return Err(error),
            }
        }
        let oversubscribed = self.ranks > cores();
        if self.json {
            let all = serde_json::json!({
                "world": self.world, "ranks": self.ranks, "sync": self.sync, "oversubscribed": oversubscribed,
                "clocks": examined,
            });
            println!("{}", serde_json::to_string_pretty(&all)?);
        } else {
            print!("{}{}", card_table(&examined), waiting.legend(oversubscribed));
        }
        Ok(ExitCode::SUCCESS)
    }
}
