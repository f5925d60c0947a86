//! What the clocks of this machine are worth, and what windows by them make of waits of known duration.

use campaign::environment::cores;
use campaign::testing::{Asked, OfClocks, Plan};
use measure::job::Task;
use models::clock::{ClockKind, DrawnClocks};
use models::method::{Factors, Method, MethodSettings, RoundTimeSettings, WindowSettings};
use models::observation::{Emulation, Implementation, World};
use models::sync::Sync;
use models::time::Span;
use scenario::BadInput;

/// Ranks that wait by clocks.
pub struct Waiting {
    /// Which clocks; none: all that the world has.
    pub clocks: Vec<ClockKind>,
    /// Whose.
    pub world: World,
    /// How many; 0: none, only the report cards.
    pub ranks: u32,
    /// How their clocks are synchronised.
    pub sync: Sync,
    /// By what each of these clocks is made imperfect, if it is.
    pub imperfect: Option<DrawnClocks>,
}

/// Why the library's clock is not made imperfect.
pub(crate) const IMPERFECT_WTIME: &str =
    "--clocks: mpi_wtime is each rank's own already; expected a --clock that all ranks of a host read, like tsc";

impl Waiting {
    /// The clocks one by one. One that this machine does not have, or not trust, is no reason to leave out the others, unless
    /// it was named.
    ///
    /// # Errors
    /// What is wrong with the choices.
    pub fn plan(&self) -> Result<Plan<OfClocks>, BadInput> {
        let Waiting { clocks, world, ranks, .. } = self;
        if *ranks == 1 {
            return Err(BadInput("--ranks: expected 0, or 2 to 255 whose clocks are compared, found 1".to_owned()));
        }
        if *ranks == 0 && *world != World::Threads {
            return Err(BadInput("--ranks 0: without ranks there is no --world".to_owned()));
        }
        if self.imperfect.is_some() && *ranks == 0 {
            return Err(BadInput(
                "--clocks: without ranks there is nobody who reads imperfect clocks; expected --ranks 2".to_owned(),
            ));
        }
        if self.imperfect.is_some() && clocks.contains(&ClockKind::MpiWtime) {
            return Err(BadInput(IMPERFECT_WTIME.to_owned()));
        }
        let of_library = |clock: &ClockKind| *clock == ClockKind::MpiWtime && *world == World::Threads;
        if clocks.iter().any(of_library) {
            let message = "--clock mpi_wtime can be read by MPI ranks only; expected --world openmpi or mpich";
            return Err(BadInput(message.to_owned()));
        }
        let all = ClockKind::ALL.into_iter().filter(|clock| *clock != ClockKind::Automatic && !of_library(clock));
        let optional = clocks.is_empty() && self.imperfect.is_none();
        let clocks: Vec<ClockKind> = match (&self.imperfect, clocks.as_slice()) {
            (None, []) => all.collect(),
            // One good clock is enough to make a bad one of.
            (Some(_), []) => vec![ClockKind::Automatic],
            (_, named) => named.to_vec(),
        };
        let tasks = || vec![Task::ReportCard, Task::CheckClocks(self.settings())];
        let asked = |clock| Asked { clock, clocks: self.imperfect, optional, ..Asked::new(*world, *ranks, tasks()) };
        Ok(Plan::new(*world, Emulation::Untimed.named(), clocks.into_iter().map(asked).collect()))
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
            calls: 1,
            samples: 1,
            warmup: 1,
            barrier: Implementation::Own("dissemination".to_owned()),
            sync: self.sync,
            window,
            round_time: RoundTimeSettings::default(),
            factors: Factors::default(),
        }
    }
}
