//! Real ranks: their machine, if it is not known yet, and the rounds of each launch.

use super::calibrate;
use super::orders::{self, Wanted};
use super::plan::{BudgetPlan, Launch};
use crate::run::calibrated::Missing;
use anyhow::Context;
use campaign::asking::{self, Asking, Calibrated};
use campaign::launch::Site;
use campaign::planned::{CommandPlan, Keeping};
use campaign::progress::Expected;
use campaign::{Campaign, RecordedCampaign, Start};
use measure::job::Task;
use models::clock::ClockKind;
use programs::budget::Round;
use programs::observation::{CaseKey, Conditions, Observation, Occasion};
use scenario::BadInput;
use scenario::Group;
use scenario::store::Line;
use std::collections::{BTreeSet, VecDeque};

/// Real ranks that carry out the rounds of a plan.
pub(super) struct Real<'a> {
    plan: &'a BudgetPlan,
    keeping: Keeping<'a>,
    site: &'a Site,
    /// Runs that the current launch still has to answer.
    expected: VecDeque<Wanted>,
    /// Calibrations that the current launch still has to make.
    calibrations: Missing,
}

impl<'a> Real<'a> {
    pub(super) fn new(plan: &'a BudgetPlan, keeping: Keeping<'a>, site: &'a Site) -> Real<'a> {
        Real { plan, keeping, site, expected: VecDeque::new(), calibrations: Missing::default() }
    }

    fn start(&self, launch: &Launch, clock: ClockKind) -> Result<Start, BadInput> {
        Ok(Start { clock, patience: self.keeping.patience, ..start(self.plan, launch, self.site)? })
    }

    /// Calibrates the ranks' machine, unless a file describes it; returns the calibrations that the launch itself has
    /// to make.
    fn calibrate(&self, launch: &Launch, group: &Group, campaign: &mut Campaign) -> anyhow::Result<Missing> {
        if self.plan.machine.is_some() {
            return Ok(Missing::of_check(group, campaign));
        }
        if calibrate::first(&self.start(launch, self.plan.calls.clock)?, group, campaign)? {
            self.say(&format!("calibrated {}", group.machine_name()));
        }
        Ok(calibrate::of_launch(launch, group, campaign))
    }

    fn say(&self, words: &str) {
        if !self.keeping.quiet {
            note!("{words}");
        }
    }
}

fn start(plan: &BudgetPlan, launch: &Launch, site: &Site) -> Result<Start, BadInput> {
    let carrier = plan.calls.carrier_of(launch.world);
    Ok(Start { carrier, ..Start::new(launch.world, launch.ranks, site)? })
}

/// Returns the work of a plan: runs of configurations, and calibrations unless a file describes the machine.
pub(super) fn expected(plan: &BudgetPlan, site: &Site) -> anyhow::Result<Expected> {
    let mut expected = Expected::new(BudgetPlan::NAME, ["run", "runs"]);
    for launch in &plan.launches(site.cores).map_err(BadInput)? {
        let cases = plan.cases(launch.world, launch.ranks).map_err(BadInput)?;
        let (start, wanted) = (start(plan, launch, site)?, orders::wanted(plan, launch, &cases));
        let mut tasks = orders::tasks(plan, launch, &start, vec![Task::ReportCard], &wanted);
        let group = calibrate::group(launch, &cases);
        if plan.machine.is_none() && !launch.judges_clock() {
            calibrate::of_launch(launch, &group, &RecordedCampaign::default()).add_to(&mut tasks);
            if launch.occasion == Occasion::default() {
                calibrate::expect_first(&start, &group, &mut expected)?;
            }
        }
        expected.and_launch(&start, &tasks, wanted.len())?;
    }
    Ok(expected)
}

impl Asking for Real<'_> {
    type PlannedLaunch = Launch;

    fn ask(&mut self, launch: &Launch, campaign: &mut Campaign) -> anyhow::Result<Option<asking::Launch>> {
        let cases = self.plan.cases(launch.world, launch.ranks).map_err(BadInput)?;
        let there = rounds_of(campaign);
        let mut missing = orders::wanted(self.plan, launch, &cases);
        missing.retain(|wanted| !there.contains(&(wanted.subject.without_conditions(), wanted.run, wanted.round)));
        let judged = has_card(campaign, launch);
        if missing.is_empty() && (judged || !launch.judges_clock()) {
            return Ok(None);
        }
        let group = calibrate::group(launch, &cases);
        self.calibrations =
            if launch.judges_clock() { Missing::default() } else { self.calibrate(launch, &group, campaign)? };
        let first = if judged { Vec::new() } else { vec![Task::ReportCard] };
        let start = self.start(launch, launch.clock)?;
        let mut tasks = orders::tasks(self.plan, launch, &start, first, &missing);
        self.calibrations.add_to(&mut tasks);
        self.expected = missing.into();
        Ok(Some(asking::Launch { start, tasks, occasion: launch.occasion, conditions: Conditions::default() }))
    }

    fn measured(&mut self, observation: Observation) -> anyhow::Result<Line> {
        let Wanted { run, round, .. } = self.expected.pop_front().context("ranks returned too many results")?;
        Ok(Line::Round(Box::new(Round { run, round, observation })))
    }

    fn calibrated(&mut self, found: Calibrated, campaign: &mut Campaign) -> anyhow::Result<()> {
        self.calibrations.keep(campaign, found)
    }

    fn finished(&mut self, launch: &Launch) {
        let (title, from, to, all) =
            (launch.world.title(), launch.rounds.start + 1, launch.rounds.end, self.plan.rounds);
        if launch.judges_clock() {
            self.say(&format!("judged     {title}, the benchmarks' clock"));
        } else {
            self.say(&format!("measured   {title}, {} ranks, rounds {from} to {to} of {all}", launch.ranks));
        }
    }
}

/// Returns the rounds of all runs of all cases that the campaign has.
fn rounds_of(campaign: &Campaign) -> BTreeSet<(CaseKey, u32, u32)> {
    let rounds = campaign.records().rounds();
    rounds.map(|round| (round.observation.case.without_conditions(), round.run, round.round)).collect()
}

/// True if the clock of a launch has been judged; for the best clock a card of any clock suffices.
fn has_card(campaign: &Campaign, launch: &Launch) -> bool {
    let mut cards = campaign.records().report_cards().filter(|(of, _)| *of == (launch.world, launch.ranks));
    cards.any(|(_, card)| card.clock == launch.clock || !launch.judges_clock())
}
