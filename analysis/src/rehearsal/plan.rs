//! The runs of the ranks: in every round each call's reference and each benchmark's runs, in drawn orders.

use crate::measuring::orders::order;
use crate::measuring::plan::{Breadth, MeasurementPlan, Operation};
use campaign::launch::Site;
use measure::job::Task;
use models::clock::ClockKind;
use models::collective::Collective;
use models::stable::draws;
use programs::aggregation::Aggregation;
use programs::budget::{Configuration, Gap, Starts};
use programs::method::{Buffer, FirstCall, Method, Order, Preset, WindowRules};
use programs::observation::{Case, CasePlace, CaseSubject, Emulation, World};
use programs::sync::Sync;
use rand::seq::SliceRandom;
use scenario::BadInput;
use scenario::Group;

/// A call with its runs and the numbers that benchmarks print of it.
pub(crate) struct Call {
    /// Case of the call, which identifies it.
    pub case: Case,
    /// Order of the call, and the number of times that it is timed.
    pub base: Order,
    /// Configurations that are run: the reference first, then those of the benchmarks.
    pub runs: Vec<Configuration>,
    /// Numbers that benchmarks print of the call.
    pub printed: Vec<Printed>,
}

/// A benchmark, and the head of its column that is requested; `None` for its usual columns.
pub(crate) type PresetColumn = (Preset, Option<&'static str>);

/// A number that a benchmark prints.
pub(crate) struct Printed {
    pub preset: Preset,
    /// Head of the number's column.
    pub head: &'static str,
    /// Configuration under which the number comes about.
    pub configuration: Configuration,
    /// Index of the run from which the number is made.
    pub run: usize,
}

/// A single run of a call in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Number of the round, from 0.
    pub round: u32,
    /// Index of the call.
    pub call: usize,
    /// Index of the run within the call.
    pub run: usize,
}

/// Returns all calls of a plan that measures by windows.
pub(crate) fn calls(
    plan: &MeasurementPlan,
    site: &Site,
    presets: &[PresetColumn],
    columns: bool,
    reference: Buffer,
) -> Result<Vec<Call>, BadInput> {
    let launches = plan.launches(site.cores).map_err(BadInput)?;
    let mut calls = Vec::new();
    for launch in launches {
        let sleepy = launch.ranks > site.cores || launch.carrier.is_emulated();
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
    presets: &[PresetColumn],
    columns: bool,
    reference: Buffer,
) -> Result<Call, BadInput> {
    let run_of = |configuration: &Configuration| {
        // The aggregation over ranks is applied to the record later.
        let mut run = configuration.rooted(case.subject.collective.is_rooted());
        run.aggregation = Aggregation::default();
        if sleepy {
            // Windows of ranks that sleep take milliseconds, so that no more are started than the reference has.
            run.gap.rules = None;
        }
        run
    };
    let mut runs = vec![run_of(&on_real_ranks(reference))];
    let mut printed = Vec::new();
    for &(preset, column) in presets {
        // Every benchmark has a run of its own, and so has the reference: no number is compared with itself, or counted
        // twice.
        let own = runs.len();
        let mut heads: Vec<&'static str> = preset.columns().into_iter().map(|column| column.head).collect();
        match column {
            Some(head) => heads = vec![head],
            None if !columns => heads.truncate(1),
            None => {}
        }
        for (index, head) in heads.into_iter().enumerate() {
            let configuration = configuration(preset, head, case.subject.collective).map_err(BadInput)?;
            if index == 0 {
                runs.push(run_of(&configuration));
            }
            printed.push(Printed { preset, head, configuration, run: own });
        }
    }
    Ok(Call { case, base, runs, printed })
}

/// Returns the configuration of a column's number where it is timed beside its reference: all pairs have been connected
/// before.
///
/// # Errors
/// Fails on a column that the benchmark does not print.
pub(crate) fn configuration(preset: Preset, head: &str, collective: Collective) -> Result<Configuration, String> {
    let usual = Configuration::preset(preset, Some(head))?;
    Ok(Configuration { first_call: FirstCall::Apart, ..usual }.rooted(collective.is_rooted()))
}

/// Returns the best reference that real ranks offer: windows that are as short as the calls allow.
fn on_real_ranks(reference: Buffer) -> Configuration {
    let mut windows = Configuration::perfect();
    windows.gap = Gap { costs: true, starts: Starts::Window, rules: None, window: None };
    windows.buffer = reference;
    windows
}

impl Call {
    /// Returns the order of the ranks for one run.
    pub(crate) fn order(&self, run: usize) -> Order {
        let settings = self.runs[run].settings(&self.base.settings);
        Order { settings, ..self.base.clone() }
    }

    /// Returns the title of the call's table.
    pub(crate) fn subject(&self) -> String {
        let CasePlace { world, ranks, .. } = self.case.place;
        let CaseSubject { collective, implementation, root, .. } = &self.case.subject;
        let rooted = if collective.is_rooted() { format!(", root {root}") } else { String::new() };
        format!("{collective}, {}{rooted}, {ranks} ranks, {}", implementation.name(), world.title())
    }
}

/// Returns all runs of all rounds: calls in a drawn order, the runs of each in a drawn order next to each other.
pub(crate) fn turns(calls: &[Call], rounds: u32, seed: u64) -> Vec<Turn> {
    let mut draw = draws(seed, "turns");
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

/// Returns the tasks of these turns, in order.
pub(crate) fn tasks(calls: &[Call], turns: &[Turn]) -> Vec<Task> {
    let task = |turn: &Turn| {
        let call = &calls[turn.call];
        let order = call.order(turn.run);
        let mut case = call.case.by(order.settings.method);
        (case.timing.conditions.sync, case.timing.conditions.buffer) =
            (order.settings.sync, order.settings.factors.buffer);
        Task::Measure { case, order: Box::new(order) }
    };
    turns.iter().map(task).collect()
}

/// Returns the ranks of these calls as one group that can be calibrated.
pub(crate) fn group(calls: &[Call]) -> Option<Group> {
    let first = &calls.first()?.case;
    let cases = calls.iter().map(|call| call.case.clone()).collect();
    Some(Group::new(first.place.world, first.place.carrier, first.place.ranks, cases))
}

/// Returns the plan of one world's ranks: windows alone, from which the runs are made, of the library's own algorithms.
pub(crate) fn plan(world: World, ranks: u32, operations: Vec<Operation>, bytes: Vec<u64>) -> MeasurementPlan {
    MeasurementPlan {
        operations,
        breadth: Breadth::One,
        tunings: Default::default(),
        segments: Vec::new(),
        carrier: None,
        emulation: Emulation::Measure,
        worlds: vec![world],
        ranks: vec![ranks],
        bytes,
        algorithms: Vec::new(),
        methods: vec![Method::Window],
        root: 0,
        calls: 10,
        samples: if world == World::Threads { 3 } else { 30 },
        warmup: None,
        launches: 1,
        auto: None,
        clock: ClockKind::Automatic,
        clocks: None,
        sync: Sync::default(),
        buffer: Buffer::Same,
        reference: None,
        rules: WindowRules::default(),
        delay: None,
        windows: Vec::new(),
        check: false,
        seed: 1,
    }
}
