//! A job: the tasks of one world of real ranks, and its outcomes, task by task.

mod collect;
mod outcome;
mod room;
mod task;

pub use collect::{clock_sentence, collect};
pub use outcome::Outcome;
pub use room::available_memory_bytes;
pub use task::Task;

use crate::board::host_name;
use crate::check::{check, check_calls, check_order, check_shared};
use crate::clock::{ClockSource, beside, read_cost, report_card_of};
use crate::memory;
use crate::rank::{Carriage, RealRank};
use models::call::Call;
use models::clock::{ClockKind, DrawnClocks, Processes, ReportCard};
use models::collective::Shape;
use models::forced;
use models::network::Hockney;
use models::time::Span;
use programs::calibration::{CalibrationSettings, Exploration};
use programs::memory::MemoryTest;
use programs::meters::{Meter, Metered};
use programs::method::{MethodSettings, Order, Subject, run_order};
use programs::observation::{Carrier, ClockCheck, Observation, RankRecord, World};
use programs::operation::WaitPattern;
use programs::point_to_point::Test;
use programs::rank::{Phase, Rank};
use programs::sync::Sync;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::convert::identity;
use std::time::Duration;

/// Tasks of ranks that are started together, with their circumstances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Number of ranks that the job needs.
    pub ranks: u32,
    /// Cores that the ranks may use, on all hosts together.
    pub cores: u32,
    /// Hosts that the ranks are spread over.
    pub hosts: u32,
    /// World in which the ranks run.
    pub world: World,
    /// Carrier of the steps of collectives.
    pub carrier: Carrier,
    /// Network that is emulated, for emulated carriers.
    pub emulated: Hockney,
    /// Kind of clock that ranks read.
    #[serde(default)]
    pub clock: ClockKind,
    /// Errors that are drawn for that clock, `None` if it is read as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<DrawnClocks>,
    /// Tasks of the job, in order.
    pub tasks: Vec<Task>,
}

impl Job {
    /// Returns true if ranks may exchange nothing before the job begins, not even to agree on a clock.
    pub fn wants_fresh_world(&self) -> bool {
        self.tasks.iter().any(|task| matches!(task, Task::Explore(exploration) if exploration.wants_fresh_world()))
    }

    /// Returns the environment variables that must be set when ranks start, so that the library can be made to use the
    /// algorithms of the tasks.
    ///
    /// # Errors
    ///
    /// Fails if the library takes its algorithm at the start, and tasks differ in that.
    pub fn environment(&self) -> Result<BTreeMap<String, String>, String> {
        let mut needs =
            self.tasks.iter().filter(|task| task.order().is_some()).map(|task| task.environment(self.world));
        let first = needs.next().unwrap_or_default();
        if forced::told_at_start(self.world) && needs.any(|other| other != first) {
            return Err(format!(
                "{} is told its algorithm when it starts, and everything here is measured in one start; expected one --algorithm \
                 library:NAME alone, or `parallax measure`",
                self.world.title()
            ));
        }
        Ok(self.tasks.iter().flat_map(|task| task.environment(self.world)).collect())
    }
}

