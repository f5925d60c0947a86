//! Turns the cases of a launch into the tasks of its ranks.

use super::plan::{Launch, MeasurementPlan};
use campaign::Start;
use measure::job::Task;
use models::time::Span;
use programs::memory::MemoryTest;
use programs::method::{
    Factors, Method, MethodSettings, NATIVE_WARMUP, Order, PLAYED_WARMUP, RoundTimeSettings, StopRule, Subject,
    WindowSettings,
};
use programs::observation::{Carrier, Case, CaseKey, Implementation};

/// Starts by windows: as many as MPIPerf is mostly given.
const STARTS: StopRule = StopRule::Counts { starts: 400, valid: 100 };
/// Starts by windows where ranks sleep: windows are longer there, and fewer must do.
const SLEEPY_STARTS: StopRule = StopRule::Counts { starts: 100, valid: 30 };
/// The shortest window of ranks that sleep: waking up late by tens of µs is not too late.
const SLEEPY_FLOOR: Span = Span::from_ms(3);
/// The longest window of ranks that sleep: a busy machine must not make it ever longer.
const SLEEPY_CAP: Span = Span::from_ms(100);
/// The longest window of a call that moves nothing, and what every byte adds, in ps.
const CAP: Span = Span::from_ms(10);
const CAP_PER_BYTE_PS: u64 = 10_000;
/// The longest window of a check of the clocks, whose waits take a few µs.
const CLOCK_CAP: Span = Span::from_ms(1);
/// Starts by which clocks are judged: enough for a 99 % quantile.
const CLOCK_STARTS: StopRule = StopRule::Counts { starts: 2_000, valid: 1_000 };

/// Returns the tasks of the ranks of a launch: the given cases, after a check of the clocks where it is due, between
/// two looks at memory.
pub(crate) fn tasks(
    plan: &MeasurementPlan,
    launch: &Launch,
    start: &Start,
    cases: Vec<Case>,
    check_clocks: bool,
) -> Vec<Task> {
    let sleepy = launch.ranks > start.site.cores || launch.carrier.is_emulated();
    // The first look finds only the memory that the library keeps by itself.
    let mut tasks = vec![Task::Memory(MemoryTest::look())];
    if check_clocks {
        tasks.extend([Task::ReportCard, Task::CheckClocks(clock_check(plan, sleepy))]);
    }
    let mut checked: Vec<CaseKey> = Vec::new();
    for case in cases {
        let order = Box::new(order(plan, &case, sleepy));
        let subject = case.without_conditions();
        if plan.check && !checked.contains(&subject) {
            tasks.push(Task::CheckCase { case: case.clone(), order: order.clone() });
            checked.push(subject);
        }
        tasks.push(Task::Measure { case, order });
    }
    tasks.push(Task::Memory(MemoryTest::look()));
    tasks
}

/// Returns the order of the ranks for a case.
pub(crate) fn order(plan: &MeasurementPlan, case: &Case, sleepy: bool) -> Order {
    let barrier = match &case.subject.implementation {
        Implementation::Library | Implementation::Forced(_) | Implementation::Tuned(_) => Implementation::Library,
        // In comparison with the library's own calls, its barrier is the same for all.
        Implementation::Shared(_) if case.place.carrier == Carrier::Native => Implementation::Library,
        Implementation::Own(_) | Implementation::Shared(_) => Implementation::Own("dissemination".to_owned()),
    };
    let mut settings = settings(plan, case.timing.method, barrier, sleepy);
    settings.factors.buffer = case.timing.conditions.buffer;
    settings.factors.delay = case.timing.conditions.delay;
    if !sleepy {
        // The cap is far above the time of a call: a busy machine must not make windows ever longer.
        let moved = case.subject.bytes.saturating_mul(u64::from(case.place.ranks));
        settings.window.cap = CAP + Span(moved.saturating_mul(CAP_PER_BYTE_PS));
    }
    case.timing.conditions.rules.replace_in(&mut settings.window);
    if let Some(length) = case.timing.conditions.window {
        (settings.window.floor, settings.window.cap) = (length, length);
    }
    Order {
        subject: Subject::Collective(case.subject.collective, case.subject.implementation.clone()),
        shape: case.shape(),
        call: case.subject.call,
        copies_as: None,
        environment: plan.environment_of(&case.subject.implementation),
        settings,
    }
}

fn clock_check(plan: &MeasurementPlan, sleepy: bool) -> MethodSettings {
    let mut settings = settings(plan, Method::Window, Implementation::Own("dissemination".to_owned()), sleepy);
    settings.factors = Factors::default();
    if !sleepy {
        settings.window.stop = CLOCK_STARTS;
        settings.window.cap = CLOCK_CAP;
    }
    settings
}

fn settings(plan: &MeasurementPlan, method: Method, barrier: Implementation, sleepy: bool) -> MethodSettings {
    let window = if sleepy {
        WindowSettings { stop: SLEEPY_STARTS, floor: SLEEPY_FLOOR, cap: SLEEPY_CAP, ..WindowSettings::default() }
    } else {
        WindowSettings { stop: STARTS, ..WindowSettings::default() }
    };
    MethodSettings {
        method,
        calls: plan.calls,
        samples: plan.samples,
        warmup: plan.warmup.unwrap_or(if sleepy { PLAYED_WARMUP } else { NATIVE_WARMUP }),
        barrier,
        sync: plan.sync,
        window,
        round_time: RoundTimeSettings::default(),
        factors: Factors { buffer: plan.buffer, ..Factors::default() },
    }
}
