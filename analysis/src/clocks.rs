//! The quality of this machine's clocks, and windows by them around waits of known duration.

use campaign::environment::cores;
use campaign::testing::{LaunchTasks, OfClocks, TestPlan};
use measure::job::Task;
use models::clock::{ClockKind, DrawnClocks};
use models::time::Span;
use programs::method::{Factors, Method, MethodSettings, RoundTimeSettings, WindowSettings};
use programs::observation::{Emulation, Implementation, World};
use programs::sync::Sync;
use scenario::BadInput;

/// Ranks that wait by clocks.
pub struct Waiting {
    /// Clocks to judge; empty for all that the world has.
    pub clocks: Vec<ClockKind>,
    /// World of the ranks.
    pub world: World,
    /// Number of ranks; 0 for the report cards alone.
    pub ranks: u32,
    /// Method by which their clocks are synchronised.
    pub sync: Sync,
    /// Errors that are added to each of these clocks; `None` for clocks as they are.
    pub imperfect: Option<DrawnClocks>,
}

/// The reason why the library's clock cannot be made imperfect.
pub(crate) const IMPERFECT_WTIME: &str =
    "--clocks: mpi_wtime is each rank's own already; expected a --clock that all ranks of a host read, like tsc";

impl Waiting {
    /// Returns the plan of the clocks, each by itself. A clock that this machine lacks or does not trust is skipped,
    /// unless it was named.
    ///
    /// # Errors
    /// Names the choice that is wrong, and the reason.
    pub fn plan(&self) -> Result<TestPlan<OfClocks>, BadInput> {
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
            // A single good clock suffices as the base of imperfect ones.
            (Some(_), []) => vec![ClockKind::Automatic],
            (_, named) => named.to_vec(),
        };
        let tasks = || vec![Task::ReportCard, Task::CheckClocks(self.settings())];
        let asked = |clock| LaunchTasks {
            clock,
            clocks: self.imperfect,
            optional,
            ..LaunchTasks::new(*world, *ranks, tasks())
        };
        Ok(TestPlan::new(*world, Emulation::Untimed.named(), clocks.into_iter().map(asked).collect()))
    }

    /// Returns the settings of windows around waits. Where waiting sleeps, windows are so long that waking up late by
    /// tens of µs is not too late.
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
