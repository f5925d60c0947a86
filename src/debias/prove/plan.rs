//! What the ranks do for a proof: calibrate, then in every round each case's reference and each benchmark's runs, in drawn orders.

use crate::bad_input::BadInput;
use crate::launch::Site;
use crate::measuring::orders::order;
use crate::measuring::plan::Plan;
use measure::job::Task;
use models::aggregation::Aggregation;
use models::budget::{Configuration, Gap, Starts};
use models::method::{Buffer, FirstCall, Method, Order, Preset};
use models::observation::{Carrier, Case};
use models::scenario::Group;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// One call to be proved on.
pub struct Call {
    /// Its key.
    pub case: Case,
    /// What is called, and how often it is timed.
    pub base: Order,
    /// What is run: the reference first, then what the benchmarks do.
    pub runs: Vec<Configuration>,
    /// Each printed number: the benchmark, the column's head, its configuration, its run.
    pub printed: Vec<Printed>,
}

/// One number that a benchmark prints.
pub struct Printed {
    /// The benchmark.
    pub preset: Preset,
    /// The column's head.
    pub head: &'static str,
    /// How it comes about.
    pub configuration: Configuration,
    /// Which of the runs it is made of.
    pub run: usize,
}

/// One run of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Counted from 0.
    pub round: u32,
    /// Which call.
    pub call: usize,
    /// Which of its runs.
    pub run: usize,
}

/// All calls of a plan that measures by windows.
pub fn calls(
    plan: &Plan,
    site: &Site,
    presets: &[Preset],
    columns: bool,
    reference: Buffer,
) -> Result<Vec<Call>, BadInput> {
    let launches = plan.launches(site.cores).map_err(BadInput)?;
    let mut calls = Vec::new();
    for launch in launches {
        let sleepy = launch.ranks > site.cores || launch.carrier == Carrier::Emulated;
        for case in launch.cases {
            let base = order(plan, &case, sleepy);
            calls.push(call(case, base, sleepy, presets, columns, reference)?);
        }
    }
    Ok(calls)
}

fn call(
    case: Case,
    base: Order,
    sleepy: bool,
    presets: &[Preset],
    columns: bool,
    reference: Buffer,
) -> Result<Call, BadInput> {
    let run_of = |configuration: &Configuration| {
        // How ranks become one number is a matter of what was recorded.
        let mut run = configuration.rooted(case.collective.is_rooted());
        run.aggregation = Aggregation::default();
        if sleepy {
            // Windows of ranks that sleep take milliseconds: as few as the reference has must do.
            run.gap.rules = None;
        }
        run
    };
    let mut runs = vec![run_of(&on_real_ranks(reference))];
    let mut printed = Vec::new();
    for &preset in presets {
        // Every benchmark has a run of its own, and so has the reference: no number is held against itself, or counted twice.
        let own = runs.len();
        for (index, column) in preset.columns().into_iter().enumerate() {
            if index > 0 && !columns {
                break;
            }
            let configuration = Configuration::preset(preset, Some(column.head)).map_err(BadInput)?;
            // All pairs have been connected since the calibration.
            let configuration = Configuration { first_call: FirstCall::Apart, ..configuration };
            let configuration = configuration.rooted(case.collective.is_rooted());
            if index == 0 {
                runs.push(run_of(&configuration));
            }
            printed.push(Printed { preset, head: column.head, configuration, run: own });
        }
    }
    Ok(Call { case, base, runs, printed })
}

/// The best reference that real ranks offer: windows that are as short as the calls allow.
fn on_real_ranks(reference: Buffer) -> Configuration {
    let mut windows = Configuration::perfect();
    windows.gap = Gap { costs: true, starts: Starts::Window, rules: None, window: None };
    windows.buffer = reference;
    windows
}

impl Call {
    /// What the ranks do in one run.
    pub fn order(&self, run: usize) -> Order {
        let settings = self.runs[run].settings(&self.base.settings);
        Order { settings, ..self.base.clone() }
    }

    /// What stands above its table.
    pub fn subject(&self) -> String {
        let Case { world, ranks, collective, implementation, root, .. } = &self.case;
        let rooted = if collective.is_rooted() { format!(", root {root}") } else { String::new() };
        format!("{collective}, {}{rooted}, {ranks} ranks, {}", implementation.name(), world.title())
    }
}

/// All runs of all rounds: calls in a drawn order, the runs of each in a drawn order next to each other.
pub fn turns(calls: &[Call], rounds: u32, seed: u64) -> Vec<Turn> {
    let mut draw = ChaCha8Rng::seed_from_u64(seed);
    let mut turns = Vec::new();
    for round in 0..rounds {
        let mut order: Vec<usize> = (0..calls.len()).collect();
        order.shuffle(&mut draw);
        for call in order {
            let mut runs: Vec<usize> = (0..calls[call].runs.len()).collect();
            runs.shuffle(&mut draw);
            turns.extend(runs.into_iter().map(|run| Turn { round, call, run }));
        }
    }
    turns
}

/// The tasks of these turns, in order.
pub fn tasks(calls: &[Call], turns: &[Turn]) -> Vec<Task> {
    let task = |turn: &Turn| {
        let call = &calls[turn.call];
        let order = call.order(turn.run);
        let mut case = call.case.by(order.settings.method);
        (case.conditions.sync, case.conditions.buffer) = (order.settings.sync, order.settings.factors.buffer);
        Task::Measure { case, order: Box::new(order) }
    };
    turns.iter().map(task).collect()
}

/// The ranks of these calls as one group, for whoever calibrates them.
pub fn group(calls: &[Call]) -> Option<Group> {
    let first = &calls.first()?.case;
    let cases = calls.iter().map(|call| call.case.clone()).collect();
    Some(Group::new(first.world, first.carrier, first.ranks, cases))
}

/// The plan of one world: windows alone, from which the runs are made.
pub fn windows(plan: Plan) -> Plan {
    Plan { methods: vec![Method::Window], ..plan }
}
