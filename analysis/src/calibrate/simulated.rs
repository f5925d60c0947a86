//! Simulated ranks carry out the tasks of real ones: a calibration must return the parameters that their machine was
//! given.

use super::Answers;
use super::plan::CalibrationPlan;
use anyhow::bail;
use measure::job::{Outcome, Task};
use models::noise::Noise;
use models::platform::Platform;
use programs::calibration::Exploration;
use programs::sync::Sync;
use sim::{SimError, SimWorld};

/// A machine of simulated ranks with perfect clocks.
pub(super) struct SimulatedRanks {
    /// Network with its refinements.
    pub platform: Platform,
    /// Noise of the ranks; each launch and task has a realisation of its own.
    pub noise: Noise,
    pub ranks: u32,
}

impl SimulatedRanks {
    /// Carries out all tasks of a plan and returns the answers.
    pub(super) fn simulate_tasks(
        &self,
        plan: &CalibrationPlan,
        mut hear: impl FnMut(&Outcome),
    ) -> anyhow::Result<Answers> {
        let first = (0..plan.launches).map(|_| &plan.connect);
        let tasks = first.chain(&plan.whole);
        let mut outcomes = Vec::new();
        for (number, task) in (0..).zip(tasks) {
            anyhow::ensure!(!campaign::interrupted(), "interrupted");
            let outcome = self.simulate_task(task, number)?;
            hear(&outcome);
            outcomes.push(outcome);
        }
        Ok(Answers { launches: vec![outcomes], launch: None, load: None })
    }

    fn simulate_task(&self, task: &Task, number: u32) -> anyhow::Result<Outcome> {
        match task {
            Task::Calibrate(settings) => {
                let run = self.world(number).run(async |rank| {
                    let clock = Sync::Linear.synchronise(&rank).await;
                    (settings.run(&rank).await, clock.bound)
                })?;
                let control = run.results.iter().map(|(_, bound)| *bound).max().unwrap_or_default();
                let samples = run.results.into_iter().next().map_or(Ok(Vec::new()), |(samples, _)| samples);
                let samples = samples.map_err(SimError::Order)?;
                let ran_by = format!("simulated ranks, {}", self.platform);
                Ok(Outcome::Calibrated { ran_by, samples, control })
            }
            Task::Explore(exploration) => Ok(Outcome::Explored(self.explore(exploration, number)?)),
            other => bail!("simulated ranks are not asked for {other:?}"),
        }
    }

    fn explore(&self, exploration: &Exploration, number: u32) -> anyhow::Result<programs::calibration::Finding> {
        let parts = self.world(number).run(async |rank| exploration.run(&rank).await)?.results;
        let parts: Vec<_> = parts.into_iter().collect::<Result<_, _>>().map_err(SimError::Order)?;
        Exploration::gathered(parts).ok_or_else(|| anyhow::anyhow!("there are no ranks"))
    }

    fn world(&self, number: u32) -> SimWorld {
        let control = self.platform.network;
        SimWorld {
            network: self.platform.clone(),
            noise: self.noise.realisation(number),
            ..SimWorld::ideal(control, self.ranks)
        }
    }
}
