//! `parallax clocks`: what the clocks of this machine are worth, and what windows by them make of waits of known duration.

use crate::flags::SiteFlags;
use campaign::environment::cores;
use campaign::{Start, notice_interrupts};
use measure::clock::report_card;
use measure::job::{Outcome, Task};
use models::clock::ClockKind;
use models::method::{Factors, Method, MethodSettings, RoundTimeSettings, WindowSettings};
use models::observation::{Implementation, World};
use models::sync::Sync;
use models::time::Span;
use reports::clocks::{Examined, card_table, waits};
use scenario::BadInput;
use std::process::ExitCode;

/// What `parallax clocks` is told.
#[derive(clap::Args)]
pub struct ClocksArguments {
    /// Clocks: tsc, clock_monotonic, clock_monotonic_raw, gettimeofday, mpi_wtime (MPI ranks only) [default: all that the world has]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', value_parser = ClockKind::find)]
    clock: Vec<ClockKind>,
    /// Whose ranks wait, by each clock, synchronised: threads, openmpi or mpich
    #[arg(long, default_value = "threads", value_parser = crate::flags::world)]
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
        let mut examined = Vec::new();
        for clock in clocks {
            match self.one(clock) {
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
            print!("{}{}", card_table(&examined), self.legend(oversubscribed));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn one(&self, clock: ClockKind) -> anyhow::Result<Examined> {
        if self.ranks == 0 {
            return Ok(Examined::new(report_card(clock).map_err(BadInput)?, None));
        }
        if clock == ClockKind::MpiWtime && self.world == World::Threads {
            let message = "--clock mpi_wtime can be read by MPI ranks only; expected --world openmpi or mpich";
            return Err(BadInput(message.to_owned()).into());
        }
        let tasks = vec![Task::ReportCard, Task::CheckClocks(self.settings())];
        let start = Start { clock, ..Start::new(self.world, self.ranks, &self.site.site()?)? };
        match &start.ask(&start.job(tasks))?[..] {
            [Outcome::ClockReported(card), Outcome::ClocksChecked(check)] => {
                Ok(Examined::new(card.clone(), Some(waits(check))))
            }
            other => anyhow::bail!("unexpected answers {other:?}"),
        }
    }

    /// Windows around waits; where waiting sleeps they are so long that waking up late by tens of µs is not too late.
    fn settings(&self) -> MethodSettings {
        // However busy the machine is, a hundred windows are over in seconds.
        let mut window = WindowSettings { cap: Span::from_ms(20), ..WindowSettings::default() };
        if self.ranks > cores() || self.world == World::Threads {
            window.floor = Span::from_ms(1).min(window.cap);
        }
        MethodSettings {
            method: Method::Window,
            repetitions: 1,
            blocks: 1,
            warmup: 1,
            barrier: Implementation::Own("dissemination".to_owned()),
            sync: self.sync,
            window,
            round_time: RoundTimeSettings::default(),
            factors: Factors::default(),
        }
    }

    fn legend(&self, oversubscribed: bool) -> String {
        if self.ranks == 0 {
            return String::new();
        }
        let (ranks, sync, world) = (self.ranks, self.sync, self.world.title());
        let mut text = format!(
            "\n  Waits on {ranks} ranks ({world}) by windows on the global clock, synchronised by {sync}: null is truly 0 µs, \
             up and down {ranks} µs.\n"
        );
        if oversubscribed {
            text += &format!("  Oversubscribed: {ranks} ranks on {} cores take turns, and waits are late.\n", cores());
        }
        text
    }
}