/// Carries out the whole job on one rank. Rank 0 hands each outcome to `tell` as soon as it is there.
pub async fn serve<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    job: &Job,
    ran_by: &str,
    mut begin: impl FnMut(u32),
    mut tell: impl FnMut(Outcome),
) {
    for (index, task) in job.tasks.iter().enumerate() {
        begin(index as u32);
        match task {
            Task::Calibrate(settings) => calibrate(rank, settings, ran_by, &mut tell).await,
            Task::CheckClocks(settings) => check_clocks(rank, job, settings, &mut tell).await,
            Task::CompareSync(settings) => {
                let by_rank = collect(rank, &settings.run(rank).await).await;
                (rank.id() == 0).then(|| tell(Outcome::SyncCompared(settings.trials(&by_rank))));
            }
            Task::ReportCard => report_card(rank, ran_by, &mut tell).await,
            Task::Check => {
                let found = check(rank).await;
                report_findings(rank, found, &mut tell, fewest).await;
            }
            Task::CheckCalls { operations } => {
                let found = check_calls(rank, operations).await;
                report_findings(rank, found, &mut tell, fewest).await;
            }
            Task::CheckShared { queued, broadcasts, seed } => {
                let found = check_shared(rank, queued, *broadcasts, *seed).await;
                report_findings(rank, found, &mut tell, fewest).await;
            }
            Task::CheckCase { order, .. } => {
                let found = check_order(rank, order).await;
                report_findings(rank, found, &mut tell, fewest).await;
            }
            Task::Measure { case, order } => {
                let found = run_order(rank, order).await;
                let observation = |ranks: Vec<RankRecord>| {
                    let oversubscribed = job.ranks > job.cores;
                    Outcome::Measured(Observation { oversubscribed, ..Observation::new(case.clone(), ran_by, ranks) })
                };
                report_findings(rank, found, &mut tell, observation).await;
            }
            Task::PointToPoint(test) => exchange(rank, test, ran_by, &mut tell).await,
            Task::Memory(test) => look_at_memory(rank, test, ran_by, &mut tell).await,
            Task::Explore(exploration) => {
                let found = exploration.run(rank).await;
                let gathered = |parts| Outcome::Explored(Exploration::gathered(parts).expect("rank 0 has a part"));
                report_findings(rank, found, &mut tell, gathered).await;
            }
            Task::Record(recording) => tell_first(rank, recording.run(rank, ran_by).await, &mut tell, identity),
            Task::Work(labour) => tell_first(rank, labour.run(rank, ran_by).await, &mut tell, identity),
            Task::Meter(meter) => measure_doings(rank, meter, ran_by, &mut tell).await,
        }
        if !job.wants_fresh_world() {
            go_on(rank).await;
        }
    }
    rank.enter_phase(Phase::Finished);
}

/// Reports on rank 0's clock: its card, the cost of a read while all ranks read at once, and the looks of all ranks
/// where a library makes a clock for each of them. The other ranks wait until rank 0 goes on.
async fn report_card<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    ran_by: &str,
    tell: &mut impl FnMut(Outcome),
) {
    let clock = rank.clock.clock();
    let says_global = clock.says_global();
    let ranks = match says_global {
        Some(_) => collect(rank, &beside(clock, LOOKS_APART)).await,
        None => Vec::new(),
    };
    // All ranks go on, or have just given their looks.
    let at_once = collect(rank, &read_cost(rank.clock)).await;
    if rank.id() == 0 {
        let processes = says_global.map(|says_global| Processes { ran_by: ran_by.to_owned(), says_global, ranks });
        let read_at_once_ns = at_once.into_iter().reduce(f64::max).filter(|_| rank.size() > 1);
        tell(Outcome::ClockReported(ReportCard { processes, read_at_once_ns, ..report_card_of(rank.clock) }));
    }
}

/// Time between two looks at a clock: looks that are certain to 50 ns tell rates to a tenth of a ppm.
const LOOKS_APART: Duration = Duration::from_secs(1);

/// Exchanges messages between ranks 0 and 1. The control messages are timed, too.
async fn calibrate<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    settings: &CalibrationSettings,
    ran_by: &str,
    tell: &mut impl FnMut(Outcome),
) {
    let clock = Sync::Linear.synchronise(rank).await;
    let found = settings.run(rank).await;
    let bounds: Vec<Span> = collect(rank, &clock.bound).await;
    if rank.id() == 0 {
        let control = bounds.into_iter().max().unwrap_or_default();
        let calibrated = |samples| Outcome::Calibrated { ran_by: ran_by.to_owned(), samples, control };
        tell_first(rank, found, tell, calibrated);
    }
}

/// Carries out a test in which pairs of ranks exchange messages.
async fn exchange<R: Rank>(rank: &R, test: &Test, ran_by: &str, tell: &mut impl FnMut(Outcome)) {
    let found = test.run(rank).await;
    let gathered = |records| Outcome::PointToPoint { ran_by: ran_by.to_owned(), record: test.gathered(records) };
    report_findings(rank, found, tell, gathered).await;
}

