//! Real ranks for a test of their own: one launch, one job; tests of messages between two ranks are campaigns.

use crate::asking::{self, Asking};
use crate::environment::{facts, launches, utc_now};
use crate::launch::Site;
use crate::planned::Planned;
use crate::{Campaign, Start, notice_interrupts};
use anyhow::bail;
use measure::job::{Outcome, Task};
use models::library::Kin;
use models::memory::MemoryTest;
use models::network::Hockney;
use models::observation::{Conditions, Observation, World};
use models::point_to_point::{Record, Test};
use scenario::BadInput;
use scenario::store::{Exchanged, Line};
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;
use std::time::Duration;

/// Ranks that are to be started together.
pub struct Launch(Start);

impl Launch {
    /// So many ranks of a world on a site.
    pub fn new(
        world: World,
        ranks: u32,
        emulated: Hockney,
        patience: Duration,
        site: &Site,
    ) -> Result<Launch, BadInput> {
        Ok(Launch(Start { emulated, patience, ..Start::new(world, ranks, site)? }))
    }

    /// Ranks that have a core of their own, on all hosts together.
    pub fn cores(&self) -> u32 {
        self.0.site.cores
    }

    /// What readers must know of ranks that outnumber the cores.
    pub fn notes(&self) -> Vec<String> {
        let (ranks, cores) = (self.0.ranks, self.cores());
        if ranks <= cores {
            return Vec::new();
        }
        let waiting = match self.0.world {
            World::Threads | World::Simulated => "ranks sleep and yield while they wait",
            World::Mpi(library) => match library.kin {
                Kin::OpenMpi => "Open MPI's ranks yield while they wait (mpi_yield_when_idle)",
                Kin::Mpich => "MPICH's ranks spin while they wait in its calls: even a barrier may take milliseconds",
            },
        };
        vec![format!("oversubscribed: {ranks} ranks share {cores} cores, and times hold waits for a core; {waiting}")]
    }

    /// Carries out tasks, each with one answer.
    pub fn carry_out(&self, tasks: Vec<Task>) -> anyhow::Result<Vec<Outcome>> {
        self.0.ask(&self.0.job(tasks))
    }

    /// What is known of this machine and of what starts the ranks.
    pub fn facts(&self) -> Vec<(String, String)> {
        let launchers = self.0.launcher.as_slice();
        let mut facts = facts(launchers, &self.0.site);
        facts.extend(launches(launchers, &[self.0.ranks], &self.0.site));
        facts
    }

    /// The line that starts the ranks, for a shell.
    pub fn line(&self) -> Option<String> {
        self.0.line()
    }
}

/// A test of messages between two ranks as a campaign of one launch.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Plan<K> {
    /// What is asked for.
    pub test: Test,
    /// Where.
    pub world: World,
    /// How many ranks.
    pub ranks: u32,
    /// The network that threads play.
    pub emulated: Hockney,
    #[serde(skip)]
    kind: PhantomData<K>,
}

/// A kind of such tests, with a command of its own.
pub trait Kind: PartialEq {
    /// The command's name.
    const NAME: &'static str;
    /// What it answers.
    const QUESTION: &'static str;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident, $name:literal, $question:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, PartialEq)]
        pub struct $kind;

        impl Kind for $kind {
            const NAME: &'static str = $name;
            const QUESTION: &'static str = $question;
        }
    )*};
}

kinds! {
    /// Ping-pongs between ranks 0 and 1.
    OfLatency, "latency", "How long does a message take from one rank to another?";
    /// Rank 0 against every other rank.
    OfTransfer, "transfer", "How fast are messages one way, and both ways at once?";
    /// Every pair of ranks.
    OfMatrix, "latency-matrix", "How long does a message take between each two ranks?";
}

impl<K: Kind> Plan<K> {
    /// So many ranks of a world carry out a test.
    pub fn new(test: Test, world: World, ranks: u32, emulated: Hockney) -> Plan<K> {
        Plan { test, world, ranks, emulated, kind: PhantomData }
    }
}

impl<K: Kind> Planned for Plan<K> {
    const NAME: &'static str = K::NAME;
    const ABOUT: &'static str = "lengths";

    fn question(&self) -> String {
        K::QUESTION.to_owned()
    }

    fn seed(&self) -> u64 {
        // Nothing is drawn.
        0
    }

    fn worlds(&self) -> &[World] {
        std::slice::from_ref(&self.world)
    }

    fn ranks(&self) -> &[u32] {
        std::slice::from_ref(&self.ranks)
    }
}

/// Asks the ranks of such a test; the lines have what `load` says of other programs, once the ranks have ended.
pub struct Testing<'a, K, L> {
    /// What is asked.
    pub plan: &'a Plan<K>,
    /// The ranks of that plan.
    pub ranks: Launch,
    /// What else used the machine since the test began.
    pub load: L,
}

impl<K: Kind, L: Fn() -> Option<String>> Asking for Testing<'_, K, L> {
    type Planned = ();

    fn ask(&mut self, (): &(), campaign: &mut Campaign) -> anyhow::Result<Option<asking::Launch>> {
        if campaign.lines().iter().any(|line| matches!(line, Line::Exchanged(_))) {
            return Ok(None);
        }
        notice_interrupts()?;
        let look = || Task::Memory(MemoryTest::look());
        let tasks = vec![look(), Task::PointToPoint(self.plan.test.clone()), look()];
        let start = self.ranks.0.clone();
        Ok(Some(asking::Launch { start, tasks, number: 0, conditions: Conditions::default() }))
    }

    fn measured(&mut self, _: Observation) -> anyhow::Result<Line> {
        bail!("ranks answered a measurement that nobody asked for")
    }

    fn exchanged(&mut self, ran_by: String, record: Record) -> anyhow::Result<Line> {
        let Testing { plan, ranks, .. } = self;
        let mut notes = ranks.notes();
        notes.extend((self.load)());
        Ok(Line::Exchanged(Box::new(Exchanged {
            test: plan.test.clone(),
            world: plan.world,
            carrier: ranks.0.carrier,
            ranks: plan.ranks,
            cores: ranks.cores(),
            ran_by,
            date: utc_now(),
            launch: ranks.line(),
            notes,
            record,
        })))
    }
}
