//! Real ranks: their machine, if it is not known yet, and the rounds of each launch.

use super::calibrate;
use super::orders::{self, Wanted};
use super::plan::{Launch, Plan};
use crate::measuring::orders::EMULATED;
use crate::run::calibrated::Missing;
use anyhow::Context;
use campaign::BadInput;
use campaign::Campaign;
use campaign::Start;
use campaign::launch::Site;
use measure::job::{Outcome, Task};
use models::budget::Round;
use models::method::Method;
use models::observation::{Case, Conditions};
use scenario::Group;
use scenario::store::Line;
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

/// What all launches have in common.
pub struct Real<'a> {
    pub plan: &'a Plan,
    pub site: &'a Site,
    pub patience: Duration,
    pub quiet: bool,
}

impl Real<'_> {
    /// Starts the ranks of a launch, unless all its rounds are there, and keeps what they answer.
    pub fn launch(&self, launch: &Launch, campaign: &mut Campaign) -> anyhow::Result<()> {
        let cases = self.plan.cases(launch.world, launch.ranks).map_err(BadInput)?;
        let there = rounds_of(campaign);
        let mut missing = orders::wanted(self.plan, launch, &cases);
        missing.retain(|wanted| !there.contains(&(plain(&wanted.subject), wanted.run, wanted.round)));
        let judged = has_card(campaign, launch);
        if missing.is_empty() && (judged || !launch.judges_clock()) {
            return Ok(());
        }
        let group = calibrate::group(launch, &cases);
        let mut calibrations =
            if launch.judges_clock() { Missing::default() } else { self.calibrate(launch, &group, campaign)? };
        let first = if judged { Vec::new() } else { vec![Task::ReportCard] };
        let start = self.start(launch, launch.clock)?;
        let mut job = orders::job(self.plan, launch, &start, first, &missing);
        calibrations.add_to(&mut job.tasks);
        job.fits().map_err(BadInput)?;
        let folder = campaign.folder().join(format!("job-{}-{}-{}", launch.world.name(), launch.ranks, launch.number));
        let mut expected: VecDeque<Wanted> = missing.into();
        let hear = |outcome| self.keep(launch, outcome, (&mut expected, &mut calibrations), campaign);
        let ended = start.carry_out(&job, &folder, hear);
        if ended.as_ref().is_err_and(|error| error.is::<BadInput>()) {
            // Nothing died: there is nothing to look into.
            let _ = std::fs::remove_dir_all(&folder);
        }
        ended.with_context(|| format!("launch {}", launch.number + 1))?;
        let (title, from, to, all) =
            (launch.world.title(), launch.rounds.start + 1, launch.rounds.end, self.plan.rounds);
        if launch.judges_clock() {
            self.say(&format!("judged     {title}, the benchmarks' clock"));
        } else {
            self.say(&format!("measured   {title}, {} ranks, rounds {from} to {to} of {all}", launch.ranks));
        }
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))
    }

    fn start(&self, launch: &Launch, clock: models::clock::ClockKind) -> Result<Start, BadInput> {
        let start = Start::new(launch.world, launch.ranks, self.site)?;
        Ok(Start { emulated: EMULATED, clock, patience: self.patience, ..start })
    }

    /// Finds out what the ranks' machine is, unless a file says it; what the launch itself has to do for that.
    fn calibrate(&self, launch: &Launch, group: &Group, campaign: &mut Campaign) -> anyhow::Result<Missing> {
        if self.plan.machine.is_some() {
            return Ok(Missing::of_check(group, campaign));
        }
        if calibrate::first(&self.start(launch, self.plan.calls.clock)?, group, campaign)? {
            self.say(&format!("calibrated {}", group.machine_name()));
        }
        Ok(calibrate::of_launch(launch, group, campaign))
    }

    /// Writes down what the ranks of a launch answered.
    fn keep(
        &self,
        launch: &Launch,
        outcome: Outcome,
        (expected, calibrations): (&mut VecDeque<Wanted>, &mut Missing),
        campaign: &mut Campaign,
    ) -> anyhow::Result<()> {
        match outcome {
            Outcome::Measured(observation) => {
                crate::measuring::refuse_unproven(&observation)?;
                let Wanted { run, round, .. } = expected.pop_front().context("ranks answered more than was asked")?;
                campaign.append(Line::Round(Box::new(Round { run, round, observation })))
            }
            Outcome::ClockReported(card) => {
                let (world, ranks) = (launch.world, launch.ranks);
                campaign.append(Line::ReportCard { world, ranks, card: Box::new(card) })
            }
            Outcome::Refused(reason) => Err(BadInput(reason).into()),
            Outcome::Calibrated { ran_by, samples, control } => calibrations.keep(campaign, ran_by, &samples, control),
            Outcome::ClocksChecked(_)
            | Outcome::Memory { .. }
            | Outcome::Explored(_)
            | Outcome::Checked(_)
            | Outcome::SyncCompared(_)
            | Outcome::PointToPoint { .. } => Ok(()),
        }
    }

    fn say(&self, words: &str) {
        if !self.quiet {
            note!("{words}");
        }
    }
}

/// What rounds of which runs of which cases are there.
fn rounds_of(campaign: &Campaign) -> BTreeSet<(Case, u32, u32)> {
    let rounds = campaign.lines().iter().filter_map(|line| match line {
        Line::Round(round) => Some((plain(&round.observation.case), round.run, round.round)),
        _ => None,
    });
    rounds.collect()
}

/// A case whatever the method and the conditions of a run.
fn plain(case: &Case) -> Case {
    Case { conditions: Conditions::default(), ..case.by(Method::Window) }
}

/// True if the clock of a launch has been judged; of the best clock there is any card will do.
fn has_card(campaign: &Campaign, launch: &Launch) -> bool {
    campaign.lines().iter().any(|line| {
        matches!(line, Line::ReportCard { world, ranks, card }
            if (*world, *ranks) == (launch.world, launch.ranks)
                && (card.clock == launch.clock || !launch.judges_clock()))
    })
}