/// Measures the durations of what programs do, on each rank.
async fn measure_doings<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    meter: &Meter,
    ran_by: &str,
    tell: &mut impl FnMut(Outcome),
) {
    let metered = Metered { host: host_name(), ..meter.run(rank).await };
    let ranks = collect(rank, &metered).await;
    if rank.id() == 0 {
        tell(Outcome::Metered { ran_by: ran_by.to_owned(), ranks: meter.gathered(ranks) });
    }
}

/// Looks at each rank's memory, before and between uses of the library.
async fn look_at_memory<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    test: &MemoryTest,
    ran_by: &str,
    tell: &mut impl FnMut(Outcome),
) {
    let mut probes = memory::start();
    probes.extend(test.run(rank, memory::resident).await);
    let ranks = collect(rank, &probes).await;
    if rank.id() == 0 {
        tell(Outcome::Memory { ran_by: ran_by.to_owned(), ranks });
    }
}

/// Measures windows around waits of known duration.
async fn check_clocks<C: ClockSource, N: Carriage>(
    rank: &RealRank<'_, C, N>,
    job: &Job,
    settings: &MethodSettings,
    tell: &mut impl FnMut(Outcome),
) {
    let null = wait(rank, settings, WaitPattern::Null).await;
    let up = wait(rank, settings, WaitPattern::Up).await;
    let down = wait(rank, settings, WaitPattern::Down).await;
    if rank.id() == 0 {
        let (world, carrier, oversubscribed) = (job.world, job.carrier, job.ranks > job.cores);
        let (conditions, occasion) = Default::default();
        let clocks = job.clocks;
        let check = ClockCheck { world, carrier, conditions, occasion, oversubscribed, clocks, null, up, down };
        tell(Outcome::ClocksChecked(check));
    }
}

/// Lets ranks go on when rank 0 does, whose result has been taken by then: work that needed a core meanwhile is not
/// counted as a disturbance of the next case.
async fn go_on<R: Rank>(rank: &R) {
    let mut word = [0];
    if rank.id() != 0 {
        rank.receive(0, &mut word).await;
        return;
    }
    for other in 1..rank.size() {
        rank.send(other, &word).await;
    }
}

/// Gives, on rank 0, the findings of all ranks, or the first refusal in the order of ranks.
async fn report_findings<R: Rank, T: Serialize + serde::de::DeserializeOwned>(
    rank: &R,
    found: Result<T, String>,
    tell: &mut impl FnMut(Outcome),
    outcome: impl FnOnce(Vec<T>) -> Outcome,
) {
    let results: Vec<Result<T, String>> = collect(rank, &found).await;
    tell_first(rank, results.into_iter().collect(), tell, outcome);
}

/// Gives, on rank 0, what it has of all ranks, or why there is nothing.
fn tell_first<R: Rank, T>(
    rank: &R,
    found: Result<T, String>,
    tell: &mut impl FnMut(Outcome),
    outcome: impl FnOnce(T) -> Outcome,
) {
    if rank.id() == 0 {
        tell(found.map_or_else(Outcome::Refused, outcome));
    }
}

/// Returns the finding of all ranks in a check: the fewest calls.
fn fewest(calls: Vec<u32>) -> Outcome {
    Outcome::Checked(calls.into_iter().min().unwrap_or(0))
}

/// Returns, on rank 0, the records of all ranks of windows around a wait of known duration.
async fn wait<R: Rank>(rank: &R, settings: &MethodSettings, pattern: WaitPattern) -> Vec<RankRecord> {
    let shape = Shape::new(rank.size(), 0, 0);
    let order = Order {
        subject: Subject::Wait(pattern),
        shape,
        call: Call::default(),
        copies_as: None,
        environment: Default::default(),
        settings: settings.clone(),
    };
    match run_order(rank, &order).await {
        Ok(record) => collect(rank, &record).await,
        Err(_) => Vec::new(),
    }
}
