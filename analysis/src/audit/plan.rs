//! The plan of an audit: every launch of every benchmark, in the order in which they are started, or texts that were
//! printed elsewhere.

use super::texts::Texts;
use crate::measuring;
use crate::run::calibrated::Missing;
use campaign::audit::{Program, Tool, Way};
use campaign::launch::Site;
use campaign::planned::CommandPlan;
use campaign::progress::Expected;
use models::collective::Collective;
use models::stable::draws;
use programs::audit::LaunchKey;
use programs::method::Buffer;
use programs::observation::World;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use statistics::AutoLaunches;
use std::path::PathBuf;
use std::time::Duration;

/// Approximate time that a benchmark is busy with one length, between the references that are taken around it.
const ROW: Duration = Duration::from_millis(100);

/// Complete request of an audit, kept in the campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuditPlan {
    /// Benchmarks are run on this machine.
    Benchmarks(Benchmarks),
    /// Texts are read, and references for their numbers are measured.
    Texts(Texts),
}

/// Benchmarks to run, with their calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Benchmarks {
    /// Benchmark suites that are audited.
    pub audited: Vec<Tool>,
    /// Operations whose benchmarks are run.
    pub operations: Vec<Collective>,
    /// Worlds in which they run.
    pub worlds: Vec<World>,
    /// Number of ranks; exactly one entry.
    pub ranks: Vec<u32>,
    /// Lengths in bytes, ascending.
    pub bytes: Vec<u64>,
    /// Number of launches of each benchmark in each way, an upper limit where `auto` is given.
    pub launches: u32,
    /// Precision of the ratios that ends the launches; `None` where their number is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto: Option<AutoLaunches>,
    /// State of the buffers in the reference windows.
    pub reference: Buffer,
    /// Files and folders that are searched for programs before PATH.
    pub places: Vec<PathBuf>,
    /// Seed of the drawn order of launches.
    pub seed: u64,
}

/// A single launch of a benchmark.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Launch {
    /// Key that identifies the launch in the campaign.
    pub key: LaunchKey,
    pub tool: Tool,
    /// Flags with which it is run.
    pub way: Way,
    pub program: Program,
}

impl Benchmarks {
    /// Returns all launches. Each round starts every benchmark once in each way, in a drawn order, so that drifts
    /// affect all of them alike.
    pub(crate) fn launches(&self) -> Vec<Launch> {
        let mut all = Vec::new();
        for number in 0..self.launches {
            let mut round = Vec::new();
            for &world in &self.worlds {
                for &ranks in &self.ranks {
                    round.extend(self.of_world(world, ranks, number));
                }
            }
            round.shuffle(&mut draws(self.seed, &format!("order/{number}")));
            all.extend(round);
        }
        all
    }

    fn of_world(&self, world: World, ranks: u32, launch: u32) -> impl Iterator<Item = Launch> + '_ {
        self.audited.iter().flat_map(move |&tool| {
            let programs = tool.programs(&self.operations);
            tool.ways().into_iter().flat_map(move |way| {
                programs.clone().into_iter().map(move |program| Launch {
                    key: LaunchKey {
                        world,
                        ranks,
                        tool: tool.title().to_owned(),
                        flags: way.flags.join(" "),
                        program: program.name.to_owned(),
                        launch,
                    },
                    tool,
                    way,
                    program,
                })
            })
        })
    }
}

impl CommandPlan for AuditPlan {
    const NAME: &'static str = "audit";
    const ABOUT: &'static str = "benchmarks, texts";

    fn question(&self) -> String {
        match self {
            AuditPlan::Benchmarks(plan) => {
                let tools: Vec<&str> = plan.audited.iter().map(|tool| tool.title()).collect();
                let names: Vec<String> = plan.operations.iter().map(ToString::to_string).collect();
                let (tools, names) = (tools.join(" and "), names.join(", "));
                format!("How wrong are {tools} of {names} here, and which flags should be used?")
            }
            AuditPlan::Texts(plan) => {
                let names: Vec<&str> = plan.texts.iter().map(|text| text.name.as_str()).collect();
                format!("How wrong are the numbers of {}, if they were printed on this machine?", names.join(", "))
            }
        }
    }

    fn seed(&self) -> u64 {
        match self {
            AuditPlan::Benchmarks(plan) => plan.seed,
            AuditPlan::Texts(plan) => plan.seed,
        }
    }

    fn worlds(&self) -> &[World] {
        match self {
            AuditPlan::Benchmarks(plan) => &plan.worlds,
            AuditPlan::Texts(plan) => &plan.worlds,
        }
    }

    fn ranks(&self) -> Vec<u32> {
        match self {
            AuditPlan::Benchmarks(plan) => plan.ranks.clone(),
            AuditPlan::Texts(plan) => plan.ranks.clone(),
        }
    }

    fn expected(&self, site: &Site) -> anyhow::Result<Expected> {
        match self {
            AuditPlan::Benchmarks(plan) => {
                let mut expected =
                    Expected::new(Self::NAME, ["benchmark run", "benchmark runs"]).at_most(plan.auto.is_some());
                expected.and_launches_of(plan.launches().len() as u64, ROW.saturating_mul(plan.bytes.len() as u32));
                Ok(expected)
            }
            AuditPlan::Texts(plan) => {
                let (calls, launches) = (plan.calls(), plan.launches(&plan.said().numbers));
                Ok(measuring::expected(Self::NAME, (&calls, &launches), site, |_| Missing::default())?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_starts_everything_once_and_the_order_is_drawn() {
        let plan = Benchmarks {
            audited: vec![Tool::Osu, Tool::Imb],
            operations: vec![Collective::Bcast, Collective::Allreduce],
            worlds: vec![World::OPENMPI, World::MPICH],
            ranks: vec![2],
            bytes: vec![8, 64],
            launches: 3,
            auto: None,
            reference: Buffer::Touched,
            places: Vec::new(),
            seed: 1,
        };
        let launches = plan.launches();
        // Two ways of two OSU programs, five of one of IMB's, in two worlds.
        assert_eq!(launches.len(), 3 * 2 * (2 * 2 + 5));
        let keys = |number: u32| {
            let round = launches.iter().map(|one| &one.key).filter(|key| key.launch == number);
            round.map(|key| (key.world, &key.flags, &key.program)).collect::<Vec<_>>()
        };
        assert_ne!(keys(0), keys(1), "another order");
        assert_eq!(launches, plan.launches(), "the same every time");
    }
}
