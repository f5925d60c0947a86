//! Turns the rounds of a launch into the tasks of its ranks.

use super::plan::{BudgetPlan, Launch, recorded};
use crate::measuring::orders::order as measured_order;
use campaign::Start;
use measure::job::Task;
use models::stable::draws;
use models::time::Span;
use programs::budget::Configuration;
use programs::method::{AGAIN_WARMUP, Order, StopRule};
use programs::observation::Case;
use rand::seq::SliceRandom;

/// Number of windows started per wanted valid one, after which a run ends.
const TRIES: u32 = 4;

/// Time after which a round announces no further start: where few are valid, the next round may have more.
const BUDGET: Span = Span::from_ms(300);

/// A single run that ranks still have to make.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wanted {
    /// Case that is called; its method is ignored.
    pub subject: Case,
    /// Index of the run among the runs of the subject.
    pub run: u32,
    pub round: u32,
    pub configuration: Configuration,
}

/// Returns the runs of a launch in order: of each case one round after the other, the runs of each round in a drawn
/// order.
pub(super) fn wanted(plan: &BudgetPlan, launch: &Launch, cases: &[Case]) -> Vec<Wanted> {
    let Launch { world, ranks, occasion, .. } = launch;
    let mut draw = draws(plan.calls.seed, &format!("order/{}/{ranks}/{}", world.name(), occasion.launch));
    let mut all = Vec::new();
    for subject in cases {
        let runs = plan.runs(subject);
        for round in launch.rounds.clone() {
            let mut these: Vec<Wanted> = (0..)
                .zip(&runs)
                .map(|(run, configuration)| Wanted {
                    subject: subject.clone(),
                    run,
                    round,
                    configuration: configuration.clone(),
                })
                .collect();
            these.shuffle(&mut draw);
            all.extend(these);
        }
    }
    all
}

/// Returns the tasks of a launch: those of `first`, then one for each run.
pub(super) fn tasks(
    plan: &BudgetPlan,
    launch: &Launch,
    start: &Start,
    first: Vec<Task>,
    wanted: &[Wanted],
) -> Vec<Task> {
    let sleepy = is_sleepy(launch, start);
    let mut tasks = first;
    let mut before: Option<&Case> = None;
    tasks.extend(wanted.iter().map(|wanted| {
        let case = recorded(&wanted.subject, &wanted.configuration, plan);
        let mut base = base(plan, &wanted.subject, sleepy);
        if before.replace(&wanted.subject) == Some(&wanted.subject) && plan.calls.warmup.is_none() {
            base.settings.warmup = base.settings.warmup.min(AGAIN_WARMUP);
        }
        let order = Order { settings: wanted.configuration.settings(&base.settings), ..base };
        Task::Measure { case, order: Box::new(order) }
    }));
    tasks
}

/// True if ranks sleep while they wait, because they share cores or the network is emulated.
pub(super) fn is_sleepy(launch: &Launch, start: &Start) -> bool {
    launch.ranks > start.site.cores || start.carrier.is_emulated()
}

/// Returns the order that all configurations of a case have in common, on real and on simulated ranks: the same number
/// of calls by any method.
pub(super) fn base(plan: &BudgetPlan, case: &Case, sleepy: bool) -> Order {
    let mut order = measured_order(&plan.calls, case, sleepy);
    let calls = plan.calls.calls.saturating_mul(plan.calls.samples);
    order.settings.round_time.budget = BUDGET;
    order.settings.window.stop = StopRule::Counts { starts: calls.saturating_mul(TRIES), valid: calls };
    order
}
