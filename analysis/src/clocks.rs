//! What the clocks of this machine are worth, and what windows by them make of waits of known duration.

use campaign::Start;
use campaign::environment::cores;
use campaign::launch::Site;
use measure::clock::report_card;
use measure::job::{Outcome, Task};
use models::clock::ClockKind;
use models::method::{Factors, Method, MethodSettings, RoundTimeSettings, WindowSettings};
use models::observation::{Implementation, World};
use models::sync::Sync;
use models::time::Span;
use reports::clocks::{Examined, waits};
use scenario::BadInput;

/// Ranks that wait by clocks.
pub struct Waiting {
    /// Whose.
    pub world: World,
    /// How many; 0: none, only the report cards.
    pub ranks: u32,
    /// How their clocks are synchronised.
    pub sync: Sync,
}

impl Waiting {
    /// Examines one clock; MPI ranks run on the site that is told.
    ///
    /// # Errors
    /// A clock that this machine does not have, or not trust; ranks that died or hung.
    pub fn examine(&self, clock: ClockKind, site: impl FnOnce() -> Result<Site, BadInput>) -> anyhow::Result<Examined> {
        if self.ranks == 0 {
            return Ok(Examined::new(report_card(clock).map_err(BadInput)?, None));
        }
        if clock == ClockKind::MpiWtime && self.world == World::Threads {
            let message = "--clock mpi_wtime can be read by MPI ranks only; expected --world openmpi or mpich";
            return Err(BadInput(message.to_owned()).into());
        }
        let tasks = vec![Task::ReportCard, Task::CheckClocks(self.settings())];
        let start = Start { clock, ..Start::new(self.world, self.ranks, &site()?)? };
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

    /// What stands below the waits.
    pub fn legend(&self, oversubscribed: bool) -> String {
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
