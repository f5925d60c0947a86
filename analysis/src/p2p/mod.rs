//! Messages between two ranks, in every world.

mod place;
mod simulated;

pub use place::RankPlace;
pub(crate) use place::emulated;

use crate::choice::{ModelChoice, NoiseChoice};
use campaign::Start;
use campaign::launch::Site;
use campaign::testing::{LaunchTasks, TestKind, TestPlan};
use measure::job::Task;
use models::limits::LONGEST_BUFFER;
use models::network::Hockney;
use models::noise::Noise;
use models::platform::Platform;
use probes::point_to_point::Report;
use programs::observation::World;
use programs::point_to_point::{Buffers, Test};
use scenario::BadInput;

/// Largest number of exchanges: each is kept, in memory and in JSON, and more would be gigabytes.
const MOST_EXCHANGES: u64 = 1 << 24;

/// Ranks that are tested.
pub struct Tested<'a> {
    /// Place where the ranks run.
    pub place: RankPlace,
    /// Number of ranks that are tested.
    pub ranks: u32,
    /// Programs and cores that start and carry MPI ranks.
    pub site: &'a Site,
    /// Network of simulated ranks, and of threads.
    pub model: ModelChoice,
    /// Noise of the simulated ranks.
    pub noise: NoiseChoice,
}

/// Ranks that are ready to begin.
pub enum Ready {
    /// Simulated ranks on a modelled platform, with the seed of their noise.
    Simulated(Platform, Noise, u64),
    /// Real ranks of a world; threads play this network.
    Real(World, Hockney),
}

impl Tested<'_> {
    /// Finds every fault of choices and files before the test begins.
    ///
    /// # Errors
    /// States the fault and the expected values.
    pub fn prepare(&self) -> Result<Ready, BadInput> {
        match self.place {
            RankPlace::Simulated => {
                let (platform, noise) = (self.model.platform(self.ranks)?, self.model.noise(&self.noise)?);
                Ok(Ready::Simulated(platform, noise, self.noise.seed))
            }
            RankPlace::Real(world) => {
                let emulated = place::emulated(&self.model.network)?;
                Start::new(world, self.ranks, self.site)?;
                Ok(Ready::Real(world, emulated))
            }
        }
    }

    /// Refuses tests that these ranks cannot carry out.
    ///
    /// # Errors
    /// States the fault and the expected values.
    pub fn check(&self, test: &Test) -> Result<(), BadInput> {
        let place = self.place;
        let most = place.most_ranks(self.site.cores);
        if !(2..=most).contains(&self.ranks) {
            let found = self.ranks;
            return Err(BadInput(format!(
                "--ranks: expected 2 to {most} ranks for this test ({place}), found {found}"
            )));
        }
        if place != RankPlace::Simulated && test.buffer_bytes() > LONGEST_BUFFER {
            return Err(BadInput("--sizes, --bytes: expected messages shorter than 1 GiB for real ranks".to_owned()));
        }
        let kept = test.exchanges(self.ranks);
        if kept > MOST_EXCHANGES {
            let message = format!("expected at most {MOST_EXCHANGES} recorded exchanges in total, found {kept}");
            return Err(BadInput(format!("{message}; give fewer ranks, sizes or exchanges")));
        }
        if test.buffers() == Buffers::Forwarded && matches!(test, Test::Transfer(transfer) if transfer.both_ways) {
            let message = "ranks cannot send a buffer while they receive into it";
            return Err(BadInput(format!("--buffers forwarded: {message}; also give --one-way")));
        }
        if test.buffers() == Buffers::Pool && test.lengths() > 1 {
            let message =
                "the pool's buffers are as long as the longest message, so that shorter ones would stay in cache";
            return Err(BadInput(format!("--buffers pool: {message}; give one of --sizes, or take --buffers cold")));
        }
        place.accepts(&self.model, &self.noise)
    }

    /// Carries out a test on the network of simulated ranks.
    ///
    /// # Errors
    /// Fails on ranks that wait for ever, or refuse.
    pub fn simulate(&self, (platform, noise, seed): (Platform, Noise, u64), test: &Test) -> anyhow::Result<Report> {
        simulated::run(test, platform, noise, seed, self.ranks)
    }
}

/// Returns the test as a campaign of real ranks.
pub fn plan<K: TestKind>(test: &Test, world: World, ranks: u32, emulated: Hockney) -> TestPlan<K> {
    let asked = LaunchTasks::new(world, ranks, vec![Task::PointToPoint(test.clone())]);
    TestPlan::new(world, emulated, vec![asked])
}

/// Returns the command line that would start the ranks of a test.
///
/// # Errors
/// Fails on a library that is not installed.
pub fn launch_line(place: RankPlace, ranks: u32, site: &Site, test: &str) -> Result<String, BadInput> {
    Ok(match place {
        RankPlace::Real(world) if world != World::Threads => {
            let start = Start::new(world, ranks, site)?;
            format!("# {}, {ranks} ranks, {test} test\n{}", world.title(), start.line().unwrap_or_default())
        }
        RankPlace::Real(_) | RankPlace::Simulated => format!("# {ranks} {place}: no launcher"),
    })
}
